"""A game as JSON and as CSV: written, and read back with all that it holds counted again."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from mjasp.deal import Customs
from mjasp.errors import GameError, MjaspError, Problem
from mjasp.game import Game, Payment, Played, Record, Settings, entry_of, new_game
from mjasp.notation import parse
from mjasp.tiles import Wind

__all__ = [
    "deal_dict",
    "game_csv",
    "game_dict",
    "read_game",
    "read_played",
    "read_record",
    "read_settings",
    "record_dict",
    "settings_dict",
]

_SCHEMA = "mjasp/game/1"
_COLUMNS = ("deal", "round", "seat", "player", "hand", "won", "discarded", "options")
_COUNTED = ("value", "net", "total")
_FIELDS = {"value": "values", "net": "net", "total": "totals"}
# What follows from the hands: it need not be there, and must be right where it is.
_DERIVED = ("round", "seats", "values", "payments", "net", "totals")
_CUSTOMS = {name: name.replace("_", "-") for name in Customs.__dataclass_fields__}
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError)


def game_dict(game: Game) -> dict[str, Any]:
    """A game as `mjasp/game/1`."""
    return {
        "schema": _SCHEMA,
        "players": list(game.players),
        **settings_dict(game.settings),
        "deals": [deal_dict(game, number) for number in range(1, len(game.deals) + 1)],
        "next": {"round": game.table().round.value, "seats": _seats(game, None)},
    }


def settings_dict(settings: Settings) -> dict[str, Any]:
    """What is agreed for a game."""
    return {
        "rules": settings.rules,
        "limit": settings.limit,
        "cap": settings.cap,
        "readings": dict(settings.readings),
        "customs": _customs_dict(settings.customs),
    }


def read_settings(found: Mapping[str, Any]) -> Settings:
    """The settings that settings_dict gave; what is missing is as by default."""
    limit = found.get("limit")
    readings = found.get("readings", {})
    if not isinstance(found["rules"], str) or not (limit is None or type(limit) is int):
        raise TypeError("rules is no text, or limit no number")
    if not all(isinstance(each, str) for each in (*readings, *readings.values())):
        raise TypeError("readings is no mapping of names to values")
    cap = _yes(found.get("cap", True))
    return Settings(found["rules"], limit, cap, dict(readings), _customs(found.get("customs", {})))


def deal_dict(game: Game, number: int) -> dict[str, Any]:
    """A deal of a game, by player."""
    played = game.deals[number - 1]
    names = game.players
    return {
        "deal": number,
        "round": played.table.round.value,
        "seats": _seats(game, number),
        **record_dict(played.record, names),
        "values": dict(zip(names, played.values, strict=True)),
        "payments": [
            {
                "from": names[each.payer],
                "to": names[each.receiver],
                "amount": each.amount,
                "because": each.because,
            }
            for each in played.payments
        ],
        "net": dict(zip(names, played.net, strict=True)),
        "totals": dict(zip(names, game.totals[number - 1], strict=True)),
    }


def record_dict(record: Record, names: Sequence[str]) -> dict[str, Any]:
    """What happened in a deal, by player."""
    return {
        "hands": dict(zip(names, record.hands, strict=True)),
        "winner": None if record.winner is None else names[record.winner],
        "by": names[record.by] if isinstance(record.by, int) else record.by,
        "customs": _customs_dict(record.customs),
    }


def read_record(found: Mapping[str, Any], names: Sequence[str]) -> Record:
    """The record that record_dict gave."""
    hands = found["hands"]
    if set(hands) != set(names):
        raise ValueError("the hands are not those of the four players")
    if not all(type(hand) in {str, int} for hand in hands.values()):
        raise TypeError("a hand is neither a text nor a number")
    winner, by = found.get("winner"), found.get("by")
    return Record(
        tuple(hands[name] for name in names),
        None if winner is None else names.index(winner),
        by if by in {None, "wall"} else names.index(by),
        _customs(found.get("customs", {})),
    )


def read_played(game: Game, found: Mapping[str, Any]) -> Played:
    """The next deal of a game as deal_dict gave it, with what was counted then."""
    names = game.players
    payments = (
        Payment(names.index(e["from"]), names.index(e["to"]), int(e["amount"]), str(e["because"]))
        for e in found["payments"]
    )
    values = tuple(int(found["values"][name]) for name in names)
    return Played(game.table(), read_record(found, names), values, tuple(payments))


def game_csv(game: Game) -> str:
    """A game as a table: a row for each player and deal; deal 0 tells what was agreed."""
    text = StringIO()
    rows = csv.DictWriter(text, (*_COLUMNS, *_COUNTED), restval="", lineterminator="\n")
    rows.writeheader()
    for seat, name in zip(Wind, game.players, strict=True):
        options = _options(settings_dict(game.settings)) if seat is Wind.EAST else ""
        row = {"deal": 0, "round": Wind.EAST, "seat": seat, "player": name, "options": options}
        rows.writerow({**row, "total": 0})
    for number in range(1, len(game.deals) + 1):
        rows.writerows(_csv_rows(deal_dict(game, number)))
    return text.getvalue()


def _csv_rows(deal: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for seat, name in deal["seats"].items():
        won = "yes" if deal["by"] != "wall" else "wall"
        yield {
            "deal": deal["deal"],
            "round": deal["round"],
            "seat": seat,
            "player": name,
            "hand": deal["hands"][name],
            "won": won if deal["winner"] == name else "",
            "discarded": "yes" if deal["by"] == name else "",
            "options": _options({"customs": deal["customs"]}) if seat == "E" else "",
            **{column: deal[_FIELDS[column]][name] for column in _COUNTED},
        }


def read_game(text: str) -> Game:
    """The game that game_dict (as JSON text) or game_csv gave, every deal counted again.

    What is there beside the hands must be what they give. Raises GameError, telling what is wrong.
    """
    try:
        text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
        found = json.loads(text) if text.lstrip().startswith("{") else _csv_dict(text)
        if found["schema"] != _SCHEMA:
            raise ValueError(f"its schema is {found['schema']!r}, not {_SCHEMA!r}")
        game = new_game([str(name) for name in found["players"]], read_settings(found))
        for number, deal in enumerate(found["deals"], start=1):
            game = _replayed(game, number, deal)
    except (*_MALFORMED, csv.Error, RecursionError) as error:
        told = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        message = f"the text is no exported game: {told}"
        raise GameError(Problem("no-export", message)) from None
    return game


def _replayed(game: Game, number: int, found: Mapping[str, Any]) -> Game:
    record = read_record(found, game.players)
    try:
        hands = (entry_of(parse(h) if isinstance(h, str) else h) for h in record.hands)
        record = Record(tuple(hands), record.winner, record.by, record.customs)
        game = game.with_record(number, record)
    except MjaspError as error:
        raise GameError(Problem("bad-deal", f"deal {number} cannot stand: {error}")) from None
    counted = deal_dict(game, number)
    for field in _DERIVED:
        if field in found and found[field] != counted[field]:
            message = f"deal {number}: {field} {_short(found[field])} stands in the file, and its "
            message += f"hands give {_short(counted[field])}"
            way_out = "correct the hands, or leave out what is to be counted anew"
            raise GameError(Problem("counts-otherwise", message, help=way_out))
    return game


def _short(value: object) -> str:
    told = json.dumps(value, ensure_ascii=False)
    return told if len(told) <= 120 else f"{told[:117]}..."


def _csv_dict(text: str) -> dict[str, Any]:
    """A table that game_csv gave, in the form of game_dict."""
    rows = list(csv.DictReader(StringIO(text), strict=True))
    missing = {*_COLUMNS} - {*(rows[0] if rows else ())}
    if missing:
        raise ValueError(f"its columns lack {', '.join(sorted(missing))}")
    if len(rows) % 4 or any(None in row.values() or None in row for row in rows):
        raise ValueError("its rows are not four a deal, all with every column")
    first, *deals = (rows[at : at + 4] for at in range(0, len(rows), 4))
    if [(row["deal"], row["seat"]) for row in first] != [("0", seat.value) for seat in Wind]:
        raise ValueError("it does not begin with deal 0, the players at their first seats")
    return {
        "schema": _SCHEMA,
        "players": [row["player"] for row in first],
        **_read_options(first[0]["options"]),
        "deals": [_csv_deal(number, rows) for number, rows in enumerate(deals, start=1)],
    }


def _csv_deal(number: int, rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    if {row["deal"] for row in rows} != {str(number)}:
        raise ValueError(f"deal {number} has not four rows")
    names = [row["player"] for row in rows]
    won = [row for row in rows if row["won"]]
    by = [row["player"] for row in rows if row["discarded"]]
    if len(won) > 1 or len(by) > 1:
        raise ValueError(f"deal {number} has two winners, or two who discarded")
    if won and won[0]["won"] == "wall":
        by.append("wall")
    found: dict[str, Any] = {
        "hands": {row["player"]: _csv_hand(row["hand"]) for row in rows},
        "winner": won[0]["player"] if won else None,
        "by": by[0] if by else None,
        "customs": _read_options(rows[0]["options"]).get("customs", {}),
        "seats": {row["seat"]: row["player"] for row in rows},
        "round": rows[0]["round"],
    }
    for column in _COUNTED:
        if all(row.get(column) for row in rows):
            values = (int(row[column]) for row in rows)
            found[_FIELDS[column]] = dict(zip(names, values, strict=True))
    return found


def _csv_hand(text: str) -> str | int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _options(settings: Mapping[str, Any]) -> str:
    """Settings on one line, customs as deal files have them: those that are not the default."""
    told = [f"{name}: {settings[name]}" for name in ("rules", "limit") if settings.get(name)]
    told += ["cap: no"] if not settings.get("cap", True) else []
    told += [f"reading: {name}={value}" for name, value in settings.get("readings", {}).items()]
    default = _customs_dict(Customs())
    for name, value in settings["customs"].items():
        if value is not default[name]:
            told.append(f"{name}: {'yes' if value else 'no'}")
    return "; ".join(told)


def _read_options(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {"readings": {}, "customs": {}}
    for each in filter(None, map(str.strip, text.split("; "))):
        name, _, value = each.partition(": ")
        if name in _CUSTOMS.values():
            found["customs"][name] = {"yes": True, "no": False}[value]
        elif name == "reading":
            reading, _, chosen = value.partition("=")
            found["readings"][reading] = chosen
        elif name == "rules":
            found[name] = value
        elif name == "limit":
            found[name] = int(value)
        elif name == "cap":
            found[name] = value != "no"
        else:
            raise ValueError(f"{name!r} is no option")
    return found


def _customs_dict(customs: Customs) -> dict[str, bool]:
    return {told: getattr(customs, name) for name, told in _CUSTOMS.items()}


def _customs(found: Mapping[str, Any]) -> Customs:
    names = {told: name for name, told in _CUSTOMS.items()}
    return Customs(**{names[told]: _yes(value) for told, value in found.items()})


def _yes(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _seats(game: Game, number: int | None) -> dict[str, str]:
    table = game.table(number)
    return {seat.value: game.players[table.player(seat)] for seat in Wind}
