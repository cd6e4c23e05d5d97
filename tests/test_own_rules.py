"""docs/own-rules.md is true: its example is played, each word of its lists holds in its hand."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from console import sessions

import mjasp
from mjasp import facts, vocabulary
from mjasp.cli import main
from mjasp.ruleset_files import entry_texts, load
from mjasp.rulesets import Otherwise
from mjasp.solver import Program, Term, as_it_is

PAGE = (Path(__file__).parents[1] / "docs" / "own-rules.md").read_text(encoding="utf-8")
CLUB = "".join(re.findall(r"```prolog\n(.*?)```", PAGE, re.DOTALL))


def rows(title: str) -> list[tuple[str, ...]]:
    """The cells of the table under a heading."""
    (section,) = re.findall(rf"## {title}\n(.*?)(?:\n## |\Z)", PAGE, re.DOTALL)
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [tuple(line.strip("| ").split(" | ")) for line in lines]


@pytest.fixture(autouse=True)
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "seaside.lp").write_text(CLUB, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_sessions_print_what_they_do(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    ran = [session for block in blocks for session in sessions(block)]
    assert len(ran) == 5
    for (program, *arguments), printed in ran:
        assert program == "mjasp"
        assert main(arguments) == 0
        assert capsys.readouterr().out == printed


def test_each_part_of_the_file_is_a_whole_file(tmp_path: Path) -> None:
    blocks = re.findall(r"```prolog\n(.*?)```", PAGE, re.DOTALL)
    for parts in (1, 2):
        (tmp_path / "seaside.lp").write_text("".join(blocks[:parts]), encoding="utf-8")
        assert mjasp.ruleset("seaside.lp").name == "The Seaside Club"


def test_the_club_has_what_the_shipped_rule_sets_have() -> None:
    ruleset = mjasp.ruleset("seaside.lp")
    assert (ruleset.id, ruleset.name, ruleset.limit) == ("seaside", "The Seaside Club", 300)
    ids = [rule.id for rule in ruleset.rules]
    assert ids[-4:] == ["three_sisters", "seven_pairs", "harbour", "calling_seven_pairs"]
    assert "little_four_winds" not in ids
    going_out = ruleset.rules[ids.index("going_out")]
    assert going_out.values == {"": 10}
    assert going_out.source == "Rules of the Seaside Club: Points: Going out"
    readings = {reading.id: reading.default for reading in ruleset.readings}
    assert readings["value_pairs"] == "none"
    (harbour,) = (rule for rule in ruleset.rules if rule.id == "harbour")
    assert harbour.unit == "limits"
    assert harbour.values == {"": 1}
    assert harbour.otherwise == (Otherwise("harbour", "doubles", "doubles", {"": Fraction(3)}),)
    hand = "123456789b 11d EE +E discard last-tile seat:S round:E"
    by_doubles = mjasp.score(hand, rules="seaside.lp", readings={"harbour": "doubles"})
    assert (by_doubles.total, by_doubles.doubles) == (300, 5)
    scores = mjasp.compare(hand, rules=["seaside.lp", "european-classical"])
    assert [score.total for score in scores.values()] == [300, 136]


def test_what_a_file_may_state_is_listed() -> None:
    expected = [(f"`{word.form}`", word.sentence) for word in vocabulary.stated().values()]
    assert rows("What a file may state") == expected


@pytest.mark.parametrize(
    ("title", "words"),
    [("Conditions", vocabulary.conditions()), ("Predicates", vocabulary.predicates())],
)
def test_every_word_is_listed(title: str, words: dict[object, vocabulary.Word]) -> None:
    listed = [(form, sentence) for form, sentence, _ in rows(title)]
    assert listed == [(f"`{word.form}`", word.sentence) for word in words.values()]


@pytest.fixture(scope="module")
def program() -> Program[Term]:
    """A program that derives every condition, and shows all that a rule may ask for."""
    text = []
    for name in vocabulary.conditions():
        text.append(f'rule(try_{name}, "", winner). condition(try_{name}, {name}).')
        text.append(f"value(try_{name}, limits, 1).")
    text += [f"asked_for({name})." for name, _ in vocabulary.predicates()]
    text += [f"#show {name}/{arity}." for name, arity in vocabulary.predicates()]
    shipped = load("european-classical").shipped
    return Program([*entry_texts("score"), *shipped, *text, "#show holds/2."], as_it_is)


@pytest.mark.parametrize(
    ("word", "hand"),
    [
        (f"{prefix}{form.strip('`')}", hand.strip("`"))
        for title, prefix in (("Conditions", "holds "), ("Predicates", ""))
        for form, _, hand in rows(title)
    ],
)
def test_every_word_holds_in_its_hand(program: Program[Term], word: str, hand: str) -> None:
    held, _ = mjasp.parse(hand).resolved()
    readings = {each.id: each.default for each in mjasp.ruleset("european-classical").readings}
    stated = [*facts.hand_facts(held), *facts.reading_facts(readings)]
    stated += map(facts.wait_fact, mjasp.waits(held) if held.winning else ())
    found = {
        f"holds {atom[1]}" if atom[0] == "holds" else str(atom[0])
        for model in program.solve(stated)
        for atom in (term if isinstance(term, tuple) else (term,) for term in model)
    }
    assert word.partition("(")[0] in found
