"""What can go wrong, as values: each problem has a code, a message and a place in the text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

__all__ = ["HandError", "MjaspError", "NotationError", "Problem", "RulesetError"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    `line` and `column` count from 1 and are None where no text stands behind the value;
    `end_column` is the first column after the spot. `expected` lists, in plain words, what could
    stand there; `help` says the way out in one sentence.
    """

    code: str
    message: str
    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    expected: tuple[str, ...] = ()
    help: str | None = None

    def at(self, line: int, column: int, end_column: int) -> Problem:
        """The same problem with its place in a text."""
        return replace(self, line=line, column=column, end_column=end_column)

    def to_dict(self) -> dict[str, Any]:
        """The problem as an entry of `mjasp/error/1`."""
        message = f"{self.message}; {self.help}" if self.help else self.message
        return {
            "code": self.code,
            "message": message,
            "line": self.line,
            "column": self.column,
            "expected": list(self.expected),
        }


class MjaspError(Exception):
    """Base of all errors that a user can cause; carries every problem found, not only the first."""

    def __init__(self, *problems: Problem, text: str | None = None) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems
        self.text = text

    def to_dict(self) -> dict[str, Any]:
        """The error as `mjasp/error/1`."""
        return {
            "schema": "mjasp/error/1",
            "errors": [problem.to_dict() for problem in self.problems],
        }


class NotationError(MjaspError):
    """The text cannot be read."""


class HandError(MjaspError):
    """The text can be read, but no such hand can be on a table."""


class RulesetError(MjaspError):
    """A rule set, a reading or a limit that does not exist or cannot be used."""
