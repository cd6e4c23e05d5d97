"""The commands on the text of a hand: convert, facts, completion, and the option --notation."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import clingo
import pytest

import mjasp
from bench.hands import losing_hands, won_hands
from mjasp.cli import main
from mjasp.notation import WRITTEN, parse, write

ROOT = Path(__file__).parents[1]
HAND = "[444b] (1111c) 55b EE 678d +5b wall"
KAJONGG = "RB5B5B5S6S7S8WeWe b4b4b4 c1C1C1c1 mw LB5"


@pytest.mark.parametrize("notation", WRITTEN)
def test_convert(notation: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", HAND, "--to", notation]) == 0
    captured = capsys.readouterr()
    assert captured.out == write(parse(HAND), notation) + "\n"
    assert captured.err == ""


def test_convert_says_what_cannot_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", f"{HAND} seat:E", "--to", "kajongg"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "kajongg cannot say `seat:E`: the winds are given as options\n"


def test_convert_needs_to_know_where_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", HAND]) == 2
    assert "--to" in capsys.readouterr().err
    assert main(["convert", HAND, "--to", "words", "--format", "json"]) == 2


def test_what_was_recognised_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", KAJONGG]) == 0
    told = capsys.readouterr()
    assert told.err == "mjasp: read as kajongg; --notation says what it is\n"
    assert main(["score", KAJONGG, "--notation", "kajongg"]) == 0
    assert capsys.readouterr() == (told.out, "")

    assert main(["score", KAJONGG, "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert json.loads(captured.out)["notation"] == "kajongg"
    assert main(["score", HAND, "--format", "json"]) == 0
    assert "notation" not in json.loads(capsys.readouterr().out)


def test_a_notation_that_is_told_is_not_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", KAJONGG, "--notation", "mpsz", "--format", "json"]) == 2
    (first, *_) = json.loads(capsys.readouterr().err)["errors"]
    assert first["code"] == "unknown-word"
    assert first["expected"][0] == "a tile"


# ---- facts


def models_by_hand(facts: str, rules: str) -> list[frozenset[str]]:
    """What clingo makes of the facts with the encodings, told as a user would."""
    control = clingo.Control(["0", "--project=show"], logger=lambda *_: None)
    for name in ("score.lp", f"rulesets/{rules}.lp"):
        control.load(str(ROOT / "encodings" / name))
    control.add("base", [], facts)
    control.ground([("base", [])])
    found: list[frozenset[str]] = []
    control.solve(on_model=lambda m: found.append(frozenset(map(str, m.symbols(shown=True)))))
    return found


@pytest.mark.parametrize("rules", [each.id for each in mjasp.rulesets()])
def test_facts_give_the_models_of_the_engine(
    rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = mjasp.Engine(rules)
    for hand in (*won_hands(6, seed=5), *losing_hands(3, seed=5), parse("222b 444b 66b ?????")):
        assert main(["facts", "--rules", rules, write(hand)]) == 0
        facts = capsys.readouterr().out
        found = models_by_hand(facts, rules)
        score = engine.score(hand)
        expected = 0 if score.outcome == "false-win" else len(score.interpretations)
        assert len(found) == len(set(found)) == expected
        for model in found:
            fired = [atom for atom in model if atom.startswith("fires(")]
            assert len(fired) in {len(each.fired) for each in score.interpretations}


def test_facts_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["facts", HAND, "--rules", "bmja", "--seat", "S"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["% [444b] (1111c) 55b 678d EE +5b wall", "% under bmja"]
    assert lines[2] == "% assumed: round"
    assert "seat(south)." in lines
    assert all(re.fullmatch(r"[a-z_]+(\(.*\))?\.", line) for line in lines[3:])
    assert main(["facts", HAND, "--format", "json"]) == 2


def test_facts_tell_what_was_assumed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["facts", "111222333b 45c 11d +3c won:? seat:?", "--round", "S"]) == 0
    assert "% assumed: seat, source" in capsys.readouterr().out.splitlines()


def test_the_page_on_clingo_is_true() -> None:
    page = (ROOT / "docs" / "clingo.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"```sh\n(.*)\n```", page)
    ours, theirs = (shlex.split(part) for part in line.split("|"))
    python = [sys.executable, "-m"]
    facts = subprocess.run([*python, *ours], capture_output=True, check=True, cwd=ROOT)
    done = subprocess.run(
        [*python, *theirs], input=facts.stdout, capture_output=True, check=False, cwd=ROOT
    )
    assert b"Models       : 2" in done.stdout
    assert done.stderr == b""
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    code = f"import doctest\ndoctest.run_docstring_examples({example!r}, {{}})"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT, text=True
    )
    assert told.stdout == ""


def test_the_words_of_the_notation_page_can_be_read() -> None:
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```words\n(.*?)```", page, re.DOTALL)
    assert mjasp.score(example).outcome == "won"


# ---- completion


def test_bash_completes() -> None:
    bash = shutil.which("bash")
    assert bash
    script = printed("bash")
    for line, expected in {
        "mjasp sc": {"score"},
        "mjasp score --reading wait=s": {"shape"},
        "mjasp score --rules euro": {"european-classical", "european-classical-2008"},
        "mjasp score --rules=euro": {"european-classical", "european-classical-2008"},
        "mjasp score --reading=wait=s": {"shape"},
        "mjasp game new evening --pl": {"--players"},
        "mjasp rules bm": {"bmja"},
        "mjasp convert --to k": {"kajongg"},
        "mjasp score --notation mp": {"mpsz"},
        "mjasp completion ": {"bash", "zsh", "fish", "--help", "-h"},
    }.items():
        ask = f'{script}\nCOMP_LINE="$1" COMP_POINT=${{#1}}\n_mjasp\necho "${{COMPREPLY[@]}}"'
        done = subprocess.run(
            [bash, "-c", ask, "bash", line], capture_output=True, check=True, text=True
        )
        assert set(done.stdout.split()) == expected
        assert done.stderr == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_what_the_program_knows(shell: str) -> None:
    script = printed(shell)
    for command in ("score", "convert", "facts", "completion", "settle"):
        assert re.search(rf"\b{command}\b", script)
    for ruleset in mjasp.rulesets():
        assert ruleset.id in script
        assert all(f"{each.id}={each.default}" in script for each in ruleset.readings)
        assert all(rule.id in script for rule in ruleset.rules)


def printed(shell: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "mjasp", "completion", shell],
        capture_output=True,
        check=True,
        cwd=ROOT,
        text=True,
    ).stdout


# ---- errors that only scoring finds


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (["111222333b 45c 11d +3c first-turn discard"], "line 1, column 24: "),
        (["EE 111222333b\n45c, won on 3c; first discard", "--seat", "E"], "line 2, column 17: "),
        (["111222333b 45c 11d +3c rules:nope"], "line 1, column 30: "),
        (["111222333b 45c 11d +3c rules:bmja", "--rules", "nope"], "there is no rule set"),
    ],
)
def test_what_scoring_refuses_has_its_place(
    arguments: list[str], place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *arguments]) == 2
    assert capsys.readouterr().err.startswith(place)
