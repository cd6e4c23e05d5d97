"""The search for the fewest mistakes that make a hand's value another number.

Facts, sets, readings and divisions that were taken for otherwise are found by the encodings; what
went wrong with the awards and with the arithmetic is tried on top of each such count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import inf
from time import monotonic

from mjasp.derivation import arguments_of, name_of
from mjasp.dispute import SECONDS, Dispute
from mjasp.hand import Hand
from mjasp.interpreter import Interpreter, Readings, taken
from mjasp.mistakes import LIKELINESS, Account, Mistake, MistakeKind, kind_of_change, summed
from mjasp.models import Model
from mjasp.reasons import Reasons
from mjasp.rulesets import Ruleset
from mjasp.scoring import Interpretation, Score
from mjasp.solver import Term
from mjasp.tweaks import Tweak, few_of_a_kind, tweaks

__all__ = ["Elsewhere", "Inquiry"]

_MOST_MISTAKES = 3
_MOST_ACCOUNTS = 5
# Of changes of one kind that are equally far off, these are told first.
_LIKELY = (
    *("source", "with", "without", "concealed", "exposed", "laid_down"),
    *("wall", "discard", "loose", "robbing"),
    *("east", "south", "west", "north"),
)

Kinds = tuple[MistakeKind, ...]
Rank = tuple[tuple[float, float, str], ...]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The hand by another rule set; `cap` is what totals are cut to there."""

    ruleset: Ruleset
    score: Score
    cap: int | None


@dataclass(frozen=True, slots=True)
class _Count:
    """A way to count the hand, and what is mistaken in it already."""

    mistakes: tuple[Mistake, ...]
    interpretation: Interpretation
    readings: Readings


