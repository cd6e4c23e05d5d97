"""Why a rule fired for a hand, or why it did not: the tree that every format renders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from json import dumps
from typing import Any, Literal

from mjasp.changes import changed, smallest_first
from mjasp.derivation import Step
from mjasp.errors import HandError, Problem, RulesetError
from mjasp.hand import Hand
from mjasp.interpreter import Interpreter, Readings
from mjasp.reasons import Reasons
from mjasp.rulesets import Rule, Ruleset
from mjasp.scoring import Interpretation, Score
from mjasp.solver import Term

__all__ = ["Change", "Question", "Why", "named"]

_MOST_CANDIDATES = 24


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that could be otherwise, and the hand in which it is."""

    what: Term
    hand: Hand


@dataclass(frozen=True, slots=True)
class Why:
    """Why a rule fired in the best interpretation of a hand, or why it did not.

    `because` is a derivation of what fired, or the conditions that failed, the nearest to holding
    first, each with what made it fail. `elsewhere` is the best interpretation in which the rule
    does fire; `change` the smallest change of one tile or one fact with which it fires in the best
    one; `readings` are (reading, value) pairs under which it does. `held` is the hand that the
    interpretation is of: a false win's is without its winning tile.
    """

    score: Score
    held: Hand
    ruleset: Ruleset
    rule: Rule
    because: tuple[Step, ...]
    elsewhere: Interpretation | None
    change: Change | None
    readings: tuple[tuple[str, str], ...]
    described: Mapping[str, str]

    @property
    def fired(self) -> bool:
        """Whether the rule fired in the best interpretation."""
        return _fires(self.rule, self.score.best)

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """The explanation as `mjasp/why/1`, its sentences in a language."""
        from mjasp.render.why import why_dict

        return why_dict(self, language)

    def explain(
        self,
        format: Literal["text", "json", "markdown", "html"] = "text",
        language: str = "en",
    ) -> str:
        """The explanation in a format. Raises ValueError where there is no such format."""
        if format == "json":
            return dumps(self.to_dict(language), indent=2)
        from mjasp.render import rendered
        from mjasp.render.why import why_document

        return rendered(why_document(self, language), format)

    def _repr_html_(self) -> str:
        """The explanation for a notebook."""
        from mjasp.render.html import part_of
        from mjasp.render.why import why_document

        return part_of(why_document(self))


def named(ruleset: Ruleset, name: str) -> Rule:
    """The rule of that id or name. Raises RulesetError, with the nearest ones, for none."""
    called = {rule.name.casefold(): rule for rule in ruleset.rules}
    called |= {rule.id: rule for rule in ruleset.rules}
    wanted = name.strip().casefold()
    found = called.get(wanted) or called.get(wanted.replace(" ", "_").replace("-", "_"))
    if found:
        return found
    close = get_close_matches(wanted, called, n=6, cutoff=0.5)
    nearest = list(dict.fromkeys(called[each].id for each in close))[:3]
    help_ = f"`mjasp rules {ruleset.id}` lists all"
    if nearest:
        help_ = f"did you mean {' or '.join(nearest)}? {help_}"
    raise RulesetError(
        Problem("unknown-rule", f"there is no rule {name!r} in {ruleset.id}", help=help_)
    )


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a score: its rule, and the means to find the answer.

    `held` is the hand that was interpreted; `interpret` tells the outcome and the interpretations
    of another hand, or of the same under other readings.
    """

    score: Score
    held: Hand
    rule: Rule
    interpreter: Interpreter
    readings: Readings
    interpret: Callable[[Hand, Readings], tuple[str, Sequence[Interpretation]]]

    def answer(self) -> Why:
        """Why the rule fired in the best interpretation, or why it did not."""
        best, interpretations = self.score.best, self.score.interpretations
        missed = not _fires(self.rule, best)
        elsewhere = next((one for one in interpretations if _fires(self.rule, one)), None)
        return Why(
            score=self.score,
            held=self.held,
            ruleset=self.interpreter.ruleset,
            rule=self.rule,
            because=self._because(),
            elsewhere=elsewhere if missed else None,
            change=self._change() if missed else None,
            readings=tuple(self._read_otherwise()) if missed else (),
            described=self.interpreter.described,
        )

    def _because(self) -> tuple[Step, ...]:
        reasons = Reasons(self.interpreter, self.held, self.readings, self.score.best)
        return reasons.fired(self.rule.id) or reasons.failed(self.rule.id)

    def _change(self) -> Change | None:
        """The first change with which the rule fires in the best interpretation."""
        found = self.interpreter.changes(self.score.hand, self.readings, self.rule.id)
        for what in smallest_first(found)[:_MOST_CANDIDATES]:
            try:
                hand = changed(self.score.given, what)
                resolved, _ = hand.resolved()
            except HandError:
                continue
            outcome, interpretations = self.interpret(resolved, self.readings)
            if outcome != "false-win" and _fires(self.rule, interpretations[0]):
                return Change(what, hand)
        return None

    def _read_otherwise(self) -> Iterator[tuple[str, str]]:
        """The readings, each alone, under which the rule fires in the best interpretation."""
        for reading in self.interpreter.ruleset.readings:
            for value in (reading.default, *reading.alternatives):
                if value != self.readings[reading.id]:
                    readings = {**self.readings, reading.id: value}
                    outcome, interpretations = self.interpret(self.score.hand, readings)
                    if outcome == self.score.outcome and _fires(self.rule, interpretations[0]):
                        yield reading.id, value


def _fires(rule: Rule, interpretation: Interpretation) -> bool:
    return any(award.rule == rule.id for award in interpretation.fired)
