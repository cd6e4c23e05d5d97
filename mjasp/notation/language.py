"""A notation as a language: its grammar, and how to help where a text does not follow it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from lark import Lark, Token, Tree, UnexpectedInput

from mjasp.errors import NotationError, Problem
from mjasp.notation.draft import MOST_PROBLEMS
from mjasp.notation.unreadable import closes_wrongly, explain, skip
from mjasp.resources import grammar, grammars

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["LONGEST", "Language", "refuse_long"]

LONGEST = 5_000
"""The most characters that the text of one hand has."""


@dataclass(frozen=True, slots=True)
class Language:
    """What there is to know of a notation before reading it.

    `expected` tells its terminals in plain words, the most likely first. `slips` are frequent ones:
    pattern of the whole word, code, message after the word, way out. `meant` says in a sentence
    what was probably meant by a word; `spelling` is said where it does not know. `example` is a
    hand. `due` says in a sentence what is missing where a terminal can stand, the first counts.
    """

    grammar: str
    expected: Mapping[str, str]
    slips: tuple[tuple[str, str, str, str], ...]
    meant: Callable[[str], str | None]
    spelling: str
    example: str
    due: Mapping[str, str] = field(default_factory=dict)

    def cut(self, text: str) -> Tree[Token]:
        """The text cut up; Lark's UnexpectedInput, at the first word that cannot be read."""
        tree: Tree[Token] = _parser(self.grammar).parse(text)
        return tree

    def tree_at_once(self, text: str) -> Tree[Token] | None:
        """The text cut up; None, at the first word that cannot be read."""
        with suppress(UnexpectedInput):
            tree = self.cut(text)
            return tree if tree.children else None
        return None

    def tree(self, text: str) -> Tree[Token]:
        """The text cut up; NotationError, with all words that cannot be read, where it cannot."""
        refuse_long(text)
        problems: list[Problem] = []

        def note(error: UnexpectedInput) -> bool:
            confused = any(problem.code == "open-bracket" for problem in problems)
            if not (confused and closes_wrongly(error)):
                problems.append(explain(error, text, self))
            return len(problems) < MOST_PROBLEMS and skip(error, text)

        with suppress(UnexpectedInput):  # what is not to be skipped has been noted
            tree: Tree[Token] = _parser(self.grammar).parse(text, on_error=note)
        if not problems and not tree.children:
            way_out = f"write its tiles, as in `{self.example}`"
            problems.append(Problem("empty", "the text holds no hand", 1, 1, 2, help=way_out))
        if problems:
            raise NotationError(*sorted(problems, key=Problem.place), text=text)
        return tree


def refuse_long(text: str) -> None:
    """NotationError for a text that is longer than any hand, before anything looks at it."""
    if len(text) > LONGEST:
        message = f"the text has {len(text):,} characters, more than any hand takes"
        way_out = f"give one hand at a time, in at most {LONGEST:,} characters"
        raise NotationError(Problem("too-long", message, 1, 1, 2, help=way_out))


@cache
def _parser(name: str) -> Lark:
    """Built at first use, so that importing costs nothing."""
    return Lark(
        grammar(f"{name}.lark"),
        parser="lalr",
        lexer="basic",
        maybe_placeholders=False,
        import_paths=[str(grammars())],
    )
