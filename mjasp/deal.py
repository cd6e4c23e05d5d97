"""A deal: the four hands of one table, who won, and the customs of the table; frozen, checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal, TypeVar

from mjasp.errors import DealError, HandError, Problem, Spot
from mjasp.hand import Hand, Source
from mjasp.tiles import Tile, Wind

__all__ = ["Customs", "Deal", "Entry", "Places", "named"]

Entry = Hand | int | None
"""What is known of a seat's hand: the hand, its value in points, or nothing (`unknown`)."""

Value = TypeVar("Value")
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


@dataclass(frozen=True, slots=True)
class Places:
    """The text a deal was read from, and where its parts stand: line, column, end column."""

    text: str
    spots: Mapping[object, tuple[int, int, int]]

    def locate(self, problem: Problem) -> Problem:
        """The problem at the place of the part it is about, where that part stands in the text."""
        spot = self.spots.get(problem.about.value) if problem.about and not problem.line else None
        return problem.at(*spot) if spot else problem


@dataclass(frozen=True, slots=True)
class Deal:
    """Four hands of one table, one a seat, and how the deal ended.

    `winner` is found where a hand has a winning tile. `by` is the seat that discarded the winning
    tile (or whose kong was robbed), or `wall` for a win that was drawn. Seat, round and, where
    `by` tells it, the source are filled into the hands. Raises DealError, with all that is wrong,
    where the hands are not those of one table.

    >>> deal = Deal({Wind.EAST: 50, Wind.SOUTH: 80, Wind.WEST: 20, Wind.NORTH: 0}, winner=Wind.WEST)
    >>> deal.won_from_wall is None
    True
    """

    hands: Mapping[Wind, Entry]
    rules: str | None = None
    round: Wind | None = None
    winner: Wind | None = None
    by: Wind | Literal["wall"] | None = None
    customs: Customs = Customs()
    places: Places | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        hands = {seat: self.hands.get(seat) for seat in Wind}
        put(self, "hands", hands)
        problems = [*_agreement_problems(self), *_tile_problems(hands), *_winner_problems(self)]
        if not problems:
            known = [hand for hand in hands.values() if isinstance(hand, Hand)]
            put(self, "round", self.round or _first(hand.round for hand in known))
            put(self, "rules", self.rules or _first(hand.rules for hand in known))
            put(self, "winner", self.winner or _first(_winners(hands)))
            problems = [*self._fill_in()] or [*_by_problems(self)]
        if problems:
            raise self.error(*problems)

    def error(self, *problems: Problem) -> DealError:
        """The error of these problems, at their places in the text the deal was read from."""
        if self.places is None:
            return DealError(*problems)
        return DealError(*map(self.places.locate, problems), text=self.places.text)

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

    def _fill_in(self) -> Iterator[Problem]:
        """Give the hands what the table knows of them; what then contradicts itself."""
        hands = dict(self.hands)
        for seat, hand in hands.items():
            if isinstance(hand, Hand):
                source = hand.source
                if hand.winning and self.by and not source:
                    source = Source.WALL if self.by == "wall" else Source.DISCARD
                told = {"seat"}
                told |= {"round"} if self.round else set()
                told |= {"source"} if source else set()
                try:
                    hands[seat] = replace(
                        hand,
                        seat=seat,
                        round=self.round,
                        rules=self.rules,
                        source=source,
                        unknown=hand.unknown - told,
                    )
                except HandError as error:
                    for each in error.problems:
                        message = f"{named(seat)}'s hand: {each.message}"
                        yield _about(seat, each.code, message, each.help)
        object.__setattr__(self, "hands", hands)


def named(seat: Wind) -> str:
    """The seat's name.

    >>> named(Wind.EAST)
    'East'
    """
    return seat.name.capitalize()


def _first(values: Iterator[Value | None]) -> Value | None:
    return next((value for value in values if value is not None), None)


def _about(part: object, code: str, message: str, way_out: str | None) -> Problem:
    return Problem(code, message, help=way_out, about=Spot(part))


def _winners(hands: Mapping[Wind, Entry]) -> Iterator[Wind]:
    return (seat for seat, hand in hands.items() if isinstance(hand, Hand) and hand.winning)


