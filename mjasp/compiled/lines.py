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

from mjasp.compiled.convert import WIND_AT, hand_of, put
from mjasp.compiled.gate import STATED, Circumstances, Counts, fitting
from mjasp.compiled.layout import Codes, Hands
from mjasp.compiled.said import Rows
from mjasp.errors import HandError, NotationError
from mjasp.hand import Hand
from mjasp.notation import parse
from mjasp.tiles import Wind

__all__ = ["Lines", "encode", "hand_of"]

Mask = NDArray[np.bool_]


class Lines:
    """Reads texts into arrays; remembers what their words say.

    `seat` and `round` are an engine's, which replace those of the hands.
    """

    def __init__(self, seat: Wind | None = None, round: Wind | None = None) -> None:
        self._winds = {"seat": seat, "round": round}
        self._rows = Rows()
        self._circumstances = Circumstances(seat, round)

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
        read &= self._circumstances.can_be(hands, _counts(said), read)
        _clear(hands, ~read)
        for name, wind in self._winds.items():
            if wind:
                getattr(hands, name)[read] = WIND_AT[wind]
        return hands, read


def encode(hands: Iterable[Hand | str]) -> Hands:
    """Hands, also as text, as arrays.

    Raises NotationError and HandError as `mjasp.parse` does, ValueError for a hand with a rule set
    of its own or with facts that are said to be unknown, and TypeError for what is neither a hand
    nor a text. Each tells the number of the hand, from 0.

    >>> encode(["[EEE] 111222333b R +R wall seat:E"]).held[0].tolist()[:4]
    [3, 3, 3, 0]
    """
    if isinstance(hands, str | Hand):
        found = "a text" if isinstance(hands, str) else "a Hand"
        raise TypeError(
            f"hands are a sequence of texts and mjasp.Hand, not {found}: put it in a list"
        )
    given = list(hands)
    rows, read = Lines().read([hand if isinstance(hand, str) else "" for hand in given])
    for at in np.flatnonzero(~read).tolist():
        put(rows, at, _parsed(given[at], at))
    return rows


def _parsed(given: Hand | str, at: int) -> Hand:
    """A hand of many; what is wrong with it is told with its number."""
    if isinstance(given, Hand):
        return given
    if not isinstance(given, str):
        raise TypeError(f"hand {at}: a text or an mjasp.Hand is wanted, not {type(given).__name__}")
    try:
        return parse(given)
    except (HandError, NotationError) as error:
        told = (replace(each, message=f"hand {at}: {each.message}") for each in error.problems)
        raise type(error)(*told, text=error.text) from None


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
    plain: Mask = (said["odd"] == 0) & (said["won"] <= 1)
    for name in STATED:
        plain &= np.count_nonzero(said[name], axis=1) <= 1
    return fitting(hands, _counts(said), plain)


def _counts(said: NDArray[Any]) -> Counts:
    concealed = said["concealed"].astype(np.int64) + said["unknown_tiles"]
    return Counts(said["sets"], said["kongs"], concealed, said["copies"])


def _clear(hands: Hands, which: Mask) -> None:
    empty = Hands.empty(1)
    for name in Hands.__slots__:
        getattr(hands, name)[which] = getattr(empty, name)
