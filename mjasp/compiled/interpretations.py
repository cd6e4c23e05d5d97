"""Models of many hands as interpretations: their sets, what fires, the sums, the best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.evaluation import Models
from mjasp.compiled.found import WHOLE_HAND, Best, Found, Vocabulary
from mjasp.compiled.joins import spread
from mjasp.compiled.layout import DECLARED, TILES, Hands
from mjasp.compiled.ranking import Sums, by_sets, equal_runs, ranked
from mjasp.compiled.shown import Awards, Sets, Shown
from mjasp.rulesets import Rule
from mjasp.solver import Term
from mjasp.models import Atom

__all__ = ["Interpretations", "TooLarge"]

Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_LARGEST = float(1 << 62)
_SPECIAL, _LOST = 1, 2


class TooLarge(Exception):  # noqa: N818 - no error of anyone: numbers without a bound know no limit
    """A value that no 64-bit number holds, or a multiple of a limit that is not there."""


class Interpretations:
    """Reads the models of one rule set under some readings: `rules` with what they pay there.

    `shown` is all that a model may show. `limit` is what multiples of the limit are of, `cap` what
    no total exceeds, both in points.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        shown: Sequence[tuple[Term, Atom]],
        limit: int | None,
        cap: int | None,
    ) -> None:
        self._limit, self._cap = limit, cap
        named = {atom.name for _, atom in shown if atom.predicate in ("counted_as", "called")}
        self.names = tuple(rule.id for rule in rules if rule.id in named)
        self._sets = Sets(
            atom.meld for _, atom in shown if atom.predicate == "formed" and atom.meld
        )
        self._shown = Shown(shown, self.names, self._sets)
        fires = (atom for _, atom in shown if atom.predicate == "fires")
        self._awards = Awards(fires, rules, self._sets)
        self.vocabulary = Vocabulary(
            self.names, self._sets.melds, tuple(self._awards.awards), self._notes, ((),)
        )

    def found(self, hands: Hands, outcome: NDArray[np.int8], models: Models) -> Found:
        """The interpretations of hands by their models, of which each hand has some.

        Waits are none yet, nor are reasons. Raises TooLarge.
        """
        models = self._each_once(models)
        number = len(models.hand)
        whole = self._any(models, self._shown.whole)
        claimed = self._any(models, self._shown.claimed)
        name, kind = self._counted(models)
        column, code = self._in_sets(models, hands, whole, claimed)
        by_set = np.lexsort((self._sets.order[code], column))
        column, code = column[by_set], code[by_set]
        sums, (fired_in, award, at) = self._fired(models, column, code)
        fired = np.bincount(fired_in, minlength=number)
        ranked = self._best_first(models, sums, name, fired, (_first(column, number), code))
        rank = np.empty(number, np.int64)
        rank[ranked] = np.arange(number)
        set_in = np.concatenate([rank[column], rank[whole]])
        set_code = np.concatenate([code, np.where(claimed[whole], WHOLE_HAND - 1, WHOLE_HAND)])
        by_rank = np.argsort(set_in, kind="stable")
        by_award = np.argsort(rank[fired_in], kind="stable")
        hand = models.hand[ranked]
        return Found(
            vocabulary=self.vocabulary,
            first=_first(hand, len(hands)),
            outcome=outcome,
            waits=np.zeros((len(hands), len(TILES)), bool),
            notes=self._noted(models, len(hands)),
            reasons=np.zeros(len(hands), np.int64),
            kind=kind[ranked],
            name=name[ranked],
            parts=self._awards.parts,
            first_set=_first(set_in[by_rank], number),
            sets=set_code[by_rank],
            first_fired=_first(rank[fired_in][by_award], number),
            fired=award[by_award],
            fired_set=at[by_award],
            **{name: values[ranked] for name, values in sums.items()},
        )

    # ---- What models show

    def _each_once(self, models: Models) -> Models:
        """The models without those that show the same as another of their hand: whole hands."""
        whole = np.flatnonzero(self._any(models, self._shown.whole))
        if len(whole) < 2:
            return models
        seen = set()
        kept = np.ones(len(models.hand), bool)
        for column in whole.tolist():
            what = int(models.hand[column]), models.shown[:, column].tobytes()
            kept[column] = what not in seen
            seen.add(what)
        if kept.all():
            return models
        return Models(models.hand[kept], models.winning[kept], models.rows, models.shown[:, kept])

    @staticmethod
    def _told(models: Models, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """What is shown where: the numbers of the atoms, and the models that show each."""
        rows = np.flatnonzero(numbers[models.rows] >= 0)
        # One long row is looked through much faster than many.
        row, column = np.divmod(
            np.flatnonzero(models.shown[rows]), np.int64(max(len(models.hand), 1))
        )
        return numbers[models.rows[rows]][row], column

    def _any(self, models: Models, numbers: Numbers) -> Bits:
        found = np.zeros(len(models.hand), bool)
        found[self._told(models, numbers)[1]] = True
        return found

    def _counted(self, models: Models) -> tuple[Numbers, NDArray[np.int8]]:
        """The special hand that each is counted as, or called for, and its kind."""
        name = np.full(len(models.hand), -1)
        lost = models.winning < 0
        counted, column = self._told(models, self._shown.counted)
        won = ~lost[column]
        name[column[won]] = counted[won]
        called, column = self._told(models, self._shown.called)
        name[column] = called
        kind = np.where(lost, _LOST, np.where(name >= 0, _SPECIAL, 0)).astype(np.int8)
        return name, kind

    def _noted(self, models: Models, number: int) -> Numbers:
        """What the player of each hand should know besides, by the number of the texts."""
        notes = np.zeros(number, np.int64)
        note, column = self._told(models, self._shown.note)
        np.bitwise_or.at(notes, models.hand[column], 1 << note)
        return notes

    @property
    def _notes(self) -> tuple[tuple[str, ...], ...]:
        """Every combination of notes: bit n of its place stands for text n."""
        texts = self._shown.notes
        return tuple(
            tuple(text for at, text in enumerate(texts) if bits >> at & 1)
            for bits in range(1 << len(texts))
        )

    def _in_sets(
        self, models: Models, hands: Hands, whole: Bits, claimed: Bits
    ) -> tuple[Numbers, Numbers]:
        """The sets of models that are not read as a whole: pairs of model and set."""
        hand, declared = np.nonzero(hands.declared)
        times = hands.declared[hand, declared]
        hand, declared = np.repeat(hand, times), np.repeat(declared, times)
        first = _first(hand, len(hands))
        divided = np.flatnonzero(~whole)
        of = models.hand[divided]
        owner, place = spread(first[of], first[of + 1] - first[of])
        completed = np.full(len(whole), -1)
        code, column = self._told(models, self._shown.completed)
        completed[column] = code
        formed, formed_in = self._told(models, self._shown.formed)
        firsts, _ = self._told(
            models, np.where(self._shown.first, 1, np.minimum(self._shown.formed, 0))
        )
        is_completed = (firsts == 1) & (completed[formed_in] == formed)
        formed = formed + np.where(is_completed, 1 + claimed[formed_in], 0)
        return (
            np.concatenate([divided[owner], formed_in]),
            np.concatenate([declared[place], formed]),
        )

    def _fired(
        self, models: Models, column: Numbers, code: Numbers
    ) -> tuple[dict[str, Any], tuple[Numbers, Numbers, Numbers]]:
        """The sums of each model; and what fires, in order: its model, the award, its set's place.

        `column` and `code` are the sets of the models, in order.
        """
        awards, number = self._awards, len(models.hand)
        place = np.arange(len(column)) - _first(column, number)[column]
        # Of equal sets an award speaks of the last.
        last = np.full((number, self._sets.subjects), -1)
        last[column, self._sets.subject[code]] = np.arange(len(column))
        award, fired_in = self._told(models, self._shown.fires)
        award *= 2
        subject = awards.subject[award]
        which = np.where(subject >= 0, last[fired_in, subject], -1)
        of_set = which >= 0
        at = np.full(len(award), -1)
        at[of_set] = place[which[of_set]]
        award[of_set] += self._sets.exposed[code[which[of_set]]]
        order = np.lexsort(
            (
                awards.tile[award],
                np.maximum(at, 0),
                awards.rule[award],
                awards.bonus[award],
                fired_in,
            )
        )
        fired_in, award, at = fired_in[order], award[order], at[order]
        return self._summed(fired_in, award, number), (fired_in, award, at)

    def _summed(self, fired_in: Numbers, award: Numbers, number: int) -> dict[str, Any]:
        """The sums of each model: see scoring.weigh."""
        awards = self._awards
        bonus = awards.bonus[award]

        def total(pay: NDArray[np.float64], which: Bits) -> NDArray[np.float64]:
            return np.bincount(fired_in[which], pay[award[which]], number).astype(np.float64)

        points, doubles = total(awards.points, ~bonus), total(awards.doubles, ~bonus)
        limits = total(awards.limits, ~bonus)
        bonus_points, bonus_doubles = total(awards.points, bonus), total(awards.doubles, bonus)
        if limits.any() and self._limit is None:
            raise TooLarge
        largest = points * 2.0**doubles + bonus_points * 2.0**bonus_doubles
        largest += limits * (self._limit or 0)
        if number and not (largest.max() < _LARGEST):
            raise TooLarge
        whole = {
            "points": points,
            "doubles": doubles,
            "limits": limits,
            "bonus_points": bonus_points,
            "bonus_doubles": bonus_doubles,
        }
        sums: dict[str, Any] = {name: values.astype(np.int64) for name, values in whole.items()}
        uncapped = (sums["points"] << sums["doubles"]) + (
            sums["bonus_points"] << sums["bonus_doubles"]
        )
        uncapped += sums["limits"] * (self._limit or 0) // awards.parts
        cap = _LARGEST if self._cap is None else self._cap
        sums["uncapped"] = uncapped
        sums["capped"] = uncapped > cap
        sums["total"] = np.minimum(uncapped, int(cap))
        sums["has_bonus"] = np.bincount(fired_in[bonus], minlength=number) > 0
        return sums

    # ---- The best first

    def _best_first(
        self,
        models: Models,
        sums: Mapping[str, Any],
        name: Numbers,
        fired: Numbers,
        sets: tuple[Numbers, Numbers],
    ) -> Numbers:
        """The models of each hand together, in the order of scoring.best_first.

        `fired` is how many awards each has; `sets` are where those of each begin, and all of them.
        """
        keys = (
            name,
            fired,
            -sums["uncapped"],
            name < 0,
            -sums["total"],
            models.hand,
        )
        order = np.lexsort(keys)
        equal = np.ones(max(len(order) - 1, 0), bool)
        for key in keys:
            equal &= key[order[1:]] == key[order[:-1]]
        first, code = sets
        for start, end in _runs(equal):
            tied = order[start:end].tolist()
            by_sets = {each: self._by_sets(code[first[each] : first[each + 1]]) for each in tied}
            order[start:end] = sorted(tied, key=by_sets.__getitem__)
        return order

    def _by_sets(self, sets: Numbers) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        melds = [self._sets.melds[each] for each in sets.tolist()]
        return (
            sorted((meld.tiles[0].order, meld.kind.order) for meld in melds),
            [(meld.tiles[0].order, meld.kind.order) for meld in melds if meld.completed],
        )


def _runs(equal: Bits) -> Iterable[tuple[int, int]]:
    """The stretches, from and up to, in which each is equal to the one before."""
    change = np.diff(np.concatenate([[False], equal, [False]]).astype(np.int8))
    return zip(
        np.flatnonzero(change == 1).tolist(),
        (np.flatnonzero(change == -1) + 1).tolist(),
        strict=True,
    )


def _first(owner: Numbers, number: int) -> Numbers:
    """Where those of each owner begin, and the end: (number + 1); the owners are in order."""
    return np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=number))])
