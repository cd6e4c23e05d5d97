"""Our engine on arrays of hands: totals, awards and the best interpretation as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from bench.adapters import BlockAdapter

if TYPE_CHECKING:
    import mjasp

__all__ = ["load"]


def load(rules: str) -> BlockAdapter:
    """Arrays to arrays; waits are found where the rules ask for them."""
    import_module("numpy")  # or tell that it is missing
    from mjasp import encode, score_arrays

    def prepare(hands: Sequence[str]) -> mjasp.Hands:
        return encode(hands)

    score = partial(score_arrays, rules=rules)
    return BlockAdapter("arrays to arrays", prepare, score, times=20)
