"""Rule sets and waits as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from mjasp.hand import Hand
from mjasp.notation import write
from mjasp.render.page import Page
from mjasp.rulesets import ContestedReading, Rule, Ruleset
from mjasp.scoring import Calling
from mjasp.tiles import Tile

__all__ = ["limit_of", "ruleset_text", "rulesets_text", "sections_of", "waits_text"]

_SCOPES = {"all": "every player", "winner": "the winner", "loser": "players who did not win"}
_UNITS = {
    "points": "Points",
    "doubles": "Doubles",
    "limits": "Limit hands (multiples of the limit)",
}


def waits_text(
    hand: Hand,
    ruleset: Ruleset,
    waits: Iterable[Tile],
    calling: Iterable[Calling],
    *,
    colour: bool = False,
) -> str:
    """The tiles that would complete a hand, in words, and the special hands that it is calling for.

    What a loser is paid for calling stands beside them where the rule set pays something.
    """
    page = Page(colour)
    names = {rule.id: rule.name for rule in ruleset.rules}
    tiles = page.columns([(str(tile), tile.name_in_words) for tile in waits])
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
    return "\n".join(
        [
            *page.labelled("Hand", write(hand)),
            *page.labelled("Rules", ruleset.id),
            *page.section("Waits", tiles or page.items(["none: no tile would complete this hand"])),
            *page.section("Calling for special hands: total without a win, tiles", called),
        ]
    )


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
    lines = [
        page.strong(f"{ruleset.name} ({ruleset.id})"),
        *page.labelled("Text", ruleset.source),
        *page.labelled("Limit", limit_of(ruleset)),
    ]
    for heading, rules in sections_of(ruleset):
        lines += page.section(heading, _rules(page, rules, ruleset.source))
    readings = [line for each in ruleset.readings for line in _reading(page, each)]
    heading = "Contested readings: the default, and the others for --reading"
    return "\n".join([*lines, *page.section(heading, readings)])


def limit_of(ruleset: Ruleset) -> str:
    """The limit in points, or what stands in the place of one."""
    if ruleset.limit is None:
        return "none: totals are as high as they come"
    if ruleset.limit_assumed:
        return f"{ruleset.limit}, an assumption: the rule text prints none"
    return str(ruleset.limit)


def sections_of(ruleset: Ruleset) -> list[tuple[str, list[Rule]]]:
    """The rules by what they pay and whose hand they count for, each with its heading."""
    sections: dict[str, list[Rule]] = {}
    for rule in ruleset.rules:
        heading = f"{_UNITS[rule.unit]} for {_SCOPES[rule.scope]}"
        sections.setdefault(heading, []).append(rule)
    return list(sections.items())


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
    return f"{'-' if amount is None else str(amount):>{width}}"


def _reading(page: Page, reading: ContestedReading) -> list[str]:
    others = ", ".join(reading.alternatives)
    return [
        *page.wrap(f"  {reading.id} = {reading.default} (or {others})"),
        *map(page.faint, page.wrap(reading.doubt, 6)),
    ]
