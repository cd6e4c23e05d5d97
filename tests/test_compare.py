"""One hand under several rule sets: which are compared, which readings count where, the tables."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import mjasp
from mjasp.cli import main
from mjasp.render.compare import compare_text
from mjasp.render.page import WIDTH

HAND = "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E"
TWO_CHOWS = "[234b] [567b] 99c EEE 11d +1d discard"
JADE_CALLED = "222b 333b 444b 66b 88b f1"
NO_WIN = "13579b 13579c 147d +E discard"
IDS = [ruleset.id for ruleset in mjasp.rulesets()]


def table_of(text: str, heading: str) -> list[str]:
    """The lines of a section."""
    lines = iter(text.splitlines())
    next(line for line in lines if line.startswith(heading))
    return [*iter(lambda: next(lines, ""), "")]


def told(hand: str, *rules: str) -> str:
    scores = mjasp.compare(hand, rules or None)
    text = compare_text(mjasp.parse(hand), scores, map(mjasp.ruleset, rules or IDS))
    assert max(map(len, text.splitlines())) <= WIDTH
    return text


def test_all_rule_sets_are_compared() -> None:
    scores = mjasp.compare(HAND)
    assert list(scores) == IDS
    assert scores == {name: mjasp.score(HAND, name) for name in IDS}
    assert list(mjasp.compare(f"{HAND} rules:bmja")) == IDS


def test_rule_sets_can_be_chosen() -> None:
    assert list(mjasp.compare(HAND, "bmja")) == ["bmja"]
    assert list(mjasp.compare(HAND, ["majiang", "bmja", "majiang"])) == ["majiang", "bmja"]
    with pytest.raises(mjasp.RulesetError, match="no rule set 'baja'"):
        mjasp.compare(HAND, ["bmja", "baja"])


def test_keywords_are_those_of_score() -> None:
    scores = mjasp.compare(HAND, seat="W", round="S", limit=100, cap=True, sensitivity=False)
    assert {score.total for score in scores.values()} == {100}
    assert {score.readings for score in scores.values()} == {None}
    lifted = mjasp.compare(HAND, seat="W", round="S", limit=100, cap=False)
    assert lifted["european-classical"].total == 128
    assert mjasp.compare(mjasp.parse(HAND))["bmja"].total == 132


def test_a_reading_counts_where_it_exists() -> None:
    scores = mjasp.compare(HAND, readings={"value_pairs": "none"})
    assert scores["european-classical"].total == 128
    assert scores["bmja"].total == 132
    missing = "the reading value_pairs does not exist in this rule set"
    without = [name for name, score in scores.items() if missing in score.notes]
    assert without == ["bmja", "dmjl", "mahjiang", "majiang"]


@pytest.mark.parametrize(
    ("readings", "message"),
    [
        ({"value_pair": "none"}, "no reading 'value_pair'"),
        ({"value_pairs": "some"}, "no value of the reading 'value_pairs': 'some'"),
    ],
)
def test_a_reading_that_exists_nowhere_is_refused(readings: dict[str, str], message: str) -> None:
    with pytest.raises(mjasp.RulesetError, match=message):
        mjasp.compare(HAND, readings=readings)


def test_readings_of_one_name_have_the_same_values_everywhere() -> None:
    values: dict[str, set[str]] = {}
    for ruleset in mjasp.rulesets():
        for reading in ruleset.readings:
            known = {reading.default, *reading.alternatives}
            assert values.setdefault(reading.id, known) == known


def test_totals_stand_side_by_side() -> None:
    assert table_of(told(TWO_CHOWS, "bmja", "dmjl", "majiang"), "Rule sets") == [
        "               result     total  points doubles",
        "   1  bmja     no win         -       -       -",
        "   2  dmjl     won          128      32       2",
        "   3  majiang  won           88      22       2",
    ]
    assert table_of(told(JADE_CALLED, "bmja", "dmjl"), "Rule sets") == [
        "            result     total  points doubles  limits flowers",
        "   1  bmja  not won      408       -       -     2/5       8",
        "   2  dmjl  not won       32      16       1       -       -",
    ]


def test_divisions_are_told_where_they_differ() -> None:
    assert table_of(told("111222333b 45c 11d +3c discard"), "Sets") == [
        "  1, 2, 5, 6   111b 222b 333b 45c+3c 11d",
        "  3, 4         123b 123b 123b 45c+3c 11d",
    ]
    assert table_of(told(HAND), "Sets") == ["  all   (1111c) [234d] [GGG] 555b E+E"]
    assert table_of(told(NO_WIN), "Sets")[0].startswith("  all   no win: the tiles make neither")


def test_rules_that_pay_otherwise_are_told() -> None:
    assert table_of(told(HAND, "dmjl", "mahjiang", "majiang"), "Rules that") == [
        "     1     2     3",
        "     2     -     2  Pair of the round wind EE",
        "    20    20    10  Mah jong / Going Majiang",
        "     4     -     -  Last tile completes a pair of terminals or honours EE",
        "     2     -     2  Last tile only possible / Only possible tile",
        "     -     2     -  Only possible place EE",
    ]


def test_rules_of_one_id_stand_together_whatever_they_pay_in() -> None:
    table = table_of(told("111b 222c 333d 99c EE +E wall", "bmja", "mahjiang"), "Rules that")
    assert "    x2    10  No chows" in table


def test_flowers_counted_apart_are_told_apart() -> None:
    table = table_of(told(JADE_CALLED, "bmja", "dmjl"), "Rules that")
    assert "     4     -  Flower, counted apart f1" in table
    assert "     -     4  Flower f1" in table
    assert " 2/5 L     -  Calling for imperial jade" in table


def test_no_table_where_all_pay_alike() -> None:
    text = told(HAND, "european-classical", "european-classical-2008")
    assert "Rules that" not in text
    assert table_of(text, "Notes") == [
        "  - 2: the limit of 500 is assumed: the rule text prints none"
    ]


def test_a_limit_that_counts_is_told() -> None:
    text = told("EEE SSS RRR GG WhWh +Wh wall seat:E round:E", "european-classical", "mahjiang")
    assert "33792" in table_of(text, "Rule sets")[2]
    high = "(3333b) WhWhWh RRR 2d [EEEE] +2d discard seat:E round:E"
    assert "  - 1: 4608 is more than the limit of 500, which counts" in told(high, "dmjl")


def test_rule_sets_without_room_are_named() -> None:
    ruleset, score = mjasp.ruleset("bmja"), mjasp.score(HAND, "bmja")
    names = [f"a-club-with-a-very-long-name-{number}" for number in range(1, 11)]
    scores = {name: replace(score, ruleset=name) for name in names}
    scores[names[0]] = replace(mjasp.score(HAND, "bmja", seat="W"), ruleset=names[0])
    rulesets = [replace(ruleset, id=name) for name in names]
    text = compare_text(mjasp.parse(HAND), scores, rulesets)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert table_of(text, "Rules that")[0].split() == [str(number) for number in range(1, 9)]
    notes = " ".join(table_of(text, "Notes"))
    assert "9, 10: left out of the table of rules, which has no room for more" in notes


def test_assumed_facts_are_told_once() -> None:
    assert "Assumed  seat E, round E" in told(JADE_CALLED).splitlines()
    assert "Assumed" not in told(HAND)


@pytest.mark.parametrize(
    ("arguments", "status"),
    [([HAND], 0), ([TWO_CHOWS], 0), ([TWO_CHOWS, "--rules", "bmja"], 1), ([NO_WIN], 1)],
)
def test_status_says_whether_some_rule_set_accepts(
    capsys: pytest.CaptureFixture[str], arguments: list[str], status: int
) -> None:
    assert main(["compare", *arguments]) == status
    assert capsys.readouterr().err == ""


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", HAND, "--rules", "majiang,bmja", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["schema", "hand", "scores"]
    assert told["schema"] == "mjasp/compare/1"
    assert list(told["scores"]) == ["majiang", "bmja"]
    for name, score in told["scores"].items():
        whole = mjasp.score(HAND, name).to_dict()
        assert whole.pop("hand") == told["hand"]
        assert score == whole
