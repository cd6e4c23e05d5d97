"""The divider in plain Python that the tests hold the encodings against."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from bench.adapters import Adapter

__all__ = ["load"]


def load(rules: str) -> Adapter:  # noqa: ARG001 - a division is the same under all rule sets
    """Every division of the concealed tiles; no rule is applied and no waits are searched."""
    sys.path.append(str(Path(__file__).parents[2] / "tests"))
    import mjasp

    divisions = import_module("oracle").divisions

    def prepare(text: str) -> list[mjasp.Tile]:
        hand = mjasp.parse(text)
        return [*hand.concealed, *([hand.winning] if hand.winning else [])]

    return Adapter("tiles to divisions", prepare, divisions)
