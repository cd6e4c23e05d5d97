"""What models show, as numbers: the sets that can stand in an interpretation, the awards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.layout import DECLARED
from mjasp.derivation import arguments_of
from mjasp.hand import Meld, declared_order
from mjasp.models import Atom, Award, award_for, formed_order
from mjasp.rulesets import Rule
from mjasp.solver import Term

__all__ = ["Awards", "Sets", "Shown"]

Numbers = NDArray[np.int64]


class Sets:
    """The sets that can stand in an interpretation, by number: declared ones, then those formed.

    A set that is formed has three numbers: as it is, completed by a drawn tile, and by a claimed
    one. `order` is that of an interpretation's sets, and `by_order` has their numbers in it;
    `subject` is what an award for the set speaks of; `concealed` has for each subject the declared
    set that is concealed, -1 for none. `worth` orders the sets where interpretations pay the same;
    `completed` tells which of them the winning tile completed.
    """

    def __init__(self, formed: Iterable[Meld]) -> None:
        base = list(dict.fromkeys(formed))
        self.number = {meld: len(DECLARED) + 3 * at for at, meld in enumerate(base)}
        self.melds = (*DECLARED, *(each for meld in base for each in _completed(meld)))
        rank: dict[Meld, int] = {}
        for meld in sorted(DECLARED, key=declared_order):
            rank[meld] = len(rank)
        for meld in sorted(base, key=formed_order):
            for each in _completed(meld):  # the completed one stands last among its equals
                rank[each] = len(rank)
        self.order = np.array([rank[meld] for meld in self.melds])
        self.by_order = np.argsort(self.order)
        subjects: dict[object, int] = {}
        self._subjects = subjects
        self.subject = np.array(
            [subjects.setdefault(_subject(meld), len(subjects)) for meld in self.melds]
        )
        self.concealed = np.full(len(subjects), -1)
        laid = [at for at, meld in enumerate(DECLARED) if not meld.exposed]
        self.concealed[self.subject[laid]] = laid
        self.completed = np.array([meld.completed for meld in self.melds])
        self.worth = np.array(
            [(meld.tiles[0].order << 8) + meld.kind.order for meld in self.melds], np.int64
        )

    @property
    def subjects(self) -> int:
        """How many different sets there are, wherever they stand."""
        return len(self._subjects)

    def subject_of(self, meld: Meld | None) -> int:
        """The number of what an award speaks of; -1 where it is no set."""
        return -1 if meld is None else self._subjects[_subject(meld)]

    def in_order(self, column: Numbers, code: Numbers) -> tuple[Numbers, Numbers]:
        """Pairs of an interpretation and a set of it, those of each together and in order."""
        # Sorting one key is much faster than finding the order by two.
        keys = np.sort(column * len(self.melds) + self.order[code])
        column, order = np.divmod(keys, len(self.melds))
        return column, self.by_order[order]


def _completed(meld: Meld) -> tuple[Meld, Meld, Meld]:
    return (
        meld,
        replace(meld, completed=True),
        replace(meld, completed=True, exposed=True),
    )


def _subject(meld: Meld) -> object:
    return meld.kind, meld.tiles[0]


class Shown:
    """What the rows of models are: a number for each, -1 where it is something else."""

    def __init__(
        self, shown: Sequence[tuple[Term, Atom]], names: Sequence[str], sets: Sets
    ) -> None:
        def numbers(predicate: str, number: Any) -> Numbers:  # noqa: ANN401 - a function of an atom
            return np.array(
                [number(atom) if atom.predicate == predicate else -1 for _, atom in shown], np.int64
            )

        at = {name: number for number, name in enumerate(names)}
        self.counted = numbers("counted_as", lambda atom: at.get(atom.name, -1))
        self.called = numbers("called", lambda atom: at[atom.name])
        self.formed = numbers("formed", lambda atom: sets.number[atom.meld])
        self.completed = numbers("completed", lambda atom: sets.number[atom.meld])
        self.first = np.array(
            [atom.predicate == "formed" and arguments_of(term)[1] == 1 for term, atom in shown]
        )
        self.whole = numbers("as_a_whole", lambda _: 0)
        self.claimed = numbers("claimed", lambda _: 0)
        texts = sorted({atom.name for _, atom in shown if atom.predicate == "note"})
        self.notes = texts
        self.note = numbers("note", lambda atom: texts.index(atom.name))
        fires = [number for number, (_, atom) in enumerate(shown) if atom.predicate == "fires"]
        self.fires = np.full(len(shown), -1)
        self.fires[fires] = np.arange(len(fires))


class Awards:
    """What can fire, each as for a concealed set and as for an exposed one.

    `by_state` tells for which of them that makes a difference.
    """

    def __init__(self, fires: Iterable[Atom], rules: Sequence[Rule], sets: Sets) -> None:
        place = {rule.id: at for at, rule in enumerate(rules)}
        self.awards: list[Award] = []
        subject, order = [], []
        for atom in fires:
            rule = rules[place[atom.name]]
            for exposed in (False, True):
                meld = atom.meld and replace(atom.meld, exposed=exposed)
                award = award_for(rule, atom, meld, None)
                self.awards.append(award)
                tile = award.tiles[0].order if award.tiles else 0
                order.append((award.part == "bonus", place[award.rule], tile))
                subject.append(sets.subject_of(atom.meld))
        self.subject = np.array(subject, np.int64)
        states = zip(self.awards[::2], self.awards[1::2], strict=True)
        self.by_state = np.repeat([one != other for one, other in states], 2).astype(bool)
        self.bonus = np.array([bonus for bonus, _, _ in order], bool)
        self.rule = np.array([rule for _, rule, _ in order], np.int64)
        self.tile = np.array([tile for _, _, tile in order], np.int64)
        self.points = np.array([award.points for award in self.awards], np.float64)
        self.doubles = np.array([award.doubles for award in self.awards], np.float64)
        self.parts = lcm(1, *(award.limits.denominator for award in self.awards))
        limits = [int(award.limits * self.parts) for award in self.awards]
        self.limits = np.array(limits, np.float64)
