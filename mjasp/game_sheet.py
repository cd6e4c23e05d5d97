"""The score sheet of a game as text, Markdown and HTML: views of the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from mjasp import api
from mjasp.columns import cut, right
from mjasp.deal import named
from mjasp.game import Game, Played, Table
from mjasp.game_chart import chart_svg, chart_text
from mjasp.game_store import Written
from mjasp.render.page import Page
from mjasp.render.settlement import by_told, customs_told
from mjasp.rulesets import shipped
from mjasp.tiles import Wind

__all__ = ["change_text", "deal_text", "list_text", "sheet_html", "sheet_markdown", "sheet_text"]

_WIDEST_NAME = 14
_LEGEND = "* won the deal"
_STYLE = """\
body {
  font: 16px/1.4 sans-serif; margin: 1rem auto; max-width: 60rem; padding: 0 1rem;
  overflow-wrap: break-word;
}
h2 { font-size: 1.2rem; margin: 1.5rem 0 .3rem; }
ul { padding-left: 1.2rem; }
table { border-collapse: collapse; margin: .5rem 0 1rem; }
th, td {
  padding: .15rem .6rem .15rem 0; border-bottom: 1px solid #ccc; text-align: left;
  vertical-align: top;
}
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
td.name { overflow-wrap: anywhere; min-width: 4.5rem; }
.totals th.number { overflow-wrap: anywhere; min-width: 2.5rem; max-width: 9rem; }
td small { display: block; color: #555; }
.scroll { overflow-x: auto; }
.chart { display: block; width: 100%; max-width: 40rem; height: auto; }
@media print { body { margin: 0; max-width: none; } section { break-inside: avoid; } }
"""


class _Grid(NamedTuple):
    """A table: its head and its rows; which columns are numbers, to the right, which are names."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int]
    names: frozenset[int] = frozenset()


def sheet_text(game: Game, *, colour: bool = False) -> str:
    """The whole sheet in at most 80 columns: totals, chart, and each deal's hands and payments."""
    page = Page(colour)
    lines = [line for label, text in _heading(game) for line in page.labelled(label, text)]
    lines += page.section("Totals", _short_totals(game))
    if game.deals:
        lines += page.section("Running totals", chart_text(game))
    for number in range(1, len(game.deals) + 1):
        lines += ["", *_deal_lines(page, game, number)]
    return "\n".join(lines)


def deal_text(game: Game, number: int, *, colour: bool = False) -> str:
    """One deal: seats, hands, values, payments and nets, and who sits where next."""
    page = Page(colour)
    last = [*page.labelled("Next", _next(game))] if number == len(game.deals) else []
    return "\n".join([*_deal_lines(page, game, number), "", *_short_totals(game, number), *last])


def change_text(change: Written, *, undone: bool, colour: bool = False) -> str:
    """What a correction, or the undoing of a change, made of the sheet."""
    page = Page(colour)
    game = change.after
    if undone:
        added = len(change.before.deals) > len(game.deals)
        what = f"deal {change.deal}" if added else f"the correction of deal {change.deal}"
        lines = [page.strong(f"Taken back: {what}"), ""]
    else:
        lines = [*_deal_lines(page, game, change.deal), ""]
    anew = [
        f"Deal {each} is counted with new seats: {_seats(game, game.deals[each - 1].table)}"
        for each in game.seated_anew(change.before)
    ]
    lines += [*_short_totals(game), *page.section("Seats", page.items(anew))]
    return "\n".join([*lines, "", *page.labelled("Next", _next(game))])


def list_text(game: Game, *, colour: bool = False) -> str:
    """The deals, a line each."""
    page = Page(colour)
    lines = [line for label, text in _heading(game) for line in page.labelled(label, text)]
    return "\n".join([*lines, "", *_short_totals(game)])


def sheet_markdown(game: Game) -> str:
    """The whole sheet as Markdown; the chart is drawn in characters."""
    lines = ["# Score sheet", ""]
    lines += [f"* {label}: {_mark(text)}" for label, text in _heading(game)]
    lines += ["", "## Totals", "", *_markdown_table(_totals(game)), ""]
    if game.deals:
        lines += [_mark(_LEGEND), "", "```text", *chart_text(game), "```", ""]
    for number, played in enumerate(game.deals, start=1):
        lines += [f"## {_mark(_title(game, number))}", ""]
        lines += [*_markdown_table(_hands(game.players, played)), ""]
        if played.payments:
            lines += [*_markdown_table(_payments(game.players, played)), ""]
        if customs := _customs(played):
            lines += [_mark(customs), ""]
    return "\n".join(lines[:-1])


def sheet_html(game: Game) -> str:
    """The whole sheet as one page that needs nothing else; the chart is inline SVG."""
    body = ["<h1>Score sheet</h1>", "<ul>"]
    body += [f"<li>{label}: {escape(text)}</li>" for label, text in _heading(game)]
    body += ["</ul>", "<h2>Totals</h2>", *_html_totals(game)]
    if game.deals:
        body += [f"<p>Each total, and what was won or lost; {_LEGEND}.</p>", chart_svg(game)]
    for number, played in enumerate(game.deals, start=1):
        body += ["<section>", f"<h2>{escape(_title(game, number))}</h2>"]
        body += _html_table(_hands(game.players, played))
        body += _html_table(_payments(game.players, played)) if played.payments else []
        body += [f"<p>{escape(customs)}</p>"] if (customs := _customs(played)) else []
        body.append("</section>")
    title = escape(f"Score sheet of {', '.join(game.players)}")
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>",
            *body,
            "</body>\n</html>",
        ]
    )


