"""The command line: one command a function, each a view of what the Python API gives.

What a command needs is imported when it runs: the others cost it nothing.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import mjasp
from mjasp.errors import MjaspError, Problem

if TYPE_CHECKING:
    from mjasp.hand import Hand
    from mjasp.tiles import Wind

__all__ = ["main"]

DONE, FALSE_WIN, BAD_INPUT, FAULT, INTERRUPTED = 0, 1, 2, 3, 130

_PROGRAM = """\
examples:
  mjasp score '(1111c) 555b E [GGG] [234d] +E wall seat:E round:E'
  mjasp decompose '111222333b 45c 11d +3c discard'
  mjasp waits '[GGG] (1111c) 55b 234d EE'
  mjasp rules european-classical

exit status:
  0  done
  1  the hand is no win (score, decompose)
  2  bad input or usage; the message is on standard error
  3  a fault of the program
"""
_SCORE = """\
examples:
  mjasp score '(1111c) 555b E [GGG] [234d] +E wall seat:E round:E'
  mjasp score --seat S --limit 1000 '111222333b 45c 11d +3c discard'
  mjasp score --reading value_pairs=none --format json - < hand.txt

a hand:
  1b..9b bamboo, 1c..9c characters, 1d..9d dots, E S W N winds, R G Wh dragons;
  [222b] is exposed, (1111c) a concealed kong, the other tiles are concealed;
  +E is the winning tile, then how it came: wall, discard, loose or robbing
"""
_DECOMPOSE = """\
examples:
  mjasp decompose '111222333b 45c 11d +3c discard'
  mjasp decompose --format json '111222333b 45c 11d +3c wall'
"""
_WAITS = """\
examples:
  mjasp waits '[GGG] (1111c) 55b 234d EE'
  mjasp waits --rules european-classical-2008 --format json '1112345678999b'
"""
_RULES = """\
examples:
  mjasp rules
  mjasp rules european-classical
  mjasp rules european-classical --format json
"""


class _UsageError(Exception):
    """The command line itself is wrong."""


class _Parser(argparse.ArgumentParser):
    """Raises where argparse leaves the program, so that wrong usage is told as other errors are."""

    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message} (see `{self.prog} --help`)")

    def _print_message(self, message: str, file: object = None) -> None:  # noqa: ARG002
        # Help and version go the way of all output: argparse knows nothing of closed pipes.
        _print(message.rstrip("\n"), sys.stdout)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status; `argv` is without the program's name."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as fault:
        if os.environ.get("MJASP_DEBUG"):
            raise
        told = " ".join(f"{type(fault).__name__}: {fault}".split())
        way = "please report this command and what it prints with MJASP_DEBUG=1"
        print(f"mjasp: internal fault ({told}); {way}", file=sys.stderr)
        return FAULT


def _run(arguments: list[str]) -> int:
    as_json = "json" in (arg.removeprefix("--format=") for arg in arguments)
    try:
        options = _parser().parse_args(arguments)
        as_json = options.format == "json"
        answer = options.command(options)
        _print(_json(answer.to_dict()) if as_json else answer.to_text(_colour()), sys.stdout)
    except _UsageError as error:
        refused = MjaspError(Problem("usage", str(error)))
    except MjaspError as error:
        refused = error
    else:
        return int(answer.status)
    _print(_json(refused.to_dict()) if as_json else refused.render(), sys.stderr)
    return BAD_INPUT


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a command found, to be shown in the form that was asked for."""

    to_dict: Callable[[], dict[str, Any]]
    to_text: Callable[[bool], str]
    status: int = DONE


def _score(options: argparse.Namespace) -> _Answer:
    from mjasp.render.text import score_text

    score = mjasp.score(_hand(options), **_settings(options))
    return _Answer(
        score.to_dict,
        lambda colour: score_text(score, every=options.all, colour=colour),
        FALSE_WIN if score.outcome == "false-win" else DONE,
    )


def _decompose(options: argparse.Namespace) -> _Answer:
    from mjasp.render.text import decompose_text

    # The list of interpretations does not tell what other facts or readings would give.
    sensitivity = options.format == "json"
    score = mjasp.score(_hand(options), **_settings(options), sensitivity=sensitivity)
    return _Answer(
        score.to_dict,
        lambda colour: decompose_text(score, colour=colour),
        FALSE_WIN if score.outcome == "false-win" else DONE,
    )


