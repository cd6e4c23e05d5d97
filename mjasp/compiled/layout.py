"""Hands as arrays: many at once, one row a hand."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjasp.parts import Event, Kind, Meld, Source
from mjasp.tiles import Tile, Wind

__all__ = ["COMPLETES", "DECLARED", "EVENTS", "SOURCES", "TILES", "WINDS", "Hands"]

Bytes = NDArray[np.uint8]
Codes = NDArray[np.int8]

TILES = tuple(tile for tile in Tile if not tile.is_bonus)
"""The 34 kinds of tile that make sets, in order."""

BONUS = tuple(tile for tile in Tile if tile.is_bonus)
SOURCES = tuple(Source)
EVENTS = tuple(Event)
WINDS = tuple(Wind)


def _declared() -> tuple[Meld, ...]:
    chows = [(Kind.CHOW, TILES[at : at + 3], True, False) for at in range(27) if at % 9 < 7]
    pungs = [(Kind.PUNG, (tile,) * 3, True, False) for tile in TILES]
    kongs = [
        (Kind.KONG, (tile,) * 4, exposed, claimed)
        for exposed, claimed in ((True, False), (False, False), (True, True))
        for tile in TILES
    ]
    return tuple(
        Meld(kind, tiles, exposed, declared=True, claimed=claimed)
        for kind, tiles, exposed, claimed in (*chows, *pungs, *kongs)
    )


DECLARED = _declared()
"""The 157 sets that can lie declared: chows, pungs, kongs exposed, concealed, claimed."""

COMPLETES: tuple[tuple[Kind, int], ...] = (
    *((Kind.CHOW, place) for place in range(3)),
    (Kind.PUNG, 0),
    (Kind.PAIR, 0),
)
"""What a hand may state of the set that the winning tile completed: its kind, and the winning
tile's place in it."""


@dataclass(frozen=True, slots=True, eq=False)  # arrays have no one answer to ==
class Hands:
    """N hands that can be at a table, as arrays; -1 stands for what is not stated.

    Other facts than these make a hand one for `mjasp.score`: facts said to be unknown, and a rule
    set of its own.
    """

    held: Bytes
    """(N, 34): how many of each of TILES are concealed, without the winning tile."""
    declared: Bytes
    """(N, 157): how many of each of DECLARED lie on the table."""
    bonus: Bytes
    """(N, 8): 1 for each flower and season, f1 to f4 and s1 to s4."""
    winning: Codes
    """(N,): the winning tile among TILES, -1 for a hand that did not win."""
    completes: Codes
    """(N,): what it completed among COMPLETES."""
    source: Codes
    """(N,): how it came among wall, discard, loose, robbing."""
    events: Bytes
    """(N, 5): 1 for last-tile, first-turn, original-call, kong-on-kong, fishing."""
    seat: Codes
    """(N,): the seat wind among E, S, W, N."""
    round: Codes
    """(N,): the round wind."""
    unknown_tiles: Bytes
    """(N,): how many concealed tiles of a hand that did not win nobody knows."""

    def __len__(self) -> int:
        return len(self.winning)

    @classmethod
    def empty(cls, number: int) -> Hands:
        """Hands of which nothing is stated yet."""
        rows = {"held": 34, "declared": len(DECLARED), "bonus": 8, "events": len(EVENTS)}
        arrays: dict[str, Any] = {}
        for each in fields(cls):
            if each.name in rows:
                arrays[each.name] = np.zeros((number, rows[each.name]), np.uint8)
            elif each.name == "unknown_tiles":
                arrays[each.name] = np.zeros(number, np.uint8)
            else:
                arrays[each.name] = np.full(number, -1, np.int8)
        return cls(**arrays)

    def take(self, which: NDArray[Any] | slice) -> Hands:
        """Some of the hands: by their indices, or by a mask; a slice copies nothing."""
        return Hands(*(getattr(self, each.name)[which] for each in fields(self)))

    def resolved(self) -> Hands:
        """The hands with what a text may leave out, as `Hand.resolved` has it.

        Seat and round are East's; a winning tile was a discard, or East's from the wall on the
        first turn.
        """
        first_turn = self.events[:, EVENTS.index(Event.FIRST_TURN)] != 0
        discard, wall = SOURCES.index(Source.DISCARD), SOURCES.index(Source.WALL)
        stated = self.seat >= 0
        others = first_turn & (self.source == discard) & ~stated
        seat = np.where(stated, self.seat, 0).astype(np.int8)
        if others.any():
            raise ValueError("first-turn with discard needs a seat")
        came = np.where(first_turn & (seat == 0), wall, discard)
        assumed = (self.winning >= 0) & (self.source < 0)
        return Hands(
            self.held,
            self.declared,
            self.bonus,
            self.winning,
            self.completes,
            np.where(assumed, came, self.source).astype(np.int8),
            self.events,
            seat,
            np.where(self.round >= 0, self.round, 0).astype(np.int8),
            self.unknown_tiles,
        )
