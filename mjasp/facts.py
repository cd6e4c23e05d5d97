"""A hand as facts: the only place that spells the input predicates of the encodings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mjasp.hand import Hand, Kind, Meld
from mjasp.tiles import Tile, Wind

__all__ = [
    "ASKED",
    "LENIENT",
    "calls_fact",
    "hand_facts",
    "mistakes",
    "reading_facts",
    "sought",
    "tile_term",
    "told",
    "wait_fact",
    "waiting_facts",
]

ASKED = "asked"
"""The fact that the question is about the rule set, not about a hand."""

LENIENT = "lenient"
"""The fact that a division need not meet the rule set's requirements."""

_WINDS = {Wind.EAST: "east", Wind.SOUTH: "south", Wind.WEST: "west", Wind.NORTH: "north"}


def tile_term(tile: Tile) -> str:
    """The term that stands for a tile.

    >>> tile_term(Tile("5b")), tile_term(Tile("Wh")), tile_term(Tile("f1"))
    ('suited(bamboo,5)', 'dragon(white)', 'flower(1)')
    """
    if tile.suit and tile.rank:
        return f"suited({tile.name_in_words.partition(' ')[2]},{tile.rank})"
    if tile.is_bonus:
        return f"{'flower' if tile.value[0] == 'f' else 'season'}({tile.value[1]})"
    colour, _, dragon = tile.name_in_words.partition(" ")
    return f"dragon({colour})" if dragon else f"wind({colour})"


_TERMS = {tile: tile_term(tile) for tile in Tile}
_HELD = {tile: tuple(f"held({_TERMS[tile]},{n})" for n in range(1, 5)) for tile in Tile}


def _meld_term(meld: Meld) -> str:
    return f"{meld.kind.value}({_TERMS[meld.tiles[0]]})"


def _declared(melds: tuple[Meld, ...]) -> Iterator[str]:
    copies: dict[str, int] = {}
    for meld in melds:
        making = "claimed" if meld.claimed else "exposed" if meld.exposed else "concealed"
        stated = f"{_meld_term(meld)},{making}"
        copies[stated] = copies.get(stated, 0) + 1
        yield f"declared({stated},{copies[stated]})"


def _tiles(hand: Hand) -> list[str]:
    facts = []
    copy = 0
    previous = None
    for tile in hand.concealed:  # in order, so equal tiles are neighbours
        copy = copy + 1 if tile is previous else 0
        facts.append(_HELD[tile][copy])
        previous = tile
    if hand.declared:
        facts.extend(_declared(hand.declared))
    return facts


def hand_facts(hand: Hand) -> list[str]:
    """The facts that a hand states, each as clingo writes it."""
    facts = _tiles(hand)
    facts.extend(f"bonus({_TERMS[tile]})" for tile in hand.bonus)
    if hand.winning:
        facts.append(f"won_on({_TERMS[hand.winning]})")
    if hand.winning and hand.completes:
        place = hand.completes.tiles.index(hand.winning) if hand.completes.kind is Kind.CHOW else 0
        facts.append(f"fixed({hand.completes.kind.value},{place})")
    if hand.source:
        facts.append(f"source({hand.source.value})")
    facts.extend(sorted(event.value.replace("-", "_") for event in hand.events))
    if hand.unknown_tiles:
        facts.append("unknown_tile")
    if hand.seat:
        facts.append(f"seat({_WINDS[hand.seat]})")
    if hand.round:
        facts.append(f"round({_WINDS[hand.round]})")
    return facts


def waiting_facts(hand: Hand) -> list[str]:
    """The facts that the search for waits looks at: the tiles before the winning one."""
    return [*_tiles(hand), "source(wall)"]


def wait_fact(tile: Tile) -> str:
    """The fact that a tile would have completed the hand."""
    return f"wait({_TERMS[tile]})"


def calls_fact(rule: str) -> str:
    """The fact that a loser is one tile short of a special hand."""
    return f"calls({rule})"


def reading_facts(readings: Mapping[str, str]) -> list[str]:
    """The facts for the readings in force: name to value."""
    return [f'reading({reading},"{value}")' for reading, value in readings.items()]


def told(stated: Iterable[str]) -> Iterator[str]:
    """The facts of a hand as those of the hand that is to be changed.

    Which tiles would have completed it is not among them: another hand waits for others.
    """
    for fact in stated:
        if fact.startswith(("calls(", "unknown_tile")):
            yield fact
        elif not fact.startswith("wait("):
            yield f"told({fact})"


def sought(rule: str) -> str:
    """The fact that a rule is to fire."""
    return f"sought({rule})"


def mistakes(number: int) -> str:
    """The fact that so many things were taken for otherwise than they are."""
    return f"mistakes({number})"