def _waits(options: argparse.Namespace) -> _Answer:
    from mjasp.engine import DEFAULT_RULES
    from mjasp.render.json import waits_dict
    from mjasp.render.listing import waits_text

    hand = _hand(options)
    rules = options.rules or hand.rules or DEFAULT_RULES
    waits = mjasp.waits(hand, **_settings(options))
    return _Answer(
        lambda: waits_dict(hand, rules, waits),
        lambda colour: waits_text(hand, rules, waits, colour=colour),
    )


def _rules(options: argparse.Namespace) -> _Answer:
    from mjasp.render import json, listing

    if options.name is None:
        rulesets = mjasp.rulesets()
        return _Answer(
            lambda: json.rulesets_dict(rulesets),
            lambda colour: listing.rulesets_text(rulesets, colour=colour),
        )
    ruleset = mjasp.ruleset(options.name)
    return _Answer(
        lambda: json.ruleset_dict(ruleset),
        lambda colour: listing.ruleset_text(ruleset, colour=colour),
    )


def _hand(options: argparse.Namespace) -> Hand:
    text = options.hand
    if text == "-":
        if isinstance(sys.stdin, TextIOWrapper):
            # What is no UTF-8 reaches the parser all the same, which tells where it stands.
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        text = sys.stdin.read() if sys.stdin else ""
    return mjasp.parse(text)


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """The options of a command on a hand as the keywords of the Python API."""
    readings: dict[str, str] = {}
    for name, value in options.reading:
        if readings.setdefault(name, value) != value:
            raise _UsageError(f"reading {name} is given twice: {readings[name]} and {value}")
    return {
        "rules": options.rules,
        "readings": readings,
        "limit": options.limit,
        "cap": not options.no_limit,
        "seat": options.seat,
        "round": options.round,
    }


def _parser() -> _Parser:
    parser = _Parser(
        prog="mjasp",
        description="Scores Mahjong hands and shows every rule that fired.",
        epilog=_PROGRAM,
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", version=f"mjasp {mjasp.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    score = _command(commands, _score, "the best score of a hand, with its trace", _SCORE)
    score.add_argument("--all", action="store_true", help="trace every interpretation")
    decompose = _command(commands, _decompose, "every interpretation, best first", _DECOMPOSE)
    waits = _command(commands, _waits, "the tiles that would complete a hand", _WAITS)
    for command in (score, decompose, waits):
        _add_hand(command)
    rules = _command(commands, _rules, "the rule sets, or all that one of them scores", _RULES)
    rules.add_argument("name", metavar="NAME", nargs="?", help="the rule set to tell about")
    return parser


def _command(
    commands: argparse._SubParsersAction[_Parser],
    run: Callable[[argparse.Namespace], _Answer],
    about: str,
    epilog: str,
) -> _Parser:
    parser = commands.add_parser(
        run.__name__.removeprefix("_"),
        help=about,
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=epilog,
        formatter_class=_Help,
    )
    parser.set_defaults(command=run)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text or json")
    return parser


def _add_hand(parser: _Parser) -> None:
    add = parser.add_argument
    add("hand", metavar="HAND", help="the hand as text; - reads standard input")
    add("--rules", metavar="NAME", help="the rule set, one of `mjasp rules`")
    add("--seat", metavar="WIND", type=_wind, help="the player's seat wind: E, S, W or N")
    add("--round", metavar="WIND", type=_wind, help="the round (prevailing) wind: E, S, W or N")
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


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help of the same width everywhere."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=24, width=80)


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of points above 0")
    return int(text)


def _reading(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def _wind(text: str) -> Wind:
    from mjasp.tiles import Wind

    for wind in Wind:
        if text.casefold() in (wind.value.casefold(), wind.name.casefold()):
            return wind
    raise argparse.ArgumentTypeError(f"{text!r} is no wind: E, S, W or N")


def _colour() -> bool:
    """Whether to colour: on a terminal, unless told otherwise (https://no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return bool(sys.stdout) and sys.stdout.isatty() and not plain


def _json(value: dict[str, Any]) -> str:
    import json

    return json.dumps(value, indent=2)


def _print(text: str, stream: TextIO | None) -> None:
    """Print whatever the stream's encoding, and say nothing where nobody listens any more."""
    if stream is None:
        return
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:
        # What is still buffered would fail again when the interpreter leaves.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
