"""Models of many hands as interpretations: their sets, what fires, the sums, the best first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.evaluation import Models
from mjasp.compiled.found import MOST_SETS, WHOLE_HAND, Best, Found, Vocabulary
from mjasp.compiled.layout import DECLARED, TILES, Hands
from mjasp.compiled.shown import Awards, Sets, Shown
from mjasp.compiled.weighing import Sums, TooLarge, ranked, summed
from mjasp.models import Atom
from mjasp.rulesets import Rule
from mjasp.solver import Term

__all__ = ["Interpretations", "TooLarge"]

Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_SPECIAL, _LOST = 1, 2


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
        self._formed_as = _formed_as(self._shown, self._sets, self._awards)
        self.rules = tuple(rule.id for rule in rules)
        self.vocabulary = Vocabulary(
            self.names, self._sets.melds, tuple(self._awards.awards), self._notes, ((),)
        )

    def found(self, hands: Hands, outcome: NDArray[np.int8], models: Models) -> Found:
        """The interpretations of hands by their models, of which each hand has some.

        Waits are none yet, nor are reasons. Raises TooLarge.
        """
        models = self._each_once(models)
        number = len(models.hand)
        fired_in, award = self._fired(models, hands)
        sums = self._summed(fired_in, award, number)
        name, kind = self._counted(models)
        ranked = self._best_first(np.arange(number), models, hands, sums, (name, fired_in))
        rank = np.empty(number, np.int64)
        rank[ranked] = np.arange(number)
        column, code = self._in_sets(models, hands, np.arange(number))
        fired_in, award, at = self._placed(fired_in, award, column, code, number)
        by_award = np.argsort(rank[fired_in], kind="stable")
        whole, whole_code = self._wholes(models, np.arange(number))
        set_in = np.concatenate([rank[column], rank[whole]])
        by_rank = np.argsort(set_in, kind="stable")
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
            sets=np.concatenate([code, whole_code])[by_rank],
            first_fired=_first(rank[fired_in][by_award], number),
            fired=award[by_award],
            fired_set=at[by_award],
            **sums.take(ranked),
        )

    def best(self, hands: Hands, outcome: NDArray[np.int8], models: Models) -> Best:
        """The best interpretation of each hand by their models, of which each hand has some.

        Waits are none yet. Raises TooLarge.
        """
        number = len(models.hand)
        fired_in, award = self._fired(models, hands)
        sums = self._summed(fired_in, award, number)
        name, kind = self._counted(models)
        found = np.bincount(models.hand, minlength=len(hands))
        best = np.empty(len(hands), np.int64)
        best[models.hand] = np.arange(number)
        several = np.flatnonzero(found[models.hand] > 1)
        if len(several):
            order = self._best_first(several, models, hands, sums, (name, fired_in))
            hand = models.hand[order]
            first = np.concatenate([[True], hand[1:] != hand[:-1]])
            best[hand[first]] = order[first]
        again = np.bincount(models.hand[self._again(models)], minlength=len(hands))
        return Best(
            outcome=outcome,
            waits=np.zeros((len(hands), len(TILES)), bool),
            interpretations=found - again,
            kind=kind[best],
            name=name[best],
            parts=self._awards.parts,
            sets=self._sets_of(models, hands, best),
            fired=self._fired_rules(fired_in, award, best, number),
            **sums.take(best),
        )

    # ---- The best interpretations alone

    def _sets_of(self, models: Models, hands: Hands, which: Numbers) -> NDArray[np.int16]:
        """The sets of some models as a table: see Best."""
        sets = np.full((len(which), MOST_SETS), -1, np.int16)
        column, code = self._in_sets(models, hands, which)
        sets[column, np.arange(len(column)) - _first(column, len(which))[column]] = code
        whole, whole_code = self._wholes(models, which)
        sets[whole, 0] = whole_code - 1
        return sets

    def _fired_rules(self, fired_in: Numbers, award: Numbers, which: Numbers, number: int) -> Bits:
        """The rules that fire in some of a number of models: a bit each."""
        place = np.full(number, -1)
        place[which] = np.arange(len(which))
        at = place[fired_in]
        fired = np.zeros(len(which) * len(self.rules), bool)
        rule = self._awards.rule[award]
        kept = at >= 0
        fired[at[kept] * len(self.rules) + rule[kept]] = True
        return fired.reshape(len(which), len(self.rules))

    # ---- What models show

    def _each_once(self, models: Models) -> Models:
        """The models without those that show the same as another of their hand: whole hands."""
        again = self._again(models)
        if not len(again):
            return models
        kept = np.ones(len(models.hand), bool)
        kept[again] = False
        return Models(models.hand[kept], models.winning[kept], models.rows, models.shown[:, kept])

    def _again(self, models: Models) -> Numbers:
        """The models that show the same as one before them of their hand: whole hands."""
        whole = np.flatnonzero(self._any(models, self._shown.whole))
        several = np.bincount(models.hand[whole], minlength=1) > 1
        whole = whole[several[models.hand[whole]]]
        shown = np.ascontiguousarray(models.shown[:, whole].T)
        seen: set[tuple[int, bytes]] = set()
        again = []
        for at, hand, what in zip(whole.tolist(), models.hand[whole].tolist(), shown, strict=True):
            key = hand, what.tobytes()
            if key in seen:
                again.append(at)
            seen.add(key)
        return np.array(again, np.int64)

    def _told(self, models: Models, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """What is shown where: the numbers of the atoms, and the models that show each."""
        row, column = self._where(models, numbers)
        return numbers[row], column

    @staticmethod
    def _where(models: Models, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """The atoms that have a number, and the models that show each."""
        rows = np.flatnonzero(numbers[models.rows] >= 0)
        # One long row is looked through much faster than many.
        row, column = np.divmod(np.flatnonzero(models.shown[rows]), max(len(models.hand), 1))
        return models.rows[rows][row], column

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

    def _wholes(self, models: Models, which: Numbers) -> tuple[Numbers, Numbers]:
        """Those of some models that are read as a whole, by place, and the code for that."""
        whole = np.flatnonzero(self._any(models, self._shown.whole)[which])
        claimed = self._any(models, self._shown.claimed)[which[whole]]
        return whole, np.where(claimed, WHOLE_HAND - 1, WHOLE_HAND)

    def _in_sets(self, models: Models, hands: Hands, which: Numbers) -> tuple[Numbers, Numbers]:
        """The sets of some models that are not read as a whole, in order.

        They are pairs: the place of the model among `which`, and the set.
        """
        divided = np.flatnonzero(~self._any(models, self._shown.whole)[which])
        laid = hands.declared[models.hand[which[divided]]]
        model, declared = np.divmod(np.flatnonzero(laid != 0), len(DECLARED))
        times = laid[model, declared]
        row, formed_in = self._where(models, self._shown.formed)
        place = np.full(len(models.hand), -1)
        place[which] = np.arange(len(which))
        asked = place[formed_in] >= 0
        row, formed_in = row[asked], formed_in[asked]
        formed = self._shown.formed[row]
        claimed = self._any(models, self._shown.claimed)
        completed = self._shown.first[row] & (self._completed(models)[formed_in] == formed)
        formed += np.where(completed, 1 + claimed[formed_in], 0)
        return self._sets.in_order(
            np.concatenate([np.repeat(divided[model], times), place[formed_in]]),
            np.concatenate([np.repeat(declared, times), formed]),
        )

    def _completed(self, models: Models) -> Numbers:
        """The set that the winning tile completed in each model; -1 for none."""
        completed = np.full(len(models.hand), -1)
        code, column = self._told(models, self._shown.completed)
        completed[column] = code
        return completed

    # ---- What fires

    def _fired(self, models: Models, hands: Hands) -> tuple[Numbers, Numbers]:
        """What fires: pairs of the model and the award."""
        award, fired_in = self._told(models, self._shown.fires)
        award = 2 * award
        which = np.flatnonzero(self._awards.by_state[award])
        subject = self._awards.subject[award[which]]
        award[which] += self._exposed(models, hands, subject, fired_in[which])
        return fired_in, award

    def _exposed(self, models: Models, hands: Hands, subject: Numbers, column: Numbers) -> Bits:
        """Whether what awards speak of is exposed in these models: the last of equal sets."""
        row = np.full(len(self._shown.formed) + 1, -1)
        row[models.rows] = np.arange(len(models.rows))
        last = np.full(len(subject), -1)
        for formed in self._formed_as:
            at = row[formed[subject]]
            there = (at >= 0) & models.shown[at, column]
            last[there] = self._shown.formed[formed[subject[there]]]
        claimed = self._any(models, self._shown.claimed)
        is_completed = (last >= 0) & (self._completed(models)[column] == last)
        laid = self._sets.concealed[subject]
        concealed = (laid >= 0) & (hands.declared[models.hand[column], laid] > 0)
        # What is not formed was declared.
        exposed: Bits = np.where(last >= 0, is_completed & claimed[column], ~concealed)
        return exposed

    def _placed(
        self, fired_in: Numbers, award: Numbers, column: Numbers, code: Numbers, number: int
    ) -> tuple[Numbers, Numbers, Numbers]:
        """What fires, in order: its model, the award, the place of the set that it speaks of.

        `column` and `code` are the sets of the models, in order.
        """
        awards = self._awards
        place = np.arange(len(column)) - _first(column, number)[column]
        # Of equal sets an award speaks of the last.
        last = np.full((number, self._sets.subjects), -1)
        last[column, self._sets.subject[code]] = place
        subject = awards.subject[award]
        at = np.where(subject >= 0, last[fired_in, subject], -1)
        order = np.lexsort(
            (
                awards.tile[award],
                np.maximum(at, 0),
                awards.rule[award],
                awards.bonus[award],
                fired_in,
            )
        )
        return fired_in[order], award[order], at[order]

    def _summed(self, fired_in: Numbers, award: Numbers, number: int) -> Sums:
        return summed(self._awards, (fired_in, award), number, limit=self._limit, cap=self._cap)

    # ---- The best first

    def _best_first(
        self,
        which: Numbers,
        models: Models,
        hands: Hands,
        sums: Sums,
        told: tuple[Numbers, Numbers],
    ) -> Numbers:
        """Some models, those of each hand together, in the order of scoring.best_first.

        `told` is the name of each model, and in which model each award fires.
        """
        name, fired_in = told
        keys = (
            name,
            np.bincount(fired_in, minlength=len(name)),
            -sums.uncapped,
            name < 0,
            -sums.total,
            models.hand,
        )
        return ranked(which, keys, lambda some: self._by_sets(models, hands, some))

    def _by_sets(self, models: Models, hands: Hands, which: Numbers) -> list[Numbers]:
        """The keys that order some models by their sets, the last counts most."""
        column, code = self._in_sets(models, hands, which)
        worth = self._sets.worth[code]
        completed = np.full(len(which), -1)
        by_tile = self._sets.completed[code]
        completed[column[by_tile]] = worth[by_tile]
        by_worth = np.lexsort((worth, column))
        place = np.arange(len(column)) - _first(column, len(which))[column]
        worths = np.full((MOST_SETS, len(which)), -1)
        worths[place, column] = worth[by_worth]
        return [completed, *worths[::-1]]


def _formed_as(shown: Shown, sets: Sets, awards: Awards) -> list[Numbers]:
    """The rows of models that show the sets of a subject, for those whose state awards look at.

    There is more than one row where several sets are one subject: then those in front stand first.
    """
    rows: list[list[int]] = [[] for _ in range(sets.subjects)]
    asked = set(awards.subject[awards.by_state].tolist())
    formed = np.flatnonzero(shown.first)
    for row in formed[np.argsort(sets.order[shown.formed[formed]])].tolist():
        subject = int(sets.subject[shown.formed[row]])
        if subject in asked:
            rows[subject].append(row)
    most = max(map(len, rows), default=0)
    padded = [[*each, *[-1] * (most - len(each))] for each in rows]
    return list(np.array(padded, np.int64).reshape(sets.subjects, most).T)


def _first(owner: Numbers, number: int) -> Numbers:
    """Where those of each owner begin, and the end: (number + 1); the owners are in order."""
    return np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=number))])
