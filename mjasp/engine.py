"""One rule set, grounded once: from hands to scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from os import PathLike, fspath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from mjasp import notation
from mjasp.compiled.net import NotEvaluable
from mjasp.compiled.solving import ENGINES, Method
from mjasp.dispute import SECONDS, Dispute
from mjasp.errors import HandError, MjaspError, Problem, RulesetError
from mjasp.hand import Hand
from mjasp.interpreter import Interpreter
from mjasp.lesson import Lesson, nearly_met
from mjasp.models import Model
from mjasp.rulesets import ContestedReading, Ruleset, unknown
from mjasp.scoring import (
    Assumption,
    Calling,
    Deferred,
    Interpretation,
    ReadingEffect,
    Score,
    best_first,
    weighed,
)
from mjasp.tiles import Tile, Wind
from mjasp.why import Why

if TYPE_CHECKING:
    from mjasp.compiled.bulk import Bulk

__all__ = ["DEFAULT_RULES", "Engine", "Settings"]

DEFAULT_RULES = "european-classical"

Outcome = Literal["won", "lost", "false-win"]


class Settings(TypedDict, total=False):
    """How an engine is set, by keyword: see Engine."""

    readings: Mapping[str, str] | None
    limit: int | None
    cap: bool
    seat: Wind | str | None
    round: Wind | str | None
    engine: Method


class Engine:
    """Scores hands under one rule set; its program is grounded when the engine is made.

    `rules` is the id of a shipped rule set, or the path of a club's own file, which ends in `.lp`
    and is first looked at in a process of its own. `readings` sets contested readings by name;
    `limit` replaces the rule set's limit (points); with `cap=False` no total is cut to the limit,
    limit hands keep their multiple of it; `seat` and `round` replace those of the hands. `cap` is
    then what totals are cut to, None for nothing. `engine` says how hands are scored: solved by
    `clingo`, or evaluated by its program `compiled` to Python, which takes a moment to make and is
    quicker afterwards; `auto` compiles once many hands were scored; what cannot be compiled is
    solved. The scores are the same. Raises RulesetError for what does not exist, and for a file
    that cannot be used.
    """

    def __init__(
        self,
        rules: str | PathLike[str] = DEFAULT_RULES,
        *,
        readings: Mapping[str, str] | None = None,
        limit: int | None = None,
        cap: bool = True,
        seat: Wind | str | None = None,
        round: Wind | str | None = None,
        engine: Method = "auto",
    ) -> None:
        self.interpreter = Interpreter(fspath(rules), _method(engine))
        self.ruleset: Ruleset = self.interpreter.ruleset
        self.limit = _limit(limit) if limit is not None else self.ruleset.limit
        self.limit_assumed = self.ruleset.limit_assumed and limit is None
        self.cap = self.limit if cap else None
        self.readings: Mapping[str, str] = MappingProxyType(
            _readings(self.ruleset.readings, readings or {})
        )
        self.seat = _wind("seat", seat)
        self.round = _wind("round", round)
        self.lines = 0  # of batches, which tells when it pays to compile
        self._rule_order = {rule.id: at for at, rule in enumerate(self.ruleset.rules)}

    @cached_property
    def bulk(self) -> Bulk | NotEvaluable:
        """What scores thousands of texts at once, or why its rule set cannot be compiled.

        Needs what the extra `mjasp[batch]` brings; without it, raises ImportError.
        """
        from mjasp.compiled.bulk import Bulk

        try:
            return Bulk(self)
        except NotEvaluable as reason:
            return reason

    def score(self, hand: Hand | str, *, sensitivity: bool = False) -> Score:
        """The score of a hand (text is accepted too).

        With `sensitivity` the score also lists the contested readings that would change its total
        and what other answers to the assumed facts would give, at the cost of further solves.
        Raises NotationError and HandError for what cannot be read or cannot be.
        """
        given = self._seated(hand)
        resolved, assumed = given.resolved()
        outcome, found, notes = self._interpret(resolved, self.readings)
        lost = outcome == "false-win"
        return Score(
            given=given,
            hand=resolved,
            ruleset=self.ruleset.id,
            outcome=outcome,
            limit=self.limit,
            interpretations=found,
            assumed=tuple(self._assumptions(given, resolved, assumed, sensitivity=sensitivity)),
            readings=tuple(self._effects(resolved, found, outcome)) if sensitivity else None,
            notes=notes,
            reasons=self.interpreter.reasons(resolved, self.readings) if lost else (),
            deferred_waits=Deferred(lambda: self.interpreter.waits(resolved, self.readings)),
            answers=frozenset(self._answers(given, sorted(given.unknown))),
        )

    def score_many(
        self, hands: Iterable[Hand | str], *, sensitivity: bool = False
    ) -> Iterator[Score | MjaspError]:
        """The scores of many hands, lazily and in order; a hand's error stands in its place."""
        for hand in hands:
            try:
                yield self.score(hand, sensitivity=sensitivity)
            except MjaspError as error:
                yield error

    def waits(self, hand: Hand | str) -> tuple[Tile, ...]:
        """The tiles that would complete the hand (without its winning tile), in order."""
        return self.interpreter.waits(self._seated(hand), self.readings)

    def calling(self, hand: Hand | str) -> tuple[Calling, ...]:
        """The special hands that the hand (without its winning tile) is one tile short of.

        In the order of the rule set; `total` is what a loser is paid for it, None where nothing is.
        """
        held, _ = _without_winning(self._seated(hand)).resolved()
        called = self.interpreter.calling(held, self.readings)
        _, found, _ = self._interpret(held, self.readings)
        totals = {one.name: one.total for one in found}
        return tuple(
            Calling(rule, called[rule], totals.get(rule))
            for rule in sorted(called, key=self._rule_order.__getitem__)
        )

    def why(self, hand: Hand | str, rule: str) -> Why:
        """Why a rule, given by its id or name, fired for a hand, or why it did not.

        What explains is grounded when first asked for. Raises NotationError and HandError as
        `score` does, RulesetError for a rule that the rule set does not have.

        >>> why = Engine().why("[345c] 111b 222b 333b E +E wall", "Pung hand")
        >>> why.fired, why.to_dict()["answer"]
        (False, 'Pung hand does not count: the hand holds the chow 3-4-5 characters.')
        """
        from mjasp.question import Question, named

        asked = named(self.ruleset, rule)
        score = self.score(hand)

        def interpret(
            other: Hand, readings: Mapping[str, str]
        ) -> tuple[Outcome, tuple[Interpretation, ...]]:
            outcome, found, _ = self._interpret(other, readings)
            return outcome, found

        question = Question(
            score, _counted(score), asked, self.interpreter, self.readings, interpret
        )
        return question.answer()

    def dispute(
        self,
        hand: Hand | str,
        claimed: int,
        others: Iterable[Engine] = (),
        *,
        seconds: float = SECONDS,
    ) -> Dispute:
        """How a claimed number can have come about: the accounts with the fewest mistakes.

        `others` are rule sets that the number may have been counted by; `seconds` is how long is
        looked for accounts. Raises NotationError and HandError as `score` does,
        MjaspError for what is no number of points.

        >>> dispute = Engine().dispute("111b 222b 333b 45c 11d +3c discard seat:E round:E", 46)
        >>> [mistake.kind for mistake in dispute.accounts[0].mistakes]
        ['interpretation']
        """
        from mjasp.inquiry import Elsewhere, Inquiry

        if type(claimed) is not int or claimed < 0:
            problem = f"a claim is a whole number of points, at least 0, not {claimed!r}"
            raise MjaspError(Problem("bad-claim", problem))
        score = self.score(hand)
        inquiry = Inquiry(
            score=score,
            held=_counted(score),
            interpreter=self.interpreter,
            readings=self.readings,
            cap=self.cap,
            weigh=self._weighed,
            elsewhere=(
                Elsewhere(each.ruleset, each.score(score.given), each.cap) for each in others
            ),
        )
        return inquiry.answer(claimed, seconds)

    def lesson(self, hand: Hand | str) -> Lesson:
        """A hand to be counted step by step, with what was tempting and wrong.

        Raises NotationError and HandError as `score` does.

        >>> lesson = Engine().lesson("[345c] 111b 222b 333b E +E wall")
        >>> [missed.rule.id for missed in lesson.missed][:2]
        ['fully_concealed_hand', 'pung_hand']
        """
        from mjasp.reasons import Reasons

        score = self.score(hand)
        reasons = Reasons(self.interpreter, _counted(score), self.readings, score.best)
        missed = nearly_met(reasons, self.ruleset.rules, score)
        return Lesson(score, self.ruleset, missed, self.interpreter.described)

    def facts(self, hand: Hand | str) -> tuple[str, ...]:
        """What is stated of a hand to the encodings, defaults and readings in force included.

        >>> Engine().facts("[EEE] 111222333b R +R wall seat:E round:S")[11:14]
        ('won_on(dragon(red))', 'source(wall)', 'seat(east)')
        """
        resolved, _ = self._seated(hand).resolved()
        return tuple(self.interpreter.stated(resolved, self.readings))

    def _seated(self, hand: Hand | str) -> Hand:
        if isinstance(hand, str):
            hand = notation.parse(hand)
        if self.seat is None and self.round is None:
            return hand
        winds = {"seat": self.seat, "round": self.round}
        told: dict[str, Any] = {name: wind for name, wind in winds.items() if wind}
        return replace(hand, unknown=hand.unknown - told.keys(), **told)

    def _interpret(
        self, hand: Hand, readings: Mapping[str, str]
    ) -> tuple[Outcome, tuple[Interpretation, ...], tuple[str, ...]]:
        outcome: Outcome = "won" if hand.winning else "lost"
        found, notes = self.interpreter.read(hand, readings)
        if not found:
            outcome = "false-win"
            found, notes = self.interpreter.read(_without_winning(hand), readings)
        return outcome, self._weighed(found), notes

    def _weighed(self, models: Iterable[Model]) -> tuple[Interpretation, ...]:
        return best_first(weighed(models, self.limit, self.cap), self._rule_order)

    def _total(self, hand: Hand, readings: Mapping[str, str]) -> int | None:
        outcome, found, _ = self._interpret(hand, readings)
        return None if outcome == "false-win" else found[0].total

    def _effects(
        self, hand: Hand, found: tuple[Interpretation, ...], outcome: Outcome
    ) -> Iterator[ReadingEffect]:
        total = None if outcome == "false-win" else found[0].total
        for reading in self.ruleset.readings:
            value = self.readings[reading.id]
            others = []
            best_differs = False
            for other in (reading.default, *reading.alternatives):
                if other != value:
                    told, read, _ = self._interpret(hand, {**self.readings, reading.id: other})
                    changed = None if told == "false-win" else read[0].total
                    if changed != total:
                        others.append((other, changed))
                        best_differs |= read[0].choices != found[0].choices
            if others:
                yield ReadingEffect(reading.id, value, tuple(others), best_differs)

    def _assumptions(
        self, given: Hand, resolved: Hand, assumed: tuple[str, ...], *, sensitivity: bool
    ) -> Iterator[Assumption]:
        for fact in assumed:
            if fact in given.unknown:
                yield Assumption(fact, None, tuple(self._others(given, fact, None)))
                continue
            value = getattr(resolved, fact).value
            others = tuple(self._others(given, fact, value)) if sensitivity else None
            yield Assumption(fact, value, others)
        if self.limit_assumed and self.limit is not None:
            yield Assumption("limit", self.limit, ())

    def _others(
        self, given: Hand, fact: str, taken: str | None
    ) -> Iterator[tuple[str, int | None]]:
        """The totals under every other answer that some hand could have."""
        for value, hand in given.answers(fact):
            if value != taken:
                with suppress(HandError):
                    answered, _ = hand.resolved()
                    yield value, self._total(answered, self.readings)

    def _answers(self, hand: Hand, unknown: Sequence[str]) -> Iterator[int | None]:
        """The total under each possible combination of answers to what is unknown, if anything."""
        for _, answered in hand.answers(unknown[0]) if unknown else ():
            if unknown[1:]:
                yield from self._answers(answered, unknown[1:])
            else:
                with suppress(HandError):
                    yield self._total(answered.resolved()[0], self.readings)


