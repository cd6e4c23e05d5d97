"""Thousands of random hands: the encodings find what backtracking finds, no more and no less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

import pytest
from oracle import KINDS, Paid, Reading, divisions, in_order, readings, waits
from oracle_european_classical import EUROPEAN_CLASSICAL

from bench.hands import losing_hand, won_hand
from mjasp import Engine, Hand, HandError, Score, Tile
from mjasp.hand import Kind, Meld

DEFAULTS = {
    "value_pairs": "all",
    "concealed_and_fully_concealed": "both",
    "loose_tile_drawn": "yes",
    "hidden_treasure_kongs": "no",
    "nine_gates_wait": "final-tiles",
    "wait": "shape",
}
ALTERNATIVES = {
    "value_pairs": "winner-only",
    "concealed_and_fully_concealed": "double-only",
    "loose_tile_drawn": "no",
    "hidden_treasure_kongs": "yes",
    "nine_gates_wait": "nine-sided",
    "wait": "only-tile",
}


def hands(count: int, seed: int) -> Iterator[Hand]:
    """Won hands, some with the completed set known; false wins; losers'."""
    random = Random(seed)
    for _ in range(count):
        kind = random.choice(("won", "won", "one suit", "fixed", "false", "lost"))
        if kind == "won":
            yield won_hand(random)
        elif kind == "one suit":
            yield _one_suit(random)
        elif kind == "fixed":
            yield _fixed(random, won_hand(random))
        elif kind == "false":
            yield _false_win(random, won_hand(random))
        else:
            yield losing_hand(random)


def _one_suit(random: Random) -> Hand:
    """A hand of few kinds of tile, which can often be divided in several ways."""
    while True:
        start = random.choice((0, 9, 18)) + random.randrange(4)
        near = KINDS[start : start + 6]
        melds = [_any_meld(random, near) for _ in range(4)]
        tiles = [tile for meld in melds for tile in meld] + [random.choice(near)] * 2
        random.shuffle(tiles)
        try:
            hand = won_hand(random)
            return replace(hand, concealed=tuple(tiles[1:]), winning=tiles[0], declared=())
        except HandError:
            continue  # a fifth copy, or a robbed tile of which another is held


def _any_meld(random: Random, near: tuple[Tile, ...]) -> tuple[Tile, ...]:
    at = random.randrange(len(near) - 2)
    return near[at : at + 3] if random.random() < 0.7 else (near[at],) * 3


def _fixed(random: Random, hand: Hand) -> Hand:
    assert hand.winning
    tiles = [*hand.concealed, hand.winning]
    found = sorted(divisions(tiles), key=str)
    melds = [meld for melds in found for meld in melds if hand.winning in meld.tiles]
    melds.append(Meld(Kind.PAIR, (hand.winning,) * 2))
    try:
        return replace(hand, completes=random.choice(melds))
    except HandError:
        return hand  # no other copy for the pair


def _false_win(random: Random, hand: Hand) -> Hand:
    concealed = list(hand.concealed)
    concealed[random.randrange(len(concealed))] = random.choice(KINDS)
    try:
        return replace(hand, concealed=tuple(concealed))
    except HandError:
        return hand  # a fifth copy


def found(score: Score) -> list[Reading]:
    return [
        Reading(
            one.kind,
            one.name,
            in_order(one.sets),
            tuple(
                sorted(Paid(a.rule, a.points, a.doubles, int(a.limits)) for a in one.fired),
            ),
        )
        for one in score.interpretations
    ]


@pytest.mark.parametrize(
    ("rules", "chosen", "count"),
    [
        ("european-classical", DEFAULTS, 2500),
        ("european-classical", ALTERNATIVES, 800),
        ("european-classical-2008", DEFAULTS, 200),
    ],
    ids=["defaults", "alternatives", "2008"],
)
def test_same_interpretations_and_awards(rules: str, chosen: Mapping[str, str], count: int) -> None:
    engine = Engine(rules, readings=chosen)
    outcomes = set()
    for hand in hands(count, seed=count):
        expected = readings(hand, EUROPEAN_CLASSICAL, chosen)
        score = engine.score(hand)
        outcomes.add(score.outcome)
        if not expected:
            assert score.outcome == "false-win", hand
            loser = replace(hand, winning=None, completes=None, source=None, events=frozenset())
            expected = readings(loser, EUROPEAN_CLASSICAL, chosen)
        else:
            assert score.outcome == ("won" if hand.winning else "lost"), hand
        assert sorted(found(score), key=str) == sorted(expected, key=str), hand
    assert outcomes == {"won", "lost", "false-win"}


def test_same_totals() -> None:
    engine, free = Engine(), Engine(cap=False)
    for hand in hands(300, seed=1):
        score, uncapped = engine.score(hand), free.score(hand)
        if score.outcome == "false-win":
            assert uncapped.total is None
            continue
        worth = [_worth(one) for one in readings(hand, EUROPEAN_CLASSICAL, DEFAULTS)]
        assert (score.total, uncapped.total) == (min(max(worth), 500), max(worth)), hand


def _worth(one: Reading) -> int:
    points = sum(paid.points for paid in one.paid)
    doubles = sum(paid.doubles for paid in one.paid)
    return 500 * sum(paid.limits for paid in one.paid) + (points << doubles)


def test_same_waits() -> None:
    engine = Engine()
    for hand in hands(800, seed=2):
        expected = waits(hand, EUROPEAN_CLASSICAL, DEFAULTS)
        assert engine.waits(hand) == tuple(sorted(expected)), hand
