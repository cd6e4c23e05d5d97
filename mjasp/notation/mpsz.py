"""The notation `mpsz`: the compact form with the tile letters that Riichi players use."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from mjasp.notation import compact
from mjasp.notation.compact_help import SLIPS
from mjasp.notation.draft import Draft
from mjasp.tiles import Tile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lark import Token

    from mjasp.hand import Hand

__all__ = ["parse", "written"]

_SUITS = {"m": "c", "p": "d", "s": "b"}
_HONOURS = ("E", "S", "W", "N", "Wh", "G", "R")
_TILES = {
    **{f"{rank}{letter}": Tile(f"{rank}{suit}") for letter, suit in _SUITS.items()
       for rank in range(1, 10)},
    **{f"0{letter}": Tile(f"5{suit}") for letter, suit in _SUITS.items()},
    **{f"{number}z": Tile(code) for number, code in enumerate(_HONOURS, start=1)},
}  # fmt: skip
_CODES = {tile: code for code, tile in _TILES.items() if code[0] != "0"}
_LETTERS = {suit: letter for letter, suit in _SUITS.items()}


def parse(text: str) -> Hand:
    """The hand that a text describes.

    Raises NotationError where the text cannot be read and HandError where no such hand can be.

    >>> str(parse("[222s] (1111z) 340m 0p 777z +5p wall").winning)
    '5d'
    """
    draft = Draft()
    for node in _LANGUAGE.tree(text).children:
        compact.add(draft, node, _tiles_of)
    return draft.hand(text)


def written(tiles: Iterable[Tile]) -> str:
    """The tiles as this notation writes them, in the given order, without spaces between them.

    >>> written([Tile.B1, Tile.B2, Tile.E, Tile.E, Tile.F1])
    '12s11zf1'
    """
    codes = [_CODES.get(tile) or f" {tile}" for tile in tiles]
    runs = groupby(codes, key=lambda code: code[-1] if code in _TILES else "")
    return "".join(
        "".join(code[0] for code in run) + letter if letter else "".join(map(str.strip, run))
        for letter, run in runs
    )


def _tiles_of(token: Token) -> list[Tile]:
    if token.type == "SUITED":
        return [_TILES[rank + token[-1]] for rank in token[:-1]]
    return compact.tiles_of(token)


def _meant(word: str) -> str | None:
    if re.fullmatch("(?:[1-9]+[bcd]|Wh|[ESWNRG])+", word):
        codes = re.findall("[1-9]+[bcd]|Wh|[ESWNRG]", word)
        tiles = [
            tile
            for code in codes
            for tile in ([code] if code in _HONOURS else [rank + code[-1] for rank in code[:-1]])
        ]
        return f"in this notation that is `{written(map(Tile, tiles))}`"
    return compact.LANGUAGE.meant(word)


_LANGUAGE = replace(
    compact.LANGUAGE,
    grammar="mpsz",
    expected={
        **compact.LANGUAGE.expected,
        "LSQB": "a set `[234s]`",
        "LPAR": "a kong `(5555p)`",
        "PLUS": "a win `+5s`",
    },
    slips=(
        (r"[0-9]*[089][0-9]*z", "no-such-tile", "has a number that no honour has",
         "`1z` to `7z` are east, south, west, north, white, green, red"),
        (r"\d+", "no-suit", "has no letter after its digits",
         "write `m` (characters), `p` (dots), `s` (bamboo) or `z` (honours), as in `123m`"),
        *(slip for slip in SLIPS if slip[1] not in {"no-such-tile", "no-suit"}),
    ),
    meant=_meant,
    spelling="tiles are written `5m`, `5p`, `5s`, `1z` to `7z`, `f1`; facts `wall`, `seat:E`",
    example="111s 222s 333s 45m 11p +3m discard",
)  # fmt: skip
