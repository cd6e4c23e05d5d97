"""What can go wrong, as values: each problem has a code, a message and a place in the text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from mjasp.columns import width_of, wrap

__all__ = [
    "DealError",
    "GameError",
    "HandError",
    "MjaspError",
    "NotationError",
    "Problem",
    "RulesetError",
    "Spot",
    "printable",
]

_INDENT = "    "


class Spot(NamedTuple):
    """What a problem is about: the `nth` of the equal things in a hand, counted from 1."""

    value: object
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    `line` and `column` count from 1 and are None where no text stands behind the value;
    `end_column` is the first column after the spot. `expected` lists, in plain words, what could
    stand there; `help` says the way out in one sentence. `about` names the part of a hand that is
    wrong, for whoever knows where in a text that part was read. `file` is the name of the file
    that the place is in, where it is one of several.
    """

    code: str
    message: str
    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    expected: tuple[str, ...] = ()
    help: str | None = None
    about: Spot | None = field(default=None, compare=False, repr=False)
    file: str | None = None

    def at(self, line: int, column: int, end_column: int) -> Problem:
        """The same problem with its place in a text."""
        return replace(self, line=line, column=column, end_column=end_column)

    def place(self) -> tuple[int, int]:
        """Line and column, to sort by; before all others where there is no place."""
        return self.line or 0, self.column or 0

    def in_file(self, name: str) -> Problem:
        """The same problem with the file that its place is in."""
        return replace(self, file=name)

    def to_dict(self) -> dict[str, Any]:
        """The problem as an entry of `mjasp/error/1`; `file` is there only where it is known."""
        told = {
            "code": self.code,
            "message": self.message,
            "help": self.help,
            "line": self.line,
            "column": self.column,
            "expected": list(self.expected),
        }
        return {**told, "file": self.file} if self.file else told

    def render(self, text: str | None = None, width: int = 80) -> str:
        """The problem for people: place, message, the line of `text` with a caret, the way out.

        No line is wider than `width` columns, and no control character of the text gets through.
        """
        place = f"{self.file}, " if self.file else ""
        place += f"line {self.line}, column {self.column}: " if self.line else ""
        parts = [_wrapped(place + self.message, width, "")]
        line = text.split("\n")[self.line - 1] if text and self.line else ""
        if line and self.column:
            parts.append(_pointed(line, self.column, self.end_column or self.column + 1, width))
        if self.expected:
            parts.append(_wrapped("expected: " + "; ".join(self.expected), width, _INDENT))
        if self.help:
            parts.append(_wrapped("help: " + self.help, width, _INDENT))
        return "\n".join(parts)


class MjaspError(Exception):
    """Base of all errors that a user can cause; carries every problem found, not only the first.

    `text` is the text that was read, None where the error does not come from a text.
    """

    def __init__(self, *problems: Problem, text: str | None = None) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems
        self.text = text

    # An exception is otherwise rebuilt from its message, and would lose its problems on the way
    # from one process to another.
    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), text=self.text), self.problems

    def to_dict(self) -> dict[str, Any]:
        """The error as `mjasp/error/1`."""
        return {
            "schema": "mjasp/error/1",
            "errors": [problem.to_dict() for problem in self.problems],
        }

    def render(self, width: int = 80) -> str:
        """All problems for people, at most `width` columns wide.

        >>> problem = Problem("no-meld", "`[235b]` is no chow, pung or kong").at(1, 4, 10)
        >>> print(HandError(problem, text="EE [235b]").render())
        line 1, column 4: `[235b]` is no chow, pung or kong
            EE [235b]
               ^^^^^^
        """
        return "\n".join(problem.render(self.text, width) for problem in self.problems)


class NotationError(MjaspError):
    """The text cannot be read."""


class HandError(MjaspError):
    """The text can be read, but no such hand can be on a table."""


class DealError(HandError):
    """Each hand can be, but not together at one table, or not with what is said of the deal."""


class GameError(MjaspError):
    """A score sheet that cannot be read or written, or does not hold what is asked of it."""


class RulesetError(MjaspError):
    """A rule set, a reading or a limit that does not exist or cannot be used."""


def printable(text: str) -> str:
    r"""The text with all that a terminal would obey or could not show spelt as its code point.

    >>> printable("5b\x1b[2J")
    '5bU+001B[2J'
    """
    return "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in text)


def _wrapped(text: str, width: int, indent: str) -> str:
    return "\n".join(wrap(printable(text), width, indent, indent + "  "))


def _pointed(line: str, column: int, end_column: int, width: int) -> str:
    """The part of the line that fits, and carets under its columns from `column` on."""
    cells = [_cell(char) for char in line]
    first, last = _window([columns for _, columns in cells], column - 1, width - len(_INDENT))
    spot = min(column - 1, last)
    before = "…" * (first > 0) + "".join(shown for shown, _ in cells[first:spot])
    after = "".join(shown for shown, _ in cells[spot:last]) + "…" * (last < len(cells))
    offset = (first > 0) + sum(columns for _, columns in cells[first:spot])
    carets = sum(columns for _, columns in cells[spot : min(end_column - 1, last)])
    return f"{_INDENT}{before}{after}\n{_INDENT}{' ' * offset}{'^' * max(carets, 1)}"


def _cell(char: str) -> tuple[str, int]:
    """A character as it can be shown, and the columns that it takes on a terminal."""
    if char in "\t\r":
        return " ", 1
    if unicodedata.category(char) in {"Mn", "Me"}:
        return "", 0
    if not char.isprintable():
        return "\N{REPLACEMENT CHARACTER}", 1
    return char, width_of(char)


def _window(widths: list[int], spot: int, room: int) -> tuple[int, int]:
    """First and last index (excluded) of the cells to show: all, or those around the spot."""
    if sum(widths) + (spot >= len(widths)) <= room:  # a caret may stand behind the last cell
        return 0, len(widths)
    room -= 2  # a mark at each end tells that the line goes on
    first, used = min(spot, len(widths)), 0
    while first > 0 and used + widths[first - 1] <= room // 2:
        first -= 1
        used += widths[first]
    last = min(spot, len(widths))
    while last < len(widths) and used + widths[last] <= room:
        used += widths[last]
        last += 1
    return first, last
