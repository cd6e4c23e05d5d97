"""Reads hands in plain Python, by backtracking: what the encodings are held against.

Nothing here looks at the encodings. What differs between rule sets is a `Rules`; the tables are in
modules of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Literal, NamedTuple

from mjasp.hand import Hand, Kind, Meld, Source
from mjasp.tiles import Tile

KINDS = tuple(tile for tile in Tile if not tile.is_bonus)
_DRAWN = {Source.WALL, Source.LOOSE}


class Paid(NamedTuple):
    """What one rule pays for one set, or for the hand; or for bonus tiles counted apart."""

    rule: str
    points: int = 0
    doubles: int = 0
    limits: Fraction = Fraction(0)
    part: Literal["hand", "bonus"] = "hand"


class Reading(NamedTuple):
    """One interpretation: how the hand is counted, its sets in a fixed order, what it is paid."""

    kind: Literal["standard", "special", "lost"]
    name: str | None
    sets: tuple[Meld, ...]
    paid: tuple[Paid, ...]


@dataclass(frozen=True)
class Table:
    """The hand that a rule is asked about, with one choice of its sets."""

    hand: Hand
    sets: tuple[Meld, ...]
    readings: Mapping[str, str]
    waits: Callable[[], frozenset[Tile]]

    @property
    def drawn(self) -> bool:
        """Whether the player drew the winning tile."""
        return self.hand.source in _DRAWN

    @property
    def tiles(self) -> list[Tile]:
        """Every tile of the hand."""
        return [tile for meld in self.sets for tile in meld.tiles]


def one_limit(_: Table, name: str) -> list[Paid]:
    """What most special hands pay."""
    return [Paid(name, limits=Fraction(1))]


@dataclass(frozen=True)
class Rules:
    """What the oracle has to know of a rule set.

    `shapes`: special hands matched on the tiles as a whole; `events`: special hands made by how
    the hand was won; `specials`: special hands that a division satisfies; `count`: what the
    ordinary count pays; `legal`: whether a division may win; `knit`: special hands of knitted sets,
    with the ways to make them; `pay`: what a special hand is paid; `call`: what a loser one tile
    short of one is paid for it, if anything.
    """

    shapes: Mapping[str, Callable[[Table], bool]]
    events: Mapping[str, Callable[[Table], bool]]
    specials: Mapping[str, Callable[[Table], bool]]
    count: Callable[[Table], Iterable[Paid]]
    legal: Callable[[Sequence[Meld]], bool] = lambda _: True
    knit: Mapping[str, Callable[[Table], Iterable[tuple[Meld, ...]]]] = field(default_factory=dict)
    pay: Callable[[Table, str], Iterable[Paid]] = one_limit
    call: Callable[[Table, str], Sequence[Paid]] = lambda _, __: ()


def divisions(tiles: Sequence[Tile]) -> set[tuple[Meld, ...]]:
    """All ways to divide the tiles into chows, pungs and one pair, each once."""
    found: set[tuple[Meld, ...]] = set()
    remainders = sorted(count % 3 for count in Counter(tile.suit for tile in tiles).values())
    if remainders[-2:] not in ([2], [0, 2]):
        return found  # the pair stands in one suit, or among the honours; the rest are threes
    for melds in _divide(sorted(tiles), paired=False):
        found.add(tuple(sorted(melds, key=_order)))
    return found


def _divide(tiles: list[Tile], *, paired: bool) -> Iterator[list[Meld]]:
    if not tiles:
        if paired:
            yield []
        return
    first = tiles[0]
    chow = KINDS[first.order : first.order + 3] if first.suit else ()
    choices = [Meld(Kind.PUNG, (first,) * 3)]
    if not paired:
        choices.append(Meld(Kind.PAIR, (first,) * 2))
    if len(chow) == 3 and {tile.suit for tile in chow} == {first.suit}:
        choices.append(Meld(Kind.CHOW, tuple(chow)))
    for meld in choices:
        rest = list(tiles)
        for tile in meld.tiles:
            if tile not in rest:
                break
            rest.remove(tile)
        else:
            for melds in _divide(rest, paired=paired or meld.kind is Kind.PAIR):
                yield [meld, *melds]


def readings(hand: Hand, rules: Rules, chosen: Mapping[str, str]) -> list[Reading]:
    """Every interpretation of a hand; none if it has a winning tile and does not win."""

    once = cache(lambda: waits(hand, rules, chosen))

    def table(sets: Iterable[Meld]) -> Table:
        return Table(hand, tuple(sets), chosen, once)

    if hand.winning is None:
        return _lost(table([*hand.declared, *_lost_sets(hand)]), rules)
    found = []
    for sets in _won_sets(hand, rules):
        divided = table(sets)
        found.append(_reading("standard", None, divided, rules.count(divided)))
        found += _specials(rules, rules.specials, divided)
    whole = table([_whole_hand(hand)])
    found += _specials(rules, rules.shapes, whole)
    for name, knit in rules.knit.items():
        knitted = [table(_knitted(hand, sets)) for sets in knit(whole)]
        found += [_reading("special", name, one, rules.pay(one, name)) for one in knitted]
    return found + _specials(rules, rules.events, whole) if found else []


def _lost(table: Table, rules: Rules) -> list[Reading]:
    """The ordinary count, and one for each special hand that is paid for being called."""
    found = [_reading("lost", None, table, rules.count(table))]
    names = [*rules.specials, *rules.shapes, *rules.knit]
    paid = {name: calls for name in names if (calls := rules.call(table, name))}
    called = _called(table, rules) if paid else frozenset()
    return found + [_reading("lost", name, table, paid[name]) for name in called & paid.keys()]


def _called(table: Table, rules: Rules) -> frozenset[str]:
    """The special hands that some tile would complete."""
    found: set[str] = set()
    for tile in _possible(table.hand):
        won = _completed(table.hand, tile)
        for sets in _won_sets(won, rules):
            divided = replace(table, hand=won, sets=sets)
            found |= {name for name, fits in rules.specials.items() if fits(divided)}
        whole = replace(table, hand=won, sets=(_whole_hand(won),))
        found |= {name for name, fits in rules.shapes.items() if fits(whole)}
        found |= {name for name, knit in rules.knit.items() if any(knit(whole))}
    return frozenset(found)


def waits(hand: Hand, rules: Rules, chosen: Mapping[str, str]) -> frozenset[Tile]:
    """The kinds of tile that would complete the hand, found by trying each."""
    return frozenset(tile for tile in _possible(hand) if _wins(hand, tile, rules, chosen))


def _possible(hand: Hand) -> Iterator[Tile]:
    """The kinds of tile of which the hand does not hold all four."""
    held = [*hand.concealed, *(tile for meld in hand.declared for tile in meld.tiles)]
    return (tile for tile in KINDS if held.count(tile) < 4)


def _completed(hand: Hand, tile: Tile) -> Hand:
    """The hand won by drawing the tile: what a claimed tile completes, a drawn one does too."""
    source = Source.WALL
    return replace(hand, winning=tile, completes=None, source=source, events=frozenset())


def _wins(hand: Hand, tile: Tile, rules: Rules, chosen: Mapping[str, str]) -> bool:
    won = _completed(hand, tile)
    table = Table(won, (_whole_hand(won),), chosen, frozenset)
    shaped = any(fits(table) for fits in rules.shapes.values())
    knitted = any(any(knit(table)) for knit in rules.knit.values())
    return any(_won_sets(won, rules)) or shaped or knitted


def _won_sets(hand: Hand, rules: Rules) -> Iterator[tuple[Meld, ...]]:
    """The legal divisions of a won hand, with each set that the winning tile can have completed."""
    assert hand.winning
    for formed in divisions([*hand.concealed, hand.winning]):
        if not rules.legal([*hand.declared, *formed]):
            continue
        for meld in set(formed):
            fixed = hand.completes
            if hand.winning in meld.tiles and (not fixed or fixed.tiles == meld.tiles):
                rest = list(formed)
                rest.remove(meld)
                exposed = hand.source not in _DRAWN
                yield (*hand.declared, *rest, replace(meld, exposed=exposed, completed=True))


def _lost_sets(hand: Hand) -> Iterator[Meld]:
    for tile, count in Counter(hand.concealed).items():
        if count >= 3:
            yield Meld(Kind.PUNG, (tile,) * 3)
        if count == 2:
            yield Meld(Kind.PAIR, (tile,) * 2)
        if count in {1, 4}:
            yield Meld(Kind.SINGLE, (tile,))


def _whole_hand(hand: Hand) -> Meld:
    assert hand.winning
    declared = [tile for meld in hand.declared for tile in meld.tiles]
    tiles = sorted([*hand.concealed, *declared, hand.winning])
    exposed = hand.source not in _DRAWN
    return Meld(Kind.WHOLE_HAND, tuple(tiles), exposed=exposed, completed=True)


def _knitted(hand: Hand, sets: Iterable[Meld]) -> list[Meld]:
    """Knitted sets and which of them the winning tile completed: of several, the largest, first."""
    rest = list(in_order(sets))
    holding = [meld for meld in rest if hand.winning in meld.tiles]
    meld = max(holding, key=lambda meld: len(meld.tiles))
    rest.remove(meld)
    return [*rest, replace(meld, exposed=hand.source not in _DRAWN, completed=True)]


def _specials(
    rules: Rules, tests: Mapping[str, Callable[[Table], bool]], table: Table
) -> list[Reading]:
    return [
        _reading("special", name, table, rules.pay(table, name))
        for name, fits in tests.items()
        if fits(table)
    ]


def _reading(
    kind: Literal["standard", "special", "lost"],
    name: str | None,
    table: Table,
    paid: Iterable[Paid],
) -> Reading:
    return Reading(kind, name, in_order(table.sets), tuple(sorted(paid)))


def in_order(sets: Iterable[Meld]) -> tuple[Meld, ...]:
    """The sets in an order that depends on nothing but them."""
    return tuple(sorted(sets, key=_order))


def _order(meld: Meld) -> tuple[list[int], str, bool, bool, bool, bool]:
    orders = [tile.order for tile in meld.tiles]
    marks = (meld.exposed, meld.declared, meld.claimed, meld.completed)
    return (orders, meld.kind.value, *marks)
