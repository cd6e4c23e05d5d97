"""Arithmetic over awards and the choice of the best interpretation; nothing about Mahjong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from mjasp.errors import Problem, RulesetError
from mjasp.hand import Hand, Meld
from mjasp.models import Award, Model
from mjasp.tiles import Tile
from mjasp.told import Told

if TYPE_CHECKING:
    from mjasp.render.document import Document

__all__ = [
    "Assumption",
    "Bonus",
    "Calling",
    "Deferred",
    "Interpretation",
    "ReadingEffect",
    "Score",
    "best_first",
    "weighed",
]

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Bonus:
    """Flowers and seasons where a rule set counts them apart: points x 2^doubles."""

    points: int
    doubles: int


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One way to read a hand, with what it pays.

    `uncapped = limits * limit + points * 2**doubles + bonus.points * 2**bonus.doubles`;
    `total` is `uncapped`, or the limit where that is less and capping is on (`capped`).
    """

    kind: Literal["standard", "special", "lost"]
    name: str | None
    sets: tuple[Meld, ...]
    fired: tuple[Award, ...]
    points: int
    doubles: int
    limits: Fraction
    bonus: Bonus | None
    uncapped: int
    capped: bool
    total: int

    @property
    def choices(self) -> tuple[str, tuple[Meld, ...]]:
        """How the hand is counted and what its sets are: the same under another rule set or not."""
        return self.kind, self.sets


@dataclass(frozen=True, slots=True)
class Assumption:
    """A fact that the text left out: the value taken, and the totals the others would give.

    `others` holds (value, total) pairs, total None for a false win; it is None itself where
    sensitivity was not asked for. `fact` is seat, round, source or limit; for a fact that is said
    to be unknown, last-tile too, `value` is None and `others` holds every possible answer.
    """

    fact: str
    value: str | int | None
    others: tuple[tuple[str, int | None], ...] | None


@dataclass(frozen=True, slots=True)
class ReadingEffect:
    """A contested reading that changes this hand's total: the value in force and the others.

    `best_differs` tells whether another interpretation is the best under one of the others.
    """

    reading: str
    value: str
    others: tuple[tuple[str, int | None], ...]
    best_differs: bool = False


@dataclass(frozen=True, slots=True)
class Calling:
    """A special hand that a losing hand is one tile short of.

    `tiles` would complete it, in order; `total` is what the hand is paid for it, None where nothing
    is.
    """

    rule: str
    tiles: tuple[Tile, ...]
    total: int | None


class Deferred(Generic[Value]):
    """A value computed when first looked at; copied and pickled as the value itself."""

    __slots__ = ("_compute", "_value")

    def __init__(self, compute: Callable[[], Value]) -> None:
        self._compute: Callable[[], Value] | None = compute

    def get(self) -> Value:
        """The value."""
        if self._compute is not None:
            self._value = self._compute()
            self._compute = None
        return self._value

    @classmethod
    def known(cls, value: Value) -> Deferred[Value]:
        """A value that needs no computing."""
        deferred = cls(lambda: value)
        deferred.get()
        return deferred

    def __reduce__(self) -> tuple[Any, ...]:
        return Deferred.known, (self.get(),)


