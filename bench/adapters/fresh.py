"""The same encodings without grounding once: each hand's program is grounded and solved anew."""

from __future__ import annotations

from bench.adapters import Adapter

__all__ = ["load"]


def load(rules: str) -> Adapter:
    """The hand's input atoms as facts of a program of its own; parsing and waits are not timed."""
    import mjasp
    from mjasp.rulesets import texts
    from mjasp.solver import Program

    engine = mjasp.Engine(rules)
    program = texts("score", rules)

    def prepare(text: str) -> str:
        return "".join(f"{fact}. " for fact in engine.facts(text))

    def score(facts: str) -> object:
        return Program([*program, facts], lambda atom: atom).solve(())

    return Adapter("facts to models", prepare, score, step=10, runs=1)
