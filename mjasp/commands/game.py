"""Commands on a score sheet: new, add, list, show, correct, undo, export, import."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mjasp.commands.common import (
    Answer,
    Help,
    UsageError,
    add_scoring,
    command,
    scoring_of,
    text_of,
)

if TYPE_CHECKING:
    from mjasp.commands.common import Commands, Parser
    from mjasp.game import Game

__all__ = ["add"]

_GAME = """\
examples:
  mjasp game new evening.mjasp --players Anna,Ben,Cleo,Dan
  mjasp game add evening.mjasp deal.txt
  mjasp game show evening.mjasp --format html > sheet.html

Each command has --help of its own; more in docs/settling.md.
"""
_NEW = """\
examples:
  mjasp game new evening.mjasp --players Anna,Ben,Cleo,Dan
  mjasp game new club.mjasp --players A,B,C,D --rules bmja --limit 800
  mjasp game new ours.mjasp --players A,B,C,D --custom losers-settle=no
"""
_ADD = """\
examples:
  mjasp game add evening.mjasp deal.txt
  mjasp game add evening.mjasp - < deal.txt

In the deal file `east:` is the hand of the player who sits East now, and so on.
"""
_LIST = """\
examples:
  mjasp game list evening.mjasp
  mjasp game list evening.mjasp --format json
"""
_SHOW = """\
examples:
  mjasp game show evening.mjasp
  mjasp game show evening.mjasp 3
  mjasp game show evening.mjasp --format html > sheet.html
"""
_CORRECT = """\
examples:
  mjasp game correct evening.mjasp 2 deal.txt
  mjasp game correct evening.mjasp 2 - < deal.txt

`east:` is the hand of the player who sat East in that deal. Hands belong to
the players who held them: where the correction seats the players anew in later
deals, their hands are counted and paid again with those seats.
"""
_UNDO = """\
examples:
  mjasp game undo evening.mjasp
  mjasp game undo evening.mjasp --format json
"""
_EXPORT = """\
examples:
  mjasp game export evening.mjasp > evening.json
  mjasp game export evening.mjasp --format csv > evening.csv
"""
_IMPORT = """\
examples:
  mjasp game import copy.mjasp evening.json
  mjasp game import copy.mjasp - < evening.csv
