"""A hand as a Kajongg hand string, as far as that can say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mjasp.errors import NotationError, Problem
from mjasp.hand import Event, Hand, Meld, Source
from mjasp.notation.kajongg import ANNOUNCED, CODES, SOURCES
from mjasp.tiles import Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["write"]

_LETTERS = {said: letter for letter, said in SOURCES.items()}
_ANNOUNCEMENTS = {event: letter for letter, event in ANNOUNCED.items()}


def write(hand: Hand) -> str:
    """The canonical hand string; NotationError, naming all that Kajongg cannot say.

    >>> from mjasp.notation import parse
    >>> write(parse("[234d] [RRR] (1111c) 55b EE f1 +5b discard"))
    'RB5B5B5WeWe c1C1C1c1 s2s3s4 drdrdr fe md Lb5'
    """
    problems = [Problem("cannot-say", f"kajongg cannot say {what}") for what in _unsaid(hand)]
    if problems:
        raise NotationError(*problems)
    return " ".join(_parts(hand))


def _unsaid(hand: Hand) -> Iterator[str]:
    """What there is no way to say."""
    for name, value in (("seat", hand.seat), ("round", hand.round)):
        if value or name in hand.unknown:
            yield f"`{name}:{value or '?'}`: the winds are given as options"
    if hand.rules:
        yield f"`rules:{hand.rules}`"
    if hand.unknown_tiles:
        yield "`?`, a tile that nobody knows"
    if hand.winning and not hand.source:
        yield "that it is not told how the winning tile came"
    if "last-tile" in hand.unknown:
        yield "`last-tile:?`"
    event = _with_source(hand)
    if hand.winning and hand.source and (hand.source, event) not in _LETTERS:
        yield f"`{hand.source.value}` with `{event.value if event else ''}`"
    for other in Event:
        if other in hand.events and other is not event and other not in _ANNOUNCEMENTS:
            yield f"`{other.value}`"


def _with_source(hand: Hand) -> Event | None:
    """The event that is told by the letter of the source."""
    told = (Event.LAST_TILE, Event.FIRST_TURN)
    return next((event for event in told if event in hand.events), None)


def _parts(hand: Hand) -> Iterator[str]:
    claimed = hand.source in {Source.DISCARD, Source.ROBBING}
    laid_down = hand.completes if claimed else None
    concealed = list(hand.concealed)
    for tile in laid_down.without(hand.winning) if laid_down else ():
        concealed.remove(tile)
    if hand.winning and not laid_down:
        concealed.append(hand.winning)
    if concealed:
        yield f"R{_capitals(sorted(concealed))}"
    yield from map(_declared, hand.declared)
    if laid_down:
        yield _small(laid_down.tiles)
    if hand.bonus:
        yield _small(hand.bonus)
    if hand.winning and hand.source:
        announced = "".join(
            letter for event, letter in _ANNOUNCEMENTS.items() if event in hand.events
        )
        yield f"m{_LETTERS[hand.source, _with_source(hand)]}{announced}"
        spell = _small if claimed else _capitals
        yield f"L{spell([hand.winning, *(hand.completes.tiles if hand.completes else ())])}"


def _declared(meld: Meld) -> str:
    tiles = _small(meld.tiles)
    if not meld.exposed:
        return f"{tiles[:2]}{_capitals(meld.tiles[1:3])}{tiles[-2:]}"
    return f"{tiles[:6]}{_capitals(meld.tiles[3:])}" if meld.claimed else tiles


def _small(tiles: Iterable[Tile]) -> str:
    return "".join(CODES[tile] for tile in tiles)


def _capitals(tiles: Iterable[Tile]) -> str:
    return "".join(CODES[tile].capitalize() for tile in tiles)