def _heading(game: Game) -> Iterator[tuple[str, str]]:
    settings = game.settings
    yield "Players", ", ".join(game.players)
    limit = f", limit {settings.limit}" if settings.limit else _assumed_limit(settings.rules)
    yield "Rules", f"{settings.rules}{limit}{'' if settings.cap else ', totals not capped'}"
    if settings.readings:
        yield "Readings", ", ".join(f"{each}={value}" for each, value in settings.readings.items())
    customs = "; ".join(customs_told(settings.customs))
    if customs:
        yield "Customs", customs
    yield "Next", _next(game)


def _assumed_limit(rules: str) -> str:
    """The limit of a rule text that prints none; the file of a club's own may be gone by now."""
    found = api.ruleset(rules) if rules in shipped() else None
    if found and found.limit_assumed:
        return f", limit {found.limit}, an assumption: the rule text prints none"
    return ""


def _next(game: Game) -> str:
    return f"deal {len(game.deals) + 1}, {_seats(game, game.table())}"


def _seats(game: Game, table: Table) -> str:
    seats = ", ".join(f"{game.players[table.player(seat)]} {named(seat)}" for seat in Wind)
    return f"{named(table.round)}'s round: {seats}"


def _title(game: Game, number: int) -> str:
    played = game.deals[number - 1]
    winner, by = played.record.winner, played.record.by
    won = "nobody won" if winner is None else f"{game.players[winner]} won"
    won += by_told(game.players[by] if isinstance(by, int) else by)
    return f"Deal {number}, {named(played.table.round)}'s round: {won}"


def _totals(game: Game) -> _Grid:
    head = ["Deal", "Round", "East", *(part for name in game.players for part in (name, "total"))]
    rows = [["", "", "", *("", "0") * 4]]
    for number, (played, totals) in enumerate(zip(game.deals, game.totals, strict=True), start=1):
        east = game.players[played.table.player(Wind.EAST)]
        pairs = zip(_nets(played), map(str, totals), strict=True)
        cells = [part for pair in pairs for part in pair]
        rows.append([str(number), played.table.round.value, east, *cells])
    return _Grid(head, rows, frozenset((0, *range(3, 11))))


def _signed(net: int) -> str:
    return f"{net:+d}" if net else "0"


def _nets(played: Played) -> list[str]:
    """What each player won or lost; `*` marks the winner of the deal."""
    marks = ("*" if player == played.record.winner else "" for player in range(4))
    return [f"{_signed(net)}{mark}" for net, mark in zip(played.net, marks, strict=True)]


def _short_names(game: Game) -> list[str]:
    """Names that fit a column of a page; with their numbers where they would then be alike."""
    names = [cut(name, _WIDEST_NAME) for name in game.players]
    if len({*names}) == len(names):
        return names
    return [cut(f"{number} {name}", _WIDEST_NAME) for number, name in enumerate(game.players, 1)]


