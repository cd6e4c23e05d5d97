"""The functions of the package: engines kept for the caller, one a thread and setting."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import local
from typing import Any

from mjasp.engine import DEFAULT_RULES, Engine
from mjasp.hand import Hand
from mjasp.notation import parse
from mjasp.rulesets import Ruleset, shipped
from mjasp.scoring import Score
from mjasp.tiles import Tile, Wind

__all__ = ["ruleset", "rulesets", "score", "waits"]

_MOST_ENGINES = 16


class _Engines(local):
    """The engines of a thread, the one used last at the end."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[Any, ...], Engine] = OrderedDict()

    def get(self, rules: str, **settings: Any) -> Engine:  # noqa: ANN401 - Engine's own keywords
        key = (rules, repr(sorted(settings.items())))
        engine = self.kept.pop(key, None) or Engine(rules, **settings)
        self.kept[key] = engine
        if len(self.kept) > _MOST_ENGINES:
            self.kept.popitem(last=False)
        return engine


_engines = _Engines()


def score(
    hand: Hand | str,
    rules: str | None = None,
    *,
    readings: Mapping[str, str] | None = None,
    limit: int | None = None,
    cap: bool = True,
    seat: Wind | str | None = None,
    round: Wind | str | None = None,
    sensitivity: bool = True,
) -> Score:
    """The score of a hand, given as a Hand or as text.

    `rules` beats the rule set that the text names, which beats `european-classical`; `seat` and
    `round` beat the text's likewise. `readings`, `limit` (points) and `cap` are as for Engine,
    `sensitivity` as for Engine.score. Raises NotationError (unreadable), HandError (impossible)
    and RulesetError (no such rule set, reading or limit); a false win is an outcome, not an error.

    >>> score("111b 222b 333b 45c 11d +3c discard seat:E round:E").total
    60
    """
    if isinstance(hand, str):
        hand = parse(hand)
    name = rules or hand.rules or DEFAULT_RULES
    engine = _engines.get(name, readings=readings, limit=limit, cap=cap, seat=seat, round=round)
    return engine.score(hand, sensitivity=sensitivity)


def waits(
    hand: Hand | str,
    rules: str | None = None,
    *,
    readings: Mapping[str, str] | None = None,
    limit: int | None = None,
    cap: bool = True,
    seat: Wind | str | None = None,
    round: Wind | str | None = None,
) -> tuple[Tile, ...]:
    """The tiles that would complete a hand, its winning tile set aside; keywords as for score.

    >>> [str(tile) for tile in waits("2344b [EEE] [111d] [999b]")]
    ['1b', '4b']
    """
    if isinstance(hand, str):
        hand = parse(hand)
    name = rules or hand.rules or DEFAULT_RULES
    engine = _engines.get(name, readings=readings, limit=limit, cap=cap, seat=seat, round=round)
    return engine.waits(hand)


def rulesets() -> tuple[Ruleset, ...]:
    """The rule sets that come with the program, by id."""
    return tuple(ruleset(name) for name in shipped())


def ruleset(rules: str) -> Ruleset:
    """A rule set: its rules with values, scope and source, its readings, its limit.

    >>> ruleset("european-classical").limit
    500
    """
    return _engines.get(rules).ruleset
