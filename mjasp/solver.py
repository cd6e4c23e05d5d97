"""clingo, and nothing else: a program is grounded once and solved many times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

import clingo
from clingo.symbol import Symbol, SymbolType

__all__ = [
    "Ground",
    "GroundRule",
    "ObservedProgram",
    "Program",
    "ProgramError",
    "Term",
    "Undecided",
    "as_it_is",
]

Decoded = TypeVar("Decoded")

# A term as plain Python: a number, a text or constant, or a function as (name, argument, ...).
Term = int | str | tuple["Term", ...]


# All models; of those that show the same atoms one; the configuration that is quickest here
# (docs/performance.md).
_OPTIONS = ["0", "--project=show", "--configuration=frumpy"]


class ProgramError(Exception):
    """clingo refused a program or had something to say about it; the message is clingo's."""


class Undecided(Exception):  # noqa: N818 - no error of anyone, only a question left open
    """A question was not answered in the time given for it."""


@lru_cache(maxsize=1 << 16)  # atoms are made of the same few terms
def _term(symbol: Symbol) -> Term:
    if symbol.type is SymbolType.Number:
        return symbol.number
    if symbol.type is SymbolType.String:
        return symbol.string
    if not symbol.arguments:
        return symbol.name
    return (symbol.name, *map(_term, symbol.arguments))


def as_it_is(term: Term) -> Term:
    """Decodes an atom as the term that it is."""
    return term


class Program(Generic[Decoded]):
    """A ground program whose inputs are externals.

    `decode` turns each shown atom into what the caller wants to see; it is asked once an atom, and
    its answer is kept. Raises ProgramError when clingo has anything to say about the texts.
    """

    def __init__(self, texts: Iterable[str], decode: Callable[[Term], Decoded]) -> None:
        messages: list[str] = []
        self._control = clingo.Control(_OPTIONS, logger=lambda _, message: messages.append(message))
        self._watch(self._control)
        try:
            for text in texts:
                self._control.add("base", [], text)
            self._control.ground([("base", [])])
        except RuntimeError as error:
            messages.append(str(error))
        if messages:
            raise ProgramError("\n".join(messages))
        self._inputs: dict[str, int] = {}
        self._decode = decode
        self._decoded: dict[Symbol, Decoded] = {}
        self._lock = Lock()

    def _watch(self, control: clingo.Control) -> None:
        """Called before anything is grounded."""

    def solve(self, facts: Iterable[str]) -> list[list[Decoded]]:
        """Every model under these inputs, all others false; each as its shown atoms."""
        models: list[Sequence[Symbol]] = []
        self._solve(facts, lambda model: models.append(model.symbols(shown=True)))
        return [[self._read(symbol) for symbol in model] for model in models]

    def solve_until(
        self, deadline: float, facts: Iterable[str]
    ) -> tuple[list[list[Decoded]], bool]:
        """The models found before the deadline (of time.monotonic), and whether they are all."""
        models: list[Sequence[Symbol]] = []

        def look(model: clingo.Model) -> bool:
            models.append(model.symbols(shown=True))
            return monotonic() < deadline

        self._solve(facts, look)
        every = monotonic() < deadline
        return [[self._read(symbol) for symbol in model] for model in models], every

    def _solve(self, facts: Iterable[str], on_model: Callable[[clingo.Model], bool | None]) -> None:
        literals = [self._inputs.get(fact) or self._input(fact) for fact in facts]
        with self._lock:
            assign = self._control.assign_external
            for literal in literals:
                assign(literal, True)
            try:
                self._control.solve(on_model=on_model)
            finally:
                for literal in literals:
                    assign(literal, False)

    def _input(self, fact: str) -> int:
        """The literal of an input, which is looked up once."""
        atom = self._control.symbolic_atoms[clingo.parse_term(fact)]
        if atom is None or not atom.is_external:
            raise KeyError(fact)
        literal = self._inputs[fact] = atom.literal
        return literal

    def _read(self, symbol: Symbol) -> Decoded:
        try:
            return self._decoded[symbol]
        except KeyError:
            decoded = self._decoded[symbol] = self._decode(_term(symbol))
            return decoded

    def facts(self, name: str, arity: int) -> Iterator[tuple[Term, ...]]:
        """The arguments of each fact of a predicate, in the order of the program's text."""
        for atom in self._control.symbolic_atoms.by_signature(name, arity):
            if atom.is_fact:
                yield tuple(map(_term, atom.symbol.arguments))

    def atoms(self, name: str, arity: int) -> Iterator[tuple[Term, ...]]:
        """The arguments of each atom of a predicate that some input may make true."""
        for atom in self._control.symbolic_atoms.by_signature(name, arity):
            yield tuple(map(_term, atom.symbol.arguments))

    def inputs(self, name: str, arity: int) -> list[str]:
        """The inputs of a predicate, as clingo writes them."""
        atoms = self._control.symbolic_atoms.by_signature(name, arity)
        return [str(atom.symbol) for atom in atoms if atom.is_external]

    def written(self, name: str, arity: int, *, facts: bool = False) -> list[tuple[str, ...]]:
        """The arguments, as clingo writes them, of each atom (or fact) of a predicate.

        A text is written in its quotes, which tells it from a constant.
        """
        atoms = self._control.symbolic_atoms.by_signature(name, arity)
        return [
            tuple(map(str, atom.symbol.arguments)) for atom in atoms if atom.is_fact or not facts
        ]

    def find(
        self, true: Iterable[str], false: Iterable[str] = (), *, seconds: float
    ) -> list[Decoded] | None:
        """Some model in which these atoms are true and those false, None where there is none.

        Raises Undecided where `seconds` do not suffice.
        """
        wanted = [(clingo.parse_term(atom), True) for atom in true]
        wanted += [(clingo.parse_term(atom), False) for atom in false]
        with self._lock, self._control.solve(wanted, yield_=True, async_=True) as search:
            search.resume()
            if not search.wait(seconds):
                search.cancel()
                raise Undecided
            model = search.model()
            return None if model is None else [*map(self._read, model.symbols(shown=True))]


