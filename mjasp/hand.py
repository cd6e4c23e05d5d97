"""One player's hand and how it ended: frozen, checked, equal whatever the order of its tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mjasp.errors import HandError, Problem, Spot
from mjasp.hand_checks import fact_problems_of, problems_of
from mjasp.parts import Event, Kind, Meld, Source, kind_of
from mjasp.tiles import Tile, Wind, by_order

__all__ = ["Event", "Hand", "Kind", "Meld", "Source", "kind_of"]


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as described, nothing assumed: None stands for what was not said.

    `concealed` holds the tiles in hand, without the winning one; `completes` is the meld that the
    winning tile is known to have completed, its other tiles standing in `concealed`. Tiles and
    melds are put in order, so hands are equal whatever the order they were given in. `unknown`
    names the facts that are said to be unknown (seat, round, source, last-tile), and
    `unknown_tiles` counts the concealed tiles of a losing hand that nobody knows.
    Raises HandError, with all that is wrong, when no such hand can be on a table.
    """

    concealed: tuple[Tile, ...] = ()
    declared: tuple[Meld, ...] = ()
    bonus: tuple[Tile, ...] = ()
    winning: Tile | None = None
    completes: Meld | None = None
    source: Source | None = None
    events: frozenset[Event] = frozenset()
    seat: Wind | None = None
    round: Wind | None = None
    rules: str | None = None
    unknown: frozenset[str] = frozenset()
    unknown_tiles: int = 0

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "concealed", tuple(sorted(self.concealed, key=by_order)))
        put(self, "declared", tuple(sorted(map(_laid_down, self.declared), key=declared_order)))
        put(self, "bonus", tuple(sorted(self.bonus, key=by_order)))
        put(self, "events", frozenset(self.events))
        put(self, "unknown", frozenset(self.unknown))
        if self.completes:
            tiles = tuple(sorted(self.completes.tiles, key=by_order))
            put(self, "completes", Meld(self.completes.kind, tiles, completed=True))
        problems = problems_of(self)
        if problems:
            raise HandError(*problems)

    def resolved(self) -> tuple[Hand, tuple[str, ...]]:
        """The hand with the defaults filled in, and the names of the facts so assumed.

        Seat and round are East's; a winning tile was a discard, or East's from the wall on the
        first turn, and not the last tile. Unknown facts take their default too, and are among the
        names. Raises HandError where an assumed fact contradicts what was said.
        """
        first_turn, discard = Event.FIRST_TURN in self.events, self.source is Source.DISCARD
        seat = self.seat or Wind.EAST
        if first_turn and discard and self.seat is None:
            if "seat" not in self.unknown:
                raise HandError(_NEEDS_A_SEAT)
            seat = Wind.SOUTH
        source = self.source
        if self.winning and not source:
            source = Source.WALL if first_turn and seat is Wind.EAST else Source.DISCARD
        filled = {"seat": seat, "round": self.round or Wind.EAST, "source": source}
        assumed = [name for name, value in filled.items() if getattr(self, name) is not value]
        if "last-tile" in self.unknown:
            assumed.append("last-tile")
        hand = self._stating(**filled, unknown=frozenset()) if assumed else self
        return hand, tuple(assumed)

    def answers(self, fact: str) -> Iterator[tuple[str, Hand]]:
        """Every answer to a fact that such a hand could have, with the hand that has it.

        >>> pungs = (Tile.B1,) * 3 + (Tile.B2,) * 3 + (Tile.B3,) * 3 + (Tile.E,) * 3
        >>> [value for value, _ in Hand((*pungs, Tile.R), winning=Tile.R).answers("source")]
        ['wall', 'discard', 'loose']
        """
        for value, told in self._told(fact):
            try:
                yield value, self._stating(unknown=self.unknown - {fact}, **told)
            except HandError:
                continue

    def _stating(self, **facts: object) -> Hand:
        """The hand with other facts; its tiles stand, so only the facts are checked."""
        hand, put = object.__new__(Hand), object.__setattr__
        for name in Hand.__slots__:
            put(hand, name, facts[name] if name in facts else getattr(self, name))
        problems = fact_problems_of(hand)
        if problems:
            raise HandError(*problems)
        return hand

    def _told(self, fact: str) -> Iterator[tuple[str, dict[str, Any]]]:
        if fact == "last-tile":
            without = self.events - {Event.LAST_TILE}
            yield "no", {"events": without}
            yield "yes", {"events": without | {Event.LAST_TILE}}
            return
        for answer in Source if fact == "source" else Wind:
            yield answer.value, {fact: answer}


_NEEDS_A_SEAT = Problem(
    "contradiction",
    "`first-turn` with `discard` is another seat's win, and East's is assumed",
    help="state the seat, as in `seat:S`; East's first turn is `wall`",
    about=Spot(Event.FIRST_TURN),
)


def _laid_down(meld: Meld) -> Meld:
    """The meld as a declared one, its tiles in order."""
    tiles = tuple(sorted(meld.tiles, key=by_order))
    exposed = meld.exposed or meld.claimed
    if tiles == meld.tiles and meld.declared and exposed is meld.exposed and not meld.completed:
        return meld
    return Meld(meld.kind, tiles, exposed, declared=True, claimed=meld.claimed)


def declared_order(meld: Meld) -> tuple[int, int, bool, bool]:
    """The order in which a hand's declared sets stand."""
    first = meld.tiles[0].order if meld.tiles else 0
    return first, meld.kind.order, meld.exposed, meld.claimed
