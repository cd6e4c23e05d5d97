"""The engine and the functions of the package: settings, errors, order, what is left out."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest

import mjasp
from bench.hands import won_hands
from mjasp import (
    Engine,
    Hand,
    HandError,
    MjaspError,
    NotationError,
    RulesetError,
    Score,
    Tile,
    Wind,
)
from mjasp.ruleset_files import Source
from mjasp.rulesets import texts

CHECKED = "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E"
PUNG_OF_SOUTH = "[SSS] 345c 678c 99d 45d +6d discard"  # 4 + 20, south worth a double: 24 or 48
OVER_THE_LIMIT = "[222c] [444c] 666c 88c 99c +9c discard seat:S round:W"  # 32 x 16 = 512


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def test_text_and_hand_score_the_same(engine: Engine) -> None:
    score = engine.score(CHECKED)
    assert (score.points, score.doubles, score.total) == (68, 1, 136)
    assert (score.limits, score.bonus) == (Fraction(0), None)
    assert engine.score(mjasp.parse(CHECKED)) == score
    assert score.best is score.interpretations[0]
    assert score.ruleset == "european-classical"


def test_seat_and_round_replace_those_of_the_text() -> None:
    text = f"{PUNG_OF_SOUTH} seat:N round:W"
    assert mjasp.score(text).total == 24
    assert mjasp.score(text, seat="S").total == 48
    assert mjasp.score(text, round=Wind.SOUTH).total == 48
    assert mjasp.score(text, seat=Wind.SOUTH, round="S").total == 96
    engine = Engine(seat="S")
    assert engine.score(text).total == 48
    assert engine.score(text).hand.seat is Wind.SOUTH


def test_a_seat_that_is_given_is_not_assumed() -> None:
    score = mjasp.score(PUNG_OF_SOUTH, seat="S")
    assert [(one.fact, one.value) for one in score.assumed] == [("round", "E")]
    assert score.given.seat is Wind.SOUTH


def test_a_seat_may_contradict_the_text() -> None:
    text = "123b 345c 678c 99d 45d +6d wall first-turn seat:E round:E"
    assert mjasp.score(text).total == 500
    with pytest.raises(HandError, match="first-turn"):
        mjasp.score(text, seat="S")


def test_limit_and_cap() -> None:
    assert mjasp.score(OVER_THE_LIMIT).total == 500
    assert mjasp.score(OVER_THE_LIMIT, cap=False).total == 512
    assert mjasp.score(OVER_THE_LIMIT, limit=300).total == 300
    assert mjasp.score(OVER_THE_LIMIT, limit=1000).total == 512
    best = mjasp.score(OVER_THE_LIMIT, limit=300, cap=False).best
    assert (best.total, best.uncapped, best.capped) == (512, 512, False)
    orphans = "19b 19c 19d ESWN RGWh +E discard seat:S round:W"
    assert mjasp.score(orphans, limit=300, cap=False).total == 300


@pytest.mark.parametrize(
    ("make", "code", "help_"),
    [
        (lambda: Engine("european-clasical"), "unknown-ruleset", "european-classical"),
        (lambda: Engine("../european-classical"), "unknown-ruleset", "european-classical"),
        (lambda: Engine(readings={"value_pair": "all"}), "unknown-reading", "value_pairs"),
        (lambda: Engine(readings={"wait": "shap"}), "unknown-reading-value", "shape"),
        (lambda: Engine(readings={"wait": "?"}), "unknown-reading-value", "only-tile"),
        (lambda: Engine(limit=0), "bad-limit", None),
        (lambda: mjasp.score(CHECKED, "nothing"), "unknown-ruleset", None),
        (lambda: mjasp.score(f"{CHECKED} rules:nothing"), "unknown-ruleset", None),
        (lambda: mjasp.ruleset("nothing"), "unknown-ruleset", None),
        (lambda: mjasp.waits(CHECKED, "nothing"), "unknown-ruleset", None),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(
    make: Callable[[], object], code: str, help_: str | None
) -> None:
    with pytest.raises(RulesetError) as error:
        make()
    (problem,) = error.value.problems
    assert problem.code == code
    assert help_ is None or help_ in (problem.help or "")


def test_all_unknown_readings_are_told_together() -> None:
    with pytest.raises(RulesetError) as error:
        Engine(readings={"value_pair": "all", "wait": "shap"})
    assert len(error.value.problems) == 2


@pytest.mark.parametrize("setting", ["seat", "round"])
def test_no_wind(setting: str) -> None:
    with pytest.raises(HandError, match="'up' is no wind"):
        mjasp.score(CHECKED, **{setting: "up"})  # type: ignore[arg-type]


def test_rules_of_the_text_and_of_the_argument() -> None:
    assert mjasp.score(f"{CHECKED} rules:european-classical-2008").ruleset.endswith("-2008")
    score = mjasp.score(f"{CHECKED} rules:european-classical-2008", "european-classical")
    assert score.ruleset == "european-classical"
    assert mjasp.score(CHECKED).ruleset == "european-classical"


def test_score_many_is_lazy_and_in_order(engine: Engine) -> None:
    asked = []

    def texts() -> Iterator[Hand | str]:
        for text in (CHECKED, "555x", "555b", mjasp.parse(OVER_THE_LIMIT)):
            asked.append(text)
            yield text

    scores = engine.score_many(texts())
    assert asked == []
    first = next(scores)
    assert isinstance(first, Score)
    assert first.total == 136
    assert len(asked) == 1
    unreadable, impossible, last = scores
    assert isinstance(unreadable, NotationError)
    assert isinstance(impossible, HandError)
    assert last == engine.score(OVER_THE_LIMIT)


def test_sensitivity_is_on_for_the_function_and_off_for_the_engine(engine: Engine) -> None:
    text = "222b 345c 678c 99d 45d +6d wall"
    without = engine.score(text)
    assert without.readings is None
    assert [(one.fact, one.others) for one in without.assumed] == [("seat", None), ("round", None)]
    assert without.to_dict()["readings"] is None
    score = mjasp.score(text)
    assert score == engine.score(text, sensitivity=True)
    assert mjasp.score(text, sensitivity=False) == without


def test_readings_that_change_the_total() -> None:
    # 4 + 10 + 2 + 20 = 36 x 2; without the 10 points 26 x 2.
    score = mjasp.score("222b 345c 678c 99d 45d +6d wall seat:S round:W")
    assert score.total == 72
    (effect,) = score.readings or ()
    assert (effect.reading, effect.value) == ("concealed_and_fully_concealed", "both")
    assert effect.others == (("double-only", 52),)
    # The other way round, the value in force and the others change places.
    readings = {"concealed_and_fully_concealed": "double-only"}
    score = mjasp.score("222b 345c 678c 99d 45d +6d wall seat:S round:W", readings=readings)
    (effect,) = score.readings or ()
    assert (score.total, effect.value, effect.others) == (52, "double-only", (("both", 72),))


def test_assumed_facts_with_the_totals_of_the_other_answers() -> None:
    seat, round_, source = mjasp.score("[SSS] 345c 678c 99d 45d +6d").assumed
    assert (seat.fact, seat.value) == ("seat", "E")
    assert seat.others == (("S", 48), ("W", 24), ("N", 24))
    assert (round_.fact, round_.others) == ("round", seat.others)
    # From the wall 4 + 2 + 20 = 26; a loose tile 26 x 2; robbed 24 x 2.
    assert (source.fact, source.value) == ("source", "discard")
    assert source.others == (("wall", 26), ("loose", 52), ("robbing", 48))


def test_an_assumed_limit() -> None:
    rules = "european-classical-2008"
    (limit,) = mjasp.score(CHECKED, rules).assumed
    assert (limit.fact, limit.value, limit.others) == ("limit", 500, ())
    assert mjasp.score(CHECKED, rules, limit=400).assumed == ()


def test_false_win() -> None:
    score = mjasp.score("[222b] 345c 678c 99d 45d +7d discard seat:S round:W")
    assert (score.outcome, score.total) == ("false-win", None)
    # What is listed is the hand without the winning tile, as a loser's.
    assert [one.kind for one in score.interpretations] == ["lost"]
    assert (score.points, score.best.total) == (2, 2)
    assert len(score.reasons) == 1
    assert score.hand.winning is Tile("7d")


def test_waits(engine: Engine) -> None:
    # 44d 56d waits on 4 (a pair and 4-5-6) and 7 (a pair and 5-6-7).
    expected = (Tile("4d"), Tile("7d"))
    assert mjasp.waits("[222b] 345c 678c 4456d") == expected
    assert engine.waits("[222b] 345c 678c 4456d +4d wall") == expected
    assert engine.score("[222b] 345c 678c 4456d +4d wall").waits == expected
    assert mjasp.waits("147b 258c 369d ESWN") == ()


def test_a_fifth_copy_is_no_wait() -> None:
    # 3-4 waits on 2 and 5; all four 5s are in the kong.
    assert mjasp.waits("(5555b) 34b 99c 678c 678d") == (Tile("2b"),)
    # The single tile waits for its like, of which the pung holds the other three.
    assert mjasp.waits("[222b] 2b 345c 678c 456d") == ()


def test_waits_do_not_look_at_the_completed_set(engine: Engine) -> None:
    assert engine.waits("[222b] 345c 678c 44d [56d+4d] wall") == (Tile("4d"), Tile("7d"))


def test_a_score_is_copied_and_pickled_whole(engine: Engine) -> None:
    score = engine.score("[SSS] 345c 678c 99d 45d +6d", sensitivity=True)
    for other in (pickle.loads(pickle.dumps(score)), copy.deepcopy(score)):  # noqa: S301
        assert other == score
        assert other.waits == score.waits == (Tile("3d"), Tile("6d"))
        assert other.to_dict() == score.to_dict()


def test_an_error_is_pickled_whole(engine: Engine) -> None:
    (error,) = engine.score_many(["55b [235b]"])
    assert isinstance(error, MjaspError)
    other = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (type(other), other.problems, other.text) == (type(error), error.problems, error.text)


def test_threads_agree() -> None:
    hands = list(won_hands(40, seed=5))
    engine = Engine()
    expected = [engine.score(hand) for hand in hands]

    def scores(_: int) -> list[Score]:
        return [mjasp.score(hand, sensitivity=False) for hand in hands]

    with ThreadPoolExecutor(3) as pool:
        assert all(found == expected for found in pool.map(scores, range(6)))


def test_a_score_may_be_looked_at_in_another_thread(engine: Engine) -> None:
    score = engine.score(CHECKED)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(score.to_dict).result()["waits"] == ["E"]


def test_hands_do_not_leak_into_each_other(engine: Engine) -> None:
    hands = list(won_hands(30, seed=6))
    once = [engine.score(hand) for hand in hands]
    assert [engine.score(hand) for hand in reversed(hands)] == once[::-1]


def test_rulesets_describe_themselves() -> None:
    parent, variant = (ruleset for ruleset in mjasp.rulesets() if "european" in ruleset.id)
    assert (parent.id, variant.id) == ("european-classical", "european-classical-2008")
    assert (parent.limit, variant.limit) == (500, 500)
    assert (parent.limit_assumed, variant.limit_assumed) == (False, True)
    assert variant.readings == parent.readings
    for one, other in zip(parent.rules, variant.rules, strict=True):
        assert one.source.startswith("MahjongTime, European Classical Mahjong Scoring: ")
        assert other.source == one.source.replace(" Scoring: ", " Scoring (2008): ")
        assert replace(one, source="") == replace(other, source="")


def test_a_rule_with_its_values() -> None:
    rules = {rule.id: rule for rule in mjasp.ruleset("european-classical").rules}
    kong = rules["kong_of_terminals_or_honours"]
    assert kong.values == {"exposed": Fraction(16), "concealed": Fraction(32)}
    assert (kong.unit, kong.scope) == ("points", "all")
    assert rules["one_suit"].values == {"": Fraction(3)}
    assert (rules["one_suit"].unit, rules["one_suit"].scope) == ("doubles", "winner")
    assert rules["all_green"].unit == "limits"
    assert len(rules) == 37


def test_only_the_rule_sets_asked_for_are_grounded(monkeypatch: pytest.MonkeyPatch) -> None:
    grounded: list[tuple[str, str]] = []

    def watched(entry: str, source: Source) -> list[str]:
        grounded.append((source.id, entry))
        return texts(entry, source)

    monkeypatch.setattr("mjasp.interpreter.texts", watched)
    with ThreadPoolExecutor(1) as pool:  # a thread has engines of its own
        pool.submit(mjasp.score, CHECKED, "mahjiang").result()
        pool.submit(mjasp.compare, CHECKED, ["mahjiang", "bmja"]).result()
    assert {ruleset for ruleset, _ in grounded} == {"mahjiang", "bmja"}
    assert len(grounded) == len(set(grounded))  # each program once
