"""A ground program without its choices is a circuit: evaluated for many models at once, not solved.

Every node is a bit vector: a Python int with one bit for each column, and a column is one model. A
rule is an AND of its literals, several rules for one atom an OR, a rule with weights a sum and a
comparison. The circuit is written as Python code once and then run; what the program chooses comes
from outside.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from types import MappingProxyType
from typing import Any

from mjasp.compiled.net import Body, Net, NotEvaluable, Stage, WeightedSum, literals_of
from mjasp.solver import Ground

__all__ = ["ALL", "NONE", "Circuit", "NotEvaluable", "Stage", "Vectors"]

ALL, NONE = 0, 1
"""The places of the vectors that hold every column and none."""

Vectors = list[int]
Run = Callable[[Vectors, Callable[[int], object]], None]


class Circuit:
    """The code of a ground program for bit vectors; `Net.of` tells what may be asked for.

    `run` holds a function for each stage. The caller makes a list of `size` vectors, 0 but for ALL,
    which holds every column, and for what is stated of the columns; it sets what is chosen for
    stage 0, runs stage 0, chooses for stage 1 from what `offers[1]` offers, runs that, and so on.
    `inputs`, `choices` and `offers` give the places in that list by the name that clingo writes,
    `shown` those of what a model shows. The columns in `broken[n]`, looked at after stage n, are no
    models. `live[n]` are the places that hold something still looked at once stage n is chosen for:
    by its code, by later offers and stages, by a model; and the columns that are broken already.

    A run calls `note` with the place of each thing shown that holds in some column, once all stages
    together; those in `told` are stated or chosen, and not noted.
    """

    def __init__(
        self,
        ground: Ground,
        stages: Sequence[Stage],
        assured: AbstractSet[str] = frozenset(),
        settled: Mapping[str, bool] = MappingProxyType({}),
    ) -> None:
        net = Net.of(ground, stages, assured, settled)
        needed = net.needed()
        place = dict(zip(sorted(needed, key=lambda node: not net.is_told(node)), count(2)))
        self.size = len(place) + 2 + len(stages)
        self.broken = tuple(range(self.size - len(stages), self.size))

        def at(node: int) -> int:
            found = net.resolve(node)
            return (ALL if found else NONE) if isinstance(found, bool) else place[found]

        names = {atom: name for name, atom in ground.names.items()}
        told = [node for node in place if net.is_told(node)]
        self.inputs = {names[node]: place[node] for node in told if node in net.inputs}
        self.choices = {names[node]: place[node] for node in told if node in net.chosen}
        self.offers = [
            {names[atom]: at(node) for atom, node in offered.items() if at(node) != NONE}
            for offered in net.offers
        ]
        self.shown = [(term, at(node)) for term, node in net.shown if at(node) != NONE]
        shown = net.varying(node for _, node in net.shown)
        self.told = [place[node] for node in shown if net.is_told(node)]
        self.live = [
            (*_live(net, needed, place, stage), *self.broken[:stage])
            for stage in range(len(stages))
        ]
        writer = _Writer(net, place, shown)
        self.run: list[Run] = []
        for stage, broken in enumerate(self.broken):
            nodes = [node for node in needed if net.stage[node] == stage]
            self.run.append(writer.function(nodes, broken))


def _live(net: Net, needed: Iterable[int], place: Mapping[int, int], stage: int) -> tuple[int, ...]:
    looked_at = net.varying(node for _, node in net.shown)
    for offered in net.offers[stage + 1 :]:
        looked_at |= net.varying(offered.values())
    for node in needed:
        if net.stage[node] >= stage:
            looked_at.update(abs(each) for body in net.bodies[node] for each in literals_of(body))
    return tuple(
        sorted(place[node] for node in looked_at & place.keys() if net.stage[node] < stage)
    )


class _Writer:
    """Writes nodes as code.

    Level by level, so that what a body looks at is there. Of the bodies of a level those that ask
    for the same node stand together behind it: most nodes hold in no column, and then nothing
    behind them is looked at.
    """

    def __init__(self, net: Net, place: Mapping[int, int], shown: AbstractSet[int | bool]) -> None:
        self._net, self._place = net, place
        self._noted = {node for node in shown if not net.is_told(node)}
        self._asked = Counter(
            literal for node in place for body in net.bodies[node] for literal in literals_of(body)
        )

    def function(self, nodes: Iterable[int], broken: int) -> Run:
        """A function that gives the nodes their vectors, and `broken` all that is broken there."""
        levels: defaultdict[int, list[int]] = defaultdict(list)
        for node in nodes:
            levels[self._net.level[node]].append(node)
        lines = [f"def run_{broken}(v, note):", f" every = v[{ALL}]"]
        for level in sorted(levels):
            lines += self._level(levels[level])
        of_here = self._net.varying(self._net.broken).intersection(nodes)
        lines += (f" v[{broken}] |= v[{self._place[node]}]" for node in sorted(of_here))
        if any(self._net.resolve(node) is True for node in self._net.broken):
            lines.append(f" v[{broken}] = every")
        scope: dict[str, Any] = {"at_least": at_least}
        exec(compile("\n".join(lines), "<circuit>", "exec"), scope)  # noqa: S102 - written here
        run: Run = scope[f"run_{broken}"]
        return run

    def _level(self, nodes: Iterable[int]) -> Iterator[str]:
        behind: defaultdict[int, list[str]] = defaultdict(list)
        for node in nodes:
            for body in self._net.bodies[node]:
                guard = self._guard(body)
                behind[guard] += self._given(node, self._written(body, guard))
        yield from (f" {line}" for line in behind.pop(0, ()))
        for guard, lines in behind.items():
            yield f" g = v[{self._place[guard]}]"
            yield " if g:"
            yield from (f"  {line}" for line in lines)

    def _given(self, node: int, vector: str) -> Iterator[str]:
        """The lines that give a node its vector, and note it where it is shown."""
        at = self._place[node]
        if node in self._noted:
            yield f"x = {vector}"
            yield "if x:"
            yield f" if not v[{at}]: note({at})"
            yield f" v[{at}] |= x"
        else:
            yield f"v[{at}] |= {vector}"

    def _guard(self, body: Body) -> int:
        """The literal of a conjunction that holds most rarely, as far as one can tell; or 0."""
        if isinstance(body, WeightedSum):
            return 0
        return max(
            (each for each in body if each > 0),
            key=lambda node: (self._net.stage[node], -self._asked[node]),
            default=0,
        )

    def _written(self, body: Body, guard: int) -> str:
        if isinstance(body, WeightedSum):
            # A negative literal is written as a negative place.
            pairs = (
                (self._at(each) if each > 0 else ~self._at(each), w) for each, w in body.weights
            )
            some = " or ".join(f"v[{self._at(each)}]" for each, _ in body.weights if each > 0)
            never = all(each > 0 for each, _ in body.weights)  # without any of them
            called = f"at_least({body.bound}, {tuple(pairs)}, v)"
            return f"{called} if {some} else 0" if never else called
        parts = ["g" if guard else "every"]
        parts += (f"v[{self._at(each)}]" for each in body if each > 0 and each != guard)
        parts += (f"~v[{self._at(each)}]" for each in body if each < 0)
        return " & ".join(parts)

    def _at(self, literal: int) -> int:
        return self._place[abs(literal)]


def at_least(bound: int, weights: Iterable[tuple[int, int]], vectors: Vectors) -> int:
    """The columns in which the weights of what holds come to a bound.

    `weights` holds (place, weight), ~place for what must not hold. The sums of all columns are
    added up at once, bit n of each sum in the vector n.

    >>> bin(at_least(3, [(2, 2), (3, 1), (~4, 1)], [0b11, 0, 0b10, 0b11, 0b01]))
    '0b10'
    """
    every = vectors[ALL]
    some = [
        (vector, weight)
        for place, weight in weights
        if (vector := vectors[place] if place >= 0 else every & ~vectors[~place])
    ]
    if sum([weight for _, weight in some]) < bound:
        return 0
    sums: list[int] = []
    for vector, weight in some:
        if vector == every:
            bound -= weight
        else:
            _add(sums, vector, weight)
    if bound <= 0:
        return every
    if bound >> len(sums):
        return 0
    more, equal = 0, every  # compared from the highest bit down
    for at in reversed(range(len(sums))):
        if bound >> at & 1:
            equal &= sums[at]
        else:
            more |= equal & sums[at]
            equal &= ~sums[at]
    return more | equal


def _add(sums: Vectors, vector: int, weight: int) -> None:
    """Add a weight to the sums of the columns in the vector."""
    for at in range(weight.bit_length()):
        if weight >> at & 1:
            carry, to = vector, at
            while carry:
                if to >= len(sums):
                    sums.extend([0] * (to + 1 - len(sums)))
                sums[to], carry = sums[to] ^ carry, sums[to] & carry
                to += 1
