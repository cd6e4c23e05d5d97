"""What no deal can be: every problem of four hands at one table, told with the way out."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from mjasp.errors import Problem, Spot
from mjasp.hand import Event, Hand, Kind, Source
from mjasp.tiles import Tile, Wind, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mjasp.deal import Deal, Entry

__all__ = [
    "MOST_POINTS",
    "agreement_problems",
    "by_problems",
    "event_problems",
    "named",
    "tile_problems",
    "type_problems",
    "winner_problems",
    "winners",
]

MOST_POINTS = 999_999_999
"""The highest value of a hand that is given as a number."""

_DRAWN = {Source.WALL, Source.LOOSE}


def named(seat: Wind) -> str:
    """The seat's name.

    >>> named(Wind.EAST)
    'East'
    """
    return seat.name.capitalize()


def winners(hands: Mapping[Wind, Entry]) -> Iterator[Wind]:
    """The seats whose hands have a winning tile."""
    return (seat for seat, hand in hands.items() if isinstance(hand, Hand) and hand.winning)


def _about(part: object, code: str, message: str, way_out: str | None) -> Problem:
    return Problem(code, message, help=way_out, about=Spot(part))


def type_problems(deal: Deal) -> Iterator[Problem]:
    """What only a caller in Python can get wrong: keys, values and facts of another kind."""
    keys: Iterable[object] = deal.hands
    for key in keys:
        if not isinstance(key, Wind):
            yield _about(None, "no-seat", f"{key!r} is no seat", "the keys of `hands` are Winds")
    for seat in Wind:
        if seat not in deal.hands:
            message = f"there is no hand for {named(seat)}"
            yield _about(None, "missing-seat", message, "a hand that nobody saw is None")
            continue
        hand = deal.hands[seat]
        # True is an int, and no value of a hand.
        number = type(hand) is int and 0 <= hand <= MOST_POINTS
        if not (number or hand is None or isinstance(hand, Hand)):
            message = f"{named(seat)}'s hand is {str(hand)[:40]!r}"
            way_out = f"it is a Hand, a number of points from 0 to {MOST_POINTS:,}, or None"
            yield _about(seat, "no-value", message, way_out)
    facts: dict[str, tuple[object, ...]] = {"winner": (), "by": ("wall",), "round": ("?",)}
    for fact, others in facts.items():
        value = getattr(deal, fact)
        if not (value is None or isinstance(value, Wind) or value in others):
            way_out = " or ".join(["it is a Wind", *map(repr, others)])
            yield _about(fact, "no-answer", f"{value!r} is no answer to `{fact}`", way_out)


def agreement_problems(deal: Deal) -> Iterator[Problem]:
    """A seat, round or rule set that differs from the line's or from another hand's."""
    known = {seat: hand for seat, hand in deal.hands.items() if isinstance(hand, Hand)}
    for seat, hand in known.items():
        if hand.seat and hand.seat is not seat:
            message = f"{named(seat)}'s hand says `seat:{hand.seat}`"
            way_out = "the name of the line is the seat: leave out `seat:`, or exchange the lines"
            yield _about((seat, "seat"), "two-seats", message, way_out)
    for fact, what in (("round", "round"), ("rules", "rule set")):
        first, other = "the deal", getattr(deal, fact)
        for seat, hand in known.items():
            value = getattr(hand, fact)
            if other in {None, "?"}:
                first, other = f"{named(seat)}'s hand", value
            elif value not in {None, other}:
                message = f"{named(seat)}'s hand says `{fact}:{value}`, and {first} says `{other}`"
                way_out = f"the four hands of a deal have one {what}"
                yield _about((seat, fact), f"two-{fact.removesuffix('s')}s", message, way_out)


def tile_problems(hands: Mapping[Wind, Entry]) -> Iterator[Problem]:
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


def winner_problems(deal: Deal) -> Iterator[Problem]:
    """Two winners, or a winner whose hand did not win."""
    won = list(winners(deal.hands))
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


def by_problems(deal: Deal) -> Iterator[Problem]:
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


def event_problems(deal: Deal) -> Iterator[Problem]:
    """A win that the other hands, or who gave the tile, forbid."""
    if deal.winner is None:
        return
    won = deal.hands[deal.winner]
    if isinstance(won, Hand) and Event.FIRST_TURN in won.events:
        yield from _first_turn_problems(deal, deal.winner)
    if isinstance(won, Hand) and won.source is Source.ROBBING:
        yield from _robbing_problems(deal, deal.winner, won)


def _first_turn_problems(deal: Deal, winner: Wind) -> Iterator[Problem]:
    """Before East's first discard nobody else discards, and nobody has claimed a tile."""
    if isinstance(deal.by, Wind) and deal.by not in {Wind.EAST, winner}:
        message = f"`by: {deal.by}` contradicts `first-turn` in {named(winner)}'s hand"
        way_out = "a win of the first turn that is not East's is on East's first discard"
        yield _about("by", "contradiction", message, way_out)
    for seat, hand in deal.hands.items():
        exposed = [each for each in hand.declared if each.exposed] if isinstance(hand, Hand) else []
        if exposed and seat is not winner:
            message = f"`{exposed[0]}` in {named(seat)}'s hand contradicts `first-turn` in "
            message += f"{named(winner)}'s: nobody had claimed a tile"
            yield _about(seat, "contradiction", message, "leave out `first-turn`, or the brackets")


def _robbing_problems(deal: Deal, winner: Wind, won: Hand) -> Iterator[Problem]:
    """Who was robbed of the tile that extends a pung still has the pung."""
    robbed = [deal.by] if isinstance(deal.by, Wind) else [seat for seat in Wind if seat != winner]
    hands = [deal.hands[seat] for seat in robbed]
    known = [hand for hand in hands if isinstance(hand, Hand)]
    if won.winning and len(known) == len(hands) and not any(_pung(won.winning, h) for h in known):
        tiles = f"[{written([won.winning] * 3)}]"
        where = f"{named(robbed[0])}'s hand has" if len(robbed) == 1 else "the other hands have"
        message = f"{named(winner)} robbed a kong of `{won.winning}`, and {where} no `{tiles}`"
        way_out = "a kong that was robbed is written as the pung that is left of it"
        part = "by" if isinstance(deal.by, Wind) else winner
        yield _about(part, "contradiction", message, way_out)


def _pung(tile: Tile, hand: Hand) -> bool:
    return any(
        meld.kind is not Kind.CHOW and meld.exposed and tile in meld.tiles for meld in hand.declared
    )
