"""A document as text for people, 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from mjasp.render import document as doc
from mjasp.render.page import Page
from mjasp.tiles import written

__all__ = ["text_of"]

_AMOUNT = 6
_WIDEST_NAME = 50


def text_of(document: doc.Document, *, colour: bool = False) -> str:
    r"""The document as lines; `colour` adds bold and faint.

    >>> facts = doc.Facts((doc.Fact("Hand", "[EEE]"),))
    >>> text_of(doc.Document("A hand", "en", (facts, doc.Section("Notes", (doc.Items(("a",)),)))))
    'Hand     [EEE]\n\nNotes\n  - a'
    """
    page = Page(colour)
    return "\n".join(chain.from_iterable(_lines(page, block) for block in document.blocks))


def _lines(  # noqa: C901, PLR0911, PLR0912 - one case a block
    page: Page, block: doc.Block
) -> Iterable[str]:
    match block:
        case doc.Lead(text):
            return [*map(page.strong, page.wrap(text)), ""]
        case doc.Facts(facts):
            return chain.from_iterable(_fact(page, fact) for fact in facts)
        case doc.Section(folded=True):
            return []
        case doc.Section(heading, blocks):
            lines = [line for each in blocks for line in _lines(page, each)]
            return page.section(heading, lines[1:] if lines[:1] == [""] else lines)
        case doc.Remark(text):
            return ["", *page.wrap(text)]
        case doc.Paragraph(text):
            return page.wrap(text, 2, " ")
        case doc.Code(text):
            return page.wrap(text, 6, " ")
        case doc.Items(texts):
            return page.items(texts)
        case doc.Table():
            return _table(page, block)
        case doc.Sets(_, _, groups):
            rows = [(each.drawn, each.name, each.state) for each in groups if not each.bonus]
            return page.columns(rows)
        case doc.Ledger():
            return _ledger(page, block)
        case doc.Total(remarks, label, value):
            return ["", *remarks, *map(page.strong, page.labelled(label, value))]
        case doc.Tree(nodes):
            return _tree(page, nodes)
        case doc.Steps(first, steps):
            return _steps(page, first, steps)


def _fact(page: Page, fact: doc.Fact) -> Iterable[str]:
    lines = page.labelled(fact.label, fact.text)
    return map(page.strong, lines) if fact.role == "title" else lines


def _table(page: Page, table: doc.Table) -> list[str]:
    """Rows below each other; of a headed table the columns are as wide as they say."""
    if not table.headed:
        return page.columns(table.rows)
    head = tuple(column.head for column in table.columns)
    return [line for row in (head, *table.rows) for line in _row(page, table.columns, row)]


def _row(page: Page, columns: tuple[doc.Column, ...], row: tuple[str, ...]) -> list[str]:
    """A row; the last cell is wrapped where it has no width, what has no room gets a line."""
    drawn = ""
    lines: list[str] = []
    for column, cell in zip(columns, row, strict=True):
        if not column.width:
            return [*lines, *page.wrap(cell, len(drawn) + 2, drawn.rstrip())]
        if len(cell) >= column.width and not column.right:
            lines.append(f"{drawn}{cell}")
            drawn = " " * (len(drawn) + column.width)
        else:
            drawn += cell.rjust(column.width) if column.right else cell.ljust(column.width)
    return [*lines, drawn.rstrip()]


# ---- Awards


def _ledger(page: Page, ledger: doc.Ledger) -> list[str]:
    """Awards below each other, tiles in one column, and the sums of the parts."""
    entries = [entry for part in ledger.parts for entry in part.entries]
    widths = [len(entry.name) for entry in entries if entry.tiles]
    column = min(max(widths, default=0), _WIDEST_NAME)
    lines: list[str] = []
    for part in ledger.parts:
        told = [line for entry in part.entries for line in _entry(page, entry, column)]
        lines += page.section(part.heading, [*told, *_sum(page, part)])
    return [*lines, "", *_step(page, ledger.step)] if ledger.step else lines


def _entry(page: Page, entry: doc.Entry, column: int) -> list[str]:
    name = entry.name
    if entry.tiles:
        name = f"{name:<{column}}   {written(entry.tiles)}"
    return [
        *page.wrap(name, _AMOUNT + 2, f"{entry.amount:>{_AMOUNT}}"),
        *map(page.faint, page.wrap(entry.source, _AMOUNT + 4)),
        *_step(page, entry.step),
    ]


def _sum(page: Page, part: doc.Part) -> list[str]:
    lines: list[str] = []
    if part.total:
        amount, unit = part.total
        if part.entries:
            lines.append(f"{'-' * (len(amount) + 1):>{_AMOUNT}}")
        lines.append(f"{amount:>{_AMOUNT}}  {unit}")
    return [*lines, *_step(page, part.step)]


def _step(page: Page, text: str) -> list[str]:
    return page.wrap(text, _AMOUNT + 2) if text else []


# ---- Sentences


def _tree(page: Page, nodes: Iterable[doc.Node], indent: int = 2) -> Iterator[str]:
    for node in nodes:
        yield from page.wrap(node.text, indent + 2, f"{' ' * indent}-")
        yield from _tree(page, node.below, indent + 2)


def _steps(page: Page, first: int, steps: Iterable[doc.Step]) -> Iterator[str]:
    for number, step in enumerate(steps, start=first):
        yield from page.wrap(step.sentence, 6, f"  {number:>2}.")
        yield from map(page.faint, page.wrap(step.source, 8) if step.source else ())
