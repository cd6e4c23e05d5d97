"""A score as text for people: the trace, and the list of interpretations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from mjasp.hand import Meld
from mjasp.models import Award
from mjasp.notation import write
from mjasp.render.draw import draw_sets
from mjasp.render.page import Page
from mjasp.render.trace import amount_of, common_title, counted_as, outline, trace_lines
from mjasp.render.unknown import decides, taken, total_of
from mjasp.scoring import Assumption, Interpretation, ReadingEffect, Score
from mjasp.tiles import Tile, written

__all__ = ["decompose_text", "score_text"]

T = TypeVar("T")


def score_text(score: Score, *, every: bool = False, colour: bool = False) -> str:
    """The trace of a score: hand, sets, every fired rule, the sum, and what else it could be.

    With `every`, each further interpretation is traced in full, in place of the runner-up alone.
    No line is wider than 80 columns; `colour` adds bold and faint.
    """
    page = Page(colour)
    lines = [
        *_head(page, score),
        *trace_lines(page, score.best, _drawn(score), score.limit),
        *(_further(page, score) if every else _alternatives(page, score)),
        *page.section(
            "Unknown, and which answer decides",
            page.columns([decides(each) for each in score.assumed if each.value is None]),
        ),
        *page.section(
            "Assumed, and the total otherwise",
            page.columns([_assumption(each) for each in score.assumed if each.value is not None]),
        ),
        *page.section(
            "Contested readings, and the total otherwise",
            page.columns([_reading(each) for each in score.readings or ()]),
        ),
        *page.section("Notes", page.items(score.notes)),
    ]
    return "\n".join(lines)


def decompose_text(score: Score, *, colour: bool = False) -> str:
    """Every interpretation with its sets and its total, best first."""
    page = Page(colour)
    width = max(len(str(each.total)) for each in score.interpretations) + 5
    lines = [*_head(page, score), ""]
    for each in score.interpretations:
        how = f"{counted_as(each)}: " if each.name else ""
        lines += page.wrap(draw_sets(each.sets, _drawn(score)), width, f"{each.total:>{width - 3}}")
        lines += map(page.faint, page.wrap(how + outline(each, score.limit), width + 2))
    return "\n".join(lines)


def _drawn(score: Score) -> Tile | None:
    """The winning tile, where the interpretations hold it: those of a false win are without."""
    return score.hand.winning if score.outcome == "won" else None


def _head(page: Page, score: Score) -> list[str]:
    title = common_title(score.best.fired)
    result = {
        "won": f"{total_of(score)}, won",
        "lost": f"{total_of(score)}, not won",
        "false-win": "no win",
    }[score.outcome]
    lines = [
        *page.labelled("Hand", write(score.given)),
        *page.labelled("Rules", f"{score.ruleset}: {title}" if title else score.ruleset),
        *map(page.strong, page.labelled("Result", result)),
        *_taken(page, score),
        *page.section("Why it is no win", page.items(score.reasons)),
    ]
    if score.outcome == "false-win":
        lines += ["", "Without the winning tile, as a hand that did not win:"]
    return lines


def _taken(page: Page, score: Score) -> list[str]:
    """The answers to unknown facts that the trace takes."""
    unknown = [each.fact for each in score.assumed if each.value is None]
    return page.labelled("Traced", taken(score.hand, unknown)) if unknown else []


def _further(page: Page, score: Score) -> list[str]:
    lines = []
    for number, each in enumerate(score.interpretations[1:], start=2):
        title = f"Interpretation {number}: {each.total}, counted as {counted_as(each)}"
        lines += page.section(title, trace_lines(page, each, _drawn(score), score.limit)[1:])
    return lines


def _alternatives(page: Page, score: Score) -> list[str]:
    """The equals of the best interpretation, the runner-up with what differs, and its equals.

    The runner-up is the best interpretation of other sets or counted otherwise that pays
    otherwise too.
    """
    best = score.best
    lines = _also(page, score, best)
    for other in score.interpretations:
        if _division(other) != _division(best) and _pays(other) != _pays(best):
            rows = [*_differences(score, other), ("sum", outline(other, score.limit))]
            told = [*page.columns(rows), *_also(page, score, other)]
            return lines + page.section(f"Runner-up: {other.total}", told)
    return lines


def _also(page: Page, score: Score, like: Interpretation) -> list[str]:
    """The interpretations with the same awards as this one, a line each."""
    lines = []
    for each in score.interpretations:
        if each is not like and _pays(each) == _pays(like):
            lines += page.labelled("Also as", draw_sets(each.sets, _drawn(score)))
    return lines


def _differences(score: Score, other: Interpretation) -> Iterator[tuple[str, str]]:
    """What stands in another interpretation in place of what stands in the best one."""
    best, winning = score.best, _drawn(score)
    if other.name != best.name:
        yield "counted as", counted_as(other)
        if Counter(map(_tiles, other.sets)) != Counter(map(_tiles, best.sets)):
            yield "sets", draw_sets(other.sets, winning)
        return
    yield "sets", draw_sets(_beyond(other.sets, best.sets, _tiles), winning)
    yield "in place of", draw_sets(_beyond(best.sets, other.sets, _tiles), winning)
    for label, ours, theirs in (
        ("without", best.fired, other.fired),
        ("with", other.fired, best.fired),
    ):
        for award in _beyond(ours, theirs, _payment):
            tiles = f", {written(award.tiles)}" if award.tiles else ""
            yield label, f"{award.name}{tiles}: {amount_of(award)}"


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


def _assumption(assumption: Assumption) -> tuple[str, str]:
    otherwise = _otherwise(assumption.others or ())
    if assumption.fact == "limit":
        otherwise = "the rule text prints none"
    return f"{assumption.fact} {assumption.value}", otherwise


def _reading(effect: ReadingEffect) -> tuple[str, str]:
    return f"{effect.reading} = {effect.value}", _otherwise(effect.others)


def _otherwise(others: Iterable[tuple[str, int | None]]) -> str:
    """The totals that other answers would give, such as `S, W: 132; N: 136`."""
    answers: dict[int | None, list[str]] = {}
    for value, total in others:
        answers.setdefault(total, []).append(value)
    return "; ".join(
        f"{', '.join(values)}: {'no win' if total is None else total}"
        for total, values in answers.items()
    )