def _counted(score: Score) -> Hand:
    """The hand that the interpretations are of: a false win counts as a loser's."""
    return _without_winning(score.hand) if score.outcome == "false-win" else score.hand


def _without_winning(hand: Hand) -> Hand:
    if hand.winning is None:
        return hand
    unknown = hand.unknown - {"source", "last-tile"}
    return replace(
        hand, winning=None, completes=None, source=None, events=frozenset(), unknown=unknown
    )


def _limit(limit: int) -> int:
    if type(limit) is not int or limit < 1:
        problem = f"a limit is a whole number of points, at least 1, not {limit!r}"
        raise RulesetError(Problem("bad-limit", problem))
    return limit


def _method(engine: str) -> Method:
    for method in ENGINES:
        if engine == method:
            return method
    raise RulesetError(unknown("engine", "engine", str(engine), ENGINES))


def _wind(fact: str, value: Wind | str | None) -> Wind | None:
    if value is None or isinstance(value, Wind):
        return value
    wind = Wind.named(value)
    if wind is None:
        problem = Problem(f"unknown-{fact}", f"{value!r} is no wind", help="write E, S, W or N")
        raise HandError(problem)
    return wind


def _readings(known: Iterable[ContestedReading], chosen: Mapping[str, str]) -> dict[str, str]:
    """Every reading's value: the one chosen, or its default."""
    by_id = {reading.id: reading for reading in known}
    problems = []
    for name, value in chosen.items():
        if name not in by_id:
            problems.append(unknown("reading", "reading", str(name), tuple(by_id)))
            continue
        values = (by_id[name].default, *by_id[name].alternatives)
        if value not in values:
            what = f"value of the reading {name!r}:"
            problems.append(unknown("reading-value", what, str(value), values))
    if problems:
        raise RulesetError(*problems)
    return {name: chosen.get(name, reading.default) for name, reading in by_id.items()}
