"""The functions of the package: engines kept for the caller, one a thread and setting."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from threading import local
from typing import Any, Unpack

from mjasp.deal import Deal
from mjasp.dispute import Dispute
from mjasp.engine import DEFAULT_RULES, Engine, Settings
from mjasp.errors import Problem, RulesetError
from mjasp.hand import Hand
from mjasp.lesson import Lesson
from mjasp.notation import parse
from mjasp.notation.deal import read_deal
from mjasp.rulesets import Ruleset, load, shipped, unknown
from mjasp.scoring import Score
from mjasp.settlement import Settlement, settlement
from mjasp.tiles import Tile
from mjasp.why import Why

__all__ = ["compare", "dispute", "lesson", "ruleset", "rulesets", "score", "settle", "waits", "why"]

_MOST_ENGINES = 16


class _Engines(local):
    """The engines of a thread, the one used last at the end."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[Any, ...], Engine] = OrderedDict()

    def get(self, rules: str, settings: Settings) -> Engine:
        told = {name: value for name, value in settings.items() if value not in (None, {})}
        key = (_identity(rules), repr(sorted(told.items())))
        engine = self.kept.pop(key, None) or Engine(rules, **settings)
        self.kept[key] = engine
        if len(self.kept) > _MOST_ENGINES:
            self.kept.popitem(last=False)
        return engine

    def ruleset(self, rules: str) -> Ruleset:
        """A rule set, which is the same whatever the engine's settings."""
        wanted = _identity(rules)
        made = (engine.ruleset for (each, _), engine in self.kept.items() if each == wanted)
        return next(made, None) or self.get(rules, {}).ruleset


def _identity(rules: str) -> object:
    """What tells a rule set from others: a club's is its files as they are now."""
    return load(rules) if rules.endswith(".lp") else rules


_engines = _Engines()


def _read(hand: Hand | str) -> Hand:
    return parse(hand) if isinstance(hand, str) else hand


def _chosen(rules: str | PathLike[str] | None, named: str | None) -> str:
    """What the caller asks for beats what the text names, which beats the default."""
    return fspath(rules) if rules is not None else named or DEFAULT_RULES


def score(
    hand: Hand | str,
    rules: str | PathLike[str] | None = None,
    *,
    sensitivity: bool = True,
    **settings: Unpack[Settings],
) -> Score:
    """The score of a hand, given as a Hand or as text.

    `rules` beats the rule set that the text names, which beats `european-classical`; `seat` and
    `round` beat the text's likewise. `readings`, `limit` (points) and `cap` are as for Engine,
    `sensitivity` as for Engine.score. Raises NotationError (unreadable), HandError (impossible)
    and RulesetError (no such rule set, reading or limit); a false win is an outcome, not an error.

    >>> score("111b 222b 333b 45c 11d +3c discard seat:E round:E").total
    60
    """
    hand = _read(hand)
    engine = _engines.get(_chosen(rules, hand.rules), settings)
    return engine.score(hand, sensitivity=sensitivity)


def compare(
    hand: Hand | str,
    rules: str | PathLike[str] | Iterable[str | PathLike[str]] | None = None,
    *,
    sensitivity: bool = True,
    **settings: Unpack[Settings],
) -> dict[str, Score]:
    """The scores of a hand under several rule sets, by id: those in `rules`, or all shipped ones.

    Keywords are as for score. A reading is taken in each rule set that has it, and is a note of the
    scores of the others; one that no rule set has raises RulesetError.

    >>> scores = compare("123b 456b 789b 12c 55d +3c wall seat:E round:E")
    >>> scores["dmjl"].total, scores["majiang"].total, scores["bmja"].outcome
    (96, 28, 'false-win')
    """
    hand = _read(hand)
    asked = (rules,) if isinstance(rules, str | PathLike) else rules
    names = shipped() if asked is None else tuple(fspath(each) for each in asked)
    scores: dict[str, Score] = {}
    for engine, notes in engines(names, settings):
        score = engine.score(hand, sensitivity=sensitivity)
        scores[score.ruleset] = replace(score, notes=(*score.notes, *notes))
    return scores


def engine(rules: str, settings: Settings) -> Engine:
    """The engine that this thread keeps for a rule set and settings, made when first asked for."""
    return _engines.get(rules, settings)


def engines(names: Iterable[str], settings: Settings) -> Iterator[tuple[Engine, tuple[str, ...]]]:
    """The engines of several rule sets, with the readings that each has and notes of the others.

    Raises RulesetError for a reading that no rule set has, and for two rule sets of one name.
    """
    seen = set()
    for name, taken, missing in _spread(tuple(dict.fromkeys(names)), settings.get("readings")):
        each = engine(name, {**settings, "readings": taken})
        if each.ruleset.id in seen:
            twice = f"two of the rule sets are called {each.ruleset.id}"
            raise RulesetError(Problem("ruleset-twice", twice))
        seen.add(each.ruleset.id)
        yield each, tuple(f"the reading {one} does not exist in this rule set" for one in missing)


