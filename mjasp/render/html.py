"""A document as HTML: one page that stands alone, or a part of one for a notebook.

The page needs no script and nothing from elsewhere. Rows of awards link to the tiles they are paid
for, which are then outlined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from html import escape
from itertools import zip_longest
from pathlib import Path
from zlib import crc32

from mjasp.render import document as doc
from mjasp.render.tiles_svg import symbols, tile_svg
from mjasp.tiles import Tile
from mjasp.words import Words

__all__ = ["html_of", "part_of"]

_PAGE = """\
<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body class="mjasp">
{content}
</body>
</html>"""
_PART = """\
<div class="mjasp" lang="{language}">
<style>
{style}</style>
{content}
</div>"""


def html_of(document: doc.Document) -> str:
    """The document as a whole page."""
    return _filled(_PAGE, document)


def part_of(document: doc.Document) -> str:
    """The document as a part of another page, with its own style."""
    return _filled(_PART, document)


def _filled(frame: str, document: doc.Document) -> str:
    return frame.format(
        language=document.language,
        title=escape(document.title),
        style=Path(__file__).with_name("page.css").read_text(encoding="utf-8"),
        content="\n".join([symbols(_tiles(document)), *_Printer(document).content()]),
    )


def _tiles(value: object) -> Iterator[Tile]:
    """All tiles that a part of a document speaks of."""
    if isinstance(value, Tile):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _tiles(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _tiles(getattr(value, field.name))


def _element(name: str, content: str, **attributes: str) -> str:
    """An element around content that is HTML already; `_` in front of a name is left out."""
    told = "".join(
        f' {key.removeprefix("_")}="{escape(value)}"' for key, value in attributes.items() if value
    )
    return f"<{name}{told}>{content}</{name}>"


class _Printer:
    """Prints blocks; names of anchors begin alike, and unlike those of other hands on a page."""

    def __init__(self, document: doc.Document) -> None:
        self._document = document
        self._words = Words(document.language)
        self._prefix = f"m{crc32(document.title.encode()):08x}-"

    def content(self) -> Iterator[str]:
        if self._document.heading:
            yield _element("h1", escape(self._document.heading))
        for block in self._document.blocks:
            yield from self._block(block, 2)

    def _block(self, block: doc.Block, level: int) -> Iterator[str]:  # noqa: C901, PLR0912 - as text
        match block:
            case doc.Lead(text):
                yield _element("h1", escape(text))
            case doc.Facts(facts):
                yield from self._facts(facts)
            case doc.Section():
                yield from self._section(block, level)
            case doc.Remark(text) | doc.Paragraph(text):
                yield _element("p", escape(text))
            case doc.Code(text):
                yield _element("p", _element("code", escape(text)))
            case doc.Items(texts):
                if texts:
                    yield _element("ul", "".join(_element("li", escape(text)) for text in texts))
            case doc.Table():
                yield from self._table(block)
            case doc.Sets(anchor, _, groups):
                drawn = "".join(map(self._group, groups))
                yield _element("div", drawn, _class="sets", id=self._prefix + anchor)
            case doc.Ledger():
                yield from self._ledger(block, level)
            case doc.Total(remarks, label, value):
                yield from (_element("p", escape(remark)) for remark in remarks)
                total = f"<span>{escape(label)}</span><span>{escape(value)}</span>"
                yield _element("p", total, _class="total")
            case doc.Tree(nodes):
                yield self._tree(nodes)
            case doc.Steps(first, steps):
                told = "".join(map(self._counted, steps))
                yield _element("ol", told, _class="steps", start=str(first))

    # ---- Text

    def _facts(self, facts: Iterable[doc.Fact]) -> Iterator[str]:
        rows = []
        for fact in facts:
            text = escape(fact.text)
            if fact.role == "title":
                yield _element("h1", text)
                continue
            text = _element("code", text) if fact.role == "code" else text
            rows.append(_element("dt", escape(fact.label)) + _element("dd", text))
        if rows:
            yield _element("dl", "".join(rows))

    def _section(self, section: doc.Section, level: int) -> Iterator[str]:
        inner = [line for each in section.blocks for line in self._block(each, level + 1)]
        if not inner:
            return
        heading = escape(section.heading)
        if section.folded:
            yield _element("details", "\n".join([_element("summary", heading), *inner]))
        else:
            yield _element("section", "\n".join([_element(f"h{min(level, 3)}", heading), *inner]))

    def _table(self, table: doc.Table) -> Iterator[str]:
        if not table.rows:
            return
        heads = [column.head for column in table.columns]
        lines = [self._row("th", heads, table.columns)] if any(heads) else []
        for row, drawn in zip_longest(table.rows, table.drawn, fillvalue=()):
            lines.append(self._row("td", row, table.columns, self._groups(drawn)))
        yield _element("div", _element("table", "\n".join(lines)), _class="scroll")

    def _row(
        self, cell: str, texts: Iterable[str], columns: Iterable[doc.Column], drawn: str = ""
    ) -> str:
        """A row; the tiles it speaks of are drawn in its last cell that is not for numbers."""
        cells = [
            (escape(text), "right" if column.right else "")
            for text, column in zip(texts, columns, strict=True)
        ]
        last = max((at for at, (_, side) in enumerate(cells) if not side), default=0)
        return _element(
            "tr",
            "".join(
                _element(cell, text + drawn if at == last else text, _class=side)
                for at, (text, side) in enumerate(cells)
            ),
        )

    def _tree(self, nodes: Iterable[doc.Node]) -> str:
        rows = (
            escape(node.text)
            + self._groups(node.drawn)
            + (self._tree(node.below) if node.below else "")
            for node in nodes
        )
        return _element("ul", "".join(_element("li", row) for row in rows))

    def _counted(self, step: doc.Step) -> str:
        source = _element("span", escape(step.source), _class="source") if step.source else ""
        return _element("li", escape(step.sentence) + self._small(step.tiles) + source)

    # ---- Tiles and what they pay

    def _group(self, group: doc.Group) -> str:
        tiles = []
        for at, tile in enumerate(group.tiles):
            name, won = self._words.tile(tile), at == group.winning
            if won:
                name = f"{name}, {self._words.say('the_winning_tile')}"
            tiles.append(tile_svg(tile, name, marked=won))
        state = _element("small", escape(group.state)) if group.state else ""
        return _element(
            "figure",
            _element("div", "".join(tiles), _class="tiles")
            + _element("figcaption", escape(group.name) + state),
            _class="exposed" if group.exposed else "concealed",
            id=self._prefix + group.anchor,
        )

    def _small(self, tiles: Iterable[Tile]) -> str:
        drawn = "".join(tile_svg(tile, self._words.tile(tile)) for tile in tiles)
        return _element("div", drawn, _class="tiles small") if drawn else ""

    def _groups(self, groups: Iterable[Iterable[Tile]]) -> str:
        drawn = "".join(map(self._small, groups))
        return _element("div", drawn, _class="groups") if drawn else ""

    def _ledger(self, ledger: doc.Ledger, level: int) -> Iterator[str]:
        for part in ledger.parts:
            rows = "\n".join(map(self._entry, part.entries))
            body = _element("tbody", rows) if rows else ""
            table = _element("table", body + self._sum(part), _class="ledger")
            heading = _element(f"h{min(level, 3)}", escape(part.heading))
            yield _element("section", heading + table + self._step(part.step))
        yield from filter(None, [self._step(ledger.step)])

    def _entry(self, entry: doc.Entry) -> str:
        link = _element("a", escape(entry.name), href=f"#{self._prefix}{entry.anchor}")
        source = _element("span", escape(entry.source), _class="source")
        told = _element("div", _element("div", link + source) + self._small(entry.tiles))
        told += self._step(entry.step)
        if entry.because:
            summary = _element("summary", escape(self._words.answer("why")))
            told += _element("details", summary + self._tree(entry.because))
        amount = _element("td", escape(entry.amount), _class="amount")
        return _element("tr", amount + _element("td", told))

    def _sum(self, part: doc.Part) -> str:
        if part.total is None:
            return ""
        amount, unit = map(escape, part.total)
        cells = _element("td", amount, _class="amount") + _element("td", unit)
        return _element("tfoot", _element("tr", cells))

    def _step(self, text: str) -> str:
        return _element("div", escape(text), _class="step") if text else ""
