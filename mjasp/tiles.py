"""The 42 kinds of tile, in the order in which hands are written: b c d E S W N R G Wh f s."""

from __future__ import annotations

from enum import Enum
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Tile", "Wind", "by_order", "written"]

_SUITS = {"b": "bamboo", "c": "characters", "d": "dots"}
_HONOURS = {
    "E": "east",
    "S": "south",
    "W": "west",
    "N": "north",
    "R": "red dragon",
    "G": "green dragon",
    "Wh": "white dragon",
}
_FLOWERS = ("plum", "orchid", "chrysanthemum", "bamboo flower")
_SEASONS = ("spring", "summer", "autumn", "winter")
_FIRST_CODE_POINT = {"b": 0x1F010, "c": 0x1F007, "d": 0x1F019}
# By name: Unicode has bamboo (f4) before chrysanthemum (f3).
_CODE_POINT = dict(zip(_HONOURS, range(0x1F000, 0x1F007), strict=True)) | dict(
    zip(("f1", "f2", "f4", "f3", "s1", "s2", "s3", "s4"), range(0x1F022, 0x1F02A), strict=True)
)


class Tile(Enum):
    """A kind of tile; its value is the way it is written.

    >>> Tile("5b").name_in_words, Tile("Wh").unicode, Tile("5b").suit, Tile("5b").rank
    ('5 bamboo', '🀆', 'b', 5)
    """

    B1, B2, B3, B4, B5, B6, B7, B8, B9 = (f"{rank}b" for rank in range(1, 10))
    C1, C2, C3, C4, C5, C6, C7, C8, C9 = (f"{rank}c" for rank in range(1, 10))
    D1, D2, D3, D4, D5, D6, D7, D8, D9 = (f"{rank}d" for rank in range(1, 10))
    E, S, W, N = "E", "S", "W", "N"
    R, G, WH = "R", "G", "Wh"
    F1, F2, F3, F4 = "f1", "f2", "f3", "f4"
    S1, S2, S3, S4 = "s1", "s2", "s3", "s4"

    order: int
    suit: str | None
    rank: int | None
    is_bonus: bool
    name_in_words: str
    unicode: str

    def __init__(self, code: str) -> None:
        self.order = len(type(self).__members__)
        self.suit = code[1] if code[1:] in _SUITS else None
        self.rank = int(code[0]) if self.suit else None
        self.is_bonus = code[0] in "fs"
        if self.suit:
            self.name_in_words = f"{code[0]} {_SUITS[self.suit]}"
            self.unicode = chr(_FIRST_CODE_POINT[self.suit] + int(code[0]) - 1)
        else:
            self.unicode = chr(_CODE_POINT[code])
            if self.is_bonus:
                names = _FLOWERS if code[0] == "f" else _SEASONS
                self.name_in_words = names[int(code[1]) - 1]
            else:
                self.name_in_words = _HONOURS[code]

    # Each member is one object, so its identity will do; Enum's own hash runs in Python.
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return str(self.value)

    def __lt__(self, other: Tile) -> bool:
        return self.order < other.order


by_order = attrgetter("order")
"""Sort key of tiles: quicker than comparing them one by one."""


def written(tiles: Iterable[Tile]) -> str:
    """The tiles as they are written, in the given order, without spaces between them.

    >>> written([Tile.B1, Tile.B2, Tile.B3, Tile.C5, Tile.WH, Tile.WH])
    '123b5cWhWh'
    """
    return "".join(
        "".join(str(tile.rank) for tile in run) + suit if suit else "".join(map(str, run))
        for suit, run in groupby(tiles, attrgetter("suit"))
    )


class Wind(Enum):
    """A seat wind or a round wind."""

    EAST = "E"
    SOUTH = "S"
    WEST = "W"
    NORTH = "N"

    def __str__(self) -> str:
        return self.value

    @classmethod
    def named(cls, text: str) -> Wind | None:
        """The wind of that letter or name, in any case; None if there is none.

        >>> Wind.named("e"), Wind.named("North"), Wind.named("up")
        (<Wind.EAST: 'E'>, <Wind.NORTH: 'N'>, None)
        """
        spelling = str(text).casefold()
        matches = (
            wind for wind in cls if spelling in (wind.value.casefold(), wind.name.casefold())
        )
        return next(matches, None)
