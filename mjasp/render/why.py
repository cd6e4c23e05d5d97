"""Why a rule fired or did not: as a document for people and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from mjasp.derivation import Step, arguments_of, name_of
from mjasp.models import Award, tiles_of
from mjasp.notation import write
from mjasp.render.document import (
    Block,
    Code,
    Column,
    Document,
    Fact,
    Facts,
    Lead,
    Node,
    Paragraph,
    Section,
    Table,
    Tree,
)
from mjasp.render.draw import draw_sets
from mjasp.render.json import interpretation_dict
from mjasp.render.text import text_of
from mjasp.render.trace import outline
from mjasp.render.unknown import traced
from mjasp.scoring import Interpretation
from mjasp.tiles import Tile
from mjasp.why import Why
from mjasp.words import Words, witnesses

__all__ = ["derivations", "why_dict", "why_document", "why_text"]

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
        and {"interpretation": interpretation_dict(elsewhere, words), "total": elsewhere.total},
        "change": change and {"text": words.change(change.what), "hand": write(change.hand)},
        "readings": [{"reading": name, "value": value} for name, value in why.readings],
    }


def why_document(why: Why, language: str = "en") -> Document:
    """An explanation: the answer first, then what it stands on.

    All steps, down to what is stated of the hand and as the encodings write them, are folded.
    """
    words = _words(why, language)
    told, tell = answer(why, words), words.answer
    steps = tuple(_nodes(words, _telling(why), told, draw=True))
    blocks: list[Block] = [
        Lead(told),
        Facts(
            (
                Fact(tell("hand"), write(why.score.given), "code"),
                Fact(tell("rules"), f"{why.ruleset.id}: {why.rule.source}"),
                *traced(why.score, words),
            )
        ),
        Section(tell("why" if why.fired else "why_not"), (Tree(steps),)),
        Section(tell("elsewhere"), tuple(map(Paragraph, _elsewhere(words, why)))),
    ]
    if why.change:
        change = Paragraph(words.change(why.change.what)), Code(write(why.change.hand))
        blocks.append(Section(tell("change"), change))
    readings = tuple((f"{name} = {value}",) for name, value in why.readings)
    blocks.append(Section(tell("readings"), (Table((Column(""),), readings),)))
    whole = Tree(tuple(_derived(step, words) for step in why.because))
    blocks.append(Section(tell("derivation"), (whole,), folded=True))
    return Document(told, language, tuple(blocks))


def why_text(why: Why, language: str = "en", *, colour: bool = False) -> str:
    """An explanation as text; no line is wider than 80 columns."""
    return text_of(why_document(why, language), colour=colour)


def derivations(whys: Iterable[Why], language: str = "en") -> Callable[[Award], tuple[Node, ...]]:
    """What tells why an award was paid, as far as these are about its rule."""
    by_rule = {why.rule.id: why for why in whys}

    def because(award: Award) -> tuple[Node, ...]:
        why = by_rule.get(award.rule)
        if why is None:
            return ()
        steps = [step for step in _telling(why) if _is_about(step, award.tiles)]
        return tuple(_nodes(_words(why, language), steps))

    return because


def _is_about(step: Step, tiles: tuple[Tile, ...]) -> bool:
    """Whether a step is about these tiles, or about none."""
    own = [tiles_of(term) for term in arguments_of(step.atom) if tiles_of(term)]
    return not own or tiles in own


def answer(why: Why, words: Words) -> str:
    """The answer in one sentence; two for a false win."""
    text = _fired(why, words) if why.fired else _failed(why, words)
    if why.score.outcome != "false-win":
        return text
    reasons = words.apart(map(words.told, why.score.reasons))
    return f"{words.answer('false_win', reasons=reasons)} {text}"


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


def _elsewhere(words: Words, why: Why) -> Iterator[str]:
    if why.elsewhere:
        yield words.answer(
            "elsewhere_text",
            sets=draw_sets(why.elsewhere.sets, why.held.winning),
            count=_count(why, words, why.elsewhere),
            total=why.elsewhere.total,
            best=why.score.best.total,
        )
        there, here = (
            outline(each, why.score.limit, words) for each in (why.elsewhere, why.score.best)
        )
        yield f"{there}, {words.say('in_place_of')} {here}"


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


def _nodes(
    words: Words, steps: Iterable[Step], above: str = "", *, draw: bool = False
) -> Iterator[Node]:
    """The steps, each above what it stands on; what says the same as the one above is left out.

    Only the uppermost ones are drawn: those below speak of the same tiles.
    """
    told: set[str] = set()
    for step in steps:
        sentence = words.sentence(step)
        if sentence in told:
            continue
        told.add(sentence)
        below = () if name_of(step.atom) in _PLAIN else step.because
        if sentence in {above, words.sentences(below)}:
            yield from _nodes(words, below, above, draw=draw)
        else:
            drawn = tuple(map(tiles_of, _things(step))) if draw else ()
            yield Node(sentence, tuple(_nodes(words, below, sentence)), drawn)


def _derived(step: Step, words: Words) -> Node:
    """A step and all below it, with its atom."""
    below = tuple(_derived(each, words) for each in step.because)
    return Node(f"{words.sentence(step)}: {step}", below)


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
