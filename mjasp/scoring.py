"""Arithmetic over awards and the choice of the best interpretation; nothing about Mahjong."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from mjasp.hand import Hand, Meld
from mjasp.models import Award
from mjasp.tiles import Tile

__all__ = ["Assumption", "Bonus", "Interpretation", "ReadingEffect", "Score"]


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


@dataclass(frozen=True, slots=True)
class Assumption:
    """A fact that the text left out: the value taken, and the totals the others would give.

    `others` holds (value, total) pairs; total is None for a false win; `others` itself is None
    where sensitivity was not asked for.
    """

    fact: Literal["seat", "round", "source", "limit"]
    value: str | int
    others: tuple[tuple[str | int, int | None], ...] | None


@dataclass(frozen=True, slots=True)
class ReadingEffect:
    """A contested reading that changes this hand's total: the value in force and the others."""

    reading: str
    value: str
    others: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Score:
    """What a hand is worth under a rule set.

    `hand` is the hand scored, with what was assumed filled in. `interpretations` are sorted best
    first, and those of a false win are the hand's without its winning tile, as a loser's. `total`
    is None for a false win. `limit` is in points, None where the rule set has none.
    """

    hand: Hand
    ruleset: str
    outcome: Literal["won", "lost", "false-win"]
    limit: int | None
    interpretations: tuple[Interpretation, ...]
    assumed: tuple[Assumption, ...]
    readings: tuple[ReadingEffect, ...] | None
    notes: tuple[str, ...]
    reasons: tuple[str, ...]

    @property
    def best(self) -> Interpretation:
        """The interpretation that counts."""
        return self.interpretations[0]

    @property
    def total(self) -> int | None:
        """The hand's value; None for a false win."""
        return None if self.outcome == "false-win" else self.best.total

    @property
    def waits(self) -> tuple[Tile, ...]:
        """The tiles that would have completed the hand before the winning tile."""
        raise RuntimeError  # wired to the engine