@dataclass(frozen=True, slots=True)
class Score(Told):
    """What a hand is worth under a rule set.

    `given` is the hand as described, `hand` the same with what was assumed filled in.
    `interpretations` are sorted best first; those of a false win are the hand's without its
    winning tile, as a loser's. `limit` is in points, None where there is none. `readings` is None
    where sensitivity was not asked for. Where facts are said to be unknown, the outcome and the
    interpretations are those of the default answers, and `answers` holds the total of each possible
    combination of answers (None for a false win).
    """

    given: Hand
    hand: Hand
    ruleset: str
    outcome: Literal["won", "lost", "false-win"]
    limit: int | None
    interpretations: tuple[Interpretation, ...]
    assumed: tuple[Assumption, ...]
    readings: tuple[ReadingEffect, ...] | None
    notes: tuple[str, ...]
    reasons: tuple[str, ...]
    deferred_waits: Deferred[tuple[Tile, ...]] = field(compare=False, repr=False)
    answers: frozenset[int | None] = frozenset()

    @property
    def best(self) -> Interpretation:
        """The interpretation that counts."""
        return self.interpretations[0]

    @property
    def total(self) -> int | None:
        """The hand's value in points.

        None for a false win, and where it depends on a fact that is said to be unknown.
        """
        if len(self.answers) > 1:
            return None
        return None if self.outcome == "false-win" else self.best.total

    @property
    def spread(self) -> tuple[int, int] | None:
        """The least and the highest total, where facts are said to be unknown."""
        totals = [total for total in self.answers if total is not None]
        return (min(totals), max(totals)) if totals else None

    @property
    def points(self) -> int:
        """The points of the best interpretation, before doubling."""
        return self.best.points

    @property
    def doubles(self) -> int:
        """The doubles of the best interpretation."""
        return self.best.doubles

    @property
    def limits(self) -> Fraction:
        """The multiple of the limit that the best interpretation pays."""
        return self.best.limits

    @property
    def bonus(self) -> Bonus | None:
        """Flowers and seasons of the best interpretation, where they are counted apart."""
        return self.best.bonus

    @property
    def waits(self) -> tuple[Tile, ...]:
        """The tiles that would have completed the hand before the winning tile, in order."""
        return self.deferred_waits.get()

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """The score as `mjasp/score/1`, its texts in a language."""
        from mjasp.render.json import score_dict

        if language == "en":  # the rule sets' own
            return score_dict(self)
        from mjasp.words import Words

        return score_dict(self, Words(language))

    def document(self, language: str = "en") -> Document:
        """The trace: sets, fired rules, the sum, and what else could have been read."""
        from mjasp.render.score import score_document
        from mjasp.words import Words

        return score_document(self, Words(language))


def weighed(models: Iterable[Model], limit: int | None, cap: int | None) -> list[Interpretation]:
    """Models with their sums: multiples of `limit`, the total never more than `cap`.

    A fraction of a limit that is no whole number is rounded down. Raises RulesetError for multiples
    of a limit that does not exist.
    """
    models = list(models)
    if limit is None:
        paid = {award.rule for model in models for award in model.fired if award.limits}
        if paid:
            raise _no_limit(sorted(paid))
    return [_weigh(model, limit or 0, cap) for model in models]


def _weigh(model: Model, limit: int, cap: int | None) -> Interpretation:
    points = doubles = 0
    bonus_points = bonus_doubles = 0
    has_bonus = False
    limits = Fraction(0)
    for award in model.fired:
        if award.part == "bonus":
            has_bonus = True
            bonus_points += award.points
            bonus_doubles += award.doubles
        else:
            points += award.points
            doubles += award.doubles
            if not (award.points or award.doubles):  # adding fractions takes its time
                limits += award.limits
    uncapped = points << doubles
    if limits:
        uncapped += floor(limits * limit)
    if has_bonus:
        uncapped += bonus_points << bonus_doubles
    capped = cap is not None and uncapped > cap
    return Interpretation(
        model.kind,
        model.name,
        model.sets,
        model.fired,
        points,
        doubles,
        limits,
        Bonus(bonus_points, bonus_doubles) if has_bonus else None,
        uncapped,
        capped,
        cap if cap is not None and capped else uncapped,
    )


def _no_limit(rules: Iterable[str]) -> RulesetError:
    names = " and ".join(f"`{rule}`" for rule in rules)
    message = f"a multiple of the limit is paid for {names}, and the rule set has no limit"
    help_ = "state a limit in the rule set, as in `limit(500).`, or give one for this hand"
    return RulesetError(Problem("no-limit", message, help=help_))


def best_first(
    interpretations: Iterable[Interpretation], rule_order: dict[str, int]
) -> tuple[Interpretation, ...]:
    """Sorted by total; ties are broken so that the order never depends on chance.

    Of equal totals: a special hand first; the higher uncapped value; fewer fired rules; the special
    hand that stands first in the rule set; then the sets in tile order, then the completed one.
    """
    found = list(interpretations)
    if len(found) > 1:
        found.sort(key=lambda one: _rank(one, rule_order))
    return tuple(found)


def _rank(one: Interpretation, rule_order: dict[str, int]) -> tuple[Any, ...]:
    sets = sorted((meld.tiles[0].order, meld.kind.order) for meld in one.sets)
    completed = [(meld.tiles[0].order, meld.kind.order) for meld in one.sets if meld.completed]
    return (
        -one.total,
        one.name is None,
        -one.uncapped,
        len(one.fired),
        rule_order[one.name] if one.name else -1,
        sets,
        completed,
    )
