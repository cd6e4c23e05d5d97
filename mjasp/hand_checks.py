"""What no hand can be: every problem of a described hand, told with the way out."""

from __future__ import annotations

import re
from itertools import chain, filterfalse
from operator import attrgetter, is_
from typing import TYPE_CHECKING

from mjasp.errors import Problem, Spot
from mjasp.parts import Event, Kind, Meld, Source, kind_of
from mjasp.tiles import Tile, Wind, by_order, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mjasp.hand import Hand

__all__ = ["fact_problems_of", "problems_of"]

_is_bonus = attrgetter("is_bonus")
_NEED_WIN = (Event.LAST_TILE, Event.FIRST_TURN, Event.ORIGINAL_CALL, Event.KONG_ON_KONG)
# Facts that can be unknown, and how that is written.
_UNKNOWN = {
    "seat": "seat:?",
    "round": "round:?",
    "source": "won:?",
    "last-tile": "last-tile:?",
}


def problems_of(hand: Hand) -> tuple[Problem, ...]:
    """All that is wrong with a hand; nothing where it can be on a table."""
    return (
        *_tile_problems(hand),
        *_meld_problems(hand),
        *_completes_problems(hand),
        *_number_problems(hand),
        *fact_problems_of(hand),
    )


def fact_problems_of(hand: Hand) -> tuple[Problem, ...]:
    """All that is wrong with what is said beside the tiles, on whose own problems it has no say."""
    return (*_fact_problems(hand), *_unknown_problems(hand))


def _more_than(allowed: int, tiles: Sequence[Tile]) -> dict[Tile, int]:
    """Of tiles in order, those that stand more often than allowed, and how often they do."""
    later = tiles[allowed:]
    if not any(map(is_, tiles, later)):
        return {}
    over = {tile for tile, other in zip(tiles, later, strict=False) if tile is other}
    return {tile: tiles.count(tile) for tile in sorted(over)}


def _tile_problems(hand: Hand) -> Iterator[Problem]:
    """Fifth copies, bonus tiles twice, tiles where they cannot stand."""
    tiles = [*hand.concealed]
    for meld in hand.declared:
        tiles += meld.tiles
    if hand.winning:
        tiles.append(hand.winning)
    tiles.sort(key=by_order)
    for tile, count in _more_than(4, tiles).items():
        way_out = "take out what is too many"
        if tile is hand.winning:
            way_out += "; the winning tile is written once, after the `+`"
        message = f"`{tile}` stands {count} times, and there are four of it"
        yield Problem("fifth-copy", message, help=way_out, about=Spot(tile, 5))
    for tile, count in _more_than(1, hand.bonus).items():
        message = f"`{tile}` stands {count} times, and there is one of it"
        yield Problem("bonus-twice", message, help="write it once", about=Spot(tile, 2))
    if hand.winning and hand.winning.is_bonus:
        yield Problem(
            "bonus-wins",
            f"`+{hand.winning}`: a flower or season is never the winning tile",
            help="mark the tile drawn in its place, and say `loose` if that one won",
            about=Spot("winning"),
        )
    misplaced = filter(_is_bonus, hand.concealed), filterfalse(_is_bonus, hand.bonus)
    for tile in chain(*misplaced):
        message = f"`{tile}` stands in the wrong field"
        way_out = "`bonus` holds the flowers and seasons, `concealed` all other tiles in hand"
        yield Problem("misplaced-tile", message, help=way_out, about=Spot(tile))


def _meld_problems(hand: Hand) -> Iterator[Problem]:
    """Declared sets that are none."""
    if len(hand.declared) > 4:
        yield Problem(
            "too-many-sets",
            f"{len(hand.declared)} sets are declared, and a hand has four",
            help="write the pair and all that was not laid down without brackets",
            about=Spot(hand.declared[4]),
        )
    for index, meld in enumerate(hand.declared):
        wrong = _meld_problem(meld)
        if wrong:
            code, message, way_out = wrong
            about = Spot(meld, hand.declared[:index].count(meld) + 1)
            yield Problem(code, message, help=way_out, about=about)


