"""A number that differs from a hand's value, and how it can have come about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mjasp.mistakes import Account
from mjasp.rulesets import Ruleset
from mjasp.scoring import Score
from mjasp.told import Told

if TYPE_CHECKING:
    from mjasp.render.document import Document

__all__ = ["SECONDS", "Dispute"]

SECONDS = 3.0
"""How long is looked for accounts."""


@dataclass(frozen=True, slots=True)
class Dispute(Told):
    """A claimed number and the simplest accounts of it, the likeliest first.

    The account of a right number has no mistakes; that of a false win without mistakes is what the
    hand is worth without its winning tile. Otherwise all accounts have equally many mistakes, as
    few as there can be, and differ in their kinds; where there are none, the number takes more
    mistakes than are looked for. `complete` is False where the time was up before all had been
    looked at. `cap` is what totals are cut to, None for nothing; `described` are sentences for a
    club's own conditions.
    """

    score: Score
    claimed: int
    ruleset: Ruleset
    accounts: tuple[Account, ...]
    complete: bool
    cap: int | None
    described: Mapping[str, str]

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """The dispute as `mjasp/dispute/1`, its sentences in a language."""
        from mjasp.render.dispute import dispute_dict

        return dispute_dict(self, language)

    def document(self, language: str = "en") -> Document:
        """The dispute as a document."""
        from mjasp.render.dispute import dispute_document

        return dispute_document(self, language)
