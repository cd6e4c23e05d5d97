"""A chart of running totals: as SVG, and drawn in plain characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from mjasp.columns import cut
from mjasp.game import Game
from mjasp.render.page import Page

__all__ = ["chart_svg", "chart_text"]

# Narrow, for its text is to be read on a telephone, too; below it stands a line for each player.
_WIDTH, _HEIGHT, _ROW = 400, 260, 20
_RIGHT, _TOP, _BOTTOM = 10, 12, 30
_DIGIT = 7
_MOST_MARKS = 10
_LONGEST_NAME = 44
# Told apart in black and white too.
_LINES = (
    ("#1b5e9e", "none", "circle"),
    ("#b3261e", "7 4", "square"),
    ("#2e7d32", "2 4", "diamond"),
    ("#6a1b9a", "10 4 2 4", "triangle"),
)
_MARKS = {
    "circle": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
    "square": "M-4 -4h8v8h-8z",
    "diamond": "M0 -5l5 5l-5 5l-5 -5z",
    "triangle": "M0 -5l5 9h-10z",
}
_ROWS, _COLUMNS = 13, 60


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where deals and totals lie in the picture."""

    deals: int
    least: int
    step: int
    steps: int

    @property
    def left(self) -> int:
        return 12 + _DIGIT * max(len(str(tick)) for tick in self.ticks)

    @classmethod
    def of(cls, totals: Sequence[tuple[int, ...]]) -> _Scale:
        flat = [total for each in totals for total in each]
        least, most = min(flat), max(flat)
        step = _step(most - least)
        first = least // step
        return cls(len(totals) - 1, first * step, step, max(-(-most // step) - first, 1))

    @property
    def ticks(self) -> list[int]:
        return [self.least + self.step * at for at in range(self.steps + 1)]

    def x(self, deal: int) -> float:
        return round(self.left + deal * (_WIDTH - self.left - _RIGHT) / max(self.deals, 1), 1)

    def y(self, total: int) -> float:
        share = (total - self.least) / (self.step * self.steps)
        return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM), 1)


def _step(span: int) -> int:
    """A round number of which at most eight cover the span.

    >>> [_step(span) for span in (0, 40, 3700)]
    [1, 5, 500]
    """
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if span <= 8 * step:
                return step
        size *= 10


def chart_svg(game: Game) -> str:
    """The running totals as an SVG element that stands for itself in a page."""
    totals = ((0, 0, 0, 0), *game.totals)
    scale = _Scale.of(totals)
    head = f'<svg class="chart" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT + 4 * _ROW}"'
    head += ' xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12">'
    lines = [head, f"<title>Running totals of {escape(', '.join(game.players))}</title>"]
    lines += _axes(scale)
    for number, name in enumerate(game.players):
        lines.append(_player_line(scale, totals, number, name))
    return "\n".join([*lines, *_names(game, totals[-1]), "</svg>"])


def _axes(scale: _Scale) -> Iterator[str]:
    for tick in scale.ticks:
        y, colour = scale.y(tick), "#555" if tick == 0 else "#ddd"
        yield f'<path d="M{scale.left} {y}H{_WIDTH - _RIGHT}" stroke="{colour}"/>'
        yield f'<text x="{scale.left - 6}" y="{y + 4}" text-anchor="end">{tick}</text>'
    for deal in range(0, scale.deals + 1, _step(scale.deals)):
        y = _HEIGHT - _BOTTOM + 18
        yield f'<text x="{scale.x(deal)}" y="{y}" text-anchor="middle">{deal}</text>'


def _player_line(scale: _Scale, totals: Sequence[tuple[int, ...]], number: int, name: str) -> str:
    points = [(scale.x(deal), scale.y(each[number])) for deal, each in enumerate(totals)]
    path = " ".join(f"{x},{y}" for x, y in points)
    # Marks in different places, so that of lines that run together each is seen.
    every = -(-len(points) // _MOST_MARKS)
    return _drawn(number, f'polyline points="{path}"', points[number * every // 4 :: every], name)


def _drawn(number: int, line: str, marked: Sequence[tuple[float, float]], name: str) -> str:
    """A player's line, with his colour, dashes and marks."""
    colour, dashes, mark = _LINES[number]
    marks = (f'<path d="{_MARKS[mark]}" transform="translate({x} {y})"/>' for x, y in marked)
    return "\n".join(
        [
            f'<g stroke="{colour}" fill="{colour}"><title>{escape(name)}</title>',
            f'<{line} fill="none" stroke-width="2" stroke-dasharray="{dashes}"/>',
            *marks,
            "</g>",
        ]
    )


def _names(game: Game, last: tuple[int, ...]) -> Iterator[str]:
    """A line for each player: how he is drawn, his total and his name."""
    for number, name in enumerate(game.players):
        y = _HEIGHT + _ROW * number + 8
        yield _drawn(number, f'path d="M10 {y}H50"', [(30, y)], name)
        told = escape(f"{last[number]} {cut(name, _LONGEST_NAME)}")
        yield f'<text x="60" y="{y + 4}">{told}</text>'


def chart_text(game: Game) -> list[str]:
    """The running totals drawn in characters: a player is the digit of the first seat, 1 to 4."""
    totals = ((0, 0, 0, 0), *game.totals)
    flat = [total for each in totals for total in each]
    least, most = min(flat), max(flat)
    columns = [totals[at * (len(totals) - 1) // (_wide(totals) - 1)] for at in range(_wide(totals))]
    gap = max(1, min(4, _COLUMNS // len(columns)))
    grid = [[" "] * (gap * len(columns)) for _ in range(_ROWS)]
    for at, each in enumerate(columns):
        for number, total in enumerate(each):
            row = grid[round((most - total) * (_ROWS - 1) / max(most - least, 1))]
            row[at * gap] = "*" if row[at * gap] != " " else str(number + 1)
    told = {0: str(most), _ROWS - 1: str(least)}
    width = max(map(len, told.values()))
    drawn = [
        f"  {told.get(at, ''):>{width}} |{''.join(row)}".rstrip() for at, row in enumerate(grid)
    ]
    names = ", ".join(f"{number} {name}" for number, name in enumerate(game.players, start=1))
    return [*drawn, *Page().wrap(f"{names}, * several", width + 4, " ")]


def _wide(totals: Sequence[object]) -> int:
    return max(2, min(len(totals), _COLUMNS))
