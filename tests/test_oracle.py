"""Thousands of random hands: the encodings find what backtracking finds, no more and no less."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from oracle import Paid, Reading, in_order, readings, waits
from oracle_european_classical import EUROPEAN_CLASSICAL
from random_hands import hands

from mjasp import Engine, Score

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
