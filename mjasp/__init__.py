"""Scores hands of classical Mahjong and shows why: every division, every rule that fires.

>>> import mjasp
>>> mjasp.score("(1111c) 555b E [GGG] [234d] +E wall seat:E round:E").total
136
"""

from typing import TYPE_CHECKING

from mjasp.api import compare, dispute, lesson, ruleset, rulesets, score, settle, waits, why
from mjasp.batch.many import score_many
from mjasp.deal import Customs, Deal
from mjasp.dispute import Dispute
from mjasp.engine import Engine
from mjasp.errors import (
    DealError,
    GameError,
    HandError,
    MjaspError,
    NotationError,
    Problem,
    RulesetError,
)
from mjasp.hand import Event, Hand, Kind, Meld, Source
from mjasp.lesson import Lesson
from mjasp.models import Award
from mjasp.notation import parse
from mjasp.rulesets import Ruleset
from mjasp.scoring import Interpretation, Score
from mjasp.settlement import Settlement
from mjasp.summary import Summary, summarise
from mjasp.tiles import Tile, Wind
from mjasp.why import Why

if TYPE_CHECKING:
    from mjasp.compiled.arrays import Hands as Hands
    from mjasp.compiled.arrays import Scores as Scores
    from mjasp.compiled.arrays import encode as encode
    from mjasp.compiled.arrays import score_arrays as score_arrays

__version__ = "0.1.0"

__all__ = [
    "Award",
    "Customs",
    "Deal",
    "DealError",
    "Dispute",
    "Engine",
    "Event",
    "GameError",
    "Hand",
    "HandError",
    "Interpretation",
    "Kind",
    "Lesson",
    "Meld",
    "MjaspError",
    "NotationError",
    "Ruleset",
    "RulesetError",
    "Score",
    "Settlement",
    "Source",
    "Summary",
    "Tile",
    "Why",
    "Wind",
    "compare",
    "dispute",
    "lesson",
    "parse",
    "ruleset",
    "rulesets",
    "score",
    "score_many",
    "settle",
    "summarise",
    "waits",
    "why",
]

# What works on arrays needs numpy, which not everyone has: it is loaded when first asked for, and
# left out of `__all__`, of which everything is asked for at once.
_OF_ARRAYS = ("Hands", "Scores", "encode", "score_arrays")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _OF_ARRAYS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            from mjasp.compiled import arrays
        except ModuleNotFoundError as missing:
            if missing.name != "numpy":
                raise
            help_ = "install it with `pip install 'mjasp[batch]'`"
            message = f"mjasp.{name} needs numpy, which is not installed"
            raise MjaspError(Problem("missing-extra", message, help=help_)) from None
        return getattr(arrays, name)

    def __dir__() -> list[str]:
        # Whoever lists the module goes on to ask for each name.
        from importlib.util import find_spec

        return sorted((*globals(), *(_OF_ARRAYS if find_spec("numpy") else ())))
