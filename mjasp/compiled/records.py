"""What is found of many hands as records, the same to the byte as from their scores.

Whatever says the same of many hands (a set, an award at its place) is a piece of JSON, made once by
what makes the JSON of a score. A block is written column by column, a column being one key of a
score, and the columns are joined to lines hand by hand: no long text is made for all at once.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice, repeat
from json import dumps
from typing import Any

import numpy as np

from mjasp.compiled.found import FALSE_WIN, OUTCOMES, WON, Found, Numbers
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
from mjasp.hand import Hand
from mjasp.render.json import interpretation_dict, score_dict
from mjasp.scoring import Deferred, Interpretation, Score
from mjasp.tiles import Tile

__all__ = ["Records"]

_DECLARED_TILES = np.array(
    [[meld.tiles.count(tile) for tile in TILES] for meld in DECLARED], dtype=np.uint8
)
# A record but for its score.
_LINE = {"id": None, "line": 0, "score": None}


class Records:
    """Writes the records of one rule set, in English; quickest where all share one vocabulary.

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
        around = _around({key: score[key] for key in keys}, self._columns)
        *before, behind = _around(_LINE, _LINE)
        around[0] = before.pop() + around[0]
        around[-1] += behind
        self._around = [*before, *around]
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
        if not len(ids) == len(lines) == len(given) == len(found.outcome):
            raise ValueError("an id, a line and what is found for each hand")
        scores = _Scores(given, found, self._known(found), self._texts)
        columns = (getattr(scores, key) for key in self._columns)
        return list(_objects(self._around, (ids, map(str, lines), *columns)))

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


def _around(sample: Mapping[str, object], columns: Container[str]) -> list[str]:
    """What stands before, between and behind the columns of an object of JSON.

    Where a key of `sample` has no column, its value is that of every object. In the column of a
    list stands what is between the brackets.
    """
    texts, text = [], "{"
    for at, (key, value) in enumerate(sample.items()):
        text += f"{', ' if at else ''}{dumps(key)}: "
        if key not in columns:
            text += dumps(value)
            continue
        opening, closing = ("[", "]") if isinstance(value, list) else ("", "")
        texts.append(text + opening)
        text = closing
    return [*texts, text + "}"]


def _objects(around: Sequence[str], columns: Iterable[Iterable[str]]) -> Iterator[str]:
    """Objects of JSON, of which there are as many as of each column."""
    *before, behind = map(repeat, around)
    pieces = chain.from_iterable(zip(before, columns, strict=True))
    return map("".join, zip(*pieces, behind, strict=False))


_INTERPRETATION = interpretation_dict(_any_score("", None).best)
_AROUND = _around(_INTERPRETATION, _INTERPRETATION)


class _Interpretations:
    """The columns of interpretations: attributes of pieces, named after the keys."""

    def __init__(self, given: Hands, found: Found, pieces: Pieces) -> None:
        self._given = given
        self._found = found
        self._pieces = pieces

    def objects(self) -> Iterator[str]:
        """The JSON of each interpretation."""
        return _objects(_AROUND, (getattr(self, key) for key in _INTERPRETATION))

    @property
    def kind(self) -> list[str]:
        return [self._pieces.kinds[at] for at in self._found.kind.tolist()]

    @property
    def name(self) -> list[str]:
        return [self._pieces.names[at] for at in self._found.name.tolist()]

    @property
    def sets(self) -> Iterator[str]:
        found = self._found
        whole = self._whole(np.flatnonzero(found.sets < 0))
        sets = (self._pieces.sets[at] if at >= 0 else next(whole) for at in found.sets.tolist())
        return _lists(sets, found.first_set)

    def _whole(self, places: Numbers) -> Iterator[str]:
        """All tiles of a hand as a set, for these places among the sets found."""
        found = self._found
        interpretations = np.searchsorted(found.first_set, places, "right") - 1
        which = np.searchsorted(found.first, interpretations, "right") - 1
        hands = self._given.take(which)
        counts = hands.held + hands.declared @ _DECLARED_TILES
        won = np.flatnonzero(found.outcome[which] == WON)
        counts[won, hands.winning[won]] += 1
        for row, at in zip(counts, found.sets[places].tolist(), strict=True):
            yield self._pieces.wholes[at, row.tobytes()]

    @cached_property
    def points(self) -> list[str]:
        return _numbers(self._found.points)

    @cached_property
    def doubles(self) -> list[str]:
        return _numbers(self._found.doubles)

    @cached_property
    def limits(self) -> list[str]:
        return [self._pieces.limits[amount] for amount in self._found.limits.tolist()]

    @cached_property
    def bonus(self) -> list[str]:
        return [self._pieces.bonus[code] for code in bonus_codes(self._found)]

    @cached_property
    def uncapped(self) -> list[str]:
        return _numbers(self._found.uncapped)

    @cached_property
    def capped(self) -> list[str]:
        return [BOOLEANS[capped] for capped in self._found.capped.tolist()]

    @cached_property
    def total(self) -> list[str]:
        return _numbers(self._found.total)

    @property
    def fired(self) -> Iterator[str]:
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

    def _of_best(self, column: list[str]) -> list[str]:
        return [column[at] for at in self._best]

    @property
    def hand(self) -> list[str]:
        return [f'"{text}"' for text in self._texts.of(self._given)]

    @property
    def outcome(self) -> list[str]:
        return [self._pieces.outcomes[at] for at in self._found.outcome.tolist()]

    @property
    def total(self) -> list[str]:
        outcomes, totals = self._found.outcome.tolist(), self._of_best(self._each.total)
        return [
            "null" if out == FALSE_WIN else told for out, told in zip(outcomes, totals, strict=True)
        ]

    @property
    def points(self) -> list[str]:
        return self._of_best(self._each.points)

    @property
    def doubles(self) -> list[str]:
        return self._of_best(self._each.doubles)

    @property
    def limits(self) -> list[str]:
        return self._of_best(self._each.limits)

    @property
    def bonus(self) -> list[str]:
        return self._of_best(self._each.bonus)

    @property
    def uncapped(self) -> list[str]:
        return self._of_best(self._each.uncapped)

    @property
    def capped(self) -> list[str]:
        return self._of_best(self._each.capped)

    @property
    def interpretations(self) -> Iterator[str]:
        return _lists(self._each.objects(), self._found.first)

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


def _numbers(column: Numbers) -> list[str]:
    return list(map(str, column.tolist()))


def _lists(pieces: Iterable[str], first: Numbers) -> Iterator[str]:
    """Lists of JSON without their brackets: the pieces from each of `first` up to the next."""
    parts = map(islice, repeat(iter(pieces)), np.diff(first).tolist())
    return map(", ".join, parts)
