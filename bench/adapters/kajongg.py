"""KDE Kajongg's `Hand`, from the folder of its sources that KAJONGG_SRC names.

Its rule set is the German league's (`dmjl`) or the British one's (`bmja`). The modules of its
windows and translations are replaced by empty ones: a hand needs neither.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

from bench.adapters import Adapter

__all__ = ["load"]

_BONUS = re.compile(r"(?<= )[fy][a-z]{3,}")
_LAST = re.compile(r" L[a-z]")
_RULESETS = {"dmjl": "ClassicalChineseDMJL", "bmja": "ClassicalChineseBMJA"}


def load(rules: str) -> Adapter:
    """A hand string to its total and the waits; what is kept of other hands is emptied before."""
    folder = os.environ.get("KAJONGG_SRC")
    if not folder:
        raise ImportError("KAJONGG_SRC names no folder")
    if rules not in _RULESETS:
        raise ImportError(f"Kajongg has no rule set {rules}")
    _stand_in()
    sys.path.append(folder)
    names = ("hand", "intelligence", "permutations", "predefined", "wind")
    hand, intelligence, permutations, predefined, wind = map(import_module, names)
    ruleset = getattr(predefined, _RULESETS[rules])()
    ruleset.load()
    game = _Named(
        ruleset=ruleset, roundWind=wind.East, winner=None, moves=[], isScoringGame=lambda: False
    )
    player = _Named(
        game=game,
        wind=wind.East,
        mayWin=True,
        originalCall=False,
        intelligence=intelligence.AIDefaultAI(),
        cacheHits=0,
        cacheMisses=0,
        tileAvailable=lambda *_: 4,
    )

    def score(prepared: tuple[str, str, str]) -> object:
        text, seat, round_ = prepared
        player.wind, game.roundWind = wind.Wind(seat), wind.Wind(round_)
        player.handCache = {}
        permutations.Permutations.cache.clear()
        permutations.Permutations.permuteCache.clear()
        found = hand.Hand(player, text)
        waiting = found - found.lastTile if found.lastTile else found
        return found.total(), waiting.callingHands

    return Adapter("hand string to total, waits", _prepare, score)


def _prepare(text: str) -> tuple[str, str, str] | None:
    import mjasp
    from mjasp.notation.kajongg_writer import write

    given = mjasp.parse(text)
    seat, round_ = given.seat or mjasp.Wind.EAST, given.round or mjasp.Wind.EAST
    try:
        said = write(replace(given, seat=None, round=None))
    except mjasp.NotationError:
        return None
    # Flowers and seasons stand apart, and the last tile among the concealed ones, however it came.
    said = _BONUS.sub(lambda tiles: " ".join(re.findall("..", tiles[0])), said)
    return _LAST.sub(lambda last: last[0].upper(), said), seat.value, round_.value


def _stand_in() -> None:
    for name in ("qt", "dialogs"):
        sys.modules[name] = _Anything(name)
    words: Any = ModuleType("mi18n")
    words.i18n = words.i18nE = words.english = lambda text, *_: text
    words.i18nc = words.i18ncE = lambda _, text, *__: text
    sys.modules["mi18n"] = words


class _Named(SimpleNamespace):
    """Attributes by name, of something that can be referred to weakly, as Kajongg does."""


class _Anything(ModuleType):
    """A module that has whatever is imported from it."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})
