"""The table of European Classical in plain Python, counted straight down the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from oracle import KINDS, Paid, Rules, Table

from mjasp.hand import Event, Kind, Meld, Source
from mjasp.tiles import Tile, Wind

_ALIKE = {Kind.PUNG, Kind.KONG}
_DRAGONS = {Tile("R"), Tile("G"), Tile("Wh")}
_WINDS = {Tile("E"), Tile("S"), Tile("W"), Tile("N")}
_HONOURS = _DRAGONS | _WINDS
_TERMINALS = {tile for tile in KINDS if tile.rank in {1, 9}}
_MAJORS = _HONOURS | _TERMINALS
_GREEN = {Tile(code) for code in ("2b", "3b", "4b", "6b", "8b", "G")}
# Simple or major; exposed, concealed.
_POINTS = {
    (Kind.PUNG, False): ("pung_of_simples", 2, 4),
    (Kind.PUNG, True): ("pung_of_terminals_or_honours", 4, 8),
    (Kind.KONG, False): ("kong_of_simples", 8, 16),
    (Kind.KONG, True): ("kong_of_terminals_or_honours", 16, 32),
}


def _count(table: Table) -> Iterator[Paid]:
    won = table.hand.winning is not None
    yield from _set_points(table, won=won)
    yield from _set_doubles(table)
    if won:
        yield from _winner_points(table)
        yield from _winner_doubles(table)


def _value_names(table: Table, tile: Tile) -> Iterator[str]:
    if tile in _DRAGONS:
        yield "dragons"
    if table.hand.seat and tile is Tile(table.hand.seat.value):
        yield "seat_wind"
    if table.hand.round and tile is Tile(table.hand.round.value):
        yield "round_wind"


def _set_points(table: Table, *, won: bool) -> Iterator[Paid]:
    pairs = {"all": True, "winner-only": won, "none": False}[table.readings["value_pairs"]]
    for meld in table.sets:
        if meld.kind in _ALIKE:
            rule, exposed, concealed = _POINTS[meld.kind, meld.tiles[0] in _MAJORS]
            yield Paid(rule, points=exposed if meld.exposed else concealed)
        elif meld.kind is Kind.PAIR and pairs:
            for name in _value_names(table, meld.tiles[0]):
                yield Paid(f"pair_of_{name}", points=2)


def _set_doubles(table: Table) -> Iterator[Paid]:
    for meld in table.sets:
        if meld.kind in _ALIKE:
            for name in _value_names(table, meld.tiles[0]):
                yield Paid(f"pung_or_kong_of_{name}", doubles=1)


def _concealed(table: Table) -> bool:
    return not any(meld.declared and meld.exposed for meld in table.sets)


def _winner_points(table: Table) -> Iterator[Paid]:
    readings = table.readings
    yield Paid("going_out", points=20)
    both = readings["concealed_and_fully_concealed"] == "both"
    if _concealed(table) and (both or not table.drawn):
        yield Paid("concealed_hand", points=10)
    loose = table.hand.source is Source.LOOSE
    if table.drawn and not (loose and readings["loose_tile_drawn"] == "no"):
        yield Paid("self_drawn", points=2)
    completed = next(meld for meld in table.sets if meld.completed)
    rule = _wait_rule(completed, table.hand.winning)
    only = readings["wait"] == "only-tile"
    if rule and not (only and table.waits() - {table.hand.winning}):
        yield Paid(rule, points=2)


def _wait_rule(completed: Meld, winning: Tile | None) -> str | None:
    if completed.kind is Kind.PAIR:
        return "out_on_pair"
    if completed.kind is Kind.CHOW:
        at = completed.tiles.index(winning) if winning else -1
        lowest = completed.tiles[0].rank
        if at == 1 or (lowest, at) in {(1, 2), (7, 0)}:
            return "out_on_one_chance_chow"
    return None


def _winner_doubles(table: Table) -> Iterator[Paid]:
    hand, tiles = table.hand, set(table.tiles)
    kinds = Counter(meld.kind for meld in table.sets)
    (pair,) = (meld for meld in table.sets if meld.kind is Kind.PAIR)
    suits = {tile.suit for tile in tiles if tile.suit}
    last = Event.LAST_TILE in hand.events
    earned = {
        "fully_concealed_hand": _concealed(table) and table.drawn,
        "chow_hand": kinds[Kind.CHOW] == 4 and not any(_value_names(table, pair.tiles[0])),
        "pung_hand": kinds[Kind.CHOW] == 0,
        "all_terminals_and_honours": tiles <= _MAJORS,
        "one_suit_and_honours": len(suits) == 1 and bool(tiles & _HONOURS),
        "last_tile_of_wall": last and hand.source is Source.WALL,
        "last_discard": last and hand.source is Source.DISCARD,
        "supplement_tile": hand.source is Source.LOOSE,
        "robbing_the_kong": hand.source is Source.ROBBING,
    }
    yield from (Paid(rule, doubles=1) for rule, due in earned.items() if due)
    if len(suits) == 1 and not tiles & _HONOURS:
        yield Paid("one_suit", doubles=3)


def _pungs(table: Table) -> set[Tile]:
    return {meld.tiles[0] for meld in table.sets if meld.kind in _ALIKE}


def _pair(table: Table) -> Tile:
    return next(meld.tiles[0] for meld in table.sets if meld.kind is Kind.PAIR)


def _hidden_treasure(table: Table) -> bool:
    kinds = {Kind.PUNG}
    if table.readings["hidden_treasure_kongs"] == "yes":
        kinds = _ALIKE
    return sum(meld.kind in kinds and not meld.exposed for meld in table.sets) == 4


def _nine_gates(table: Table) -> bool:
    hand = table.hand
    tiles = hand.concealed if table.readings["nine_gates_wait"] == "nine-sided" else table.tiles
    suits = {tile.suit for tile in table.tiles}
    if hand.declared or len(suits) != 1 or None in suits:
        return False
    (suit,) = suits
    needed = Counter({Tile(f"{rank}{suit}"): 3 if rank in {1, 9} else 1 for rank in range(1, 10)})
    return not needed - Counter(tiles)


def _thirteen_orphans(table: Table) -> bool:
    return not table.hand.declared and set(table.tiles) == _MAJORS


def _first_turn(table: Table, *, dealer: bool) -> bool:
    first = Event.FIRST_TURN in table.hand.events
    return first and (table.hand.seat is Wind.EAST) == dealer


EUROPEAN_CLASSICAL = Rules(
    shapes={"nine_gates": _nine_gates, "thirteen_orphans": _thirteen_orphans},
    events={
        "heavenly_hand": lambda table: _first_turn(table, dealer=True),
        "earthly_hand": lambda table: _first_turn(table, dealer=False),
    },
    specials={
        "all_green": lambda table: set(table.tiles) <= _GREEN,
        "four_kongs": lambda table: sum(meld.kind is Kind.KONG for meld in table.sets) == 4,
        "hidden_treasure": _hidden_treasure,
        "three_great_scholars": lambda table: _pungs(table) >= _DRAGONS and len(_pungs(table)) == 4,
        "big_four_winds": lambda table: _pungs(table) == _WINDS,
        "little_four_winds": lambda table: (
            len(_pungs(table) & _WINDS) == 3 and _pair(table) in _WINDS
        ),
        "all_honours": lambda table: set(table.tiles) <= _HONOURS,
        "all_terminals": lambda table: set(table.tiles) <= _TERMINALS,
    },
    count=_count,
)
