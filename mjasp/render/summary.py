"""A summary of many hands: as JSON, and as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mjasp.summary import RulesetSummary, Summary

__all__ = [
    "bands",
    "most_first",
    "percent",
    "ruleset_shares",
    "shares",
    "summary_dict",
    "summary_markdown",
]


def summary_dict(summary: Summary) -> dict[str, Any]:
    """A summary as `mjasp/summary/1`; a share is null where there is nothing to divide by."""
    return {
        "schema": "mjasp/summary/1",
        "hands": summary.hands,
        "errors": summary.errors,
        "compared": summary.compared,
        "best_differs": _counted(summary.best_differs, summary.compared),
        "total_differs": _counted(summary.total_differs, summary.compared),
        "rulesets": {name: _ruleset(tally) for name, tally in summary.rulesets.items()},
    }


def _ruleset(tally: RulesetSummary) -> dict[str, Any]:
    return {
        "hands": tally.hands,
        "outcomes": dict(sorted(tally.outcomes.items())),
        "several_interpretations": _counted(tally.several, tally.hands),
        "rules": {
            rule: {**_counted(hands, tally.hands), "firings": tally.firings[rule]}
            for rule, hands in most_first(tally.rules)
        },
        "totals": [
            {"total": total, "hands": hands} for total, hands in sorted(tally.totals.items())
        ],
        "readings": {
            "hands": tally.asked,
            "total_differs": _counted(tally.any_reading, tally.asked),
            "best_differs": _counted(tally.any_reading_best, tally.asked),
            "by_reading": {
                reading: {
                    "total_differs": _counted(hands, tally.asked),
                    "best_differs": _counted(tally.readings_best[reading], tally.asked),
                }
                for reading, hands in most_first(tally.readings)
            },
        },
    }


def _counted(hands: int, of: int) -> dict[str, Any]:
    return {"hands": hands, "share": hands / of if of else None}


def summary_markdown(summary: Summary) -> str:
    """A summary as Markdown."""
    lines = ["# Summary", "", *_table(("", "hands", "share"), shares(summary))]
    for name, tally in summary.rulesets.items():
        lines += ["", f"## {name}", "", *_table(("", "hands", "share"), ruleset_shares(tally))]
        rules = (
            (f"`{rule}`", f"{hands:,}", percent(hands, tally.hands), f"{tally.firings[rule]:,}")
            for rule, hands in most_first(tally.rules)
        )
        lines += ["", "### Rules", "", *_table(("rule", "hands", "share", "times fired"), rules)]
        totals = (
            (band, f"{hands:,}", percent(hands, tally.hands)) for band, hands in bands(tally.totals)
        )
        lines += ["", "### Totals", "", *_table(("total", "hands", "share"), totals)]
    return "\n".join(lines)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|---|{'---:|' * (len(header) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def shares(summary: Summary) -> Iterator[tuple[str, str, str]]:
    """What is told of all hands: what is counted, how many, which share."""
    yield "hands", f"{summary.hands:,}", ""
    yield "errors", f"{summary.errors:,}", percent(summary.errors, summary.hands)
    if summary.compared:
        for what, hands in (
            ("best interpretation differs between rule sets", summary.best_differs),
            ("total differs between rule sets", summary.total_differs),
        ):
            yield what, f"{hands:,}", percent(hands, summary.compared)


def ruleset_shares(tally: RulesetSummary) -> Iterator[tuple[str, str, str]]:
    """What is told of the hands under one rule set, likewise."""
    yield "hands", f"{tally.hands:,}", ""
    for outcome, hands in sorted(tally.outcomes.items()):
        yield outcome, f"{hands:,}", percent(hands, tally.hands)
    yield "more than one interpretation", f"{tally.several:,}", percent(tally.several, tally.hands)
    if tally.asked:
        for what, hands in (
            ("a reading changes the total", tally.any_reading),
            ("a reading changes the best interpretation", tally.any_reading_best),
        ):
            yield what, f"{hands:,}", percent(hands, tally.asked)
    for reading, hands in most_first(tally.readings):
        yield f"`{reading}` changes the total", f"{hands:,}", percent(hands, tally.asked)


def most_first(counts: dict[str, int]) -> list[tuple[str, int]]:
    """Names with their counts, the most frequent first, equal ones by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def bands(totals: dict[int, int]) -> list[tuple[str, int]]:
    """How many hands have a total in each band; a band ends at twice the one before, as doubles do.

    >>> bands({0: 3, 2: 1, 22: 4, 30: 1})
    [('0', 3), ('1-2', 1), ('17-32', 5)]
    """
    found: dict[int, int] = {}
    for total, hands in totals.items():
        power = max(1, (total - 1).bit_length()) if total else 0
        found[power] = found.get(power, 0) + hands
    return [(_band(power), found[power]) for power in sorted(found)]


def _band(power: int) -> str:
    if not power:
        return "0"
    return f"{(1 << power - 1) + 1 if power > 1 else 1}-{1 << power}"


def percent(hands: int, of: int) -> str:
    """A share as people write it."""
    return f"{hands / of:.1%}" if of else ""
