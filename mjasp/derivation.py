"""Why an atom is true or false in a model, read off the ground program.

A proof says why something holds: for what is true, one rule whose body holds, so chosen that the
whole is shortest; for what is false, of each rule a literal that fails. A blame says what would
have to change for something that does not hold: of the rule that is nearest to firing all literals
that fail, and of what should not be true every rule that makes it so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import inf

from mjasp.solver import Ground, GroundRule, Term

__all__ = ["Derivation", "Step", "arguments_of", "name_of"]

# What it takes to change one's mind: a division costs less than a tile; a reading of the rule text
# is not the player's to change, and nobody wants his win to be none.
_CHOICE, _INPUT, _LOSING, _READING = 0.5, 1.0, 20.0, 50.0

_TILES = frozenset({"suited", "wind", "dragon", "flower", "season"})

Literals = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: an atom that is true or false, and on what that stands.

    `others` are further atoms, false for the same reason and told in one breath. `given` marks what
    the hand states; what it does not state is false and stands on nothing.
    """

    atom: Term
    holds: bool
    given: bool
    because: tuple[Step, ...]
    others: tuple[Term, ...] = ()

    def __str__(self) -> str:
        """The step as the encodings write it, `_` standing for what its atoms do not share.

        >>> chows = [("set", ("chow", ("suited", suit, 1))) for suit in ("bamboo", "dots")]
        >>> str(Step(chows[0], False, False, (), tuple(chows[1:])))
        'not set(chow(suited(_,1)))'
        """
        atom = self.atom
        for other in self.others:
            atom = _common(atom, other)
        return _text(atom) if self.holds else f"not {_text(atom)}"

    def walk(self) -> Iterator[Step]:
        """This step and all below it."""
        yield self
        for step in self.because:
            yield from step.walk()


