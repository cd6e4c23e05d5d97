"""Hands in blocks: every field of every interpretation is that of the ordinary engine."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.differences import InBlocks, Told, difference
from bench.hands import SETS, losing_hands, won_hands
from bench.varied import varied_hands
from mjasp import Engine, Hand, HandError, parse
from mjasp.compiled.interpretations import TooLarge
from mjasp.compiled.net import NotEvaluable
from mjasp.engine import Settings
from mjasp.hand import Event, Source
from mjasp.rulesets import shipped

TESTS = Path(__file__).parent
CIRCLE = str(TESTS / "clubs" / "good" / "circle.lp")
# More for a run by hand: MJASP_MANY=20 tries twenty times as many hands.
MANY = int(os.environ.get("MJASP_MANY", "1"))


class Pair:
    """An engine that solves, and one that takes blocks."""

    def __init__(self, rules: str, **settings: Any) -> None:  # noqa: ANN401 - as an engine's
        self.engine = Engine(rules, **settings, engine="clingo")
        self.blocks = InBlocks(self.engine)

    def check(self, hands: Sequence[Hand]) -> list[Told]:
        """What is told of the hands: on both roads the same."""
        expected = [Told.by(self.engine.score(hand)) for hand in hands]
        for hand, right, told in zip(hands, expected, self.blocks.told(hands), strict=True):
            wrong = difference(right, told)
            assert wrong is None, f"{hand}: {wrong}"
        return expected


@cache
def pair(rules: str) -> Pair:
    return Pair(rules)


# ---- Random hands


@pytest.mark.parametrize("rules", shipped())
def test_hands_of_all_kinds(rules: str) -> None:
    hands = [*varied_hands(160 * MANY, seed=31), *won_hands(40), *losing_hands(20)]
    told = pair(rules).check(hands)
    assert {each.outcome for each in told} == {"won", "lost", "false-win"}
    assert sum(len(each.interpretations) > 1 for each in told) > 10 * MANY


@pytest.mark.parametrize("rules", shipped())
def test_other_readings_and_another_limit(rules: str) -> None:
    # Each reading by itself: bench/proof.py. Programs are compiled anew for each setting.
    readings = {each.id: each.alternatives[-1] for each in pair(rules).engine.ruleset.readings}
    Pair(rules, readings=readings, limit=37).check([*varied_hands(80 * MANY, seed=32)])


# ---- Hands made on purpose


@cache
def cases(rules: str) -> tuple[dict[str, Any], ...]:
    paths = sorted((TESTS / "cases" / rules).glob("*.toml"))
    return tuple(
        case for path in paths for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    )


def plain(hands: Iterator[Hand]) -> Iterator[Hand]:
    """The hands without what has no place in the arrays; the rest of them is as good."""
    for hand in hands:
        told = replace(hand, unknown=frozenset(), rules=None)
        try:
            told.resolved()
        except HandError:
            continue
        yield told


def near(hand: Hand, random: Random) -> Iterator[Hand]:
    """Hands that differ in one thing: how they were won, whether they were, one tile."""
    changes: list[dict[str, Any]] = [
        {"winning": None, "completes": None, "source": None, "events": frozenset()},
        {"source": random.choice(tuple(Source))},
        {"events": hand.events ^ {random.choice(tuple(Event))}},
        {"completes": None, "seat": None},
    ]
    if hand.concealed:
        other = (*hand.concealed[1:], random.choice(SETS))
        changes.append({"concealed": other})
        if hand.winning:
            drawn = random.choice(hand.concealed)
            rest = [*hand.concealed, hand.winning]
            rest.remove(drawn)
            changes.append({"concealed": tuple(rest), "winning": drawn, "completes": None})
        else:
            changes.append({"winning": random.choice(SETS), "events": frozenset()})
    for change in changes:
        try:
            yield replace(hand, **change)
        except HandError:
            continue


@pytest.mark.parametrize("rules", shipped())
def test_hands_of_the_cases_and_what_is_near(rules: str) -> None:
    random = Random(33)
    own = [parse(case["hand"]) for case in cases(rules)]
    others = [each for hand in own for each in near(hand, random)]
    random.shuffle(others)
    pair(rules).check([*plain(chain(own, others[: len(own) * MANY // 2]))])


@pytest.mark.parametrize("rules", shipped())
def test_cases_as_they_are_set(rules: str) -> None:
    """Each case with settings of its own; hands of equal settings stand in one block."""
    by_settings: dict[str, tuple[Any, list[Hand]]] = {}
    for case in cases(rules):
        settings: Any = {name: case[name] for name in ("readings", "limit", "cap") if name in case}
        if settings:
            hands = by_settings.setdefault(repr(settings), (settings, []))[1]
            hands += plain(iter([parse(case["hand"])]))
    # As said above; one is enough here.
    for settings, hands in [*by_settings.values()][:MANY]:
        Pair(rules, **settings).check(hands)


RARE = {
    "every special shape": """
        19b19c19dESWNRGWh +1b wall
        19b19c19dESWNRGWh +Wh discard
        1112345678999b +5b wall
        1112345678999c +1c discard
        1123456789b ESW +N wall
        123456789b ESWN +1b discard
        1b1b 9b9b EE SS WW NN R +R wall
        RRRR GGGG EEEE N +N discard
    """,
    "knitted": """
        1233344b 133344d +2d discard
        1234567b 123456c +7c wall
        1122334b 112233d +4d discard
        123b123c123d 4b4c4d 5b +5c wall
        1234b1234c1234d 5b +5c discard
        1111b1111c1111d 5b +5d wall
        1123b2233c 11123d +3b discard
    """,
    "many divisions": """
        111222333444b 5b +5b wall
        111222333b EE 44b +4b discard
        111122223333b 4b +4b discard
        123123123123c 9c +9c wall
        11122233344c 55c +5c discard
        2223334445556d +6d discard
        2345678d 333d 555d +2d wall
    """,
    "kongs": """
        (1111b) [2222b] (3333b) [4444b] 5b +5b loose kong-on-kong
        (EEEE) (SSSS) (WWWW) (NNNN) R +R loose
        [EEEE] [SSSS claimed] [WWWW] [NNNN] R +R discard
        [RRRR] [GGGG claimed] (WhWhWhWh) 1b1b 13b +2b robbing
        (9999b) [9999c claimed] [9999d] 111b E +E loose
    """,
    "won in a rare way": """
        123b 456b 789b EEE R +R wall first-turn
        123b 456b 789b EEE R +R discard first-turn seat:S
        19b19c19dESWNRGWh +1b discard first-turn seat:W
        123b 456b 789b EE 55d +5d loose
        123b 456b 789b EE 23d +1d wall last-tile
        123b 456b 789b EE 23d +1d discard last-tile original-call
        13b 456b 789b EEE RR +2b robbing
        123b 456b 789b EEE R f1f2f3f4 s1s2s3s4 +R discard
        [123b] [123b] [123b] [123b] 5b +5b discard
    """,
    "false wins": """
        123b 456b 789b 123c E +E discard
        123b 456b 789b 12c EE +4c discard
        123b 456b EEE 23d SS +1d discard
        135b 246c 357d EESS +R wall
        EEE SSS WWW NNN R +G discard
        1122334455667b +8c discard
    """,
    "the set completed is known": """
        111b 222b 333b EE [RR+R] discard
        111222333b EEE [5d+5d] discard
        111222333b 55d [EE+E] wall
        111222b EEE 55d [12b+3b] discard
        1122334456b [79b+8b] 3b wall
        123b 789d EEE 55c [44b+4b] discard
    """,
    "lost": """
        19b19c19dESWNRGWh
        19b19c19dESWNRGWh fishing
        1112345678999b fishing
        112233b112233c1d fishing
        1234567b 123456c
        EEESSSWWWNNNR fishing seat:N
        [EEEE] (SSSS) [WWWW claimed] NN R?
        123b ??????????
        ?????????????
        (1111b) [2222b] (3333b) [4444b] 5b f1f2f3f4s1s2s3s4
        RRGGWhWh 99d 1b1b 9b9b E
    """,
}


@pytest.mark.parametrize("about", RARE)
def test_rare_hands(about: str) -> None:
    hands = [parse(line.strip()) for line in RARE[about].strip().splitlines()]
    random = Random(34)
    every = [*plain(chain(hands, *(near(hand, random) for hand in hands)))]
    for rules in shipped():
        pair(rules).check(every)


def test_every_reason_of_a_false_win_is_met() -> None:
    won = [hand for hand in varied_hands(1000, seed=35) if hand.winning]
    hands = [*won[:100], *(hand for hand in won[100:] if hand.completes)]
    ruleset = pair("bmja").engine.ruleset
    told = pair("bmja").check(hands)
    asked = tuple(ruleset.requirements.values())
    alone = {(reason,) for reason in (*asked, ruleset.unmet_together, ruleset.undivided)}
    assert {each.reasons for each in told} == {*alone, asked, ()}


# ---- The block


def test_the_size_of_a_block_makes_no_difference() -> None:
    hands = [*varied_hands(131, seed=36)]
    blocks = pair("bmja").blocks
    whole = pair("bmja").check(hands)
    for size, number in ((1, 12), (2, 20), (63, 131), (64, 131), (65, 131)):
        told = [
            each
            for at in range(0, number, size)
            for each in blocks.told(hands[at : min(at + size, number)])
        ]
        assert told == whole[:number], size
    assert blocks.told([]) == []
    order = [*range(len(hands))]
    Random(36).shuffle(order)
    assert blocks.told([hands[at] for at in order]) == [whole[at] for at in order]


@pytest.mark.parametrize("outcome", ["won", "lost", "false-win"])
def test_blocks_of_one_outcome(outcome: str) -> None:
    hands = [*varied_hands(120, seed=37)]
    for rules in ("bmja", "majiang"):
        told = pair(rules).blocks.told(hands)
        some = [hand for hand, each in zip(hands, told, strict=True) if each.outcome == outcome]
        assert len(some) > 10
        assert pair(rules).blocks.told(some) == [each for each in told if each.outcome == outcome]


def test_equal_hands_side_by_side() -> None:
    hand = parse("111222333444b 5b +5b wall")
    told = pair("european-classical").check([hand] * 40)
    assert told == told[:1] * 40


# ---- A club's own rules

CLUB = """\
#include "dmjl.lp".
text(house, "House").
ruleset("club", "A club").
rule(low_pung, "Pung of low tiles", all).
cites(low_pung, house, "1").
condition(low_pung, pung_of_simples).
value(low_pung, exposed, points, 3).
value(low_pung, concealed, points, 7).
rule(third, "A third", winner).
cites(third, house, "2").
condition(third, no_bonus).
value(third, limits, "1/3").
rule(share, "A share", winner).
cites(share, house, "3").
condition(share, won_from_wall).
value(share, limits, "{share}").
holds(no_bonus, hand) :- not some_bonus.
some_bonus :- bonus(_).
holds(won_from_wall, hand) :- source(wall).
rule(large, "Large", all).
cites(large, house, "4").
condition(large, east_sits).
value(large, points, {points}).
holds(east_sits, hand) :- seat(east).
rule(often, "Often", all).
cites(often, house, "5").
condition(often, south_sits).
value(often, doubles, {doubles}).
holds(south_sits, hand) :- seat(south).
"""


def club(folder: Path, share: str = "2/7", points: int = 11, doubles: int = 3) -> str:
    path = folder / "club.lp"
    path.write_text(CLUB.format(share=share, points=points, doubles=doubles), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["two-chows", "only-includes"])
def test_a_clubs_rules(name: str) -> None:
    rules = str(TESTS / "clubs" / "good" / f"{name}.lp")
    Pair(rules).check([*varied_hands(60 * MANY, seed=38)])


@pytest.mark.parametrize("limit", [None, 1001, 2**31 + 1])
def test_fractions_of_a_limit(tmp_path: Path, limit: int | None) -> None:
    hands = [*varied_hands(40 * MANY, seed=39)]
    told = Pair(club(tmp_path), limit=limit, cap=False).check(hands)
    parts = {one.limits.denominator for each in told for one in each.interpretations}
    assert parts >= {1, 3, 7}


@pytest.mark.parametrize(
    ("values", "settings"),
    [
        ({"points": 1_000_000, "doubles": 50}, {"cap": False}),
        ({"share": "999999937/1000000007"}, {"limit": 2**40, "cap": False}),
        ({}, {"limit": 2**62}),
        ({}, {"limit": 10**30}),
    ],
)
def test_large_numbers_are_right_or_refused(
    tmp_path: Path, values: dict[str, Any], settings: Settings
) -> None:
    both = Pair(club(tmp_path, **values), **settings)
    for hand in varied_hands(12 * MANY, seed=40):
        try:
            both.check([hand])
        except TooLarge:
            continue


SHAPE = """\
#include "european-classical.lp". text(house, "House"). ruleset("shape", "Shape").
rule(odd, "Odd", all). cites(odd, house, "1"). condition(odd, odd). value(odd, limits, "1/3").
whole_shape(odd).
fits(odd) :- has_honour, not has_suit(bamboo), """
SHAPES = {
    "declared": ("won.", "`matched[(]odd[)]` can hold without `not declared_set`"),
    "lost": ("not declared_set.", "`matched[(]odd[)]` can hold without .* `won`"),
}


@pytest.mark.parametrize(("asked", "why"), SHAPES.values(), ids=SHAPES)
def test_a_shape_of_hands_that_are_never_looked_at_is_refused(
    tmp_path: Path, asked: str, why: str
) -> None:
    path = tmp_path / "shape.lp"
    path.write_text(SHAPE + asked)
    refused(str(path), why)


def test_a_shape_of_hands_that_are_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "shape.lp"
    path.write_text(SHAPE + "winning(_), not declared_set.")
    hands = [*map(parse, ODD), *varied_hands(30 * MANY, seed=42)]
    told = Pair(str(path)).check(hands)
    assert told[0].outcome == "won"


# Hands of characters, dots and honours, which have no other division.
ODD = (
    "15c 37c 246d 99d EEE R +9d wall",
    "[EEE] 15c 37c 246d 99d R +9d wall",
    "[EEE] 123c 456c 78d 99d +9d wall",
    "14677889c SWWNN f1 fishing seat:S round:W",
)


def test_a_circle_is_refused() -> None:
    refused(CIRCLE, r"`at`.* rests on itself")


def refused(path: str, why: str) -> None:
    """The rule set cannot be compiled: the engine then solves, and says nothing different."""
    with pytest.raises(NotEvaluable, match=why):
        Pair(path)
    engines = [Engine(path, engine="clingo"), Engine(path, engine="compiled")]
    for hand in (*map(parse, ODD), *varied_hands(15, seed=41)):
        one, other = (Told.by(engine.score(hand)) for engine in engines)
        assert one == other
