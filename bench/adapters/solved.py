"""Our engine as clingo solves a hand at a time."""

from __future__ import annotations

from bench.adapters import Adapter, engine

__all__ = ["load"]


def load(rules: str) -> Adapter:
    """From text to a score with its trace, and the waits."""
    return engine.made(rules, engine="clingo")
