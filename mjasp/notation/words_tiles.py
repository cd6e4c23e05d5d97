"""Tiles and sets in words: what `three red dragons` or `pung of 2 bamboo` names."""

from __future__ import annotations

from lark import Token, Tree

from mjasp.hand import Kind, kind_of
from mjasp.notation import compact
from mjasp.notation.vocabulary import BONUS, all_of, kind_named, number_of, suit_of, tile_named
from mjasp.tiles import Tile, by_order

__all__ = ["Refused", "is_plural", "tiles_of_group", "tiles_of_set", "tokens_of"]

_NUMBERS = frozenset({"DIGITS", "NUMBER", "RANKS"})


class Refused(Exception):  # noqa: N818 - told to the reader as a problem at its place
    """A phrase that is read but names no tiles; the reader knows its place."""

    def __init__(self, code: str, message: str, way_out: str) -> None:
        super().__init__(message)
        self.code, self.message, self.way_out = code, message, way_out


def tiles_of_set(node: Tree[Token]) -> tuple[Kind, list[list[Tile]]]:
    """The kind that is named, and the tiles of the set; of several for `pungs of 2 and 3 dots`."""
    word = next(each for each in node.children if isinstance(each, Token) and each.type != "SUIT")
    kind, size = kind_named(word)
    group = next((each for each in node.children if _is(each, "group")), None)
    numbers = [token for token in tokens_of(node) if token.type in _NUMBERS | _JOINS]
    if isinstance(group, Tree):
        tiles = tiles_of_group(group)
    else:
        tiles = _suited(numbers, next(token for token in tokens_of(node) if token.type == "SUIT"))
    if kind is Kind.CHOW:
        return kind, [_chow(tiles, numbers)]
    if len(tiles) == 1:
        return kind, [tiles * size]
    if len(set(tiles)) == len(tiles) and is_plural(word):
        return kind, [[tile] * size for tile in tiles]
    if len(set(tiles)) > 1 or len(tiles) != size:
        raise Refused(
            "no-meld",
            f"a {kind.value} is {size} tiles alike, and {len(tiles)} tiles are named",
            f"name the tile once, as in `{kind.value} of 2 bamboo`",
        )
    return kind, [tiles]


def is_plural(word: str) -> bool:
    """Whether a word for a set means several, such as `pungs of`."""
    said = word.rstrip(": ").lower().split()[0]
    return said.endswith("s") and said != "eyes"


def tiles_of_group(node: Tree[Token]) -> list[Tile]:
    """The tiles that are named, flowers and seasons too."""
    times = next((each for each in node.children if _is(each, "times")), None)
    tokens = [token for child in node.children if child is not times for token in tokens_of(child)]
    thing = next(token for token in tokens if token.type not in _NUMBERS | _JOINS)
    numbers = [token for token in tokens if token.type in _NUMBERS | _JOINS]
    tiles = _named(thing, numbers)
    if isinstance(times, Tree):
        tiles *= number_of(tokens_of(times)[-1]) or 1
    return tiles


_JOINS = frozenset({"COMMA", "AND", "LISTED", "JOIN", "TO", "COLON", "TIMES"})


def _named(thing: Token, numbers: list[Token]) -> list[Tile]:
    if thing.type == "SUIT":
        if not numbers:
            message = f"`{thing}` is a suit, and no tile without its rank"
            raise Refused("no-such-tile", message, f"say which, as in `5 {thing}`")
        return _suited(numbers, thing)
    if thing.type == "BONUS_KIND":
        return _bonus(thing, numbers)
    if thing.type == "ALL":
        tiles = all_of(thing)
    else:
        tiles = compact.tiles_of(thing) if thing.type in compact.TILES else [tile_named(thing)]
    if not numbers:
        return tiles
    if thing.type == "SUITED" and len(tiles) == 1 and numbers[-1].type not in _NUMBERS:
        ranks = [rank for token in numbers if token.type in _NUMBERS for rank in _ranks(token)]
        return [*(Tile(f"{rank}{thing[-1]}") for rank in ranks), *tiles]
    counts = [number_of(token) for token in numbers if token.type in _NUMBERS]
    if len(counts) != 1 or not counts[0] or len(set(tiles)) > 1:
        message = f"`{thing}` stands after several numbers"
        raise Refused("no-suit", message, "put the suit after its numbers, as in `2 3 4 bamboo`")
    return tiles * counts[0]


def _suited(numbers: list[Token], suit: Token) -> list[Tile]:
    """Ranks of a suit: a list, a range, or a count and a rank, as in `three 5 bamboo`."""
    letter = suit_of(suit)
    ranks = [rank for token in numbers if token.type in _NUMBERS for rank in _ranks(token)]
    if len(numbers) == 2 and len(ranks) == 2:
        count, rank = numbers
        if rank.type == "RANKS" or (count.type == "NUMBER" and rank.type == "DIGITS"):
            ranks = [ranks[1]] * ranks[0]
    elif len(numbers) == 3 and numbers[1].type == "TIMES" and len(ranks) == 2:
        ranks = [ranks[1]] * ranks[0]
    elif len(numbers) == 3 and numbers[1].type == "TO" and len(ranks) == 2:
        ranks = list(range(min(ranks), max(ranks) + 1))
    return [Tile(f"{rank}{letter}") for rank in ranks]


def _ranks(token: Token) -> list[int]:
    if token.type == "DIGITS":
        return [int(digit) for digit in token]
    number = number_of(token)
    assert number
    return [number]


def _bonus(kind: Token, numbers: list[Token]) -> list[Tile]:
    """Flowers or seasons by number."""
    letter = kind[0].lower()
    ranks = [rank for token in numbers if token.type in _NUMBERS for rank in _ranks(token)]
    if any(rank > BONUS for rank in ranks):
        message = f"there are four {'flowers' if letter == 'f' else 'seasons'}"
        raise Refused("no-such-tile", message, "they are numbered 1 to 4, from East to North")
    return [Tile(f"{letter}{rank}") for rank in ranks]


def _chow(tiles: list[Tile], numbers: list[Token]) -> list[Tile]:
    """The three tiles; `chow 2-4 dots` names the first and the last."""
    if len(tiles) == 2 and any(token.type == "JOIN" for token in numbers):
        first, last = sorted(tiles, key=by_order)
        if first.suit == last.suit and last.order - first.order == 2:
            middle = next(tile for tile in Tile if tile.order == first.order + 1)
            tiles = [first, middle, last]
    if kind_of(sorted(tiles, key=by_order)) is not Kind.CHOW:
        raise Refused(
            "no-meld",
            "a chow is three tiles of one suit in a row",
            "name all three, as in `chow 2 3 4 bamboo`",
        )
    return tiles


def _is(node: Token | Tree[Token], name: str) -> bool:
    return isinstance(node, Tree) and node.data == name


def tokens_of(node: Token | Tree[Token]) -> list[Token]:
    """The tokens of a phrase, in the order of the text."""
    if isinstance(node, Token):
        return [node]
    return [token for child in node.children for token in tokens_of(child)]
