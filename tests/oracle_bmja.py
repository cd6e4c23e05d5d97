"""The tables of the British Mah-Jong Association in plain Python, counted down the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from oracle import Paid, Rules, Table
from oracle_tables import (
    DRAGONS,
    GREEN,
    HONOURS,
    MAJORS,
    TERMINALS,
    WINDS,
    bonus_points,
    buried_treasure,
    chows,
    concealed,
    first_turn,
    has_gates,
    kongs,
    own_bonus,
    pair_points,
    pungs,
    set_doubles,
    set_points,
    suits,
    thirteen_orphans,
    won_on,
    wriggling_snake,
)

from mjasp.hand import Event, Kind, Meld, Source
from mjasp.tiles import Tile


def _count(table: Table) -> Iterator[Paid]:
    yield from _points(table)
    yield from _bonus(table)
    yield from _doubles(table)
    if chows(table) == 0 and table.hand.winning:
        yield Paid("no_chows", doubles=1)


def _points(table: Table) -> Iterator[Paid]:
    yield from set_points(table)
    yield from pair_points(table)
    if table.hand.winning:
        yield Paid("going_mah_jong", points=20)
        loose = table.hand.source is Source.LOOSE
        if table.drawn and not (loose and table.readings["loose_tile_drawn"] == "no"):
            yield Paid("drawn_from_live_wall", points=2)


def _bonus(table: Table) -> Iterator[Paid]:
    yield from bonus_points(table)
    for name in own_bonus(table):
        yield Paid(f"own_{name}", doubles=1)
    held = {tile.value for tile in table.hand.bonus}
    bouquet = 2 if table.readings["bouquet"] == "two" else 1
    for name in ("flower", "season"):
        if held >= {f"{name[0]}{number}" for number in range(1, 5)}:
            yield Paid(f"all_four_{name}s", doubles=bouquet)


def _doubles(table: Table) -> Iterator[Paid]:
    """The doubles of the sets and of the way of winning, but that for no chow."""
    yield from set_doubles(table)
    if table.hand.winning:
        hand, tiles = table.hand, set(table.tiles)
        mixed = len(suits(table)) == 1 and bool(tiles & HONOURS)
        for_any = table.readings["concealed_needs_honours"] == "no"
        earned = {
            "one_suit_and_honours": mixed,
            "all_majors": tiles <= MAJORS and bool(tiles & HONOURS),
            "all_concealed": concealed(table) and table.drawn and (mixed or for_any),
            "loose_tile": hand.source is Source.LOOSE,
            "last_tile_of_wall": _last(table) and hand.source is Source.WALL,
            "last_discard": _last(table) and hand.source is Source.DISCARD,
            "robbing_a_kong": hand.source is Source.ROBBING,
            "original_call": Event.ORIGINAL_CALL in hand.events,
        }
        yield from (Paid(rule, doubles=1) for rule, due in earned.items() if due)


def _last(table: Table) -> bool:
    return Event.LAST_TILE in table.hand.events


def _apart(table: Table) -> Iterator[Paid]:
    """Flowers and seasons counted apart, with the last discard's double."""
    for paid in _bonus(table):
        yield paid._replace(part="bonus")
    if table.hand.bonus and _last(table) and table.hand.source is Source.DISCARD:
        yield Paid("last_discard", doubles=1, part="bonus")


def _pay(table: Table, name: str) -> Iterator[Paid]:
    if name == "purity":
        yield from _pay_purity(table)
    else:
        half = name in {"all_pair_honours", "knitting", "triple_knitting"}
        yield Paid(name, limits=Fraction(1, 2) if half else Fraction(1))
        yield from _apart(table)


def _pay_purity(table: Table) -> Iterator[Paid]:
    yield Paid("purity", doubles=3)
    yield from _points(table)
    yield from _doubles(table)
    yield from (_apart if table.readings["purity_bonus"] == "apart" else _bonus)(table)


