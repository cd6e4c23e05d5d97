"""The quick road: a text is read word by word, and what a word says is remembered.

Hands repeat their words (`seat:E`, `[234d]`), so most words are one look into a dictionary. Lark
reads every word that is new, by the grammar of the notation; there is no second one. Whatever is
odd has no quick road, and goes the ordinary one: only there is anything refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from lark import Token, Tree, UnexpectedInput, UnexpectedToken

from mjasp.errors import HandError
from mjasp.hand import Hand
from mjasp.notation.draft import UNKNOWN, Draft
from mjasp.notation.language import LONGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mjasp.hand import Event, Meld
    from mjasp.notation.language import Language
    from mjasp.tiles import Tile

__all__ = ["Said", "Words", "hand_of"]

# A tile in each notation read so, written behind a word to see whether the word ends there.
_NEXT = "E"
# `[ 5d 5d 5d 5d claimed ]`
_MOST_PIECES = 7
_LONGEST_WORD = 64
# Some 13 MB; 60,000 random hands have 14,000 words.
_MOST_WORDS = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What one word says of a hand; equal only to itself.

    It is the same object for the same word, until so many words are known that all are forgotten.
    `concealed` and `bonus` are in the order of the text. `facts` are source, seat, round, rules
    and last-tile with their values, UNKNOWN where it is said that nobody knows.
    """

    concealed: tuple[Tile, ...]
    declared: tuple[Meld, ...]
    bonus: tuple[Tile, ...]
    winning: Tile | None
    completes: Meld | None
    events: frozenset[Event]
    facts: tuple[tuple[str, Any], ...]
    unknown_tiles: int


class Words:
    """The words of a notation that have been read before.

    The grammar's `start` is a repetition, so what stands beside each other is read as each part
    alone, if each part ends where it ends: that is looked at when a word is new.
    """

    def __init__(
        self, language: Language, add: Callable[[Draft, Token | Tree[Token]], None]
    ) -> None:
        """`add` puts what a node of the tree says into a draft."""
        self._known = _Known(language, add)

    def of(self, text: str) -> tuple[Said, ...] | None:
        """What the words of a text say, in its order; None where it takes the ordinary road.

        A word is what stands between spaces, or several such pieces (`[5555d claimed]`). The words
        can still contradict each other.
        """
        if len(text) > LONGEST:
            return None
        known, found = self._known, []
        begun, pieces = "", 0
        for piece in text.split(" "):
            word = f"{begun} {piece}" if begun else piece
            said = known[word]
            if said:
                found.append(said)
                begun, pieces = "", 0
            elif said is None or pieces == _MOST_PIECES:
                return None
            else:
                begun, pieces = word, pieces + 1
        return None if begun else tuple(found)

    def hand(self, text: str) -> Hand | None:
        """The hand that a text describes; None where it takes the ordinary road."""
        words = self.of(text)
        return hand_of(words) if words else None


def hand_of(words: Sequence[Said]) -> Hand | None:
    """The hand that words describe together; None where there is none, for whatever reason."""
    concealed: list[Tile] = []
    declared: list[Meld] = []
    bonus: list[Tile] = []
    winning: Tile | None = None
    completes: Meld | None = None
    events: frozenset[Event] = frozenset()
    facts: dict[str, Any] = {}
    unknown_tiles = 0
    for said in words:
        concealed += said.concealed
        declared += said.declared
        bonus += said.bonus
        unknown_tiles += said.unknown_tiles
        if said.winning:
            if winning:
                return None
            winning, completes = said.winning, said.completes
        if said.events:
            events |= said.events
        for name, value in said.facts:
            if facts.setdefault(name, value) != value:
                return None
    unknown = [name for name, value in facts.items() if value is UNKNOWN]
    for name in unknown:
        del facts[name]
    try:
        return Hand(
            tuple(concealed),
            tuple(declared),
            tuple(bonus),
            winning,
            completes,
            events=events,
            unknown=frozenset(unknown),
            unknown_tiles=unknown_tiles,
            **facts,
        )
    except HandError:
        return None


class _Known(dict[str, "Said | Literal[False] | None"]):
    """What each word says; False where more has to follow, None where it takes the ordinary road.

    A new word is read when it is looked up.
    """

    def __init__(
        self, language: Language, add: Callable[[Draft, Token | Tree[Token]], None]
    ) -> None:
        self._language = language
        self._add = add

    def __missing__(self, word: str) -> Said | Literal[False] | None:
        if len(word) > _LONGEST_WORD:
            return None
        if len(self) >= _MOST_WORDS:
            self.clear()
        said = self[word] = self._read(word)
        return said

    def _read(self, word: str) -> Said | Literal[False] | None:
        """Read with a tile behind it, which is to be a part of its own: no comment holds it."""
        try:
            tree = self._language.cut(f"{word} {_NEXT}")
        except UnexpectedToken as error:
            return False if error.token.start_pos == len(word) + 1 else None
        except UnexpectedInput:
            return None
        behind = tree.children.pop() if tree.children else None
        if isinstance(behind, Tree):
            return False
        if behind is None or behind.start_pos != len(word) + 1:
            return None
        draft = Draft()
        for node in tree.children:
            self._add(draft, node)
        return None if draft.problems else _said(draft)


def _said(draft: Draft) -> Said:
    return Said(
        tuple(draft.concealed),
        tuple(draft.declared),
        tuple(draft.bonus),
        draft.winning,
        draft.completes,
        frozenset(draft.events),
        tuple(draft.facts.items()),
        draft.unknown_tiles,
    )
