"""A hand in words: text to Hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lark import Token, Tree

from mjasp.hand import Event, Hand, Kind, Meld, Source, kind_of
from mjasp.notation import compact
from mjasp.notation.draft import UNKNOWN, Draft
from mjasp.notation.vocabulary import (
    LANGUAGE,
    kind_named,
    number_of,
    ruleset_named,
    state_named,
    wind_of,
)
from mjasp.notation.words_items import Item, item_of
from mjasp.notation.words_tiles import Refused, tiles_of_group, tiles_of_set, tokens_of
from mjasp.tiles import Tile, by_order

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["parse"]

Node = Token | Tree[Token]

_SOURCES = {
    "WALL": Source.WALL,
    "DISCARD": Source.DISCARD,
    "LOOSE": Source.LOOSE,
    "ROBBING": Source.ROBBING,
}
_EVENTS: dict[str, tuple[Event, Source | None]] = {
    "LAST_TILE": (Event.LAST_TILE, None),
    "LAST_OF_WALL": (Event.LAST_TILE, Source.WALL),
    "LAST_DISCARD": (Event.LAST_TILE, Source.DISCARD),
    "FIRST_TURN": (Event.FIRST_TURN, None),
    "FIRST_DISCARD": (Event.FIRST_TURN, Source.DISCARD),
    "ORIGINAL_CALL": (Event.ORIGINAL_CALL, None),
    "KONG_ON_KONG": (Event.KONG_ON_KONG, None),
    "FISHING": (Event.FISHING, None),
}
_SECTIONS = {"EXPOSED_HERE": "exposed", "CONCEALED_HERE": "concealed", "HAND_HERE": None}
_KONGS = (
    "say `concealed kong` if drawn by the player alone, `claimed kong` if a discard was claimed \
onto three in hand, `exposed kong` if a pung was extended or nobody knows"
)


def parse(text: str) -> Hand:
    """The hand that a text in words describes; compact tiles and sets may stand in it.

    Raises NotationError where the text cannot be read and HandError where no such hand can be.

    >>> hand = parse("exposed: pung of 4 bamboo, chow 2 3 4 characters; concealed: kong of 1 "
    ...     "characters, 5 5 bamboo, pair of easts; won on 5 bamboo from the wall; seat east")
    >>> str(hand.winning), [str(meld) for meld in hand.declared], hand.source
    ('5b', ['[444b]', '(1111c)', '[234c]'], <Source.WALL: 'wall'>)
    """
    return _Reader(text).read()


@dataclass(slots=True)
class _Reader:
    """Takes the phrases one by one; what was said last may still be told exposed or concealed."""

    text: str
    draft: Draft = field(default_factory=Draft)
    section: str | None = None
    pending: Item | None = None
    won: Token | None = None
    lost: Token | None = None
    completed: Tree[Token] | None = None
    last_of_wall: Token | None = None
    drawn: Item | None = None
    before: Node | None = None
    joint: str = ""

    def read(self) -> Hand:
        """All phrases in order, then what is known only at the end."""
        for node in LANGUAGE.tree(self.text).children:
            self._take(node)
            self.before = node
            self._join(node)
        self._settle()
        if self.last_of_wall and "source" not in self.draft.facts:
            token = self.last_of_wall
            self.draft.state("source", Source.WALL, token, token)
        if self.completed is not None:
            self._complete(self.completed)
        if self.won and not self.draft.winning and not self.draft.problems:
            way_out = "name the tile, as in `won on 5 bamboo`"
            self._refuse("no-winning-tile", "the hand won on a tile that is not named", way_out,
                         self.won, self.won)  # fmt: skip
        if self.lost and self.draft.winning:
            message = f"`{self.lost}` contradicts the winning tile"
            self._refuse("contradiction", message, "leave out one of the two", self.lost, self.lost)
        return self.draft.hand(self.text)

    def _join(self, node: Node) -> None:
        """Note what stands between the item that was said last and what comes next."""
        if isinstance(node, Tree):
            names_tiles = node.data in {"item", "bracketed"}
            self.joint = " " if names_tiles else self.joint * (node.data == "marks")
        elif node.type == "BONUS_KIND":
            self.joint = node.lower()
        else:
            joins = self.joint and node.type in {"COMMA", "AND", "LISTED"}
            self.joint = f"{self.joint}{node}".strip().lower() if joins else ""

    def _take(self, node: Node) -> None:
        if isinstance(node, Token):
            self._take_token(node)
            return
        takes: dict[str, Callable[[Tree[Token]], None]] = {
            "item": self._take_item,
            "bracketed": self._take_bracketed,
            "marks": self._take_marks,
            "heading": self._take_heading,
            "won": self._take_won,
            "plus": self._take_plus,
            "completing": self._take_completing,
            "unknown": self._take_unknown,
            "came": self._take_came,
            "event": self._take_event,
            "seat": self._take_wind,
            "round": self._take_wind,
        }
        if node.data in {"exposed", "concealed", "completed"}:
            self._settle()
            compact.add(self.draft, node, compact.tiles_of)
        else:
            takes[node.data](node)

    def _take_token(self, token: Token) -> None:
        if token.type == "RULES":
            self._settle()
            self.section = None
            self.draft.state("rules", ruleset_named(token), token, token)
        elif token.type == "NOT_WON":
            self.lost = token
        elif token.type == "TO_WIN":
            self._win_with_pending(token)

    def _win_with_pending(self, token: Token) -> None:
        """What was said last is the winning tile: `5 bamboo to win`."""
        item, self.pending = self.pending, None
        self.won = self.won or token
        if item and item.kind is None:
            self._win(item.sets[0], item.first, item.last)
            if "claimed" in item.states:
                self.draft.state("source", Source.DISCARD, item.first, item.first)

    def _win(self, tiles: list[Tile], first: Token, last: Token) -> None:
        self.draft.spot(tiles, first, last, -1)
        self.draft.win(tiles, [], first, last)

    def _take_item(self, node: Tree[Token]) -> None:
        tokens = tokens_of(node)
        try:
            item = item_of(node, self.section, self.pending, self.joint)
        except Refused as refused:
            self._settle()
            self._refuse(refused.code, refused.message, refused.way_out, tokens[0], tokens[-1])
            return
        if item is self.pending:
            return
        wins = self.won and item.kind is None and item.states in ([], ["claimed"])
        if wins:
            self.drawn = None
        self._settle()
        if wins and not self.draft.winning:
            self._win(item.sets[0], item.first, item.last)
            if item.states:
                self.draft.state("source", Source.DISCARD, item.first, item.last)
            return
        if not item.states:
            self._refuse_between()
        self.pending = item

    def _take_bracketed(self, node: Tree[Token]) -> None:
        """A set in brackets: square ones say that it was laid down, round ones nothing."""
        opening, item, _ = node.children
        assert isinstance(item, Tree)
        self._settle()
        self._take_item(item)
        if opening == "[" and self.pending and not self.pending.states:
            self.pending.states = ["exposed"]

    def _refuse_between(self) -> None:
        """A state between two sets, with no comma, could be said of either."""
        if not _is(self.before, "item"):
            return
        assert isinstance(self.before, Tree)
        (*_, last) = self.before.children
        if _is(last, "marks") and not tokens_of(last)[0].startswith("("):
            first, *_, end = (*tokens_of(last), tokens_of(last)[-1])
            message = f"`{first}` stands between two sets, and could be said of either"
            self._refuse("two-states", message, "put a comma where a set ends", first, end)

    def _take_marks(self, node: Tree[Token]) -> None:
        """A state that stands alone: it is said of the set before it."""
        tokens = tokens_of(node)
        states = [state_named(token) for token in tokens]
        if self.pending:
            self.pending.states += states
        elif self.draft.winning and states == ["claimed"]:
            self.draft.state("source", Source.DISCARD, tokens[0], tokens[-1])
        else:
            message = f"`{tokens[0]}` is said of no set"
            way_out = "put it before or after its set, or write `exposed:` before several"
            self._refuse("stray-state", message, way_out, tokens[0], tokens[-1])

    def _take_heading(self, node: Tree[Token]) -> None:
        self._settle()
        self.section = _SECTIONS[tokens_of(node)[0].type]
        if not self.draft.winning:
            self.won = None

    def _take_won(self, node: Tree[Token]) -> None:
        if isinstance(self.before, Token) and self.before.type == "AND":
            # `I drew the 6 of bamboo and won`, unless a tile follows.
            self.drawn = self.pending
        else:
            self._settle()
        self.section = None
        self.won = tokens_of(node)[0]

    def _take_plus(self, node: Tree[Token]) -> None:
        tokens = tokens_of(node)
        self._settle()
        group = node.children[-1]
        assert isinstance(group, Tree)
        try:
            tiles = tiles_of_group(group)
        except Refused as refused:
            self._refuse(refused.code, refused.message, refused.way_out, tokens[0], tokens[-1])
            return
        self.draft.spot(tiles, tokens[1], tokens[-1], -1)
        self.draft.win(tiles, [], tokens[0], tokens[-1])

    def _take_completing(self, node: Tree[Token]) -> None:
        self.completed = node

    def _take_unknown(self, node: Tree[Token]) -> None:
        tokens = tokens_of(node)
        self._settle()
        numbers = [number for token in tokens if (number := number_of(token))]
        count = numbers[0] if len(numbers) == 1 else 1
        self.draft.put_unknown(count, tokens[0], tokens[-1])

    def _take_came(self, node: Tree[Token]) -> None:
        tokens = tokens_of(node)
        came = _SOURCES.get(tokens[0].type)
        self.draft.state("source", came or UNKNOWN, tokens[0], tokens[-1])

    def _take_event(self, node: Tree[Token]) -> None:
        tokens = tokens_of(node)
        event, source = _EVENTS[tokens[0].type]
        if tokens[0].lower().endswith("wall"):
            self.last_of_wall = tokens[0]
        if len(tokens) > 1:
            self.draft.state("last-tile", UNKNOWN, tokens[0], tokens[-1])
            return
        self.draft.happen(event, tokens[0], tokens[0])
        if source:
            self.draft.state("source", source, tokens[0], tokens[0])

    def _take_wind(self, node: Tree[Token]) -> None:
        """Seat or round."""
        tokens = tokens_of(node)
        self._settle()
        self.section = None
        wind = wind_of(tokens[-1])
        if wind is None and tokens[-1].type not in {"UNKNOWN", "UNKNOWN_TILE"}:
            message = f"`{tokens[-1]}` is more than one wind"
            self._refuse("no-such-wind", message, f"name one, as in `{node.data} east`",
                         tokens[0], tokens[-1])  # fmt: skip
            return
        self.draft.state(node.data, wind or UNKNOWN, tokens[0], tokens[-1])

    # ---- What was said last

    def _settle(self) -> None:
        """Put what was said last where its state, or the section that it stands in, says."""
        item, self.pending = self.pending, None
        if item is None:
            return
        if item is self.drawn and item.kind is None and not self.draft.winning:
            self._win(item.sets[0], item.first, item.last)
            return
        states = set(item.states)
        if "concealed" in states and states & {"exposed", "claimed"}:
            message = f"`{self._words(item)}` is said to be concealed and exposed"
            self._refuse(
                "contradiction", message, "leave out one of the two", item.first, item.last
            )
            return
        state = next((each for each in ("claimed", "exposed", "concealed") if each in states), None)
        if state is None and "declared" in states and item.kind is not Kind.KONG:
            state = "exposed"
        if "extended" in states:
            state = "exposed"
            item.extend()
        for tiles in item.sets:
            self._put(item, tiles, state or item.section)

    def _put(self, item: Item, tiles: list[Tile], state: str | None) -> None:
        draft, first, last = self.draft, item.first, item.last
        kind = item.kind
        if kind is Kind.KONG and state is None:
            message = f"`{self._words(item)}` does not say how the kong was made"
            self._refuse("unmarked-kong", message, _KONGS, first, last)
        elif state in {"exposed", "claimed"} and not all(tile.is_bonus for tile in tiles):
            tiles.sort(key=by_order)
            kind = kind or kind_of(tiles) or Kind.CHOW
            claimed = state == "claimed" and kind is Kind.KONG
            meld = Meld(kind, tuple(tiles), exposed=True, declared=True, claimed=claimed)
            draft.lay_down(meld, first, last)
            draft.spot(tiles, first, last, -1)
        elif kind is Kind.KONG:
            draft.lay_down(Meld(kind, tuple(tiles), declared=True), first, last)
            draft.spot(tiles, first, last, -1)
        else:
            draft.put(tiles, first, last, _width(first, last))

    def _complete(self, node: Tree[Token]) -> None:
        """The set that the winning tile completed; its other tiles are said elsewhere."""
        said, tokens = node.children[-1], tokens_of(node)
        if self.draft.winning is None:
            message = f"`{tokens[0]}` tells of a win, and no tile is named as the winning one"
            way_out = "name the tile, as in `won on 5 bamboo, completing the pair`"
            self._refuse("needs-winning-tile", message, way_out, tokens[0], tokens[-1])
            return
        try:
            if isinstance(said, Tree):
                tiles = tiles_of_set(said)[1][0] if said.data == "set" else tiles_of_group(said)
            else:
                tiles = _alike(said, self.draft.winning)
        except Refused as refused:
            self._refuse(refused.code, refused.message, refused.way_out, tokens[0], tokens[-1])
        else:
            self.draft.complete(tiles)

    def _words(self, item: Item) -> str:
        return " ".join(self.text[item.first.start_pos or 0 : item.last.end_pos].split())

    def _refuse(self, code: str, message: str, way_out: str, first: Token, last: Token) -> None:
        self.draft.refuse(code, message, way_out, first, last)


def _alike(said: Token, winning: Tile) -> list[Tile]:
    """The tiles of a pung or pair of the winning tile."""
    kind, size = kind_named(said)
    if kind is Kind.CHOW:
        way_out = "name its tiles, as in `completing chow 2 3 4 bamboo`"
        raise Refused("no-meld", "a chow is named without its tiles", way_out)
    return [winning] * size


def _width(first: Token, last: Token) -> int:
    """How tiles in hand were named: compact ones each by its own letters, others by the whole."""
    if first is not last or first.type not in compact.TILES:
        return -1
    return 1 if first.type in {"SUITED", "UNICODE"} else 0


def _is(node: Node | None, *names: str) -> bool:
    return isinstance(node, Tree) and node.data in names
