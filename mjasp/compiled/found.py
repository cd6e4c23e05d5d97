"""What is found of many hands at once, as arrays: every interpretation, what fires in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mjasp.hand import Meld
from mjasp.models import Award

__all__ = [
    "FALSE_WIN",
    "KINDS",
    "LOST",
    "MOST_SETS",
    "OUTCOMES",
    "WHOLE_HAND",
    "WON",
    "Best",
    "Found",
    "Vocabulary",
]

OUTCOMES: tuple[Literal["won", "lost", "false-win"], ...] = ("won", "lost", "false-win")
WON, LOST, FALSE_WIN = range(3)
KINDS: tuple[Literal["standard", "special", "lost"], ...] = ("standard", "special", "lost")
WHOLE_HAND = -1
"""In place of a set: all tiles of the hand together; -2 where a claimed tile completed it."""

MOST_SETS = 13
"""No interpretation has more sets: those of a loser are 13 single tiles at most."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the numbers in Found stand for.

    `names` are rule ids of special hands and calls; `melds` the sets as they can stand in an
    interpretation (kind, tiles, exposed, declared, claimed, completed); `awards` what can fire:
    each with what it pays, its tiles, part and state, its `set` left open (None); `notes` and
    `reasons` are tuples of texts.
    """

    names: tuple[str, ...]
    melds: tuple[Meld, ...]
    awards: tuple[Award, ...]
    notes: tuple[tuple[str, ...], ...]
    reasons: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What is told of hands and of their interpretations, of all of them or of the best."""

    outcome: NDArray[np.int8]
    waits: NDArray[np.bool_]
    kind: NDArray[np.int8]
    name: Numbers
    points: Numbers
    doubles: Numbers
    limits: Numbers
    parts: int
    has_bonus: NDArray[np.bool_]
    bonus_points: Numbers
    bonus_doubles: Numbers
    uncapped: Numbers
    capped: NDArray[np.bool_]
    total: Numbers


@dataclass(frozen=True, slots=True)
class Found(_Weighed):
    """N hands with K interpretations, those of a hand together and best first.

    `first` (N + 1) tells where each hand's interpretations begin: hand n has first[n] up to
    first[n + 1]. Of each hand: `outcome` (0 won, 1 lost, 2 false win), `waits` (N, 34), `notes`
    and `reasons` (indices into the vocabulary's).

    Of each interpretation (K): `kind` (0 standard, 1 special, 2 lost), `name` (index, -1 none),
    `points`, `doubles`, `limits` (in parts of the limit, `parts` of which are one limit),
    `has_bonus`, `bonus_points`, `bonus_doubles`, `uncapped`, `capped`, `total`.

    Interpretation k has the sets `sets[first_set[k]:first_set[k + 1]]`, in their order: indices of
    melds, or WHOLE_HAND, or -2 for a whole hand that a claimed tile completed. It has the awards
    `fired[first_fired[k]:first_fired[k + 1]]`, in their order, each with the place of its set among
    the interpretation's in `fired_set` (-1: the hand, or a bonus tile).
    """

    vocabulary: Vocabulary
    first: Numbers
    notes: Numbers
    reasons: Numbers
    first_set: Numbers
    sets: Numbers
    first_fired: Numbers
    fired: Numbers
    fired_set: Numbers


@dataclass(frozen=True, slots=True)
class Best(_Weighed):
    """The best interpretation of each of N hands; what is not said here is as in Found.

    `interpretations` (N) is how many a hand has. `sets` (N, MOST_SETS) are indices of melds, in
    their order; -1 for none, -2 for the whole hand, -3 for one that a claimed tile completed.
    `fired` (N, R) tells which rules fire, in the order of the rule set. The others are (N).
    """

    interpretations: Numbers
    sets: NDArray[np.int16]
    fired: NDArray[np.bool_]
