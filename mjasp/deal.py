"""A deal: the four hands of one table, who won, and the customs of the table; frozen, checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from mjasp.deal_checks import (
    agreement_problems,
    by_problems,
    event_problems,
    named,
    tile_problems,
    type_problems,
    winner_problems,
    winners,
)
from mjasp.errors import DealError, HandError, Problem, Spot
from mjasp.hand import Hand, Source
from mjasp.tiles import Wind

__all__ = ["Customs", "Deal", "Entry", "Places", "named"]

Entry = Hand | int | None
"""What is known of a seat's hand: the hand, its value in points, or nothing (`unknown`)."""

_DRAWN = {Source.WALL, Source.LOOSE}


@dataclass(frozen=True, slots=True)
class Customs:
    """How a table departs from the rule texts. None of it has a source there; all is off at first.

    `losers_settle`: the players who did not win settle their differences. `east_doubles`: what
    East pays or receives is doubled. `discarder_pays`: who discarded the winning tile pays the
    winner what all three would have paid. `self_drawn_doubles`: the winner who drew the winning
    tile is paid double.
    """

    losers_settle: bool = True
    east_doubles: bool = True
    discarder_pays: bool = False
    self_drawn_doubles: bool = False

    def to_dict(self) -> dict[str, bool]:
        """The customs by the names that files have for them.

        >>> Customs().to_dict()["losers-settle"]
        True
        """
        return {name.replace("_", "-"): getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Places:
    """The text a deal was read from, and where its parts stand: line, column, end column.

    A part is a seat, a fact of the deal, or a pair of a seat and a fact that its hand tells.
    """

    text: str
    spots: Mapping[object, tuple[int, int, int]]

    def locate(self, problem: Problem) -> Problem:
        """The problem at the place of the part it is about, where that part stands in the text."""
        if problem.line or not problem.about:
            return problem
        part = problem.about.value
        whole = part[0] if isinstance(part, tuple) else part
        spot = self.spots.get(part, self.spots.get(whole))
        return problem.at(*spot) if spot else problem


@dataclass(frozen=True, slots=True)
class Deal:
    """Four hands of one table, one a seat, and how the deal ended.

    `winner` is found where a hand has a winning tile. `by` is the seat that discarded the winning
    tile (or whose kong was robbed), or `wall` for a win that was drawn. A `round` of `?` is not
    known; it is so as well where a hand says it and no other tells the round. Seat, round and,
    where `by` tells it, the source are filled into the hands. `names` are what the players are
    called in the reasons of payments, their seats where it is empty. Raises DealError, with all
    that is wrong, where the hands are not those of one table.

    >>> deal = Deal({Wind.EAST: 50, Wind.SOUTH: 80, Wind.WEST: 20, Wind.NORTH: 0}, winner=Wind.WEST)
    >>> deal.won_from_wall is None
    True
    """

    hands: Mapping[Wind, Entry]
    rules: str | None = None
    round: Wind | Literal["?"] | None = None
    winner: Wind | None = None
    by: Wind | Literal["wall"] | None = None
    customs: Customs = Customs()
    names: Mapping[Wind, str] = field(default_factory=dict, compare=False, repr=False)
    places: Places | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        problems = [*type_problems(self)]
        if problems:
            raise self.error(*problems)
        put = object.__setattr__
        put(self, "hands", {seat: self.hands[seat] for seat in Wind})
        ending = [*winner_problems(self)]
        problems = [*agreement_problems(self), *tile_problems(self.hands), *ending]
        self._agree()
        contradictions = [*self._fill_in()]
        if not ending:
            put(self, "winner", self.winner or next(winners(self.hands), None))
        if not ending and not contradictions:
            problems += [*by_problems(self), *event_problems(self)]
        if problems or contradictions:
            raise self.error(*problems, *contradictions)

    def error(self, *problems: Problem) -> DealError:
        """The error of these problems, at their places in the text the deal was read from."""
        if self.places is None:
            return DealError(*problems)
        return DealError(*map(self.places.locate, problems), text=self.places.text)

    def called(self, seat: Wind) -> str:
        """What the player of a seat is called."""
        return self.names.get(seat) or named(seat)

    @property
    def won_from_wall(self) -> bool | None:
        """Whether the winner drew the winning tile; None where nobody won or it is not told."""
        if self.winner is None:
            return None
        hand = self.hands[self.winner]
        if isinstance(hand, Hand):
            unknown = "source" in hand.unknown
            return None if unknown else hand.resolved()[0].source in _DRAWN
        return None if self.by is None else self.by == "wall"

    def _agree(self) -> None:
        """Take for the table's what one of the hands tells of it."""
        known = [hand for hand in self.hands.values() if isinstance(hand, Hand)]
        rounds: list[Wind | Literal["?"] | None] = [self.round, *(hand.round for hand in known)]
        told = next((each for each in rounds if isinstance(each, Wind)), None)
        doubted = self.round == "?" or any("round" in hand.unknown for hand in known)
        rules = (each for each in (self.rules, *(hand.rules for hand in known)) if each)
        object.__setattr__(self, "round", told or ("?" if doubted else None))
        object.__setattr__(self, "rules", next(rules, None))

    def _fill_in(self) -> Iterator[Problem]:
        """Give the hands what the table knows of them; what then contradicts itself."""
        hands = dict(self.hands)
        for seat, hand in hands.items():
            if isinstance(hand, Hand) and hand.seat in {None, seat}:
                try:
                    hands[seat] = self._filled(seat, hand)
                except HandError as error:
                    for each in error.problems:
                        message = f"{named(seat)}'s hand: {each.message}"
                        yield Problem(each.code, message, help=each.help, about=Spot(seat))
        object.__setattr__(self, "hands", hands)

    def _filled(self, seat: Wind, hand: Hand) -> Hand:
        source = hand.source
        if hand.winning and self.by and not source:
            source = Source.WALL if self.by == "wall" else Source.DISCARD
        told = {"seat"} | ({"source"} if source else set())
        unknown = hand.unknown | {"round"} if self.round == "?" else hand.unknown
        table = None
        if isinstance(self.round, Wind):
            table, told = self.round, told | {"round"}
        return replace(
            hand, seat=seat, round=table, rules=self.rules, source=source, unknown=unknown - told
        )