@dataclass(frozen=True, slots=True)
class GroundRule:
    """A rule without variables, as one of the ways in which an atom becomes true.

    The body is a conjunction of literals, or, with a `bound`, literals whose weights must come to
    it. A literal is an atom's number, negative where the atom must not hold. Under a `choice` the
    atom may be true where the body holds; otherwise it is.
    """

    body: tuple[int, ...]
    choice: bool = False
    bound: int = 0
    weights: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """A ground program: the rules of each atom, the terms of those with a name, the inputs.

    `names` are the same atoms by the way in which clingo writes them. `constraints` are what must
    not hold, `shown` what a model shows where all the literals beside it hold. `disjunctive` holds
    the atoms of which some rule leaves the choice.
    """

    rules: defaultdict[int, list[GroundRule]] = field(default_factory=lambda: defaultdict(list))
    terms: dict[int, Term] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    inputs: set[int] = field(default_factory=set)
    constraints: list[GroundRule] = field(default_factory=list)
    shown: list[tuple[Term, tuple[int, ...]]] = field(default_factory=list)
    disjunctive: set[int] = field(default_factory=set)


class _Observer(clingo.Observer):
    """Writes down what is grounded."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:  # noqa: FBT001 - clingo's own
        self._write(head, GroundRule(tuple(body), choice))

    def weight_rule(
        self,
        choice: bool,  # noqa: FBT001 - clingo's own
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        literals, weights = tuple(each for each, _ in body), tuple(weight for _, weight in body)
        self._write(head, GroundRule(literals, choice, lower_bound, weights))

    def output_atom(self, symbol: Symbol, atom: int) -> None:
        self._ground.shown.append((_term(symbol), (atom,) if atom else ()))

    def output_term(self, symbol: Symbol, condition: Sequence[int]) -> None:
        self._ground.shown.append((_term(symbol), tuple(condition)))

    def _write(self, head: Sequence[int], rule: GroundRule) -> None:
        for atom in head:
            self._ground.rules[atom].append(rule)
        if not head and not rule.choice:
            self._ground.constraints.append(rule)
        if len(head) > 1 and not rule.choice:
            self._ground.disjunctive.update(head)


class ObservedProgram(Program[Decoded]):
    """A program that can tell how its atoms became true: its ground rules are kept."""

    def __init__(self, texts: Iterable[str], decode: Callable[[Term], Decoded]) -> None:
        self.ground = Ground()
        super().__init__(texts, decode)
        for atom in self._control.symbolic_atoms:
            self.ground.terms[atom.literal] = _term(atom.symbol)
            self.ground.names[str(atom.symbol)] = atom.literal
            if atom.is_external:
                self.ground.inputs.add(atom.literal)

    def _watch(self, control: clingo.Control) -> None:
        control.register_observer(_Observer(self.ground))

    def truth(
        self, facts: Iterable[str], wanted: Callable[[list[Decoded]], bool]
    ) -> frozenset[int] | None:
        """The atoms of the first model whose shown atoms are wanted; None if there is none."""
        atoms = {*self.ground.rules, *self.ground.inputs}
        found: list[frozenset[int]] = []

        def look(model: clingo.Model) -> bool:
            if not wanted([self._read(symbol) for symbol in model.symbols(shown=True)]):
                return True
            found.append(frozenset(filter(model.is_true, atoms)))
            return False

        self._solve(facts, look)
        return found[0] if found else None
