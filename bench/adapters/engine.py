"""Our engine, one hand at a time: from text to a score with its trace, and the waits."""

from __future__ import annotations

from typing import Any

from bench.adapters import Adapter

__all__ = ["load", "made"]


def load(rules: str) -> Adapter:
    """Whichever revision of the package is found first, as it is by default."""
    return made(rules)


def made(rules: str, **settings: Any) -> Adapter:  # noqa: ANN401 - keywords of an Engine
    """An engine that is set so."""
    import mjasp

    engine = mjasp.Engine(rules, **settings)
    return Adapter("text to score, waits", lambda text: text, lambda text: engine.score(text).waits)
