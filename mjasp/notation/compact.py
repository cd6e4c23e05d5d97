"""The compact form: text to Hand."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from lark import Lark, Token, Tree, UnexpectedInput

from mjasp.errors import HandError, NotationError, Problem
from mjasp.hand import Event, Hand, Kind, Meld, Source, kind_of
from mjasp.notation.unreadable import explain, skip
from mjasp.resources import grammar
from mjasp.tiles import Tile, Wind, by_order, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["parse"]

_LONGEST = 5_000
_MOST_PROBLEMS = 10
_BY_CODE = {tile.value: tile for tile in Tile}
_BY_UNICODE = {tile.unicode: tile for tile in Tile}
_TILES = frozenset({"SUITED", "HONOURS", "BONUS", "UNICODE"})
_ONE = {
    "source": "the winning tile came in one way",
    "seat": "a player has one seat",
    "round": "a round has one wind",
    "rules": "one rule set counts",
}
# What cannot be told before it is known which tile won.
_WAIT_FOR_WINNING = frozenset(
    {"wrong-number", "no-winning-tile", "winning-tile-twice", "needs-winning-tile"}
)


def parse(text: str) -> Hand:
    """The hand that a text in the compact form describes.

    Raises NotationError where the text cannot be read and HandError where no such hand can be on
    a table, each with all problems found, their places and the way out.

    >>> hand = parse("[444b] [234c] (1111c) 55b EE +5b wall seat:E")
    >>> str(hand.winning), [str(meld) for meld in hand.declared], hand.round
    ('5b', ['[444b]', '(1111c)', '[234c]'], None)
    """
    tree = _tree(text)
    draft = _Draft()
    for node in tree.children:
        draft.add(node)
    problems = draft.problems
    try:
        hand = draft.hand()
    except HandError as error:
        problems += error.problems
    if problems:
        raise HandError(*_placed(problems, tree), text=text)
    return hand


@cache
def _parser() -> Lark:
    """Built at first use, so that importing costs nothing."""
    return Lark(
        grammar("compact.lark"),
        parser="lalr",
        lexer="basic",
        maybe_placeholders=False,
    )


def _tree(text: str) -> Tree[Token]:
    """The text cut up; NotationError, with all words that cannot be read, where it cannot be."""
    if len(text) > _LONGEST:
        message = f"the text has {len(text):,} characters, more than any hand takes"
        way_out = f"give one hand at a time, in at most {_LONGEST:,} characters"
        raise NotationError(Problem("too-long", message, 1, 1, 2, help=way_out))
    problems: list[Problem] = []

    def note(error: UnexpectedInput) -> bool:
        problems.append(explain(error, text))
        return len(problems) < _MOST_PROBLEMS and skip(error, text)

    with suppress(UnexpectedInput):  # what is not to be skipped has been noted
        tree: Tree[Token] = _parser().parse(text, on_error=note)
    if not problems and not tree.children:
        way_out = "write its tiles, as in `111b 222b 333b 45c 11d +3c discard`"
        problems.append(Problem("empty", "the text holds no hand", 1, 1, 2, help=way_out))
    if problems:
        raise NotationError(*problems, text=text)
    return tree


@dataclass(slots=True)
class _Draft:
    """What has been read of a hand so far, and what cannot stand beside it."""

    concealed: list[Tile] = field(default_factory=list)
    declared: list[Meld] = field(default_factory=list)
    bonus: list[Tile] = field(default_factory=list)
    winning: Tile | None = None
    completes: Meld | None = None
    events: set[Event] = field(default_factory=set)
    facts: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def hand(self) -> Hand:
        """The hand; HandError if it is impossible."""
        return Hand(
            tuple(self.concealed),
            tuple(self.declared),
            tuple(self.bonus),
            self.winning,
            self.completes,
            events=frozenset(self.events),
            **self.facts,
        )

    def add(self, node: Token | Tree[Token]) -> None:
        """Take up what a node of the tree says."""
        if isinstance(node, Token):
            if node.type in _TILES:
                self._put(_tiles(node))
            elif node.type == "EVENT":
                self.events.add(Event(node.lower()))
            else:
                self._state(node)
        elif node.data in {"exposed", "concealed"}:
            self.declared.append(_meld(node))
        else:
            self._win(node)

    def _put(self, tiles: Iterable[Tile]) -> None:
        for tile in tiles:
            (self.bonus if tile.is_bonus else self.concealed).append(tile)

    def _state(self, token: Token) -> None:
        """A fact of which there is one; the same said twice does no harm."""
        name, value = _fact(token)
        if self.facts.setdefault(name, value) != value:
            message = f"`{token}` contradicts what was said before: {_ONE[name]}"
            self._refuse(
                f"two-{name.removesuffix('s')}s", message, "leave out the other", token, token
            )

    def _win(self, node: Tree[Token]) -> None:
        """The winning tile, perhaps with the set that it completed."""
        *before, last = map(_tiles, _tile_tokens(node))
        rest = [tile for tiles in before for tile in tiles]
        if self.winning or len(last) > 1:
            message = f"`+{written(last)}` marks {len(last)} tiles, and one tile wins"
            way_out = "put a space after the tile that won"
            if self.winning:
                message = f"`+{written(last)}` beside `+{self.winning}`: one tile wins"
                way_out = "leave out one of the `+`"
            self._refuse("two-winning-tiles", message, way_out, *_ends(node))
            return
        self.winning = last[0]
        self._put(rest)
        if rest:
            tiles = tuple(sorted((*rest, last[0]), key=by_order))
            self.completes = Meld(kind_of(tiles) or Kind.CHOW, tiles, completed=True)

    def _refuse(self, code: str, message: str, way_out: str, first: Token, last: Token) -> None:
        place = _place(None, first, last)
        problem = Problem(code, message, help=way_out)
        self.problems.append(problem.at(place.line, place.column, place.end_column))


def _ends(node: Tree[Token]) -> tuple[Token, Token]:
    """First and last token of a node, brackets included."""
    tokens = [child for child in node.children if isinstance(child, Token)]
    return tokens[0], tokens[-1]


def _tile_tokens(node: Tree[Token]) -> Iterator[Token]:
    return (child for child in node.children if isinstance(child, Token) and child.type in _TILES)


def _tiles(token: Token) -> list[Tile]:
    if token.type == "SUITED":
        return [_BY_CODE[rank + token[-1]] for rank in token[:-1]]
    if token.type == "HONOURS":
        return [_BY_CODE[code] for code in re.findall("Wh|.", token)]
    if token.type == "BONUS":
        return [_BY_CODE[token]]
    return [_BY_UNICODE[char] for char in token]


def _meld(node: Tree[Token]) -> Meld:
    """The declared set. Tiles that make none are called a chow, and Hand refuses them."""
    tiles = [tile for token in _tile_tokens(node) for tile in _tiles(token)]
    tiles.sort(key=by_order)
    kind = kind_of(tiles) or Kind.CHOW
    claimed = any(isinstance(child, Token) and child.type == "CLAIMED" for child in node.children)
    return Meld(kind, tuple(tiles), node.data == "exposed", declared=True, claimed=claimed)


def _fact(token: Token) -> tuple[str, Source | Wind | str]:
    """Name and value of a fact, the name being that of Hand's field."""
    if token.type == "SOURCE":
        return "source", Source(token.lower())
    name, _, value = token.partition(":")
    return name.lower(), value.lower() if token.type == "RULES" else Wind(value)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where something was read; columns count from 1."""

    value: object
    line: int
    column: int
    end_column: int


def _places(tree: Tree[Token]) -> Iterator[_Place]:
    """Each thing that a problem of a hand can be about, in the order of the text."""
    for node in tree.children:
        if isinstance(node, Token):
            yield from _token_places(node)
            continue
        declared = node.data in {"exposed", "concealed"}
        yield _place(_meld(node) if declared else "winning", *_ends(node))
        for token in _tile_tokens(node):
            yield from _token_places(token)


def _token_places(token: Token) -> Iterator[_Place]:
    if token.type == "EVENT":
        yield _place(Event(token.lower()), token, token)
    elif token.type == "SOURCE":
        yield _place(Source(token.lower()), token, token)
    elif token.type not in _TILES:
        yield _place(None, token, token)
    else:
        place = _place(None, token, token)
        column = place.column
        for tile in _tiles(token):
            length = 1 if token.type in {"SUITED", "UNICODE"} else len(tile.value)
            yield _Place(tile, place.line, column, column + length)
            column += length


def _place(value: object, first: Token, last: Token) -> _Place:
    """The place of what was read from token to token; their first line, if they take several."""
    line, column = first.line or 1, first.column or 1
    end = last.end_column if last.line == line else first.end_column
    return _Place(value, line, column, end or column + 1)


def _placed(problems: list[Problem], tree: Tree[Token]) -> list[Problem]:
    """The problems at their places, in the order of the text."""
    if any(problem.code == "two-winning-tiles" for problem in problems):
        problems = [problem for problem in problems if problem.code not in _WAIT_FOR_WINNING]
    places = list(_places(tree))
    placed = [_located(problem, places) for problem in problems[:_MOST_PROBLEMS]]
    return sorted(placed, key=lambda problem: (problem.line or 0, problem.column or 0))


def _located(problem: Problem, places: list[_Place]) -> Problem:
    """The problem at its place; where it is about no part, at the whole of the first line."""
    if problem.line:
        return problem
    spots = [place for place in places if problem.about and place.value == problem.about.value]
    if problem.about and spots:
        spot = spots[min(problem.about.nth, len(spots)) - 1]
        return problem.at(spot.line, spot.column, spot.end_column)
    first = places[0]
    end = max(place.end_column for place in places if place.line == first.line)
    return problem.at(first.line, first.column, end)
