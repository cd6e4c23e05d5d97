"""A ground program as a net of nodes without a circle, what is settled folded away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import chain, count
from types import MappingProxyType
from typing import NamedTuple

from mjasp.derivation import name_of
from mjasp.solver import Ground, GroundRule, Term

__all__ = ["Body", "Net", "NotEvaluable", "Stage", "WeightedSum", "literals_of"]

Literals = tuple[int, ...]


class NotEvaluable(Exception):  # noqa: N818 - no error of anyone: clingo takes such a program
    """A program that cannot be evaluated, only solved; the message says why."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The predicates of which atoms are chosen before this part of the net can be looked at.

    For those `offered` an earlier part has a node that tells where the atom may be chosen; for the
    others whoever chooses knows. Whoever chooses may rely on `asked`: an atom is offered only where
    one of the literals in each of these holds, a predicate or `not` and a predicate.
    """

    chosen: frozenset[str] = frozenset()
    offered: frozenset[str] = frozenset()
    asked: tuple[frozenset[str], ...] = ()


class WeightedSum(NamedTuple):
    """A body that holds where the weights of its true literals come to the bound."""

    bound: int
    weights: tuple[tuple[int, int], ...]  # (literal, weight above 0)


Body = Literals | WeightedSum


def literals_of(body: Body) -> Iterable[int]:
    """The literals of a body."""
    return (literal for literal, _ in body.weights) if isinstance(body, WeightedSum) else body


@dataclass(slots=True)
class Net:
    """The nodes of a ground program: its atoms, offers, constraints; a literal is node or -node.

    `bodies` holds for each node the conditions of which one is enough, beside its being stated or
    chosen.
    `stage` and `level` order the nodes: what a body looks at has a lower stage, or the same and a
    lower level. `settled` is what never changes; `same` leads from a node to the one it always
    equals. `chosen` holds the stage of each atom that can be chosen, `offers` for each stage what
    is offered for it: atom to node. `broken` are the nodes of constraints, `shown` those of what a
    model shows, with its term.
    """

    bodies: dict[int, list[Body]] = field(default_factory=dict)
    stage: dict[int, int] = field(default_factory=dict)
    level: dict[int, int] = field(default_factory=dict)
    settled: dict[int, bool] = field(default_factory=dict)
    same: dict[int, int] = field(default_factory=dict)
    chosen: dict[int, int] = field(default_factory=dict)
    offers: list[dict[int, int]] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    shown: list[tuple[Term, int]] = field(default_factory=list)
    inputs: set[int] = field(default_factory=set)

    @classmethod
    def of(
        cls,
        ground: Ground,
        stages: Sequence[Stage],
        assured: AbstractSet[str] = frozenset(),
        settled: Mapping[str, bool] = MappingProxyType({}),
    ) -> Net:
        """The net of a ground program under these stages of choice.

        Constraints that look at nothing but the predicates `assured` are met by whoever chooses.
        Inputs named in `settled` keep that value for good. Raises NotEvaluable for a choice of any
        other predicate, a choice between atoms, an atom that rests on itself, an offer that rests
        on what is chosen with it, and one that does not ask for what it has to.
        """
        net = cls(offers=[{} for _ in stages], inputs=set(ground.inputs))
        net.settled = {ground.names[name]: value for name, value in settled.items()}
        written = net._nodes(ground, stages, assured)
        for node in _in_order(written, ground):
            net._add(node, written.get(node, ()))
        net._check_offers(ground)
        for offers, stage in zip(net.offers, stages, strict=True):
            for asked in stage.asked:
                net._check_asked(ground, offers, asked)
        return net

    def resolve(self, literal: int) -> int | bool:
        """The literal in place of which another would stand, or its settled value."""
        node = abs(literal)
        node = self.same.get(node, node)
        value = self.settled.get(node)
        if value is None:
            return node if literal > 0 else -node
        return value == (literal > 0)

    def varying(self, nodes: Iterable[int]) -> set[int]:
        """The nodes that these always equal, without what is settled."""
        return {each for each in map(self.resolve, nodes) if not isinstance(each, bool)}

    def is_told(self, node: int) -> bool:
        """Whether a node may be true without any body: an input or a choice."""
        return node in self.chosen or node in self.inputs

    def needed(self) -> set[int]:
        """The nodes on which offers, constraints and what is shown depend."""
        asked = [*self.broken, *(node for _, node in self.shown)]
        asked += chain.from_iterable(offered.values() for offered in self.offers)
        found = self.varying(asked)
        unseen = list(found)
        while unseen:
            for body in self.bodies[unseen.pop()]:
                new = {abs(each) for each in literals_of(body)} - found
                found |= new
                unseen += new
        return found

    # ---- What there is

    def _nodes(
        self, ground: Ground, stages: Sequence[Stage], assured: AbstractSet[str]
    ) -> dict[int, list[GroundRule]]:
        """The rules of each node; the offers and constraints get numbers after the atoms."""
        if ground.disjunctive:
            which = _predicates(ground.disjunctive, ground)
            raise NotEvaluable(f"a rule leaves the choice between atoms of {which}")
        fresh = count(max(chain(ground.rules, ground.terms, [0])) + 1)
        written: dict[int, list[GroundRule]] = {}
        for atom, rules in ground.rules.items():
            written[atom] = [rule for rule in rules if not rule.choice]
            choices = [rule for rule in rules if rule.choice]
            if choices:
                self.chosen[atom], offered = _choice(name_of(ground.terms[atom]), stages)
                if offered:
                    offer = next(fresh)
                    self.offers[self.chosen[atom]][atom] = offer
                    written[offer] = choices
        for constraint in ground.constraints:
            named = _named_below(constraint, ground)
            if named and named <= assured:
                continue
            broken = next(fresh)
            self.broken.append(broken)
            written[broken] = [constraint]
        for term, condition in ground.shown:
            shown = next(fresh)
            self.shown.append((term, shown))
            written[shown] = [GroundRule(condition)]
        return written

    def _check_offers(self, ground: Ground) -> None:
        for stage, offers in enumerate(self.offers):
            for atom, offer in offers.items():
                if self.stage.get(self.same.get(offer, offer), 0) >= stage:
                    which = _predicates([atom], ground)
                    raise NotEvaluable(f"a choice of {which} rests on what is chosen with it")

    def _check_asked(
        self, ground: Ground, offers: Mapping[int, int], asked: AbstractSet[str]
    ) -> None:
        """Raise for what may be offered where none of the literals `asked` holds."""
        said = {
            literal
            for atom, term in ground.terms.items()
            for literal, name in ((atom, ""), (-atom, "not "))
            if f"{name}{name_of(term)}" in asked
        }
        if any(self.resolve(literal) is True for literal in said):
            return
        resolved = {self.resolve(literal) for literal in said}
        known: dict[int, bool] = {}

        def asks(literal: int) -> bool:
            if literal in resolved:
                return True
            if literal < 0 or self.is_told(literal):
                return False
            if literal not in known:
                known[literal] = all(any(map(asks, _needed(body))) for body in self.bodies[literal])
            return known[literal]

        for name, atom in ground.names.items():
            literal = self.resolve(offers[atom]) if atom in offers else False
            if literal is not False and not asks(literal):
                which = " or ".join(f"`{each}`" for each in sorted(asked))
                raise NotEvaluable(f"`{name}` can hold without {which}")

    # ---- What of it can change

    def _add(self, node: int, rules: Iterable[GroundRule]) -> None:
        """A node whose rules look only at nodes that are there already."""
        if node in self.settled:
            return
        bodies: dict[Body, None] = {}
        for rule in rules:
            for body in self._simple(rule):
                if body == ():
                    self.settled[node] = True
                    return
                bodies[body] = None
        own = self.is_told(node)
        if not own and not bodies:
            self.settled[node] = False
            return
        (first, *others) = bodies or {(): None}
        if not own and not others and len(first) == 1 and first[0] > 0:
            self.same[node] = first[0]
            return
        self.bodies[node] = list(bodies)
        self._place(node)

    def _place(self, node: int) -> None:
        below = {abs(each) for body in self.bodies[node] for each in literals_of(body)}
        stage = max((self.stage[each] for each in below), default=0)
        stage = max(stage, self.chosen.get(node, 0))
        levels = (self.level[each] + 1 for each in below if self.stage[each] == stage)
        self.stage[node], self.level[node] = stage, max(levels, default=0)

    def _simple(self, rule: GroundRule) -> Iterator[Body]:
        """A rule's body without what is settled; nothing where it never holds."""
        if rule.bound:
            yield from self._simple_sum(rule)
            return
        literals = set()
        for literal in map(self.resolve, rule.body):
            if literal is False:
                return
            if literal is not True:
                literals.add(literal)
        if not any(-literal in literals for literal in literals):
            yield tuple(sorted(literals, reverse=True))

    def _simple_sum(self, rule: GroundRule) -> Iterator[Body]:
        bound = rule.bound
        weights: defaultdict[int, int] = defaultdict(int)
        for literal, weight in zip(map(self.resolve, rule.body), rule.weights, strict=True):
            if literal is True:
                bound -= weight
            elif literal is not False:
                weights[literal] += weight
        total = sum(weights.values())
        if bound <= 0:
            yield ()
        elif min(weights.values(), default=0) >= bound:
            yield from ((literal,) for literal in weights)
        elif total - min(weights.values(), default=0) < bound <= total:
            yield tuple(sorted(weights, reverse=True))
        elif total >= bound:
            yield WeightedSum(bound, tuple(sorted(weights.items())))


