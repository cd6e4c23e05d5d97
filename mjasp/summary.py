"""What many scores have in common, counted as they pass: nothing of a single hand is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mjasp.errors import MjaspError
from mjasp.scoring import Score

__all__ = ["RulesetSummary", "Summary", "summarise"]


@dataclass(slots=True)
class RulesetSummary:
    """Counts of hands under one rule set.

    `rules` counts the hands whose best interpretation a rule fired in, `firings` how often it
    fired there (once a set, where it is about sets). `totals` leaves out false wins and hands whose
    total depends on an unknown fact. `several` hands have more than one interpretation. `asked`
    hands were scored with sensitivity: `readings` counts those of them whose total a reading
    changes, `readings_best` those in which another interpretation is then the best.
    """

    hands: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    firings: Counter[str] = field(default_factory=Counter)
    totals: Counter[int] = field(default_factory=Counter)
    several: int = 0
    asked: int = 0
    readings: Counter[str] = field(default_factory=Counter)
    readings_best: Counter[str] = field(default_factory=Counter)
    any_reading: int = 0
    any_reading_best: int = 0

    def add(self, score: Score) -> None:
        """Count one score."""
        fired = Counter(award.rule for award in score.best.fired)
        self.hands += 1
        self.outcomes[score.outcome] += 1
        self.firings.update(fired)
        self.rules.update(fired.keys())
        if score.total is not None:
            self.totals[score.total] += 1
        self.several += len(score.interpretations) > 1
        if score.readings is not None:
            changed = [effect.reading for effect in score.readings]
            moved = [effect.reading for effect in score.readings if effect.best_differs]
            self.asked += 1
            self.readings.update(changed)
            self.readings_best.update(moved)
            self.any_reading += bool(changed)
            self.any_reading_best += bool(moved)


@dataclass(slots=True)
class Summary:
    """Counts over many hands, by rule set; `compared` hands were scored under several.

    Of those `best_differs` have another best interpretation (sets, or how they are counted) under
    one rule set than under another, and `total_differs` another total.
    """

    hands: int = 0
    errors: int = 0
    rulesets: dict[str, RulesetSummary] = field(default_factory=dict)
    compared: int = 0
    best_differs: int = 0
    total_differs: int = 0

    def add(self, found: Score | Mapping[str, Score] | MjaspError) -> None:
        """Count one hand: its score, its scores by rule set, or its error."""
        self.hands += 1
        if isinstance(found, MjaspError):
            self.errors += 1
            return
        scores = [found] if isinstance(found, Score) else list(found.values())
        for score in scores:
            self.rulesets.setdefault(score.ruleset, RulesetSummary()).add(score)
        if len(scores) > 1:
            self.compared += 1
            self.best_differs += len({score.best.choices for score in scores}) > 1
            self.total_differs += len({score.total for score in scores}) > 1

    def merge(self, other: Summary) -> None:
        """Count the hands of another summary too."""
        for ruleset, tally in other.rulesets.items():
            _add_counts(self.rulesets.setdefault(ruleset, RulesetSummary()), tally)
        _add_counts(self, other)

    def to_dict(self) -> dict[str, Any]:
        """The summary as `mjasp/summary/1`."""
        from mjasp.render.summary import summary_dict

        return summary_dict(self)

    def to_markdown(self) -> str:
        """The summary as Markdown: tables."""
        from mjasp.render.summary import summary_markdown

        return summary_markdown(self)

    def to_html(self) -> str:
        """The summary as an HTML page that stands alone: tables and plots."""
        from mjasp.render.summary_page import summary_html

        return summary_html(self)


def summarise(found: Iterable[Score | Mapping[str, Score] | MjaspError]) -> Summary:
    """Counts over many hands, each a score, an error, or the scores of `compare`; read once.

    >>> import mjasp
    >>> hands = ["111b 222b 333b 45c 11d +3c", "123b 456b 789b 12c 55d", "9x"]
    >>> summary = summarise(mjasp.score_many(hands))
    >>> summary.hands, summary.errors, summary.rulesets["european-classical"].several
    (3, 1, 1)
    """
    summary = Summary()
    for each in found:
        summary.add(each)
    return summary


def _add_counts(total: Summary | RulesetSummary, more: Summary | RulesetSummary) -> None:
    """Add every number and counter of one value to those of another of its kind."""
    for name in type(total).__slots__:
        mine, theirs = getattr(total, name), getattr(more, name)
        if isinstance(mine, Counter):
            mine.update(theirs)
        elif isinstance(mine, int):
            setattr(total, name, mine + theirs)
