"""What holds for every hand, whatever it is: tried on hands drawn from seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from random_hands import any_hand

from mjasp import Engine, Hand, Interpretation, Meld, Score, Tile, parse
from mjasp.hand import Kind

Rename = Callable[[tuple[Tile, ...]], tuple[Tile, ...]]

SUITS = "bcd"
randoms = st.integers(0, 2**32).map(Random)
hands = randoms.map(any_hand)
some = settings(max_examples=150, deadline=None, derandomize=True, database=None)
few = settings(some, max_examples=20)


@cache
def engine(*, cap: bool = True) -> Engine:
    return Engine(cap=cap)


@some
@given(hands, randoms)
def test_order_does_not_matter(hand: Hand, random: Random) -> None:
    def shuffled(things: tuple[Tile, ...]) -> tuple[Tile, ...]:
        return tuple(random.sample(things, len(things)))

    melds = [replace(meld, tiles=shuffled(meld.tiles)) for meld in hand.declared]
    other = replace(
        hand,
        concealed=shuffled(hand.concealed),
        declared=tuple(random.sample(melds, len(melds))),
        bonus=shuffled(hand.bonus),
    )
    assert engine().score(other) == engine().score(hand)


@few
@given(hands)
def test_equal_input_gives_equal_output(hand: Hand) -> None:
    first = engine().score(hand)
    engine().score("147b 258c 369d ESWN")
    again = engine().score(hand)
    assert first == again
    assert first.to_dict() == again.to_dict()
    assert first.explain() == again.explain()


@some
@given(hands, st.sampled_from(list(permutations(SUITS))))
def test_renaming_suits_changes_nothing(hand: Hand, suits: tuple[str, ...]) -> None:
    renamed = dict(zip(SUITS, suits, strict=True))

    def rename(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        return tuple(
            Tile(f"{tile.rank}{renamed[tile.suit]}") if tile.suit else tile for tile in tiles
        )

    other = replace(
        hand,
        concealed=rename(hand.concealed),
        declared=tuple(replace(meld, tiles=rename(meld.tiles)) for meld in hand.declared),
        winning=rename((hand.winning,))[0] if hand.winning else None,
        completes=_renamed(hand.completes, rename) if hand.completes else None,
    )
    before, after = engine().score(hand), engine().score(other)
    assert after.outcome == before.outcome
    assert Counter(rename(before.waits)) == Counter(after.waits)
    assert _contents(before, rename) == _contents(after, tuple)


def _contents(score: Score, rename: Rename) -> Counter[tuple[object, ...]]:
    return Counter(
        (
            one.kind,
            one.name,
            frozenset(Counter(_renamed(meld, rename) for meld in one.sets).items()),
            frozenset(Counter((a.rule, frozenset(rename(a.tiles))) for a in one.fired).items()),
            one.total,
        )
        for one in score.interpretations
        if one.name != "all_green"  # bamboo alone can be green
    )


def _renamed(meld: Meld, rename: Rename) -> Meld:
    return replace(meld, tiles=tuple(sorted(rename(meld.tiles))))


@some
@given(hands)
def test_tiles_are_conserved(hand: Hand) -> None:
    held = [*hand.concealed, *(tile for meld in hand.declared for tile in meld.tiles)]
    score = engine().score(hand)
    if score.outcome != "false-win" and hand.winning:
        held.append(hand.winning)
    for one in score.interpretations:
        assert Counter(tile for meld in one.sets for tile in meld.tiles) == Counter(held)
        whole = one.sets[0].kind is Kind.WHOLE_HAND
        assert whole or set(hand.declared) <= set(one.sets)
        completed = [meld for meld in one.sets if meld.completed]
        assert len(completed) == (score.outcome == "won")
        assert all(hand.winning in meld.tiles for meld in completed)


@some
@given(hands, st.booleans())
def test_the_trace_adds_up(hand: Hand, cap: bool) -> None:  # noqa: FBT001 - hypothesis draws it
    score = engine(cap=cap).score(hand)
    assert score.limit == 500
    for one in score.interpretations:
        assert one.bonus is None
        for unit in ("points", "doubles", "limits"):
            assert sum(getattr(award, unit) for award in one.fired) == getattr(one, unit)
        assert one.uncapped == one.limits * 500 + one.points * 2**one.doubles
        assert one.capped == (cap and one.uncapped > 500)
        assert one.total == (500 if one.capped else one.uncapped)
        for award in one.fired:
            assert award.source
            assert [bool(award.points), bool(award.doubles), bool(award.limits)].count(True) == 1
            assert award.tiles == (() if award.set is None else one.sets[award.set].tiles)


@some
@given(hands)
def test_interpretations_are_distinct_and_sorted(hand: Hand) -> None:
    found = engine().score(hand).interpretations
    assert len({(one.kind, one.name, frozenset(_counted(one))) for one in found}) == len(found)
    totals = [one.total for one in found]
    assert totals == sorted(totals, reverse=True)


def _counted(one: Interpretation) -> list[tuple[Meld, int]]:
    return list(Counter(one.sets).items())


@few
@given(hands)
def test_a_wait_and_only_a_wait_completes_the_hand(hand: Hand) -> None:
    waiting = replace(hand, winning=None, completes=None, source=None, events=frozenset(), bonus=())
    held = [*waiting.concealed, *(tile for meld in waiting.declared for tile in meld.tiles)]
    waits = engine().waits(waiting)
    assert waits == engine().waits(hand)
    for tile in Tile:
        if not tile.is_bonus and held.count(tile) < 4:
            won = engine().score(replace(waiting, winning=tile)).outcome == "won"
            assert won == (tile in waits)


@few
@given(hands)
def test_a_fresh_engine_gives_the_same(hand: Hand) -> None:
    assert Engine().score(hand, sensitivity=True) == engine().score(hand, sensitivity=True)


@some
@given(hands)
def test_what_is_written_scores_the_same(hand: Hand) -> None:
    text = engine().score(hand).to_dict()["hand"]
    assert parse(text) == hand
    assert engine().score(text) == engine().score(hand)
