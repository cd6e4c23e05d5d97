"""Hands as arrays in, scores as arrays out: for simulations and for learning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjasp import api
from mjasp.compiled.block import Blocks
from mjasp.compiled.convert import WIND_AT, hand_of
from mjasp.compiled.found import FALSE_WIN, KINDS, MOST_SETS, OUTCOMES, Best
from mjasp.compiled.gate import Circumstances, counts_of, fitting
from mjasp.compiled.layout import COMPLETES, SOURCES, TILES, WINDS, Hands
from mjasp.compiled.lines import encode
from mjasp.compiled.net import NotEvaluable
from mjasp.compiled.weighing import TooLarge
from mjasp.engine import DEFAULT_RULES, Engine, Settings
from mjasp.errors import HandError, MjaspError, Problem, RulesetError
from mjasp.hand import Meld
from mjasp.tiles import Wind

__all__ = ["KINDS", "OUTCOMES", "Hands", "Scores", "encode", "score_arrays"]

# Of each field of Hands the least value and the greatest.
_RANGES = {
    "held": (0, 4),
    "declared": (0, 4),
    "bonus": (0, 1),
    "winning": (-1, len(TILES) - 1),
    "completes": (-1, len(COMPLETES) - 1),
    "source": (-1, len(SOURCES) - 1),
    "events": (0, 1),
    "seat": (-1, len(WINDS) - 1),
    "round": (-1, len(WINDS) - 1),
    "unknown_tiles": (0, 13),
}
# So many of the rows that cannot be are told of.
_TOLD = 5


@dataclass(frozen=True, slots=True, eq=False)  # arrays have no one answer to ==
class Scores:
    """The scores of N hands under one rule set of R rules, as arrays with a row for each hand.

    What is said of an interpretation is said of the best one; that of a false win is a loser's.
    """

    rules: tuple[str, ...]
    """R rule ids: the columns of `fired`, in the order of the rule set."""
    names: tuple[str, ...]
    """The rule ids that `name` is an index of."""
    melds: tuple[Meld, ...]
    """The sets that `sets` are indices of; each knows its tiles, and whether it is exposed."""
    outcome: NDArray[np.int8]
    """(N,) int8: an index of OUTCOMES: 0 won, 1 lost, 2 a false win."""
    total: NDArray[np.int64]
    """(N,) int64: the value of the hand in points; -1 for a false win, which has none."""
    points: NDArray[np.int64]
    """(N,) int64: the points, before they are doubled."""
    doubles: NDArray[np.int64]
    """(N,) int64: how often the points are doubled."""
    limits: NDArray[np.float64]
    """(N,) float64: the multiple of the limit that limit hands are paid."""
    bonus_points: NDArray[np.int64]
    """(N,) int64: the points of flowers and seasons, where they are counted apart."""
    bonus_doubles: NDArray[np.int64]
    """(N,) int64: the doubles of those."""
    uncapped: NDArray[np.int64]
    """(N,) int64: the value before it is cut to the limit, also of a false win as a loser's."""
    interpretations: NDArray[np.int64]
    """(N,) int64: how many interpretations the hand has."""
    kind: NDArray[np.int8]
    """(N,) int8: an index of KINDS: 0 standard, 1 special, 2 lost."""
    name: NDArray[np.int64]
    """(N,) int64: the special hand it is counted as, or calls for, in `names`; -1 for none."""
    sets: NDArray[np.int16]
    """(N, 13) int16: the sets in their order, in `melds`. Behind them -1; -2 for the hand as a
    whole, -3 for a whole hand that a claimed tile completed."""
    fired: NDArray[np.bool_]
    """(N, R) bool: whether each rule fired, once or more often."""
    waits: NDArray[np.bool_] | None
    """(N, 34) bool: the tiles that would complete the hand without its winning tile; None where
    they were not asked for."""

    def __len__(self) -> int:
        return len(self.outcome)

    def rules_of(self, row: int) -> tuple[str, ...]:
        """The ids of the rules that fired for a hand."""
        return tuple(self.rules[at] for at in np.flatnonzero(self.fired[row]).tolist())

    def sets_of(self, row: int) -> tuple[Meld, ...]:
        """The sets of a hand; none where it is read as a whole."""
        return tuple(self.melds[code] for code in self.sets[row].tolist() if code >= 0)


