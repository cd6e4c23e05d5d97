"""Sets in a few characters, as the notation writes them, and in words."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from mjasp.hand import Kind, Meld
from mjasp.tiles import Tile, written
from mjasp.words import Words

__all__ = ["apart", "draw_set", "draw_sets", "name_set", "share", "state_of"]

_BY_TILES = frozenset({Kind.CHOW, Kind.PUNG, Kind.KONG, Kind.PAIR})


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


def name_set(meld: Meld, words: Words) -> str:
    """A set in words.

    >>> name_set(Meld(Kind.PUNG, (Tile.G,) * 3), Words())
    'pung of green dragons'
    >>> name_set(Meld(Kind.CHOW, (Tile.D2, Tile.D3, Tile.D4)), Words("fr"))
    'chow 2-3-4 de cercle'
    """
    if meld.kind in _BY_TILES:
        return words.set(meld)
    return words.say(meld.kind.value)


def state_of(meld: Meld, words: Words) -> str:
    """Whether a set is exposed, concealed or declared, and whether the winning tile completed it.

    >>> state_of(Meld(Kind.KONG, (Tile.C1,) * 4, declared=True), Words())
    'concealed, declared'
    """
    keys = ["exposed" if meld.exposed else "concealed"]
    if meld.claimed:
        keys.append("claimed_kong")
    elif meld.declared and not meld.exposed:
        keys.append("declared")
    if meld.completed:
        keys.append("completed")
    return ", ".join(words.say(key, meld.kind.value) for key in keys)


def share(multiple: Fraction, limit: int | None, words: Words) -> str:
    """A multiple of the limit in words.

    >>> share(Fraction(1), 500, Words()), share(Fraction(2, 5), None, Words())
    ('1 x the limit of 500', '2/5 of the limit')
    """
    key = "times" if multiple.denominator == 1 else "share_of"
    if limit is None:
        return words.say(f"{key}_the_limit", multiple=multiple)
    return words.say(f"{key}_limit", multiple=multiple, limit=limit)
