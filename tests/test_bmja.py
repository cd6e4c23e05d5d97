"""What bmja's cases cannot say: facts that no hand's text states, kinds of sets, sources."""

from __future__ import annotations

import pytest

import mjasp
from mjasp import Kind, facts
from mjasp.rulesets import texts
from mjasp.solver import Program, Term


@pytest.mark.parametrize("taken", ["no", "yes"])
def test_original_call_of_a_loser(taken: str) -> None:
    """The notation asks for a winning tile beside an original call; the rule set need not."""
    hand, _ = mjasp.parse("[RRR] 147b 258c 369d E").resolved()
    readings = {reading.id: reading.default for reading in mjasp.ruleset("bmja").readings}
    stated = [
        *facts.hand_facts(hand),
        *facts.reading_facts(readings | {"original_call_losers": taken}),
        "original_call",
    ]
    program: Program[Term] = Program(texts("score", "bmja"), lambda term: term)
    (lost,) = program.solve(stated)
    assert (("fires", "original_call", "hand", "hand") in lost) == (taken == "yes")


@pytest.mark.parametrize(
    ("hand", "kinds"),
    [
        ("11b11c 22b22c 33b33c 4b +4c discard", {Kind.KNITTED_PAIR: 7}),
        (
            "1b1c1d 3b3c3d 5b5c5d 7b7c7d 9b +9c discard",
            {Kind.KNITTED_TRIPLE: 4, Kind.KNITTED_PAIR: 1},
        ),
        ("1123456789b ESW +N discard", {Kind.WHOLE_HAND: 1}),
        ("222b 333c 444d 99d 67c +8c discard first-turn seat:S", {Kind.WHOLE_HAND: 1}),
    ],
)
def test_sets_of_special_hands(hand: str, kinds: dict[Kind, int]) -> None:
    sets = mjasp.score(hand, "bmja").best.sets
    assert {kind: sum(meld.kind is kind for meld in sets) for kind in kinds} == kinds
    assert len(sets) == sum(kinds.values())
    (completed,) = (meld for meld in sets if meld.completed)
    assert completed.exposed
    assert not any(meld.exposed for meld in sets if meld is not completed)


def test_a_knitted_triple_is_completed_before_the_pair_of_its_rank() -> None:
    sets = mjasp.score("1b1c1d 1b1c1d 5b5c5d 7b7c7d 1b +1c wall", "bmja").best.sets
    (completed,) = (meld for meld in sets if meld.completed)
    assert str(completed) == "1b1c1d"


def test_what_the_page_prints_is_cited_from_it() -> None:
    printed = {
        *("pung_of_simples", "pung_of_terminals_or_honours"),
        *("kong_of_simples", "kong_of_terminals_or_honours"),
        *("pair_of_dragons", "pair_of_seat_wind", "pair_of_round_wind"),
        *("flower", "season", "going_mah_jong", "drawn_from_live_wall"),
    }
    for rule in mjasp.ruleset("bmja").rules:
        title, _, row = rule.source.partition(": ")
        page, rest = "Working out the Players' Scores", "British Mah-Jong Association rules"
        assert title == (page if rule.id in printed else rest), rule.id
        assert ": " in row, rule.id
