"""What the tables of all rule sets ask of a hand, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from oracle import KINDS, Paid, Table

from mjasp.hand import Event, Kind, Source
from mjasp.tiles import Tile, Wind

ALIKE = {Kind.PUNG, Kind.KONG}
DRAGONS = {Tile("R"), Tile("G"), Tile("Wh")}
WINDS = {Tile("E"), Tile("S"), Tile("W"), Tile("N")}
HONOURS = DRAGONS | WINDS
TERMINALS = {tile for tile in KINDS if tile.rank in {1, 9}}
MAJORS = HONOURS | TERMINALS
GREEN = {Tile(code) for code in ("2b", "3b", "4b", "6b", "8b", "G")}
# Simple or major; exposed, concealed.
_POINTS = {
    (Kind.PUNG, False): ("pung_of_simples", 2, 4),
    (Kind.PUNG, True): ("pung_of_terminals_or_honours", 4, 8),
    (Kind.KONG, False): ("kong_of_simples", 8, 16),
    (Kind.KONG, True): ("kong_of_terminals_or_honours", 16, 32),
}


def set_points(table: Table) -> Iterator[Paid]:
    """Points of pungs and kongs."""
    for meld in table.sets:
        if meld.kind in ALIKE:
            rule, exposed, concealed = _POINTS[meld.kind, meld.tiles[0] in MAJORS]
            yield Paid(rule, points=exposed if meld.exposed else concealed)


def pair_points(table: Table) -> Iterator[Paid]:
    """Points of pairs of dragons, of the seat wind and of the round wind: 2 for each reason."""
    for meld in table.sets:
        if meld.kind is Kind.PAIR:
            for name in value_names(table, meld.tiles[0]):
                yield Paid(f"pair_of_{name}", points=2)


def set_doubles(table: Table) -> Iterator[Paid]:
    """Doubles of pungs and kongs of dragons, of the seat wind and of the round wind."""
    for meld in table.sets:
        if meld.kind in ALIKE:
            for name in value_names(table, meld.tiles[0]):
                yield Paid(f"pung_or_kong_of_{name}", doubles=1)


def bonus_points(table: Table) -> Iterator[Paid]:
    """Points of flowers and seasons."""
    for tile in table.hand.bonus:
        yield Paid("flower" if tile.value[0] == "f" else "season", points=4)


def own_bonus(table: Table) -> set[str]:
    """Which of flower and season of the seat wind the player holds."""
    assert table.hand.seat
    own = 1 + "ESWN".index(table.hand.seat.value)
    held = {tile.value for tile in table.hand.bonus}
    return {name for name in ("flower", "season") if f"{name[0]}{own}" in held}


def value_names(table: Table, tile: Tile) -> Iterator[str]:
    """Why a pair or pung of the tile is worth something."""
    if tile in DRAGONS:
        yield "dragons"
    if table.hand.seat and tile is Tile(table.hand.seat.value):
        yield "seat_wind"
    if table.hand.round and tile is Tile(table.hand.round.value):
        yield "round_wind"


def concealed(table: Table) -> bool:
    """Whether nothing was exposed before the winning tile."""
    return not any(meld.declared and meld.exposed for meld in table.sets)


def out_on(table: Table) -> Kind | None:
    """The pair, or the chow in its middle or at its only open end, that the tile completed."""
    completed = next(meld for meld in table.sets if meld.completed)
    if completed.kind is Kind.PAIR:
        return Kind.PAIR
    if completed.kind is Kind.CHOW and table.hand.winning:
        at = completed.tiles.index(table.hand.winning)
        lowest = completed.tiles[0].rank
        if at == 1 or (lowest, at) in {(1, 2), (7, 0)}:
            return Kind.CHOW
    return None


def only_tile(table: Table) -> bool:
    """Whether no other tile would have completed the hand."""
    return not table.waits() - {table.hand.winning}


def chows(table: Table) -> int:
    """How many chows the hand has."""
    return sum(meld.kind is Kind.CHOW for meld in table.sets)


def kongs(table: Table) -> int:
    """How many kongs the hand has."""
    return sum(meld.kind is Kind.KONG for meld in table.sets)


def suits(table: Table) -> set[str]:
    """The suits of the hand's tiles."""
    return {tile.suit for tile in table.tiles if tile.suit}


def pungs(table: Table) -> set[Tile]:
    """The tiles of which the hand has a pung or kong."""
    return {meld.tiles[0] for meld in table.sets if meld.kind in ALIKE}


def pair(table: Table) -> Tile:
    """The tile of the pair of a hand that won."""
    return next(meld.tiles[0] for meld in table.sets if meld.kind is Kind.PAIR)


def first_turn(table: Table, *, dealer: bool) -> bool:
    """Whether East won with the dealt tiles; or another on East's first discard."""
    first = Event.FIRST_TURN in table.hand.events
    return first and (table.hand.seat is Wind.EAST) == dealer


def won_on(table: Table, tile: str, source: Source) -> bool:
    """Whether the winning tile is this one and came in this way."""
    return table.hand.source is source and table.hand.winning is Tile(tile)


def has_gates(table: Table, tiles: Sequence[Tile]) -> bool:
    """Whether a concealed hand is of one suit and these of its tiles hold 1112345678999."""
    if table.hand.declared or len(suits(table)) != 1 or set(table.tiles) & HONOURS:
        return False
    (suit,) = suits(table)
    needed = Counter({Tile(f"{rank}{suit}"): 3 if rank in {1, 9} else 1 for rank in range(1, 10)})
    return not needed - Counter(tiles)


def buried_treasure(table: Table) -> bool:
    """Whether the hand is four pungs, none declared, and a pair, of one suit and honours."""
    mixed = len(suits(table)) == 1 and bool(set(table.tiles) & HONOURS)
    return not table.hand.declared and chows(table) == 0 and mixed


def wriggling_snake(table: Table) -> bool:
    """Whether the hand is a pair of 1s and 2 to 9 of one suit, and one of each wind."""
    if table.hand.declared or len(suits(table)) != 1:
        return False
    (suit,) = suits(table)
    ranks = {Tile(f"{rank}{suit}") for rank in range(1, 10)}
    return set(table.tiles) == ranks | WINDS and table.tiles.count(Tile(f"1{suit}")) == 2


def thirteen_orphans(table: Table) -> bool:
    """Whether the hand is one of each major and one of them twice."""
    return not table.hand.declared and set(table.tiles) == MAJORS
