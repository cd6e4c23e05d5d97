"""What is told, as a small tree: text, Markdown and HTML are printed from the same one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mjasp.tiles import Tile

__all__ = [
    "Block",
    "Code",
    "Column",
    "Document",
    "Entry",
    "Fact",
    "Facts",
    "Group",
    "Items",
    "Lead",
    "Ledger",
    "Node",
    "Paragraph",
    "Part",
    "Remark",
    "Section",
    "Sets",
    "Step",
    "Steps",
    "Table",
    "Total",
    "Tree",
]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole page; `title` heads the window, `language` is its two letters.

    `heading` heads the page where nothing in it does; a text goes without.
    """

    title: str
    language: str
    blocks: tuple[Block, ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Lead:
    """What is to be read first."""

    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled text; a `title` heads the page where it has headings, `code` is to be copied."""

    label: str
    text: str
    role: Literal["", "title", "code"] = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts below each other."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a heading; nothing at all where there is nothing in it.

    A `folded` one opens when asked to; what cannot do that is without it.
    """

    heading: str
    blocks: tuple[Block, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence between the sections."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences of a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A text to be copied as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences, one below the other."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column; its `width` is for text, and 0 where it is as wide as what stands in it."""

    head: str
    right: bool = False
    width: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; a text shows the heads of the columns only where it is `headed`.

    `drawn` are the tiles that each row speaks of, in groups, for pages that draw them.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    headed: bool = False
    drawn: tuple[tuple[tuple[Tile, ...], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Tiles that belong together: a set, the tiles in no set, or the `bonus` tiles.

    `drawn` is how they are written; `winning` is the index of the winning tile among them.
    """

    anchor: str
    tiles: tuple[Tile, ...]
    drawn: str
    name: str
    state: str
    exposed: bool
    winning: int | None = None
    bonus: bool = False


@dataclass(frozen=True, slots=True)
class Sets:
    """The sets of an interpretation; `anchor` stands for all of them."""

    anchor: str
    heads: tuple[str, str, str]
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One award: what it pays, the anchor of what it is paid for, and the sum after it.

    `because` is its derivation, which a page can fold.
    """

    amount: str
    name: str
    tiles: tuple[Tile, ...]
    anchor: str
    source: str
    step: str = ""
    because: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """Awards of one kind; `total` is their sum with its unit, `step` what follows from them."""

    heading: str
    unit: str
    entries: tuple[Entry, ...]
    total: tuple[str, str] | None = None
    step: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All awards of an interpretation part by part, and the sum of the parts.

    `heads` are those of a table of them: rule, tiles, sum, source.
    """

    heads: tuple[str, str, str, str]
    parts: tuple[Part, ...]
    step: str = ""


@dataclass(frozen=True, slots=True)
class Total:
    """What an interpretation comes to, after what is to be said of that."""

    remarks: tuple[str, ...]
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Node:
    """A sentence and what it stands on; `drawn` are the tiles it speaks of, in groups."""

    text: str
    below: tuple[Node, ...] = ()
    drawn: tuple[tuple[Tile, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """Sentences, each above those that it stands on."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a count: a sentence, where it is written, and the tiles it speaks of."""

    sentence: str
    source: str
    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps of a count, numbered from `first` on."""

    first: int
    steps: tuple[Step, ...]


Block = (
    Lead
    | Facts
    | Section
    | Remark
    | Paragraph
    | Code
    | Items
    | Table
    | Sets
    | Ledger
    | Total
    | Tree
    | Steps
)
