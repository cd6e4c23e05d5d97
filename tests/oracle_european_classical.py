"""The table of European Classical in plain Python, counted straight down the page."""

from __future__ import annotations

from collections.abc import Iterator

from oracle import Paid, Rules, Table
from oracle_tables import (
    ALIKE,
    DRAGONS,
    GREEN,
    HONOURS,
    MAJORS,
    TERMINALS,
    WINDS,
    chows,
    concealed,
    first_turn,
    has_gates,
    kongs,
    only_tile,
    out_on,
    pair,
    pair_points,
    pungs,
    set_doubles,
    set_points,
    suits,
    thirteen_orphans,
    value_names,
)

from mjasp.hand import Event, Kind, Source


def _count(table: Table) -> Iterator[Paid]:
    won = table.hand.winning is not None
    yield from set_points(table)
    if {"all": True, "winner-only": won, "none": False}[table.readings["value_pairs"]]:
        yield from pair_points(table)
    yield from set_doubles(table)
    if won:
        yield from _winner_points(table)
        yield from _winner_doubles(table)


def _winner_points(table: Table) -> Iterator[Paid]:
    readings = table.readings
    yield Paid("going_out", points=20)
    both = readings["concealed_and_fully_concealed"] == "both"
    if concealed(table) and (both or not table.drawn):
        yield Paid("concealed_hand", points=10)
    loose = table.hand.source is Source.LOOSE
    if table.drawn and not (loose and readings["loose_tile_drawn"] == "no"):
        yield Paid("self_drawn", points=2)
    on = out_on(table)
    if on and (readings["wait"] == "shape" or only_tile(table)):
        yield Paid("out_on_pair" if on is Kind.PAIR else "out_on_one_chance_chow", points=2)


def _winner_doubles(table: Table) -> Iterator[Paid]:
    hand, tiles = table.hand, set(table.tiles)
    last = Event.LAST_TILE in hand.events
    one_suit = len(suits(table)) == 1
    earned = {
        "fully_concealed_hand": concealed(table) and table.drawn,
        "chow_hand": chows(table) == 4 and not any(value_names(table, pair(table))),
        "pung_hand": chows(table) == 0,
        "all_terminals_and_honours": tiles <= MAJORS,
        "one_suit_and_honours": one_suit and bool(tiles & HONOURS),
        "last_tile_of_wall": last and hand.source is Source.WALL,
        "last_discard": last and hand.source is Source.DISCARD,
        "supplement_tile": hand.source is Source.LOOSE,
        "robbing_the_kong": hand.source is Source.ROBBING,
    }
    yield from (Paid(rule, doubles=1) for rule, due in earned.items() if due)
    if one_suit and not tiles & HONOURS:
        yield Paid("one_suit", doubles=3)


def _hidden_treasure(table: Table) -> bool:
    kinds = {Kind.PUNG}
    if table.readings["hidden_treasure_kongs"] == "yes":
        kinds = ALIKE
    return sum(meld.kind in kinds and not meld.exposed for meld in table.sets) == 4


def _nine_gates(table: Table) -> bool:
    nine_sided = table.readings["nine_gates_wait"] == "nine-sided"
    return has_gates(table, table.hand.concealed if nine_sided else table.tiles)


EUROPEAN_CLASSICAL = Rules(
    shapes={"nine_gates": _nine_gates, "thirteen_orphans": thirteen_orphans},
    events={
        "heavenly_hand": lambda table: first_turn(table, dealer=True),
        "earthly_hand": lambda table: first_turn(table, dealer=False),
    },
    specials={
        "all_green": lambda table: set(table.tiles) <= GREEN,
        "four_kongs": lambda table: kongs(table) == 4,
        "hidden_treasure": _hidden_treasure,
        "three_great_scholars": lambda table: pungs(table) >= DRAGONS and len(pungs(table)) == 4,
        "big_four_winds": lambda table: pungs(table) == WINDS,
        "little_four_winds": lambda table: len(pungs(table) & WINDS) == 3 and pair(table) in WINDS,
        "all_honours": lambda table: set(table.tiles) <= HONOURS,
        "all_terminals": lambda table: set(table.tiles) <= TERMINALS,
    },
    count=_count,
)
