"""What is told where facts are said to be unknown: the spread, and which answer decides."""

from __future__ import annotations

from collections.abc import Iterable

from mjasp.hand import Event, Hand
from mjasp.scoring import Assumption, Score

__all__ = ["decides", "taken", "total_of"]

_ANSWERS = {
    ("source", "wall"): "self-drawn",
    ("source", "discard"): "claimed",
    ("source", "loose"): "a loose tile",
    ("source", "robbing"): "robbed from a kong",
    ("last-tile", "no"): "not the last tile",
    ("last-tile", "yes"): "the last tile",
}
_WINDS = {"E": "East", "S": "South", "W": "West", "N": "North"}


def total_of(score: Score) -> str:
    """The total, or the least and the highest where it depends on what is unknown."""
    if score.total is None and score.spread:
        least, highest = score.spread
        return str(least) if least == highest else f"{least} to {highest}"
    return str(score.best.total)


def decides(unknown: Assumption) -> tuple[str, str]:
    """An unknown fact, and the total for each of its answers.

    >>> decides(Assumption("source", None, (("wall", 128), ("discard", 64), ("loose", 128))))
    ('won', '64 if claimed, 128 if self-drawn or a loose tile')
    >>> decides(Assumption("seat", None, (("E", 64), ("S", 64), ("W", 64))))
    ('seat', '64 whatever it is')
    """
    name = "won" if unknown.fact == "source" else unknown.fact
    by_total: dict[int | None, list[str]] = {}
    for value, total in unknown.others or ():
        answer = _ANSWERS.get((unknown.fact, value)) or _WINDS[value]
        by_total.setdefault(total, []).append(answer)
    told = [
        ("no win" if total is None else str(total), answers)
        for total, answers in sorted(by_total.items(), key=lambda each: each[0] or 0)
    ]
    if len(told) == 1:
        return name, f"{told[0][0]} whatever it is"
    return name, ", ".join(f"{total} if {' or '.join(answers)}" for total, answers in told)


def taken(hand: Hand, unknown: Iterable[str]) -> str:
    """The answers to unknown facts that a resolved hand takes, in words."""
    last = "yes" if Event.LAST_TILE in hand.events else "no"
    values = {name: last if name == "last-tile" else getattr(hand, name).value for name in unknown}
    return "as if " + ", ".join(_answer(name, value) for name, value in values.items())


def _answer(fact: str, value: str) -> str:
    return _ANSWERS.get((fact, value)) or f"{fact} {_WINDS[value]}"
