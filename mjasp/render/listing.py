"""Rule sets and waits as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby

from mjasp.hand import Hand
from mjasp.notation import write
from mjasp.render.draw import multiple
from mjasp.render.page import Page
from mjasp.rulesets import ContestedReading, Rule, Ruleset
from mjasp.tiles import Tile

__all__ = ["ruleset_text", "rulesets_text", "waits_text"]

_SCOPES = {"all": "every player", "winner": "the winner", "loser": "players who did not win"}
_UNITS = {
    "points": "Points",
    "doubles": "Doubles",
    "limits": "Limit hands (multiples of the limit)",
}


def waits_text(hand: Hand, ruleset: str, waits: Iterable[Tile], *, colour: bool = False) -> str:
    """The tiles that would complete a hand, written and in words."""
    page = Page(colour)
    tiles = page.columns([(str(tile), tile.name_in_words) for tile in waits])
    lines = [*page.labelled("Hand", write(hand)), *page.labelled("Rules", ruleset)]
    if not tiles:
        tiles = page.items(["none: no tile would complete this hand"])
    return "\n".join([*lines, *page.section("Waits", tiles)])


def rulesets_text(rulesets: Iterable[Ruleset], *, colour: bool = False) -> str:
    """The rule sets there are: id, limit, and the text each follows."""
    page = Page(colour)
    rows = [
        (each.id, "no limit" if each.limit is None else f"limit {each.limit}", each.source)
        for each in rulesets
    ]
    return "\n".join([page.strong("Rule sets"), *page.columns(rows)])


def ruleset_text(ruleset: Ruleset, *, colour: bool = False) -> str:
    """Every rule with its values, scope and source, and the readings with their doubts."""
    page = Page(colour)
    limit = "none" if ruleset.limit is None else str(ruleset.limit)
    lines = [
        page.strong(f"{ruleset.name} ({ruleset.id})"),
        *page.labelled("Text", ruleset.source),
        *page.labelled("Limit", limit),
    ]
    for (unit, scope), rules in groupby(ruleset.rules, key=lambda rule: (rule.unit, rule.scope)):
        heading = f"{_UNITS[unit]} for {_SCOPES[scope]}"
        lines += page.section(heading, _rules(page, list(rules), ruleset.source))
    readings = [line for each in ruleset.readings for line in _reading(page, each)]
    return "\n".join(
        [
            *lines,
            *page.section(
                "Contested readings: the default, and the others for --reading", readings
            ),
        ]
    )


def _rules(page: Page, rules: list[Rule], title: str) -> list[str]:
    """A row a rule: amounts, name and id, and below them the source."""
    states = [s for s in ("exposed", "concealed") if any(s in rule.values for rule in rules)]
    widths = [len(state) + 2 for state in states] or [6]
    lines = ["".join(f"  {state}" for state in states)] if states else []
    for rule in rules:
        amounts = [rule.values.get(state, rule.values.get("")) for state in states or [""]]
        cells = map(_amount, amounts, widths)
        indent = sum(widths) + 2
        lines += page.wrap(f"{rule.name} ({rule.id})", indent, "".join(cells))
        lines += map(page.faint, page.wrap(rule.source.removeprefix(f"{title}: "), indent + 2))
    return lines


def _amount(amount: Fraction | None, width: int) -> str:
    return f"{'-' if amount is None else multiple(amount):>{width}}"


def _reading(page: Page, reading: ContestedReading) -> list[str]:
    others = ", ".join(reading.alternatives)
    return [
        *page.wrap(f"  {reading.id} = {reading.default} (or {others})"),
        *map(page.faint, page.wrap(reading.doubt, 6)),
    ]
