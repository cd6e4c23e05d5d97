"""Between a Hand and a row of Hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeVar

from mjasp.compiled.layout import (
    BONUS,
    COMPLETES,
    DECLARED,
    EVENTS,
    SOURCES,
    TILES,
    WINDS,
    Hands,
)
from mjasp.hand import Event, Hand, Kind, Meld
from mjasp.tiles import Tile

__all__ = [
    "SOURCE_AT",
    "TILE_AT",
    "WIND_AT",
    "completed",
    "completes_of",
    "declared_at",
    "events_of",
    "hand_of",
    "put",
]

Part = TypeVar("Part")

TILE_AT = {tile: at for tiles in (TILES, BONUS) for at, tile in enumerate(tiles)}
"""Where each tile stands among TILES or, if it is a flower or season, among BONUS."""

_DECLARED_AT = {
    (meld.kind, meld.tiles, meld.exposed, meld.claimed): at for at, meld in enumerate(DECLARED)
}
SOURCE_AT = {source: at for at, source in enumerate(SOURCES)}
WIND_AT = {wind: at for at, wind in enumerate(WINDS)}


def declared_at(meld: Meld) -> int | None:
    """Where a declared set stands among DECLARED; None for what cannot be declared."""
    exposed = meld.exposed or meld.claimed
    return _DECLARED_AT.get((meld.kind, meld.tiles, exposed, meld.claimed))


@cache
def completed(winning: int, completes: int) -> Meld | None:
    """The set that a winning tile of TILES completed as one of COMPLETES; None where none is.

    >>> str(completed(4, 0)), completed(8, 0), str(completed(33, 4))
    ('567b', None, 'WhWh')
    """
    kind, place = COMPLETES[completes]
    tile = TILES[winning]
    if kind is not Kind.CHOW:
        return Meld(kind, (tile,) * (2 if kind is Kind.PAIR else 3), completed=True)
    tiles = TILES[max(winning - place, 0) :][:3]
    meld = Meld(kind, tiles, completed=True)
    laid_down = Meld(kind, tiles, exposed=True, declared=True)
    return meld if declared_at(laid_down) is not None and tiles[place] is tile else None


_COMPLETES = {
    (meld, winning): at
    for winning in range(len(TILES))
    for at in range(len(COMPLETES))
    if (meld := completed(winning, at))
}


def completes_of(meld: Meld, winning: Tile) -> int | None:
    """Which of COMPLETES a set is with its winning tile; None where it cannot be one."""
    return None if winning.is_bonus else _COMPLETES.get((meld, TILE_AT[winning]))


def put(hands: Hands, at: int, hand: Hand) -> None:
    """Write a hand into an empty row. Raises ValueError where it has facts without a column."""
    if hand.unknown or hand.rules:
        told = ", ".join((*(f"{fact}:?" for fact in sorted(hand.unknown)), *_named(hand)))
        raise ValueError(f"hand {at}: `{told}` has no place in the arrays; mjasp.score takes it")
    for tile in hand.concealed:
        hands.held[at, TILE_AT[tile]] += 1
    for meld in hand.declared:
        hands.declared[at, _known(declared_at(meld))] += 1
    for tile in hand.bonus:
        hands.bonus[at, TILE_AT[tile]] = 1
    hands.events[at] = [event in hand.events for event in EVENTS]
    if hand.winning:
        hands.winning[at] = TILE_AT[hand.winning]
        if hand.completes:
            hands.completes[at] = _known(completes_of(hand.completes, hand.winning))
    if hand.source:
        hands.source[at] = SOURCE_AT[hand.source]
    if hand.seat:
        hands.seat[at] = WIND_AT[hand.seat]
    if hand.round:
        hands.round[at] = WIND_AT[hand.round]
    hands.unknown_tiles[at] = hand.unknown_tiles


def _known(index: int | None) -> int:
    """An index of something in a hand, which has been checked."""
    assert index is not None
    return index


def _named(hand: Hand) -> tuple[str, ...]:
    return (f"rules:{hand.rules}",) if hand.rules else ()


def hand_of(hands: Hands, at: int) -> Hand:
    """The hand of a row. Raises HandError where no such hand can be on a table."""
    winning, completes = int(hands.winning[at]), int(hands.completes[at])
    source, seat, round_ = int(hands.source[at]), int(hands.seat[at]), int(hands.round[at])
    return Hand(
        _repeated(TILES, hands.held[at].tolist()),
        _repeated(DECLARED, hands.declared[at].tolist()),
        _repeated(BONUS, hands.bonus[at].tolist()),
        TILES[winning] if winning >= 0 else None,
        completed(winning, completes) if winning >= 0 and completes >= 0 else None,
        SOURCES[source] if source >= 0 else None,
        events_of(hands.events[at].tolist()),
        WINDS[seat] if seat >= 0 else None,
        WINDS[round_] if round_ >= 0 else None,
        unknown_tiles=int(hands.unknown_tiles[at]),
    )


def events_of(happened: Sequence[int]) -> frozenset[Event]:
    """The events of a row of Hands.events."""
    return frozenset(event for event, told in zip(EVENTS, happened, strict=True) if told)


def _repeated(parts: Iterable[Part], counts: Sequence[int]) -> tuple[Part, ...]:
    return tuple(part for part, count in zip(parts, counts, strict=True) for _ in range(count))
