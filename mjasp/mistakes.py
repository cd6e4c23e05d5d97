"""What a player may have got wrong, and what a count comes to that has it wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor
from typing import Literal, get_args

from mjasp.derivation import Step, name_of
from mjasp.models import Award
from mjasp.rulesets import Ruleset
from mjasp.scoring import Interpretation
from mjasp.solver import Term

__all__ = ["LIKELINESS", "Account", "Amounts", "Mistake", "MistakeKind", "kind_of_change", "summed"]

# The likeliest first.
MistakeKind = Literal[
    "interpretation",
    "seat",
    "round",
    "winning-tile",
    "reading",
    "exposure",
    "kong",
    "limit",
    "forgotten",
    "ruleset",
    "counted-twice",
    "arithmetic",
    "wrongly-counted",
]

LIKELINESS: dict[MistakeKind, int] = {kind: at for at, kind in enumerate(get_args(MistakeKind))}
"""Which kinds of mistake are looked at first."""

_CHANGES: dict[str, MistakeKind] = {
    "seat": "seat",
    "round": "round",
    "reading": "reading",
    "concealed": "exposure",
    "exposed": "exposure",
    "laid_down": "exposure",
    "pung": "kong",
    "lenient": "forgotten",
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that was got wrong, and what it is about.

    `change` is what was taken for otherwise, as the encodings name it. `awards` are those
    forgotten, counted twice, wrongly counted or paid as `instead`; `because` tells what keeps a
    wrongly counted rule from firing. `interpretation` is how the hand was read, `ruleset` the rule
    set that it was counted by.
    """

    kind: MistakeKind
    change: Term = ""
    awards: tuple[Award, ...] = ()
    instead: Award | None = None
    because: tuple[Step, ...] = ()
    interpretation: Interpretation | None = None
    ruleset: Ruleset | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """How a number can have come about: the mistakes, and the count that has them.

    `interpretation` is the count before anything went wrong with its awards; `fired` are the awards
    that were counted. `added`: its doubles were added and not multiplied; `cap` is what the total
    was cut to, None for nothing; `limit` is that of the rule set counted by.
    """

    mistakes: tuple[Mistake, ...]
    interpretation: Interpretation
    fired: tuple[Award, ...]
    total: int
    limit: int | None
    cap: int | None
    added: bool = False


def kind_of_change(change: Term) -> MistakeKind:
    """What kind of mistake it is to take something for otherwise.

    >>> kind_of_change(("seat", "south")), kind_of_change(("with", "last_tile"))
    ('seat', 'winning-tile')
    """
    return _CHANGES.get(name_of(change), "winning-tile")


@dataclass(frozen=True, slots=True)
class Amounts:
    """What awards come to before they are made one number; `limits` is in points."""

    points: int = 0
    doubles: int = 0
    bonus_points: int = 0
    bonus_doubles: int = 0
    limits: int = 0

    def __add__(self, other: Amounts) -> Amounts:
        return Amounts(
            self.points + other.points,
            self.doubles + other.doubles,
            self.bonus_points + other.bonus_points,
            self.bonus_doubles + other.bonus_doubles,
            self.limits + other.limits,
        )

    def __neg__(self) -> Amounts:
        return Amounts(
            -self.points, -self.doubles, -self.bonus_points, -self.bonus_doubles, -self.limits
        )

    def total(self, cap: int | None, *, added: bool = False) -> int:
        """The number; with `added` n doubles are points x 2n.

        >>> Amounts(30, 3).total(500), Amounts(30, 3).total(500, added=True)
        (240, 180)
        """
        doubled = self.points * 2 * self.doubles if added and self.doubles else 0
        doubled = doubled or self.points << self.doubles
        total = doubled + (self.bonus_points << self.bonus_doubles) + self.limits
        return total if cap is None else min(total, cap)


def summed(awards: Iterable[Award], limit: int | None) -> Amounts:
    """What awards come to; a fraction of a limit that is no whole number is rounded down."""
    points = doubles = bonus_points = bonus_doubles = limits = 0
    for award in awards:
        if award.part == "bonus":
            bonus_points += award.points
            bonus_doubles += award.doubles
        else:
            points += award.points
            doubles += award.doubles
            limits += floor(award.limits * (limit or 0))
    return Amounts(points, doubles, bonus_points, bonus_doubles, limits)
