"""What commands share: how one is declared, what it answers, the options of a hand.

What a command needs besides is imported when it runs: the others cost it nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import mjasp
from mjasp.commands.output import show
from mjasp.errors import MjaspError, Problem
from mjasp.notation import READ, recognise
from mjasp.resources import languages

if TYPE_CHECKING:
    from mjasp.hand import Hand
    from mjasp.tiles import Wind
    from mjasp.words import Words

__all__ = [
    "DONE",
    "FALSE_WIN",
    "Answer",
    "Help",
    "Parser",
    "UsageError",
    "add_hand",
    "add_language",
    "add_scoring",
    "add_text",
    "add_winds",
    "command",
    "hand_of",
    "json_words_of",
    "language_of",
    "points",
    "scoring_of",
    "settings_of",
    "text_of",
    "words_of",
]

DONE, FALSE_WIN = 0, 1
# More than any file that is read whole has; what is longer is refused where it ends.
_LONGEST_FILE = 20_000_000
# Digits: what is longer is no limit that any table plays.
_LONGEST_NUMBER = 16


class UsageError(MjaspError):
    """The command line itself is wrong."""

    def __init__(self, message: str) -> None:
        super().__init__(Problem("usage", message))


class Parser(argparse.ArgumentParser):
    """Raises where argparse leaves the program, so that wrong usage is told as other errors are."""

    def error(self, message: str) -> NoReturn:
        """Wrong usage as an error of the program's own."""
        raise UsageError(f"{message} (see `{self.prog} --help`)")

    def _print_message(self, message: str, file: object = None) -> None:  # noqa: ARG002
        # Help and version go the way of all output: argparse knows nothing of closed pipes.
        show(message.rstrip("\n"), sys.stdout)


if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Parser]  # noqa: SLF001 - argparse names it nowhere else


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found, to be shown in the form that was asked for."""

    to_dict: Callable[[], dict[str, Any]]
    to_text: Callable[[bool], str]
    status: int = DONE
    silent: bool = False

    @classmethod
    def told(cls, status: int) -> Answer:
        """The answer of a command that has written it already."""
        return cls(dict, lambda _: "", status, silent=True)


def hand_of(options: argparse.Namespace) -> Hand:
    """The hand that a command is about; its text and notation are left in `options`."""
    text = _standard_input() if options.hand == "-" else options.hand
    options.text = text
    if options.notation != "auto":
        return mjasp.parse(text, options.notation)
    hand, options.recognised = recognise(text)
    return hand


def text_of(name: str) -> str:
    """The text of a file; `-` is standard input."""
    if name == "-":
        return _standard_input()
    try:
        with Path(name).open(encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_LONGEST_FILE)
    except (OSError, ValueError) as error:
        told = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise UsageError(f"`{name}` cannot be read: {told}") from None


def _standard_input() -> str:
    if isinstance(sys.stdin, TextIOWrapper):
        # What is no UTF-8 reaches the parser all the same, which tells where it stands.
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    return sys.stdin.read(_LONGEST_FILE) if sys.stdin else ""


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """The options of a command on a hand as the keywords of the Python API."""
    return {**scoring_of(options), "seat": options.seat, "round": options.round}


def scoring_of(options: argparse.Namespace) -> dict[str, Any]:
    """The options that say how hands are scored, as the keywords of the Python API."""
    readings: dict[str, str] = {}
    for name, value in options.reading:
        if readings.setdefault(name, value) != value:
            raise UsageError(f"reading {name} is given twice: {readings[name]} and {value}")
    return {
        "rules": options.rules,
        "readings": readings,
        "limit": options.limit,
        "cap": not options.no_limit,
    }


def command(
    commands: Commands,
    run: Callable[[argparse.Namespace], Answer],
    about: str,
    epilog: str,
    formats: tuple[str, ...] = ("text", "json"),
) -> Parser:
    """Declare a command, named after the function that runs it; `epilog` shows examples.

    `formats` are those that it answers in, the first one unless another is asked for.
    """
    parser = commands.add_parser(
        run.__name__.removeprefix("_"),
        help=about,
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=epilog,
        formatter_class=Help,
    )
    parser.set_defaults(command=run, format=formats[0])
    if len(formats) == 1:
        return parser
    told = f"{', '.join(formats[:-1])} or {formats[-1]}"
    parser.add_argument("--format", choices=formats, default=formats[0], help=told)
    return parser


_RULES = "the rule set: one of `mjasp rules`, or the path of a club's own, NAME.lp"


def add_hand(parser: Parser, rules: str = _RULES) -> None:
    """Declare the hand and the options that say how it is scored; `rules` explains --rules."""
    add_text(parser)
    add_winds(parser)
    add_scoring(parser, rules)


def add_text(parser: Parser) -> None:
    """Declare the hand and the notation that it is in."""
    add = parser.add_argument
    add("hand", metavar="HAND", help="the hand as text; - reads standard input")
    add("--notation", choices=READ, default="auto", help="the notation of the hand")


def add_winds(parser: Parser) -> None:
    """Declare the options that beat the winds which a text states."""
    add = parser.add_argument
    add("--seat", metavar="WIND", type=_wind, help="the player's seat wind: E, S, W or N")
    add("--round", metavar="WIND", type=_wind, help="the round (prevailing) wind: E, S, W or N")


def add_scoring(parser: Parser, rules: str = _RULES) -> None:
    """Declare the options that say how hands are scored; `rules` explains --rules."""
    add = parser.add_argument
    add("--rules", metavar="NAME", help=rules)
    add("--limit", metavar="N", type=_limit, help="the limit in points")
    add("--no-limit", action="store_true", help="let totals exceed the limit")
    add(
        "--reading",
        metavar="NAME=VALUE",
        type=_reading,
        action="append",
        default=[],
        help="how to take a contested rule, see `mjasp rules NAME`; repeatable",
    )


def add_language(parser: Parser) -> None:
    """Declare the language in which is answered."""
    parser.add_argument("--lang", choices=languages(), help="the language; without it the locale's")


def words_of(options: argparse.Namespace) -> Words:
    """The words of the language of a text."""
    from mjasp.words import Words

    return Words(language_of(options))


def json_words_of(options: argparse.Namespace) -> Words | None:
    """The words of JSON in another language than the rule sets' own, which needs none."""
    return words_of(options) if options.lang not in {None, "en"} else None


def language_of(options: argparse.Namespace) -> str:
    """The language of a text: the one asked for, or the locale's. JSON follows --lang alone."""
    from mjasp.words import spoken

    return options.lang or spoken()


class Help(argparse.RawDescriptionHelpFormatter):
    """Help of the same width everywhere."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=24, width=80)


def _limit(text: str) -> int:
    if not (_is_number(text) and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number of points above 0")
    return int(text)


def points(text: str) -> int:
    """A number of points given on the command line."""
    if not _is_number(text):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number of points")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < _LONGEST_NUMBER


def _reading(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def _wind(text: str) -> Wind:
    from mjasp.tiles import Wind

    if wind := Wind.named(text):
        return wind
    raise argparse.ArgumentTypeError(f"{text!r} is no wind: E, S, W or N")
