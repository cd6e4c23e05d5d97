"""Sets in a few characters, as the notation writes them, and in words."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from mjasp.hand import Kind, Meld
from mjasp.tiles import Tile, written

__all__ = ["draw_set", "draw_sets", "multiple", "name_set", "state_of"]


def draw_set(meld: Meld, winning: Tile | None = None) -> str:
    """A set as it is written, with a `+` before the winning tile that completed it.

    >>> draw_set(Meld(Kind.PAIR, (Tile.E, Tile.E), completed=True), Tile.E)
    'E+E'
    """
    if meld.completed and winning is not None:
        return f"{written(meld.without(winning))}+{winning}"
    return str(meld)


def draw_sets(sets: Iterable[Meld], winning: Tile | None = None) -> str:
    """The sets of an interpretation on one line."""
    return " ".join(draw_set(meld, winning) for meld in sets)


def name_set(meld: Meld) -> str:
    """A set in words.

    >>> name_set(Meld(Kind.PUNG, (Tile.G,) * 3)), name_set(Meld(Kind.PUNG, (Tile.B5,) * 3))
    ('pung of green dragons', 'pung of 5 bamboo')
    >>> name_set(Meld(Kind.CHOW, (Tile.D2, Tile.D3, Tile.D4)))
    'chow 2-3-4 dots'
    """
    first = meld.tiles[0]
    match meld.kind:
        case Kind.CHOW:
            suit = first.name_in_words.partition(" ")[2]
            return f"chow {'-'.join(str(tile.rank) for tile in meld.tiles)} {suit}"
        case Kind.PUNG | Kind.KONG | Kind.PAIR:
            plural = "" if first.suit else "s"
            return f"{meld.kind.value} of {first.name_in_words}{plural}"
        case _:
            return str(meld.kind.value).replace("_", " ")


def state_of(meld: Meld) -> str:
    """Whether a set is exposed, concealed or declared, and whether the winning tile completed it.

    >>> state_of(Meld(Kind.KONG, (Tile.C1,) * 4, declared=True))
    'concealed, declared'
    """
    words = ["exposed" if meld.exposed else "concealed"]
    if meld.claimed:
        words.append("claimed kong")
    elif meld.declared and not meld.exposed:
        words.append("declared")
    if meld.completed:
        words.append("completed by the winning tile")
    return ", ".join(words)


def multiple(amount: Fraction) -> str:
    """A whole number, or a decimal fraction.

    >>> multiple(Fraction(1)), multiple(Fraction(2, 5))
    ('1', '0.4')
    """
    return str(int(amount) if amount.denominator == 1 else float(amount))
