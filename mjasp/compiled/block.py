"""Thousands of hands at once: from arrays of hands to all that is found of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from mjasp import models
from mjasp.compiled.divisions import Divisions
from mjasp.compiled.evaluation import Evaluation, Models
from mjasp.compiled.found import FALSE_WIN, LOST, WON, Best, Found, Vocabulary
from mjasp.compiled.interpretations import Interpretations
from mjasp.compiled.joins import Joins
from mjasp.compiled.layout import TILES, Hands
from mjasp.compiled.stated import Stated
from mjasp.facts import ASKED, LENIENT
from mjasp.interpreter import Interpreter, Readings
from mjasp.models import Atom

__all__ = ["Blocks"]

Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]


class Blocks:
    """Scores blocks of hands under one rule set and some readings.

    `limit` and `cap` are those of an engine. Raises NotEvaluable where the rule set's programs
    cannot be compiled.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        readings: Readings,
        limit: int | None,
        cap: int | None,
        divisions: Divisions,
    ) -> None:
        self._interpreter = interpreter
        self._divisions = divisions
        self._joins = Joins(divisions)
        self._settled = {ASKED: False, **interpreter.told_readings(readings)}
        self._setting = interpreter.setting(readings)
        self._may_call = sorted(interpreter.may_call)
        self._score = self._evaluation("score")
        shown = self._score.shown
        self._interpretations = Interpretations(self._setting.rules, shown, limit, cap)
        self._reasons: dict[tuple[str, ...], int] = {(): 0}
        self._vocabulary = self._interpretations.vocabulary
        self._violated = np.array([atom.predicate == "violated" for _, atom in shown], bool)

    def _evaluation(self, entry: str) -> Evaluation[Atom]:
        texts = self._interpreter.texts(entry)
        return Evaluation(texts, models.decode, self._joins, self._settled)

    @cached_property
    def _waits(self) -> Evaluation[Atom]:
        return self._evaluation("waits")

    @cached_property
    def _calling(self) -> Evaluation[Atom]:
        return self._evaluation("calling")

    def found(self, hands: Hands, *, waits: bool = True) -> Found:
        """What is found of hands in which nothing is left to assume (see `Hands.resolved`).

        Without `waits` they are looked for only where rules ask for them. Raises TooLarge for
        values that arrays cannot hold.
        """
        laid_out = Stated.laid_out(hands)
        awaited, outcome, models = self._models(laid_out, waits=waits)
        found = self._interpretations.found(hands, outcome, models)
        because = self._because(laid_out, np.flatnonzero(outcome == FALSE_WIN))
        if len(self._reasons) > len(self._vocabulary.reasons):
            self._vocabulary = replace(self._vocabulary, reasons=tuple(self._reasons))
        return replace(found, waits=awaited, reasons=because, vocabulary=self._vocabulary)

    def best(self, hands: Hands, *, waits: bool = True) -> Best:
        """The best interpretation of each hand, as `found` has it first, without the reasons."""
        awaited, outcome, models = self._models(Stated.laid_out(hands), waits=waits)
        return replace(self._interpretations.best(hands, outcome, models), waits=awaited)

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules, in the order of the rule set."""
        return self._interpretations.rules

    @property
    def vocabulary(self) -> Vocabulary:
        """What the numbers of what is found stand for; reasons are added as they are met."""
        return self._vocabulary

    def flush(self) -> None:
        """Write the divisions that are new to the disk."""
        self._divisions.flush()

    def _models(self, laid_out: Stated, *, waits: bool) -> tuple[Bits, NDArray[np.int8], Models]:
        """The waits of hands, their outcomes, and every model of each.

        A hand that has none as a winner's is a false win, and has those of a loser's.
        """
        hands = laid_out.hands
        every, lost = np.arange(len(hands)), hands.winning < 0
        needs_waits, needs_calling = self._setting.needs_waits, self._setting.needs_calling
        looked = waits | np.where(lost, needs_calling, needs_waits)
        awaited, called = self._awaited(laid_out, np.flatnonzero(looked))
        models = self._score.models(self._stated(laid_out, hands, awaited, called), every)
        accepted = np.zeros(len(hands), bool)
        accepted[models.hand] = True
        false = np.flatnonzero(~accepted)
        outcome = np.where(hands.winning >= 0, WON, LOST).astype(np.int8)
        outcome[false] = FALSE_WIN
        if len(false):
            if needs_calling:  # of those that were thought to be winners
                called |= self._awaited(laid_out, false[~looked[false]])[1]
            losers = self._without_winning(hands, false)
            losing = self._score.models(self._stated(laid_out, losers, awaited, called), false)
            models = Models.joined(models, losing)
        return awaited, outcome, models

    # ---- What is stated

    def _awaited(self, laid_out: Stated, which: Numbers) -> tuple[Bits, Bits]:
        """The tiles that complete some of the hands, and the special hands they are short of.

        Whatever tile they won on; of the other hands nothing is told.
        """
        hands = laid_out.hands
        awaited = np.zeros((len(hands), len(TILES)), bool)
        called = np.zeros((len(hands), len(self._may_call)), bool)
        which = which[hands.unknown_tiles[which] == 0]
        if not len(which):
            return awaited, called
        program = self._calling if self._setting.needs_calling else self._waits
        found = program.models(laid_out.waiting(), which)
        awaited[found.hand, found.winning] = True
        if self._setting.needs_calling:
            self._call(found, called)
        return awaited, called

    def _call(self, found: Models, called: Bits) -> None:
        place = {rule: at for at, rule in enumerate(self._may_call)}
        for row, shown in zip(found.rows.tolist(), found.shown, strict=True):
            atom = self._calling.shown[row][1]
            if atom.predicate == "calls" and atom.name in place:
                called[found.hand[shown], place[atom.name]] = True

    def _stated(self, laid_out: Stated, hands: Hands, awaited: Bits, called: Bits) -> Stated:
        stated = laid_out.played(hands)
        won = (hands.winning >= 0)[:, None]
        if self._setting.needs_waits:
            stated.wait(awaited & won)
        if self._setting.needs_calling:
            stated.call(self._may_call, called & ~won)
        return stated

    @staticmethod
    def _without_winning(hands: Hands, which: Numbers) -> Hands:
        """The hands, some of them as a loser's: without the winning tile and how it came."""
        lost = np.zeros(len(hands), bool)
        lost[which] = True
        return replace(
            hands,
            winning=np.where(lost, -1, hands.winning).astype(np.int8),
            completes=np.where(lost, -1, hands.completes).astype(np.int8),
            source=np.where(lost, -1, hands.source).astype(np.int8),
            events=np.where(lost[:, None], 0, hands.events).astype(np.uint8),
        )

    # ---- False wins

    def _because(self, laid_out: Stated, false: Numbers) -> Numbers:
        """The number of each hand's reasons; 0: none, it is no false win."""
        because = np.zeros(len(laid_out.hands), np.int64)
        if not len(false):
            return because
        stated = laid_out.played(laid_out.hands)
        stated.everywhere(LENIENT)
        found = self._score.models(stated, false)
        failed: defaultdict[int, set[frozenset[str]]] = defaultdict(set)
        rows = np.flatnonzero(self._violated[found.rows])
        names = [self._score.shown[row][1].name for row in found.rows[rows].tolist()]
        shown = found.shown[rows].T.tolist()
        for hand, violated in zip(found.hand.tolist(), shown, strict=True):
            failed[hand].add(frozenset(compress(names, violated)))
        for hand in false.tolist():
            reasons = self._interpreter.reasons_of(failed[hand])
            because[hand] = self._reasons.setdefault(reasons, len(self._reasons))
        return because
