"""Scores hands of classical Mahjong and shows why: every division, every rule that fires.

>>> import mjasp
>>> mjasp.score("(1111c) 555b E [GGG] [234d] +E wall seat:E round:E").total
136
"""

from mjasp.api import compare, ruleset, rulesets, score, waits
from mjasp.engine import Engine
from mjasp.errors import HandError, MjaspError, NotationError, RulesetError
from mjasp.hand import Event, Hand, Kind, Meld, Source
from mjasp.models import Award
from mjasp.notation import parse
from mjasp.rulesets import Ruleset
from mjasp.scoring import Interpretation, Score
from mjasp.tiles import Tile, Wind

__version__ = "0.1.0"

__all__ = [
    "Award",
    "Engine",
    "Event",
    "Hand",
    "HandError",
    "Interpretation",
    "Kind",
    "Meld",
    "MjaspError",
    "NotationError",
    "Ruleset",
    "RulesetError",
    "Score",
    "Source",
    "Tile",
    "Wind",
    "compare",
    "parse",
    "ruleset",
    "rulesets",
    "score",
    "waits",
]