def _call(table: Table, name: str) -> Sequence[Paid]:
    if table.readings["calling_declared"] == "yes" and Event.FISHING not in table.hand.events:
        return []
    if name == "purity":
        return list(_pay_purity(table))
    half = name in {"all_pair_honours", "knitting", "triple_knitting"}
    limits = Fraction(1, 5) if half else Fraction(2, 5)
    return [Paid(f"calling_{name}", limits=limits), *_apart(table)]


# ---- Special hands


def _seven_pairs(table: Table) -> bool:
    even = all(table.tiles.count(tile) % 2 == 0 for tile in table.tiles)
    return not table.hand.declared and even and set(table.tiles) <= MAJORS


def _gates_of_heaven(table: Table) -> bool:
    ends = [tile for tile in table.tiles if tile in TERMINALS]
    by_end = table.hand.winning in TERMINALS
    may_claim = by_end or table.readings["gates_claim"] == "any"
    return has_gates(table, table.tiles) and len(ends) == 6 and (table.drawn or may_claim)


def _knitting(table: Table) -> Iterator[tuple[Meld, ...]]:
    two = len(suits(table)) == 2 or table.readings["knitting_suits"] == "any-two"
    if two and not table.hand.declared:
        yield from set(_knit(table.tiles, triples=0))


def _triple_knitting(table: Table) -> Iterator[tuple[Meld, ...]]:
    if not table.hand.declared:
        yield from set(_knit(table.tiles, triples=4))


def _knit(tiles: Sequence[Tile], triples: int) -> Iterator[tuple[Meld, ...]]:
    """All ways to make the tiles into so many knitted triples, and knitted pairs of the rest."""
    if not tiles:
        yield ()
        return
    first = min(tiles)
    partners = [
        tile for tile in set(tiles) if tile.suit and tile.rank == first.rank and tile is not first
    ]
    choices = [(Kind.KNITTED_PAIR, [first, partner]) for partner in partners]
    if len(partners) == 2 and triples:
        choices.append((Kind.KNITTED_TRIPLE, [first, *sorted(partners)]))
    for kind, taken in choices:
        rest = list(tiles)
        for tile in taken:
            rest.remove(tile)
        left = triples - (kind is Kind.KNITTED_TRIPLE)
        if len(rest) < 3 * left:
            continue
        for melds in _knit(rest, left):
            yield tuple(sorted((Meld(kind, tuple(taken)), *melds), key=str))


_SPECIALS: Mapping[str, Callable[[Table], bool]] = {
    "buried_treasure": buried_treasure,
    "imperial_jade": lambda table: (
        set(table.tiles) <= GREEN and (chows(table) == 0 or table.readings["jade_chow"] == "yes")
    ),
    "heads_and_tails": lambda table: set(table.tiles) <= TERMINALS,
    "fourfold_plenty": lambda table: kongs(table) == 4,
    "three_great_scholars": lambda table: pungs(table) >= DRAGONS and chows(table) == 0,
    "all_winds_and_dragons": lambda table: set(table.tiles) <= HONOURS,
    "four_blessings": lambda table: pungs(table) == WINDS,
    "purity": lambda table: (
        len(suits(table)) == 1 and not set(table.tiles) & HONOURS and chows(table) == 0
    ),
}

BMJA = Rules(
    shapes={
        "all_pair_honours": _seven_pairs,
        "gates_of_heaven": _gates_of_heaven,
        "wriggling_snake": wriggling_snake,
        "thirteen_unique_wonders": thirteen_orphans,
    },
    events={
        "heavens_blessing": lambda table: first_turn(table, dealer=True),
        "earths_blessing": lambda table: first_turn(table, dealer=False),
        "plum_blossom": lambda table: won_on(table, "5d", Source.LOOSE),
        "plucking_the_moon": lambda table: _last(table) and won_on(table, "1d", Source.WALL),
        "twofold_fortune": lambda table: Event.KONG_ON_KONG in table.hand.events,
    },
    specials=_SPECIALS,
    count=_count,
    legal=lambda melds: sum(meld.kind is Kind.CHOW for meld in melds) <= 1,
    knit={"knitting": _knitting, "triple_knitting": _triple_knitting},
    pay=_pay,
    call=_call,
)
