"""What a rule of one's own may ask for: predicates and conditions, each with its sentence.

Read off the encodings, where the sentences stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mjasp import resources

__all__ = ["Word", "conditions", "predicates", "stated"]

_DOC = re.compile(r"%\*! (\w+)(?:\((.*?)\))?\n(.*?) \*%", re.DOTALL)
_DEFINED = re.compile(r"^#defined (\w+)/(\d+)\.", re.MULTILINE)
_CONDITION = re.compile(r"((?:^% .*\n)+)(?:holds|fits)\((\w+)[,)]", re.MULTILINE)

# The files that say what is true of a hand before any rule is looked at.
_OF_HANDS = ("base/tiles", "base/hand", "decompose/presence", "decompose/winning", "conditions/*")
# What these files describe besides, for the program's own use.
_INTERNAL = {"lenient", "calls", "requirement", "violated", "undivided", "tried", "fixed"}
_INTERNAL |= {"unmet_together", "needs_waits_for", "waived", "event"}


class Word(NamedTuple):
    """A predicate or condition: how it is written, and what it says."""

    form: str
    sentence: str

    @property
    def signature(self) -> tuple[str, int]:
        """The name and its number of arguments."""
        name, _, arguments = self.form.partition("(")
        return name, arguments.count(",") + 1 if arguments else 0


def predicates() -> dict[tuple[str, int], Word]:
    """The predicates that say what is true of a hand, by name and number of arguments.

    >>> predicates()["has_chow", 0].sentence
    'The hand holds a chow, laid down or concealed.'
    """
    words = (word for pattern in _OF_HANDS for word in _described(pattern))
    return {word.signature: word for word in words if word.signature[0] not in _INTERNAL}


def stated() -> dict[tuple[str, int], Word]:
    """The predicates that a rule-set file may state: those that `base/ruleset.lp` declares."""
    (text,) = _texts("base/ruleset")
    declared = {(name, int(arity)) for name, arity in _DEFINED.findall(text)}
    words = {word.signature: word for word in (*_described("base/ruleset"), *_described("*/*"))}
    del words["asked_for", 1]  # which is found in the file, and never stated
    return {signature: word for signature, word in words.items() if signature in declared}


def conditions() -> dict[str, Word]:
    """The conditions that a rule can be tied to, by name.

    >>> conditions()["no_chow"].sentence
    'No chow in the hand, laid down or concealed.'
    """
    found: dict[str, Word] = {}
    for pattern in ("conditions/*", "decompose/shapes"):
        for text in _texts(pattern):
            for comment, name in _CONDITION.findall(text):
                if name not in found and name != "C":
                    found[name] = Word(name, _joined(comment.replace("% ", "")))
    return found


def _described(pattern: str) -> Iterator[Word]:
    for text in _texts(pattern):
        for name, arguments, sentence in _DOC.findall(text):
            yield Word(f"{name}({arguments})" if arguments else name, _joined(sentence))


def _texts(pattern: str) -> Iterator[str]:
    for path in sorted(resources.encodings().glob(f"{pattern}.lp")):
        yield path.read_text(encoding="utf-8")


def _joined(text: str) -> str:
    return " ".join(text.split())