def score_arrays(
    hands: Hands,
    rules: str | PathLike[str] | None = None,
    *,
    readings: Mapping[str, str] | None = None,
    limit: int | None = None,
    cap: bool = True,
    seat: Wind | str | None = None,
    round: Wind | str | None = None,
    waits: bool = False,
    check: bool = True,
    block: int = 1 << 14,
) -> Scores:
    """The scores of hands in arrays: see Hands for what goes in, Scores for what comes out.

    `rules`, `readings`, `limit`, `cap`, `seat` and `round` are as for `mjasp.score`; what a row
    does not state is assumed as there. `waits` asks for the tiles that complete each hand. `block`
    is how many hands are worked on at once: memory grows with it, beside that of the arrays.

    With `check=False` the rows are taken for hands that can be at a table: what is found of others
    is anything, an IndexError included. Else raises HandError for rows that cannot be, with the
    numbers of the first, and ValueError for arrays of other shapes, types or values than Hands has.
    Raises RulesetError for what does not exist and for a rule set that cannot be compiled,
    MjaspError for values that arrays cannot hold, TypeError for what is no Hands at all.

    >>> score_arrays(encode(["111222333b 45c 11d +3c discard", "123b 456b 789b 12c EE"])).total
    array([60,  4])
    """
    _check_type(hands)
    if block < 1:
        raise ValueError(f"a block has at least one hand, not {block}")
    settings: Settings = {"readings": readings, "limit": limit, "seat": seat, "round": round}
    if not cap:
        settings["cap"] = False
    engine = api.engine(DEFAULT_RULES if rules is None else fspath(rules), settings)
    blocks = _blocks(engine)
    if check:
        _check_form(hands)
        for first, some in _in_blocks(hands, engine, block):
            _check(some, first)
    scores = _empty(len(hands), blocks, waits=waits)
    for first, some in _in_blocks(hands, engine, block):
        try:
            best = blocks.best(some.resolved(), waits=waits)
        except TooLarge:
            raise _too_large(engine) from None
        _write(scores, slice(first, first + len(some)), best)
    blocks.flush()
    return scores


def _blocks(engine: Engine) -> Blocks:
    if isinstance(engine.bulk, NotEvaluable):
        message = f"{engine.ruleset.id} cannot be compiled: {engine.bulk}"
        help_ = "score its hands with `mjasp.score_many`, which solves what cannot be compiled"
        raise RulesetError(Problem("not-compiled", message, help=help_))
    return engine.bulk.blocks


def _in_blocks(hands: Hands, engine: Engine, size: int) -> Iterator[tuple[int, Hands]]:
    """The hands a block at a time, with the number of its first one and the winds of the engine."""
    winds = {"seat": engine.seat, "round": engine.round}
    codes = {name: WIND_AT[wind] for name, wind in winds.items() if wind}
    for first in range(0, len(hands), size):
        some = hands.take(slice(first, first + size))
        told: dict[str, Any] = {
            name: np.full(len(some), code, np.int8) for name, code in codes.items()
        }
        yield first, replace(some, **told)


def _too_large(engine: Engine) -> MjaspError:
    if engine.limit is None:
        message = f"{engine.ruleset.id} has no limit, and a limit hand is among the hands"
        return MjaspError(Problem("no-limit", message, help="give a `limit` in points"))
    help_ = "score the hands with `mjasp.score_many`, whose numbers have no bounds"
    message = "a total or the limit is too large for arrays"
    return MjaspError(Problem("too-large", message, help=help_))


# ---- Results