def _short_totals(game: Game, number: int | None = None) -> list[str]:
    """Nets and totals in columns that fit a page, for one deal or for all.

    Where they are too long for that, the totals get a line of their own.
    """
    lines = [f"  Deal Round{''.join(right(name, 16) for name in _short_names(game))}"]
    shown = [
        (at, played.table.round.value, _nets(played), [*map(str, totals)])
        for at, (played, totals) in enumerate(zip(game.deals, game.totals, strict=True), start=1)
        if number in {None, at}
    ]
    roomy = all(len(each) <= 8 for _, _, nets, totals in shown for each in (*nets, *totals))
    for at, wind, nets, totals in shown:
        head = f"  {at:>4} {wind:<5}"
        marked = [net if net.endswith("*") else f"{net} " for net in nets]
        if roomy:
            pairs = zip(marked, totals, strict=True)
            lines.append(head + "".join(f"{net:>8}{total:>8}" for net, total in pairs))
        else:
            lines.append(head + "".join(f"{net:>16}" for net in marked).rstrip())
            lines.append(" " * len(head) + "".join(f"{total:>15} " for total in totals).rstrip())
    return lines


def _hands(names: Sequence[str], played: Played) -> _Grid:
    rows = []
    for seat in Wind:
        player = played.table.player(seat)
        hand = played.record.hands[player]
        told = hand if isinstance(hand, str) else "counted at the table"
        rows.append([named(seat), names[player], str(played.values[player]), told])
    return _Grid(["Seat", "Player", "Value", "Hand"], rows, frozenset({2}), frozenset({1}))


def _payments(names: Sequence[str], played: Played) -> _Grid:
    rows = [
        [names[each.payer], names[each.receiver], str(each.amount), each.because]
        for each in played.payments
    ]
    return _Grid(["From", "To", "Amount", "Because"], rows, frozenset({2}), frozenset({0, 1}))


def _customs(played: Played) -> str:
    customs = "; ".join(customs_told(played.record.customs))
    return f"Customs, which no rule text has: {customs}." if customs else ""


def _deal_lines(page: Page, game: Game, number: int) -> list[str]:
    played = game.deals[number - 1]
    names = _short_names(game)
    customs = [*customs_told(played.record.customs)]
    return [
        *map(page.strong, page.wrap(_title(game, number))),
        *page.columns(_hands(names, played).rows),
        *page.section("Payments", page.columns(_payments(names, played).rows)),
        *page.section("Customs, which no rule text has", page.items(customs)),
    ]


def _markdown_table(grid: _Grid) -> Iterator[str]:
    bars = ("---:" if at in grid.numbers else "---" for at in range(len(grid.head)))
    for cells in (map(_mark, grid.head), bars, *(map(_mark, row) for row in grid.rows)):
        yield f"| {' | '.join(cells)} |"


def _mark(text: str) -> str:
    """The text with what Markdown would take for its own marked as text."""
    return "".join(f"\\{char}" if char in r"\`*_[]<>|#~&" else char for char in text)


def _html_totals(game: Game) -> Iterator[str]:
    """A column a player, to fit a narrow screen: his total, and below it what he won or lost."""
    names = "".join(f'<th class="number">{escape(name)}</th>' for name in game.players)
    yield '<div class="scroll"><table class="totals">'
    yield f"<tr><th>Deal</th><th>Round</th>{names}</tr>"
    for number, (played, totals) in enumerate(zip(game.deals, game.totals, strict=True), start=1):
        pairs = zip(totals, _nets(played), strict=True)
        cells = (f'<td class="number">{total}<small>{net}</small></td>' for total, net in pairs)
        yield f"<tr><td>{number}</td><td>{played.table.round}</td>{''.join(cells)}</tr>"
    yield "</table></div>"


def _html_table(grid: _Grid) -> Iterator[str]:
    def cells(kind: str, row: Sequence[str]) -> str:
        kinds = {**dict.fromkeys(grid.numbers, "number"), **dict.fromkeys(grid.names, "name")}
        marks = (f' class="{kinds[at]}"' if at in kinds else "" for at in range(len(row)))
        pairs = zip(marks, map(escape, row), strict=True)
        return "".join(f"<{kind}{mark}>{text}</{kind}>" for mark, text in pairs)

    yield '<div class="scroll"><table>'
    yield f"<tr>{cells('th', grid.head)}</tr>"
    yield from (f"<tr>{cells('td', row)}</tr>" for row in grid.rows)
    yield "</table></div>"
