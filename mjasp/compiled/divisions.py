"""The ways to divide a part of a hand, which the encodings are asked for once a pattern.

Sets stand in one suit or among the honours, and knitted sets in one rank: so the divisions of a
hand are the joined divisions of its parts, and patterns of one part recur all the time. What a
division is, is said in the encodings alone (`encodings/divide.lp`); here their answers are kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from mjasp.facts import tile_term
from mjasp.ruleset_files import entry_texts
from mjasp.solver import Program, Term
from mjasp.tiles import Tile

__all__ = ["Divisions", "Row"]

Row = tuple[str, ...]
"""What is chosen in one division: atoms as clingo writes them, without spaces, in order."""

Rows = tuple[Row, ...]

_KINDS = tuple(tile_term(tile) for tile in Tile if not tile.is_bonus)
_SUITS = ("bamboo", "characters", "dots")

# The tiles of each part, as the encodings name them, in the order of a part's counts.
_TILES = {
    **{suit: _KINDS[9 * at : 9 * at + 9] for at, suit in enumerate(_SUITS)},
    "honours": _KINDS[27:],
    **{str(rank): tuple(f"suited({suit},{rank})" for suit in _SUITS) for rank in range(1, 10)},
}
_PARTS = (*_SUITS, "honours")

_ELSEWHERE = "elsewhere"
_EMPTY: Rows = ()

# Known patterns at once; a pattern takes about half a kilobyte.
_MOST = 50_000


class _Question(NamedTuple):
    """What the encodings are asked.

    The part by its name, the tiles that it holds of each kind, and either how many things more are
    stated: that the winning tile is elsewhere, the knitted shape. Where nothing is, each tile of
    the part is tried as the winning one: one answer for all the tiles that a hand may wait for.
    """

    part: str
    held: tuple[int, ...]
    stated: tuple[str, ...] = ()


# The rows by the winning tile's place in the part, None where it is elsewhere; none: no key.
_Answer = dict[int | None, Rows]


class Divisions:
    """The divisions of parts of hands, by pattern.

    Made for one thread. Each question is asked of clingo once; the programs are grounded when first
    needed.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._known: dict[tuple[int, tuple[int, ...], int | str | None], Rows] = {}
        self._answers: dict[_Question, _Answer] = {}
        self._programs: dict[str, Program[str]] = {}

    def part(self, part: int, counts: tuple[int, ...], winning: int | None = None) -> Rows:
        """The divisions of a suit or of the honours, in a fixed order; none: there is no way.

        `part` is 0 for bamboo, 1 characters, 2 dots, 3 honours (E S W N R G Wh). `counts` says how
        many tiles of each kind there are, 0 to 4: nine numbers, seven for the honours, the winning
        tile among them. `winning` is the place of the winning tile in it; None: the hand is won on
        a tile of another part. Rows hold `formed(Meld,N)` and, where the winning tile is in the
        part, the one `completed(Meld)`. Whether the part holds the pair depends on its rows' number
        of tiles alone: of the parts of a hand, just one does.

        Raises ValueError for counts that no part can have.
        """
        key = part, counts, winning
        try:
            return self._known[key]
        except KeyError:
            pass
        name = _PARTS[part]
        held = list(counts)
        if winning is not None:
            held[winning] -= 1
        question = _Question(name, tuple(held), () if winning is not None else (_ELSEWHERE,))
        return self._keep(key, self._answer(question).get(winning, _EMPTY))

    def knitted(self, shape: str, rank: int, counts: tuple[int, int, int]) -> Rows:
        """The divisions of one rank of a hand that is read as a knitted shape, in a fixed order.

        `shape` is as in the encodings: knitted_pairs, knitted_pairs_of_two_suits, knitted_triples;
        `rank` is 1 to 9; `counts` are of bamboo, characters, dots, the winning tile among them.
        Rows hold `formed(Meld,N)`: what the winning tile completed is not chosen. Of the ranks of
        knitted triples just one holds a pair. What is asked of the whole hand, that it lacks honours
        or a suit, cannot be seen in a rank.

        Raises ValueError for counts that no rank can have, KeyError for a shape there is not.
        """
        key = rank, counts, shape
        try:
            return self._known[key]
        except KeyError:
            pass
        question = _Question(str(rank), counts, (_ELSEWHERE, f"read_as({shape})"))
        return self._keep(key, self._answer(question).get(None, _EMPTY))

    def flush(self) -> None:
        """Write what is new to the disk."""

    def _keep(self, key: tuple[int, tuple[int, ...], int | str | None], rows: Rows) -> Rows:
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = rows
        return rows

    def _answer(self, question: _Question) -> _Answer:
        answer = self._answers.get(question)
        if answer is None:
            if len(self._answers) >= _MOST:
                self._answers.clear()
            answer = self._answers[question] = self._ask(question)
        return answer

    def _ask(self, question: _Question) -> _Answer:
        part, held, stated = question
        tiles = _TILES[part]
        if len(held) != len(tiles) or not all(0 <= count <= 4 for count in held):
            raise ValueError(f"{part} cannot hold {held}")
        facts = [
            f"held({tile},{copy})"
            for tile, count in zip(tiles, held, strict=True)
            for copy in range(1, count + 1)
        ]
        found: dict[int | None, list[Row]] = {}
        for atoms in self._program(part).solve([*facts, *stated]):
            tried = [atom for atom in atoms if atom.startswith("tried(")]
            winning = tiles.index(tried[0][len("tried(") : -1]) if tried else None
            row = tuple(sorted(atom for atom in atoms if atom not in tried))
            found.setdefault(winning, []).append(row)
        return {winning: tuple(sorted(rows)) for winning, rows in found.items()}

    def _program(self, part: str) -> Program[str]:
        if part not in self._programs:
            texts = [*entry_texts("divide"), f"part({part})."]
            self._programs[part] = Program(texts, _written)
        return self._programs[part]


def _written(term: Term) -> str:
    """A term as clingo writes it.

    >>> _written(("formed", ("chow", ("suited", "bamboo", 1)), 1))
    'formed(chow(suited(bamboo,1)),1)'
    """
    if isinstance(term, tuple):
        name, *arguments = term
        return f"{name}({','.join(map(_written, arguments))})"
    return str(term)
