"""A game as `mjasp/game/1`, the parts of it one by one, and each read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mjasp.deal import Customs
from mjasp.game import Game, Payment, Played, Record, Settings
from mjasp.tiles import Wind

__all__ = [
    "MALFORMED",
    "SCHEMA",
    "checked",
    "deal_dict",
    "differing",
    "game_dict",
    "read_played",
    "read_record",
    "read_settings",
    "record_dict",
    "settings_dict",
]

SCHEMA = "mjasp/game/1"
MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What reading a text of another form raises."""

# What follows from the hands: it need not be there, and must be right where it is.
_DERIVED = ("deal", "round", "seats", "values", "payments", "net", "totals")
_KINDS = {list: "a list", dict: "an object", str: "a text", bool: "true or false"}


def game_dict(game: Game) -> dict[str, Any]:
    """A game as `mjasp/game/1`."""
    return {
        "schema": SCHEMA,
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
        "customs": settings.customs.to_dict(),
    }


def read_settings(found: Mapping[str, Any]) -> Settings:
    """The settings that settings_dict gave; what is missing is as by default."""
    rules, limit = checked(found["rules"], str, "rules"), found.get("limit")
    if limit is not None and type(limit) is not int:
        raise TypeError("limit is no number")
    readings = checked(found.get("readings", {}), dict, "readings")
    for value in readings.values():
        checked(value, str, "a reading")
    cap = checked(found.get("cap", True), bool, "cap")
    customs = _customs(found.get("customs", {}), Customs())
    return Settings(rules, limit, cap, dict(readings), customs)


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
        "customs": record.customs.to_dict(),
    }


def read_record(
    found: Mapping[str, Any],
    names: Sequence[str],
    customs: Customs = Customs(),  # noqa: B008 - frozen
) -> Record:
    """The record that record_dict gave; customs that it does not tell are those given."""
    hands = checked(found["hands"], dict, "hands")
    if set(hands) != set(names):
        raise ValueError("the hands are not those of the four players")
    if not all(type(hand) in {str, int} for hand in hands.values()):
        raise TypeError("a hand is neither a text nor a number")
    winner, by = found.get("winner"), found.get("by")
    return Record(
        tuple(hands[name] for name in names),
        None if winner is None else _player(winner, names),
        by if by is None or by == "wall" else _player(by, names),
        _customs(found.get("customs", {}), customs),
    )


def _player(name: object, names: Sequence[str]) -> int:
    if name not in names:
        raise ValueError(f"{name!r} is no player of this game")
    return names.index(str(name))


def read_played(game: Game, found: Mapping[str, Any]) -> Played:
    """The next deal of a game as deal_dict gave it, with what was counted then."""
    names = game.players
    payments = (
        Payment(names.index(e["from"]), names.index(e["to"]), int(e["amount"]), str(e["because"]))
        for e in found["payments"]
    )
    values = tuple(int(found["values"][name]) for name in names)
    return Played(game.table(), read_record(found, names), values, tuple(payments))


def differing(found: Mapping[str, Any], counted: Mapping[str, Any]) -> str | None:
    """What a deal as deal_dict gave it tells otherwise than it is counted, reasons apart."""
    return next(
        (
            field
            for field in _DERIVED
            if field in found and _unworded(found[field]) != _unworded(counted[field])
        ),
        None,
    )


def _unworded(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """The value without the reasons of payments, whose words may change."""
    if isinstance(value, list):
        return [{**each, "because": None} for each in value]
    return value


def _customs(found: Mapping[str, Any], others: Customs) -> Customs:
    names = dict(zip(Customs().to_dict(), Customs.__dataclass_fields__, strict=True))
    unknown = checked(found, dict, "customs").keys() - names.keys()
    if unknown:
        raise ValueError(f"{min(unknown)!r} is no custom")
    told = {names[each]: checked(value, bool, each) for each, value in found.items()}
    return replace(others, **told)


def checked(value: Any, kind: type, what: str) -> Any:  # noqa: ANN401 - any JSON
    """The value, of that kind; raises TypeError, saying what is not so."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} is not {_KINDS[kind]}")
    return value


def _seats(game: Game, number: int | None) -> dict[str, str]:
    table = game.table(number)
    return {seat.value: game.players[table.player(seat)] for seat in Wind}
