"""The tables of Mahjiang in plain Python, counted straight down the page."""

from __future__ import annotations

from collections.abc import Iterator

from oracle import Paid, Rules, Table
from oracle_tables import (
    HONOURS,
    TERMINALS,
    chows,
    concealed,
    first_turn,
    only_tile,
    out_on,
    pair_points,
    set_doubles,
    set_points,
    suits,
)

from mjasp.hand import Event, Source


def _count(table: Table) -> Iterator[Paid]:
    won = table.hand.winning is not None
    yield from set_points(table)
    yield from _pair_points(table)
    yield from set_doubles(table)
    if won or table.readings["suit_rows_for_losers"] == "yes":
        yield from _suit_doubles(table)
    if won:
        yield from _winner_points(table)
        yield from _winner_doubles(table)


def _pair_points(table: Table) -> Iterator[Paid]:
    return (paid for paid in pair_points(table) if paid.rule != "pair_of_round_wind")


def _winner_points(table: Table) -> Iterator[Paid]:
    yield Paid("mah_jong", points=20)
    ways = list(_way_points(table))
    yield from ways
    if chows(table) == 0:
        yield Paid("no_chows", points=10)
    scores = [*_pair_points(table), *(ways if table.readings["no_scoring_strict"] == "yes" else ())]
    if chows(table) == 4 and not scores:
        yield Paid("no_scoring_combination", points=10)


def _way_points(table: Table) -> Iterator[Paid]:
    """Points for the winning tile."""
    source, readings = table.hand.source, table.readings
    loose = source is Source.LOOSE
    if loose:
        yield Paid("loose_tile", points=10)
    if source is Source.WALL or (loose and readings["loose_tile_drawn"] == "yes"):
        yield Paid("winning_tile_drawn", points=2)
    if out_on(table) and (readings["wait"] == "shape" or only_tile(table)):
        yield Paid("only_possible_place", points=2)


def _suit_doubles(table: Table) -> Iterator[Paid]:
    tiles = set(table.tiles)
    if not suits(table):
        yield Paid("all_honours", doubles=3)
    elif len(suits(table)) == 1 and tiles & HONOURS:
        yield Paid("one_suit_and_honours", doubles=1)
    elif len(suits(table)) == 1:
        yield Paid("one_suit", doubles=3)
    if len(suits(table)) < 2 and table.readings["suit_rows_cumulative"] == "no":
        return
    if tiles <= TERMINALS:
        yield Paid("all_terminals", doubles=1)
    if not tiles & (TERMINALS | HONOURS):
        yield Paid("all_simples", doubles=1)


def _winner_doubles(table: Table) -> Iterator[Paid]:
    if table.hand.source is Source.ROBBING:
        yield Paid("robbing_a_kong", doubles=1)
    if Event.LAST_TILE in table.hand.events:
        yield Paid("last_tile", doubles=1)
    if concealed(table) and table.drawn:
        yield Paid("fully_concealed", doubles=2)
    if concealed(table) and not table.drawn:
        yield Paid("all_but_last_concealed", doubles=1)
    anyone = table.readings["heaven"] == "first-turn"
    if first_turn(table, dealer=True) or (anyone and first_turn(table, dealer=False)):
        yield Paid("hand_from_heaven", doubles=3)


MAHJIANG = Rules(shapes={}, events={}, specials={}, count=_count)
