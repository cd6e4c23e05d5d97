"""From the texts of many hands to their records: reading, scoring and writing, a block at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mjasp.compiled.block import Blocks
from mjasp.compiled.found import Found
from mjasp.compiled.interpretations import TooLarge
from mjasp.compiled.layout import Hands
from mjasp.compiled.lines import Lines
from mjasp.compiled.records import Records

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mjasp.engine import Engine

__all__ = ["Block", "Bulk"]


@dataclass(frozen=True, slots=True)
class Block:
    """What is found of those texts that are plain: `which` of them, the hands as given, and that."""

    which: NDArray[np.int64]
    given: Hands
    found: Found


class Bulk:
    """Scores the texts of many hands as an engine does, where they are plain (see `Lines`).

    `waits` says whether anyone looks at them where no rule does. Raises NotEvaluable where the
    programs of the engine's rule set cannot be compiled.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lines = Lines(engine.seat, engine.round)
        self._blocks = Blocks(
            engine.interpreter,
            engine.readings,
            engine.limit,
            engine.cap,
            engine.interpreter.divisions,
        )

    def found(self, texts: Sequence[str], *, waits: bool) -> Block | None:
        """What is found of the plain ones among the texts; None where numbers are too large."""
        hands, plain = self._lines.read(texts)
        which = np.flatnonzero(plain)
        given = hands.take(which)
        try:
            return Block(which, given, self._blocks.found(given.resolved(), waits=waits))
        except TooLarge:
            return None

    def records(self, fields: Iterable[str] | None, notes: tuple[str, ...]) -> Records:
        """What writes the records: with these keys of a score, None for all, and these notes."""
        engine = self._engine
        return Records(
            engine.ruleset.id,
            engine.limit,
            limit_assumed=engine.limit_assumed,
            fields=fields,
            notes=notes,
        )
