"""What hands in arrays state, as the facts of the encodings: a row of bits for each fact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjasp.compiled.layout import BONUS, COMPLETES, DECLARED, EVENTS, SOURCES, TILES, WINDS, Hands
from mjasp.facts import calls_fact, tile_term, wait_fact

__all__ = ["Stated"]

Bits = NDArray[np.bool_]

_KINDS = tuple(map(tile_term, TILES))
_HELD = [f"held({kind},{copy})" for kind in _KINDS for copy in range(1, 5)]
_LAID = [
    f"{meld.kind.value}({tile_term(meld.tiles[0])}),"
    f"{'claimed' if meld.claimed else 'exposed' if meld.exposed else 'concealed'}"
    for meld in DECLARED
]
_CHOWS = [f"declared({meld},{copy})" for meld in _LAID[:21] for copy in range(1, 5)]
_OTHERS = [f"declared({meld},1)" for meld in _LAID[21:]]
_WON = [f"won_on({kind})" for kind in _KINDS]
_FIXED = [f"fixed({kind.value},{place})" for kind, place in COMPLETES]
_SOURCES = [f"source({source.value})" for source in SOURCES]
_SEATS = [f"seat({wind.name.lower()})" for wind in WINDS]
_ROUNDS = [f"round({wind.name.lower()})" for wind in WINDS]
_EVENTS = [event.value.replace("-", "_") for event in EVENTS]
_BONUS = [f"bonus({tile_term(tile)})" for tile in BONUS]


@dataclass(slots=True)
class Stated:
    """What is stated of N hands: `rows` has a bit for each hand, for each fact stated of any.

    `copies` (34, N) is how many of each tile a hand has without the winning one, `bare` (N) tells
    the hands of which nothing is declared.
    """

    hands: Hands
    rows: dict[str, Bits]
    copies: NDArray[np.uint8]
    bare: Bits

    @classmethod
    def laid_out(cls, hands: Hands) -> Stated:
        """The tiles before the winning one: what the others begin with."""
        held, declared = np.ascontiguousarray(hands.held.T), np.ascontiguousarray(hands.declared.T)
        copies, bare = held.copy(), np.ones(len(hands), bool)
        for meld, times in zip(DECLARED, declared, strict=True):
            if times.any():
                bare &= times == 0
                for tile in meld.tiles:
                    copies[tile.order] += times
        stated = cls(hands, {}, copies, bare)
        number = np.arange(1, 5, dtype=np.uint8)[:, None]
        stated.state(_HELD, (held[:, None] >= number).reshape(len(_HELD), len(hands)))
        stated.state(_CHOWS, (declared[:21, None] >= number).reshape(len(_CHOWS), len(hands)))
        stated.state(_OTHERS, declared[21:] > 0)
        return stated

    def waiting(self) -> Stated:
        """What the search for waits looks at."""
        stated = replace(self, rows=dict(self.rows))
        stated.everywhere("source(wall)")
        return stated

    def played(self, hands: Hands) -> Stated:
        """With all that `hands` state, which have the same tiles laid out."""
        stated = replace(self, hands=hands, rows=dict(self.rows))
        stated.state(_WON, hands.winning == np.arange(len(TILES))[:, None])
        stated.state(_FIXED, hands.completes == np.arange(len(COMPLETES))[:, None])
        stated.state(_SOURCES, hands.source == np.arange(len(SOURCES))[:, None])
        stated.state(_SEATS, hands.seat == np.arange(len(WINDS))[:, None])
        stated.state(_ROUNDS, hands.round == np.arange(len(WINDS))[:, None])
        stated.state(_EVENTS, hands.events.T > 0)
        stated.state(_BONUS, hands.bonus.T > 0)
        stated.state(["unknown_tile"], hands.unknown_tiles[None] > 0)
        return stated

    def wait(self, waits: Bits) -> None:
        """Which tiles would have completed each hand: (N, 34)."""
        self.state([wait_fact(tile) for tile in TILES], waits.T)

    def call(self, rules: Sequence[str], calls: Bits) -> None:
        """Which special hands each hand is one tile short of."""
        self.state([calls_fact(rule) for rule in rules], calls.T)

    def everywhere(self, fact: str) -> None:
        """A fact that is stated of every hand."""
        self.rows[fact] = np.ones(len(self.hands), bool)

    def state(self, facts: Iterable[str], rows: Bits) -> None:
        """Facts, and of which hands each is stated: a row for each fact."""
        told: Any = rows.any(axis=1)
        self.rows.update(compress(zip(facts, rows, strict=True), told))
