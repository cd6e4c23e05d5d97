"""Hand to its canonical compact text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mjasp.hand import Event, Hand
from mjasp.notation.draft import UNKNOWN
from mjasp.tiles import Tile, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["write"]


def write(hand: Hand) -> str:
    """The one canonical compact text of a hand, which reads as the same hand.

    Only what was said is written: no default is added.

    >>> from mjasp.notation import parse
    >>> write(parse("round:E seat:S wall 5b+5b E [444b] 5b E [4b3b2b] (1111c)"))
    '[234b] [444b] (1111c) 55b EE +5b wall seat:S round:E'
    """
    return " ".join(_parts(hand))


def _parts(hand: Hand) -> Iterator[str]:
    yield from map(str, hand.declared)
    concealed = list(hand.concealed)
    completed = hand.completes.without(hand.winning) if hand.completes else ()
    for tile in completed:
        concealed.remove(tile)
    yield from _groups(concealed)
    if hand.unknown_tiles:
        yield UNKNOWN * hand.unknown_tiles
    yield from map(str, hand.bonus)
    if completed:
        yield f"[{written(completed)}+{hand.winning}]"
    elif hand.winning:
        yield f"+{hand.winning}"
    yield from _facts(hand)


def _facts(hand: Hand) -> Iterator[str]:
    if hand.source:
        yield hand.source.value
    elif "source" in hand.unknown:
        yield "won:?"
    yield from (event.value for event in Event if event in hand.events)
    if "last-tile" in hand.unknown:
        yield "last-tile:?"
    for name, wind in (("seat", hand.seat), ("round", hand.round)):
        if wind or name in hand.unknown:
            yield f"{name}:{wind or UNKNOWN}"
    if hand.rules:
        yield f"rules:{hand.rules}"


def _groups(tiles: Iterable[Tile]) -> Iterator[str]:
    """Bamboo, characters, dots, winds and dragons, as far as there are some."""
    groups: dict[str, list[Tile]] = {}
    for tile in tiles:
        family = tile.suit or ("wind" if tile.order < Tile.R.order else "dragon")
        groups.setdefault(family, []).append(tile)
    return map(written, groups.values())
