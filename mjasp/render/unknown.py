"""What is told where facts are said to be unknown: the spread, and which answer decides."""

from __future__ import annotations

from collections.abc import Iterable

from mjasp.hand import Event, Hand
from mjasp.render.document import Fact
from mjasp.scoring import Assumption, Score
from mjasp.words import Words

__all__ = ["decides", "total_of", "traced"]


def total_of(score: Score, words: Words) -> str:
    """The total, or the least and the highest where it depends on what is unknown."""
    if score.total is None and score.spread:
        least, highest = score.spread
        if least != highest:
            return words.say("range", least=least, highest=highest)
        return str(least)
    return str(score.best.total)


def decides(unknown: Assumption, words: Words) -> tuple[str, str]:
    """An unknown fact, and the total for each of its answers.

    >>> known = (("wall", 128), ("discard", 64), ("loose", 128))
    >>> decides(Assumption("source", None, known), Words())
    ('won', '64 if claimed, 128 if self-drawn or a loose tile')
    >>> decides(Assumption("seat", None, (("E", 64), ("S", 64), ("W", 64))), Words())
    ('seat', '64 whatever it is')
    """
    name = words.say("fact_won" if unknown.fact == "source" else f"fact_{unknown.fact}")
    by_total: dict[int | None, list[str]] = {}
    for value, total in unknown.others or ():
        by_total.setdefault(total, []).append(_answer(unknown.fact, value, words))
    told = [
        (words.say("false-win") if total is None else str(total), answers)
        for total, answers in sorted(by_total.items(), key=lambda each: each[0] or 0)
    ]
    if len(told) == 1:
        return name, words.say("whatever", total=told[0][0])
    either = words.say("or")
    texts = (words.say("if", total=total, answers=either.join(each)) for total, each in told)
    return name, ", ".join(texts)


def traced(score: Score, words: Words) -> tuple[Fact, ...]:
    """As if what was told that is traced, where facts are unknown."""
    unknown = [each.fact for each in score.assumed if each.value is None]
    return (Fact(words.say("traced"), _taken(score.hand, unknown, words)),) if unknown else ()


def _taken(hand: Hand, unknown: Iterable[str], words: Words) -> str:
    """The answers to unknown facts that a resolved hand takes, in words."""
    last = "yes" if Event.LAST_TILE in hand.events else "no"
    values = {name: last if name == "last-tile" else getattr(hand, name).value for name in unknown}
    answers = []
    for name, value in values.items():
        answer = _answer(name, value, words)
        answers.append(words.say(f"{name}_is", wind=answer) if _is_wind(name) else answer)
    return words.say("as_if", answers=", ".join(answers))


def _answer(fact: str, value: str, words: Words) -> str:
    return words.say(f"wind_{value}" if _is_wind(fact) else f"{fact}_{value}")


def _is_wind(fact: str) -> bool:
    return fact in {"seat", "round"}
