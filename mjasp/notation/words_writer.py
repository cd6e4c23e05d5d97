"""A hand in words, as they are read: the seat first, then the tiles, then how it was won."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from mjasp.hand import Event, Hand, Kind, Meld, Source
from mjasp.tiles import Tile, Wind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["write"]

_NUMBERS = ("no", "one", "two", "three", "four")
_SOURCES = {
    Source.WALL: "from the wall",
    Source.DISCARD: "by discard",
    Source.LOOSE: "with a loose tile",
    Source.ROBBING: "robbing a kong",
}


def write(hand: Hand) -> str:
    """The canonical text in words, a line for each part of the hand.

    >>> from mjasp.notation import parse
    >>> print(write(parse("[444b] (1111c) 55b EE 678d f1 +5b wall seat:S")))
    seat south
    exposed: pung of 4 bamboo
    concealed: kong of 1 characters; 5 5 bamboo; 6 7 8 dots; two easts; plum
    won on 5 bamboo from the wall
    """
    return "\n".join(_lines(hand))


def _lines(hand: Hand) -> Iterator[str]:
    if hand.rules:
        yield f"rules {hand.rules}"
    winds = [*_wind("seat", hand.seat, hand), *_wind("round", hand.round, hand)]
    if winds:
        yield ", ".join(winds)
    exposed = [_set(meld) for meld in hand.declared if meld.exposed]
    if exposed:
        yield f"exposed: {', '.join(exposed)}"
    concealed = [_set(meld) for meld in hand.declared if not meld.exposed]
    concealed += [*_tiles(hand.concealed), *(tile.name_in_words for tile in hand.bonus)]
    if hand.unknown_tiles:
        concealed += ["unknown tile"] * hand.unknown_tiles
    if concealed:
        yield f"concealed: {'; '.join(concealed)}"
    won = ", ".join(_won(hand))
    if won:
        yield won


def _wind(name: str, wind: Wind | None, hand: Hand) -> Iterator[str]:
    if wind:
        yield f"{name} {wind.name.lower()}"
    elif name in hand.unknown:
        yield f"{name} unknown"


def _set(meld: Meld) -> str:
    claimed = "claimed " if meld.claimed else ""
    return f"{claimed}{meld.kind.value} {_named(meld)}"


def _named(meld: Meld) -> str:
    first = meld.tiles[0]
    if meld.kind is Kind.CHOW:
        return f"{' '.join(str(tile.rank) for tile in meld.tiles)} {_suit(first)}"
    return f"of {first.name_in_words}{'' if first.suit else 's'}"


def _suit(tile: Tile) -> str:
    return tile.name_in_words.partition(" ")[2]


def _tiles(tiles: Iterable[Tile]) -> Iterator[str]:
    """Tiles in order: the ranks of each suit, and how many of each wind and dragon."""
    counts = Counter(tiles)
    for suit, group in groupby(counts, key=lambda tile: tile.suit):
        if suit:
            alike = list(group)
            ranks = " ".join(str(tile.rank) for tile in alike for _ in range(counts[tile]))
            yield f"{ranks} {_suit(alike[0])}"
        else:
            for tile in group:
                plural = "s" * (counts[tile] > 1)
                yield f"{_NUMBERS[counts[tile]]} {tile.name_in_words}{plural}"


def _won(hand: Hand) -> Iterator[str]:
    """The winning tile and all that is told of the end."""
    if hand.winning:
        source = f" {_SOURCES[hand.source]}" if hand.source else ""
        yield f"won on {hand.winning.name_in_words}{source}"
    if "source" in hand.unknown:
        yield "source unknown"
    if hand.completes:
        yield f"completing {hand.completes.kind.value} {_named(hand.completes)}"
    yield from (
        "calling" if event is Event.FISHING else event.value.replace("-", " ")
        for event in Event
        if event in hand.events
    )
    if "last-tile" in hand.unknown:
        yield "last tile unknown"
