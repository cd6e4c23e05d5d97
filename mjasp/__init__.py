"""Scores hands of classical Mahjong and shows why: every division, every rule that fires.

>>> import mjasp
>>> mjasp.score("(1111c) 555b E [GGG] [234d] +E wall seat:E round:E").total
136
"""

from mjasp.api import compare, dispute, lesson, ruleset, rulesets, score, settle, waits, why
from mjasp.batch.many import score_many
from mjasp.deal import Customs, Deal
from mjasp.dispute import Dispute
from mjasp.engine import Engine
from mjasp.errors import DealError, GameError, HandError, MjaspError, NotationError, RulesetError
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
