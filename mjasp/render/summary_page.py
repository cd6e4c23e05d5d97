"""A summary of many hands as an HTML page that stands alone; its plots are SVG, drawn here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from mjasp.render.summary import bands, most_first, percent, ruleset_shares, shares

if TYPE_CHECKING:
    from mjasp.summary import RulesetSummary, Summary

__all__ = ["summary_html"]

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Summary of {hands:,} hands</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem;
  padding: 0 1rem; }}
table {{ border-collapse: collapse; }}
td, th {{ padding: .15rem .75rem .15rem 0; text-align: left; }}
td + td {{ font-variant-numeric: tabular-nums; text-align: right; }}
svg {{ height: auto; max-width: 100%; }}
svg text {{ fill: currentColor; font: 13px system-ui, sans-serif; }}
svg rect {{ fill: #3b7dd8; }}
</style>
</head>
<body>
<h1>Summary of {hands:,} hands</h1>
{body}
</body>
</html>
"""
_ROW, _LABELS, _BARS, _NUMBERS = 22, 300, 420, 130  # pixels


def summary_html(summary: Summary) -> str:
    """The page of a summary."""
    body = [_table(shares(summary))]
    for name, tally in summary.rulesets.items():
        body += _ruleset(name, tally)
    return _PAGE.format(hands=summary.hands, body="\n".join(body))


def _ruleset(name: str, tally: RulesetSummary) -> Iterator[str]:
    yield f"<h2>{escape(name)}</h2>"
    yield _table((what.replace("`", ""), *rest) for what, *rest in ruleset_shares(tally))
    yield "<h3>Totals</h3>"
    yield _bars("Hands by total", bands(tally.totals), tally.hands)
    yield "<h3>Rules</h3>"
    yield _bars("Hands in which each rule fires", most_first(tally.rules), tally.hands)
    if tally.readings:
        yield "<h3>Contested readings</h3>"
        yield _bars("Hands whose total it changes", most_first(tally.readings), tally.asked)


def _table(rows: Iterable[Sequence[str]]) -> str:
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


def _bars(title: str, counts: Sequence[tuple[str, int]], of: int) -> str:
    """A bar for each count, as long as its share of the longest, with its number beside it."""
    longest = max((count for _, count in counts), default=1)
    height = _ROW * len(counts)
    width = _LABELS + _BARS + _NUMBERS
    lines = [
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"<title>{escape(title)}</title>",
    ]
    for at, (name, count) in enumerate(counts):
        length = round(_BARS * count / longest, 1)
        base = _ROW * at + 16
        lines += [
            f'<text x="{_LABELS - 8}" y="{base}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{_LABELS}" y="{_ROW * at + 3}" width="{length}" height="{_ROW - 6}"/>',
            f'<text x="{_LABELS + length + 6}" y="{base}">{count:,} ({percent(count, of)})</text>',
        ]
    return "\n".join([*lines, "</svg>"])
