"""The canonical texts of many hands, joined from pieces that the writer of the notation wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, Generic, TypeVar

import numpy as np

from mjasp.compiled.convert import completed, events_of
from mjasp.compiled.layout import (
    BONUS,
    COMPLETES,
    DECLARED,
    EVENTS,
    SOURCES,
    TILES,
    WINDS,
    Bytes,
    Hands,
)
from mjasp.hand import Hand
from mjasp.notation import write
from mjasp.tiles import Tile

__all__ = ["Kept", "Texts"]

Key = TypeVar("Key")
Value = TypeVar("Value")
_MOST = 1 << 16
# One part of the text each: bamboo, characters, dots, winds and dragons.
_GROUPS = (TILES[:9], TILES[9:18], TILES[18:27], TILES[27:])


class Kept(dict[Key, Value], Generic[Key, Value]):
    """Values by key, each made when first asked for; forgotten when they are too many."""

    def __init__(self, make: Callable[[Key], Value], most: int = _MOST) -> None:
        super().__init__()
        self._make = make
        self._most = most

    def __missing__(self, key: Key) -> Value:
        value = self._make(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value


class Texts:
    """Writes hands as `mjasp.notation.write` does; keeps the pieces it has written."""

    def __init__(self) -> None:
        self._groups = [Kept(_Group(tiles)) for tiles in _GROUPS]
        self._unknown = Kept(_unknown)
        self._bonus = Kept(_bonus)
        self._won = Kept(_won)
        self._facts = Kept(_facts)

    def of(self, hands: Hands) -> list[str]:
        """The texts, one a hand, of hands that can be at a table."""
        pieces: list[Iterator[str] | list[str]] = [_declared(hands)]
        codes = _loose(hands).astype(np.int64) @ _GROUP_WEIGHTS
        pieces += (
            map(kept.__getitem__, column)
            for kept, column in zip(self._groups, codes.T.tolist(), strict=True)
        )
        if hands.unknown_tiles.any():
            pieces.append(map(self._unknown.__getitem__, hands.unknown_tiles.tolist()))
        pieces.append(map(self._bonus.__getitem__, (hands.bonus @ _BITS).tolist()))
        won = (hands.winning.astype(np.int64) + 1) * _SOME_COMPLETES + hands.completes + 1
        pieces.append(map(self._won.__getitem__, won.tolist()))
        pieces.append(map(self._facts.__getitem__, _fact_codes(hands).tolist()))
        return [text[:-1] for text in map("".join, zip(*pieces, strict=True))]


def _piece(**stated: Any) -> str:  # noqa: ANN401 - any field of a hand
    """What is written of a hand of which only this is stated, and a space; "" for nothing.

    Only a part of a hand that has been checked, it is not checked itself.
    """
    hand, put = object.__new__(Hand), object.__setattr__
    for each in fields(Hand):
        put(hand, each.name, stated.get(each.name, each.default))
    text = write(hand)
    return f"{text} " if text else ""


# As Hand puts its declared sets in order.
_LAID_DOWN = sorted(
    range(len(DECLARED)),
    key=lambda at: (
        DECLARED[at].tiles[0].order,
        DECLARED[at].kind.order,
        DECLARED[at].exposed,
        DECLARED[at].claimed,
    ),
)
_DECLARED = [_piece(declared=(DECLARED[at],)) for at in _LAID_DOWN]


def _declared(hands: Hands) -> list[str]:
    texts = [""] * len(hands)
    laid_down = hands.declared[:, _LAID_DOWN]
    rows, columns = np.nonzero(laid_down != 0)  # numpy is much quicker with truths
    counts = laid_down[rows, columns]
    for row, column, count in zip(rows.tolist(), columns.tolist(), counts.tolist(), strict=True):
        texts[row] += _DECLARED[column] * count
    return texts


# ---- Concealed tiles: the counts of a group as the digits of a number


class _Group:
    """The tiles of a group as text, given how many there are of each."""

    def __init__(self, tiles: tuple[Tile, ...]) -> None:
        self._tiles = tiles

    def __call__(self, code: int) -> str:
        held = []
        for tile in self._tiles:
            code, count = divmod(code, 5)
            held += [tile] * count
        return _piece(concealed=tuple(held))


def _group_weights() -> Any:  # noqa: ANN401 - an array of numbers
    weights = np.zeros((len(TILES), len(_GROUPS)), np.int64)
    for group, tiles in enumerate(_GROUPS):
        for at, tile in enumerate(tiles):
            weights[TILES.index(tile), group] = 5**at
    return weights


_GROUP_WEIGHTS = _group_weights()
_SOME_COMPLETES = len(COMPLETES) + 1


def _rests() -> Bytes:
    """The tiles beside the winning one of each set that it can have completed."""
    rests = np.zeros((len(TILES), len(COMPLETES), len(TILES)), np.uint8)
    for winning, tile in enumerate(TILES):
        for completes in range(len(COMPLETES)):
            meld = completed(winning, completes)
            for other in meld.without(tile) if meld else ():
                rests[winning, completes, TILES.index(other)] += 1
    return rests


RESTS = _rests()


def _loose(hands: Hands) -> Bytes:
    """The concealed tiles beside those that the winning tile is known to have completed."""
    known = np.flatnonzero(hands.completes >= 0)
    if not known.size:
        return hands.held
    loose = hands.held.copy()
    loose[known] -= RESTS[hands.winning[known], hands.completes[known]]
    return loose


# ---- The rest, each piece by a number that tells all of it

_BITS = 1 << np.arange(max(len(BONUS), len(EVENTS)), dtype=np.int64)


def _unknown(count: int) -> str:
    return _piece(unknown_tiles=count)


def _bonus(code: int) -> str:
    return _piece(bonus=tuple(tile for at, tile in enumerate(BONUS) if code >> at & 1))


def _won(code: int) -> str:
    winning, completes = (part - 1 for part in divmod(code, _SOME_COMPLETES))
    if winning < 0:
        return ""
    meld = completed(winning, completes) if completes >= 0 else None
    tile = TILES[winning]
    return _piece(concealed=meld.without(tile) if meld else (), winning=tile, completes=meld)


def _fact_codes(hands: Hands) -> Any:  # noqa: ANN401 - an array of numbers
    codes = hands.events.astype(np.int64) @ _BITS[: len(EVENTS)]
    for facts, values in ((hands.source, SOURCES), (hands.seat, WINDS), (hands.round, WINDS)):
        codes = codes * (len(values) + 1) + facts + 1
    return codes


def _facts(code: int) -> str:
    stated = {}
    for name, values in (("round", WINDS), ("seat", WINDS), ("source", SOURCES)):
        code, value = divmod(code, len(values) + 1)
        stated[name] = values[value - 1] if value else None
    return _piece(events=events_of([code >> at & 1 for at in range(len(EVENTS))]), **stated)
