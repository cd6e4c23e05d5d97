"""Rule sets and waits as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from mjasp.hand import Hand
from mjasp.models import STATES, award_of
from mjasp.notation import write
from mjasp.render.page import Page
from mjasp.render.trace import amount_of
from mjasp.rulesets import ContestedReading, Rule, Ruleset
from mjasp.scoring import Calling
from mjasp.tiles import Tile
from mjasp.words import Words

__all__ = [
    "chows_of",
    "limit_of",
    "otherwise_of",
    "ruleset_text",
    "rulesets_text",
    "sections_of",
    "waits_text",
]


def waits_text(
    hand: Hand,
    ruleset: Ruleset,
    waits: Iterable[Tile],
    calling: Iterable[Calling],
    words: Words,
    *,
    colour: bool = False,
) -> str:
    """The tiles that would complete a hand, in words, and the special hands that it is calling for.

    What a loser is paid for calling stands beside them where the rule set pays something.
    """
    page = Page(colour)
    say = words.say
    names = {rule.id: words.rule_name(rule) for rule in ruleset.rules}
    tiles = page.columns([(str(tile), words.tile(tile)) for tile in waits])
    called = page.columns(
        [
            (
                names[each.rule],
                "-" if each.total is None else str(each.total),
                " ".join(map(str, each.tiles)),
            )
            for each in calling
        ]
    )
    none = say("unknown_waits" if hand.unknown_tiles else "no_waits")
    return "\n".join(
        [
            *page.labelled(say("hand"), write(hand)),
            *page.labelled(say("rules"), ruleset.id),
            *page.section(say("waits"), tiles or page.items([none])),
            *page.section(say("calling"), called),
        ]
    )


def rulesets_text(rulesets: Iterable[Ruleset], words: Words, *, colour: bool = False) -> str:
    """The rule sets there are: id, limit, and the text each follows."""
    page = Page(colour)
    rows = [
        (
            each.id,
            words.say("no_limit" if each.limit is None else "limit_is", limit=each.limit),
            each.source,
        )
        for each in rulesets
    ]
    return "\n".join([page.strong(words.say("rule_sets")), *page.columns(rows)])


def ruleset_text(ruleset: Ruleset, words: Words, *, colour: bool = False) -> str:
    """Every rule with its values, scope and source, and the readings with their doubts."""
    page = Page(colour)
    lines = [
        page.strong(f"{ruleset.name} ({ruleset.id})"),
        *page.labelled(words.say("text"), ruleset.source),
        *page.labelled(words.say("limit"), limit_of(ruleset, words)),
    ]
    if ruleset.most_chows is not None:
        lines += page.labelled(words.say("chows"), chows_of(ruleset, words))
        source = ruleset.chows_source.removeprefix(f"{ruleset.source}: ")
        lines += map(page.faint, page.wrap(source, 11))
    for heading, rules in sections_of(ruleset, words):
        lines += page.section(heading, _rules(page, rules, ruleset.source, words))
    readings = [line for each in ruleset.readings for line in _reading(page, each, words)]
    return "\n".join([*lines, *page.section(words.say("contested"), readings)])


def limit_of(ruleset: Ruleset, words: Words) -> str:
    """The limit in points, or what stands in the place of one."""
    if ruleset.limit is None:
        return words.say("no_limit_at_all")
    if ruleset.limit_assumed:
        return words.say("limit_is_assumed", limit=ruleset.limit)
    return str(ruleset.limit)


def chows_of(ruleset: Ruleset, words: Words) -> str:
    """How many chows a winning hand may have."""
    return words.say("chows_at_most", number=ruleset.most_chows)


def sections_of(ruleset: Ruleset, words: Words) -> list[tuple[str, list[Rule]]]:
    """The rules by what they pay and whose hand they count for, each with its heading."""
    sections: dict[str, list[Rule]] = {}
    for rule in ruleset.rules:
        unit, scope = words.say(f"unit_{rule.unit}"), words.say(f"scope_{rule.scope}")
        heading = words.say("rules_of", unit=unit, scope=scope)
        sections.setdefault(heading, []).append(rule)
    return list(sections.items())


def _rules(page: Page, rules: list[Rule], title: str, words: Words) -> list[str]:
    """A row a rule: amounts, name and id, and below them the source."""
    states = [s for s in ("exposed", "concealed") if any(s in rule.values for rule in rules)]
    heads = [words.say(state) for state in states]
    widths = [len(head) + 2 for head in heads] or [6]
    lines = ["".join(f"  {head}" for head in heads)] if states else []
    for rule in rules:
        amounts = [rule.values.get(state, rule.values.get("")) for state in states or [""]]
        cells = map(_amount, amounts, widths)
        indent = sum(widths) + 2
        lines += page.wrap(f"{words.rule_name(rule)} ({rule.id})", indent, "".join(cells))
        lines += map(page.faint, page.wrap(rule.source.removeprefix(f"{title}: "), indent + 2))
        for other in otherwise_of(rule, words):
            lines += page.wrap(other, indent + 2)
    return lines


def otherwise_of(rule: Rule, words: Words) -> Iterator[str]:
    """What a rule pays under each other reading that makes a difference to it."""
    for other in rule.otherwise:
        paying = replace(rule, unit=other.unit, values=other.values)
        amounts = []
        for state in filter(other.values.__contains__, STATES):
            amount = amount_of(award_of(paying, state), words)
            amounts.append(f"{amount} {words.say(state)}" if state else amount)
        told = ", ".join(amounts) or words.say("no_amount")
        yield words.say("paid_otherwise", reading=other.reading, value=other.value, amounts=told)


def _amount(amount: Fraction | None, width: int) -> str:
    return f"{'-' if amount is None else str(amount):>{width}}"


def _reading(page: Page, reading: ContestedReading, words: Words) -> list[str]:
    others = ", ".join(reading.alternatives)
    told = words.say("reading_is", reading=reading.id, value=reading.default, others=others)
    return [
        *page.wrap(f"  {told}"),
        *map(page.faint, page.wrap(reading.doubt, 6)),
    ]
