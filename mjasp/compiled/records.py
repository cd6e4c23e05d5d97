"""What is found of many hands as records, the same to the byte as from their scores.

Whatever says the same of many hands (a set, an award at its place) is a piece of JSON, made once by
what makes the JSON of a score. A block is written column by column, a column being one key of a
score; only then are the columns joined to lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, pairwise, repeat
from json import dumps
from types import MappingProxyType
from typing import Any

import numpy as np

from mjasp.compiled.found import FALSE_WIN, OUTCOMES, WHOLE_HAND, Found, Numbers
from mjasp.compiled.layout import DECLARED, TILES, Hands
from mjasp.compiled.pieces import (
    BOOLEANS,
    Pieces,
    assumed_codes,
    award_codes,
    bonus_codes,
    waits_codes,
)
from mjasp.compiled.texts import Texts
from mjasp.hand import Hand, Kind, Meld
from mjasp.render.json import interpretation_dict, score_dict, set_dict
from mjasp.scoring import Deferred, Interpretation, Score
from mjasp.tiles import Tile

__all__ = ["Records"]

_DECLARED_TILES = np.array(
    [[meld.tiles.count(tile) for tile in TILES] for meld in DECLARED], dtype=np.uint8
)


class Records:
    """Writes the records of one rule set, in English.

    `limit` is the engine's, in points; `limit_assumed` says that the rule text prints none.
    `fields` are the keys of a score to keep, in this order, None for all. `notes` are told of every
    hand, after its own.
    """

    def __init__(
        self,
        ruleset: str,
        limit: int | None,
        *,
        limit_assumed: bool = False,
        fields: Iterable[str] | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        score = score_dict(_any_score(ruleset, limit))
        keys = score if fields is None else [key for key in dict.fromkeys(fields) if key in score]
        self._columns = [key for key in keys if hasattr(_Scores, key)]
        constants = {key: dumps(score[key]) for key in keys if key not in self._columns}
        self._line = f'{{"id": %s, "line": %s, "score": {_template(keys, constants)}}}'
        self._ruleset = ruleset
        self._notes = notes
        self._texts = Texts()
        self._limit = limit if limit_assumed else None
        self._pieces: Pieces | None = None

    def json_lines(
        self, ids: Sequence[str], lines: Sequence[int], given: Hands, found: Found
    ) -> list[str]:
        """The record of each hand, without a line end.

        `ids` are JSON already, `lines` numbers of lines; `given` are the hands as described,
        nothing assumed, which can be at a table and be resolved.
        """
        scores = _Scores(given, found, self._known(found), self._texts)
        columns = [getattr(scores, key) for key in self._columns]
        line = self._line
        return [line % row for row in zip(ids, lines, *columns, strict=True)]

    def csv_rows(
        self, ids: Sequence[str | None], lines: Sequence[int], found: Found
    ) -> list[tuple[Any, ...]]:
        """The row of each hand: id, line, rule set, outcome and so on, as `mjasp batch` has it."""
        pieces, best = self._known(found), found.first[:-1]
        outcomes = found.outcome.tolist()
        totals = found.total[best].tolist()
        fired = [pieces.rules[award] for award in found.fired.tolist()]
        begin, end = found.first_fired[best].tolist(), found.first_fired[best + 1].tolist()
        return list(
            zip(
                ids,
                lines,
                repeat(self._ruleset, len(found.outcome)),
                map(OUTCOMES.__getitem__, outcomes),
                (
                    None if out == FALSE_WIN else total
                    for out, total in zip(outcomes, totals, strict=True)
                ),
                found.points[best].tolist(),
                found.doubles[best].tolist(),
                map(pieces.amounts.__getitem__, found.limits[best].tolist()),
                (" ".join(fired[at:to]) for at, to in zip(begin, end, strict=True)),
                repeat("", len(found.outcome)),
                strict=True,
            )
        )

    def _known(self, found: Found) -> Pieces:
        """The pieces of what can be found, made anew where that is not what it was."""
        pieces = self._pieces
        if (
            pieces is None
            or pieces.vocabulary is not found.vocabulary
            or pieces.parts != found.parts
        ):
            pieces = self._pieces = Pieces(found.vocabulary, found.parts, self._notes, self._limit)
        return pieces


def _any_score(ruleset: str, limit: int | None) -> Score:
    """A score that has the keys of all others, and what hands have in common."""
    hand = Hand(TILES[:13])
    best = Interpretation("lost", None, (), (), 0, 0, Fraction(0), None, 0, capped=False, total=0)
    waits: Deferred[tuple[Tile, ...]] = Deferred.known(())
    return Score(hand, hand, ruleset, "lost", limit, (best,), (), None, (), (), waits)


def _template(keys: Iterable[str], constants: Mapping[str, str] = MappingProxyType({})) -> str:
    """An object of JSON with `%s` for each value that is no constant."""
    told = {key: value.replace("%", "%%") for key, value in constants.items()}
    parts = (f"{dumps(key)}: {told.get(key, '%s')}" for key in keys)
    return f"{{{', '.join(parts)}}}"


_INTERPRETATION = tuple(interpretation_dict(_any_score("", None).best))
_INTERPRETATION_LINE = _template(_INTERPRETATION)


class _Interpretations:
    """The columns of interpretations: attributes of pieces, named after the keys."""

    def __init__(self, given: Hands, found: Found, pieces: Pieces) -> None:
        self._given = given
        self._found = found
        self._pieces = pieces

    def lines(self) -> list[str]:
        """The JSON of each interpretation."""
        columns = [getattr(self, key) for key in _INTERPRETATION]
        return [_INTERPRETATION_LINE % row for row in zip(*columns, strict=True)]

    @cached_property
    def kind(self) -> list[str]:
        return [self._pieces.kinds[at] for at in self._found.kind.tolist()]

    @cached_property
    def name(self) -> list[str]:
        return [self._pieces.names[at] for at in self._found.name.tolist()]

    @cached_property
    def sets(self) -> list[str]:
        found = self._found
        whole = np.flatnonzero(found.sets < 0)
        if not whole.size:
            sets = map(self._pieces.sets.__getitem__, found.sets.tolist())
            return _lists(sets, found.first_set)
        texts = [self._pieces.sets[at] if at >= 0 else "" for at in found.sets.tolist()]
        interpretations = np.searchsorted(found.first_set, whole, "right") - 1
        hands = np.searchsorted(found.first, interpretations, "right") - 1
        for at, text in zip(whole.tolist(), self._whole(hands, found.sets[whole]), strict=True):
            texts[at] = text
        return _lists(texts, found.first_set)

    def _whole(self, hands: Numbers, sets: Numbers) -> Iterator[str]:
        """All tiles of each hand as a set."""
        given = self._given.take(hands)
        counts = given.held + given.declared @ _DECLARED_TILES
        counts[np.arange(len(hands)), given.winning] += 1
        for held, at in zip(counts.tolist(), sets.tolist(), strict=True):
            tiles = tuple(chain.from_iterable(map(repeat, TILES, held)))
            exposed = at != WHOLE_HAND
            yield dumps(set_dict(Meld(Kind.WHOLE_HAND, tiles, exposed, completed=True)))

    @cached_property
    def points(self) -> list[int]:
        return _numbers(self._found.points)

    @cached_property
    def doubles(self) -> list[int]:
        return _numbers(self._found.doubles)

    @cached_property
    def limits(self) -> list[str]:
        return [self._pieces.limits[amount] for amount in self._found.limits.tolist()]

    @cached_property
    def bonus(self) -> list[str]:
        return [self._pieces.bonus[code] for code in bonus_codes(self._found)]

    @cached_property
    def uncapped(self) -> list[int]:
        return _numbers(self._found.uncapped)

    @cached_property
    def capped(self) -> list[str]:
        return [BOOLEANS[capped] for capped in self._found.capped.tolist()]

    @cached_property
    def total(self) -> list[int]:
        return _numbers(self._found.total)

    @cached_property
    def fired(self) -> list[str]:
        awards = map(self._pieces.awards.__getitem__, award_codes(self._found))
        return _lists(awards, self._found.first_fired)


class _Scores:
    """The columns of scores: attributes of pieces, named after the keys."""

    def __init__(
        self,
        given: Hands,
        found: Found,
        pieces: Pieces,
        texts: Texts,
    ) -> None:
        self._given = given
        self._found = found
        self._pieces = pieces
        self._texts = texts
        self._best = found.first[:-1].tolist()
        self._each = _Interpretations(given, found, pieces)

    def _of_best(self, column: list[Any]) -> list[Any]:
        return [column[at] for at in self._best]

    @property
    def hand(self) -> list[str]:
        return [f'"{text}"' for text in self._texts.of(self._given)]

    @property
    def outcome(self) -> list[str]:
        return [self._pieces.outcomes[at] for at in self._found.outcome.tolist()]

    @property
    def total(self) -> list[Any]:
        outcomes, totals = self._found.outcome.tolist(), self._of_best(self._each.total)
        return [
            "null" if out == FALSE_WIN else told for out, told in zip(outcomes, totals, strict=True)
        ]

    @property
    def points(self) -> list[Any]:
        return self._of_best(self._each.points)

    @property
    def doubles(self) -> list[Any]:
        return self._of_best(self._each.doubles)

    @property
    def limits(self) -> list[Any]:
        return self._of_best(self._each.limits)

    @property
    def bonus(self) -> list[Any]:
        return self._of_best(self._each.bonus)

    @property
    def uncapped(self) -> list[Any]:
        return self._of_best(self._each.uncapped)

    @property
    def capped(self) -> list[Any]:
        return self._of_best(self._each.capped)

    @property
    def interpretations(self) -> list[str]:
        return _lists(self._each.lines(), self._found.first)

    @property
    def waits(self) -> list[str]:
        return [self._pieces.waits[code] for code in waits_codes(self._found)]

    @property
    def assumed(self) -> list[str]:
        return [self._pieces.assumed[code] for code in assumed_codes(self._given)]

    @property
    def notes(self) -> list[str]:
        return [self._pieces.notes[at] for at in self._found.notes.tolist()]

    @property
    def reasons(self) -> list[str]:
        return [self._pieces.reasons[at] for at in self._found.reasons.tolist()]


def _numbers(column: Numbers) -> list[int]:
    numbers: list[int] = column.tolist()
    return numbers


def _lists(pieces: Iterable[str], first: Numbers) -> list[str]:
    """Lists of JSON: the pieces from each of `first` up to the next."""
    pieces = list(pieces)
    return [f"[{', '.join(pieces[at:to])}]" for at, to in pairwise(first.tolist())]
