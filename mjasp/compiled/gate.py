"""Which rows of arrays are hands that can be at a table, without making a Hand of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.convert import events_of
from mjasp.compiled.layout import DECLARED, EVENTS, SOURCES, TILES, WINDS, Hands
from mjasp.compiled.texts import RESTS
from mjasp.errors import HandError
from mjasp.hand import Hand, Kind, Source
from mjasp.tiles import Wind

__all__ = ["STATED", "Circumstances", "Counts", "counts_of", "fitting"]

Mask = NDArray[np.bool_]

STATED = {"source": len(SOURCES), "seat": len(WINDS), "round": len(WINDS)}
"""The facts that have a code among so many, -1 where they are not stated."""

_ROBBING = SOURCES.index(Source.ROBBING)
# The tiles of each set that can be declared, padded to four with a tile that is none.
_TILES_OF = np.array(
    [[*map(TILES.index, meld.tiles), *[len(TILES)] * (4 - len(meld.tiles))] for meld in DECLARED]
)
_IS_KONG = np.array([meld.kind is Kind.KONG for meld in DECLARED])
_CAN_COMPLETE: Mask = np.count_nonzero(RESTS, axis=2) > 0


class Counts(NamedTuple):
    """Of each hand: how many sets and kongs are declared, how many tiles are concealed.

    Those of `concealed` that nobody knows are among them. `copies` (N, 34) are how many of each
    tile the hand has, wherever they lie.
    """

    sets: NDArray[Any]
    kongs: NDArray[Any]
    concealed: NDArray[Any]
    copies: NDArray[Any]


def counts_of(hands: Hands) -> Counts:
    """The counts of hands, of each of which no part is more than 4 times there."""
    number, width = len(hands), len(TILES) + 1
    hand, declared = np.divmod(np.flatnonzero(hands.declared != 0), len(DECLARED))
    times = hands.declared[hand, declared]
    places = hand[:, None] * width + _TILES_OF[declared]
    laid = np.bincount(places.ravel(), np.repeat(times, 4), width * number)
    copies = laid.reshape(number, width)[:, :-1].astype(np.int64) + hands.held
    won = np.flatnonzero(hands.winning >= 0)
    copies[won, hands.winning[won]] += 1
    return Counts(
        sets=np.bincount(hand, times, number).astype(np.int64),
        kongs=np.bincount(hand, times * _IS_KONG[declared], number).astype(np.int64),
        concealed=hands.held.sum(axis=1, dtype=np.int64) + hands.unknown_tiles,
        copies=copies,
    )


def fitting(hands: Hands, counts: Counts, asked: Mask) -> Mask:
    """Which of the hands asked about have tiles that can be a hand's; each part has a value."""
    due = 13 - 3 * counts.sets.astype(np.int64)
    fits: Mask = asked & (counts.sets <= 4) & (counts.concealed == due)
    fits &= (counts.copies <= 4).all(axis=1) & (hands.bonus <= 1).all(axis=1)
    fits &= (hands.completes < 0) | (hands.winning >= 0)
    fixed = np.flatnonzero(fits & (hands.completes >= 0))
    winning, completes = hands.winning[fixed], hands.completes[fixed]
    fits[fixed] = (RESTS[winning, completes] <= hands.held[fixed]).all(axis=1)
    fits[fixed] &= _CAN_COMPLETE[winning, completes]
    # A robbed tile is the fourth of a kong that another player has.
    robbed = np.flatnonzero(fits & (hands.winning >= 0) & (hands.source == _ROBBING))
    fits[robbed] = counts.copies[robbed, hands.winning[robbed]] == 1
    return fits


# What the circumstances of a hand are told by, and how many values each has.
_CIRCUMSTANCES = {
    "won": 2,
    "unknown": 2,
    "sets": 5,
    "kongs": 5,
    "events": 1 << len(EVENTS),
    **{name: number + 1 for name, number in STATED.items()},
}
_UNJUDGED, _NO, _YES = range(3)


class Circumstances:
    """Which circumstances can be those of a hand, whatever its tiles.

    The checks of a hand judge it, once for each, of a hand that stands for all with these.
    """

    def __init__(self, seat: Wind | None, round: Wind | None) -> None:
        self._seat = seat
        self._round = round
        self._verdicts = np.full(np.prod([*_CIRCUMSTANCES.values()]), _UNJUDGED, np.uint8)

    def can_be(self, hands: Hands, counts: Counts, asked: Mask) -> Mask:
        """Whether each hand asked about can be, as Hand says, and be resolved; all of those fit."""
        columns = {
            "won": hands.winning >= 0,
            "unknown": hands.unknown_tiles > 0,
            "sets": counts.sets,
            "kongs": counts.kongs,
            "events": np.packbits(hands.events, axis=1, bitorder="little")[:, 0],
            **{name: getattr(hands, name) + 1 for name in STATED},
        }
        codes = np.zeros(len(hands), np.int64)
        for name, number in _CIRCUMSTANCES.items():
            codes = codes * number + columns[name]
        codes[~asked] = 0
        unjudged = self._verdicts[codes] == _UNJUDGED
        for code in np.unique(codes[unjudged]).tolist():
            self._verdicts[code] = _YES if self._judged(code) else _NO
        can_be: Mask = self._verdicts[codes] == _YES
        return can_be

    def _judged(self, code: int) -> bool:
        values: dict[str, int] = {}
        for name, number in reversed(_CIRCUMSTANCES.items()):
            code, values[name] = divmod(code, number)
        try:
            hand = _standing_for(**values)
            seat, round_ = self._seat or hand.seat, self._round or hand.round
            replace(hand, seat=seat, round=round_).resolved()
        except HandError:
            return False
        return True


def _standing_for(
    *,
    won: int,
    unknown: int,
    sets: int,
    kongs: int,
    events: int,
    source: int,
    seat: int,
    round: int,
) -> Hand:
    """A hand with these circumstances. Raises HandError where none can have them."""
    pungs, all_kongs = (
        [meld for meld in DECLARED if meld.kind is kind and not meld.claimed]
        for kind in (Kind.PUNG, Kind.KONG)
    )
    return Hand(
        concealed=TILES[4 : 4 + 13 - 3 * sets - unknown],
        declared=(*all_kongs[:kongs], *pungs[kongs:sets]),
        winning=TILES[-1] if won else None,
        source=SOURCES[source - 1] if source else None,
        events=events_of([events >> at & 1 for at in range(len(EVENTS))]),
        seat=WINDS[seat - 1] if seat else None,
        round=WINDS[round - 1] if round else None,
        unknown_tiles=unknown,
    )
