"""What words say of hands as rows of numbers: added, they are what a text says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.convert import SOURCE_AT, TILE_AT, WIND_AT, completes_of, declared_at
from mjasp.compiled.layout import BONUS, DECLARED, EVENTS, SOURCES, TILES, WINDS
from mjasp.hand import Kind
from mjasp.notation.compact import WORDS
from mjasp.notation.draft import UNKNOWN
from mjasp.notation.scanner import Said

__all__ = ["SAID", "Rows"]

SAID = np.dtype(
    [
        ("held", np.uint8, len(TILES)),
        ("declared", np.uint8, len(DECLARED)),
        ("bonus", np.uint8, len(BONUS)),
        ("events", np.uint8, len(EVENTS)),
        ("copies", np.uint8, len(TILES)),
        ("source", np.uint8, len(SOURCES)),
        ("seat", np.uint8, len(WINDS)),
        ("round", np.uint8, len(WINDS)),
        ("sets", np.uint8),
        ("kongs", np.uint8),
        ("won", np.uint8),
        ("odd", np.uint8),
        ("concealed", np.uint16),
        ("unknown_tiles", np.uint16),
        ("winning", np.uint16),
        ("completes", np.uint16),
        ("unused", np.uint8, 2),
    ]
)
"""How often a word, or all words of a text, say each thing that a hand can have.

`copies` counts the tiles of each kind wherever they lie, `concealed` all those of `held`. `source`,
`seat` and `round` have a place for each value. `won` counts the words that name a winning tile;
`winning` is its number, `completes` that of what it completed, from 1. `odd` counts the words that
say anything else.
"""

_STATED: dict[str, dict[Any, int]] = {"source": SOURCE_AT, "seat": WIND_AT, "round": WIND_AT}
# Rows are added as numbers of eight bytes each, so nothing may become too large for its place: a
# byte holds 60 times 4, two bytes 60 times what a word of 64 characters can say.
_MOST_WORDS = 60
_MOST = 4
_EIGHT = np.int64
# The rows of what is no word by itself, and of the end of a text.
_NO_WORD, _END, _FIRST = range(3)
_END_OF_TEXT = "\0"
_LONGEST_KEPT = 64
_MOST_ROWS = 1 << 14


class Rows:
    """The rows of the words that have been read; they are forgotten when they are too many."""

    def __init__(self) -> None:
        self._of_word = _OfWord(self._row)
        self._of_said: dict[Said, int] = {}
        self._rows = np.zeros(1 << 8, SAID)

    def sums(self, texts: Sequence[str]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """What each text says: a row of SAID each, and for which texts there is one."""
        if len(self._of_word) > _MOST_ROWS or len(self._of_said) > _MOST_ROWS:
            self._of_word.forget()
            self._of_said.clear()
        codes, starts, counts = self._codes(texts)
        read = (counts > 0) & (counts <= _MOST_WORDS)
        counts[~read] = 0
        return self._added(codes, starts, counts), read

    def _codes(self, texts: Sequence[str]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The row of each word; where each text begins among them, and how many words it has."""
        whole = f" {_END_OF_TEXT} ".join(texts)
        if whole.count(_END_OF_TEXT) >= len(texts):
            texts = ["" if _END_OF_TEXT in text else text for text in texts]
            whole = f" {_END_OF_TEXT} ".join(texts)
        codes = np.fromiter(map(self._of_word.__getitem__, whole.split(" ")), np.int64)
        ends = np.flatnonzero(codes == _END)
        starts = np.concatenate(([0], ends + 1))
        counts = np.concatenate((ends, [len(codes)])) - starts
        again = np.unique(np.searchsorted(ends, np.flatnonzero(codes == _NO_WORD)))
        more: list[int] = []
        for at in again.tolist():
            words = WORDS.of(texts[at]) or ()
            starts[at], counts[at] = len(codes) + len(more), len(words)
            more += map(self._row, words)
        return np.concatenate((codes, np.array(more, np.int64))), starts, counts

    def _added(
        self, codes: NDArray[Any], starts: NDArray[Any], counts: NDArray[Any]
    ) -> NDArray[Any]:
        """The sums of the rows of each text."""
        rows = self._rows.view(_EIGHT).reshape(len(self._rows), -1)
        longest_first = np.argsort(-counts, kind="stable")
        starts = starts[longest_first]
        sums = np.zeros((len(starts), rows.shape[1]), _EIGHT)
        for at in range(counts.max(initial=0)):  # one word of each text that has so many
            texts = np.count_nonzero(counts > at)
            sums[:texts] += rows[codes[starts[:texts] + at]]
        ordered = np.empty_like(sums)
        ordered[longest_first] = sums
        return ordered.view(SAID).reshape(len(starts))

    def _row(self, said: Said) -> int:
        """The number of the row of what a word says."""
        at = self._of_said.get(said)
        if at is None:
            at = self._of_said[said] = len(self._of_said) + _FIRST
            if at == len(self._rows):
                self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
            self._rows[at] = _row_of(said)
        return at


class _OfWord(dict[str, int]):
    """The row of each word; what is no word by itself may be one together with what follows."""

    def __init__(self, row: Callable[[Said], int]) -> None:
        super().__init__()
        self._row = row
        self.forget()

    def forget(self) -> None:
        """Forget all words."""
        self.clear()
        self[_END_OF_TEXT] = _END

    def __missing__(self, word: str) -> int:
        words = WORDS.of(word)
        at = self._row(words[0]) if words else _NO_WORD
        if len(word) <= _LONGEST_KEPT:
            self[word] = at
        return at


def _row_of(said: Said) -> NDArray[Any]:
    """What a word says, as a row of SAID."""
    row: NDArray[Any] = np.zeros(1, SAID)
    one = row[0]
    odd = _put_tiles(one, said) or _put_winning(one, said)
    for event in said.events:
        one["events"][EVENTS.index(event)] = 1
    for name, value in said.facts:
        if value is UNKNOWN or name not in _STATED:
            odd = True
        else:
            one[name][_STATED[name][value]] = 1
    if odd or max(one[name].max() for name in ("held", "declared", "bonus", "copies")) > _MOST:
        row[:] = 0
        one["odd"] = 1
    return row


def _put_tiles(one: Any, said: Said) -> bool:  # noqa: ANN401 - an element of an array
    """Put the tiles of a word into its row; whether there are any that have no place there."""
    for tile in said.concealed:
        one["held"][TILE_AT[tile]] += 1
        one["copies"][TILE_AT[tile]] += 1
    for tile in said.bonus:
        one["bonus"][TILE_AT[tile]] += 1
    one["concealed"] = len(said.concealed)
    one["unknown_tiles"] = said.unknown_tiles
    one["sets"] = len(said.declared)
    one["kongs"] = sum(meld.kind is Kind.KONG for meld in said.declared)
    for meld in said.declared:
        at = declared_at(meld)
        if at is None:
            return True
        one["declared"][at] += 1
        for tile in meld.tiles:
            one["copies"][TILE_AT[tile]] += 1
    return len(said.declared) > _MOST


def _put_winning(one: Any, said: Said) -> bool:  # noqa: ANN401 - as above
    """Put the winning tile of a word into its row; whether it, or what it completed, is none."""
    if said.winning is None:
        return False
    if said.winning.is_bonus:
        return True
    one["won"] = 1
    one["winning"] = TILE_AT[said.winning]
    one["copies"][TILE_AT[said.winning]] += 1
    if said.completes is None:
        return False
    at = completes_of(said.completes, said.winning)
    if at is None:
        return True
    one["completes"] = at + 1
    return False
