"""What a hand is made of: melds, how the winning tile came, what else happened."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from mjasp.tiles import Tile, written

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Event", "Kind", "Meld", "Source", "kind_of"]


class Kind(Enum):
    """What a meld is."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    PAIR = "pair"
    SINGLE = "single"
    KNITTED_PAIR = "knitted_pair"
    KNITTED_TRIPLE = "knitted_triple"
    WHOLE_HAND = "whole_hand"

    order: int

    def __init__(self, _: str) -> None:
        self.order = len(type(self).__members__)

    # As with Tile: each member is one object, and Enum's own hash runs in Python.
    __hash__ = object.__hash__


class Source(Enum):
    """How the winning tile came; the value is its keyword."""

    WALL = "wall"
    DISCARD = "discard"
    LOOSE = "loose"
    ROBBING = "robbing"

    __hash__ = object.__hash__


class Event(Enum):
    """A further fact about how the hand went; the value is its keyword."""

    LAST_TILE = "last-tile"
    FIRST_TURN = "first-turn"
    ORIGINAL_CALL = "original-call"
    KONG_ON_KONG = "kong-on-kong"
    FISHING = "fishing"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Meld:
    """A set of tiles: declared on the table, or found among the concealed tiles.

    `tiles` are in order; `claimed` marks a kong made by claiming a discard onto three concealed
    tiles (such a kong is exposed); `completed` marks the meld that the winning tile completed.
    """

    kind: Kind
    tiles: tuple[Tile, ...]
    exposed: bool = False
    declared: bool = False
    claimed: bool = False
    completed: bool = False

    def __str__(self) -> str:
        """The meld as it is written in the compact form.

        >>> tiles = (Tile.B2, Tile.B3, Tile.B4)
        >>> str(Meld(Kind.CHOW, tiles)), str(Meld(Kind.CHOW, tiles, exposed=True, declared=True))
        ('234b', '[234b]')
        """
        tiles = written(self.tiles)
        if not self.declared:
            return tiles
        if not self.exposed:
            return f"({tiles})"
        return f"[{tiles} claimed]" if self.claimed else f"[{tiles}]"

    def without(self, tile: Tile | None) -> tuple[Tile, ...]:
        """The tiles beside one `tile`; all of them if it is none of them."""
        if tile not in self.tiles:
            return self.tiles
        index = self.tiles.index(tile)
        return self.tiles[:index] + self.tiles[index + 1 :]


def kind_of(tiles: Sequence[Tile]) -> Kind | None:
    """What the tiles, in order, are together: chow, pung, kong, pair or single; None for no set.

    >>> kind_of([Tile.B2, Tile.B3, Tile.B4]), kind_of([Tile.B9, Tile.C1, Tile.C2])
    (<Kind.CHOW: 'chow'>, None)
    """
    if not tiles or tiles[0].is_bonus:
        return None
    first = tiles[0]
    if tiles[-1] is first:
        return _ALIKE.get(len(tiles))
    if first.suit and len(tiles) == 3 and tiles[2].suit == first.suit:
        ranks_follow = tiles[1].order - first.order == tiles[2].order - tiles[1].order == 1
        return Kind.CHOW if ranks_follow else None
    return None


_ALIKE = {1: Kind.SINGLE, 2: Kind.PAIR, 3: Kind.PUNG, 4: Kind.KONG}