def _meld_problem(meld: Meld) -> tuple[str, str, str] | None:
    """Code, message and help where the meld cannot be declared as it is."""
    kind = kind_of(meld.tiles)
    if kind in {Kind.PAIR, Kind.SINGLE}:
        message = f"`{meld}`: a {kind.value} is never laid down"
        return "no-meld", message, f"write it without brackets: `{written(meld.tiles)}`"
    if kind is None:
        return "no-meld", f"`{meld}` is no chow, pung or kong", _no_meld_help(meld.tiles)
    if kind is not meld.kind:
        message = f"`{meld}` is a {kind.value}, no {meld.kind.value}"
        return "no-meld", message, "name the kind that the tiles make"
    if meld.claimed and kind is not Kind.KONG:
        message = f"`{meld}`: only a kong is claimed onto three concealed tiles"
        return "not-a-kong", message, f"write `[{written(meld.tiles)}]` for a set laid down"
    if not meld.exposed and kind is not Kind.KONG:
        tiles = written(meld.tiles)
        message = f"`{meld}` is a {kind.value}, and only a kong is declared and stays concealed"
        return "not-a-kong", message, f"write `{tiles}` if it is in hand, `[{tiles}]` if laid down"
    return None


def _no_meld_help(tiles: tuple[Tile, ...]) -> str:
    if any(tile.is_bonus for tile in tiles):
        return "write flowers and seasons without brackets"
    if len({tile.suit for tile in tiles}) > 1:
        return "the tiles of a set are of one suit, or one honour alike"
    if len(tiles) > 4:
        return "each set has brackets of its own"
    if not tiles or not tiles[0].suit:
        return "honours make no chow: a pung is three alike, a kong four"
    return "a chow is three of one suit in a row, a pung three alike, a kong four"


def _completes_problems(hand: Hand) -> Iterator[Problem]:
    """A set that the winning tile cannot have completed."""
    meld, winning = hand.completes, hand.winning
    if not meld:
        return
    kind = kind_of(meld.tiles)
    rest = meld.without(winning)
    shown = f"[{written(rest)}+{winning or ''}]"
    about = Spot("winning")
    if kind not in {Kind.CHOW, Kind.PUNG, Kind.PAIR} or kind is not meld.kind:
        message = f"`{shown}` is no chow, pung or pair"
        way_out = _no_meld_help(meld.tiles)
        if kind is Kind.KONG:
            message = f"`{shown}`: a kong is never completed by the winning tile"
            way_out = "the winning tile makes a pung with two of them; declare a kong apart"
        yield Problem("no-meld", message, help=way_out, about=about)
    elif winning not in meld.tiles or any(
        rest.count(tile) > hand.concealed.count(tile) for tile in rest
    ):
        message = f"`{shown}` is not made of the winning tile and tiles in hand"
        way_out = "its other tiles stand among the concealed ones"
        yield Problem("completes-unfit", message, help=way_out, about=about)


def _number_problems(hand: Hand) -> Iterator[Problem]:
    """A wrong number of tiles, where the declared sets are in order."""
    count, due = len(hand.concealed) + hand.unknown_tiles, 13 - 3 * len(hand.declared)
    if count == due or any(map(_meld_problem, hand.declared)) or due < 0:
        return
    tiles = f"{count} concealed tile{'' if count == 1 else 's'}"
    if hand.unknown_tiles:
        tiles += f" ({hand.unknown_tiles} of them unknown)"
    if hand.declared:
        tiles += f" beside {len(hand.declared)} declared set{'s' * (len(hand.declared) > 1)}"
    if hand.winning in hand.concealed and count == due + 1:
        message = f"{tiles} and the winning `{hand.winning}`, which stands among them too"
        way_out = "write the winning tile once, after the `+`"
        about = Spot(hand.winning)
        yield Problem("winning-tile-twice", message, help=way_out, about=about)
    elif not hand.winning and count == due + 1:
        message = f"{tiles}, one too many, and none is marked as the winning tile"
        way_out = "put a `+` before the tile that won, as in `+5b`; without a win it should be "
        yield Problem("no-winning-tile", message, help=f"{way_out}{due}")
    else:
        message = f"{tiles}{' and a winning one' * bool(hand.winning)}, where there should be {due}"
        yield Problem("wrong-number", message, help=_number_help(hand, count, due))


def _number_help(hand: Hand, count: int, due: int) -> str:
    """The slip that explains a wrong number of tiles, if one does."""
    kongs = sum(meld.kind is Kind.KONG for meld in hand.declared)
    alike = _more_than(3, hand.concealed)
    if alike and count > due:
        kong = written([*alike][:1] * 4)
        return f"four alike are a kong only when declared: `({kong})` or `[{kong}]`"
    if kongs and count + kongs == due:
        return "a kong counts as three of the 13 tiles: its fourth was replaced by a loose tile"
    if hand.bonus and count + len(hand.bonus) == due:
        return "flowers and seasons are not among the 13 tiles: each was replaced by another"
    return "a hand has 13 tiles beside the winning one, and each declared set counts three"


