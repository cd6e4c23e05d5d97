"""From the texts of many hands to their records: read, scored and written a block at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    """What is found of the texts that are plain: which those are, the hands as given, and that."""

    which: NDArray[np.int64]
    given: Hands
    found: Found


class Bulk:
    """Scores the texts of many hands as an engine does, where they are plain (see `Lines`).

    Raises NotEvaluable where the programs of the engine's rule set cannot be compiled.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._records: dict[object, Records] = {}
        self._lines = Lines(engine.seat, engine.round)
        self.blocks = Blocks(
            engine.interpreter,
            engine.readings,
            engine.limit,
            engine.cap,
            engine.interpreter.divisions,
        )

    def found(self, texts: Sequence[str], *, waits: bool) -> Block | None:
        """What is found of the plain ones among the texts; None where numbers are too large.

        `waits` says whether anyone looks at them where no rule does.
        """
        hands, plain = self._lines.read(texts)
        which = np.flatnonzero(plain)
        given = hands.take(which)
        try:
            return Block(which, given, self.blocks.found(given.resolved(), waits=waits))
        except TooLarge:
            return None

    def records(self, fields: Sequence[str] | None, notes: tuple[str, ...]) -> Records:
        """What writes the records: with these keys of a score, None for all, and these notes."""
        key = None if fields is None else tuple(fields), notes
        if key not in self._records:
            engine = self._engine
            self._records[key] = Records(
                engine.ruleset.id,
                engine.limit,
                limit_assumed=engine.limit_assumed,
                fields=fields,
                notes=notes,
            )
        return self._records[key]

    def flush(self) -> None:
        """Keep the divisions that are new on the disk."""
        self.blocks.flush()
