"""Hand to text: the canonical compact text, and the other notations as far as they can say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mjasp.hand import Event, Hand, Meld
from mjasp.notation.draft import UNKNOWN
from mjasp.tiles import Tile, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Spell = Callable[[Iterable[Tile]], str]

__all__ = ["WRITTEN", "write"]

WRITTEN = ("mjasp", "unicode", "words", "kajongg", "mpsz")
"""The notations that a hand can be written in."""


def write(hand: Hand, notation: str = "mjasp") -> str:
    """The one canonical text of a hand in a notation, which reads as the same hand.

    Only what was said is written: no default is added. `notation` is one of mjasp, unicode, words,
    kajongg and mpsz. Raises NotationError where the notation has no way to say something, and
    ValueError where there is no such notation.

    >>> from mjasp.notation import parse
    >>> hand = parse("round:E seat:S wall 5b+5b E [444b] 5b E [4b3b2b] (1111c)")
    >>> write(hand)
    '[234b] [444b] (1111c) 55b EE +5b wall seat:S round:E'
    >>> write(hand, "mpsz")
    '[234s] [444s] (1111m) 55s 11z +5s wall seat:S round:E'
    """
    match notation:
        case "mjasp":
            return " ".join(_parts(hand, written))
        case "unicode":
            return " ".join(_parts(hand, _drawn))
        case "mpsz":
            from mjasp.notation import mpsz

            return " ".join(_parts(hand, mpsz.written))
        case "words":
            from mjasp.notation import words_writer

            return words_writer.write(hand)
        case "kajongg":
            from mjasp.notation import kajongg_writer

            return kajongg_writer.write(hand)
    raise ValueError(f"no notation {notation!r}: there are {', '.join(WRITTEN)}")


def _drawn(tiles: Iterable[Tile]) -> str:
    return "".join(tile.unicode for tile in tiles)


def _parts(hand: Hand, spell: Spell) -> Iterator[str]:
    for meld in hand.declared:
        yield _declared(meld, spell(meld.tiles))
    concealed = list(hand.concealed)
    completed = hand.completes.without(hand.winning) if hand.completes else ()
    for tile in completed:
        concealed.remove(tile)
    yield from map(spell, _groups(concealed))
    if hand.unknown_tiles:
        yield UNKNOWN * hand.unknown_tiles
    for tile in hand.bonus:
        yield spell([tile])
    if hand.winning:
        won = f"+{spell([hand.winning])}"
        yield f"[{spell(completed)}{won}]" if completed else won
    yield from _facts(hand)


def _declared(meld: Meld, tiles: str) -> str:
    if not meld.exposed:
        return f"({tiles})"
    return f"[{tiles} claimed]" if meld.claimed else f"[{tiles}]"


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


def _groups(tiles: Iterable[Tile]) -> Iterable[list[Tile]]:
    """Bamboo, characters, dots, winds and dragons, as far as there are some."""
    groups: dict[str, list[Tile]] = {}
    for tile in tiles:
        family = tile.suit or ("wind" if tile.order < Tile.R.order else "dragon")
        groups.setdefault(family, []).append(tile)
    return groups.values()
