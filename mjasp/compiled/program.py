"""One hand by the compiled encodings: the same answers as solving them, in less time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Generic, NamedTuple, TypeVar

from mjasp.compiled.circuit import ALL, NONE, Circuit, Stage, Vectors
from mjasp.compiled.divisions import Divisions, Row
from mjasp.derivation import arguments_of
from mjasp.facts import tile_term
from mjasp.models import tiles_of
from mjasp.solver import Ground, ObservedProgram, Term
from mjasp.tiles import Tile

__all__ = ["ASSURED", "STAGES", "WITH_PAIR", "CompiledProgram"]

Decoded = TypeVar("Decoded")

STAGES = (
    Stage(chosen=frozenset({"tried"})),
    Stage(
        chosen=frozenset({"formed", "completed"}),
        offered=frozenset({"matched"}),
        asked=(frozenset({"won", "winning", "won_on", "tried"}), frozenset({"not declared_set"})),
    ),
    Stage(offered=frozenset({"counted_as"})),
)
"""What the encodings choose: the tile tried, the division, how the hand is counted.

Shapes are looked for in hands that won, or try a tile, and have nothing declared.
"""

ASSURED = frozenset(
    {"exhausted", "tried", "divided", "knitted", "matched", "formed", "completed", "have"}
    | {"won", "lost", "satisfied", "counted_as"}
)
"""What a division has to meet looks at these alone: each row of `Divisions` does."""

_KINDS = tuple(tile_term(tile) for tile in Tile if not tile.is_bonus)
_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}
_PARTS = tuple(slice(9 * part, 9 * part + 9) for part in range(4))  # the honours are seven

WITH_PAIR = "knitted_triples"  # just one rank of which holds a pair

Places = tuple[int, ...]


class _Column(NamedTuple):
    """A model in the making: the winning tile or the one tried, and what of it is chosen.

    Without `chosen` it only shows what it may be read as.
    """

    winning: int | None
    chosen: Places | None


_UNDIVIDED = [_Column(kind, None) for kind in range(34)]


class CompiledProgram(Generic[Decoded]):
    """A program of a rule set as `solver.Program`, evaluated in place of solved.

    It answers `solve` alone, for what a hand can state. Raises NotEvaluable where the program
    cannot be compiled.
    """

    def __init__(
        self, texts: Iterable[str], decode: Callable[[Term], Decoded], divisions: Divisions
    ) -> None:
        program = ObservedProgram(texts, decode)
        names = program.ground.names
        self._circuit = circuit = Circuit(program.ground, STAGES, ASSURED)
        self._divisions = divisions
        # What nothing looks at may be stated all the same.
        inputs = {name for name, atom in names.items() if atom in program.ground.inputs}
        self._inputs = {name: circuit.inputs.get(name, NONE) for name in inputs}
        self._held = {f"held({kind},{n})": at for kind, at in _NUMBER.items() for n in range(1, 5)}
        self._won = {f"won_on({kind})": at for kind, at in _NUMBER.items()}
        self._laid = _laid_down(program.ground)
        self._shown: defaultdict[int, list[Decoded]] = defaultdict(list)
        for term, place in circuit.shown:
            self._shown[place].append(decode(term))
        self._told = [place for place in (ALL, *circuit.told) if place in self._shown]
        self._tried = [circuit.choices.get(f"tried({kind})", NONE) for kind in _KINDS]
        self._tries = f"tried({_KINDS[0]})" in names
        self._offers = [
            (place, circuit.choices.get(name, NONE), _argument(name))
            for name, place in circuit.offers[1].items()
        ]
        self._counts = [
            (place, circuit.choices.get(name, NONE)) for name, place in circuit.offers[2].items()
        ]
        self._knitted = {_argument(name) for name in names if name.startswith("knitted_shape(")}
        self._rows: dict[object, tuple[Places, ...]] = {}
        self._drawn_rows: dict[object, tuple[tuple[int, Places], ...]] = {}

    def solve(self, facts: Iterable[str]) -> list[list[Decoded]]:
        """Every model under these inputs, all others false; each as its shown atoms."""
        facts = list(facts)
        held = [0] * 34
        for kind in map(self._held.get, facts):
            if kind is not None:
                held[kind] += 1
        columns = self._columns(facts, held)
        if not columns:
            return []
        vectors = self._vectors(facts, columns)
        shown = self._told.copy()
        note = shown.append
        self._circuit.run[0](vectors, note)
        columns = self._read_as_shapes(vectors, columns, held)
        models = 0
        for at, (_, chosen) in enumerate(columns):
            if chosen is not None:
                models |= 1 << at
                for place in chosen:
                    vectors[place] |= 1 << at
        self._circuit.run[1](vectors, note)
        first, second, last = self._circuit.broken
        models = self._count(vectors, models & ~(vectors[first] | vectors[second]))
        if not models:
            return []
        self._circuit.run[2](vectors, note)
        return self._models(vectors, shown, models & ~vectors[last])

    def _vectors(self, facts: Iterable[str], columns: Sequence[_Column]) -> Vectors:
        """The vectors before stage 0."""
        vectors = [0] * self._circuit.size
        vectors[ALL] = every = (1 << len(columns)) - 1
        for fact in facts:
            vectors[self._inputs[fact]] = every
        vectors[NONE] = 0
        if self._tries:
            for at, (winning, _) in enumerate(columns):
                vectors[self._tried[winning or 0]] |= 1 << at
        return vectors

    # ---- Columns

    def _columns(self, facts: Sequence[str], held: list[int]) -> list[_Column]:
        """A column for each division; one without a choice for a hand that may be a shape."""
        if self._tries:
            gone = self._gone(facts, held)
            columns = [column for column in self._drawn(held) if column[0] not in gone]
            # No shape has a declared set, whatever else it asks for.
            if self._offers and sum(held) == 13:
                gone |= {winning for winning, _ in columns if winning is not None}
                columns += [_UNDIVIDED[kind] for kind in range(34) if kind not in gone]
            return columns
        winning = next((self._won[fact] for fact in facts if fact in self._won), None)
        if winning is None:
            return [_Column(None, ())]
        columns = list(self._divided(held, winning))
        return columns or ([_UNDIVIDED[winning]] if self._offers else [])

    def _gone(self, facts: Iterable[str], held: list[int]) -> set[int]:
        """The kinds of tile of which all four copies are in the hand."""
        copies = held.copy()
        for fact in facts:
            if fact in self._laid:
                for kind in self._laid[fact]:
                    copies[kind] += 1
        if max(copies) < 4:
            return set()
        return {kind for kind, copy in enumerate(copies) if copy >= 4}

    def _divided(self, held: list[int], winning: int) -> Iterator[_Column]:
        """The divisions of a hand that is won on a tile."""
        have = held.copy()
        have[winning] += 1
        counts = [tuple(have[part]) for part in _PARTS]
        if [sum(part) % 3 for part in counts].count(2) == 1:  # of one part, which holds the pair
            at = min(winning // 9, 3)
            rows = [self._part(part, counts[part], None) for part in range(4) if part != at]
            rows.append(self._part(at, counts[at], winning - 9 * at))
            for b, c, d, h in product(*rows):
                yield _Column(winning, b + c + d + h)

    def _drawn(self, held: list[int]) -> Iterator[_Column]:
        """The divisions of a hand that is won on any tile."""
        counts = [tuple(held[part]) for part in _PARTS]
        left_over = [sum(part) % 3 for part in counts]
        for part in range(4):
            with_tile = left_over.copy()
            with_tile[part] = (with_tile[part] + 1) % 3
            if with_tile.count(2) == 1 and 1 not in with_tile:
                first, second, third = (
                    self._part(at, counts[at], None) for at in range(4) if at != part
                )
                if first and second and third:
                    for winning, row in self._drawn_to(part, counts[part]):
                        for b, c, d in product(first, second, third):
                            yield _Column(winning, b + c + d + row)

    def _drawn_to(self, part: int, counts: tuple[int, ...]) -> tuple[tuple[int, Places], ...]:
        """The divisions of a part with one tile more, by that tile."""
        key = part, counts
        drawn = self._drawn_rows.get(key)
        if drawn is None:
            drawn = self._drawn_rows[key] = tuple(
                (9 * part + at, row)
                for at, count in enumerate(counts)
                if count < 4
                for row in self._part(part, (*counts[:at], count + 1, *counts[at + 1 :]), at)
            )
        return drawn

    def _read_as_shapes(
        self, vectors: Vectors, columns: list[_Column], held: Sequence[int]
    ) -> list[_Column]:
        """The columns, with more behind them for each shape that a hand may be read as."""
        offered = [each for each in self._offers if vectors[each[0]]]
        if not offered:
            return columns
        sources = list(range(len(columns)))
        columns = columns.copy()
        seen = set()
        for source in tuple(sources):
            winning, _ = columns[source]
            if winning in seen or winning is None:
                continue
            seen.add(winning)
            have = list(held)
            have[winning] += 1
            for place, matched, shape in offered:
                if vectors[place] >> source & 1:
                    rows = self._shaped(shape, have)
                    columns += (_Column(winning, (matched, *row)) for row in rows)
                    sources += [source] * (len(columns) - len(sources))
        self._expand(vectors, 1, sources)
        return columns

    def _shaped(self, shape: str, have: Sequence[int]) -> Iterator[Places]:
        if shape not in self._knitted:
            yield ()
            return
        counts = [(have[rank], have[rank + 9], have[rank + 18]) for rank in range(9)]
        if shape == WITH_PAIR and [sum(each) % 3 for each in counts].count(2) != 1:
            return
        ranks = [self._rank(shape, rank, each) for rank, each in enumerate(counts, 1)]
        for rows in product(*ranks):
            yield tuple(chain.from_iterable(rows))

    def _part(self, part: int, counts: tuple[int, ...], winning: int | None) -> tuple[Places, ...]:
        key = part, counts, winning
        try:
            return self._rows[key]
        except KeyError:
            return self._place(key, self._divisions.part(part, counts, winning))

    def _rank(self, shape: str, rank: int, counts: tuple[int, int, int]) -> tuple[Places, ...]:
        key = shape, rank, counts
        try:
            return self._rows[key]
        except KeyError:
            return self._place(key, self._divisions.knitted(shape, rank, counts))

    def _place(self, key: object, rows: Iterable[Row]) -> tuple[Places, ...]:
        """Rows as places in the vectors; what nothing looks at is left out."""
        choices = self._circuit.choices
        if len(self._rows) > 50_000:
            self._rows.clear()
        placed = self._rows[key] = tuple(
            tuple(choices[name] for name in row if name in choices) for row in rows
        )
        return placed

    def _count(self, vectors: Vectors, models: int) -> int:
        """Chooses how each column is counted; one that may be in several ways is copied."""
        allowed = [
            (vectors[place] & models, choice)
            for place, choice in self._counts
            if vectors[place] & models
        ]
        counted = 0
        for columns, choice in allowed:
            if counted & columns:
                break
            vectors[choice] = columns
            counted |= columns
        else:
            return counted if self._counts else models
        for _, choice in allowed:
            vectors[choice] = 0
        ways = [
            (at, choice)
            for at in range(vectors[ALL].bit_length())
            for columns, choice in allowed
            if columns >> at & 1
        ]
        self._expand(vectors, 2, [at for at, _ in ways])
        for at, (_, choice) in enumerate(ways):
            vectors[choice] |= 1 << at
        return vectors[ALL]

    def _expand(self, vectors: Vectors, stage: int, sources: Sequence[int]) -> None:
        """Copies columns: the n-th is what the one at sources[n] was."""
        old, every = vectors[ALL], (1 << len(sources)) - 1
        for place in self._circuit.live[stage]:
            vector = vectors[place]
            if vector == old:
                vectors[place] = every
            elif vector:
                vectors[place] = sum(
                    1 << at for at, source in enumerate(sources) if vector >> source & 1
                )
        vectors[ALL] = every

    def _models(self, vectors: Vectors, shown: Iterable[int], models: int) -> list[list[Decoded]]:
        atoms = [
            (vectors[place], atom)
            for place in shown
            if vectors[place]
            for atom in self._shown[place]
        ]
        if models == 1:
            return [[atom for vector, atom in atoms if vector & 1]]
        # What a model does not show does not make two of it.
        found = {
            tuple(atom for vector, atom in atoms if vector >> at & 1): None
            for at in range(models.bit_length())
            if models >> at & 1
        }
        return [list(model) for model in found]


def _argument(name: str) -> str:
    return name[name.index("(") + 1 : -1]


def _laid_down(ground: Ground) -> dict[str, list[int]]:
    """The numbers of the tiles of each declared set, by the fact that states it."""
    return {
        name: [tile.order for tile in tiles_of(arguments_of(ground.terms[atom])[0])]
        for name, atom in ground.names.items()
        if name.startswith("declared(")
    }
