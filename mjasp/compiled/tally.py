"""What many hands have in common, counted from arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from mjasp.compiled.found import FALSE_WIN, KINDS, OUTCOMES, Found
from mjasp.summary import RulesetSummary, Summary

__all__ = ["summary_of"]


def summary_of(found: Sequence[tuple[str, Found]]) -> Summary:
    """The summary of the same hands under each of these rule sets, by id."""
    hands = len(found[0][1].outcome)
    summary = Summary(hands, rulesets={ruleset: _tally(each) for ruleset, each in found})
    if len(found) > 1:
        summary.compared = hands
        choices = zip(*(_choices(each) for _, each in found), strict=True)
        summary.best_differs = sum(len(set(each)) > 1 for each in choices)
        totals = zip(*(_totals(each) for _, each in found), strict=True)
        summary.total_differs = sum(len(set(each)) > 1 for each in totals)
    return summary


def _tally(found: Found) -> RulesetSummary:
    best = found.first[:-1]
    awards = found.vocabulary.awards
    rules = {award.rule: None for award in awards}
    names = list(rules)
    place = {rule: at for at, rule in enumerate(names)}
    rule_of = np.array([place[award.rule] for award in awards], np.int64)
    number = found.first_fired[best + 1] - found.first_fired[best]
    hand = np.repeat(np.arange(len(best)), number)
    before = np.cumsum(number) - number
    fired = np.arange(len(hand)) + np.repeat(found.first_fired[best] - before, number)
    rule = rule_of[found.fired[fired]]
    once = np.unique(hand * max(len(names), 1) + rule) % max(len(names), 1)
    return RulesetSummary(
        hands=len(best),
        outcomes=_counted(found.outcome, OUTCOMES),
        rules=_counted(once, names),
        firings=_counted(rule, names),
        totals=Counter(total for total in _totals(found) if total is not None),
        several=int(np.count_nonzero(np.diff(found.first) > 1)),
    )


def _counted(numbers: np.ndarray, names: Sequence[str]) -> Counter[str]:
    found, counts = np.unique(numbers, return_counts=True)
    return Counter({names[at]: n for at, n in zip(found.tolist(), counts.tolist(), strict=True)})


def _totals(found: Found) -> list[int | None]:
    totals = found.total[found.first[:-1]].tolist()
    outcomes = found.outcome.tolist()
    return [
        None if outcome == FALSE_WIN else total
        for outcome, total in zip(outcomes, totals, strict=True)
    ]


def _choices(found: Found) -> list[tuple[object, ...]]:
    """How the best interpretation of each hand is counted, and its sets."""
    best = found.first[:-1]
    melds = [*found.vocabulary.melds, "whole", "whole, claimed"]  # in the place of -2 and -1
    sets = [melds[at] for at in found.sets.tolist()]
    bounds = zip(found.first_set[best].tolist(), found.first_set[best + 1].tolist(), strict=True)
    kinds = (KINDS[kind] for kind in found.kind[best].tolist())
    return [(kind, *sets[start:end]) for kind, (start, end) in zip(kinds, bounds, strict=True)]
