"""A page of text, 80 columns wide: wrapping, columns and a little colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mjasp import columns

__all__ = ["WIDTH", "Page"]

WIDTH = 80
_WIDEST_COLUMN = 44
_NARROWEST_LAST = 20
_LABEL = 9


@dataclass(frozen=True, slots=True)
class Page:
    """How lines are made; without `colour` they hold no escape sequence."""

    colour: bool = False

    def strong(self, text: str) -> str:
        """What is to be seen first."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def faint(self, text: str) -> str:
        """What is there for those who look."""
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text

    def wrap(self, text: str, indent: int = 0, first: str = "") -> list[str]:
        """The text in lines that begin in the same column; `first` stands before the first one.

        >>> Page().wrap("four sets and a pair", 70, "  Notes")[1].strip()
        'and a pair'
        """
        if columns.width_of(first) >= indent > 0:
            return [*self.wrap(first), *self.wrap(text, indent)]
        return columns.wrap(text, WIDTH, columns.left(first, indent), " " * indent) or [first]

    def labelled(self, label: str, text: str) -> list[str]:
        """A line `Label    text`; the text runs on below itself."""
        return self.wrap(text, _LABEL, label)

    def section(self, title: str, lines: Sequence[str]) -> list[str]:
        """A titled block after an empty line; nothing at all where there is nothing to tell."""
        return ["", *map(self.strong, self.wrap(title)), *lines] if lines else []

    def items(self, texts: Sequence[str]) -> list[str]:
        """Sentences, one below the other."""
        return [line for text in texts for line in self.wrap(text, 4, "  -")]

    def columns(self, rows: Sequence[Sequence[str]], gap: int = 3) -> list[str]:
        """Rows whose cells stand below each other, indented by two; the last cell is wrapped.

        It gets lines of its own where the others leave it no room.

        >>> Page().columns([("E+E", "pair"), ("234d", "chow")])
        ['  E+E    pair', '  234d   chow']
        """
        widths = [
            min(max(map(columns.width_of, column)), _WIDEST_COLUMN) + gap
            for column in zip(*rows, strict=True)
        ][:-1]
        lead = 2 + sum(widths)
        lines = []
        for *cells, last in rows:
            line = "  " + "".join(map(columns.left, cells, widths)).rstrip()
            if lead > WIDTH - _NARROWEST_LAST:
                lines += [*self.wrap(line), *self.wrap(last, 6, " ")]
            else:
                lines += self.wrap(last, lead, line)
        return lines
