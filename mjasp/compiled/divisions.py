"""The ways to divide a part of a hand, which the encodings are asked for once.

Sets stand in one suit or among the honours, and knitted sets in one rank: so the divisions of a
hand are the joined divisions of its parts, and of those there are not many. What a division is, is
said in the encodings alone (`encodings/divide.lp`); here their answers are kept.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from mjasp.compiled.store import Store
from mjasp.facts import tile_term
from mjasp.ruleset_files import entry_texts
from mjasp.solver import Program, Term
from mjasp.tiles import Tile

__all__ = ["Divisions", "Row"]

Row = tuple[str, ...]
"""What is chosen in one division: atoms as clingo writes them, without spaces, in order."""

Rows = tuple[Row, ...]
Counts = tuple[int, ...]

_KINDS = tuple(tile_term(tile) for tile in Tile if not tile.is_bonus)
_SUITS = ("bamboo", "characters", "dots")

# The suit of no name: what is found for it holds for each suit.
_ANY = "any"
_HONOURS = "honours"

# The tiles of each part, as the encodings name them, in the order of a part's counts.
_TILES = {
    _ANY: tuple(f"suited({_ANY},{rank})" for rank in range(1, 10)),
    _HONOURS: _KINDS[27:],
    **{str(rank): tuple(f"suited({suit},{rank})" for suit in _SUITS) for rank in range(1, 10)},
}

# By its number, the part that is asked about and the suit that it then is.
_PARTS = (*((_ANY, suit) for suit in _SUITS), (_HONOURS, ""))

_WON_ELSEWHERE: tuple[str, ...] = ("elsewhere",)

_SHAPES = ("knitted_pairs", "knitted_pairs_of_two_suits", "knitted_triples")

_MOST_TILES = 14

# Known patterns at once; a pattern takes about half a kilobyte.
_MOST = 20_000


class _Question(NamedTuple):
    """What the encodings are asked: all divisions of the parts with so many tiles.

    The part by its name, and what more is stated: that the winning tile is elsewhere, or the
    knitted shape. Where it is not elsewhere, each tile of the part is tried as the winning one.
    """

    part: str
    tiles: int
    stated: tuple[str, ...]

    def written(self) -> str:
        """The question as a text.

        >>> _Question("any", 2, ("elsewhere",)).written()
        'any 2 elsewhere'
        """
        return " ".join((self.part, str(self.tiles), *self.stated))


# The rows of each pattern that has some, by its counts.
_Answer = dict[Counts, Rows]


class Divisions:
    """The divisions of parts of hands, by pattern.

    With a folder (see store.cache_folder) answers are kept there between processes; without, in
    memory only. Each question is asked of clingo once; the programs are grounded when first needed.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._known: dict[tuple[int, Counts, int | str | None], Rows] = {}
        self._answers: dict[_Question, _Answer] = {}
        self._completions: dict[str, list[dict[str, str]]] = {}
        self._programs: dict[str, Program[str]] = {}
        self._lock = Lock()

    def part(self, part: int, counts: tuple[int, ...], winning: int | None = None) -> Rows:
        """The divisions of a suit or of the honours, in a fixed order; none: there is no way.

        `part` is 0 for bamboo, 1 characters, 2 dots, 3 honours (E S W N R G Wh). `counts` says how
        many tiles of each kind there are, 0 to 4: nine numbers, seven for the honours, the winning
        tile among them. `winning` is the place of the winning tile in it; None: the hand is won on
        a tile of another part. Rows hold `formed(Meld,N)` and, where the winning tile is in the
        part, one `completed(Meld)`. All rows of a pattern hold a pair or none does; of the parts of
        a hand, just one is to hold it.

        Raises ValueError for counts and for a winning tile that no part can have.
        """
        key = part, counts, winning
        try:
            return self._known[key]
        except KeyError:
            pass
        name, suit = _PARTS[part]
        tiles = sum(counts)
        rows: Rows | None = None
        # Sets hold three tiles and the pair two; of more tiles there is no hand.
        if tiles % 3 != 1 and 0 <= tiles <= _MOST_TILES:
            rows = self._answer(_Question(name, tiles, _WON_ELSEWHERE)).get(counts)
        if rows is None:
            _check(name, counts, winning)
            return ()
        if winning is not None:
            _check(name, counts, winning)
            completes = self._completing(name)[winning]
            rows = tuple(
                tuple(sorted((*row, completes[atom])))
                for row in rows
                for atom in row
                if atom in completes
            )
        if suit:
            rows = tuple(tuple(_named(atom, suit) for atom in row) for row in rows)
        return self._keep(key, tuple(sorted(rows)))

    def knitted(self, shape: str, rank: int, counts: tuple[int, int, int]) -> Rows:
        """The divisions of one rank of a hand that is read as a knitted shape, in a fixed order.

        `shape` is as in the encodings: knitted_pairs, knitted_pairs_of_two_suits, knitted_triples;
        `rank` is 1 to 9; `counts` are of bamboo, characters, dots, the winning tile among them.
        Rows hold `formed(Meld,N)`: what the winning tile completed is not chosen. All rows of a
        pattern of knitted triples hold a pair or none does; of the ranks, just one is to hold it.
        What is asked of the whole hand, that it lacks honours or a suit, is not asked of a rank.

        Raises ValueError for counts that no rank can have, KeyError for a shape there is not.
        """
        key = rank, counts, shape
        try:
            return self._known[key]
        except KeyError:
            pass
        _check(str(rank), counts)
        if shape not in _SHAPES:
            raise KeyError(shape)
        question = _Question(str(rank), sum(counts), (*_WON_ELSEWHERE, f"read_as({shape})"))
        return self._keep(key, self._answer(question).get(counts, ()))

    def flush(self) -> None:
        """Write what is new to the disk."""
        if self._answers and self._store:
            self._store.flush()

    @cached_property
    def _texts(self) -> list[str]:
        return entry_texts("divide")

    @cached_property
    def _store(self) -> Store | None:
        return Store(self._folder, self._texts) if self._folder else None

    def _keep(self, key: tuple[int, tuple[int, ...], int | str | None], rows: Rows) -> Rows:
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = rows
        return rows

    def _answer(self, question: _Question) -> _Answer:
        answer = self._answers.get(question)
        if answer is None:
            with self._lock:
                answer = self._found(question)
                if len(self._answers) >= _MOST:
                    self._answers.clear()
                self._answers[question] = answer
        return answer

    def _found(self, question: _Question) -> _Answer:
        """The answer from the disk, or from the encodings."""
        written = question.written()
        stored = self._store.get(written) if self._store else None
        answer = None if stored is None else _read(stored, question)
        if answer is not None:
            return answer
        answer = self._ask(question)
        if self._store:
            self._store.put(written, _as_text(answer))
        return answer

    def _ask(self, question: _Question) -> _Answer:
        kinds = _TILES[question.part]
        held = {
            f"copies({tile},{number})": (at, number)
            for at, tile in enumerate(kinds)
            for number in range(1, 5)
        }
        found: defaultdict[Counts, list[Row]] = defaultdict(list)
        stated = (f"tiles({question.tiles})", *question.stated)
        for atoms in self._program(question.part).solve(stated):
            counts = [0] * len(kinds)
            for at, number in filter(None, map(held.get, atoms)):
                counts[at] = number
            row = sorted(atom for atom in atoms if atom not in held)
            found[tuple(counts)].append(tuple(row))
        return {counts: tuple(sorted(rows)) for counts, rows in sorted(found.items())}

    def _completing(self, name: str) -> list[dict[str, str]]:
        """What each tile of a part, as the winning one, may complete: of a set formed, that it is.

        Asked of parts that become a pair or a set of three with the winning tile: what else stands
        in the part is of no matter.
        """
        completing = self._completions.get(name)
        if completing is not None:
            return completing
        completing = self._completions[name] = [{} for _ in _TILES[name]]
        tries = [f"tried({tile})" for tile in _TILES[name]]
        for tiles in (1, 2):
            for rows in self._answer(_Question(name, tiles, ())).values():
                for row in rows:
                    completed, formed, tried = row
                    completing[tries.index(tried)][formed] = completed
        return completing

    def _program(self, part: str) -> Program[str]:
        if part not in self._programs:
            self._programs[part] = Program([*self._texts, f"part({part})."], _written)
        return self._programs[part]


