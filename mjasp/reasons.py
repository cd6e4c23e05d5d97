"""Why rules fire in one interpretation, and what keeps the others from it."""

from __future__ import annotations

from collections import defaultdict
from math import inf

from mjasp.derivation import Derivation, Step, name_of
from mjasp.hand import Hand, Kind
from mjasp.interpreter import Interpreter, Readings
from mjasp.models import Model
from mjasp.scoring import Interpretation

__all__ = ["Reasons"]

# How a rule meets its condition (base/firing.lp) is told by what it stands on.
_FOLDED = frozenset(
    {"counted_as", "counts", "fires", "ordinary", "part", "satisfied", "subject", "tied"}
)


class Reasons:
    """Reads off the ground program of a rule set what stands behind an interpretation of a hand."""

    def __init__(
        self,
        interpreter: Interpreter,
        hand: Hand,
        readings: Readings,
        interpretation: Interpretation,
    ) -> None:
        self._interpretation = interpretation
        ground, self._true = interpreter.truth(hand, readings, self._is_it)
        self._derivation = Derivation(ground, self._true, _FOLDED)
        self._firings: defaultdict[str, list[int]] = defaultdict(list)
        for atom, term in sorted(ground.terms.items()):
            if isinstance(term, tuple) and term[0] == "fires":
                self._firings[str(term[1])].append(atom)

    def _is_it(self, model: Model) -> bool:
        told = self._interpretation
        return (model.name, model.sets, model.fired) == (told.name, told.sets, told.fired)

    def fired(self, rule: str) -> tuple[Step, ...]:
        """Why a rule fires, for all that it fires for; nothing where it does not."""
        fired = self._true.intersection(self._firings[rule])
        steps = [step for atom in sorted(fired) for step in self._derivation.proof(atom)]
        steps.sort(key=lambda step: name_of(step.atom) != "holds")
        return tuple(dict.fromkeys(steps))

    def failed(self, rule: str) -> tuple[Step, ...]:
        """The conditions that keep a rule from firing, the nearest to holding first."""
        firings = self._firings[rule]
        if not firings:
            return ()
        failed = self._derivation.blame(min(firings, key=self._derivation.distance))
        # A rule that is not for such a hand, or not for a hand that is counted without its sets,
        # need not be held against it in any other way.
        whole = any(meld.kind is Kind.WHOLE_HAND for meld in self._interpretation.sets)
        decisive = {"in_scope", "counted_as"} if whole else {"in_scope"}
        alone = tuple(step for step in failed if name_of(step.atom) in decisive)
        return alone or _without_what_is_below(failed)

    def distance(self, rule: str) -> float:
        """How much would have to change for a rule to fire; infinite where nothing helps."""
        return min(map(self._derivation.distance, self._firings[rule]), default=inf)


def _without_what_is_below(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps but those that another of them stands on."""
    below = {under.atom for step in steps for each in step.because for under in each.walk()}
    return tuple(step for step in steps if step.atom not in below) or steps
