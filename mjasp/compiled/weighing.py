"""Sums of what fires, and the order of interpretations, as arrays: see scoring.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.shown import Awards

__all__ = ["Sums", "TooLarge", "ranked", "summed"]

Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_LARGEST = float(1 << 62)


class TooLarge(Exception):  # noqa: N818 - no error of anyone: numbers without a bound know no limit
    """A value that no 64-bit number holds, or a multiple of a limit that is not there."""


@dataclass(frozen=True, slots=True)
class Sums:
    """What K interpretations are worth, as `scoring.Interpretation` has it; all are (K,).

    `limits` are in parts of the limit.
    """

    points: Numbers
    doubles: Numbers
    limits: Numbers
    has_bonus: Bits
    bonus_points: Numbers
    bonus_doubles: Numbers
    uncapped: Numbers
    capped: Bits
    total: Numbers

    def take(self, which: Numbers) -> dict[str, Any]:
        """The sums of some of them, by name."""
        return {each.name: getattr(self, each.name)[which] for each in fields(self)}


def summed(
    awards: Awards,
    fired: tuple[Numbers, Numbers],
    number: int,
    *,
    limit: int | None,
    cap: int | None,
) -> Sums:
    """The sums of a number of interpretations: see scoring.weighed. Raises TooLarge.

    `fired` are pairs: the interpretation, and the award that fires in it.
    """
    fired_in, award = fired
    bonus = awards.bonus[award]

    def total(pay: NDArray[np.float64], which: Bits) -> NDArray[np.float64]:
        return np.bincount(fired_in[which], pay[award[which]], number).astype(np.float64)

    hand = ~bonus
    points, doubles = total(awards.points, hand), total(awards.doubles, hand)
    limits = total(awards.limits, hand)
    bonus_points, bonus_doubles = total(awards.points, bonus), total(awards.doubles, bonus)
    if limits.any() and limit is None:
        raise TooLarge
    if max(limit or 0, cap or 0) >= _LARGEST:
        raise TooLarge
    with np.errstate(over="ignore", invalid="ignore"):
        largest = points * 2.0**doubles + bonus_points * 2.0**bonus_doubles
        largest += limits * float(limit or 0)
    if number and not (largest.max() < _LARGEST):  # nor is what is no number
        raise TooLarge
    whole, times, shares, bonus_whole, bonus_times = (
        values.astype(np.int64) for values in (points, doubles, limits, bonus_points, bonus_doubles)
    )
    uncapped = (whole << times) + (bonus_whole << bonus_times)
    uncapped += shares * (limit or 0) // awards.parts
    most = int(_LARGEST) if cap is None else cap
    return Sums(
        points=whole,
        doubles=times,
        limits=shares,
        has_bonus=np.bincount(fired_in[bonus], minlength=number) > 0,
        bonus_points=bonus_whole,
        bonus_doubles=bonus_times,
        uncapped=uncapped,
        capped=uncapped > most,
        total=np.minimum(uncapped, most),
    )


def ranked(
    which: Numbers, keys: Sequence[NDArray[Any]], sets: Callable[[Numbers], Sequence[Numbers]]
) -> Numbers:
    """Some interpretations in the order of `keys`, of which the last counts most.

    Where all keys are equal, those of `sets` decide, which it gives for the interpretations asked
    about.
    """
    order = which[np.lexsort([key[which] for key in keys])]
    equal = np.ones(max(len(order) - 1, 0), bool)
    for key in keys:
        equal &= key[order[1:]] == key[order[:-1]]
    run = np.concatenate([[0], np.cumsum(~equal)])
    tied = np.flatnonzero(np.concatenate([[False], equal]) | np.concatenate([equal, [False]]))
    if len(tied):
        some = order[tied]
        order[tied] = some[np.lexsort((*sets(some), run[tied]))]
    return order
