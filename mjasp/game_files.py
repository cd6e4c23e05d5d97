"""An exported game read back, whatever its form, with all that it holds counted again."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from typing import Any

from mjasp.errors import GameError, MjaspError, Problem
from mjasp.game import Game, new_game, record_of, seated
from mjasp.game_csv import csv_dict
from mjasp.game_dicts import (
    MALFORMED,
    SCHEMA,
    checked,
    deal_dict,
    differing,
    game_dict,
    read_record,
    read_settings,
)

__all__ = ["read_game"]


def read_game(text: str) -> Game:
    """The game that game_dict (as JSON text) or game_csv gave, every deal counted again.

    What is there beside the hands must be what they give. Raises GameError, telling what is wrong.
    """
    try:
        text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
        found = json.loads(text) if text.lstrip().startswith("{") else csv_dict(text)
        if found["schema"] != SCHEMA:
            raise ValueError(f"its schema is {found['schema']!r}, not {SCHEMA!r}")
        players, deals = (checked(found[key], list, key) for key in ("players", "deals"))
        names = [checked(name, str, "a player") for name in players]
        game = new_game(names, read_settings(found))
    except (*MALFORMED, csv.Error, RecursionError) as error:
        message = f"the text is no exported game: {_reason(error)}"
        raise GameError(Problem("no-export", message)) from None
    for number, deal in enumerate(deals, start=1):
        try:
            game = _replayed(game, number, checked(deal, dict, "it"))
        except MALFORMED as error:
            message = f"deal {number} is none as they are exported: {_reason(error)}"
            raise GameError(Problem("no-export", message)) from None
    following = game_dict(game)["next"]
    if found.get("next", following) != following:
        raise _otherwise("next", found["next"], following)
    return game


def _reason(error: Exception) -> str:
    return f"`{error.args[0]}` is missing" if isinstance(error, KeyError) else str(error)


def _replayed(game: Game, number: int, found: Mapping[str, Any]) -> Game:
    record = read_record(found, game.players, game.settings.customs)
    try:
        deal = seated(record, game.table(), game.players)
        game = game.with_record(number, record_of(deal, game.table(), game.settings))
    except MjaspError as error:
        raise GameError(Problem("bad-deal", f"deal {number} cannot stand: {error}")) from None
    counted = deal_dict(game, number)
    if field := differing(found, counted):
        raise _otherwise(f"deal {number}: {field}", found[field], counted[field])
    return game


def _otherwise(what: str, told: object, counted: object) -> GameError:
    message = f"{what} {_short(told)} stands in the file, and the hands give {_short(counted)}"
    way_out = "correct the hands, or leave out what is to be counted anew"
    return GameError(Problem("counts-otherwise", message, help=way_out))


def _short(value: object) -> str:
    told = json.dumps(value, ensure_ascii=False)
    return told if len(told) <= 120 else f"{told[:117]}..."