def _needed(body: Body) -> Iterable[int]:
    """Literals without which a body does not hold."""
    return () if isinstance(body, WeightedSum) else body


def _predicates(atoms: Iterable[int], ground: Ground) -> str:
    names = {name_of(ground.terms[atom]) for atom in atoms if atom in ground.terms}
    return ", ".join(f"`{name}`" for name in sorted(names)) or "what has no name"


def _choice(predicate: str, stages: Sequence[Stage]) -> tuple[int, bool]:
    """The stage before which a predicate is chosen, and whether it is to be offered."""
    for at, stage in enumerate(stages):
        if predicate in stage.chosen | stage.offered:
            return at, predicate in stage.offered
    raise NotEvaluable(f"`{predicate}` is chosen, and the program knows no choice of it")


def _named_below(rule: GroundRule, ground: Ground) -> set[str]:
    """The predicates that a rule looks at, also by way of atoms without a name."""
    found = set()
    for atom in map(abs, rule.body):
        if atom in ground.terms:
            found.add(name_of(ground.terms[atom]))
        else:
            for below in ground.rules[atom]:
                found |= _named_below(below, ground)
    return found


def _in_order(written: Mapping[int, Sequence[GroundRule]], ground: Ground) -> Iterator[int]:
    below = {
        node: {abs(each) for rule in rules for each in rule.body} for node, rules in written.items()
    }
    try:
        yield from TopologicalSorter(below).static_order()
    except CycleError as error:
        raise NotEvaluable(f"{_predicates(error.args[1], ground)} rests on itself") from None