def _agreement_problems(deal: Deal) -> Iterator[Problem]:
    """A seat, round or rule set that differs from the line's or from another hand's."""
    known = {seat: hand for seat, hand in deal.hands.items() if isinstance(hand, Hand)}
    for seat, hand in known.items():
        if hand.seat and hand.seat is not seat:
            message = f"{named(seat)}'s hand says `seat:{hand.seat}`"
            way_out = "the name of the line is the seat: leave out `seat:`, or exchange the lines"
            yield _about(seat, "two-seats", message, way_out)
    for fact, what in (("round", "round"), ("rules", "rule set")):
        first, other = "the deal", getattr(deal, fact)
        for seat, hand in known.items():
            value = getattr(hand, fact)
            if other is None:
                first, other = f"{named(seat)}'s hand", value
            elif value not in {None, other}:
                message = f"{named(seat)}'s hand says `{fact}:{value}`, and {first} says `{other}`"
                way_out = f"the four hands of a deal have one {what}"
                yield _about(seat, f"two-{fact.removesuffix('s')}s", message, way_out)


def _tile_problems(hands: Mapping[Wind, Entry]) -> Iterator[Problem]:
    """Tiles of which the hands hold more together than there are."""
    held = {seat: Counter(_tiles(hand)) for seat, hand in hands.items() if isinstance(hand, Hand)}
    total = sum(held.values(), Counter[Tile]())
    for tile in sorted(total):
        if total[tile] <= (1 if tile.is_bonus else 4):
            continue
        seats = [seat for seat in held if held[seat][tile]]
        where = ", ".join(f"{held[seat][tile]} in {named(seat)}'s hand" for seat in seats)
        if tile.is_bonus:
            message = f"`{tile}` stands {total[tile]} times, and there is one of it: {where}"
            yield _about(seats[-1], "bonus-twice", message, "leave it where it belongs")
        else:
            message = f"`{tile}` stands {total[tile]} times, and there are four of it: {where}"
            way_out = "correct the hand that is wrong"
            if any(_robs(hand, tile) for hand in hands.values()):
                way_out = "a kong that was robbed is written as the pung that is left of it"
            yield _about(seats[-1], "fifth-copy", message, way_out)


def _tiles(hand: Hand) -> Iterator[Tile]:
    melded = chain.from_iterable(meld.tiles for meld in hand.declared)
    return chain(hand.concealed, hand.bonus, melded, (hand.winning,) if hand.winning else ())


def _robs(hand: Entry, tile: Tile) -> bool:
    return isinstance(hand, Hand) and hand.source is Source.ROBBING and hand.winning is tile


def _winner_problems(deal: Deal) -> Iterator[Problem]:
    """Two winners, or a winner whose hand did not win."""
    won = list(_winners(deal.hands))
    for seat in won[1:]:
        message = f"{named(won[0])}'s hand and {named(seat)}'s both have a winning tile"
        yield _about(seat, "two-winners", message, "one hand wins: leave out the other `+`")
    if deal.winner is None or deal.winner in won:
        return
    if won:
        message = f"the winner is {named(deal.winner)}, and {named(won[0])}'s hand won"
        yield _about("winner", "two-winners", message, "leave out `winner`, or the `+`")
    elif isinstance(deal.hands[deal.winner], Hand):
        message = f"the winner is {named(deal.winner)}, whose hand has no winning tile"
        yield _about("winner", "no-winning-tile", message, "mark the tile that won, as in `+5b`")


def _by_problems(deal: Deal) -> Iterator[Problem]:
    """A discarder who cannot be, or who is missing though something depends on him."""
    if deal.winner is None:
        if deal.by is not None:
            yield _about("by", "no-winner", "`by` tells of a win, and nobody won", "leave it out")
        return
    hand = deal.hands[deal.winner]
    source = hand.source if isinstance(hand, Hand) else None
    if deal.by is deal.winner:
        message = f"`by` names {named(deal.winner)}, who won: the tile came from another player"
        yield _about("by", "own-discard", message, "`by: wall` is for a tile that was drawn")
    elif deal.by and source and (deal.by == "wall") != (source in _DRAWN):
        message = f"`by: {deal.by}` contradicts `{source.value}` in {named(deal.winner)}'s hand"
        yield _about("by", "contradiction", message, "leave out one of the two")
    elif custom := _custom_without_source(deal):
        message = f"`{custom}` needs to know how {named(deal.winner)}'s winning tile came"
        way_out = "add `by:` with the seat that discarded it, or `by: wall` if it was drawn"
        yield _about(custom, "no-discarder", message, way_out)


def _custom_without_source(deal: Deal) -> str | None:
    """The custom that depends on where the winning tile came from, which is not told."""
    if deal.by is not None or deal.won_from_wall:
        return None
    if deal.customs.discarder_pays:
        return "discarder-pays"
    untold = deal.won_from_wall is None
    return "self-drawn-doubles" if deal.customs.self_drawn_doubles and untold else None
