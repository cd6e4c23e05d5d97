"""A count told for learners: step by step, with the rules that were nearly met."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mjasp.derivation import Step, arguments_of, name_of
from mjasp.models import tiles_of
from mjasp.rulesets import Rule, Ruleset
from mjasp.scoring import Score
from mjasp.tiles import Tile
from mjasp.told import Told

if TYPE_CHECKING:
    from mjasp.reasons import Reasons
    from mjasp.render.document import Document

__all__ = ["Lesson", "Missed", "nearly_met"]

# What everybody at the table has seen tempts nobody.
_SEEN = frozenset(
    {
        *("bonus", "fishing", "first_turn", "kong_on_kong", "last_tile", "loose"),
        *("original_call", "robbing"),
    }
)
_FURTHEST = 2.0
_MOST = 5
_UNITS = ("limits", "doubles", "points")


@dataclass(frozen=True, slots=True)
class Missed:
    """A rule that did not fire, and the one condition that failed."""

    rule: Rule
    because: Step


@dataclass(frozen=True, slots=True)
class Lesson(Told):
    """A score to be counted step by step, and what was tempting and wrong.

    `missed` are the rules of which one condition failed that little would make hold, the nearest
    first; `described` are sentences for a club's own conditions.
    """

    score: Score
    ruleset: Ruleset
    missed: tuple[Missed, ...]
    described: Mapping[str, str]

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """The score as `mjasp/score/1`, with the steps as `lesson`."""
        from mjasp.render.lesson import lesson_dict

        return {**self.score.to_dict(language), "lesson": lesson_dict(self, language)}

    def document(self, language: str = "en") -> Document:
        """The lesson as a document."""
        from mjasp.render.lesson import lesson_document

        return lesson_document(self, language)


def nearly_met(reasons: Reasons, rules: Iterable[Rule], score: Score) -> tuple[Missed, ...]:
    """The rules that the best interpretation missed by little, at most five.

    One condition failed, which at most two things of the hand would have to change for; neither is
    an event nor a bonus tile. The nearest come first, of those what pays most. A condition is of
    the hand or of one of its sets: with other sets it is another interpretation.
    """
    fired = {award.rule for award in score.best.fired}
    sets = {meld.tiles for meld in score.best.sets}
    found = []
    for rule in rules:
        failed = () if rule.id in fired else reasons.failed(rule.id)
        if _is_one_condition(failed, sets) and _SEEN.isdisjoint(_lacking(failed[0])):
            rank = reasons.distance(rule.id), _UNITS.index(rule.unit)
            found.append((rank, Missed(rule, failed[0])))
    found.sort(key=lambda each: each[0])
    return tuple(missed for rank, missed in found if rank[0] <= _FURTHEST)[:_MOST]


def _is_one_condition(failed: tuple[Step, ...], sets: Collection[tuple[Tile, ...]]) -> bool:
    if [name_of(step.atom) for step in failed] != ["holds"]:
        return False
    _, subject = arguments_of(failed[0].atom)
    return subject == "hand" or tiles_of(subject) in sets


def _lacking(step: Step) -> Iterator[str]:
    """What the hand would have to state: the facts that a step ends in."""
    for each in step.walk():
        if not each.because:
            stated = name_of(each.atom)
            yield name_of(arguments_of(each.atom)[0]) if stated == "source" else stated
