"""What is measured: a module for each, whose `load` gives the way from a hand's text to a result.

`load` raises ImportError where the program is not installed. Nothing here imports this package
before it is asked to: the adapter of our own engine is also run on earlier revisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Adapter", "BlockAdapter"]


@dataclass(frozen=True, slots=True)
class Adapter:
    """A program that is given one hand at a time.

    `prepare` writes a hand as the program wants it, untimed; None for what it has no way to say.
    `score` is what is timed. Of the hands every `step`th is taken, and gone through `runs` times at
    most: less where the program is slow.
    """

    about: str
    prepare: Callable[[str], Any]
    score: Callable[[Any], object]
    step: int = 1
    runs: int = 3


@dataclass(frozen=True, slots=True)
class BlockAdapter:
    """A program that is given all hands at once.

    `prepare` writes them as the program wants them, untimed, and `score`, which is timed, does them
    all. The hands stand `times` times in what is timed, `runs` times: a block is to be as large as
    those of real work.
    """

    about: str
    prepare: Callable[[Sequence[str]], Any]
    score: Callable[[Any], object]
    times: int = 4
    runs: int = 5
