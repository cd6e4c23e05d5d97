"""The statements of a program's text, as clingo's own parser reads them.

Beside `solver.py` the only importer of clingo: that grounds and solves, this only reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from clingo import ast
from clingo.ast import AST, ASTSequence, ASTType

__all__ = ["Mention", "Place", "Statement", "column_of", "read"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a text: line and columns from 1, the last column excluded."""

    line: int
    column: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Mention:
    """An atom as a statement mentions it; arguments as clingo writes them, None for a variable.

    `plain` is False where it stands negated, with a condition, or in a count.
    """

    name: str
    arguments: tuple[str | None, ...]
    place: Place
    plain: bool = True

    @property
    def signature(self) -> tuple[str, int]:
        """The predicate's name and its number of arguments."""
        return self.name, len(self.arguments)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its kind, the atoms that it derives and those that it asks for.

    The kind is "Rule" for a rule with plain atoms in its head; otherwise clingo's name for what it
    is ("Script", "External", ...), or for what stands in the head ("Aggregate" for a choice,
    "BooleanConstant" for a constraint). `odd` are the parts that plain rules do not have:
    "ExternalFunction", "TheoryAtom", "UnaryOperation" (classical negation), and where they stand.
    """

    kind: str
    head: tuple[Mention, ...]
    body: tuple[Mention, ...]
    odd: tuple[tuple[str, Place], ...]
    place: Place


def read(text: str) -> tuple[list[Statement], list[str]]:
    """The statements of a text, and what clingo's parser has to say about it.

    >>> statements, messages = read('holds(new, hand) :- won, source(wall).')
    >>> [mention.name for mention in statements[0].body], messages
    (['won', 'source'], [])
    """
    nodes: list[AST] = []
    messages: list[str] = []
    with suppress(RuntimeError):  # what is wrong stands in the messages
        ast.parse_string(text, nodes.append, logger=lambda _, message: messages.append(message))
    lines = text.split("\n")
    found = [
        _statement(node, lines)
        for node in nodes
        if node.ast_type is not ASTType.Program or node.name != "base" or node.parameters
    ]
    return found, messages


def column_of(line: str, byte: int) -> int:
    """The column of a character, where clingo tells the column of its first byte.

    >>> column_of('"é", x', 7)
    6
    """
    return len(line.encode()[: byte - 1].decode(errors="ignore")) + 1


def _statement(node: AST, lines: list[str]) -> Statement:
    head: tuple[Mention, ...] = ()
    kind = node.ast_type.name
    if node.ast_type is ASTType.Rule:
        kind = _head_kind(node.head)
        head = tuple(_mentions(node.head, lines))
    elif node.ast_type is ASTType.External:
        head = tuple(_mentions(node.atom, lines))
    elif node.ast_type is ASTType.Defined:
        head = (Mention(node.name, (None,) * node.arity, _place(node, lines)),)
    body = [
        replace(mention, plain=_plain(literal))
        for literal in getattr(node, "body", ())
        for mention in _mentions(literal, lines)
    ]
    return Statement(kind, head, tuple(body), tuple(_odd(node, lines)), _place(node, lines))


def _plain(literal: AST) -> bool:
    return (
        literal.ast_type is ASTType.Literal
        and literal.sign == ast.Sign.NoSign
        and literal.atom.ast_type is ASTType.SymbolicAtom
    )


def _head_kind(head: AST) -> str:
    """What a rule derives: "Rule" for plain atoms, else clingo's name for it."""
    if head.ast_type is not ASTType.Literal:
        return str(head.ast_type.name)
    if head.sign != ast.Sign.NoSign:
        return "Sign"
    return "Rule" if head.atom.ast_type is ASTType.SymbolicAtom else str(head.atom.ast_type.name)


def _parts(node: AST) -> Iterator[AST]:
    """A node and all below it."""
    yield node
    for key in node.child_keys:
        below = getattr(node, key)
        for child in below if isinstance(below, ASTSequence) else [below]:
            if isinstance(child, AST):
                yield from _parts(child)


def _mentions(node: AST, lines: list[str]) -> Iterator[Mention]:
    for part in _parts(node):
        if part.ast_type is ASTType.SymbolicAtom:
            where = _place(part.symbol, lines)
            for atom in part.unpool():
                if atom.symbol.ast_type is ASTType.Function:
                    arguments = tuple(map(_written, atom.symbol.arguments))
                    yield Mention(atom.symbol.name, arguments, where)


def _written(term: AST) -> str | None:
    variable = any(part.ast_type is ASTType.Variable for part in _parts(term))
    return None if variable else str(term)


def _odd(node: AST, lines: list[str]) -> Iterator[tuple[str, Place]]:
    for part in _parts(node):
        if part.ast_type is ASTType.Function and part.external:
            yield "ExternalFunction", _place(part, lines)
        elif part.ast_type is ASTType.TheoryAtom:
            yield "TheoryAtom", _place(part, lines)
        elif (
            part.ast_type is ASTType.SymbolicAtom and part.symbol.ast_type is ASTType.UnaryOperation
        ):
            yield "UnaryOperation", _place(part.symbol, lines)


def _place(node: AST, lines: list[str]) -> Place:
    begin, end = node.location.begin, node.location.end
    line = lines[begin.line - 1] if begin.line <= len(lines) else ""
    last = column_of(line, end.column) if end.line == begin.line else len(line) + 1
    return Place(begin.line, column_of(line, begin.column), last)
