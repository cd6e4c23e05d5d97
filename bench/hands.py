"""Seeded random hands of all kinds, the same on every machine: for benchmarks and for tests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from mjasp.errors import HandError
from mjasp.hand import Event, Hand, Kind, Meld, Source
from mjasp.tiles import Tile, Wind

__all__ = ["losing_hand", "losing_hands", "won_hand", "won_hands"]

SETS = [tile for tile in Tile if not tile.is_bonus]
MAJORS = [tile for tile in SETS if tile.rank in (1, 9, None)]
GREEN = [Tile("2b"), Tile("3b"), Tile("4b"), Tile("6b"), Tile("8b"), Tile("G")]
BONUS = [tile for tile in Tile if tile.is_bonus]


def won_hands(count: int, seed: int = 0) -> Iterator[Hand]:
    """`count` winning hands: chows and pungs, one suit, majors, honours, kongs, special shapes."""
    random = Random(seed)
    for _ in range(count):
        yield won_hand(random)


def losing_hands(count: int, seed: int = 0) -> Iterator[Hand]:
    """`count` hands that did not win: winning hands broken by a tile, and dealt at random."""
    random = Random(seed)
    for _ in range(count):
        yield losing_hand(random)


def won_hand(random: Random) -> Hand:
    """A winning hand of four sets and a pair, or of a special shape."""
    while True:
        melds = _special(random) if random.random() < 0.04 else _sets(random)
        try:
            return _finish(random, melds)
        except HandError:
            continue  # a fifth copy, or circumstances that contradict each other


def losing_hand(random: Random) -> Hand:
    """A hand that did not win: one tile short, or tiles at random."""
    while True:
        hand = won_hand(random)
        concealed = list(hand.concealed)
        for at in random.sample(range(len(concealed)), _broken(random, len(concealed))):
            concealed[at] = random.choice(SETS)
        try:
            return Hand(
                concealed=tuple(concealed),
                declared=hand.declared,
                bonus=hand.bonus,
                seat=hand.seat,
                round=hand.round,
                events=frozenset({Event.FISHING}) if random.random() < 0.1 else frozenset(),
            )
        except HandError:
            continue


def _broken(random: Random, held: int) -> int:
    return min(held, random.choice((0, 1, 1, 3, held)))


def _sets(random: Random) -> list[Meld]:
    pool = random.choices(
        (
            SETS,
            [tile for tile in SETS if tile.suit == random.choice("bcd")],
            [tile for tile in SETS if tile.suit in (None, random.choice("bcd"))],
            MAJORS,
            [tile for tile in SETS if tile.suit is None],
            GREEN,
        ),
        weights=(50, 12, 18, 8, 6, 6),
    )[0]
    pool = pool if len(pool) > 4 else SETS
    chows = [tile for tile in pool if tile.rank and tile.rank < 8 and _chow(tile) <= set(pool)]
    chow_share = random.choice((0.0, 0.4, 0.8, 1.0)) if chows else 0.0
    melds = []
    for _ in range(4):
        if random.random() < chow_share:
            melds.append(Meld(Kind.CHOW, tuple(sorted(_chow(random.choice(chows))))))
        elif random.random() < 0.2:
            melds.append(Meld(Kind.KONG, (random.choice(pool),) * 4))
        else:
            melds.append(Meld(Kind.PUNG, (random.choice(pool),) * 3))
    return [*melds, Meld(Kind.PAIR, (random.choice(pool),) * 2)]


def _chow(tile: Tile) -> set[Tile]:
    return set(SETS[tile.order : tile.order + 3])


def _special(random: Random) -> list[Meld]:
    suit = random.choice("bcd")
    if random.random() < 0.5:
        tiles = [Tile(f"{rank}{suit}") for rank in (1, 1, *range(1, 10), 9, 9)]
        tiles.append(Tile(f"{random.randint(1, 9)}{suit}"))
    else:
        tiles = [*MAJORS, random.choice(MAJORS)]
    return [Meld(Kind.WHOLE_HAND, tuple(tiles))]


def _finish(random: Random, melds: list[Meld]) -> Hand:
    exposed = random.choice((0.0, 0.0, 0.5, 0.9))
    declared: list[Meld] = []
    tiles: list[Tile] = []
    for meld in melds:
        laid_down = meld.kind in (Kind.CHOW, Kind.PUNG) and random.random() < exposed
        if meld.kind is Kind.KONG:
            making = random.choice(((True, False), (False, False), (True, True)))
            declared.append(Meld(meld.kind, meld.tiles, making[0], True, making[1]))
        elif laid_down:
            declared.append(Meld(meld.kind, meld.tiles, exposed=True, declared=True))
        else:
            tiles += meld.tiles
    winning = random.choice(tiles)
    tiles.remove(winning)
    return Hand(
        concealed=tuple(tiles),
        declared=tuple(declared),
        bonus=tuple(random.sample(BONUS, random.choice((0, 0, 0, 1, 2, 4)))),
        winning=winning,
        source=random.choice(tuple(Source)),
        events=frozenset(event for event in Event if random.random() < 0.04),
        seat=random.choice(tuple(Wind)),
        round=random.choice(tuple(Wind)),
    )
