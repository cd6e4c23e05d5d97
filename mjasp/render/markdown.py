"""A document as Markdown that lines up as it stands, too: tables are padded.

Sources are told once, below the tables: in a column they would make the tables too wide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from mjasp.render import document as doc
from mjasp.tiles import written

__all__ = ["markdown_of"]

_SPECIAL = re.compile(r"[\\`*\[\]<|]|(?<!\w)_|_(?!\w)")


def markdown_of(document: doc.Document) -> str:
    r"""The document as Markdown.

    >>> facts = doc.Facts((doc.Fact("Hand", "[EEE]", "code"), doc.Fact("Result", "8", "title")))
    >>> markdown_of(doc.Document("A hand", "en", (facts,)))
    '# 8\n\n- Hand: `[EEE]`'
    """
    heading = [f"# {_plain(document.heading)}"] if document.heading else []
    told = [each for block in document.blocks for each in _block(block, 2)]
    return "\n\n".join([*heading, *told])


def _block(  # noqa: C901, PLR0912 - as text
    block: doc.Block, level: int
) -> Iterator[str]:
    """The paragraphs of a block."""
    match block:
        case doc.Lead(text):
            yield f"# {_plain(text)}"
        case doc.Facts(facts):
            yield from _facts(facts)
        case doc.Section():
            yield from _section(block, level)
        case doc.Remark(text) | doc.Paragraph(text):
            yield _plain(text)
        case doc.Code(text):
            yield _code(text)
        case doc.Items(texts):
            if texts:
                yield "\n".join(f"- {_plain(text)}" for text in texts)
        case doc.Table(columns, rows):
            if rows:
                yield _table(columns, [[_plain(cell.strip()) for cell in row] for row in rows])
        case doc.Sets(_, heads, groups):
            yield _table(
                tuple(map(doc.Column, heads)),
                [(_code(each.drawn), each.name, each.state) for each in groups if not each.bonus],
            )
        case doc.Ledger():
            yield from _ledger(block, level)
        case doc.Total(remarks, label, value):
            yield from map(_plain, remarks)
            yield f"**{label}: {value}**"
        case doc.Tree(nodes):
            yield "\n".join(_tree(nodes, ""))
        case doc.Steps(first, steps):
            yield "\n".join(_counted(number, step) for number, step in enumerate(steps, first))


def _plain(text: str) -> str:
    r"""The text, with what Markdown would take for its own set apart.

    >>> _plain("value_pairs = all, [EEE]")
    'value_pairs = all, \\[EEE\\]'
    """
    return _SPECIAL.sub(r"\\\g<0>", text)


def _code(text: str) -> str:
    return f"`{text}`"


def _facts(facts: Sequence[doc.Fact]) -> Iterator[str]:
    yield from (f"# {_plain(fact.text)}" for fact in facts if fact.role == "title")
    rows = [
        f"- {fact.label}: {_code(fact.text) if fact.role == 'code' else _plain(fact.text)}"
        for fact in facts
        if fact.role != "title"
    ]
    if rows:
        yield "\n".join(rows)


def _section(section: doc.Section, level: int) -> Iterator[str]:
    inner = [each for block in section.blocks for each in _block(block, level + 1)]
    if not inner:
        return
    if section.folded:
        yield f"<details>\n<summary>{_plain(section.heading)}</summary>"
        yield from inner
        yield "</details>"
    else:
        yield f"{'#' * level} {_plain(section.heading)}"
        yield from inner


def _table(columns: Sequence[doc.Column], rows: Sequence[Sequence[str]]) -> str:
    """Rows of Markdown in columns."""
    heads = [column.head for column in columns]
    widths = [max(3, *map(len, cells)) for cells in zip(heads, *rows, strict=True)]
    rules = [
        f"{'-' * (width - 1)}:" if column.right else "-" * width
        for column, width in zip(columns, widths, strict=True)
    ]
    lines = []
    for row in (heads, rules, *rows):
        cells = (
            cell.rjust(width) if column.right else cell.ljust(width)
            for cell, width, column in zip(row, widths, columns, strict=True)
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


# ---- Awards


def _ledger(ledger: doc.Ledger, level: int) -> Iterator[str]:
    entries = [entry for part in ledger.parts for entry in part.entries]
    numbers: dict[str, int] = {}
    for entry in entries:
        numbers.setdefault(entry.source, len(numbers) + 1)
    for part in ledger.parts:
        yield f"{'#' * level} {_plain(part.heading)}"
        yield _part(ledger, part, numbers)
        yield from filter(None, [part.step])
    yield from filter(None, [ledger.step])
    if numbers:
        yield "\n".join(f"{number}. {_plain(source)}" for source, number in numbers.items())


def _part(ledger: doc.Ledger, part: doc.Part, numbers: dict[str, int]) -> str:
    rule, tiles, sum_, source = ledger.heads
    steps = any(entry.step for entry in part.entries)
    columns = [doc.Column(part.unit.lower(), right=True), doc.Column(rule), doc.Column(tiles)]
    columns += [doc.Column(sum_)] if steps else []
    columns += [doc.Column(source, right=True)]
    rows = []
    for entry in part.entries:
        drawn = _code(written(entry.tiles)) if entry.tiles else ""
        step = [entry.step] if steps else []
        number = str(numbers[entry.source])
        rows.append([entry.amount, _plain(entry.name), drawn, *step, number])
    if part.total:
        amount, unit = part.total
        rows.append([f"**{amount}**", f"**{unit}**", *[""] * (len(columns) - 2)])
    return _table(columns, rows)


# ---- Sentences


def _tree(nodes: Iterable[doc.Node], indent: str) -> Iterator[str]:
    for node in nodes:
        yield f"{indent}- {_plain(node.text)}"
        yield from _tree(node.below, f"{indent}  ")


def _counted(number: int, step: doc.Step) -> str:
    source = f" *({_plain(step.source)})*" if step.source else ""
    return f"{number}. {_plain(step.sentence)}{source}"
