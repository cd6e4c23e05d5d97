"""One player's hand and how it ended: frozen, checked, and equal whatever the order of its tiles."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mjasp.tiles import Tile, Wind

__all__ = ["Event", "Hand", "Kind", "Meld", "Source"]


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


class Source(Enum):
    """How the winning tile came."""

    WALL = "wall"
    DISCARD = "discard"
    LOOSE = "loose"
    ROBBING = "robbing"


class Event(Enum):
    """A further fact about how the hand went; the value is its keyword."""

    LAST_TILE = "last-tile"
    FIRST_TURN = "first-turn"
    ORIGINAL_CALL = "original-call"
    KONG_ON_KONG = "kong-on-kong"
    FISHING = "fishing"


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


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as described, nothing assumed: None stands for what was not said.

    `concealed` holds the tiles in hand, without the winning one; `completes` is the meld that the
    winning tile is known to have completed, its other tiles standing in `concealed`.
    Raises HandError when no such hand can be on a table.
    """

    concealed: tuple[Tile, ...] = ()
    declared: tuple[Meld, ...] = ()
    bonus: tuple[Tile, ...] = ()
    winning: Tile | None = None
    completes: Meld | None = None
    source: Source | None = None
    events: frozenset[Event] = frozenset()
    seat: Wind | None = None
    round: Wind | None = None
    rules: str | None = None
