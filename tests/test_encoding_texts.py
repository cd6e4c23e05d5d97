"""What holds of the texts of all encodings, whatever they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from clingo import ast

import mjasp
from mjasp import models, resources
from mjasp.ruleset_files import entry_texts
from mjasp.rulesets import shipped, texts
from mjasp.solver import Program

FOLDER = resources.encodings()
FILES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.lp"))
# What is grounded by itself: a file that only gathers others, and shows something.
ENTRIES = [name for name in FILES if "/" not in name and name != "show.lp"]
# How tiles are divided is the same under every rule set.
WITHOUT_RULES = {"divide.lp"}
TEXTS = {name: (FOLDER / name).read_text(encoding="utf-8") for name in FILES}


@pytest.mark.parametrize("entry", [name for name in ENTRIES if name not in WITHOUT_RULES])
@pytest.mark.parametrize("rules", shipped())
def test_clingo_has_nothing_to_say(entry: str, rules: str) -> None:
    Program(texts(entry.removesuffix(".lp"), rules), models.decode)  # raises for any message


@pytest.mark.parametrize("entry", sorted(WITHOUT_RULES))
def test_clingo_has_nothing_to_say_without_a_rule_set(entry: str) -> None:
    Program(entry_texts(entry.removesuffix(".lp")), models.decode)


def test_every_file_is_used() -> None:
    used = {path for entry in ENTRIES for path in _reached(FOLDER / entry)}
    assert used == {FOLDER / name for name in FILES if not name.startswith("rulesets/")}


def _reached(path: Path) -> set[Path]:
    names = re.findall(r'^#include "(.+)"\.$', path.read_text(encoding="utf-8"), re.MULTILINE)
    found = {path}
    for name in names:
        found |= _reached((path.parent / name).resolve())
    return found


@pytest.mark.parametrize("name", FILES)
def test_no_script_and_no_optimisation(name: str) -> None:
    assert not re.search(r"#script|#minimi[sz]e|#maximi[sz]e|:~|#const|#program", TEXTS[name])


@pytest.mark.parametrize("name", [name for name in FILES if "/" in name])
def test_what_is_shown_is_stated_in_the_entry_files(name: str) -> None:
    assert "#show" not in TEXTS[name]
    assert "#project" not in TEXTS[name]


@pytest.mark.parametrize("name", FILES)
def test_a_file_opens_with_its_title(name: str) -> None:
    assert re.match(r"% \S", TEXTS[name])


@pytest.mark.parametrize("name", FILES)
def test_integrity_constraints_stand_in_decompose(name: str) -> None:
    constraints = re.findall(r"^\s*:-", TEXTS[name], re.MULTILINE)
    assert not constraints or name.startswith("decompose/")


@pytest.mark.parametrize("name", FILES)
def test_choices_stand_in_decompose(name: str) -> None:
    choices = _Heads(TEXTS[name]).choices
    assert not choices or name.startswith("decompose/")


class _Heads(ast.Transformer):
    """The predicates that a text defines or declares, and its number of choices."""

    def __init__(self, text: str) -> None:
        self.defined: set[tuple[str, int]] = set()
        self.choices = 0
        text = re.sub(r"^#include.*$", "", text, flags=re.MULTILINE)
        ast.parse_string(text, self._read)

    def _read(self, statement: ast.AST) -> None:
        self.visit(statement)

    def visit_Rule(self, rule: ast.AST) -> ast.AST:  # noqa: N802 - clingo's name
        self._head(rule.head)
        return rule

    def visit_External(self, external: ast.AST) -> ast.AST:  # noqa: N802 - clingo's name
        self._atom(external.atom)
        return external

    def visit_Defined(self, defined: ast.AST) -> ast.AST:  # noqa: N802 - clingo's name
        self.defined.add((defined.name, defined.arity))
        return defined

    def _head(self, head: ast.AST) -> None:
        if head.ast_type is ast.ASTType.Literal:
            if head.atom.ast_type is ast.ASTType.SymbolicAtom:
                self._atom(head.atom)
        else:
            self.choices += head.ast_type is ast.ASTType.Aggregate
            for element in head.elements:
                self._atom(element.literal.atom)

    def _atom(self, atom: ast.AST) -> None:
        symbol = atom.symbol
        if symbol.ast_type is ast.ASTType.Pool:  # p(a; b)
            symbol = symbol.arguments[0]
        if symbol.ast_type is ast.ASTType.Function:
            self.defined.add((symbol.name, len(symbol.arguments)))
        else:
            self.defined.add((str(symbol), 0))


def test_every_predicate_described_is_there() -> None:
    defined = {signature for name in FILES for signature in _Heads(TEXTS[name]).defined}
    described = {
        (predicate, len(arguments.split(",")) if arguments else 0)
        for text in TEXTS.values()
        for predicate, arguments in re.findall(r"%\*! (\w+)(?:\((.*)\))?", text)
    }
    assert described <= defined, described - defined


@pytest.mark.parametrize("rules", shipped())
def test_every_rule_is_tied_to_a_condition_that_some_file_derives(rules: str) -> None:
    everything = "\n".join(TEXTS.values())
    conditions = set(re.findall(r"holds\((\w+)", everything))
    for shapes in re.findall(r"_shape\((.+)\)\.", everything):
        conditions.update(re.findall(r"\w+", shapes))
    program = Program(texts("score", rules), models.decode)
    tied = {str(term) for _, term in program.facts("condition", 2) if isinstance(term, str)}
    assert tied
    assert tied <= conditions, tied - conditions


def test_files_of_the_same_name_in_the_working_directory_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FILES:
        for place in (tmp_path / name, tmp_path / Path(name).name):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("going_out. this is no program", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    engine = mjasp.Engine("european-classical-2008", readings={"wait": "only-tile"})
    hand = "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E"
    assert engine.score(hand).total == 136
    assert engine.waits(hand) == (mjasp.Tile("E"),)
