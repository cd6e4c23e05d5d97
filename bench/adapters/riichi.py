"""The PyPI package `mahjong`, which scores riichi hands: other rules, a far reference point."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.adapters import Adapter

__all__ = ["load"]

# Tiles, the winning one, melds and circumstances; of a losing hand, how many of each kind.
Prepared = tuple[list[int], int, list[Any], Any] | list[int]
_EAST = 27


def load(rules: str) -> Adapter:  # noqa: ARG001 - it has its own
    """Won hands to their value, losing ones to the number of tiles that they lack."""
    calculator = import_module("mahjong.hand_calculating.hand").HandCalculator
    shanten = import_module("mahjong.shanten").Shanten

    def score(prepared: Prepared) -> object:
        if isinstance(prepared, list):
            return shanten.calculate_shanten(prepared)
        tiles, winning, melds, config = prepared
        return calculator.estimate_hand_value(tiles, winning, melds, config=config)

    return Adapter("won: tiles to value; lost: to shanten", _prepare, score)


def _prepare(text: str) -> Prepared:
    import mjasp

    hand = mjasp.parse(text)
    numbers = _numbers()
    melds = [_meld(meld, [next(numbers[tile]) for tile in meld.tiles]) for meld in hand.declared]
    tiles = [next(numbers[tile]) for tile in hand.concealed]
    tiles += [number for meld in melds for number in meld.tiles]
    if hand.winning is None:
        counts = [0] * 34
        for number in tiles:
            counts[number // 4] += 1
        return counts
    winning = next(numbers[hand.winning])
    winds = list(mjasp.Wind)
    config = import_module("mahjong.hand_calculating.hand_config").HandConfig(
        is_tsumo=hand.source is mjasp.Source.WALL,
        player_wind=_EAST + winds.index(hand.seat or mjasp.Wind.EAST),
        round_wind=_EAST + winds.index(hand.round or mjasp.Wind.EAST),
    )
    return [*tiles, winning], winning, melds, config


def _meld(meld: Any, numbers: list[int]) -> Any:  # noqa: ANN401 - ours and theirs
    theirs = import_module("mahjong.meld").Meld
    kinds = {"chow": theirs.CHI, "pung": theirs.PON, "kong": theirs.KAN}
    return theirs(kinds[meld.kind.value], numbers, meld.exposed)


def _numbers() -> dict[Any, Any]:
    """The numbers of each kind's four tiles: characters, dots, bamboo, winds, dragons."""
    import mjasp

    order = [f"{rank}{suit}" for suit in "cdb" for rank in range(1, 10)]
    order += ["E", "S", "W", "N", "Wh", "G", "R"]
    return {mjasp.Tile(code): iter(range(4 * at, 4 * at + 4)) for at, code in enumerate(order)}
