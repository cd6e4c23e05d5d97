"""One interpretation told: its sets, every fired rule, and the sum, step by step.

All sums are taken from the awards as they are printed, so what is read adds up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mjasp.models import Award
from mjasp.render.draw import apart, draw_set, name_set, share, state_of
from mjasp.render.page import Page
from mjasp.scoring import Interpretation
from mjasp.tiles import Tile, written

__all__ = ["amount_of", "common_title", "counted_as", "outline", "trace_lines"]

_AMOUNT = 6
_WIDEST_NAME = 50


def trace_lines(
    page: Page, interpretation: Interpretation, winning: Tile | None, limit: int | None
) -> list[str]:
    """Sets, awards and arithmetic of an interpretation, down to its total."""
    ledger = _Ledger.of(page, interpretation.fired)
    return [
        *page.section("Sets", page.columns(_sets(interpretation, winning))),
        *ledger.tell(interpretation.fired, limit),
        "",
        *_capping(interpretation, limit),
        page.strong(f"Total    {interpretation.total}"),
    ]


def outline(interpretation: Interpretation, limit: int | None) -> str:
    """The sum of an interpretation on one line.

    >>> lost = Interpretation("lost", None, (), (), 6, 1, Fraction(0), None, 12, False, 12)
    >>> outline(lost, 500)
    '6 points, 1 double: 12'
    """
    terms = []
    if interpretation.limits:
        terms.append(share(interpretation.limits, limit))
    if interpretation.points or not terms:
        terms.append(_amounts(interpretation.points, interpretation.doubles))
    if interpretation.bonus:
        bonus = _amounts(interpretation.bonus.points, interpretation.bonus.doubles)
        terms.append(f"flowers and seasons {bonus}")
    text = f"{'; '.join(terms)}: {interpretation.uncapped}"
    return f"{text}, capped to {interpretation.total}" if interpretation.capped else text


def counted_as(interpretation: Interpretation) -> str:
    """How the interpretation is counted: as its special hand, as calling for it, or ordinarily."""
    if interpretation.name is None:
        return "an ordinary hand"
    names = {award.rule: award.name for award in interpretation.fired}
    calling = [award.name for award in interpretation.fired if award.limits]
    return names.get(interpretation.name) or calling[0]


def amount_of(award: Award) -> str:
    """What an award pays, with its unit, such as `4 points` or `1 double`."""
    if award.limits:
        return share(award.limits)
    return _count(award.points, "point") if award.points else _count(award.doubles, "double")


def common_title(awards: Iterable[Award]) -> str | None:
    """The title of the rule text, where all awards come from the same one."""
    titles = {award.source.partition(": ")[0] for award in awards}
    return titles.pop() if len(titles) == 1 else None


@dataclass(frozen=True, slots=True)
class _Ledger:
    """Writes awards below each other; `title` is named elsewhere, `column` is where tiles stand."""

    page: Page
    title: str | None
    column: int

    @classmethod
    def of(cls, page: Page, awards: Sequence[Award]) -> _Ledger:
        widths = [len(award.name) for award in awards if award.tiles]
        return cls(page, common_title(awards), min(max(widths, default=0), _WIDEST_NAME))

    def tell(self, awards: Sequence[Award], limit: int | None) -> list[str]:
        """All awards of an interpretation, part by part, and the sum of the parts."""
        lines, terms = [], []
        limits = [award for award in awards if award.limits]
        if limits:
            terms.append(int(sum(award.limits for award in limits) * (limit or 0)))
            lines += self._limits(limits, limit, terms[-1])
        for part, heading in (("hand", ""), ("bonus", ", flowers and seasons")):
            counted = [award for award in awards if award.part == part and not award.limits]
            if counted or not terms:
                points = sum(award.points for award in counted)
                doubles, worth = self._doubles(counted, points)
                lines += self.page.section(f"Points{heading}", self._points(counted, points))
                lines += self.page.section(f"Doubles{heading}", doubles)
                terms.append(worth)
        if len(terms) > 1:
            lines += ["", *self._step(f"{' + '.join(map(str, terms))} = {sum(terms)}")]
        return lines

    def _limits(self, awards: Sequence[Award], limit: int | None, worth: int) -> list[str]:
        multiple = sum((award.limits for award in awards), Fraction(0))
        rounded = ", rounded down" if multiple * (limit or 0) != worth else ""
        lines = [line for award in awards for line in self._award(str(award.limits), award)]
        lines += self._step(f"{share(multiple, limit)}{rounded} = {worth}")
        return self.page.section("Limit", lines)

    def _points(self, awards: Sequence[Award], total: int) -> list[str]:
        paying = [award for award in awards if award.points]
        lines = [line for award in paying for line in self._award(str(award.points), award)]
        if paying:
            lines.append(f"{'-' * (len(str(total)) + 1):>{_AMOUNT}}")
        return [*lines, f"{total:>{_AMOUNT}}  {'point' if total == 1 else 'points'}"]

    def _doubles(self, awards: Sequence[Award], value: int) -> tuple[list[str], int]:
        """The doubles, each with its step from `value` on, and the value after the last."""
        lines = []
        for award in awards:
            if award.doubles:
                product = value << award.doubles
                lines += self._award(str(award.doubles), award)
                lines += self._step(f"{value}{' x 2' * award.doubles} = {product}")
                value = product
        return lines, value

    def _award(self, amount: str, award: Award) -> list[str]:
        name = award.name
        if award.tiles:
            name = f"{name:<{self.column}}   {written(award.tiles)}"
        source = award.source.removeprefix(f"{self.title}: ")
        return [
            *self.page.wrap(name, _AMOUNT + 2, f"{amount:>{_AMOUNT}}"),
            *map(self.page.faint, self.page.wrap(source, _AMOUNT + 4)),
        ]

    def _step(self, sum_: str) -> list[str]:
        return self.page.wrap(sum_, _AMOUNT + 2)


def _sets(interpretation: Interpretation, winning: Tile | None) -> list[tuple[str, str, str]]:
    sets, alone = apart(interpretation.sets)
    rows = [(draw_set(meld, winning), name_set(meld), state_of(meld)) for meld in sets]
    if alone:
        rows.append((written(alone), "in no set", "concealed"))
    return rows


def _capping(interpretation: Interpretation, limit: int | None) -> list[str]:
    if interpretation.capped:
        return [f"{interpretation.uncapped} is more than the limit of {limit}, which counts."]
    if limit is not None and interpretation.uncapped > limit:
        return [f"The limit of {limit} is lifted."]
    return []


def _amounts(points: int, doubles: int) -> str:
    text = _count(points, "point")
    return f"{text}, {_count(doubles, 'double')}" if doubles else text


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
