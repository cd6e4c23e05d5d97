"""Our engine on arrays of hands: totals, awards and the best interpretation as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from bench.adapters import BlockAdapter

__all__ = ["load"]


def load(rules: str) -> BlockAdapter:
    """Arrays to arrays; waits are found where the rules ask for them."""
    package = import_module("mjasp")
    if not hasattr(package, "score_arrays"):
        raise ImportError("this revision takes no arrays")
    encode, score_arrays = package.encode, package.score_arrays

    def prepare(hands: Sequence[str]) -> Any:  # noqa: ANN401 - arrays of a module with an extra
        return encode(hands)

    return BlockAdapter("arrays to arrays", prepare, lambda hands: score_arrays(hands, rules))
