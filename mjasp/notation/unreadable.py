"""What is wrong with a text that cannot be read, and what was probably meant."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from lark import Token, UnexpectedInput, UnexpectedToken

from mjasp.errors import Problem, printable

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from mjasp.notation.language import Language

__all__ = ["closes_wrongly", "explain", "skip"]

_WORD = re.compile(r"[^ \t\r\n\u00A0\uFEFF\uFE0E\uFE0F;,\[\]()+%]+")
_STAND_INS = {"SUITED": "1b", "SUIT": "bamboo", "DIGITS": "1", "UNKNOWN": "unknown"}
_MOST_EXPECTED = 5
_OTHER_BRACKET = {"RSQB": "RPAR", "RPAR": "RSQB"}
_CLOSING = {"[": "]", "(": ")"}
# Ranks, and the letter of their suit behind a blank.
_APART = re.compile(r"[0-9]+(?:[ \t]+[0-9]+)*[ \t]+[bcdmpsz](?!\w)")
_TILES = re.compile("[\U0001f000-\U0001f029]")


def explain(error: UnexpectedInput, text: str, language: Language) -> Problem:
    """The problem that stopped the parser: place, message, what was expected, the way out."""
    if isinstance(error, UnexpectedToken):
        return _token_problem(error, text, language)
    start, end = _word(text, error.pos_in_stream or 0)
    code, message, way_out = _word_problem(text[start:end], language)
    problem = Problem(code, message, expected=_expected(error, language), help=way_out)
    return _placed(problem, text, start, end)


def skip(error: UnexpectedInput, text: str) -> bool:
    """Let the parser go on after what it cannot read; False at the end of the text.

    A tile, or what else was due, is put where it was due, and one bracket is taken for the other,
    so that one slip does not make a second problem.
    """
    parser = error.interactive_parser
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return False
    stand_in = next((name for name in _STAND_INS if name in _accepted(error)), None)
    if stand_in:
        parser.feed_token(Token(stand_in, _STAND_INS[stand_in]))
    if isinstance(error, UnexpectedToken):
        other = _OTHER_BRACKET.get(error.token.type, "")
        for token in (error.token, Token(other, error.token)):
            if token.type in _accepted(error):
                parser.feed_token(token)
                break
    elif state := parser.lexer_thread.state:
        position = error.pos_in_stream or 0
        _, end = _word(text, position)
        state.line_ctr.feed(text[position:end])
    return True


def closes_wrongly(error: UnexpectedInput) -> bool:
    """Whether a bracket is closed that was not opened, which may follow from another slip."""
    return isinstance(error, UnexpectedToken) and error.token.type in _OTHER_BRACKET


def _accepted(error: UnexpectedInput) -> AbstractSet[str]:
    """The terminals that could stand where the parser now is."""
    accepted: AbstractSet[str] = error.interactive_parser.accepts()  # type: ignore[no-untyped-call]
    return accepted


def _word(text: str, position: int) -> tuple[int, int]:
    """Start and end of the whole word at the position, of which the parser may have read a part."""
    start = position
    while start and _WORD.fullmatch(text[start - 1]):
        start -= 1
    match = _APART.match(text, start) or _WORD.match(text, position)
    return start, match.end() if match else position + 1


def _word_problem(word: str, language: Language) -> tuple[str, str, str]:
    """Code, message and way out for a word that cannot be read."""
    shown = f"`{printable(word[:24])}{'…' * (len(word) > 24)}`"
    for pattern, code, message, way_out in language.slips:
        if re.fullmatch(pattern, word):
            return code, f"{shown} {message}", way_out
    if " " in word or "\t" in word:
        joined = "".join(word.split())
        meant = language.meant(joined)
        if meant is None or f"`{joined}`" in meant:
            meant = f"write them together: `{joined}`"
        return "no-suit", f"{shown} parts digits from their suit letter", meant
    strange = next((char for char in word if not (char.isascii() or _TILES.match(char))), None)
    if any("\udc80" <= char <= "\udcff" for char in word):
        return "not-utf-8", f"{shown} holds what is no UTF-8", "give the text in UTF-8"
    if not word.isprintable():
        return "control-character", f"{shown} holds a character that cannot be seen", "remove it"
    if strange:
        name = unicodedata.name(strange, "a character without a name").lower()
        message = f"{shown} is of another script: {name}"
        return "foreign-script", message, "tiles are written `5b`, `E`, `Wh`, `f1`, or as 🀔"
    way_out = language.meant(word) or language.spelling
    return "unknown-word", f"{shown} means nothing here", way_out


def _token_problem(error: UnexpectedToken, text: str, language: Language) -> Problem:
    """A part that can be read, in a place where it cannot stand."""
    token = error.token
    start = len(text) if token.type == "$END" else token.start_pos or 0
    opening = _open_bracket(text[:start])
    before = text[:start].rstrip()[-1:]
    if token.type == "$END" and opening is not None:
        start, token = opening, Token("LSQB", text[opening])
        code, message, way_out = "open-bracket", f"`{token}` is never closed", "close it"
    elif token.type in _OTHER_BRACKET and opening is None:
        code, message = "open-bracket", f"`{token}` closes no bracket"
        way_out = "take it out, or open one before the set"
    else:
        within = "" if opening is None else text[opening]
        code = "open-bracket" if within and token.type in {"LSQB", "LPAR"} else "misplaced"
        accepted = _accepted(error)
        due = next((words for name, words in language.due.items() if name in accepted), None)
        message, way_out = _misplaced(token, within, before, due or language.spelling)
    problem = Problem(code, message, expected=_expected(error, language), help=way_out)
    return _placed(problem, text, start, start + max(len(token), 1))


def _misplaced(token: Token, within: str, before: str, way_out: str) -> tuple[str, str]:
    """Message and way out for a token that stands within a bracket or none, behind a character.

    `way_out` is told where these explain nothing.
    """
    message = f"`{printable(token[:24])}` cannot stand here{f' within `{within}`' * bool(within)}"
    if token.type == "$END":
        message = "the text ends after a `+`" if before == "+" else "the text ends too early"
    if token.type == "CLAIMED":
        message = "`claimed` stands outside the square brackets of a kong"
        way_out = "write the claimed kong as in `[5555d claimed]`"
    elif within and token.type == "MARK":
        message = f"`{token}` stands within the brackets of a set"
        way_out = "a concealed kong is written `(1111c)`, a set laid down `[1111c]`"
    elif before == "+":
        way_out = "one tile stands behind a `+`, the one that won, as in `+5b`"
    elif token.type == "PLUS" and before == within:
        way_out = "write `+5b` without brackets, or with the set that it completed: `[34d+2d]`"
    elif within and token.type in {"LSQB", "LPAR"}:
        way_out = f"close `{within}` first: each set has brackets of its own"
    elif within and before == within:
        way_out = "the tiles of a set stand between its brackets, as in `[222b]`"
    elif within:
        closing = _CLOSING[within]
        way_out = f"put it behind the `{closing}`: only the tiles of the set stand within"
        if token.type in _OTHER_BRACKET:
            way_out = f"`{within}` is closed by `{closing}`"
    return message, way_out


def _open_bracket(text: str) -> int | None:
    """Where the bracket stands that is still open at the end of the text."""
    code = re.sub("%[^\n]*", lambda comment: " " * len(comment[0]), text)
    opening = max(code.rfind("["), code.rfind("("))
    return opening if opening > max(code.rfind("]"), code.rfind(")")) else None


def _expected(error: UnexpectedInput, language: Language) -> tuple[str, ...]:
    accepted = _accepted(error)
    told = (words for name, words in language.expected.items() if name in accepted)
    return tuple(dict.fromkeys(told))[:_MOST_EXPECTED]


def _placed(problem: Problem, text: str, start: int, end: int) -> Problem:
    line_start = text.rfind("\n", 0, start) + 1
    return problem.at(text.count("\n", 0, start) + 1, start - line_start + 1, end - line_start + 1)
