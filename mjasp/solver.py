"""clingo, and nothing else: a program is grounded once and solved many times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import Generic, TypeVar

import clingo
from clingo.symbol import Symbol, SymbolType

__all__ = ["Program", "ProgramError", "Term"]

Decoded = TypeVar("Decoded")

# A term as plain Python: a number, a text or constant, or a function as (name, argument, ...).
Term = int | str | tuple["Term", ...]


# All models; of those that show the same atoms one; the configuration that is quickest here
# (docs/performance.md).
_OPTIONS = ["0", "--project=show", "--configuration=frumpy"]


class ProgramError(Exception):
    """clingo refused a program or had something to say about it; the message is clingo's."""


def _term(symbol: Symbol) -> Term:
    if symbol.type is SymbolType.Number:
        return symbol.number
    if symbol.type is SymbolType.String:
        return symbol.string
    if not symbol.arguments:
        return symbol.name
    return (symbol.name, *map(_term, symbol.arguments))


class Program(Generic[Decoded]):
    """A ground program whose inputs are externals.

    `decode` turns each shown atom into what the caller wants to see; it is asked once an atom, and
    its answer is kept. Raises ProgramError when clingo has anything to say about the texts.
    """

    def __init__(self, texts: Iterable[str], decode: Callable[[Term], Decoded]) -> None:
        messages: list[str] = []
        self._control = clingo.Control(_OPTIONS, logger=lambda _, message: messages.append(message))
        try:
            for text in texts:
                self._control.add("base", [], text)
            self._control.ground([("base", [])])
        except RuntimeError as error:
            messages.append(str(error))
        if messages:
            raise ProgramError("\n".join(messages))
        self._inputs = {
            str(atom.symbol): atom.literal
            for atom in self._control.symbolic_atoms
            if atom.is_external
        }
        self._decode = decode
        self._decoded: dict[Symbol, Decoded] = {}
        self._lock = Lock()

    def solve(self, facts: Iterable[str]) -> list[list[Decoded]]:
        """Every model under these inputs, all others false; each as its shown atoms."""
        literals = [self._inputs[fact] for fact in facts]
        models: list[Sequence[Symbol]] = []
        with self._lock:
            assign = self._control.assign_external
            for literal in literals:
                assign(literal, True)
            try:
                self._control.solve(on_model=lambda m: models.append(m.symbols(shown=True)))
            finally:
                for literal in literals:
                    assign(literal, False)
        return [[self._read(symbol) for symbol in model] for model in models]

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
