"""A score told: the trace with what else it could be, and the list of interpretations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from mjasp.hand import Meld
from mjasp.models import Award
from mjasp.notation import write
from mjasp.render.document import (
    Block,
    Column,
    Document,
    Fact,
    Facts,
    Items,
    Remark,
    Section,
    Table,
)
from mjasp.render.draw import draw_sets
from mjasp.render.page import Page
from mjasp.render.text import text_of
from mjasp.render.trace import (
    Because,
    amount_of,
    award_name,
    common_title,
    counted_as,
    outline,
    trace,
    unexplained,
    winning_tile,
)
from mjasp.render.unknown import decides, total_of, traced
from mjasp.scoring import Assumption, Interpretation, ReadingEffect, Score
from mjasp.tiles import Tile, written
from mjasp.words import Words

__all__ = ["decompose_text", "head", "runner_up", "score_document", "score_text"]

T = TypeVar("T")

# What it is, in words, and the tiles that it is about.
_Difference = tuple[str, str, tuple[tuple[Tile, ...], ...]]


def score_document(
    score: Score, words: Words, *, every: bool = False, because: Because = unexplained
) -> Document:
    """The trace of a score: hand, sets, every fired rule, the sum, and what else it could be.

    With `every`, each further interpretation is traced in full, in place of the runner-up alone.
    `because` tells why each award of the best one was paid.
    """
    say = words.say
    facts = [each for each in score.assumed if each.value is not None]
    unknown = [each for each in score.assumed if each.value is None]
    blocks = (
        *head(score, words),
        *trace(score, score.best, words, because=because),
        *(_further(score, words) if every else _alternatives(score, words)),
        _rows("unknown", ("fact", "total"), [decides(each, words) for each in unknown], words),
        _rows(
            "assumed", ("fact", "otherwise"), [_assumption(each, words) for each in facts], words
        ),
        _rows(
            "readings",
            ("reading", "otherwise"),
            [_reading(each, words) for each in score.readings or ()],
            words,
        ),
        Section(say("notes"), (Items(tuple(map(words.told, score.notes))),)),
    )
    return Document(f"{write(score.given)}: {_result(score, words)}", words.language, blocks)


def score_text(
    score: Score, words: Words | None = None, *, every: bool = False, colour: bool = False
) -> str:
    """The trace as text, in English unless told otherwise; no line is wider than 80 columns."""
    return text_of(score_document(score, words or Words(), every=every), colour=colour)


def decompose_text(score: Score, words: Words | None = None, *, colour: bool = False) -> str:
    """Every interpretation with its sets and its total, best first."""
    words = words or Words()
    page = Page(colour)
    start = Document("", words.language, head(score, words))
    width = max(len(str(each.total)) for each in score.interpretations) + 5
    lines = [text_of(start, colour=colour), ""]
    for each in score.interpretations:
        how = f"{counted_as(each, words)}: " if each.name else ""
        sets = draw_sets(each.sets, winning_tile(score))
        lines += page.wrap(sets, width, f"{each.total:>{width - 3}}")
        lines += map(page.faint, page.wrap(how + outline(each, score.limit, words), width + 2))
    return "\n".join(lines)


def head(score: Score, words: Words) -> tuple[Block, ...]:
    """What is scored, by which rules, and the result."""
    say = words.say
    title = common_title(score.best.fired)
    rules = f"{score.ruleset}: {title}" if title else score.ruleset
    facts = (
        Fact(say("hand"), write(score.given), "code"),
        Fact(say("rules"), rules),
        Fact(say("result"), _result(score, words), "title"),
        *traced(score, words),
    )
    reasons = Items(tuple(map(words.told, score.reasons)))
    blocks: tuple[Block, ...] = (Facts(facts), Section(say("why_no_win"), (reasons,)))
    if score.outcome == "false-win":
        blocks += (Remark(say("without_winning_tile")),)
    return blocks


def _result(score: Score, words: Words) -> str:
    if score.outcome == "false-win":
        return words.say(score.outcome)
    return f"{total_of(score, words)}, {words.say(score.outcome)}"


def _rows(
    heading: str, heads: tuple[str, str], rows: Iterable[tuple[str, str]], words: Words
) -> Section:
    columns = tuple(Column(words.say(each)) for each in heads)
    return Section(words.say(heading), (Table(columns, tuple(rows)),))


def _further(score: Score, words: Words) -> Iterator[Block]:
    for number, each in enumerate(score.interpretations[1:], start=2):
        count = counted_as(each, words)
        title = words.say("interpretation", number=number, total=each.total, count=count)
        yield Section(title, trace(score, each, words, anchor=f"{number}-"))


def _alternatives(score: Score, words: Words) -> Iterator[Block]:
    """The equals of the best interpretation, the runner-up with what differs, and its equals."""
    yield _also(score, score.best, words)
    other = runner_up(score)
    if other:
        rows = [*_differences(score, other, words)]
        table = Table(
            (Column(""), Column("")),
            (
                *((label, told) for label, told, _ in rows),
                (words.say("sum"), outline(other, score.limit, words)),
            ),
            drawn=tuple(groups for *_, groups in rows),
        )
        title = words.say("runner_up", total=other.total)
        yield Section(title, (table, _also(score, other, words)))


def runner_up(score: Score) -> Interpretation | None:
    """The best interpretation of other sets or counted otherwise that pays otherwise too."""
    best = score.best
    for other in score.interpretations:
        if _division(other) != _division(best) and _pays(other) != _pays(best):
            return other
    return None


def _also(score: Score, like: Interpretation, words: Words) -> Facts:
    """The interpretations with the same awards as this one, a line each."""
    winning = winning_tile(score)
    return Facts(
        tuple(
            Fact(words.say("also_as"), draw_sets(each.sets, winning), "code")
            for each in score.interpretations
            if each is not like and _pays(each) == _pays(like)
        )
    )


def _differences(score: Score, other: Interpretation, words: Words) -> Iterator[_Difference]:
    """What stands in another interpretation in place of what stands in the best one."""
    best, winning, say = score.best, winning_tile(score), words.say
    if other.name != best.name:
        yield say("counted_as"), counted_as(other, words), ()
        if Counter(map(_tiles, other.sets)) != Counter(map(_tiles, best.sets)):
            yield _these("differing_sets", other.sets, winning, words)
        return
    theirs = _beyond(other.sets, best.sets, _tiles)
    yield _these("differing_sets", theirs, winning, words)
    yield _these("in_place_of", _beyond(best.sets, other.sets, _tiles), winning, words)
    for label, ours, others in (
        ("without", best.fired, other.fired),
        ("with", other.fired, best.fired),
    ):
        for award in _beyond(ours, others, _payment):
            tiles = f", {written(award.tiles)}" if award.tiles else ""
            told = f"{award_name(award, words)}{tiles}: {amount_of(award, words)}"
            yield say(label), told, ()


def _these(label: str, sets: Sequence[Meld], winning: Tile | None, words: Words) -> _Difference:
    return words.say(label), draw_sets(sets, winning), tuple(meld.tiles for meld in sets)


def _beyond(ours: Iterable[T], theirs: Iterable[T], key: Callable[[T], object]) -> list[T]:
    """What stands among ours more often than among theirs."""
    left = Counter(map(key, theirs))
    beyond = []
    for each in ours:
        if left[key(each)] == 0:
            beyond.append(each)
        left[key(each)] -= left[key(each)] > 0
    return beyond


def _tiles(meld: Meld) -> tuple[object, ...]:
    return meld.kind, meld.tiles


def _payment(award: Award) -> tuple[object, ...]:
    return award.rule, award.points, award.doubles, award.limits, award.tiles


def _division(interpretation: Interpretation) -> tuple[object, ...]:
    """What makes an interpretation another one for a player: its sets and how it is counted."""
    return interpretation.name, Counter(map(_tiles, interpretation.sets))


def _pays(interpretation: Interpretation) -> Counter[tuple[object, ...]]:
    """The awards, whatever set they are for."""
    return Counter(_payment(award)[:-1] for award in interpretation.fired)


def _assumption(assumption: Assumption, words: Words) -> tuple[str, str]:
    otherwise = _otherwise(assumption.others or (), words)
    if assumption.fact == "limit":
        otherwise = words.say("no_limit_printed")
    return f"{words.say(f'fact_{assumption.fact}')} {assumption.value}", otherwise


def _reading(effect: ReadingEffect, words: Words) -> tuple[str, str]:
    return f"{effect.reading} = {effect.value}", _otherwise(effect.others, words)


def _otherwise(others: Iterable[tuple[str, int | None]], words: Words) -> str:
    """The totals that other answers would give, such as `S, W: 132; N: 136`."""
    answers: dict[int | None, list[str]] = {}
    for value, total in others:
        answers.setdefault(total, []).append(value)
    return "; ".join(
        f"{', '.join(values)}: {words.say('false-win') if total is None else total}"
        for total, values in answers.items()
    )
