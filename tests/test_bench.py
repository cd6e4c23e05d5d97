"""The benchmarks' command lines: wrong usage is told in one line; their table can be read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bench import batch, compare, proof
from bench.compare import Figures, table

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("program", "arguments", "message"),
    [
        (proof, "--rules nope", "argument --rules: there is no rule set 'nope'; there are: bmja, "),
        (proof, "--rules dmjl,bmjaa", "argument --rules: there is no rule set 'bmjaa'; did you "),
        (proof, "--hands 0", "argument --hands: at least 1, not 0"),
        (proof, "--hands many", "argument --hands: 'many' is no number"),
        (proof, "--jobs 0", "argument --jobs: at least 1, not 0"),
        (compare, "--rules nope", "argument --rules: there is no rule set 'nope'; there are: bmja"),
        (compare, "--won 0", "argument --won: at least 1, not 0"),
        (batch, "more", "unrecognized arguments: more"),
    ],
)
def test_wrong_usage(
    program: ModuleType,
    arguments: str,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", *arguments.split()])
    with pytest.raises(SystemExit) as left:
        program.main()
    told = capsys.readouterr()
    assert (left.value.code, told.out) == (2, "")
    assert told.err.partition(": ")[2].startswith(message)
    assert told.err.count("\n") == 1


def test_help_measures_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "--help"])
    for program in (batch, compare, proof):
        with pytest.raises(SystemExit) as left:
            program.main()
        assert left.value.code == 0
        assert capsys.readouterr().out.startswith("usage: python -m bench.")


@pytest.mark.parametrize("program", ["proof", "batch"])
def test_numpy_is_missing(program: str) -> None:
    script = f"import sys\nsys.modules['numpy'] = None\nfrom bench.{program} import main\nmain()\n"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=False, cwd=ROOT, text=True
    )
    told = f"python -m bench.{program}: numpy is not installed: `pip install 'mjasp[batch]'`\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


def test_heads_of_the_table_stand_apart() -> None:
    ratios: dict[str, dict[str, float | None]] = {
        name: {"mjasp, solved": 1.0} for name in ("Kajongg", "mjasp, solved")
    }
    figures = Figures("mjasp, solved", "text to score", 8, 0, 2.5, 2.9, 386.0, 0.7, 313.0, 37.0)
    head, row = table([figures], ratios)
    heads = "median|99 %|a second|/ Kajongg|/ mjasp, solved|ready in|a second, cold|memory"
    assert [each.strip() for each in head.split("  ") if each.strip()] == heads.split("|")
    assert row.index("37 MB") + len("37 MB") == len(head)
