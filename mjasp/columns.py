"""How many columns of a terminal a text takes, and texts filled, cut and wrapped by that."""

from __future__ import annotations

import textwrap
import unicodedata

__all__ = ["cut", "left", "right", "width_of", "wrap"]

# Stands for the second column of a wide character. Of private use, so in no text that is shown.
_SECOND = "\ue000"


def width_of(text: str) -> int:
    """The columns that the text takes.

    >>> width_of("Anna"), width_of("李小龍"), width_of("Jose\u0301")
    (4, 6, 4)
    """
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def left(text: str, width: int) -> str:
    """The text at the left of so many columns."""
    return text + " " * (width - width_of(text))


def right(text: str, width: int) -> str:
    """The text at the right of so many columns."""
    return " " * (width - width_of(text)) + text


def cut(text: str, width: int) -> str:
    """The text where it fits, or as much of its beginning as does.

    >>> cut("Bartholomew", 6), cut("李小龍", 5)
    ('Barth…', '李小…')
    """
    if width_of(text) <= width:
        return text
    end = len(text)
    while width_of(text[:end]) >= width:
        end -= 1
    return f"{text[:end]}…"


def wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """The text in lines of at most so many columns, behind `first` and then behind `rest`."""
    widened = _widened(text)
    lines = textwrap.wrap(
        widened,
        # A word that is too long may be cut in the middle of a wide character.
        width - (_SECOND in widened),
        initial_indent=_widened(first),
        subsequent_indent=_widened(rest),
        break_on_hyphens=False,
    )
    return [line.replace(_SECOND, "") for line in lines]


def _widened(text: str) -> str:
    if text.isascii():
        return text
    return "".join(char + _SECOND * (_width(char) - 1) for char in text)
