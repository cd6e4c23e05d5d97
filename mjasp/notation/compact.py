"""The compact form: text to Hand."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from lark import Token, Tree

from mjasp.hand import Event, Hand, Kind, Meld, Source, kind_of
from mjasp.notation import compact_help
from mjasp.notation.draft import UNKNOWN, Draft
from mjasp.notation.language import Language
from mjasp.notation.scanner import Words
from mjasp.tiles import Tile, Wind, by_order

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LANGUAGE", "TILES", "WORDS", "add", "parse", "parse_at_once", "tiles_of"]

LANGUAGE = Language(
    grammar="compact",
    expected=compact_help.EXPECTED,
    slips=compact_help.SLIPS,
    meant=compact_help.meant,
    spelling=compact_help.SPELLING,
    example="111b 222b 333b 45c 11d +3c discard",
)
TILES = frozenset({"SUITED", "HONOURS", "BONUS", "UNICODE"})
"""The terminals that stand for tiles."""

_BY_CODE = {tile.value: tile for tile in Tile}
_BY_UNICODE = {tile.unicode: tile for tile in Tile}
# How many columns a tile takes where its own spelling does not tell.
_WIDTH = {"SUITED": 1, "UNICODE": 1}
_FACTS = {"won": "source"}


def parse(text: str) -> Hand:
    """The hand that a text in the compact form describes.

    Raises NotationError where the text cannot be read and HandError where no such hand can be on
    a table, each with all problems found, their places and the way out.

    >>> hand = parse("[444b] [234c] (1111c) 55b EE +5b wall seat:E")
    >>> str(hand.winning), [str(meld) for meld in hand.declared], hand.round
    ('5b', ['[444b]', '(1111c)', '[234c]'], None)
    """
    return WORDS.hand(text) or _hand(LANGUAGE.tree(text), text)


def parse_at_once(text: str) -> Hand | None:
    """The hand that a text describes, None where it is not in the compact form.

    Does not look for what was meant, and is quick. Raises HandError as `parse` does.
    """
    hand = WORDS.hand(text)
    if hand:
        return hand
    tree = LANGUAGE.tree_at_once(text)
    return None if tree is None else _hand(tree, text)


def _hand(tree: Tree[Token], text: str) -> Hand:
    draft = Draft()
    for node in tree.children:
        _add(draft, node)
    return draft.hand(text)


def tiles_of(token: Token) -> list[Tile]:
    """The tiles that a token names."""
    if token.type == "SUITED":
        return [_BY_CODE[rank + token[-1]] for rank in token[:-1]]
    if token.type == "HONOURS":
        return [_BY_CODE[code] for code in re.findall("Wh|.", token)]
    if token.type == "BONUS":
        return [_BY_CODE[token]]
    return [_BY_UNICODE[char] for char in token]


def add(draft: Draft, node: Token | Tree[Token], tiles_of: Callable[[Token], list[Tile]]) -> None:
    """Put what a node of the tree says into the draft."""
    if isinstance(node, Token):
        if node.type in TILES:
            draft.put(tiles_of(node), node, node, _WIDTH.get(node.type, 0))
        else:
            _state(draft, node)
        return
    tokens = [child for child in node.children if isinstance(child, Token)]
    first, last = tokens[0], tokens[-1]
    named = [(token, tiles_of(token)) for token in tokens if token.type in TILES]
    if node.data == "exposed" or node.data == "concealed":
        claimed = any(token.type == "CLAIMED" for token in tokens)
        tiles = [tile for _, some in named for tile in some]
        draft.lay_down(_meld(tiles, exposed=node.data == "exposed", claimed=claimed), first, last)
        for token, some in named:
            draft.spot(some, token, token, _WIDTH.get(token.type, 0))
    else:
        *before, (token, won) = named
        draft.win(won, [tile for _, some in before for tile in some], first, last)
        for other, some in before:
            draft.put(some, other, other, _WIDTH.get(other.type, 0))
        draft.spot(won, token, token, _WIDTH.get(token.type, 0))


def _state(draft: Draft, token: Token) -> None:
    """A fact, the name being that of Hand's field."""
    match token.type:
        case "EVENT":
            draft.happen(Event(token.lower()), token, token)
        case "SOURCE":
            draft.state("source", Source(token.lower()), token, token)
        case "UNKNOWN_TILE":
            draft.put_unknown(1, token, token)
        case "UNKNOWN":
            name = token[:-2].lower()
            draft.state(_FACTS.get(name, name), UNKNOWN, token, token)
        case "RULES":
            draft.state("rules", token.lower().partition(":")[2], token, token)
        case _:
            name, _, value = token.partition(":")
            draft.state(name.lower(), Wind(value), token, token)


def _meld(tiles: list[Tile], *, exposed: bool, claimed: bool) -> Meld:
    """The declared set. Tiles that make none are called a chow, and Hand refuses them."""
    tiles.sort(key=by_order)
    return Meld(kind_of(tiles) or Kind.CHOW, tuple(tiles), exposed, declared=True, claimed=claimed)


_add = partial(add, tiles_of=tiles_of)
WORDS = Words(LANGUAGE, _add)
"""The quick road of the compact form."""