def _fact_problems(hand: Hand) -> Iterator[Problem]:
    """Facts that contradict each other or the tiles."""
    if hand.winning is None:
        yield from _idle_fact_problems(hand)
    if hand.source is Source.ROBBING:
        held = (*hand.concealed, *(tile for meld in hand.declared for tile in meld.tiles))
        if hand.winning in held:
            message = (
                f"`robbing` of `{hand.winning}`, while the hand holds another `{hand.winning}`"
            )
            way_out = "whoever made the kong held the other three: correct the tile or the source"
            yield Problem("contradiction", message, help=way_out, about=Spot(Source.ROBBING))
    for event, other, way_out in _contradictions(hand) if hand.events else ():
        message = f"`{event.value}` contradicts {other}"
        yield Problem("contradiction", message, help=way_out, about=Spot(event))
    if hand.rules is not None and not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", hand.rules):
        message = "`rules` takes the name of a shipped rule set, in small letters, never a path"
        yield Problem("no-ruleset-name", message, help="write for example `rules:bmja`")


def _idle_fact_problems(hand: Hand) -> Iterator[Problem]:
    facts: list[Source | Event] = [event for event in _NEED_WIN if event in hand.events]
    if hand.source:
        facts.insert(0, hand.source)
    for fact in facts:
        message = f"`{fact.value}` tells of a win, and no tile is marked as the winning one"
        way_out = f"put a `+` before the tile that won, as in `+5b`, or leave out `{fact.value}`"
        yield Problem("needs-winning-tile", message, help=way_out, about=Spot(fact))


def _unknown_problems(hand: Hand) -> Iterator[Problem]:
    """Facts that are said and unknown at once, and what only a winning hand, or a loser's, has."""
    if hand.unknown_tiles and hand.winning:
        message = "`?` is an unknown tile of a losing hand, and this hand won"
        way_out = "write the tile that it is, or leave out the winning tile"
        yield Problem("unknown-tile-won", message, help=way_out, about=Spot("?"))
    for fact in sorted(hand.unknown):
        shown = f"`{_UNKNOWN.get(fact, fact)}`"
        about = Spot(f"{fact}:?")
        if fact not in _UNKNOWN:
            message = f"{shown} is no fact that can be unknown"
            way_out = f"those are {', '.join(_UNKNOWN)}"
            yield Problem("no-such-fact", message, help=way_out)
        elif fact in {"source", "last-tile"} and hand.winning is None:
            message = f"{shown} tells of a win, and no tile is marked as the winning one"
            way_out = "put a `+` before the tile that won, as in `+5b`, or leave it out"
            yield Problem("needs-winning-tile", message, help=way_out, about=about)
        elif getattr(hand, fact, None) or (fact == "last-tile" and Event.LAST_TILE in hand.events):
            message = f"{shown} contradicts what is said of that fact"
            yield Problem("contradiction", message, help="leave out one of the two", about=about)


def _contradictions(hand: Hand) -> Iterator[tuple[Event, str, str]]:
    """Event, what it contradicts, and the way out."""
    source, events = hand.source, hand.events
    if Event.FISHING in events and hand.winning:
        yield Event.FISHING, "the winning tile", "only a hand that did not win declares it"
    if Event.LAST_TILE in events and source in {Source.LOOSE, Source.ROBBING}:
        way_out = "the last tile is drawn from the live wall, or is the discard after it"
        yield Event.LAST_TILE, f"`{source.value}`", way_out
    if Event.KONG_ON_KONG in events and hand.winning:
        if source is not Source.LOOSE:
            came = f"`{source.value}`" if source else "a win without `loose`"
            yield Event.KONG_ON_KONG, came, "the second replacement tile wins: say `loose`"
        kongs = sum(meld.kind is Kind.KONG for meld in hand.declared)
        if kongs < 2:
            way_out = "declare both kongs, as in `(5555d)`"
            yield Event.KONG_ON_KONG, f"a hand with {kongs or 'no'} kong", way_out
    if Event.FIRST_TURN in events:
        yield from _first_turn_contradictions(hand)


def _first_turn_contradictions(hand: Hand) -> Iterator[tuple[Event, str, str]]:
    event, source, seat = Event.FIRST_TURN, hand.source, hand.seat
    if hand.declared:
        yield event, "declared sets", "nothing is declared before the first turn"
    if Event.LAST_TILE in hand.events:
        yield event, "`last-tile`", "leave out one of the two"
    if source in {Source.LOOSE, Source.ROBBING}:
        yield event, f"`{source.value}`", "it is East's `wall`, or another seat's `discard`"
    if seat is Wind.EAST and source is Source.DISCARD:
        yield event, "`discard` for East", "East wins with the dealt tiles: say `wall`"
    if seat not in {None, Wind.EAST} and source is Source.WALL:
        way_out = "another seat than East wins on East's first discard: say `discard`"
        yield event, f"`wall` for seat {seat}", way_out