def _check(part: str, counts: Counts, winning: int | None = None) -> None:
    kinds = len(_TILES[part])
    if len(counts) != kinds or min(counts) < 0 or max(counts) > 4:
        raise ValueError(f"no part has the counts {counts}")
    if winning is not None and not (0 <= winning < kinds and counts[winning]):
        raise ValueError(f"no part has a winning tile at {winning} of {counts}")


@cache
def _named(atom: str, suit: str) -> str:
    """An atom of the suit of no name as one of a suit.

    >>> _named("formed(pair(suited(any,5)),1)", "dots")
    'formed(pair(suited(dots,5)),1)'
    """
    return atom.replace(f"suited({_ANY},", f"suited({suit},")


def _as_text(answer: _Answer) -> str:
    """An answer as the store keeps it: a line for each row, its atoms after the counts.

    >>> _as_text({(2, 0, 0, 0, 0, 0, 0): (("formed(pair(wind(east)),1)",),)})
    '2000000 formed(pair(wind(east)),1)'
    """
    return "\n".join(
        " ".join(("".join(map(str, counts)), *row))
        for counts, rows in answer.items()
        for row in rows
    )


def _read(text: str, question: _Question) -> _Answer | None:
    """An answer from its text, None where that answers no such question.

    Equal atoms are one string, in however many rows they stand.

    >>> question = _Question("honours", 2, _WON_ELSEWHERE)
    >>> _read("2000000 formed(pair(wind(east)),1)", question)
    {(2, 0, 0, 0, 0, 0, 0): (('formed(pair(wind(east)),1)',),)}
    >>> _read("2000000 formed(east)", question)
    """
    form = _line_form(question.part, elsewhere="elsewhere" in question.stated)
    found: defaultdict[Counts, list[Row]] = defaultdict(list)
    for line in text.splitlines():
        if not form.fullmatch(line):
            return None
        written, *atoms = line.split(" ")
        counts = tuple(map(int, written))
        if sum(counts) != question.tiles or bool(atoms) != bool(question.tiles):
            return None
        found[counts].append(tuple(map(sys.intern, atoms)))
    return {counts: tuple(rows) for counts, rows in found.items()}


@cache
def _line_form(part: str, *, elsewhere: bool) -> re.Pattern[str]:
    """How a line of an answer is written; `elsewhere`: no tile is tried as the winning one."""
    tile = "|".join(map(re.escape, _TILES[part]))
    suit = "|".join(_SUITS)
    sets = rf"(pair|pung|chow)\(({tile})\)"
    if part.isdigit():
        sets = rf"knitted_pair\(({suit}),({suit}),{part}\)|knitted_triple\({part}\)"
    formed = rf" formed\(({sets}),[1-4]\)"
    row = rf"({formed})*" if elsewhere else rf" completed\(({sets})\){formed} tried\(({tile})\)"
    return re.compile(f"[0-4]{{{len(_TILES[part])}}}{row}")


def _written(term: Term) -> str:
    """A term as clingo writes it.

    >>> _written(("formed", ("chow", ("suited", "bamboo", 1)), 1))
    'formed(chow(suited(bamboo,1)),1)'
    """
    if isinstance(term, tuple):
        name, *arguments = term
        return f"{name}({','.join(map(_written, arguments))})"
    return str(term)
