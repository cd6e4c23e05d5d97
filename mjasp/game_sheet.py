"""The score sheet of a game as text, Markdown and HTML: views of the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from mjasp.deal import named
from mjasp.game import Game, Played, Table
from mjasp.game_chart import chart_svg, chart_text
from mjasp.game_store import Written
from mjasp.render.page import Page
from mjasp.render.settlement import customs_told
from mjasp.tiles import Wind

__all__ = ["change_text", "deal_text", "list_text", "sheet_html", "sheet_markdown", "sheet_text"]

_STYLE = """\
body { font: 16px/1.4 sans-serif; margin: 1rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1rem; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #ccc; text-align: left; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
.chart { width: 100%; min-width: 32rem; max-width: 50rem; height: auto; }
@media print { body { margin: 0; max-width: none; } section { break-inside: avoid; } }
"""


class _Grid(NamedTuple):
    """A table: its head and its rows; columns of numbers stand to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int]


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


def change_text(change: Written, number: int | None, *, colour: bool = False) -> str:
    """What a correction (of the deal of that number) or an undo made of the sheet."""
    page = Page(colour)
    game = change.after
    lines = [*_deal_lines(page, game, number), ""] if number else []
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
    lines += ["", "## Totals", "", *_markdown_table(_totals(game))]
    if game.deals:
        lines += ["", "```text", *chart_text(game), "```"]
    for number, played in enumerate(game.deals, start=1):
        lines += [
            "",
            f"## {_mark(_title(game, number))}",
            "",
            *_markdown_table(_hands(game, played)),
        ]
        if played.payments:
            lines += ["", *_markdown_table(_payments(game, played))]
    return "\n".join(lines)


def sheet_html(game: Game) -> str:
    """The whole sheet as one page that needs nothing else; the chart is inline SVG."""
    body = ["<h1>Score sheet</h1>", "<ul>"]
    body += [f"<li>{label}: {escape(text)}</li>" for label, text in _heading(game)]
    body += ["</ul>", "<h2>Totals</h2>", *_html_table(_totals(game))]
    if game.deals:
        body.append(f'<div class="scroll">{chart_svg(game)}</div>')
    for number, played in enumerate(game.deals, start=1):
        body += ["<section>", f"<h2>{escape(_title(game, number))}</h2>"]
        body += _html_table(_hands(game, played))
        body += _html_table(_payments(game, played)) if played.payments else []
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
    limit = f", limit {settings.limit}" if settings.limit else ""
    yield "Rules", f"{settings.rules}{limit}{'' if settings.cap else ', totals not capped'}"
    if settings.readings:
        yield "Readings", ", ".join(f"{each}={value}" for each, value in settings.readings.items())
    customs = "; ".join(customs_told(settings.customs))
    if customs:
        yield "Customs", customs
    yield "Next", _next(game)


def _next(game: Game) -> str:
    return f"deal {len(game.deals) + 1}, {_seats(game, game.table())}"


def _seats(game: Game, table: Table) -> str:
    seats = ", ".join(f"{game.players[table.player(seat)]} {named(seat)}" for seat in Wind)
    return f"{named(table.round)}'s round: {seats}"


def _title(game: Game, number: int) -> str:
    played = game.deals[number - 1]
    winner = played.record.winner
    won = "nobody won" if winner is None else f"{game.players[winner]} won"
    return f"Deal {number}, {named(played.table.round)}'s round: {won}"


def _totals(game: Game) -> _Grid:
    head = ["Deal", "Round", "East", *(part for name in game.players for part in (name, "total"))]
    rows = [["", "", "", *("", "0") * 4]]
    for number, (played, totals) in enumerate(zip(game.deals, game.totals, strict=True), start=1):
        east = game.players[played.table.player(Wind.EAST)]
        pairs = zip(map(_signed, played.net), map(str, totals), strict=True)
        cells = [part for pair in pairs for part in pair]
        rows.append([str(number), played.table.round.value, east, *cells])
    return _Grid(head, rows, frozenset((0, *range(3, 11))))


def _signed(net: int) -> str:
    return f"{net:+d}" if net else "0"


def _short_totals(game: Game, number: int | None = None) -> list[str]:
    """Nets and totals in columns that fit a page, for one deal or for all; `*` marks the winner."""
    names = [name if len(name) <= 14 else f"{name[:13]}…" for name in game.players]
    lines = [f"  Deal Round{''.join(f'{name:>16}' for name in names)}"]
    for at, (played, totals) in enumerate(zip(game.deals, game.totals, strict=True), start=1):
        if number in {None, at}:
            cells = []
            for player, (net, total) in enumerate(zip(played.net, totals, strict=True)):
                mark = "*" if player == played.record.winner else " "
                cells.append(f"{_signed(net):>7}{mark}{total:>8d}")
            lines.append(f"  {at:>4} {played.table.round.value:<5}{''.join(cells)}")
    return lines


def _hands(game: Game, played: Played) -> _Grid:
    rows = []
    for seat in Wind:
        player = played.table.player(seat)
        hand = played.record.hands[player]
        told = hand if isinstance(hand, str) else "counted at the table"
        rows.append([named(seat), game.players[player], str(played.values[player]), told])
    return _Grid(["Seat", "Player", "Value", "Hand"], rows, frozenset({2}))


def _payments(game: Game, played: Played) -> _Grid:
    rows = [
        [game.players[each.payer], game.players[each.receiver], str(each.amount), each.because]
        for each in played.payments
    ]
    return _Grid(["From", "To", "Amount", "Because"], rows, frozenset({2}))


def _deal_lines(page: Page, game: Game, number: int) -> list[str]:
    played = game.deals[number - 1]
    customs = [*customs_told(played.record.customs)]
    return [
        page.strong(_title(game, number)),
        *page.columns(_hands(game, played).rows),
        *page.section("Payments", page.columns(_payments(game, played).rows)),
        *page.section("Customs, which no rule text has", page.items(customs)),
    ]


def _markdown_table(grid: _Grid) -> Iterator[str]:
    bars = ("---:" if at in grid.numbers else "---" for at in range(len(grid.head)))
    for cells in (map(_mark, grid.head), bars, *(map(_mark, row) for row in grid.rows)):
        yield f"| {' | '.join(cells)} |"


def _mark(text: str) -> str:
    """The text with what Markdown would take for its own marked as text."""
    return "".join(f"\\{char}" if char in r"\`*_[]<>|#~" else char for char in text)


def _html_table(grid: _Grid) -> Iterator[str]:
    def cells(kind: str, row: Sequence[str]) -> str:
        marks = (' class="number"' if at in grid.numbers else "" for at in range(len(row)))
        pairs = zip(marks, map(escape, row), strict=True)
        return "".join(f"<{kind}{mark}>{text}</{kind}>" for mark, text in pairs)

    yield '<div class="scroll"><table>'
    yield f"<tr>{cells('th', grid.head)}</tr>"
    yield from (f"<tr>{cells('td', row)}</tr>" for row in grid.rows)
    yield "</table></div>"
