"""Writes the pages that tell what the encodings state, so that the two never differ.

`python docs/generate.py` writes a page for each rule set in `docs/rules/`, and
`encodings/README.md`.
"""  # noqa: INP001 - a script beside the pages that it writes, no package

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import mjasp
from mjasp.render.listing import chows_of, limit_of, otherwise_of, sections_of
from mjasp.rulesets import Rule
from mjasp.words import Words

__all__ = ["pages"]

_ROOT = Path(__file__).resolve().parents[1]
_ENCODINGS = _ROOT / "encodings"
_FOLDERS = {
    "": "What is grounded: files that only gather others",
    "base": "What a hand and a rule set may state",
    "decompose": "The only choices",
    "conditions": "What can be said of an interpretation, without any number",
    "rulesets": "The rule sets",
}
_INTRODUCTION = """\
# Encodings

What is true of a hand, and what a rule set makes of it, is said here in Answer Set Programming.
`score.lp` with the file of a rule set is one program, which is grounded once; what a hand states
is switched on as input. Each model is one interpretation of the hand: a division of its tiles
(`decompose/`), what is true of it (`conditions/`), and the rules that fire (`base/firing.lp`).

This page is written by `docs/generate.py` from the files themselves.
"""


def pages() -> dict[Path, str]:
    """The text of every page that is written, by its path."""
    rules = _ROOT / "docs" / "rules"
    return {
        _ENCODINGS / "README.md": _encodings(),
        **{rules / f"{each.id}.md": _ruleset(each) for each in mjasp.rulesets()},
    }


# ---- The page of a rule set


def _ruleset(ruleset: mjasp.Ruleset) -> str:
    sentences = dict(_sentences(f"{ruleset.id}.lp"))
    lines = [
        f"# {ruleset.name}",
        "",
        f"- Rule set: `{ruleset.id}`",
        f"- Text: {ruleset.source}",
        f"- Limit: {limit_of(ruleset, Words())}",
    ]
    if ruleset.most_chows is not None:
        lines += [f"- Chows: {chows_of(ruleset, Words())} ({ruleset.chows_source})"]
    for heading, rules in sections_of(ruleset, Words()):
        rows = [_rule(rule, sentences.get(rule.id, "")) for rule in rules]
        lines += ["", f"## {heading}", "", *_table(("rule", "pays", "when", "source"), rows)]
    rows = [
        (f"`{each.id}`", f"`{each.default}`", _codes(each.alternatives), each.doubt)
        for each in ruleset.readings
    ]
    lines += ["", "## Contested readings", ""]
    lines += _table(("reading", "default", "others", "the doubt"), rows)
    lines += ["", "## What is no win", "", "A hand with a winning tile is no win where", ""]
    lines += [f"- {reason}" for reason in (ruleset.undivided, *ruleset.requirements.values())]
    return "\n".join([*lines, ""])


def _rule(rule: Rule, sentence: str) -> tuple[str, ...]:
    pays = ", ".join(f"{amount} {state}".strip() for state, amount in rule.values.items())
    pays = "; ".join([pays, *otherwise_of(rule, Words())])
    return f"{rule.name} (`{rule.id}`)", pays, sentence, rule.source


def _sentences(name: str) -> Iterator[tuple[str, str]]:
    """The rules of a rule-set file and of those that it includes, each with its sentence."""
    text = (_ENCODINGS / "rulesets" / name).read_text(encoding="utf-8")
    for included in re.findall(r'^#include "(.+)"\.$', text, re.MULTILINE):
        yield from _sentences(included)
    for comment, rule in re.findall(r"((?:^% .*\n)+)rule\((\w+),", text, re.MULTILINE):
        yield rule, _uncommented(comment)
    for rule, special in re.findall(r"^calling\((\w+), (\w+),", text, re.MULTILINE):
        yield rule, f"One tile short of `{special}`."


# ---- The page of the encodings


def _encodings() -> str:
    lines = [_INTRODUCTION]
    for folder, heading in _FOLDERS.items():
        files = sorted((_ENCODINGS / folder).glob("*.lp"))
        rows = [(f"[`{file.name}`]({_path(file)})", _purpose(file)) for file in files]
        place = f" (`{folder}/`)" if folder else ""
        lines += [f"## {heading}{place}", "", *_table(("file", "what it is for"), rows), ""]
    lines += ["## Predicates", ""]
    for folder in _FOLDERS:
        for file in sorted((_ENCODINGS / folder).glob("*.lp")):
            rows = list(_predicates(file))
            if rows:
                heading = f"### `{_path(file)}`"
                lines += [heading, "", *_table(("predicate", "means"), rows), ""]
    return "\n".join(lines)


def _path(file: Path) -> str:
    return file.relative_to(_ENCODINGS).as_posix()


def _purpose(file: Path) -> str:
    """What a file's opening comment says, down to the predicates that it uses."""
    opening = re.match(r"(?:%.*\n)+", file.read_text(encoding="utf-8"))
    assert opening, f"{file} has no opening comment"
    title, _, rest = opening[0].partition("\n")
    purpose = re.split(r"\bUses ", _uncommented(rest))[0]
    return f"{_uncommented(title).removesuffix('.')}. {purpose}".strip()


def _predicates(file: Path) -> Iterator[tuple[str, str]]:
    blocks = re.compile(r"^%\*! ([^\n]+)\n(.+?) ?\*%", re.MULTILINE | re.DOTALL)
    for signature, sentence in blocks.findall(file.read_text(encoding="utf-8")):
        yield f"`{signature}`", " ".join(sentence.split())


# ---- Markdown


def _uncommented(comment: str) -> str:
    return " ".join(comment.replace("%", " ").split())


def _codes(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = (" | ".join(cell.replace("|", r"\|") for cell in row) for row in (heads, *rows))
    head, *body = (f"| {line} |" for line in lines)
    return [head, f"|{'---|' * len(heads)}", *body]


if __name__ == "__main__":
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