class Inquiry:
    """What is asked about a score, and the means to find the answer.

    `held` is the hand that was interpreted; `weigh` tells the interpretations that models are, best
    first; `elsewhere` tells the hand by other rule sets, and is asked late.
    """

    def __init__(
        self,
        *,
        score: Score,
        held: Hand,
        interpreter: Interpreter,
        readings: Readings,
        cap: int | None,
        weigh: Callable[[Iterable[Model]], Sequence[Interpretation]],
        elsewhere: Iterable[Elsewhere],
    ) -> None:
        self._score = score
        self._hands = [held] if held == score.hand else [held, score.hand]
        self._interpreter = interpreter
        self._readings = readings
        self._limit, self._cap = score.limit, cap
        self._weigh = weigh
        self._elsewhere = elsewhere
        self._counts: defaultdict[int, list[_Count]] = defaultdict(list)
        # How far wrongly counted rules are from firing: reading that off takes its time.
        self._far: dict[str, tuple[float, float, str]] = {}
        self._order = {rule.id: at for at, rule in enumerate(interpreter.ruleset.rules)}

    def answer(self, claimed: int, seconds: float = SECONDS) -> Dispute:
        """The simplest accounts of a number that can be found in so many seconds."""
        found: dict[Kinds, tuple[Rank, Account]] = {}
        complete, deadline = True, monotonic() + seconds
        try:
            for number in range(_MOST_MISTAKES + 1):
                for account in self._accounts(number, claimed, deadline):
                    self._keep(found, account)
                if found:
                    break
        except TimeoutError:
            complete = False
        told = sorted(found.items(), key=lambda each: (_likeliness(each[0]), each[1][0]))
        return Dispute(
            score=self._score,
            claimed=claimed,
            ruleset=self._interpreter.ruleset,
            accounts=tuple(self._told(account) for _, (_, account) in told[:_MOST_ACCOUNTS]),
            complete=complete,
            cap=self._cap,
            described=self._interpreter.described,
        )

    # ---- Which account is told

    def _keep(self, found: dict[Kinds, tuple[Rank, Account]], account: Account) -> None:
        """Of the accounts of the same kinds the likeliest, of those the first one."""
        kinds = tuple(sorted(mistake.kind for mistake in account.mistakes))
        rank = tuple(sorted(map(self._rank, account.mistakes), reverse=True))
        if kinds not in found or rank < found[kinds][0]:
            found[kinds] = rank, account

    def _rank(self, mistake: Mistake) -> tuple[float, float, str]:
        """The place of a mistake among those of its kind: the likeliest has the lowest."""
        if mistake.kind == "wrongly-counted":
            rule = mistake.awards[0].rule
            if rule not in self._far:
                several = len(self._reasons.failed(rule)) != 1
                self._far[rule] = several, self._reasons.distance(rule), f"{self._order[rule]:04}"
            return self._far[rule]
        if mistake.instead:
            return -1, 0, ""
        change = mistake.change
        names = (name_of(change), *map(name_of, arguments_of(change)[:1]), "")
        first, second = (_LIKELY.index(name) if name in _LIKELY else inf for name in names[:2])
        return first, second, str(change)

    @cached_property
    def _reasons(self) -> Reasons:
        return Reasons(self._interpreter, self._hands[0], self._readings, self._score.best)

    def _told(self, account: Account) -> Account:
        """The account, its likely mistakes first; what keeps wrongly counted rules from firing."""
        mistakes = sorted(account.mistakes, key=lambda mistake: LIKELINESS[mistake.kind])
        for at, mistake in enumerate(mistakes):
            if mistake.kind == "wrongly-counted":
                because = self._reasons.failed(mistake.awards[0].rule)
                mistakes[at] = replace(mistake, because=because)
        return replace(account, mistakes=tuple(mistakes))

    # ---- The search

    def _accounts(self, number: int, claimed: int, deadline: float) -> Iterator[Account]:
        """All accounts with so many mistakes. Raises TimeoutError at the deadline."""
        if number == 1:
            yield from self._by_other_rules(claimed)
        for mistaken in range(number):
            yield from self._tweaked(mistaken, number - mistaken, claimed, deadline)
        try:
            self._read(number, deadline)
        finally:  # what was found in time is told
            yield from self._tweaked(number, 0, claimed, inf)

    def _by_other_rules(self, claimed: int) -> Iterator[Account]:
        for each in self._elsewhere:
            if each.score.total == claimed:
                mistake = Mistake("ruleset", ruleset=each.ruleset)
                best, limit = each.score.best, each.score.limit
                yield Account((mistake,), best, best.fired, claimed, limit, each.cap)

    def _read(self, number: int, deadline: float) -> None:
        """Find the counts in which so many things are taken for otherwise than they are."""
        found: defaultdict[tuple[int, tuple[Term, ...]], list[Model]] = defaultdict(list)
        try:
            for at, hand in enumerate(self._hands):
                read = self._interpreter.mistaken(hand, self._readings, number, deadline)
                for changes, model in read:
                    found[at, changes].append(model)
        finally:
            for (_, changes), models in found.items():
                self._sort(changes, self._weigh(models))

    def _sort(self, changes: tuple[Term, ...], interpretations: Sequence[Interpretation]) -> None:
        """Put counts by their number of mistakes: whoever does not take the best makes another.

        Whoever divides the hand as is right does not, though something else be mistaken.
        """
        mistakes = tuple(Mistake(kind_of_change(change), change) for change in changes)
        readings = taken(self._readings, changes)
        best, right = interpretations[0], self._score.best
        self._counts[len(changes)].append(_Count(mistakes, best, readings))
        for other in interpretations[1:]:
            if other.total == best.total:
                continue
            made = mistakes
            if (other.name, other.sets) != (right.name, right.sets):
                made = (Mistake("interpretation", interpretation=other), *mistakes)
            self._counts[len(made)].append(_Count(made, other, readings))

    def _tweaked(
        self, mistaken: int, number: int, claimed: int, deadline: float
    ) -> Iterator[Account]:
        """The accounts of counts with `mistaken` mistakes, and `number` more in the awards."""
        for count in self._counts[mistaken]:
            if monotonic() > deadline:
                raise TimeoutError
            fired = count.interpretation.fired
            amounts = summed(fired, self._limit)
            for chosen in filter(_fit, combinations(self._tweaks(count, number), number)):
                total, cap, added = amounts, self._cap, False
                for tweak in chosen:
                    total += tweak.amounts
                    added |= tweak.added
                    cap = None if tweak.uncapped else cap
                if total.total(cap, added=added) == claimed:
                    yield self._account(count, chosen, claimed)

    def _tweaks(self, count: _Count, number: int) -> list[Tweak]:
        """What can go wrong with a count's awards, of what comes to the same the likeliest."""
        if not number:
            return []
        rules = self._interpreter.rules(count.readings)
        found = list(tweaks(count.interpretation, rules, self._limit))
        if number == 1:
            return found
        return few_of_a_kind(sorted(found, key=lambda each: self._rank(each.mistake)), number)

    def _account(self, count: _Count, chosen: Sequence[Tweak], claimed: int) -> Account:
        dropped = frozenset[int]().union(*(tweak.dropped for tweak in chosen))
        fired = count.interpretation.fired
        counted = [award for at, award in enumerate(fired) if at not in dropped]
        counted += [award for tweak in chosen for award in tweak.put]
        counted.sort(key=lambda each: (each.part == "bonus", self._order[each.rule]))
        return Account(
            mistakes=(*count.mistakes, *(tweak.mistake for tweak in chosen)),
            interpretation=count.interpretation,
            fired=tuple(counted),
            total=claimed,
            limit=self._limit,
            cap=None if any(tweak.uncapped for tweak in chosen) else self._cap,
            added=any(tweak.added for tweak in chosen),
        )


def _likeliness(kinds: Kinds) -> tuple[int, ...]:
    """An account is as likely as the least likely of its mistakes, then as the others."""
    return tuple(sorted((LIKELINESS[kind] for kind in kinds), reverse=True))


def _fit(chosen: Sequence[Tweak]) -> bool:
    return all(one.fits(other) for one, other in combinations(chosen, 2))
