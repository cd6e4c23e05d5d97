"""Why a rule fired for a hand, or why it did not: the tree that every format renders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mjasp.derivation import Step
from mjasp.hand import Hand
from mjasp.rulesets import Rule, Ruleset
from mjasp.scoring import Interpretation, Score
from mjasp.solver import Term
from mjasp.told import Told

if TYPE_CHECKING:
    from mjasp.render.document import Document

__all__ = ["Change", "Why", "fires"]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that could be otherwise, and the hand in which it is."""

    what: Term
    hand: Hand


@dataclass(frozen=True, slots=True)
class Why(Told):
    """Why a rule fired in the best interpretation of a hand, or why it did not.

    `because` is a derivation of what fired, or the conditions that failed, the nearest to holding
    first, each with what made it fail. `elsewhere` is the best interpretation in which the rule
    does fire; `change` the smallest change of one tile or one fact with which it fires in the best
    one; `readings` are (reading, value) pairs under which it does. `held` is the hand that the
    interpretation is of: a false win's is without its winning tile.
    """

    score: Score
    held: Hand
    ruleset: Ruleset
    rule: Rule
    because: tuple[Step, ...]
    elsewhere: Interpretation | None
    change: Change | None
    readings: tuple[tuple[str, str], ...]
    described: Mapping[str, str]

    @property
    def fired(self) -> bool:
        """Whether the rule fired in the best interpretation."""
        return fires(self.rule, self.score.best)

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """The explanation as `mjasp/why/1`, its sentences in a language."""
        from mjasp.render.why import why_dict

        return why_dict(self, language)

    def document(self, language: str = "en") -> Document:
        """The explanation as a document."""
        from mjasp.render.why import why_document

        return why_document(self, language)


def fires(rule: Rule, interpretation: Interpretation) -> bool:
    """Whether a rule fires in an interpretation."""
    return any(award.rule == rule.id for award in interpretation.fired)
