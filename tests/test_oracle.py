"""Thousands of random hands: the encodings find what backtracking finds, no more and no less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from oracle import Paid, Reading, in_order, readings, waits
from oracle_bmja import BMJA
from oracle_dmjl import DMJL
from oracle_european_classical import EUROPEAN_CLASSICAL
from oracle_mahjiang import MAHJIANG
from oracle_majiang import MAJIANG
from random_hands import hands

from mjasp import Engine, Hand, Score, ruleset

ORACLES = {
    "european-classical": EUROPEAN_CLASSICAL,
    "european-classical-2008": EUROPEAN_CLASSICAL,
    "mahjiang": MAHJIANG,
    "majiang": MAJIANG,
    "bmja": BMJA,
    "dmjl": DMJL,
}


def by_default(rules: str) -> dict[str, str]:
    return {reading.id: reading.default for reading in ruleset(rules).readings}


def otherwise(rules: str) -> dict[str, str]:
    return {reading.id: reading.alternatives[0] for reading in ruleset(rules).readings}


@cache
def drawn(count: int, seed: int) -> tuple[Hand, ...]:
    return tuple(hands(count, seed))


def found(score: Score) -> list[Reading]:
    return [
        Reading(
            one.kind,
            one.name,
            in_order(one.sets),
            tuple(
                sorted(Paid(a.rule, a.points, a.doubles, a.limits, a.part) for a in one.fired),
            ),
        )
        for one in score.interpretations
    ]


@pytest.mark.parametrize(
    ("rules", "chosen", "count"),
    [
        ("european-classical", by_default, 1000),
        ("european-classical", otherwise, 300),
        ("european-classical-2008", by_default, 100),
        ("mahjiang", by_default, 500),
        ("mahjiang", otherwise, 300),
        ("majiang", by_default, 500),
        ("majiang", otherwise, 300),
        ("bmja", by_default, 700),
        ("bmja", otherwise, 400),
        ("dmjl", by_default, 700),
        ("dmjl", otherwise, 400),
    ],
)
def test_same_interpretations_and_awards(
    rules: str, chosen: Callable[[str], dict[str, str]], count: int
) -> None:
    oracle, taken = ORACLES[rules], chosen(rules)
    engine = Engine(rules, readings=taken)
    outcomes = set()
    for hand in drawn(count, count):
        expected = readings(hand, oracle, taken)
        score = engine.score(hand)
        outcomes.add(score.outcome)
        if not expected:
            assert score.outcome == "false-win", hand
            loser = replace(hand, winning=None, completes=None, source=None, events=frozenset())
            expected = readings(loser, oracle, taken)
        else:
            assert score.outcome == ("won" if hand.winning else "lost"), hand
        assert sorted(found(score), key=str) == sorted(expected, key=str), hand
    assert outcomes == {"won", "lost", "false-win"}


@pytest.mark.parametrize("rules", ["european-classical", "majiang", "bmja"])
def test_same_totals(rules: str) -> None:
    engine, free = Engine(rules), Engine(rules, cap=False)
    limit, taken = engine.limit or 0, by_default(rules)
    for hand in drawn(200, 1):
        score, uncapped = engine.score(hand), free.score(hand)
        if score.outcome == "false-win":
            assert uncapped.total is None
            continue
        worth = [_worth(one, limit) for one in readings(hand, ORACLES[rules], taken)]
        assert (score.total, uncapped.total) == (min(max(worth), limit), max(worth)), hand


def _worth(one: Reading, limit: int) -> int:
    worth = int(limit * sum(paid.limits for paid in one.paid))
    for part in ("hand", "bonus"):
        points = sum(paid.points for paid in one.paid if paid.part == part)
        worth += points << sum(paid.doubles for paid in one.paid if paid.part == part)
    return worth


@pytest.mark.parametrize("rules", list(ORACLES))
def test_same_waits(rules: str) -> None:
    engine, taken = Engine(rules), by_default(rules)
    for hand in drawn(300, 2):
        expected = waits(hand, ORACLES[rules], taken)
        assert engine.waits(hand) == tuple(sorted(expected)), hand
