"""The 42 tiles: names, order, drawings."""

from __future__ import annotations

import pickle
import unicodedata

import pytest

from mjasp.tiles import Tile, by_order, written

ORDER = (
    [f"{rank}{suit}" for suit in "bcd" for rank in range(1, 10)]
    + ["E", "S", "W", "N", "R", "G", "Wh"]
    + ["f1", "f2", "f3", "f4", "s1", "s2", "s3", "s4"]
)
# The names under which Unicode lists suits and bonus tiles.
UNICODE_WORDS = {"bamboo": "BAMBOOS", "characters": "CHARACTERS", "dots": "CIRCLES"}
DIGITS = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]


def test_all_tiles_in_their_order() -> None:
    backwards = list(Tile)[::-1]
    assert [tile.value for tile in Tile] == ORDER
    assert sorted(backwards, key=by_order) == list(Tile)
    assert sorted(backwards) == list(Tile)


@pytest.mark.parametrize("tile", Tile, ids=str)
def test_a_drawing_is_the_tile_of_that_name(tile: Tile) -> None:
    name = unicodedata.name(tile.unicode).removeprefix("MAHJONG TILE ")
    if tile.suit and tile.rank:
        suit = tile.name_in_words.split()[1]
        assert name == f"{DIGITS[tile.rank - 1]} OF {UNICODE_WORDS[suit]}"
    elif tile.is_bonus:
        assert name == tile.name_in_words.removesuffix(" flower").upper()
    else:
        assert name in {tile.name_in_words.upper(), f"{tile.name_in_words.upper()} WIND"}


@pytest.mark.parametrize("tile", Tile, ids=str)
def test_what_a_tile_is(tile: Tile) -> None:
    assert str(tile) == tile.value
    assert tile.is_bonus == (tile.value[0] in "fs")
    assert (tile.suit is None) == (tile.rank is None) == (tile.value not in ORDER[:27])
    assert pickle.loads(pickle.dumps(tile)) is tile  # noqa: S301 - our own


def test_digits_share_a_suit_letter() -> None:
    assert written(Tile) == "123456789b123456789c123456789dESWNRGWhf1f2f3f4s1s2s3s4"
    assert written([]) == ""
