"""Random hands of every outcome, the same for the same seed: more kinds than a benchmark needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from oracle import KINDS, divisions

from bench.hands import losing_hand, won_hand
from mjasp import Hand, HandError, Tile
from mjasp.hand import Event, Kind, Meld, Source

_TERMINALS = [tile for tile in KINDS if tile.rank in {1, 9}]
_HONOURS = [tile for tile in KINDS if not tile.suit]
_MAJORS = _TERMINALS + _HONOURS
# The tile won on (None for any), how it came, what else happened.
_EVENTS: tuple[tuple[Tile | None, Source, frozenset[Event]], ...] = (
    (Tile("5d"), Source.LOOSE, frozenset()),
    (Tile("1d"), Source.WALL, frozenset({Event.LAST_TILE})),
    (Tile("2b"), Source.ROBBING, frozenset()),
    (None, Source.LOOSE, frozenset({Event.KONG_ON_KONG})),
    (None, Source.WALL, frozenset({Event.FIRST_TURN})),
    (None, Source.DISCARD, frozenset({Event.FIRST_TURN})),
)


def hands(count: int, seed: int) -> Iterator[Hand]:
    """Won hands, some with the completed set known; false wins; losers'."""
    random = Random(seed)
    for _ in range(count):
        yield any_hand(random)


def any_hand(random: Random) -> Hand:
    """A hand of any outcome."""
    makers = (won_hand, won_hand, losing_hand, _few_kinds, _fixed, _false_win, _rare, _event)
    return random.choice(makers)(random)


def _few_kinds(random: Random) -> Hand:
    """A hand of few kinds of tile, which can often be divided in several ways."""
    while True:
        start = random.choice((0, 9, 18)) + random.randrange(4)
        near = KINDS[start : start + 6]
        melds = [_any_meld(random, near) for _ in range(4)]
        tiles = [tile for meld in melds for tile in meld] + [random.choice(near)] * 2
        random.shuffle(tiles)
        try:
            hand = won_hand(random)
            return replace(hand, concealed=tuple(tiles[1:]), winning=tiles[0], declared=())
        except HandError:
            continue  # a fifth copy, or a robbed tile of which another is held


def _any_meld(random: Random, near: tuple[Tile, ...]) -> tuple[Tile, ...]:
    at = random.randrange(len(near) - 2)
    return near[at : at + 3] if random.random() < 0.7 else (near[at],) * 3


def _fixed(random: Random) -> Hand:
    """A won hand of which the table knows, or thinks it knows, the set completed."""
    hand = won_hand(random)
    assert hand.winning
    tiles = [*hand.concealed, hand.winning]
    found = sorted(divisions(tiles), key=str)
    melds = [meld for melds in found for meld in melds if hand.winning in meld.tiles]
    melds.append(Meld(Kind.PAIR, (hand.winning,) * 2))
    try:
        return replace(hand, completes=random.choice(melds))
    except HandError:
        return hand  # no other copy for the pair


def _false_win(random: Random) -> Hand:
    """A won hand with one tile changed, which is seldom still a win."""
    hand = won_hand(random)
    concealed = list(hand.concealed)
    concealed[random.randrange(len(concealed))] = random.choice(KINDS)
    try:
        return replace(hand, concealed=tuple(concealed))
    except HandError:
        return hand  # a fifth copy


def _rare(random: Random) -> Hand:
    """A hand at or near a rare one, won or one tile short of it."""
    while True:
        like = won_hand(random)
        tiles, declared = random.choice((_shape, _rare_pungs))(random)
        random.shuffle(tiles)
        if random.random() < 0.2:
            tiles[0] = random.choice(KINDS)
        held, laid_down = tuple(tiles[1:]), tuple(declared)
        try:
            hand = Hand(held, laid_down, like.bonus, seat=like.seat, round=like.round)
            if random.random() < 0.5:
                declares = random.random() < 0.3
                return replace(hand, events=frozenset({Event.FISHING} if declares else ()))
            return replace(hand, winning=tiles[0], source=like.source, events=like.events)
        except HandError:
            continue  # a fifth copy, or circumstances that contradict each other


def _event(random: Random) -> Hand:
    """A hand won in a way that some rule sets pay as a limit hand."""
    while True:
        hand = random.choice((won_hand, _rare))(random)
        tile, source, events = random.choice(_EVENTS)
        tiles = [*hand.concealed, hand.winning or random.choice(KINDS)]
        tile = tile or random.choice(tiles)
        if tile in tiles:
            tiles.remove(tile)
            try:
                won = replace(hand, concealed=tuple(tiles), winning=tile)
                return replace(won, source=source, events=events)
            except HandError:
                continue  # a fifth copy, or a hand that cannot have been won like this


def _shape(random: Random) -> tuple[list[Tile], list[Meld]]:
    """The tiles of a hand that is matched as a whole, none of them laid down."""
    suit, other = random.sample("bcd", 2)
    ranks = [random.randint(1, 9) for _ in range(7)]
    shapes = (
        _of(suit, 1, *range(1, 10)) + _HONOURS[:4],
        _of(suit, 1, 1, *range(1, 10), 9, 9, ranks[0]),
        _of(suit, *ranks) + _of(other, *ranks),
        [tile for rank in ranks for tile in random.sample(_of("bcd", rank), 2)],
        _of("bcd", *ranks[:4]) + _of(suit, ranks[4]) + _of(other, ranks[4]),
        random.choices(_MAJORS, k=7) * 2,
    )
    return random.choice(shapes), []


def _of(suits: str, *ranks: int) -> list[Tile]:
    """The tiles of these ranks in each of the suits."""
    return [Tile(f"{rank}{suit}") for suit in suits for rank in ranks]


def _rare_pungs(random: Random) -> tuple[list[Tile], list[Meld]]:
    """Pungs or kongs and a pair of few kinds of tile, some of them laid down."""
    suit = random.choice("bcd")
    of_suit = [tile for tile in KINDS if tile.suit in {None, suit}]
    pool, all_of = random.choice(
        ((_TERMINALS, []), (KINDS, _HONOURS[:4]), (KINDS, _HONOURS[4:]), (of_suit, []))
    )
    others = [tile for tile in pool if tile not in all_of]
    kinds = all_of + random.sample(others, 5 - len(all_of))
    random.shuffle(kinds)
    tiles = [kinds[0]] * 2
    declared: list[Meld] = []
    laid_down = random.choice((0.2, 0.2, 0.9))
    for tile in kinds[1:]:
        if random.random() < laid_down:
            kind, count = random.choice(((Kind.PUNG, 3), (Kind.KONG, 4), (Kind.KONG, 4)))
            declared.append(Meld(kind, (tile,) * count, exposed=True, declared=True))
        else:
            tiles += [tile] * 3
    return tiles, declared
