"""A count step by step, in the order in which a person counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from mjasp.hand import Kind, Meld
from mjasp.lesson import Lesson
from mjasp.models import Award
from mjasp.notation import write
from mjasp.render.document import Block, Document, Section, Step, Steps, Total
from mjasp.render.draw import draw_sets, share
from mjasp.render.score import head, runner_up
from mjasp.render.trace import amount_of, award_name, common_title, counted_as, trace, winning_tile
from mjasp.words import Words

__all__ = ["lesson_dict", "lesson_document"]

Stages = Iterator[tuple[str, list[Step]]]


def lesson_document(lesson: Lesson, language: str = "en") -> Document:
    """The hand, each step of its count, and what was tempting and wrong."""
    count = _Count(lesson, language)
    score, words = lesson.score, count.words
    sets, *_ = trace(score, score.best, words)
    blocks: list[Block] = [*head(score, words), sets]
    first = 1
    for heading, steps in count.stages():
        if steps:
            blocks.append(Section(words.teach(heading), (Steps(first, tuple(steps)),)))
            first += len(steps)
    tempting = Steps(first, tuple(count.tempting()))
    total = Total((), words.say("total"), str(score.best.total))
    blocks += [total, Section(words.teach("tempting"), (tempting,))]
    return Document(f"{words.teach('title')}: {write(score.given)}", language, tuple(blocks))


def lesson_dict(lesson: Lesson, language: str = "en") -> dict[str, Any]:
    """The steps and what was tempting, each a sentence with its source."""
    count = _Count(lesson, language)
    steps = chain.from_iterable(steps for _, steps in count.stages())
    return {"steps": list(map(_told, steps)), "tempting": list(map(_told, count.tempting()))}


def _told(step: Step) -> dict[str, Any]:
    tiles = [str(tile) for tile in step.tiles]
    return {"text": step.sentence, "source": step.source or None, "tiles": tiles}


class _Count:
    """Counts the best interpretation, and keeps the sum so far."""

    def __init__(self, lesson: Lesson, language: str) -> None:
        self.words = Words(language, lesson.ruleset.rules, lesson.described)
        self._lesson = lesson
        self._best = lesson.score.best
        self._title = common_title(self._best.fired)
        self._sum = 0

    def stages(self) -> Stages:
        """Sets, pairs, bonus tiles, the winner's points, doubles, the limit: a heading and steps.

        A limit hand pays its limit in the place of all but what is counted apart.
        """
        self._sum = 0
        fired = self._best.fired
        limits = [award for award in fired if award.limits]
        ordinary = [award for award in fired if award.part == "hand" and not award.limits]
        apart = [award for award in fired if award.part == "bonus"]
        if limits:
            yield "limit_hands", list(self._limits(limits))
        else:
            yield from self._points(ordinary)
            yield "doubles", list(self._doubles(ordinary))
        if apart:
            yield "bonus_apart", self._apart(apart)
        yield "limit", [Step(self._limit(), "")]

    # ---- Points

    def _points(self, awards: Iterable[Award]) -> Stages:
        kinds: dict[str, list[Award]] = {"sets": [], "pairs": [], "bonus": [], "winning": []}
        for award in awards:
            if award.points:
                kinds[self._kind(award)].append(award)
        for kind, counted in kinds.items():
            unpaid = self._unpaid(kind, {award.set for award in counted})
            heading = "others" if kind == "winning" and self._best.kind == "lost" else kind
            yield heading, [*self._pays(counted), *unpaid]

    def _kind(self, award: Award) -> str:
        """Among what an award is counted; what is paid to the winner alone comes after his sets."""
        scopes = {rule.id: rule.scope for rule in self._lesson.ruleset.rules}
        if scopes[award.rule] == "winner":
            return "winning"
        if award.set is None:
            return "bonus" if award.tiles else "winning"
        return _among(self._best.sets[award.set])

    def _pays(self, awards: Iterable[Award]) -> Iterator[Step]:
        for award in awards:
            if award.points:
                self._sum += award.points
                yield self._step("pays", award, sum=self._sum)

    def _unpaid(self, kind: str, paid: set[int | None]) -> Iterator[Step]:
        for index, meld in enumerate(self._best.sets):
            if _among(meld) == kind and index not in paid:
                yield Step(self.words.teach("nothing", what=self._what(meld)), "", meld.tiles)

    # ---- What comes after

    def _doubles(self, awards: Iterable[Award]) -> Iterator[Step]:
        for award in awards:
            if award.doubles:
                value, self._sum = self._sum, self._sum << award.doubles
                sum_ = f"{value}{' x 2' * award.doubles} = {self._sum}"
                yield self._step("gives", award, sum=sum_)

    def _limits(self, awards: Iterable[Award]) -> Iterator[Step]:
        limit = self._lesson.score.limit or 0
        multiple = sum(award.limits for award in awards)
        self._sum = int(multiple * limit)
        for award in awards:
            told = share(award.limits, limit, self.words)
            yield self._step("pays_limit", award, amount=told, sum=self._sum)

    def _apart(self, awards: Sequence[Award]) -> list[Step]:
        before, self._sum = self._sum, 0
        steps = [*self._pays(awards), *self._doubles(awards)]
        sum_ = f"{before} + {self._sum} = {before + self._sum}"
        self._sum += before
        return [*steps, Step(self.words.teach("added", sum=sum_), "")]

    def _limit(self) -> str:
        limit, best, words = self._lesson.score.limit, self._best, self.words
        if best.capped:
            return words.say("over_the_limit", uncapped=best.uncapped, limit=limit)
        if limit is None:
            return words.teach("no_limit", total=best.total)
        if best.uncapped > limit:
            return words.say("limit_lifted", limit=limit)
        return words.teach("within_limit", total=best.total, limit=limit)

    # ---- What was wrong

    def tempting(self) -> Iterator[Step]:
        """The rules that were nearly met, and the runner-up."""
        score, words = self._lesson.score, self.words
        for missed in self._lesson.missed:
            because = words.sentence(missed.because)
            told = words.answer("failed", rule=words.rule_name(missed.rule), because=because)
            yield Step(told, self._source(missed.rule.source))
        other = runner_up(score)
        if other:
            told = words.teach(
                "otherwise",
                sets=draw_sets(other.sets, winning_tile(score)),
                count=counted_as(other, words),
                total=other.total,
                best=score.best.total,
            )
            yield Step(told, "")
        if not (other or self._lesson.missed):
            yield Step(words.teach("nothing_else"), "")

    # ---- Sentences

    def _step(self, key: str, award: Award, **values: object) -> Step:
        """A step about an award, and about the set that it is paid for, if any."""
        what = ""
        if award.set is not None and self._best.sets[award.set].kind is not Kind.WHOLE_HAND:
            what = self._what(self._best.sets[award.set])
        elif award.tiles:
            what = self.words.tile(award.tiles[0])
        told: dict[str, object] = {"amount": amount_of(award, self.words), **values}
        name = award_name(award, self.words)
        sentence = self.words.teach(key if what else f"{key}_all", rule=name, what=what, **told)
        return Step(sentence, self._source(award.source), award.tiles)

    def _what(self, meld: Meld) -> str:
        return self.words.set(meld, "the")

    def _source(self, source: str) -> str:
        return source.removeprefix(f"{self._title}: ")


def _among(meld: Meld) -> str:
    """Among what a set is counted."""
    if meld.kind is Kind.PAIR:
        return "pairs"
    return "sets" if meld.kind in {Kind.CHOW, Kind.PUNG, Kind.KONG} else ""
