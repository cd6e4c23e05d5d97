"""The PyPI package `PyMahjongGB`, which scores Chinese official hands in C++: a far reference."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.adapters import Adapter

__all__ = ["load"]

_SUITS = {"b": "T", "c": "W", "d": "B"}
_HONOURS = {"E": "F1", "S": "F2", "W": "F3", "N": "F4", "R": "J1", "G": "J2", "Wh": "J3"}
_PACKS = {"chow": "CHI", "pung": "PENG", "kong": "GANG"}


def load(rules: str) -> Adapter:  # noqa: ARG001 - it has its own
    """Won hands to their fans, losing ones to the number of tiles that they lack."""
    package = import_module("MahjongGB")

    def score(prepared: tuple[Any, ...]) -> object:
        if len(prepared) == 2:
            return package.MahjongShanten(*prepared)
        try:
            return package.MahjongFanCalculator(*prepared)
        except TypeError:
            return None  # no win under its rules

    return Adapter("won: tiles to fans; lost: to shanten", _prepare, score)


def _prepare(text: str) -> tuple[Any, ...]:
    import mjasp

    hand = mjasp.parse(text)
    packs = tuple(
        (_PACKS[meld.kind.value], _code(meld.tiles[1]), 1 if meld.exposed else 0)
        for meld in hand.declared
    )
    tiles = tuple(map(_code, hand.concealed))
    if hand.winning is None:
        return packs, tiles
    winds = list(mjasp.Wind)
    drawn = hand.source in {mjasp.Source.WALL, mjasp.Source.LOOSE}
    about_kong = hand.source in {mjasp.Source.LOOSE, mjasp.Source.ROBBING}
    last = mjasp.Event.LAST_TILE in hand.events
    seat, round_ = hand.seat or mjasp.Wind.EAST, hand.round or mjasp.Wind.EAST
    told = (len(hand.bonus), drawn, False, about_kong, last)
    return packs, tiles, _code(hand.winning), *told, winds.index(seat), winds.index(round_)


def _code(tile: Any) -> str:  # noqa: ANN401 - a Tile of whichever revision is measured
    return _HONOURS.get(tile.value) or f"{_SUITS[tile.suit]}{tile.rank}"
