"""What keeps rules from firing in one interpretation."""

from __future__ import annotations

from collections import defaultdict
from math import inf

from mjasp.derivation import Derivation, Step, name_of
from mjasp.solver import Ground

__all__ = ["Failures"]

# How a rule meets its condition (base/firing.lp) is told by what it stands on.
_FOLDED = frozenset(
    {"counted_as", "counts", "fires", "ordinary", "part", "satisfied", "subject", "tied"}
)


class Failures:
    """Reads off the ground program what failed; `true` are the atoms of the interpretation."""

    def __init__(self, ground: Ground, true: frozenset[int]) -> None:
        self._derivation = Derivation(ground, true, _FOLDED)
        self._firings: defaultdict[str, list[int]] = defaultdict(list)
        for atom, term in sorted(ground.terms.items()):
            if isinstance(term, tuple) and term[0] == "fires":
                self._firings[str(term[1])].append(atom)

    def distance(self, rule: str) -> float:
        """How much would have to change for the rule to fire; infinite where nothing helps."""
        return min(map(self._derivation.distance, self._firings[rule]), default=inf)

    def failed(self, rule: str) -> tuple[Step, ...]:
        """The conditions that failed, the nearest to holding first."""
        firings = self._firings[rule]
        if not firings:
            return ()
        failed = self._derivation.blame(min(firings, key=self._derivation.distance))
        # A rule that is not for such a hand need not be held against it.
        return tuple(step for step in failed if name_of(step.atom) == "in_scope") or failed