def _empty(number: int, blocks: Blocks, *, waits: bool) -> Scores:
    """Scores of a number of hands that nothing is written of yet."""

    def numbers() -> NDArray[np.int64]:
        return np.empty(number, np.int64)

    return Scores(
        rules=blocks.rules,
        names=blocks.vocabulary.names,
        melds=blocks.vocabulary.melds,
        outcome=np.empty(number, np.int8),
        total=numbers(),
        points=numbers(),
        doubles=numbers(),
        limits=np.empty(number, np.float64),
        bonus_points=numbers(),
        bonus_doubles=numbers(),
        uncapped=numbers(),
        interpretations=numbers(),
        kind=np.empty(number, np.int8),
        name=numbers(),
        sets=np.empty((number, MOST_SETS), np.int16),
        fired=np.empty((number, len(blocks.rules)), bool),
        waits=np.empty((number, len(TILES)), bool) if waits else None,
    )


def _write(scores: Scores, at: slice, best: Best) -> None:
    """Write what is found of a block of the hands into their rows."""
    for each in fields(scores):
        array = getattr(scores, each.name)
        if isinstance(array, np.ndarray):
            array[at] = getattr(best, each.name)
    scores.limits[at] /= best.parts
    scores.total[at][best.outcome == FALSE_WIN] = -1


# ---- Checks


def _check_type(given: object) -> None:
    if not isinstance(given, Hands):
        found = type(given).__name__
        raise TypeError(f"hands are mjasp.Hands, as mjasp.encode makes them, not {found}")


def _check_form(hands: Hands) -> None:
    """Raise ValueError where an array has not the shape or the type that Hands has."""
    like = Hands.empty(0)
    for each in fields(Hands):
        array, wanted = getattr(hands, each.name), getattr(like, each.name).dtype
        plain = isinstance(array, np.ndarray) and not isinstance(array, np.ma.MaskedArray)
        if not plain or array.dtype != wanted:
            found = f"of {array.dtype}" if plain else type(array).__name__
            raise ValueError(f"{each.name} has to be an array of {wanted}, not {found}")
    if hands.winning.ndim != 1:  # the others are measured against it
        raise ValueError(f"winning has to have the shape (N,), not {hands.winning.shape}")
    for each in fields(Hands):
        there = getattr(hands, each.name).shape
        shape = (len(hands), *getattr(like, each.name).shape[1:])
        if there != shape:
            message = f"{each.name} has to have the shape {shape}, not {there}"
            raise ValueError(f"{message}: `winning` has {shape[0]} rows")


def _check(hands: Hands, first: int) -> None:
    """Raise for values that are none, and for rows that no hand can be; `first` is the first's."""
    for name, (least, most) in _RANGES.items():
        array = getattr(hands, name)
        if array.min() < least or array.max() > most:
            wrong = (array < least) | (array > most)
            row, *column = (int(places[0]) for places in np.nonzero(wrong))
            where = f"row {first + row}" + "".join(f", column {at}" for at in column)
            value = array[row, *column]
            raise ValueError(f"{name}, {where}: {value} is not from {least} to {most}")
    counts = counts_of(hands)
    possible = fitting(hands, counts, np.ones(len(hands), bool))
    possible &= _circumstances().can_be(hands, counts, possible)
    wrong = np.flatnonzero(~possible)
    if len(wrong):
        problems = (_problems(hands, at, first + at) for at in wrong[:_TOLD].tolist())
        raise HandError(*(problem for each in problems for problem in each))


@cache
def _circumstances() -> Circumstances:
    return Circumstances(None, None)


def _problems(hands: Hands, at: int, row: int) -> Iterator[Problem]:
    """What is wrong with a hand, as the checks of a Hand have it, with the number of its row."""
    try:
        hand_of(hands, at).resolved()
    except HandError as error:
        for problem in error.problems:
            yield replace(problem, message=f"row {row}: {problem.message}")
    else:  # the only thing that a Hand leaves out
        message = f"row {row}: the winning tile cannot have completed what `completes` says"
        yield Problem("completes-unfit", message, help="-1 is for what nobody knows")
