"""Sets in a few characters, as the notation writes them, and in words."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from mjasp.hand import Kind, Meld
from mjasp.tiles import Tile, written

__all__ = ["apart", "draw_set", "draw_sets", "name_set", "share", "state_of"]


def draw_set(meld: Meld, winning: Tile | None = None) -> str:
    """A set as it is written, with a `+` before the winning tile that completed it.

    >>> draw_set(Meld(Kind.PAIR, (Tile.E, Tile.E), completed=True), Tile.E)
    'E+E'
    """
    if meld.completed and winning is not None:
        return f"{written(meld.without(winning))}+{winning}"
    return str(meld)


def draw_sets(sets: Iterable[Meld], winning: Tile | None = None) -> str:
    """The sets of an interpretation on one line, then the tiles that stand in no set.

    >>> pung = Meld(Kind.PUNG, (Tile.G,) * 3)
    >>> draw_sets([Meld(Kind.SINGLE, (Tile.B1,)), pung, Meld(Kind.SINGLE, (Tile.E,))])
    'GGG 1bE'
    """
    of_several, alone = apart(sets)
    drawn = [draw_set(meld, winning) for meld in of_several]
    return " ".join([*drawn, written(alone)] if alone else drawn)


def apart(sets: Iterable[Meld]) -> tuple[list[Meld], list[Tile]]:
    """The sets of several tiles, and the tiles that stand in none."""
    sets = list(sets)
    return (
        [meld for meld in sets if meld.kind is not Kind.SINGLE],
        [tile for meld in sets if meld.kind is Kind.SINGLE for tile in meld.tiles],
    )


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


def share(multiple: Fraction, limit: int | None = None) -> str:
    """A multiple of the limit in words.

    >>> share(Fraction(1), 500), share(Fraction(2, 5))
    ('1 x the limit of 500', '2/5 of the limit')
    """
    which = "the limit" if limit is None else f"the limit of {limit}"
    return f"{multiple} {'x' if multiple.denominator == 1 else 'of'} {which}"
