"""The command line: what is printed where, and the exit status."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import mjasp
from mjasp.cli import main

ROOT = Path(__file__).parents[1]
HAND = "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E"
CHOWS = "111222333b 45c 11d +3c discard seat:E round:E"
COMMANDS = ("score", "decompose", "waits", "compare", "rules")
FALSE_WIN = "123456789b 55c 12d +5d discard"

Outcome = tuple[int, str, str]
Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def runner(*arguments: str) -> Outcome:
        try:
            status = main(arguments)
        except SystemExit as leaving:
            status = int(leaving.code or 0)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return runner


def process(
    *arguments: str, environment: Mapping[str, str], given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "mjasp", *arguments],
        input=given,
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def test_score_prints_the_trace(run: Run) -> None:
    status, out, err = run("score", HAND)
    assert (status, err) == (0, "")
    assert out == mjasp.score(HAND).explain() + "\n"
    assert "Total    136" in out.splitlines()


def test_score_as_json_is_what_the_api_gives(run: Run) -> None:
    status, out, _ = run("score", HAND, "--format", "json")
    assert status == 0
    assert json.loads(out) == mjasp.score(HAND).to_dict()


def test_score_all_traces_every_interpretation(run: Run) -> None:
    _, out, _ = run("score", "--all", CHOWS)
    assert "Interpretation 2: 46, counted as an ordinary hand" in out.splitlines()


@pytest.mark.parametrize(
    ("options", "total"),
    [
        (["--seat", "W"], 132),
        (["--seat", "west", "--round", "South"], 128),
        (["--limit", "100"], 100),
        (["--limit", "100", "--no-limit"], 136),
        (["--reading", "value_pairs=none"], 128),
        (["--reading", "value_pairs=none", "--reading", "wait=only-tile"], 128),
        (["--rules", "european-classical-2008"], 136),
    ],
)
def test_options_of_score(run: Run, options: list[str], total: int) -> None:
    status, out, _ = run("score", HAND, "--format=json", *options)
    assert (status, json.loads(out)["total"]) == (0, total)


def test_rules_of_the_text_give_way_to_the_option(run: Run) -> None:
    hand = f"{HAND} rules:european-classical-2008"
    assert json.loads(run("score", hand, "--format=json")[1])["ruleset"].endswith("2008")
    _, out, _ = run("waits", hand, "--format=json", "--rules", "european-classical")
    assert json.loads(out)["ruleset"] == "european-classical"
    assert json.loads(run("waits", hand, "--format=json")[1])["ruleset"].endswith("2008")


@pytest.mark.parametrize("command", ["score", "decompose"])
def test_false_win_is_told_and_has_status_1(run: Run, command: str) -> None:
    status, out, err = run(command, FALSE_WIN)
    assert (status, err) == (1, "")
    assert "Result   no win" in out
    status, out, _ = run(command, FALSE_WIN, "--format=json")
    assert (status, json.loads(out)["outcome"]) == (1, "false-win")


def test_decompose_lists_interpretations(run: Run) -> None:
    status, out, _ = run("decompose", CHOWS)
    assert status == 0
    assert [line for line in out.splitlines()[4:] if not line.startswith("     ")] == [
        "  60   123b 123b 123b 45c+3c 11d",
        "  46   111b 222b 333b 45c+3c 11d",
    ]
    assert json.loads(run("decompose", CHOWS, "--format=json")[1]) == mjasp.score(CHOWS).to_dict()


def test_waits(run: Run) -> None:
    status, out, _ = run("waits", "111222333b 45c 11d")
    assert status == 0
    assert out.splitlines()[-2:] == ["  3c   3 characters", "  6c   6 characters"]
    _, out, _ = run("waits", "111222333b 45c 11d", "--format", "json")
    assert json.loads(out)["waits"] == ["3c", "6c"]


def test_waits_tells_what_the_hand_is_calling_for(run: Run) -> None:
    hand = "222b 333b 444b 66b 88b"
    status, out, _ = run("waits", hand, "--rules", "bmja")
    assert status == 0
    assert out.splitlines()[-2:] == [
        "  Purity          96    6b 8b",
        "  Imperial jade   400   6b 8b",
    ]
    _, out, _ = run("waits", hand, "--rules", "bmja", "--limit", "500", "--format", "json")
    assert json.loads(out)["calling"] == [
        {"rule": "purity", "tiles": ["6b", "8b"], "total": 96},
        {"rule": "imperial_jade", "tiles": ["6b", "8b"], "total": 200},
    ]
    _, out, _ = run("waits", hand, "--format", "json")
    assert {each["total"] for each in json.loads(out)["calling"]} == {None}


def test_rules_lists_the_rule_sets(run: Run) -> None:
    status, out, _ = run("rules")
    assert status == 0
    assert "european-classical-2008" in out
    told = json.loads(run("rules", "--format=json")[1])
    assert [each["id"] for each in told["rulesets"]] == [each.id for each in mjasp.rulesets()]


def test_rules_of_one_rule_set_shows_every_rule_and_reading(run: Run) -> None:
    status, out, _ = run("rules", "european-classical")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    words = " ".join(out.split())
    ruleset = mjasp.ruleset("european-classical")
    title = ruleset.source + ": "
    for rule in ruleset.rules:
        assert f"{rule.name} ({rule.id}) {rule.source.removeprefix(title)}" in words
    for reading in ruleset.readings:
        assert f"{reading.id} = {reading.default} (or" in words
        assert reading.doubt in words
    told = json.loads(run("rules", "european-classical", "--format=json")[1])
    assert told["rules"][0]["values"] == {"exposed": 2, "concealed": 4}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "required: COMMAND"),
        (["scare", HAND], "invalid choice: 'scare'"),
        (["score"], "required: HAND"),
        (["score", "-x"], "required: HAND"),
        (["score", HAND, "more"], "unrecognized arguments: more"),
        (["score", HAND, "--format", "xml"], "invalid choice: 'xml'"),
        (["score", HAND, "--limit", "0"], "'0' is no number of points above 0"),
        (["score", HAND, "--limit", "-5"], "--limit"),
        (["score", HAND, "--limit", "1.5"], "'1.5' is no number of points above 0"),
        (["score", HAND, "--seat", "X"], "'X' is no wind: E, S, W or N"),
        (["score", HAND, "--reading", "wait"], "'wait' is not of the form NAME=VALUE"),
        (
            ["score", HAND, "--reading", "wait=shape", "--reading", "wait=only-tile"],
            "reading wait is given twice: shape and only-tile",
        ),
        (["score", HAND, "--reading", "wiat=shape"], "wait"),
        (["score", HAND, "--reading", "wait=form"], "shape"),
        (["score", HAND, "--rules", "european"], "european-classical"),
        (["rules", "european"], "european-classical"),
        (["compare", HAND, "--rules", "bmja,european"], "european-classical"),
        (["compare", HAND, "--reading", "value_pair=none"], "value_pairs"),
        (["score", ""], "line 1, column 1"),
        (["score", "[235b] 55d"], "line 1, column 1"),
        (["score", "--", "-x"], "line 1, column 1"),
        (["score", "\udcff5b"], "line 1, column 1"),
        (["decompose", HAND + " 5b"], ""),
        (["waits", "55555b"], ""),
    ],
)
def test_bad_input_and_usage(run: Run, arguments: list[str], told: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert told in " ".join(err.split())
    assert "Traceback" not in err
    if arguments and "--format" not in arguments:
        status, out, err = run(arguments[0], "--format=json", *arguments[1:])
        assert (status, out) == (2, "")
        error = json.loads(err)
        assert error["schema"] == "mjasp/error/1"
        assert error["errors"]


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(text: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="ascii"))

    given(f"% a hand\n{HAND}\n".encode())
    assert run("score", "-")[1] == run("score", HAND)[1]
    given("\U0001f000\U0001f000 555b [GGG] [234d] 11c +1c".encode())
    assert run("score", "-")[0] == 0
    given(b"555b \xff")
    status, out, err = run("score", "-")
    assert (status, out) == (2, "")
    assert "line 1, column 6" in err
    given(b"")
    assert run("score", "-")[0] == 2


def test_help_lists_the_commands(run: Run) -> None:
    status, out, _ = run("--help")
    assert status == 0
    for command in COMMANDS:
        assert f"\n    {command}" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_that_work(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    status, out, _ = run(command, "--help")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    examples = [shlex.split(line) for line in out.splitlines() if line.startswith("  mjasp ")]
    assert len(examples) >= 2
    for _, *arguments in examples:
        if arguments[-2:] == ["<", "hand.txt"]:
            monkeypatch.setattr(sys, "stdin", io.StringIO(HAND))
            arguments[-2:] = []
        assert run(*arguments)[0] == 0


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"mjasp {mjasp.__version__}\n", "")


def test_internal_fault_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(mjasp, "score", broken)
    status, out, err = run("score", HAND)
    assert (status, out) == (3, "")
    assert err.startswith("mjasp: internal fault (RuntimeError: two lines); please report")
    assert len(err.splitlines()) == 1
    monkeypatch.setenv("MJASP_DEBUG", "1")
    with pytest.raises(RuntimeError):
        main(["score", HAND])


def test_interruption(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(mjasp, "score", interrupted)
    assert run("score", HAND) == (130, "", "")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_only_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], *, coloured: bool
) -> None:
    terminal = Terminal()
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main(["score", HAND]) == 0
    assert ("\x1b[" in terminal.getvalue()) is coloured


def test_python_dash_m_in_an_ascii_locale() -> None:
    ascii_only = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = process("score", "-", given=HAND.encode(), environment=ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Total    136" in done.stdout
    refused = process("score", "5b 😀", environment=ascii_only)
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"Traceback" not in refused.stderr


@pytest.mark.parametrize("arguments", [["rules", "european-classical"], ["--help"]])
def test_closed_pipe_is_no_fault(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "mjasp", *arguments],
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
            cwd=ROOT,
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_closed_streams_are_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert main(["score", HAND]) == 0
    assert main(["score", "-"]) == 2
