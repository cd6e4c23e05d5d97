"""The table of the German league in plain Python, counted straight down the page."""

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
    bonus_points,
    chows,
    first_turn,
    has_gates,
    kongs,
    only_tile,
    own_bonus,
    pair,
    pair_points,
    pungs,
    set_doubles,
    set_points,
    suits,
    thirteen_orphans,
    value_names,
    won_on,
)

from mjasp.hand import Event, Kind, Meld, Source
from mjasp.tiles import Tile


def _count(table: Table) -> Iterator[Paid]:
    yield from set_points(table)
    yield from pair_points(table)
    yield from bonus_points(table)
    yield from set_doubles(table)
    yield from _doubles_of_all(table)
    if table.hand.winning:
        yield from _winner_points(table)
        yield from _winner_doubles(table)


def _doubles_of_all(table: Table) -> Iterator[Paid]:
    bonus = {str(tile) for tile in table.hand.bonus}
    pairs = {meld.tiles[0] for meld in table.sets if meld.kind is Kind.PAIR}
    dragons, winds = pungs(table) & DRAGONS, pungs(table) & WINDS
    yield from _earned(
        {
            "own_flower_and_own_season": own_bonus(table) == {"flower", "season"},
            "all_flowers": bonus >= {"f1", "f2", "f3", "f4"},
            "all_seasons": bonus >= {"s1", "s2", "s3", "s4"},
            "three_concealed_pungs": _concealed_pungs(table) >= 3,
            "little_three_dragons": len(dragons) == 2 and bool(pairs & (DRAGONS - dragons)),
            "little_four_joys": len(winds) == 3 and bool(pairs & (WINDS - winds)),
        }
    )
    yield from _earned({"big_three_dragons": len(dragons) == 3}, doubles=2)
    yield from _earned({"big_four_joys": len(winds) == 4}, doubles=2)


def _winner_points(table: Table) -> Iterator[Paid]:
    yield Paid("mah_jong", points=20)
    completed = next(meld for meld in table.sets if meld.completed)
    if completed.kind is Kind.PAIR:
        if completed.tiles[0] in MAJORS:
            yield Paid("last_tile_completes_pair_of_majors", points=4)
        else:
            yield Paid("last_tile_completes_pair_of_simples", points=2)
    if only_tile(table):
        yield Paid("last_tile_only_possible", points=2)
    if table.drawn:
        yield Paid("last_tile_drawn", points=2)


def _winner_doubles(table: Table) -> Iterator[Paid]:
    hand, honours = table.hand, set(table.tiles) & HONOURS
    last = Event.LAST_TILE in hand.events
    yield from _earned(
        {
            "zero_point_hand": chows(table) == 4 and not any(value_names(table, pair(table))),
            "no_chow": chows(table) == 0,
            "only_concealed_sets": _all_concealed(table),
            "one_suit_and_honours": len(suits(table)) == 1 and bool(honours),
            "only_majors": set(table.tiles) <= MAJORS,
            "last_tile_from_dead_wall": hand.source is Source.LOOSE,
            "last_tile_of_wall": last and hand.source is Source.WALL,
            "last_discard": last and hand.source is Source.DISCARD,
            "robbing_the_kong": hand.source is Source.ROBBING,
            "original_call": Event.ORIGINAL_CALL in hand.events,
        }
    )
    yield from _earned({"one_suit": len(suits(table)) == 1 and not honours}, doubles=3)
    two = table.readings["only_honours"] == "two-doubles"
    yield from _earned({"only_honours": two and set(table.tiles) <= HONOURS}, doubles=2)


def _earned(due: dict[str, bool], doubles: int = 1) -> Iterator[Paid]:
    return (Paid(rule, doubles=doubles) for rule, earned in due.items() if earned)


def _is_concealed(table: Table, meld: Meld) -> bool:
    """Whether a set is concealed for what looks at the whole hand."""
    return not meld.exposed or (meld.claimed and table.readings["claimed_kong"] == "concealed")


def _all_concealed(table: Table) -> bool:
    return all(_is_concealed(table, meld) for meld in table.sets)


def _concealed_pungs(table: Table) -> int:
    return sum(meld.kind in ALIKE and _is_concealed(table, meld) for meld in table.sets)


def _concealed_one_suit(table: Table) -> bool:
    one_suit = len(suits(table)) == 1 and not set(table.tiles) & HONOURS
    return one_suit and _all_concealed(table)


def _only_honours(table: Table) -> bool:
    return table.readings["only_honours"] == "limit" and set(table.tiles) <= HONOURS


def _squirming_snake(table: Table) -> bool:
    if len(suits(table)) != 1 or set(table.tiles) & HONOURS or chows(table) != 2:
        return False
    (suit,) = suits(table)
    chows_hold = {tile.rank for meld in table.sets if meld.kind is Kind.CHOW for tile in meld.tiles}
    return (
        pungs(table) == {Tile(f"1{suit}"), Tile(f"9{suit}")}
        and pair(table).rank in {2, 5, 8}
        and chows_hold | {pair(table).rank} == set(range(2, 9))
    )


DMJL = Rules(
    shapes={
        "nine_gates": lambda table: has_gates(table, table.hand.concealed),
        "thirteen_orphans": thirteen_orphans,
    },
    events={
        "plum_blossom": lambda table: won_on(table, "5d", Source.LOOSE),
        "plucking_the_moon": lambda table: (
            won_on(table, "1d", Source.WALL) and Event.LAST_TILE in table.hand.events
        ),
        "scratching_a_pole": lambda table: won_on(table, "2b", Source.ROBBING),
        "twofold_fortune": lambda table: Event.KONG_ON_KONG in table.hand.events,
        "heavenly_hand": lambda table: first_turn(table, dealer=True),
        "earthly_hand": lambda table: first_turn(table, dealer=False),
    },
    specials={
        "concealed_one_suit": _concealed_one_suit,
        "only_honours": _only_honours,
        "hidden_treasure": lambda table: _concealed_pungs(table) == 4 and table.drawn,
        "heads_and_tails": lambda table: set(table.tiles) <= TERMINALS,
        "fourfold_plenty": lambda table: kongs(table) == 4,
        "three_great_scholars": lambda table: pungs(table) >= DRAGONS,
        "four_blessings": lambda table: pungs(table) == WINDS,
        "imperial_jade": lambda table: set(table.tiles) <= GREEN,
        "squirming_snake": _squirming_snake,
    },
    count=_count,
)
