"""Texts of many hands into arrays.

Only plain texts are read: those of hands that can be at a table, without anything that has no place
in the arrays. All others are left for `mjasp.parse`, which alone tells what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.convert import WIND_AT, events_of, hand_of, put
from mjasp.compiled.layout import DECLARED, EVENTS, SOURCES, TILES, WINDS, Codes, Hands
from mjasp.compiled.said import Rows
from mjasp.compiled.texts import RESTS
from mjasp.errors import HandError
from mjasp.hand import Hand, Kind, Source
from mjasp.notation import parse
from mjasp.tiles import Wind

__all__ = ["Lines", "encode", "hand_of"]

Mask = NDArray[np.bool_]

_STATED = {"source": len(SOURCES), "seat": len(WINDS), "round": len(WINDS)}
_ROBBING = SOURCES.index(Source.ROBBING)


class Lines:
    """Reads texts into arrays; remembers what their words say.

    `seat` and `round` are an engine's, which replace those of the hands.
    """

    def __init__(self, seat: Wind | None = None, round: Wind | None = None) -> None:
        self._winds = {"seat": seat, "round": round}
        self._rows = Rows()
        self._circumstances = _Circumstances(seat, round)

    def read(self, texts: Sequence[str]) -> tuple[Hands, Mask]:
        """The hands of the plain texts, and which texts those are; the other rows are empty.

        What is read is what `Engine.score` takes as given: `mjasp.parse` reads the same hand, and
        it can be resolved, with the seat and the round of the engine.
        """
        if not texts:
            return Hands.empty(0), np.zeros(0, np.bool_)
        said, read = self._rows.sums(texts)
        hands = _hands(said)
        read &= _plain(said, hands)
        read &= self._circumstances.can_be(said, hands, read)
        _clear(hands, ~read)
        for name, wind in self._winds.items():
            if wind:
                getattr(hands, name)[read] = WIND_AT[wind]
        return hands, read


def encode(hands: Iterable[Hand | str]) -> Hands:
    """Hands, also as text, as arrays.

    Raises NotationError and HandError as `mjasp.parse` does, and ValueError for a hand with a rule
    set of its own or with facts that are said to be unknown.

    >>> encode(["[EEE] 111222333b R +R wall seat:E"]).held[0].tolist()[:4]
    [3, 3, 3, 0]
    """
    given = list(hands)
    rows, read = Lines().read([hand if isinstance(hand, str) else "" for hand in given])
    for at in np.flatnonzero(~read).tolist():
        hand = given[at]
        put(rows, at, parse(hand) if isinstance(hand, str) else hand)
    return rows


def _hands(said: NDArray[Any]) -> Hands:
    """What is said as arrays; only of plain texts is it right."""
    won = said["won"] > 0
    return Hands(
        held=np.ascontiguousarray(said["held"]),
        declared=np.ascontiguousarray(said["declared"]),
        bonus=np.ascontiguousarray(said["bonus"]),
        winning=np.where(won, said["winning"], -1).astype(np.int8),
        completes=(said["completes"].astype(np.int64) - 1).astype(np.int8),
        source=_stated(said["source"]),
        events=(said["events"] > 0).astype(np.uint8),
        seat=_stated(said["seat"]),
        round=_stated(said["round"]),
        unknown_tiles=said["unknown_tiles"].astype(np.uint8),
    )


def _stated(said: NDArray[Any]) -> Codes:
    """The value that is stated of a fact, -1 for none."""
    return np.where(said.any(axis=1), said.argmax(axis=1), -1).astype(np.int8)


def _plain(said: NDArray[Any], hands: Hands) -> Mask:
    """Of which texts the words do not contradict each other, and the tiles can be a hand's."""
    due = 13 - 3 * said["sets"].astype(np.int64)
    plain: Mask = (said["odd"] == 0) & (said["won"] <= 1) & (said["sets"] <= 4)
    plain &= said["concealed"].astype(np.int64) + said["unknown_tiles"] == due
    plain &= (said["copies"].max(axis=1) <= 4) & (said["bonus"].max(axis=1) <= 1)
    for name in _STATED:
        plain &= np.count_nonzero(said[name], axis=1) <= 1
    fixed = np.flatnonzero(plain & (hands.completes >= 0))
    rests = RESTS[hands.winning[fixed], hands.completes[fixed]]
    plain[fixed] = (rests <= hands.held[fixed]).all(axis=1)
    # A robbed tile is the fourth of a kong that another player has.
    robbed = np.flatnonzero(plain & (hands.winning >= 0) & (hands.source == _ROBBING))
    plain[robbed] = said["copies"][robbed, hands.winning[robbed]] == 1
    return plain


def _clear(hands: Hands, which: Mask) -> None:
    empty = Hands.empty(1)
    for name in Hands.__slots__:
        getattr(hands, name)[which] = getattr(empty, name)


# What the circumstances of a hand are told by, and how many values each has.
_CIRCUMSTANCES = {
    "won": 2,
    "unknown": 2,
    "sets": 5,
    "kongs": 5,
    "events": 1 << len(EVENTS),
    **{name: number + 1 for name, number in _STATED.items()},
}
_UNJUDGED, _NO, _YES = range(3)


class _Circumstances:
    """Which circumstances can be those of a hand, whatever its tiles.

    The checks of a hand judge it, once for each, of a hand that stands for all with these.
    """

    def __init__(self, seat: Wind | None, round: Wind | None) -> None:
        self._seat = seat
        self._round = round
        self._verdicts = np.full(np.prod([*_CIRCUMSTANCES.values()]), _UNJUDGED, np.uint8)

    def can_be(self, said: NDArray[Any], hands: Hands, asked: Mask) -> Mask:
        """Whether each hand asked about can be, as Hand says, and be resolved; all are plain."""
        columns = {
            "won": hands.winning >= 0,
            "unknown": hands.unknown_tiles > 0,
            "sets": said["sets"],
            "kongs": said["kongs"],
            "events": np.packbits(hands.events, axis=1, bitorder="little")[:, 0],
            **{name: getattr(hands, name) + 1 for name in _STATED},
        }
        codes = np.zeros(len(said), np.int64)
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
