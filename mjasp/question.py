"""The search for why a rule fired for a hand, or why it did not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from mjasp.changes import changed, smallest_first
from mjasp.derivation import Step
from mjasp.errors import HandError, Problem, RulesetError
from mjasp.hand import Hand
from mjasp.interpreter import Interpreter, Readings
from mjasp.reasons import Reasons
from mjasp.resources import languages
from mjasp.rulesets import Rule, Ruleset
from mjasp.scoring import Interpretation, Score
from mjasp.why import Change, Why, fires
from mjasp.words import Words

__all__ = ["Question", "named"]

_MOST_CANDIDATES = 24


def named(ruleset: Ruleset, name: str) -> Rule:
    """The rule of that id, or of that name in any language.

    Raises RulesetError, with the nearest ones, for none.
    """
    called: dict[str, Rule] = {}
    for language in languages():
        words = Words(language)
        called |= {words.rule_name(rule).casefold(): rule for rule in ruleset.rules}
    called |= {rule.name.casefold(): rule for rule in ruleset.rules}
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
        missed = not fires(self.rule, best)
        elsewhere = next((one for one in interpretations if fires(self.rule, one)), None)
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
            if outcome != "false-win" and fires(self.rule, interpretations[0]):
                return Change(what, hand)
        return None

    def _read_otherwise(self) -> Iterator[tuple[str, str]]:
        """The readings, each alone, under which the rule fires in the best interpretation."""
        for reading in self.interpreter.ruleset.readings:
            for value in (reading.default, *reading.alternatives):
                if value != self.readings[reading.id]:
                    readings = {**self.readings, reading.id: value}
                    outcome, interpretations = self.interpret(self.score.hand, readings)
                    if outcome == self.score.outcome and fires(self.rule, interpretations[0]):
                        yield reading.id, value
