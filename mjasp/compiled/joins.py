"""The divisions of many hands at once: the rows of their parts, joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.divisions import Divisions, Row
from mjasp.compiled.program import WITH_PAIR

__all__ = ["Columns", "Joins", "spread"]

Numbers = NDArray[np.int64]
Small = NDArray[np.int32]
Floats = NDArray[np.float32]

_KINDS = (9, 9, 9, 7)
_PART = np.repeat(np.arange(4), _KINDS)
_IN_PART = (_PART[:, None] == np.arange(4)).astype(np.float32)
# The counts of a part are the digits of its number, in floats: those are multiplied much faster
# than integers, and are exact up to 2**24.
_PLACES = (_IN_PART * 5.0 ** (np.arange(34) - 9 * _PART)[:, None]).astype(np.float32)
# So are the counts of a rank, which no honour has.
_RANKS = np.zeros((34, 9), np.float32)
_RANKS[np.arange(27), np.arange(27) % 9] = 5.0 ** (np.arange(27) // 9)
# What is left over in the four parts, as digits: a 2 in one of them and no 1.
_DIGITS = 3 ** np.arange(4)
_WITH_ONE_PAIR = 2 * _DIGITS
_TILES_OF_CODE = np.array([code % 5 + code // 5 % 5 + code // 25 for code in range(125)])
_MOST_PATTERNS = 1 << 14
_ELSEWHERE = 9  # in place of the winning tile's place in its part


@dataclass(frozen=True, slots=True)
class Columns:
    """Models in the making: of each its hand, its winning tile, and what is chosen in it.

    `hand` and `winning` (M) are numbers, `winning` that of the tile won on or tried, -1 for none.
    The pairs of `at` and `chosen` (P) say which choices stand in which column; a choice is a number
    of `Joins.choices`.
    """

    hand: Numbers
    winning: Numbers
    at: Numbers
    chosen: Numbers

    def __len__(self) -> int:
        return len(self.hand)

    @classmethod
    def of(cls, hand: Numbers, winning: Numbers) -> Columns:
        """A column for each hand, in which nothing is chosen."""
        none = np.zeros(0, np.int64)
        return cls(hand, winning, none, none)

    @classmethod
    def joined(cls, parts: Sequence[Columns]) -> Columns:
        """The columns of the parts, one after another."""
        before = np.cumsum([0, *(len(part) for part in parts[:-1])])
        return cls(
            np.concatenate([part.hand for part in parts]),
            np.concatenate([part.winning for part in parts]),
            np.concatenate([part.at + at for part, at in zip(parts, before, strict=True)]),
            np.concatenate([part.chosen for part in parts]),
        )

    def only(self, which: NDArray[np.bool_]) -> Columns:
        """Some of the columns: those where the mask (M) is true."""
        kept = which[self.at]
        place = np.cumsum(which) - 1
        return Columns(
            self.hand[which], self.winning[which], place[self.at[kept]], self.chosen[kept]
        )

    def choosing(self, choice: int) -> Columns:
        """The same columns with one choice more in each."""
        every = np.arange(len(self))
        return Columns(
            self.hand,
            self.winning,
            np.concatenate([self.at, every]),
            np.concatenate([self.chosen, np.full(len(self), choice)]),
        )


def spread(first: Numbers, number: Numbers) -> tuple[Numbers, Numbers]:
    """For each n the numbers from first[n] on, number[n] of them, and that n beside each.

    >>> spread(np.array([5, 0, 7]), np.array([2, 0, 1]))
    (array([0, 0, 2]), array([5, 6, 7]))
    """
    owner = np.repeat(np.arange(len(first)), number)
    return owner, np.arange(len(owner)) - np.repeat(_before(number) - first, number)


def _before(numbers: Numbers) -> Numbers:
    """The sum of all numbers before each."""
    before: Numbers = np.cumsum(numbers) - numbers
    return before


_Rows = Iterable[tuple[int, Sequence[int]]]  # the tile drawn and the choices of each


class _Arrays(NamedTuple):
    """The rows of a table: of each pattern the first one and how many; the choices likewise.

    `drawn` is the tile that is drawn for a row, -1 where none is.
    """

    first_row: Numbers
    rows: Numbers
    first_choice: Numbers
    number: Numbers
    drawn: Numbers
    choices: Numbers


class _Table:
    """Rows of choices by key, as `arrays`: they grow as keys are met."""

    def __init__(self) -> None:
        self.arrays = _Arrays(*(np.zeros(0, np.int64) for _ in _Arrays._fields))
        self._numbers = np.zeros(0, np.int32)  # by key, -1 for one that is not met yet

    def numbers(self, keys: NDArray[Any], ask: Callable[[int], _Rows]) -> Small:
        """The number of each key, which is a small one; `ask` gives the rows of one that is new."""
        missing = int(keys.max(initial=0)) + 1 - len(self._numbers)
        if missing > 0:
            more = np.full(max(missing, len(self._numbers)), -1, np.int32)
            self._numbers = np.concatenate([self._numbers, more])
        found: Small = self._numbers[keys]
        new = np.unique(keys[found < 0])
        if len(new):
            before = len(self.arrays.rows)
            self._add([list(ask(key)) for key in new.tolist()])
            self._numbers[new] = np.arange(before, before + len(new))
            found = self._numbers[keys]
        return found

    def _add(self, new: Sequence[Sequence[tuple[int, Sequence[int]]]]) -> None:
        """Add the rows of keys behind those that there are."""
        drawn, chosen = zip(*chain.from_iterable(new), strict=True) if any(new) else ((), ())
        rows = np.array(list(map(len, new)), np.int64)
        number = np.array(list(map(len, chosen)), np.int64)
        more = _Arrays(
            first_row=len(self.arrays.drawn) + _before(rows),
            rows=rows,
            first_choice=len(self.arrays.choices) + _before(number),
            number=number,
            drawn=np.array(drawn, np.int64),
            choices=np.array(list(chain.from_iterable(chosen)), np.int64),
        )
        self.arrays = _Arrays(*map(np.concatenate, zip(self.arrays, more, strict=True)))


class _Tables:
    """The patterns of parts by number, and the rows of each part by those numbers.

    `won` and `drawn` have a table for each part.
    """

    def __init__(self) -> None:
        self.won = [_Table() for _ in _KINDS]
        self.drawn = [_Table() for _ in _KINDS]
        self._numbers = np.zeros(5**9, np.int32)  # by code, what is not met yet is 0
        self._counts: list[tuple[int, ...]] = [()]

    def numbers(self, codes: Numbers) -> Small:
        """The number of each code."""
        found: Small = self._numbers[codes]
        for code in np.unique(codes[found == 0]).tolist():
            self._numbers[code] = len(self._counts)
            self._counts.append(_counts(code, 9))
        return self._numbers[codes]

    def counts(self, number: int, part: int) -> tuple[int, ...]:
        """How many tiles of each kind of a part a pattern has."""
        return self._counts[number][: _KINDS[part]]

    @property
    def full(self) -> bool:
        """Whether there are more patterns than should be kept."""
        return len(self._counts) > _MOST_PATTERNS


_Patterns = tuple[_Table, Small]


class Joins:
    """The divisions of hands as columns; asks `divisions` for each pattern once.

    `choices` numbers what can be chosen, by name as clingo writes it.
    """

    def __init__(self, divisions: Divisions) -> None:
        self._divisions = divisions
        self.choices: dict[str, int] = {}
        self._tables = _Tables()
        self._knitted: dict[tuple[str, int], _Table] = {}

    def number(self, choice: str) -> int:
        """The number of a choice."""
        return self.choices.setdefault(choice, len(self.choices))

    def divided(self, held: Floats, winning: Numbers, hand: Numbers) -> Columns:
        """Each division of hands with these concealed tiles (M, 34), won on these (M)."""
        have = held.copy()
        have[np.arange(len(have)), winning] += 1
        left_over = _left_over(have)
        whole = _one_pair(left_over)
        have, winning, hand = have[whole], winning[whole], hand[whole]
        numbers = self._numbers(have)
        part = np.minimum(winning // 9, 3)
        place = winning - 9 * part
        patterns = [
            self._won_on(at, numbers[at], np.where(part == at, place, _ELSEWHERE))
            for at in range(4)
        ]
        return self._join(patterns, hand, winning)

    def drawn(self, held: Floats, hand: Numbers) -> Columns:
        """Each division of hands with these concealed tiles (M, 34) and any tile more."""
        left_over, numbers = _left_over(held), self._numbers(held)
        found = []
        for part in range(4):
            with_tile = left_over.copy()
            with_tile[:, part] = (with_tile[:, part] + 1) % 3
            which = np.flatnonzero(_one_pair(with_tile))
            patterns = [
                self._drawn_to(part, numbers[part, which])
                if at == part
                else self._won_on(at, numbers[at, which], _ELSEWHERE)
                for at in range(4)
            ]
            found.append(self._join(patterns, hand[which], None))
        return Columns.joined(found)

    def knitted(self, shape: str, held: Floats, read: Columns) -> Columns:
        """Each way to read columns as a knitted shape; `held` is of all hands (N, 34)."""
        asked = np.zeros(len(held), bool)
        asked[read.hand] = True
        row = (np.cumsum(asked) - 1)[read.hand]
        codes = (held[asked] @ _RANKS).astype(np.int64)
        # The winning tile changes one rank: where another cannot be divided, nothing helps.
        dead = np.stack([self._undivided(shape, at + 1, codes[:, at]) for at in range(9)], axis=1)
        suit, rank = np.divmod(read.winning, 9)
        some = np.flatnonzero((suit < 3) & (dead.sum(axis=1)[row] == dead[row, rank]))
        hand, winning = read.hand[some], read.winning[some]
        codes = codes[row[some]]
        codes[np.arange(len(some)), rank[some]] += 5 ** suit[some]
        if shape == WITH_PAIR:
            whole = np.flatnonzero((_TILES_OF_CODE[codes] % 3 == 2).sum(axis=1) == 1)
            codes, hand, winning = codes[whole], hand[whole], winning[whole]
        patterns = [self._knit(shape, at + 1, codes[:, at]) for at in range(9)]
        return self._join(patterns, hand, winning)

    def _undivided(self, shape: str, rank: int, codes: Numbers) -> NDArray[np.bool_]:
        table, numbers = self._knit(shape, rank, codes)
        none: NDArray[np.bool_] = table.arrays.rows[numbers] == 0
        return none

    # ---- Patterns

    def _numbers(self, counts: Floats) -> Small:
        """The number of the pattern in each part of hands: (4, M)."""
        if self._tables.full:
            self._tables = _Tables()
        return self._tables.numbers((counts @ _PLACES).astype(np.int64).T)

    def _won_on(self, part: int, numbers: Small, place: Numbers | int) -> _Patterns:
        """The rows of a part; `place` is that of the winning tile in it."""

        def ask(key: int) -> _Rows:
            number, at = divmod(key, _ELSEWHERE + 1)
            winning = None if at == _ELSEWHERE else at
            return self._rows(self._divisions.part(part, counts(number, part), winning))

        table, counts = self._tables.won[part], self._tables.counts
        return table, table.numbers(numbers * (_ELSEWHERE + 1) + place, ask)

    def _drawn_to(self, part: int, numbers: Small) -> _Patterns:
        """The rows of a part with any tile more, the tile beside each."""

        def ask(number: int) -> _Rows:
            counts = self._tables.counts(number, part)
            for at, count in enumerate(counts):
                if count < 4:
                    with_tile = (*counts[:at], count + 1, *counts[at + 1 :])
                    for _, row in self._rows(self._divisions.part(part, with_tile, at)):
                        yield 9 * part + at, row

        table = self._tables.drawn[part]
        return table, table.numbers(numbers, ask)

    def _knit(self, shape: str, rank: int, codes: Numbers) -> _Patterns:
        def ask(code: int) -> _Rows:
            bamboo, characters, dots = _counts(code, 3)
            return self._rows(self._divisions.knitted(shape, rank, (bamboo, characters, dots)))

        table = self._knitted.setdefault((shape, rank), _Table())
        return table, table.numbers(codes, ask)

    def _rows(self, rows: Iterable[Row]) -> _Rows:
        return ((-1, [self.number(choice) for choice in row]) for row in rows)

    # ---- Joining

    @staticmethod
    def _join(patterns: Sequence[_Patterns], hand: Numbers, winning: Numbers | None) -> Columns:
        """A column for each combination of the parts' rows; without `winning` the rows tell it."""
        tables = [(table.arrays, numbers) for table, numbers in patterns]
        rows = [arrays.rows[numbers] for arrays, numbers in tables]
        owner, rest = spread(np.zeros(len(hand), np.int64), np.prod(rows, axis=0))
        told = np.full(len(owner), -1) if winning is None else winning[owner]
        at, chosen = [], []
        for (arrays, numbers), number in zip(tables, rows, strict=True):
            rest, digit = np.divmod(rest, number[owner])
            row = arrays.first_row[numbers[owner]] + digit
            column, place = spread(arrays.first_choice[row], arrays.number[row])
            at.append(column)
            chosen.append(arrays.choices[place])
            if winning is None:
                told = np.maximum(told, arrays.drawn[row])
        return Columns(hand[owner], told, np.concatenate(at), np.concatenate(chosen))


def _left_over(counts: Floats) -> Numbers:
    """What is left of each part's number of tiles in sets of three: (M, 4)."""
    numbers: Numbers = (counts @ _IN_PART).astype(np.int64)
    return numbers % 3


def _one_pair(left_over: Numbers) -> NDArray[np.bool_]:
    """Where one part holds a pair and the others sets alone."""
    one: NDArray[np.bool_] = np.isin(left_over @ _DIGITS, _WITH_ONE_PAIR)
    return one


def _counts(code: int, kinds: int) -> tuple[int, ...]:
    """How many tiles of each kind a code stands for: its digits."""
    return tuple(code // 5**at % 5 for at in range(kinds))
