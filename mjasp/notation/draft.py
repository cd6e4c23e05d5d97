"""What has been read of a hand so far, and where: every notation ends here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mjasp.errors import HandError, Problem, Spot
from mjasp.hand import Event, Hand, Kind, Meld, Source, kind_of
from mjasp.tiles import Tile, Wind, by_order, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lark import Token

__all__ = ["MOST_PROBLEMS", "UNKNOWN", "Draft"]

MOST_PROBLEMS = 10
UNKNOWN = "?"
"""The value of a fact that is said to be unknown."""

_ONE = {
    "source": "the winning tile came in one way",
    "seat": "a player has one seat",
    "round": "a round has one wind",
    "rules": "one rule set counts",
    "last-tile": "a tile is the last one or is not",
}
# Where tiles were refused, the number of the others says nothing.
_LOSES_TILES = frozenset(
    {
        "completes-unfit",
        "no-meld",
        "no-such-tile",
        "no-suit",
        "no-winning-tile",
        "two-states",
        "two-winning-tiles",
        "unmarked-kong",
    }
)
_NUMBERS = frozenset(
    {"wrong-number", "no-winning-tile", "winning-tile-twice", "needs-winning-tile"}
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where something was read; columns count from 1."""

    value: object
    line: int
    column: int
    end_column: int