"""
_SHEETS = ("text", "markdown", "html", "json")


def add(commands: Commands) -> None:
    """Declare the commands."""
    game = commands.add_parser(
        "game",
        help="the score sheet of an evening",
        description="The score sheet of an evening, kept in one file.",
        epilog=_GAME,
        formatter_class=Help,
    )
    of_game = game.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_new(_declare(of_game, _new, "begin a score sheet", _NEW))
    _add_deal(_declare(of_game, _add, "add a deal", _ADD))
    _declare(of_game, _list, "the deals, a line each", _LIST)
    show = _declare(of_game, _show, "the whole sheet, or one deal of it", _SHOW, _SHEETS)
    show.add_argument("number", metavar="N", nargs="?", type=_number, help="the deal to show")
    correct = _declare(of_game, _correct, "put another deal in the place of one", _CORRECT)
    correct.add_argument("number", metavar="N", type=_number, help="the deal to correct")
    _add_deal(correct)
    _declare(of_game, _undo, "take back the last add or correct", _UNDO)
    _declare(of_game, _export, "all of it as JSON or CSV", _EXPORT, ("json", "csv"))
    source = _declare(of_game, _import, "a new sheet from an export", _IMPORT)
    source.add_argument("export", metavar="EXPORT", help="the JSON or CSV; - reads standard input")


def _declare(
    commands: Commands,
    run: Callable[[argparse.Namespace], Answer],
    about: str,
    epilog: str,
    formats: tuple[str, ...] = ("text", "json"),
) -> Parser:
    parser = command(commands, run, about, epilog, formats)
    parser.add_argument("file", metavar="FILE", type=_file, help="the file that is the sheet")
    return parser


def _add_new(parser: Parser) -> None:
    parser.add_argument(
        "--players", metavar="E,S,W,N", required=True, help="the players at their first seats"
    )
    add_scoring(parser)
    parser.add_argument(
        "--custom",
        metavar="NAME=yes|no",
        type=_custom,
        action="append",
        default=[],
        help="a table custom, as in deal files: losers-settle, east-doubles, discarder-pays, "
        "self-drawn-doubles; repeatable",
    )


def _add_deal(parser: Parser) -> None:
    parser.add_argument("deal", metavar="DEAL", help="the deal file; - reads standard input")


def _file(text: str) -> Path:
    if text == "-":
        raise argparse.ArgumentTypeError("a sheet is a file, and no standard input")
    return Path(text)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a deal")
    return int(text)


def _custom(text: str) -> tuple[str, bool]:
    from mjasp.deal import Customs

    name, _, value = text.partition("=")
    field = name.replace("-", "_")
    if field not in Customs.__dataclass_fields__ or value not in {"yes", "no"}:
        raise argparse.ArgumentTypeError(f"{text!r} is no custom with yes or no")
    return field, value == "yes"


def _new(options: argparse.Namespace) -> Answer:
    from mjasp import game_store
    from mjasp.deal import Customs
    from mjasp.engine import DEFAULT_RULES
    from mjasp.game import Settings, new_game

    given = scoring_of(options)
    rules = given.pop("rules") or DEFAULT_RULES
    customs: dict[str, bool] = {}
    for name, value in options.custom:
        if customs.setdefault(name, value) is not value:
            raise UsageError(f"custom {name.replace('_', '-')} is given twice: yes and no")
    settings = Settings(rules, **given, customs=Customs(**customs))
    game = new_game(options.players.split(","), settings)
    game_store.create(options.file, game)
    return _listed(game)


def _add(options: argparse.Namespace) -> Answer:
    from mjasp import game_store
    from mjasp.game_sheet import deal_text

    game = game_store.add(options.file, text_of(options.deal)).after
    return _answer(game, lambda colour: deal_text(game, len(game.deals), colour=colour))


def _list(options: argparse.Namespace) -> Answer:
    from mjasp import game_store

    return _listed(game_store.load(options.file))


def _show(options: argparse.Namespace) -> Answer:
    from mjasp import game_sheet, game_store
    from mjasp.game_dicts import deal_dict

    game = game_store.load(options.file)
    number = options.number
    if number is None:
        html = options.format == "html"
        view = game_sheet.sheet_html if html else game_sheet.sheet_markdown
        if options.format == "text":
            return _answer(game, lambda colour: game_sheet.sheet_text(game, colour=colour))
        return _answer(game, lambda _: view(game))
    if options.format not in {"text", "json"}:
        raise UsageError(f"one deal is shown as text or json, not as {options.format}")
    game.played(number)
    return Answer(
        lambda: deal_dict(game, number),
        lambda colour: game_sheet.deal_text(game, number, colour=colour),
    )


def _correct(options: argparse.Namespace) -> Answer:
    from mjasp import game_store
    from mjasp.game_sheet import change_text

    change = game_store.correct(options.file, options.number, text_of(options.deal))
    return _answer(change.after, lambda colour: change_text(change, undone=False, colour=colour))


def _undo(options: argparse.Namespace) -> Answer:
    from mjasp import game_store
    from mjasp.game_sheet import change_text

    change = game_store.undo(options.file)
    return _answer(change.after, lambda colour: change_text(change, undone=True, colour=colour))


def _export(options: argparse.Namespace) -> Answer:
    from mjasp import game_store
    from mjasp.game_csv import game_csv

    game = game_store.load(options.file)
    return _answer(game, lambda _: game_csv(game).rstrip("\n"))


def _import(options: argparse.Namespace) -> Answer:
    from mjasp import game_store
    from mjasp.game_files import read_game

    game = read_game(text_of(options.export))
    game_store.create(options.file, game)
    return _listed(game)


def _listed(game: Game) -> Answer:
    from mjasp.game_sheet import list_text

    return _answer(game, lambda colour: list_text(game, colour=colour))


def _answer(game: Game, to_text: Callable[[bool], str]) -> Answer:
    from mjasp.game_dicts import game_dict

    return Answer(lambda: game_dict(game), to_text)
