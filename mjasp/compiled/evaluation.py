"""A program of a rule set evaluated for many hands at once: columns in, shown atoms out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.circuit import ALL, NONE, Circuit, Vectors
from mjasp.compiled.joins import Columns, Joins
from mjasp.compiled.layout import TILES
from mjasp.compiled.program import ASSURED, STAGES
from mjasp.compiled.stated import Stated
from mjasp.facts import tile_term
from mjasp.solver import ObservedProgram, Term

__all__ = ["Evaluation", "Models"]

Decoded = TypeVar("Decoded")
Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_TRIED = [f"tried({tile_term(tile)})" for tile in TILES]


@dataclass(frozen=True, slots=True)
class Models:
    """The models of many hands: which hand each is of, its winning or tried tile, what it shows.

    `shown` has a row for each of the numbers `rows`, which are those of what the program shows, and
    a bit for each model; what no model shows may be left out.
    """

    hand: Numbers
    winning: Numbers
    rows: Numbers
    shown: Bits

    @classmethod
    def joined(cls, one: Models, other: Models) -> Models:
        """The models of both."""
        rows = np.union1d(one.rows, other.rows)
        shown = np.zeros((len(rows), len(one.hand) + len(other.hand)), bool)
        shown[np.searchsorted(rows, one.rows), : len(one.hand)] = one.shown
        shown[np.searchsorted(rows, other.rows), len(one.hand) :] = other.shown
        return cls(
            np.concatenate([one.hand, other.hand]),
            np.concatenate([one.winning, other.winning]),
            rows,
            shown,
        )


class Evaluation(Generic[Decoded]):
    """A program of a rule set under some readings, for many hands at once.

    Raises NotEvaluable where the program cannot be compiled.
    """

    def __init__(
        self,
        texts: Iterable[str],
        decode: Callable[[Term], Decoded],
        joins: Joins,
        settled: Mapping[str, bool],
    ) -> None:
        program = ObservedProgram(texts, decode)
        inputs = {
            name for name, atom in program.ground.names.items() if atom in program.ground.inputs
        }
        self._circuit = circuit = Circuit(
            program.ground,
            STAGES,
            ASSURED,
            {name: value for name, value in settled.items() if name in inputs},
        )
        self._joins = joins
        self.shown = [(term, decode(term)) for term, _ in circuit.shown]
        self.tries = any(name.startswith("tried(") for name in circuit.choices)
        self._places = [place for _, place in circuit.shown]
        self._tried = [circuit.choices.get(tried, NONE) for tried in _TRIED]
        self._knitted = {
            name[len("knitted_shape(") : -1]
            for name in program.ground.names
            if name.startswith("knitted_shape(")
        }

    def models(self, stated: Stated, hands: Numbers) -> Models:
        """Every model of some of the hands, those of a hand together.

        Where the program tries tiles, each tile is tried of which there is a copy.
        """
        columns = self._columns(stated, hands)
        vectors = self._vectors(stated, columns)
        run, broken = self._circuit.run, self._circuit.broken
        run[0](vectors, _ignore)
        run[1](vectors, _ignore)
        source, models = self._count(
            vectors, len(columns), ~(vectors[broken[0]] | vectors[broken[1]])
        )
        run[2](vectors, _ignore)
        models &= ~vectors[broken[2]]
        number = len(source)
        which = np.flatnonzero(_bits(models, number))
        source = source[which]
        held = [(row, vectors[place]) for row, place in enumerate(self._places) if vectors[place]]
        shown = _unpacked([vector for _, vector in held], number)
        if len(which) < number:
            shown = np.take(shown, which, axis=1)
        rows = np.array([row for row, _ in held], np.int64)
        return Models(columns.hand[source], columns.winning[source], rows, shown)

    # ---- Columns

    def _columns(self, stated: Stated, which: Numbers) -> Columns:
        hands = stated.hands
        held = hands.held.astype(np.float32)  # see joins.py
        winning = hands.winning.astype(np.int64)
        # No shape has a declared set: STAGES has that asked for.
        maybe = which[stated.bare[which]]
        if self.tries:
            left = stated.copies < 4
            divided = self._joins.drawn(held[which], which)
            divided = divided.only(left[divided.winning, divided.hand])
            tried = (
                (place, each.only(left[each.winning, each.hand]))
                for place, each in self._tried_shapes(stated, maybe)
            )
            return Columns.joined([divided, *self._shaped(held, tried)])
        won, lost = which[winning[which] >= 0], which[winning[which] < 0]
        divided = self._joins.divided(held[won], winning[won], won)
        maybe = maybe[winning[maybe] >= 0]
        read = self._shapes(stated, Columns.of(maybe, winning[maybe]))
        return Columns.joined([divided, *self._shaped(held, read), Columns.of(lost, winning[lost])])

    def _shapes(self, stated: Stated, columns: Columns) -> Iterator[tuple[str, Columns]]:
        """The shapes that some columns may be read as, and which."""
        if self._circuit.offers[1] and len(columns):
            vectors = self._vectors(stated, columns)
            self._circuit.run[0](vectors, _ignore)
            for name, place in self._circuit.offers[1].items():
                if vectors[place]:
                    yield name, columns.only(_bits(vectors[place], len(columns)))

    def _tried_shapes(self, stated: Stated, hands: Numbers) -> Iterator[tuple[str, Columns]]:
        """The shapes that hands may be read as with any tile more, though there may be no fifth.

        There is a stretch of columns for each tile, all alike but for that tile: so the vectors are
        one stretch, repeated.
        """
        offers, number = self._circuit.offers[1], len(hands)
        if not offers or not number:
            return
        bytes_ = (number + 7) // 8
        vectors = [0] * self._circuit.size
        every = ((1 << number) - 1).to_bytes(bytes_, "little")
        vectors[ALL] = int.from_bytes(every * len(TILES), "little")
        places, truths = self._told(stated, hands)
        for place, row in zip(places, np.packbits(truths, axis=1, bitorder="little"), strict=True):
            if row.any():
                vectors[place] = int.from_bytes(row.tobytes() * len(TILES), "little")
        for at, place in enumerate(self._tried):
            vectors[place] |= ((1 << number) - 1) << (8 * bytes_ * at)
        self._circuit.run[0](vectors, _ignore)
        for name, place in offers.items():
            if vectors[place]:
                found = np.flatnonzero(_bits(vectors[place], 8 * bytes_ * len(TILES)))
                tile, hand = np.divmod(found, 8 * bytes_)
                yield name, Columns.of(hands[hand], tile)

    def _shaped(
        self, held: NDArray[np.float32], read: Iterable[tuple[str, Columns]]
    ) -> Iterator[Columns]:
        """The columns of hands that are read as shapes."""
        for name, columns in read:
            shape = name[len("matched(") : -1]
            choice = self._joins.number(name)
            if shape in self._knitted:
                yield self._joins.knitted(shape, held, columns).choosing(choice)
            else:
                yield columns.choosing(choice)

    def _told(self, stated: Stated, which: Numbers) -> tuple[list[int], Bits]:
        """What is stated of some hand and looked at: the places, and of which hands (., M)."""
        inputs = self._circuit.inputs
        told = [(inputs[fact], row) for fact, row in stated.rows.items() if fact in inputs]
        truths = np.empty((len(told), len(which)), bool)
        for (_, row), truth in zip(told, truths, strict=True):
            np.take(row, which, out=truth, mode="clip")  # faster than to look for mistakes
        return [place for place, _ in told], truths

    def _vectors(self, stated: Stated, columns: Columns) -> Vectors:
        """The vectors before stage 0, all that is chosen but the count among them."""
        vectors = [0] * self._circuit.size
        vectors[ALL] = (1 << len(columns)) - 1
        places, truths = self._told(stated, columns.hand)
        for place, vector in zip(places, _packed(truths), strict=True):
            vectors[place] = vector
        choices = self._joins.choices
        truths = np.zeros((len(choices) + len(TILES), len(columns)), bool)
        truths[columns.chosen, columns.at] = True
        places = [self._circuit.choices.get(name, NONE) for name in choices]
        if self.tries:
            truths[len(choices) + columns.winning, np.arange(len(columns))] = True
            places += self._tried
        some: Any = truths.any(axis=1)
        truths = truths[some]
        for place, vector in zip(compress(places, some), _packed(truths), strict=True):
            vectors[place] = vector
        return vectors

    # ---- How a column is counted

    def _count(self, vectors: Vectors, number: int, models: int) -> tuple[Numbers, int]:
        """Chooses how each column is counted: the column that each is of, and which are models.

        A column that may be counted in several ways is copied for all but the first.
        """
        offers, choices = self._circuit.offers[2], self._circuit.choices
        models &= vectors[ALL]
        source = np.arange(number)
        if not offers:
            return source, models
        once = 0
        copies: list[tuple[int, Numbers]] = []
        for name, place in offers.items():
            allowed = vectors[place] & models
            if allowed:
                again = allowed & once
                once |= allowed
                choice = choices.get(name, NONE)
                vectors[choice] = allowed & ~again
                if again:
                    copies.append((choice, np.flatnonzero(_bits(again, number))))
        if copies:
            source = np.concatenate([source, *(columns for _, columns in copies)])
            self._expand(vectors, number, source[number:])
            at = number
            for choice, columns in copies:
                vectors[choice] |= ((1 << len(columns)) - 1) << at
                at += len(columns)
            once |= vectors[ALL] >> number << number
        return source, once

    def _expand(self, vectors: Vectors, number: int, copied: Numbers) -> None:
        """Copies columns behind those that there are."""
        places = [place for place in self._circuit.live[2] if vectors[place] and place != ALL]
        truths = np.take(_unpacked([vectors[place] for place in places], number), copied, axis=1)
        for place, vector in zip(places, _packed(truths), strict=True):
            vectors[place] |= vector << number
        vectors[ALL] |= ((1 << len(copied)) - 1) << number


def _ignore(place: int) -> None:
    """What is shown is looked for where all hands are done."""


def _packed(truths: Bits) -> Iterable[int]:
    """Rows of bits as vectors."""
    packed = np.packbits(truths, axis=1, bitorder="little")
    return (int.from_bytes(row.tobytes(), "little") for row in packed)


def _unpacked(vectors: Sequence[int], number: int) -> Bits:
    """Vectors as rows of bits."""
    width = (number + 7) // 8
    whole = b"".join([vector.to_bytes(width, "little") for vector in vectors])
    packed = np.frombuffer(whole, np.uint8).reshape(len(vectors), width)
    bits = np.unpackbits(packed, axis=1, count=number, bitorder="little")
    found: Bits = bits.view(np.bool_)
    return found


def _bits(vector: int, number: int) -> Bits:
    """A vector as a row of bits."""
    row: Bits = _unpacked([vector], number)[0]
    return row
