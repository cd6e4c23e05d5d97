"""Rule sets: found, loaded, described."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

__all__ = ["ContestedReading", "Rule", "Ruleset"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a rule text.

    `values` maps "" to an amount, or "exposed" and "concealed" to one each; the unit is points,
    doubles, or limits (a multiple of the rule set's limit).
    """

    id: str
    name: str
    unit: Literal["points", "doubles", "limits"]
    values: tuple[tuple[str, Fraction], ...]
    scope: Literal["all", "winner", "loser"]
    source: str


@dataclass(frozen=True, slots=True)
class ContestedReading:
    """A place where the rule text can be read in several ways."""

    id: str
    default: str
    alternatives: tuple[str, ...]
    doubt: str


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What a rule set scores: its rules in the order of its text, its readings, its limit."""

    id: str
    name: str
    limit: int | None
    source: str
    rules: tuple[Rule, ...]
    readings: tuple[ContestedReading, ...]