@dataclass(slots=True)
class Draft:
    """A hand in the making, and what cannot stand beside what.

    Everything is added with the first and the last token that say it.
    """

    concealed: list[Tile] = field(default_factory=list)
    declared: list[Meld] = field(default_factory=list)
    bonus: list[Tile] = field(default_factory=list)
    winning: Tile | None = None
    completes: Meld | None = None
    events: set[Event] = field(default_factory=set)
    facts: dict[str, Any] = field(default_factory=dict)
    unknown_tiles: int = 0
    problems: list[Problem] = field(default_factory=list)
    _said: list[tuple[Any, Token, Token, int]] = field(default_factory=list)

    def hand(self, text: str) -> Hand:
        """The hand; HandError, with all problems at their places in the text, if it is none."""
        known = {name: value for name, value in self.facts.items() if value is not UNKNOWN}
        refused = any(problem.code in _LOSES_TILES for problem in self.problems)
        try:
            hand = Hand(
                tuple(self.concealed),
                tuple(self.declared),
                tuple(self.bonus),
                self.winning,
                self.completes,
                events=frozenset(self.events),
                unknown=frozenset(self.facts.keys() - known.keys()),
                unknown_tiles=self.unknown_tiles,
                **known,
            )
        except HandError as error:
            found = map(self._in_order_of_the_text, error.problems)
            self.problems += [one for one in found if not (refused and one.code in _NUMBERS)]
        if self.problems:
            raise HandError(*self._placed(), text=text)
        return hand

    def put(self, tiles: Sequence[Tile], first: Token, last: Token, width: int) -> None:
        """Tiles in hand, flowers and seasons too; `width` is as for `spot`."""
        self.spot(tiles, first, last, width)
        for tile in tiles:
            (self.bonus if tile.is_bonus else self.concealed).append(tile)

    def put_unknown(self, count: int, first: Token, last: Token) -> None:
        """Concealed tiles that nobody knows."""
        self.note(UNKNOWN, first, last)
        self.unknown_tiles += count

    def lay_down(self, meld: Meld, first: Token, last: Token) -> None:
        """A declared set."""
        self.note(meld, first, last)
        self.declared.append(meld)

    def happen(self, event: Event, first: Token, last: Token) -> None:
        """A further fact about how the hand went."""
        self.note(event, first, last)
        self.events.add(event)

    def state(self, name: str, value: Source | Wind | str, first: Token, last: Token) -> None:
        """A fact of which there is one; the same said twice does no harm."""
        self.note(f"{name}:?" if value is UNKNOWN else value, first, last)
        if self.facts.setdefault(name, value) != value:
            said = str(first) if first is last else f"{first} ... {last}"
            message = f"`{said}` contradicts what was said before: {_ONE[name]}"
            code = f"two-{name.removesuffix('s')}s"
            self.refuse(code, message, "leave out the other", first, last)

    def win(self, tiles: Sequence[Tile], rest: Sequence[Tile], first: Token, last: Token) -> None:
        """The winning tile, of which there is one; `rest` is what it completed, already put."""
        self.note("winning", first, last)
        if self.winning or len(tiles) > 1:
            message = f"`+{written(tiles)}` marks {len(tiles)} tiles, and one tile wins"
            way_out = "name one tile there, and the others among the tiles in hand"
            if self.winning:
                message = f"`+{written(tiles)}` beside `+{self.winning}`: one tile wins"
                way_out = "leave out one of the two"
            self.refuse("two-winning-tiles", message, way_out, first, last)
            return
        self.winning = tiles[0]
        if rest:
            self.complete((*rest, tiles[0]))

    def complete(self, tiles: Sequence[Tile]) -> None:
        """The set that the winning tile completed."""
        ordered = tuple(sorted(tiles, key=by_order))
        self.completes = Meld(kind_of(ordered) or Kind.CHOW, ordered, completed=True)

    def refuse(self, code: str, message: str, way_out: str, first: Token, last: Token) -> None:
        """Something that is read but cannot be."""
        place = _place(None, first, last)
        problem = Problem(code, message, help=way_out)
        self.problems.append(problem.at(place.line, place.column, place.end_column))

    def note(self, value: object, first: Token, last: Token) -> None:
        """Where something was said."""
        self._said.append((value, first, last, 0))

    def spot(self, tiles: Sequence[Tile], first: Token, last: Token, width: int) -> None:
        """Where tiles were named.

        `width` is how many columns each of them takes, 0 if as many as its own spelling has, and
        -1 if each was named by the whole.
        """
        self._said.append((tiles, first, last, width))

    def _in_order_of_the_text(self, problem: Problem) -> Problem:
        """The problem about the fifth set as it was laid down: a hand has put its sets in order."""
        if problem.code != "too-many-sets":
            return problem
        *before, fifth = self.declared[:5]
        return replace(problem, about=Spot(fifth, before.count(fifth) + 1))

    def _placed(self) -> list[Problem]:
        """The problems at their places, in the order of the text."""
        places = list(self._places())
        placed = [_located(problem, places) for problem in self.problems[:MOST_PROBLEMS]]
        return sorted(placed, key=Problem.place)

    def _places(self) -> Iterator[_Place]:
        """Each thing that a problem of a hand can be about, in the order of the text."""
        for value, first, last, width in self._said:
            if not isinstance(value, list | tuple):
                yield _place(value, first, last)
                continue
            whole = _place(None, first, last)
            column = whole.column
            for tile in value:
                if width < 0:
                    yield _Place(tile, whole.line, whole.column, whole.end_column)
                    continue
                length = width or len(tile.value)
                yield _Place(tile, whole.line, column, column + length)
                column += length
            yield whole


def _place(value: object, first: Token, last: Token) -> _Place:
    """The place of what was read from token to token; their first line, if they take several."""
    line, column = first.line or 1, first.column or 1
    end = last.end_column if last.line == line else first.end_column
    return _Place(value, line, column, end or column + 1)


def _located(problem: Problem, places: list[_Place]) -> Problem:
    """The problem at its place; where it is about no part, at the whole of the first line."""
    if problem.line:
        return problem
    spots = [place for place in places if problem.about and place.value == problem.about.value]
    if problem.about and spots:
        spot = spots[min(problem.about.nth, len(spots)) - 1]
        return problem.at(spot.line, spot.column, spot.end_column)
    if not places:
        return problem.at(1, 1, 2)
    first = places[0]
    end = max(place.end_column for place in places if place.line == first.line)
    return problem.at(first.line, first.column, end)
