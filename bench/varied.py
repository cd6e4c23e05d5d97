"""Seeded random hands of kinds that deals seldom bring: what engines may differ over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from bench.hands import BONUS, GREEN, MAJORS, SETS, losing_hand, won_hand
from mjasp.errors import HandError
from mjasp.hand import Event, Hand, Kind, Meld, Source
from mjasp.tiles import Tile, Wind

__all__ = ["varied_hand", "varied_hands"]

HONOURS = [tile for tile in SETS if not tile.suit]
TERMINALS = [tile for tile in SETS if tile.rank in (1, 9)]
_LOST = 0.3
_MAKINGS = ((True, False), (False, False), (True, True))  # of kongs: exposed, claimed


def varied_hands(count: int, seed: int = 0) -> Iterator[Hand]:
    """`count` hands of all kinds, won, lost and false wins; each can be at a table."""
    random = Random(seed)
    for _ in range(count):
        yield varied_hand(random)


def varied_hand(random: Random) -> Hand:
    """A hand of some kind; in some, seat, round or source are left out."""
    while True:
        try:
            hand = random.choices(_KINDS, _TIMES)[0](random)
            left_out = [fact for fact in ("seat", "round", "source") if random.random() < 0.07]
            told: dict[str, Any] = dict.fromkeys(left_out)
            hand = replace(hand, **told)
            hand.resolved()
        except HandError:
            continue  # a fifth copy, or circumstances that contradict each other
        else:
            return hand


# ---- Kinds of hand


def _few_kinds(random: Random) -> Hand:
    """Tiles of few neighbours, which can often be divided in many ways."""
    start = random.choice((0, 9, 18)) + random.randrange(4)
    near = SETS[start : start + random.randint(3, 6)]
    sets = [
        near[at : at + 3] if random.random() < 0.7 else near[at : at + 1] * 3
        for at in (random.randrange(len(near) - 2) for _ in range(4))
    ]
    tiles = [tile for each in sets for tile in each] + [random.choice(near)] * 2
    return _ended(random, tiles, [])


def _equal_chows(random: Random) -> Hand:
    """Four equal chows, or pungs in a row that can be chows: the most divisions there are."""
    start = random.choice((0, 9, 18)) + random.randrange(5)
    five = SETS[start : start + 5]
    tiles = random.choice((five[:3] * 4, five[:4] * 3, [*five[:3] * 3, *five[1:4]]))
    tiles = tiles + [random.choice([*five, random.choice(SETS)])] * 2
    declared = []
    while random.random() < 0.3 and set(five[:3]) <= set(tiles):
        for tile in five[:3]:
            tiles.remove(tile)
        declared.append(Meld(Kind.CHOW, tuple(five[:3]), exposed=True))
    return _ended(random, tiles, declared)


def _sets_of(random: Random) -> Hand:
    """Pungs and kongs of tiles of one kind, some or all of them laid down."""
    suit = random.choice("bcd")
    of_suit = [tile for tile in SETS if tile.suit in (None, suit)]
    pool = random.choice((SETS, HONOURS, MAJORS, TERMINALS, GREEN, of_suit, of_suit[:9]))
    kinds = random.sample(pool, 5)
    if random.random() < 0.3:
        kinds = [*random.choice((HONOURS[:4], HONOURS[4:])), *random.sample(pool, 2)][:5]
    random.shuffle(kinds)
    laid_down, kongs = random.choice((0.0, 0.3, 0.9, 1.0)), random.choice((0.0, 0.3, 1.0))
    tiles = [kinds[0]] * 2
    declared = []
    for tile in kinds[1:]:
        if random.random() < kongs:
            exposed, claimed = random.choice(_MAKINGS)
            declared.append(Meld(Kind.KONG, (tile,) * 4, exposed, claimed=claimed))
        elif random.random() < laid_down:
            declared.append(Meld(Kind.PUNG, (tile,) * 3, exposed=True))
        else:
            tiles += [tile] * 3
    return _ended(random, tiles, declared)


def _shape(random: Random) -> Hand:
    """The tiles of a hand that is counted as a whole, or nearly those."""
    suit, other, third = random.sample("bcd", 3)
    ranks = [random.randint(1, 9) for _ in range(7)]
    few = [random.randint(1, 4) for _ in range(7)]
    winds, dragons = HONOURS[:4], HONOURS[4:]
    row = _of(suit, *range(1, 10))
    shapes = (
        [*MAJORS, random.choice(MAJORS)],
        [*row, *_of(suit, 1, 1, 9, 9), random.choice(row)],
        [*row, *winds, random.choice([*row, *winds])],
        [*row, *random.choices(dragons, k=3), *random.choices([*row, *dragons], k=2)],
        _of(suit, *ranks) * 2,
        _of(suit + other, *ranks),
        _of(suit + other, *few),
        [tile for rank in ranks for tile in random.sample(_of("bcd", rank), 2)],
        [tile for rank in few for tile in random.sample(_of("bcd", rank), 2)],
        _of("bcd", *ranks[:4]) + _of(suit + other, ranks[4]),
        _of("bcd", *few[:4]) + _of(suit + other, few[4]),
        random.choices(MAJORS, k=7) * 2,
        random.choices(random.choice((SETS, HONOURS, TERMINALS, GREEN)), k=7) * 2,
        _of(suit, *range(1, 6)) + _of(other, 1, 9, 9) + _of(third, *ranks[:3]) + dragons,
        [*winds, *dragons, *random.sample([tile for tile in SETS if tile.suit], 7)],
        [*winds * 3, *dragons[:2]],
    )
    tiles = list(random.choice(shapes))
    if random.random() < 0.25:
        tiles[random.randrange(14)] = random.choice(random.choice((SETS, tiles)))
    return _ended(random, tiles, [])


def _anything(random: Random) -> Hand:
    """Tiles at random: of one suit, honours, or any; few of them make sets."""
    start = random.choice((0, 9, 18))
    pool = random.choice((SETS, SETS[start : start + 9], HONOURS, MAJORS))
    return _ended(random, random.sample([*pool * 4], 14), [])


def _fixed(random: Random) -> Hand:
    """A won hand of which is stated which set the winning tile completed, rightly or not."""
    while True:
        hand = random.choice((won_hand, _few_kinds, _equal_chows))(random)
        if hand.winning:
            break
    at = hand.winning.order
    sets = [(tile,) * size for size in (2, 3) for tile in (hand.winning,)]
    if hand.winning.rank:
        lowest = [at - back for back in range(3) if 1 <= hand.winning.rank - back <= 7]
        sets += [tuple(SETS[low : low + 3]) for low in lowest]
    kinds = {2: Kind.PAIR, 3: Kind.PUNG}
    melds = [
        Meld(kinds[len(tiles)] if tiles[0] is tiles[1] else Kind.CHOW, tiles) for tiles in sets
    ]
    possible = [meld for meld in melds if not set(meld.without(hand.winning)) - {*hand.concealed}]
    return replace(hand, completes=random.choice(possible or melds))


def _broken(random: Random) -> Hand:
    """A won hand with a tile or two changed: seldom still a win."""
    hand = won_hand(random)
    concealed = list(hand.concealed)
    for _ in range(random.choice((1, 1, 2))):
        if concealed:
            concealed[random.randrange(len(concealed))] = random.choice(SETS)
    return replace(hand, concealed=tuple(concealed))


def _unknown(random: Random) -> Hand:
    """A losing hand of which some tiles were not shown."""
    hand = random.choice((losing_hand, _lost))(random)
    number = random.randint(1, len(hand.concealed))
    kept = random.sample(hand.concealed, len(hand.concealed) - number)
    return replace(hand, concealed=tuple(kept), unknown_tiles=number)


def _lost(random: Random) -> Hand:
    while True:
        hand = random.choice((_sets_of, _shape))(random)
        if not hand.winning:
            return hand


# How often each kind is made, of twenty hands.
_SHARES: dict[Callable[[Random], Hand], int] = {
    won_hand: 5,
    losing_hand: 2,
    _few_kinds: 2,
    _equal_chows: 1,
    _sets_of: 2,
    _shape: 3,
    _anything: 1,
    _fixed: 2,
    _broken: 1,
    _unknown: 1,
}
_KINDS, _TIMES = tuple(_SHARES), tuple(_SHARES.values())


# ---- How it ended


def _ended(random: Random, tiles: list[Tile], declared: list[Meld]) -> Hand:
    """A hand of these tiles, won on one of them or without it; what else happened at random."""
    random.shuffle(tiles)
    winning, *concealed = tiles
    bonus = random.sample(BONUS, random.choice((0, 0, 1, 2, 4, 7, 8)))
    if random.random() < 0.1:
        bonus = random.choice((BONUS[:4], BONUS[4:]))
    told: dict[str, Any] = {
        "concealed": tuple(concealed),
        "declared": tuple(declared),
        "bonus": tuple(bonus),
        "seat": random.choice(tuple(Wind)),
        "round": random.choice(tuple(Wind)),
    }
    if random.random() < _LOST:
        fishing = random.random() < 0.3
        return Hand(**told, events=frozenset({Event.FISHING} if fishing else ()))
    return _won(random, Hand(**told), winning)


def _won(random: Random, hand: Hand, winning: Tile) -> Hand:
    """The hand won on a tile, in a way in which it can have been."""
    events = [event for event in Event if event is not Event.FISHING]
    while True:
        happened = random.sample(events, random.choice((0, 0, 1, 1, 2, 3)))
        source = random.choice(tuple(Source))
        try:
            return replace(hand, winning=winning, source=source, events=frozenset(happened))
        except HandError:
            if not happened and source in (Source.WALL, Source.DISCARD):
                raise


def _of(suits: str, *ranks: int) -> list[Tile]:
    """The tiles of these ranks in each of the suits."""
    return [Tile(f"{rank}{suit}") for suit in suits for rank in ranks]
