"""A phrase in words that names tiles: what it names, and what belongs to the phrase before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lark import Token, Tree

from mjasp.hand import Kind, kind_of
from mjasp.notation.vocabulary import state_named
from mjasp.notation.words_tiles import is_plural, tiles_of_group, tiles_of_set, tokens_of
from mjasp.tiles import Tile, by_order

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ANDS", "Item", "item_of"]

ANDS = ("and", "&")
"""The words that join the last of several things to the others."""

_PUNG = 3


@dataclass(slots=True)
class Item:
    """A set, or tiles that are called none; several sets where their kind is named once.

    `section` is the heading that it stands under. `plural` tells that sets of the same kind may
    follow, `open` that a comma does for them: the `and` before the last has not been said.
    """

    kind: Kind | None
    sets: list[list[Tile]]
    states: list[str]
    section: str | None
    first: Token
    last: Token
    plural: bool = False
    open: bool = False

    def extend(self) -> None:
        """Make a kong of a pung that was extended."""
        if kind_of(self.sets[0]) is Kind.PUNG:
            self.kind = Kind.KONG
            self.sets = [[*tiles, tiles[0]] for tiles in self.sets]

    def goes_on(self, tiles: Sequence[Tile], joint: str) -> bool:
        """Whether tiles are another set of several: `and reds` after `pungs of easts`."""
        if tiles[0].is_bonus or not self.plural or not (joint in ANDS or (self.open and joint)):
            return False
        return len(tiles) == 1 or kind_of(sorted(tiles, key=by_order)) is self.kind

    def grows(self, tiles: Sequence[Tile]) -> bool:
        """Whether tiles belong to what was laid down one by one: `exposed: east, east, east`."""
        if self.kind or self.states or self.section != "exposed":
            return False
        said = self.sets[0]
        if kind_of(sorted(said, key=by_order)) in {Kind.PUNG, Kind.CHOW}:
            return [*said, *tiles] == said[:1] * (_PUNG + 1)
        return len(tiles) == 1 and len(said) < _PUNG and not tiles[0].is_bonus


def item_of(node: Tree[Token], section: str | None, before: Item | None, joint: str) -> Item:
    """What a phrase names: `before` itself, grown, where it belongs to that.

    `joint` is what stands between the two, empty where they are apart. Raises Refused where the
    phrase names no tiles.
    """
    tokens = tokens_of(node)
    parts = [child for child in node.children if isinstance(child, Tree)]
    thing = next(part for part in parts if part.data != "marks")
    states = [state_named(mark) for part in parts if part is not thing for mark in tokens_of(part)]
    item = Item(None, [], states, section, tokens[0], tokens[-1])
    if thing.data == "set":
        item.kind, item.sets = tiles_of_set(thing)
        item.plural = any(token.type.startswith("SET") and is_plural(token) for token in tokens)
        item.open = not any(token.lower() in ANDS for token in tokens)
        return item
    tiles = [Tile.F4] if _is_flower(tokens, before, joint) else tiles_of_group(thing)
    counted = any(isinstance(part, Tree) and part.data == "ranks" for part in thing.children)
    is_counted = counted and tokens[-1].type in {"WIND", "DRAGON"}  # `one west` is no pair of them
    if before and not is_counted and before.goes_on(tiles, joint):
        before.sets.append(tiles * len(before.sets[0]) if len(tiles) == 1 else tiles)
        before.open = before.open and joint not in ANDS
    elif before and joint and not states and section == before.section and before.grows(tiles):
        before.sets[0] += tiles
    else:
        item.sets = [tiles]
        return item
    before.states += states
    before.last = tokens[-1]
    return before


def _is_flower(tokens: Sequence[Token], before: Item | None, joint: str) -> bool:
    """Whether the phrase is `bamboo` alone, which is a flower among flowers and else a suit."""
    if len(tokens) > 1 or tokens[0].lower() != "bamboo":
        return False
    among_them = bool(before and joint and before.sets[0][-1].is_bonus)
    return among_them or joint.startswith("flower")
