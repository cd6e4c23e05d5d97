"""Why a rule fired or did not, as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mjasp.derivation import Step, name_of
from mjasp.models import tiles_of
from mjasp.notation import write
from mjasp.render.draw import draw_sets
from mjasp.render.json import interpretation_dict
from mjasp.render.page import Page
from mjasp.scoring import Interpretation
from mjasp.why import Why
from mjasp.words import Words, witnesses

__all__ = ["why_dict", "why_text"]

# What every player sees at the table needs no derivation in a text.
_PLAIN = frozenset(
    {
        *("as_a_whole", "counted_as", "divided", "formed", "have"),
        *("in_scope", "lost", "present", "won"),
    }
)
# Nor that a hand is counted as such hands are.
_USUAL = frozenset({"as_a_whole", "counted_as"})


def why_dict(why: Why, language: str = "en") -> dict[str, Any]:
    """An explanation as `mjasp/why/1`."""
    words = _words(why, language)
    elsewhere, change = why.elsewhere, why.change
    return {
        "schema": "mjasp/why/1",
        "ruleset": why.ruleset.id,
        "hand": write(why.score.given),
        "rule": why.rule.id,
        "fired": why.fired,
        "answer": answer(why, words),
        "because": [_node(step, words) for step in why.because],
        "elsewhere": elsewhere
        and {"interpretation": interpretation_dict(elsewhere), "total": elsewhere.total},
        "change": change and {"text": words.change(change.what), "hand": write(change.hand)},
        "readings": [{"reading": name, "value": value} for name, value in why.readings],
    }


def why_text(why: Why, language: str = "en", *, colour: bool = False) -> str:
    """An explanation as text: the answer first, then what it stands on."""
    page, words = Page(colour), _words(why, language)
    title = words.answer("why" if why.fired else "why_not")
    lines = [
        *map(page.strong, page.wrap(answer(why, words))),
        "",
        *page.labelled(words.answer("hand"), write(why.score.given)),
        *page.labelled(words.answer("rules"), f"{why.ruleset.id}: {why.rule.source}"),
        *page.section(title, list(_tree(page, words, _telling(why), answer(why, words)))),
        *page.section(words.answer("elsewhere"), _elsewhere(page, words, why)),
    ]
    if why.change:
        change = words.change(why.change.what)
        rows = [*page.wrap(change, 2, " "), *page.wrap(write(why.change.hand), 6, " ")]
        lines += page.section(words.answer("change"), rows)
    rows = [f"  {name} = {value}" for name, value in why.readings]
    return "\n".join([*lines, *page.section(words.answer("readings"), rows)])


def answer(why: Why, words: Words) -> str:
    """The answer in one sentence; two for a false win."""
    text = _fired(why, words) if why.fired else _failed(why, words)
    if why.score.outcome != "false-win":
        return text
    return f"{words.answer('false_win', reasons='; '.join(why.score.reasons))} {text}"


def _fired(why: Why, words: Words) -> str:
    conditions = [step for step in why.because if name_of(step.atom) == "holds"]
    because = words.sentences(conditions)
    times = sum(award.rule == why.rule.id for award in why.score.best.fired)
    key = "fired" if times == 1 else "fired_for"
    return words.answer(key, rule=words.rule_name(why.rule), because=because, times=times)


def _failed(why: Why, words: Words) -> str:
    rule = words.rule_name(why.rule)
    if not why.because:
        return words.answer("failed_plainly", rule=rule)
    return words.answer("failed", rule=rule, because=words.sentence(why.because[0]))


def _elsewhere(page: Page, words: Words, why: Why) -> list[str]:
    if why.elsewhere is None:
        return []
    text = words.answer(
        "elsewhere_text",
        sets=draw_sets(why.elsewhere.sets, why.held.winning),
        count=_count(why, words, why.elsewhere),
        total=why.elsewhere.total,
        best=why.score.best.total,
    )
    return page.wrap(text, 2, " ")


def _count(why: Why, words: Words, interpretation: Interpretation) -> str:
    if interpretation.name is None:
        return words.term("standard" if why.held.winning else "lost")
    return words.term(interpretation.name)


def _telling(why: Why) -> tuple[Step, ...]:
    """The steps that are worth a line: not what the answer has told already.

    How the hand is counted is told where that is the reason.
    """
    steps = why.because
    if why.fired and not why.score.best.name:
        steps = tuple(step for step in steps if name_of(step.atom) not in _USUAL)
    return steps[0].because if len(steps) == 1 and name_of(steps[0].atom) not in _PLAIN else steps


def _tree(
    page: Page, words: Words, steps: Iterable[Step], above: str = "", depth: int = 0
) -> Iterator[str]:
    """The steps, each below what stands on it; what says the same as the one above is left out."""
    told: set[str] = set()
    for step in steps:
        sentence = words.sentence(step)
        if sentence in told:
            continue
        told.add(sentence)
        below = () if name_of(step.atom) in _PLAIN else step.because
        if sentence in {above, words.sentences(below)}:
            yield from _tree(page, words, below, above, depth)
            continue
        indent = 2 + 2 * depth
        yield from page.wrap(sentence, indent + 2, f"{' ' * indent}-")
        yield from _tree(page, words, below, sentence, depth + 1)


def _node(step: Step, words: Words) -> dict[str, Any]:
    named = [tile for term in _things(step) for tile in tiles_of(term)]
    return {
        "atom": str(step),
        "text": words.sentence(step),
        "tiles": [str(tile) for tile in named],
        "given": step.given,
        "because": [_node(each, words) for each in step.because],
    }


def _things(step: Step) -> tuple[Any, ...]:
    """The tiles and sets that a step is about: those it names, or those that make it so."""
    if step.others:
        return ()
    own = [term for term in step.atom[1:] if tiles_of(term)] if isinstance(step.atom, tuple) else []
    return tuple(own[-1:]) or witnesses(step)


def _words(why: Why, language: str) -> Words:
    return Words(language, why.ruleset.rules, why.described)
