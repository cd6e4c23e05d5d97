"""Models of the encodings, read back: atoms to sets and awards."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from mjasp.hand import Meld
from mjasp.tiles import Tile

__all__ = ["Award", "Model"]


@dataclass(frozen=True, slots=True)
class Award:
    """One fired rule: what it pays, on which tiles, and from which line of the rule text.

    Exactly one of `points`, `doubles` and `limits` is not zero; `limits` is a multiple of the rule
    set's limit. `tiles` is empty and `set` None where the rule looks at the whole hand; otherwise
    `set` is the index of the meld among the interpretation's sets.
    """

    rule: str
    name: str
    points: int
    doubles: int
    limits: Fraction
    tiles: tuple[Tile, ...]
    set: int | None
    part: Literal["hand", "bonus"]
    source: str


@dataclass(frozen=True, slots=True)
class Model:
    """One model: a division, the set the winning tile completed, how it is counted, what fires.

    `kind` says how the hand is counted; `name` is the rule id of the special hand, None for an
    ordinary count.
    """

    kind: Literal["standard", "special", "lost"]
    name: str | None
    sets: tuple[Meld, ...]
    fired: tuple[Award, ...]