def _spread(
    names: tuple[str, ...], readings: Mapping[str, str] | None
) -> Iterator[tuple[str, dict[str, str] | None, list[str]]]:
    """Each rule set with the readings that exist in it, and the names of those that do not."""
    if not readings:
        yield from ((name, None, []) for name in names)
        return
    known = {name: [reading.id for reading in ruleset(name).readings] for name in names}
    everywhere = tuple(dict.fromkeys(reading for each in known.values() for reading in each))
    strange = [reading for reading in readings if reading not in everywhere]
    if strange:
        raise RulesetError(*(unknown("reading", "reading", each, everywhere) for each in strange))
    for name, own in known.items():
        taken = {reading: value for reading, value in readings.items() if reading in own}
        yield name, taken or None, [reading for reading in readings if reading not in own]


def waits(
    hand: Hand | str,
    rules: str | PathLike[str] | None = None,
    **settings: Unpack[Settings],
) -> tuple[Tile, ...]:
    """The tiles that would complete a hand, its winning tile set aside; keywords as for score.

    >>> [str(tile) for tile in waits("2344b [EEE] [111d] [999b]")]
    ['1b', '4b']
    """
    hand = _read(hand)
    engine = _engines.get(_chosen(rules, hand.rules), settings)
    return engine.waits(hand)


def why(
    hand: Hand | str,
    rule: str,
    rules: str | PathLike[str] | None = None,
    **settings: Unpack[Settings],
) -> Why:
    """Why a rule (its id or name) fired for a hand, or why it did not; keywords as for score.

    Raises what score raises, and RulesetError for a rule that the rule set does not have.

    >>> why("[GGG] 234d 111c 555b E +E wall", "self_drawn").fired
    True
    """
    hand = _read(hand)
    engine = _engines.get(_chosen(rules, hand.rules), settings)
    return engine.why(hand, rule)


def lesson(
    hand: Hand | str,
    rules: str | PathLike[str] | None = None,
    **settings: Unpack[Settings],
) -> Lesson:
    """A hand to be counted step by step, with what was tempting and wrong; keywords as for score.

    >>> told = lesson("[GGG] 234d 111c 555b E +E wall").to_dict()["lesson"]
    >>> told["steps"][0]["text"]
    'Pung of simples, concealed: the pung of 5 bamboo pays 4 points, which makes 4.'
    """
    hand = _read(hand)
    return _engines.get(_chosen(rules, hand.rules), settings).lesson(hand)


def dispute(
    hand: Hand | str,
    claimed: int,
    rules: str | PathLike[str] | None = None,
    **settings: Unpack[Settings],
) -> Dispute:
    """How a number that differs from a hand's value can have come about; keywords as for score.

    The other shipped rule sets are tried too, with those of the readings that exist in them. Raises
    what score raises, and MjaspError for what is no number of points.

    >>> found = dispute("(1111c) 555b EE GG [234d] +G discard seat:E round:E", claimed=124)
    >>> [mistake.kind for mistake in found.accounts[0].mistakes]
    ['seat']
    """
    hand = _read(hand)
    engine = _engines.get(_chosen(rules, hand.rules), settings)
    return engine.dispute(hand, claimed, _others(engine, settings))


def _others(engine: Engine, settings: Settings) -> Iterator[Engine]:
    """The other shipped rule sets, with those of the readings that exist in them."""
    readings = settings.get("readings") or {}
    for name in shipped():
        if name != engine.ruleset.id:
            own = {reading.id for reading in ruleset(name).readings}
            taken = {reading: value for reading, value in readings.items() if reading in own}
            yield _engines.get(name, {**settings, "readings": taken})


def settle(
    deal: Deal | Path | str,
    rules: str | PathLike[str] | None = None,
    *,
    readings: Mapping[str, str] | None = None,
    limit: int | None = None,
    cap: bool = True,
    sensitivity: bool = True,
) -> Settlement:
    r"""Who pays whom in a deal, given as a Deal, as its text, or as the path of a file with it.

    Keywords are as for score, seat and round being the deal's; the limit caps hand values and not
    payments. Raises DealError where the hands are not those of one table and for a false win, and
    what score raises.

    >>> found = settle("east: 50\nsouth: 80\nwest: 20\nnorth: 0\nwinner: W")
    >>> [(str(seat), net) for seat, net in found.net.items()]
    [('E', 0), ('S', 120), ('W', 80), ('N', -200)]
    """
    deal = read_deal(deal)
    settings: Settings = {"readings": readings, "limit": limit, "cap": cap}
    engine = _engines.get(_chosen(rules, deal.rules), settings)
    scores = {
        seat: engine.score(hand, sensitivity=sensitivity)
        for seat, hand in deal.hands.items()
        if isinstance(hand, Hand)
    }
    assumed = engine.limit if engine.ruleset.limit_assumed and limit is None else None
    return settlement(deal, engine.ruleset.id, scores, cap=engine.cap, limit_assumed=assumed)


def rulesets() -> tuple[Ruleset, ...]:
    """The rule sets that come with the program, by id."""
    return tuple(ruleset(name) for name in shipped())


def ruleset(rules: str | PathLike[str]) -> Ruleset:
    """A rule set: its rules with values, scope and source, its readings, its limit.

    >>> ruleset("european-classical").limit
    500
    """
    return _engines.ruleset(fspath(rules))
