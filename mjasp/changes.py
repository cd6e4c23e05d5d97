"""A hand with one thing otherwise: what the encodings' changes are on a Hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from mjasp.derivation import arguments_of, name_of
from mjasp.hand import Event, Hand, Kind, Meld, Source
from mjasp.models import tiles_of
from mjasp.solver import Term
from mjasp.tiles import Tile, Wind

__all__ = ["changed", "smallest_first"]

Thing = TypeVar("Thing")

# A fact is changed more easily than a tile.
_ORDER = (
    *("unfixed", "source", "with", "without", "seat", "round", "concealed"),
    *("wins", "winning", "tile", "kong", "bonus"),
)


_NAMED = [
    *(source.value for source in Source),
    *(event.value.replace("-", "_") for event in Event),
    *(wind.name.lower() for wind in Wind),
]


def smallest_first(changes: Iterable[Term]) -> list[Term]:
    """The changes in the order in which they are told: facts before tiles, near tiles first."""
    return sorted(set(changes), key=_rank)


def _rank(change: Term) -> tuple[object, ...]:
    tiles = [tile for term in arguments_of(change) for tile in tiles_of(term)[:1]]
    apart = _distance(*tiles) if len(tiles) == 2 else 0
    told = [_NAMED.index(term) for term in arguments_of(change) if term in _NAMED]
    return _ORDER.index(name_of(change)), apart, [tile.order for tile in tiles], told


def _distance(tile: Tile, other: Tile) -> int:
    """How unlike two tiles are: neighbours of a suit least."""
    if tile.suit and tile.suit == other.suit:
        return abs(tile.order - other.order)
    return 10


def changed(hand: Hand, change: Term) -> Hand:
    """The hand with the change made. Raises HandError where no such hand can be.

    >>> pungs = (Tile.B1,) * 3 + (Tile.B2,) * 3 + (Tile.B3,) * 3 + (Tile.E,) * 3
    >>> hand = Hand((*pungs, Tile.R), winning=Tile.R)
    >>> changed(hand, ("source", "wall")).source, changed(hand, ("seat", "south")).seat
    (<Source.WALL: 'wall'>, <Wind.SOUTH: 'S'>)
    """
    what, arguments = name_of(change), arguments_of(change)
    tiles = [tiles_of(term) for term in arguments]
    told = _tiles(hand, what, tiles) if tiles and tiles[0] else _fact(hand, what, arguments)
    return replace(hand, **told)


def _fact(hand: Hand, what: str, arguments: Sequence[Term]) -> dict[str, Any]:
    named = str(arguments[0]) if arguments else ""
    match what:
        case "unfixed":
            return {"completes": None}
        case "reading" | "laid_down" | "lenient":
            return {}  # not a matter of what the hand states
        case "source":
            return {"source": Source(named)}
        case "with" | "without":
            event = frozenset({Event[named.upper()]})
            return {"events": hand.events | event if what == "with" else hand.events - event}
        case wind:
            return {wind: Wind[named.upper()]}


def _tiles(hand: Hand, what: str, tiles: Sequence[tuple[Tile, ...]]) -> dict[str, Any]:
    first = tiles[0]
    match what:
        case "tile":
            return {"concealed": (*_without(hand.concealed, first[0]), *tiles[1])}
        case "winning":
            return {"winning": tiles[1][0], "completes": None}
        case "wins":
            events = hand.events - {Event.FISHING}
            return {"winning": first[0], "source": Source.DISCARD, "events": events}
        case "bonus":
            return {"bonus": (*hand.bonus, *first)}
        case "exposed" if len(first) == 3:
            concealed = hand.concealed
            for tile in first:
                concealed = _without(concealed, tile)
            return {"concealed": concealed, "declared": (*hand.declared, _laid_down(first))}
        case _:
            return _declared(hand, what, first)


def _declared(hand: Hand, what: str, tiles: tuple[Tile, ...]) -> dict[str, Any]:
    """A set on the table that is otherwise, or is none."""
    told = tiles * 3 if what == "kong" else tiles * 4 if what == "pung" else tiles
    meld = next(meld for meld in hand.declared if meld.tiles == told)
    rest = _without(hand.declared, meld)
    match what:
        case "kong":
            return {"declared": (*rest, _laid_down(tiles * 4))}
        case "exposed":
            return {"declared": (*rest, _laid_down(tiles))}
        case "pung" if meld.exposed:
            return {"declared": (*rest, _laid_down(tiles * 3))}
        case "pung":
            return {"declared": rest, "concealed": (*hand.concealed, *tiles * 3)}
        case _ if meld.kind is Kind.KONG:
            return {"declared": (*rest, Meld(Kind.KONG, tiles, declared=True))}
        case _:
            return {"declared": rest, "concealed": (*hand.concealed, *tiles)}


def _laid_down(tiles: tuple[Tile, ...]) -> Meld:
    kind = Kind.KONG if len(tiles) == 4 else Kind.PUNG
    return Meld(kind, tiles, exposed=True, declared=True)


def _without(all_of: tuple[Thing, ...], one: Thing) -> tuple[Thing, ...]:
    at = all_of.index(one)
    return all_of[:at] + all_of[at + 1 :]