class Derivation:
    """Derivations in one model of a ground program; `true` are the atoms that hold in it.

    Atoms without a name, which clingo introduces, and those whose name is in `folded` are never
    shown: what they stand on is told in their place.
    """

    def __init__(self, ground: Ground, true: frozenset[int], folded: frozenset[str]) -> None:
        self._ground = ground
        self._true = true
        self._folded = folded
        self._proofs: dict[int, tuple[float, Literals]] = {}
        self._costs: dict[int, float] = {}
        self._open: set[int] = set()
        self._numbers = {term: atom for atom, term in ground.terms.items()}
        self._chosen: dict[str, list[int]] = defaultdict(list)
        for atom in sorted(true.intersection(ground.terms)):
            if any(rule.choice for rule in ground.rules.get(atom, ())):
                self._chosen[name_of(ground.terms[atom])].append(atom)

    def proof(self, atom: int) -> tuple[Step, ...]:
        """Why an atom is true, or false."""
        return self._steps([atom if atom in self._true else -atom], self._reasons)

    def blame(self, atom: int) -> tuple[Step, ...]:
        """What keeps an atom from being what it is not, the nearest to changing first."""
        literal = atom if atom in self._true else -atom
        nearest = sorted(
            self._unfolded([literal], self._culprits), key=lambda each: self._cost(-each)
        )
        return self._steps(nearest, self._culprits)

    def distance(self, atom: int) -> float:
        """How much would have to change for a false atom to be true; infinite where it cannot."""
        return self._cost(atom)

    # ---- Steps

    def _steps(
        self, literals: Iterable[int], reasons: Callable[[int], Literals]
    ) -> tuple[Step, ...]:
        """The literals, which hold, as steps: what is folded unfolded, what is alike told once."""
        groups: dict[object, list[int]] = {}
        for literal in self._unfolded(literals, reasons):
            key = literal if literal > 0 else self._likeness(literal, reasons)
            members = groups.setdefault(key, [])
            if literal not in members:
                members.append(literal)
        return tuple(self._step(members, reasons) for members in groups.values())

    def _step(self, literals: list[int], reasons: Callable[[int], Literals]) -> Step:
        atoms = [self._ground.terms[abs(literal)] for literal in literals]
        below = dict.fromkeys(each for literal in literals for each in reasons(literal))
        given = literals[0] in self._ground.inputs  # a number above 0: what is stated is true
        steps = self._steps(below, reasons)
        return Step(atoms[0], literals[0] > 0, given, steps, tuple(atoms[1:]))

    def _likeness(self, literal: int, reasons: Callable[[int], Literals]) -> object:
        """What is the same for atoms that are told in one breath: what they say, and why."""
        below = frozenset(
            (each > 0, _likeness(self._ground.terms[abs(each)]))
            for each in self._unfolded(reasons(literal), reasons)
        )
        return _likeness(self._ground.terms[-literal]), below

    def _unfolded(
        self, literals: Iterable[int], reasons: Callable[[int], Literals]
    ) -> Iterator[int]:
        for literal in literals:
            if not self._is_shown(abs(literal)):
                yield from self._unfolded(reasons(literal), reasons)
            elif self._rules(abs(literal)) or abs(literal) in self._ground.inputs:
                yield literal  # otherwise nothing makes it true, whatever the hand

    def _is_shown(self, atom: int) -> bool:
        """Whether an atom is told; what is folded is where there was something to choose."""
        if atom not in self._ground.terms:
            return False
        if name_of(self._ground.terms[atom]) not in self._folded:
            return True
        return any(rule.choice and self._support(rule) is not None for rule in self._rules(atom))

    # ---- Proofs

    def _reasons(self, literal: int) -> Literals:
        return self._proof(literal)[1]

    def _proof(self, literal: int) -> tuple[float, Literals]:
        """The number of steps of the shortest proof, and the literals that it stands on."""
        if literal in self._proofs:
            return self._proofs[literal]
        if literal in self._open:
            return inf, ()  # nothing may stand on itself
        self._open.add(literal)
        found = self._supported(literal) if literal > 0 else self._refuted(-literal)
        self._open.remove(literal)
        if found[0] < inf:
            self._proofs[literal] = found
        return found

    def _size(self, literals: Iterable[int]) -> float:
        return sum(self._proof(literal)[0] for literal in literals)

    def _supported(self, atom: int) -> tuple[float, Literals]:
        if atom in self._ground.inputs:
            return 1, ()
        bodies = [body for body in map(self._support, self._rules(atom)) if body is not None]
        size, body = min(((self._size(body), body) for body in bodies), default=(inf, ()))
        return 1 + size, body

    def _support(self, rule: GroundRule) -> Literals | None:
        """The literals of a body that make it hold; None where it does not."""
        holding = [literal for literal in rule.body if self._holds(literal)]
        if not rule.bound:
            return rule.body if len(holding) == len(rule.body) else None
        weights = dict(zip(rule.body, rule.weights, strict=True))
        taken: list[int] = []
        for literal in sorted(holding, key=lambda each: self._proof(each)[0]):
            if sum(weights[each] for each in taken) < rule.bound:
                taken.append(literal)
        return tuple(taken) if sum(weights[each] for each in taken) >= rule.bound else None

    def _refuted(self, atom: int) -> tuple[float, Literals]:
        if atom in self._ground.inputs:
            return 1, ()
        chosen = self._instead_of(atom)
        if chosen:
            return 1 + self._size(chosen), chosen
        reasons: dict[int, None] = {}
        for rule in self._rules(atom):
            reasons |= dict.fromkeys(self._refutation(rule))
        return 1 + self._size(reasons), tuple(reasons)

    def _refutation(self, rule: GroundRule) -> Literals:
        """What makes a body fail; of a choice that was not made, what made it possible."""
        failing = tuple(-literal for literal in rule.body if not self._holds(literal))
        if self._support(rule) is not None:
            return rule.body
        if rule.bound:
            return failing
        return (min(failing, key=lambda each: self._proof(each)[0]),)

    def _instead_of(self, atom: int) -> Literals:
        """What was chosen in place of an atom that is a matter of choice."""
        if any(rule.choice for rule in self._rules(atom)) and atom in self._ground.terms:
            return tuple(self._chosen[name_of(self._ground.terms[atom])])
        return ()

    # ---- Blame

    def _culprits(self, literal: int) -> Literals:
        """The literals that hold and keep this one as it is."""
        atom = abs(literal)
        if atom in self._ground.inputs:
            return ()
        if literal > 0:
            bodies = map(self._whole_support, self._rules(atom))
            return tuple(dict.fromkeys(each for body in bodies for each in body))
        rules = self._rules(atom)
        nearest = min(rules, key=self._rule_cost, default=None)
        if nearest is None:
            return ()
        if self._support(nearest) is not None:
            return self._instead_of(atom) or nearest.body
        failing = tuple(-each for each in nearest.body if not self._holds(each))
        # Where a number is missed, what there is of it belongs to the answer.
        return (*filter(self._holds, nearest.body if nearest.bound else ()), *failing)

    def _whole_support(self, rule: GroundRule) -> Literals:
        if self._support(rule) is None:
            return ()
        return tuple(each for each in rule.body if self._holds(each))

    def _cost(self, literal: int) -> float:
        """How much would have to change for a literal to hold."""
        if self._holds(literal):
            return 0
        if literal in self._costs:
            return self._costs[literal]
        if literal in self._open:
            return inf
        self._open.add(literal)
        rules = self._rules(abs(literal))
        if abs(literal) in self._ground.inputs:
            cost = self._input_cost(literal)
        elif literal == -self._numbers.get("won", 0):
            cost = _LOSING
        elif literal > 0:
            cost = min(map(self._rule_cost, rules), default=inf)
        else:
            cost = sum(self._undo_cost(rule) for rule in rules if self._support(rule) is not None)
        self._open.remove(literal)
        if cost < inf:
            self._costs[literal] = cost
        return cost

    def _input_cost(self, literal: int) -> float:
        """A fact's; for an N-th copy of a tile as many as are missing."""
        term = self._ground.terms[abs(literal)]
        if name_of(term) == "reading":
            return _READING
        *others, last = arguments_of(term) or ("",)
        if literal < 0 or not isinstance(last, int):
            return _INPUT
        before = self._numbers.get((name_of(term), *others, last - 1))
        return _INPUT + (self._cost(before) if before else 0)

    def _rule_cost(self, rule: GroundRule) -> float:
        """How much would have to change for a body to hold."""
        failing = [literal for literal in rule.body if not self._holds(literal)]
        choice = _CHOICE if rule.choice else 0
        if not rule.bound:
            return choice + sum(map(self._cost, failing))
        weights = dict(zip(rule.body, rule.weights, strict=True))
        missing = rule.bound - sum(weights[each] for each in rule.body if self._holds(each))
        return choice + self._cheapest(failing, weights, missing)

    def _undo_cost(self, rule: GroundRule) -> float:
        """How much would have to change for a body, which holds, not to."""
        if rule.choice:
            return _CHOICE
        if not rule.bound:
            return min((self._cost(-literal) for literal in rule.body), default=inf)
        weights = {-each: weight for each, weight in zip(rule.body, rule.weights, strict=True)}
        holding = [-literal for literal in rule.body if self._holds(literal)]
        spare = sum(weights[each] for each in holding) - rule.bound + 1
        return self._cheapest(holding, weights, spare)

    def _cheapest(self, literals: Iterable[int], weights: dict[int, int], needed: int) -> float:
        cost = 0.0
        for literal in sorted(literals, key=self._cost):
            if needed > 0:
                cost += self._cost(literal)
                needed -= weights[literal]
        return cost if needed <= 0 else inf

    def _rules(self, atom: int) -> list[GroundRule]:
        return self._ground.rules.get(atom, [])

    def _holds(self, literal: int) -> bool:
        return (abs(literal) in self._true) == (literal > 0)


def name_of(term: Term) -> str:
    """The name of an atom or of a function."""
    return str(term[0]) if isinstance(term, tuple) else str(term)


def arguments_of(term: Term) -> tuple[Term, ...]:
    """The arguments of an atom or of a function."""
    return term[1:] if isinstance(term, tuple) else ()


def _text(term: Term) -> str:
    return f"{term[0]}({','.join(map(_text, term[1:]))})" if isinstance(term, tuple) else str(term)


def _likeness(term: Term) -> tuple[object, ...]:
    """An atom without the tiles that it speaks of."""
    return name_of(term), *map(_shape, arguments_of(term))


def _shape(term: Term) -> object:
    if name_of(term) in _TILES:
        return "tile"
    return name_of(term) if isinstance(term, tuple) else term


def _common(one: Term, other: Term) -> Term:
    """What two terms share."""
    if one == other:
        return one
    arguments, others = arguments_of(one), arguments_of(other)
    if name_of(one) != name_of(other) or len(arguments) != len(others):
        return "_"
    return (name_of(one), *map(_common, arguments, others))
