"""Solved or evaluated: a program is compiled once it has been asked so often that it pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Generic, Literal, Protocol, TypeVar

from mjasp.compiled.divisions import Divisions
from mjasp.compiled.net import NotEvaluable
from mjasp.compiled.program import CompiledProgram
from mjasp.solver import Program, Term

__all__ = ["ENGINES", "Method", "Solving"]

Decoded = TypeVar("Decoded")

Method = Literal["auto", "clingo", "compiled"]
"""How hands are answered: solved by clingo, evaluated by the compiled program, or as it pays."""

ENGINES: tuple[Method, ...] = ("auto", "clingo", "compiled")

# Compiling takes as long as some hundreds of hands save.
_MANY = 200


class _Solver(Protocol[Decoded]):
    def solve(self, facts: Iterable[str], /) -> list[list[Decoded]]: ...


class Solving(Generic[Decoded]):
    """A program that is asked for the models of one hand after another.

    It is grounded when first needed, unless there is a `program` already. Where it cannot be
    compiled it is solved, and `reason` says why.
    """

    def __init__(
        self,
        texts: Sequence[str],
        decode: Callable[[Term], Decoded],
        divisions: Divisions,
        method: Method,
        program: Program[Decoded] | None = None,
    ) -> None:
        self._texts, self._decode, self._divisions = texts, decode, divisions
        self._solver: _Solver[Decoded] | None = program
        self._left = {"auto": _MANY, "clingo": -1, "compiled": 0}[method]
        self._lock = Lock()
        self.reason: str | None = None

    def solve(self, facts: Iterable[str]) -> list[list[Decoded]]:
        """Every model under these inputs, all others false; each as its shown atoms."""
        if self._left == 0 or self._solver is None:
            with self._lock:
                self._prepare()
        assert self._solver
        self._left -= 1
        return self._solver.solve(facts)

    def _prepare(self) -> None:
        if self._left == 0:
            try:
                self._solver = CompiledProgram(self._texts, self._decode, self._divisions)
            except NotEvaluable as reason:
                self.reason = str(reason)
        if self._solver is None:
            self._solver = Program(self._texts, self._decode)
