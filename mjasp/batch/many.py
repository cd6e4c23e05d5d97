"""Scores of many hands from Python, lazily and in order, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, islice

from mjasp import api
from mjasp.compiled.solving import Method
from mjasp.errors import MjaspError
from mjasp.hand import Hand
from mjasp.scoring import Score
from mjasp.tiles import Wind

__all__ = ["score_many"]

_CHUNK = 64

Found = Score | MjaspError
Chunk = tuple[Hand | str, ...]


def score_many(
    hands: Iterable[Hand | str],
    rules: str | None = None,
    *,
    jobs: int = 1,
    readings: Mapping[str, str] | None = None,
    limit: int | None = None,
    cap: bool = True,
    seat: Wind | str | None = None,
    round: Wind | str | None = None,
    sensitivity: bool = False,
    engine: Method = "auto",
) -> Iterator[Found]:
    """The score of each hand, in order; a hand's MjaspError stands in its place.

    Hands are taken from the iterable as scores are asked for, with `jobs` processes a little ahead.
    The other keywords are as for score. Raises ValueError where there is no process at all.

    >>> [score.total for score in score_many(["111b 222b 333b 45c 11d +3c", "EEE 19c 11122233d"])]
    [60, 80]
    """
    if jobs < 1:
        raise ValueError(f"at least 1 process scores, not {jobs}")
    score = partial(
        api.score,
        rules=rules,
        readings=readings,
        limit=limit,
        cap=cap,
        seat=seat,
        round=round,
        sensitivity=sensitivity,
        engine=engine,
    )
    if jobs == 1:
        return (_found(score, hand) for hand in hands)
    return _in_processes(hands, partial(_scores, score), jobs)


def _in_processes(
    hands: Iterable[Hand | str], work: Callable[[Chunk], list[Found]], jobs: int
) -> Iterator[Found]:
    from mjasp.batch.pool import WORKER_DIED, Pool

    pool: Pool[Chunk, list[Found]] = Pool(
        work,
        jobs,
        parts=lambda chunk: ((hand,) for hand in chunk),
        lost=lambda chunk: [MjaspError(WORKER_DIED) for _ in chunk],
        join=lambda parts: list(chain.from_iterable(parts)),
    )
    return chain.from_iterable(pool.map(_chunks(iter(hands))))


def _chunks(hands: Iterator[Hand | str]) -> Iterator[Chunk]:
    while chunk := tuple(islice(hands, _CHUNK)):
        yield chunk


def _scores(score: Callable[[Hand | str], Score], chunk: Chunk) -> list[Found]:
    return [_found(score, hand) for hand in chunk]


def _found(score: Callable[[Hand | str], Score], hand: Hand | str) -> Found:
    try:
        return score(hand)
    except MjaspError as error:
        return error
