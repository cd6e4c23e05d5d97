"""The tables of Majiang in plain Python, counted straight down the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from oracle import Paid, Rules, Table
from oracle_tables import (
    DRAGONS,
    HONOURS,
    MAJORS,
    TERMINALS,
    WINDS,
    buried_treasure,
    chows,
    first_turn,
    only_tile,
    pair,
    pair_points,
    pungs,
    set_doubles,
    set_points,
    suits,
    thirteen_orphans,
    value_names,
    won_on,
    wriggling_snake,
)

from mjasp.hand import Event, Source


def _count(table: Table) -> Iterator[Paid]:
    yield from set_points(table)
    yield from pair_points(table)
    yield from set_doubles(table)
    if table.hand.winning:
        yield from _winner_points(table)
        yield from _winner_doubles(table)


def _winner_points(table: Table) -> Iterator[Paid]:
    yield Paid("going_majiang", points=10)
    loose = table.hand.source is Source.LOOSE
    if table.drawn and not (loose and table.readings["loose_tile_drawn"] == "no"):
        yield Paid("drawn_from_wall", points=2)
    if only_tile(table):
        yield Paid("only_possible_tile", points=2)


def _winner_doubles(table: Table) -> Iterator[Paid]:
    hand, tiles, readings = table.hand, set(table.tiles), table.readings
    one_suit, without_chow = len(suits(table)) == 1, chows(table) == 0
    honours = bool(tiles & HONOURS)
    purity = one_suit and without_chow and not honours
    worthless = not any(value_names(table, pair(table)))
    earned = {
        "no_chows": without_chow and not (purity and readings["purity_and_no_chows"] == "three"),
        "non_scoring_hand": chows(table) == 4
        and (worthless or readings["non_scoring_pair"] == "any"),
        "one_suit_and_honours": one_suit and honours,
        "all_majors_and_honours": tiles <= MAJORS and honours and bool(tiles & TERMINALS),
        "all_honours": tiles <= HONOURS,
        "all_four_winds": pungs(table) | {pair(table)} >= WINDS and pair(table) in WINDS,
        "all_three_dragons": pungs(table) | {pair(table)} >= DRAGONS and pair(table) in DRAGONS,
        "loose_tile": hand.source is Source.LOOSE,
        "last_tile_from_wall": Event.LAST_TILE in hand.events and hand.source is Source.WALL,
        "robbing_the_kong": hand.source is Source.ROBBING,
        "original_call": Event.ORIGINAL_CALL in hand.events,
    }
    yield from (Paid(rule, doubles=1) for rule, due in earned.items() if due)
    if purity:
        yield Paid("pungs_of_one_suit", doubles=3)


_SPECIALS = {
    "buried_treasure": buried_treasure,
    "heads_and_tails": lambda table: set(table.tiles) <= TERMINALS,
    "three_great_scholars": lambda table: pungs(table) >= DRAGONS and chows(table) == 0,
    "four_blessings": lambda table: pungs(table) >= WINDS,
}
_SHAPES = {"wriggling_snake": wriggling_snake, "thirteen_unique_wonders": thirteen_orphans}


def _call(table: Table, name: str) -> Sequence[Paid]:
    value = {"two-fifths": Fraction(2, 5), "full": Fraction(1), "none": Fraction(0)}
    limits = value[table.readings["calling_value"]]
    return [Paid(f"calling_{name}", limits=limits)] if limits else []


MAJIANG = Rules(
    shapes=_SHAPES,
    events={
        "heavens_blessing": lambda table: first_turn(table, dealer=True),
        "earths_blessing": lambda table: first_turn(table, dealer=False),
        "plum_blossom": lambda table: won_on(table, "5d", Source.LOOSE),
        "plucking_the_moon": lambda table: (
            Event.LAST_TILE in table.hand.events and won_on(table, "1d", Source.WALL)
        ),
    },
    specials=_SPECIALS,
    count=_count,
    call=_call,
)
