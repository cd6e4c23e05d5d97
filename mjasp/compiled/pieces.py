"""What many hands have in common as JSON, each piece made once by what makes that of a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, repeat
from json import dumps

import numpy as np

from mjasp.compiled.found import KINDS, OUTCOMES, WHOLE_HAND, Found, Vocabulary
from mjasp.compiled.layout import SOURCES, TILES, WINDS, Hands
from mjasp.compiled.texts import Kept
from mjasp.hand import Kind, Meld, Source
from mjasp.render.json import assumption_dict, award_dict, bonus_dict, number, set_dict
from mjasp.scoring import Assumption, Bonus
from mjasp.tiles import Wind

__all__ = ["BOOLEANS", "Pieces", "assumed_codes", "award_codes", "bonus_codes", "waits_codes"]

BOOLEANS = ("false", "true")
_NONE = -1
# No hand has as many sets, or as many doubles for flowers and seasons.
_MOST_SETS = 1 << 6
_MOST_DOUBLES = 1 << 10
_BITS = 1 << np.arange(len(TILES), dtype=np.int64)
# The facts that a text may leave out, in the order in which they are told.
_ASSUMED: Mapping[str, Sequence[Wind | Source]] = {"seat": WINDS, "round": WINDS, "source": SOURCES}
_MOST_ANSWERS = 5


class Pieces:
    """The JSON of what a vocabulary has words for, each piece made when it is first needed.

    `kinds`, `outcomes`, `names`, `notes` and `reasons` are by the numbers that stand in Found,
    `sets` by the index of a meld, `wholes` by what stands in its place and how many there are of
    each tile; `amounts` are parts of a limit as numbers, `limits` as JSON. The others are by the
    codes that the functions of this module make. Of lists there is what is between the brackets.
    """

    kinds = tuple(map(dumps, KINDS))
    outcomes = tuple(map(dumps, OUTCOMES))

    def __init__(
        self, vocabulary: Vocabulary, parts: int, notes: tuple[str, ...], limit: int | None
    ) -> None:
        """`notes` are told of every hand, after its own; `limit` is told as assumed, if given."""
        self.vocabulary = vocabulary
        self.parts = parts
        self._assumed_limit = limit
        # The last one stands for no name, whose number is -1.
        self.names = [*map(dumps, vocabulary.names), "null"]
        self.rules = [award.rule for award in vocabulary.awards]
        self.notes = [_inside([*each, *notes]) for each in vocabulary.notes]
        self.reasons = [_inside(each) for each in vocabulary.reasons]
        self.sets = Kept(self._set)
        self.wholes = Kept(_whole)
        self.awards = Kept(self._award)
        self.amounts = Kept(self._amount)
        self.limits = Kept(self._limits)
        self.bonus = Kept(_bonus)
        self.waits = Kept(_waits)
        self.assumed = Kept(self._assumed)

    def _set(self, at: int) -> str:
        return dumps(set_dict(self.vocabulary.melds[at]))

    def _amount(self, parts: int) -> int | float:
        return number(Fraction(parts, self.parts))

    def _limits(self, parts: int) -> str:
        return dumps(self._amount(parts))

    def _award(self, code: int) -> str:
        at, set_ = divmod(code, _MOST_SETS)
        award = self.vocabulary.awards[at]
        return dumps(award_dict(replace(award, set=set_ - 1 if set_ else None)))

    def _assumed(self, code: int) -> str:
        assumed: list[Assumption] = []
        for fact, values in reversed([*_ASSUMED.items()]):
            code, taken = divmod(code, _MOST_ANSWERS)
            if taken:
                assumed.insert(0, Assumption(fact, values[taken - 1].value, None))
        if self._assumed_limit is not None:
            assumed.append(Assumption("limit", self._assumed_limit, ()))
        return _inside([assumption_dict(each) for each in assumed])


def _whole(key: tuple[int, bytes]) -> str:
    at, counts = key
    tiles = tuple(chain.from_iterable(map(repeat, TILES, counts)))
    meld = Meld(Kind.WHOLE_HAND, tiles, exposed=at != WHOLE_HAND, completed=True)
    return dumps(set_dict(meld))


def _inside(values: Sequence[object]) -> str:
    """A list of JSON without its brackets."""
    return dumps(values)[1:-1]


def award_codes(found: Found) -> list[int]:
    """What fired, each award with the place of its set."""
    codes: list[int] = (found.fired * _MOST_SETS + found.fired_set + 1).tolist()
    return codes


def bonus_codes(found: Found) -> list[int]:
    """What flowers and seasons pay in each interpretation where they are counted apart."""
    counted = found.bonus_points * _MOST_DOUBLES + found.bonus_doubles
    codes: list[int] = np.where(found.has_bonus, counted, _NONE).tolist()
    return codes


def _bonus(code: int) -> str:
    return dumps(bonus_dict(None if code == _NONE else Bonus(*divmod(code, _MOST_DOUBLES))))


def waits_codes(found: Found) -> list[int]:
    """The waits of each hand, a bit for each of TILES."""
    codes: list[int] = (found.waits @ _BITS).tolist()
    return codes


def _waits(code: int) -> str:
    return _inside([str(tile) for at, tile in enumerate(TILES) if code >> at & 1])


def assumed_codes(given: Hands) -> list[int]:
    """What is assumed of each hand, with a digit for each fact, 0 where it is stated."""
    resolved = given.resolved()
    codes = np.zeros(len(given), np.int64)
    for fact in _ASSUMED:
        stated, taken = getattr(given, fact), getattr(resolved, fact)
        codes = codes * _MOST_ANSWERS + np.where(stated < 0, taken + 1, 0)
    told: list[int] = codes.tolist()
    return told
