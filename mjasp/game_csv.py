"""A game as a table, CSV: a row for each player and deal; deal 0 tells what was agreed."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from mjasp.deal import Customs
from mjasp.game import Game
from mjasp.game_dicts import SCHEMA, deal_dict, settings_dict
from mjasp.tiles import Wind

__all__ = ["csv_dict", "game_csv"]

_COLUMNS = ("deal", "round", "seat", "player", "hand", "won", "discarded", "options")
_COUNTED = ("value", "net", "total")
_FIELDS = {"value": "values", "net": "net", "total": "totals"}
# A value that holds the mark between two options is in quotes.
_OPTION = re.compile(r'([a-z-]+): ("(?:[^"\\]|\\.)*"|[^;"]*)(?:; |$)')
# A cell that a spreadsheet would take for a formula gets an apostrophe in front.
_FORMULA = re.compile(
    "'*[=+\\-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
    "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}]"
)
_TEXTS = ("player", "hand", "options")


def game_csv(game: Game) -> str:
    """A game as a table: a row for each player and deal; deal 0 tells what was agreed."""
    text = StringIO()
    rows = csv.DictWriter(text, (*_COLUMNS, *_COUNTED), restval="", lineterminator="\n")
    rows.writeheader()
    for row in _csv_rows(game):
        rows.writerow({**row, **{column: _guarded(row.get(column, "")) for column in _TEXTS}})
    return text.getvalue()


def _csv_rows(game: Game) -> Iterator[dict[str, Any]]:
    for seat, name in zip(Wind, game.players, strict=True):
        options = _options(settings_dict(game.settings), Customs()) if seat is Wind.EAST else ""
        row = {"deal": 0, "round": Wind.EAST, "seat": seat, "player": name, "options": options}
        yield {**row, "total": 0}
    for number in range(1, len(game.deals) + 1):
        yield from _csv_deal_rows(deal_dict(game, number), game.settings.customs)


def _csv_deal_rows(deal: Mapping[str, Any], customs: Customs) -> Iterator[dict[str, Any]]:
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
            "options": _options({"customs": deal["customs"]}, customs) if seat == "E" else "",
            **{column: deal[_FIELDS[column]][name] for column in _COUNTED},
        }


def _guarded(cell: str | int) -> str | int:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def csv_dict(text: str) -> dict[str, Any]:
    """A table that game_csv gave, in the form of game_dict."""
    rows = list(csv.DictReader(StringIO(text), strict=True))
    missing = {*_COLUMNS} - {*(rows[0] if rows else ())}
    if missing:
        raise ValueError(f"its columns lack {', '.join(sorted(missing))}")
    if len(rows) % 4 or any(None in row.values() or None in row for row in rows):
        raise ValueError("its rows are not four a deal, all with every column")
    rows = [{**row, **{column: _unguarded(row[column]) for column in _TEXTS}} for row in rows]
    first, *deals = (rows[at : at + 4] for at in range(0, len(rows), 4))
    if [(row["deal"], row["seat"]) for row in first] != [("0", seat.value) for seat in Wind]:
        raise ValueError("it does not begin with deal 0, the players at their first seats")
    return {
        "schema": SCHEMA,
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
    if len({row["round"] for row in rows}) > 1 or any(row["options"] for row in rows[1:]):
        raise ValueError(f"deal {number} has two rounds, or options in another row than its first")
    options = _read_options(rows[0]["options"])
    if options["readings"] or len(options) > 2:
        raise ValueError(f"deal {number} has options of a whole game")
    if won and won[0]["won"] == "wall":
        by.append("wall")
    found: dict[str, Any] = {
        "hands": {row["player"]: _csv_hand(row["hand"]) for row in rows},
        "winner": won[0]["player"] if won else None,
        "by": by[0] if by else None,
        "customs": options["customs"],
        "seats": {row["seat"]: row["player"] for row in rows},
        "round": rows[0]["round"],
    }
    for column in _COUNTED:
        if all(row.get(column) for row in rows):
            values = (_whole(row[column]) for row in rows)
            found[_FIELDS[column]] = dict(zip(names, values, strict=True))
    return found


def _csv_hand(text: str) -> str | int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _options(settings: Mapping[str, Any], customs: Customs) -> str:
    """Settings on one line, those that are not the default; customs as deal files have them."""
    told = [
        f"{name}: {_quoted(settings[name])}" for name in ("rules", "limit") if settings.get(name)
    ]
    told += ["cap: no"] if not settings.get("cap", True) else []
    told += [f"reading: {name}={value}" for name, value in settings.get("readings", {}).items()]
    default = customs.to_dict()
    for name, value in settings["customs"].items():
        if value is not default[name]:
            told.append(f"{name}: {'yes' if value else 'no'}")
    return "; ".join(told)


def _quoted(value: str | int) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if re.search('[;"]', text) else text


def _read_options(text: str) -> dict[str, Any]:
    text = text.strip()
    if rest := _OPTION.sub("", text):
        raise ValueError(f"{rest!r} is no option with its value")
    found: dict[str, Any] = {"readings": {}, "customs": {}}
    for name, told in _OPTION.findall(text):
        value = json.loads(told) if told.startswith('"') else told
        if name in Customs().to_dict():
            found["customs"][name] = _yes(value)
        elif name == "reading":
            reading, _, chosen = value.partition("=")
            found["readings"][reading] = chosen
        elif name == "rules":
            found[name] = value
        elif name == "limit":
            found[name] = _whole(value)
        elif name == "cap":
            found[name] = _yes(value)
        else:
            raise ValueError(f"{name!r} is no option")
    return found


def _whole(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,18}", text):
        raise ValueError(f"{text[:20]!r} is no whole number")
    return int(text)


def _yes(text: str) -> bool:
    if text not in {"yes", "no"}:
        raise ValueError(f"{text!r} is neither yes nor no")
    return text == "yes"
