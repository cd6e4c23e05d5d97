"""What is wrong with a text that cannot be read, and what was probably meant."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from typing import TYPE_CHECKING

from lark import Token, UnexpectedInput, UnexpectedToken

from mjasp.errors import Problem, printable
from mjasp.hand import Event, Source
from mjasp.tiles import Wind

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["explain", "skip"]

# What the terminals are in plain words, in the order of telling: never more than five in one place.
_EXPECTED = {
    **dict.fromkeys(("SUITED", "HONOURS", "BONUS", "UNICODE"), "a tile"),
    "LSQB": "a set `[234b]`",
    "LPAR": "a kong `(5555d)`",
    "PLUS": "a win `+5b`",
    "CLAIMED": "`claimed`",
    "RSQB": "`]`",
    "RPAR": "`)`",
    **dict.fromkeys(("SOURCE", "EVENT", "SEAT", "ROUND", "RULES"), "a fact"),
}
_WORD = re.compile(r"[^ \t\r\n\u00A0\uFEFF\uFE0E\uFE0F;,\[\]()+%]+")
_TILE = "[1-9]+[bcd]|wh|[fs][1-4]|[eswnrg]"
_STAND_IN = "1b"
_OTHER_BRACKET = {"RSQB": "RPAR", "RPAR": "RSQB"}

# Words, and how the compact form writes what they mean.
_WRITTEN = {
    **{word.value: word.value for word in (*Source, *Event)},
    **{wind.name.lower(): wind.value for wind in Wind},
    **{
        f"{fact}:{name}": f"{fact}:{wind}"
        for fact in ("seat", "round")
        for wind in Wind
        for name in (wind.name.lower(), wind.value.lower())
    },
    "red": "R",
    "green": "G",
    "white": "Wh",
    "claimed": "claimed",
    "robbed": "robbing",
    "self-drawn": "wall",
    "tsumo": "wall",
    "ron": "discard",
}
_OTHER_LETTERS = {"m": "c", "p": "d", "s": "b"}
_OTHER_HONOURS = dict(zip("1234567", ("E", "S", "W", "N", "Wh", "G", "R"), strict=True))

# Frequent slips: pattern of the whole word, code, message after the word, way out.
_SLIPS = (
    (r".*\?.*", "unknown-fact", "stands for something unknown, which is not scored",
     "write the tile, or leave out the fact: what is then assumed is told"),
    ("[🀪🀫]+", "no-such-tile", "is a joker or a tile face down, and neither is played with",
     "write the tile that it is"),
    (r"\d*0\d*[bcd]?", "no-such-tile", "has a rank that no tile has",
     "ranks are 1 to 9, as in `9b`"),
    (r"\d+|\d+[ESWNRG].*", "no-suit", "has no suit letter after its digits",
     "write `b` (bamboo), `c` (characters) or `d` (dots) there, as in `123b`"),
    (r"[fs]\d+", "no-such-tile", "is no flower or season",
     "flowers are `f1` to `f4`, seasons `s1` to `s4`"),
    (r"(?i:seat|round)(:.*)?", "no-such-wind", "names no wind",
     "it is `E`, `S`, `W` or `N`, as in `seat:E`"),
    (r"(?i:rules)(:.*)?", "no-ruleset-name", "names no rule set",
     "it is the name of a shipped one, never a path, as in `rules:bmja`"),
)  # fmt: skip


def explain(error: UnexpectedInput, text: str) -> Problem:
    """The problem that stopped the parser: place, message, what was expected, the way out."""
    if isinstance(error, UnexpectedToken):
        return _token_problem(error, text)
    start, end = _word(text, error.pos_in_stream or 0)
    code, message, way_out = _word_problem(text[start:end])
    return _placed(
        Problem(code, message, expected=_expected(error), help=way_out), text, start, end
    )


def skip(error: UnexpectedInput, text: str) -> bool:
    """Let the parser go on after what it cannot read; False at the end of the text.

    A tile is put where one was due, and one bracket is taken for the other, so that one slip
    does not make a second problem.
    """
    parser = error.interactive_parser
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return False
    if "SUITED" in _accepted(error):
        parser.feed_token(Token("SUITED", _STAND_IN))
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


def _accepted(error: UnexpectedInput) -> AbstractSet[str]:
    """The terminals that could stand where the parser now is."""
    accepted: AbstractSet[str] = error.interactive_parser.accepts()  # type: ignore[no-untyped-call]
    return accepted


def _word(text: str, position: int) -> tuple[int, int]:
    """Start and end of the whole word at the position, of which the parser may have read a part."""
    start = position
    while start and _WORD.fullmatch(text[start - 1]):
        start -= 1
    match = _WORD.match(text, position)
    return start, match.end() if match else position + 1


def _word_problem(word: str) -> tuple[str, str, str]:
    """Code, message and way out for a word that cannot be read."""
    shown = f"`{printable(word[:24])}{'…' * (len(word) > 24)}`"
    for pattern, code, message, way_out in _SLIPS:
        if re.fullmatch(pattern, word) and word.lower() not in _WRITTEN:
            return code, f"{shown} {message}", way_out
    strange = next((char for char in word if not char.isascii()), None)
    if not word.isprintable():
        return "control-character", f"{shown} holds a character that cannot be seen", "remove it"
    if strange:
        name = unicodedata.name(strange, "a character without a name").lower()
        message = f"{shown} is of another script: {name}"
        return "foreign-script", message, "tiles are written `5b`, `E`, `Wh`, `f1`, or as 🀔"
    meant = _meant(word)
    way_out = "tiles are written `5b`, `E`, `Wh`, `f1`; facts `wall`, `last-tile`, `seat:E`"
    return "unknown-word", f"{shown} means nothing here", meant or way_out


def _meant(word: str) -> str | None:
    """What was probably meant by the word, in a sentence."""
    small = word.lower()
    if small in _WRITTEN:
        return f"write `{_WRITTEN[small]}`"
    if re.fullmatch("([0-9]+[mps]|[1-7]+z)+", word):
        letters = "suit letters are `b` (bamboo), `c` (characters) and `d` (dots)"
        return f"{letters}: write `{re.sub('([0-9]+)([mpsz])', _from_other_letters, word)}`"
    if re.fullmatch(f"({_TILE})+", word, re.IGNORECASE):
        tiles = re.sub(_TILE, _in_its_case, word, flags=re.IGNORECASE)
        return f"did you mean `{tiles}`? capitals are winds and dragons, small letters the rest"
    near = get_close_matches(small[:24], _WRITTEN, n=1)
    return f"did you mean `{_WRITTEN[near[0]]}`?" if near else None


def _from_other_letters(match: re.Match[str]) -> str:
    ranks, letter = match.groups()
    if letter == "z":
        return "".join(_OTHER_HONOURS[rank] for rank in ranks)
    return ranks.replace("0", "5") + _OTHER_LETTERS[letter]


def _in_its_case(match: re.Match[str]) -> str:
    tile = match[0]
    return tile.lower() if tile[-1] in "bcdBCD1234" else tile.capitalize()


def _token_problem(error: UnexpectedToken, text: str) -> Problem:
    """A part that can be read, in a place where it cannot stand."""
    token = error.token
    start = len(text) if token.type == "$END" else token.start_pos or 0
    opening = _open_bracket(text[:start])
    code, way_out = "misplaced", None
    if token.type == "$END" and opening is not None:
        start, token = opening, Token("LSQB", text[opening])
        code, message, way_out = "open-bracket", f"`{token}` is never closed", "close it"
    elif token.type == "$END":
        message = "the text ends after a `+`"
        way_out = "write the winning tile there, as in `+5b`"
    elif token.type in {"RSQB", "RPAR"} and opening is None:
        code, message = "open-bracket", f"`{token}` closes no bracket"
        way_out = "take it out, or open one before the set"
    elif token.type == "CLAIMED":
        message = "`claimed` stands outside the square brackets of a kong"
        way_out = "write the claimed kong as in `[5555d claimed]`"
    else:
        within = "" if opening is None else f" within `{text[opening]}`"
        message = f"`{printable(token[:24])}` cannot stand here{within}"
    problem = Problem(code, message, expected=_expected(error), help=way_out)
    return _placed(problem, text, start, start + max(len(token), 1))


def _open_bracket(text: str) -> int | None:
    """Where the bracket stands that is still open at the end of the text."""
    code = re.sub("%[^\n]*", lambda comment: " " * len(comment[0]), text)
    opening = max(code.rfind("["), code.rfind("("))
    return opening if opening > max(code.rfind("]"), code.rfind(")")) else None


def _expected(error: UnexpectedInput) -> tuple[str, ...]:
    accepted = _accepted(error)
    return tuple(dict.fromkeys(words for name, words in _EXPECTED.items() if name in accepted))


def _placed(problem: Problem, text: str, start: int, end: int) -> Problem:
    line_start = text.rfind("\n", 0, start) + 1
    return problem.at(text.count("\n", 0, start) + 1, start - line_start + 1, end - line_start + 1)
