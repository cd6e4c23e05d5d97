"""Text to Hand in any notation: which one a whole text is in, and what to tell where it is none."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from mjasp.errors import HandError, NotationError, Problem, printable
from mjasp.notation import compact, compact_help
from mjasp.notation.language import refuse_long

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mjasp.hand import Hand

    # A word of the text, and the notations that it looks like.
    Look = tuple[re.Match[str], frozenset[str]]

__all__ = ["READ", "parse", "recognise"]

READ = ("auto", "mjasp", "words", "kajongg", "mpsz")
"""The notations that a hand can be read in; auto recognises which."""

_DIALECTS = ("kajongg", "mpsz")
_TOKEN = re.compile(r"[^\s;,\[\]()+%\uFE0E\uFE0F\uFEFF]+")
_COMMENT = re.compile("%[^\n]*")
_KAJONGG = r"(?:[bcsBCS][1-9]|[wW][eswn]|[dD][rgb]|[fy][eswn])+"
# What a token looks like in one notation and in no other, and in the compact form.
_LOOKS = {
    "mpsz": re.compile(r"(?:[0-9]+[mps]|[1-7]+z)+"),
    "kajongg": re.compile(rf"R?{_KAJONGG}|L{_KAJONGG}|m[wdezZk1.][at]{{0,2}}|.*Xy.*"),
    "mjasp": re.compile(r"(?:[1-9]+[bcd]|Wh|[ESWNRG]|[fs][1-4]|[\U0001F000-\U0001F029])+"),
}
_SHARED = re.compile(
    "(?i:(?:seat|round|won|rules|last-tile):.*|claimed|wall|discard|loose|robbing|last-tile"
    r"|first-turn|original-call|kong-on-kong|fishing)|[fs][1-4]|\?+|[\U0001F000-\U0001F029]+"
)
# In small letters seasons of the compact form, in capitals easily meant for them; dots in Kajongg.
_SEASON = re.compile("(?:s[1-4])+|(?:S[1-4])+")
_WORD = re.compile("[A-Za-z'-]{3,}")


def parse(text: str, notation: str = "auto") -> Hand:
    """The hand that a text describes.

    `notation` is mjasp (the compact form), words, kajongg, mpsz, or auto, which recognises the
    notation of the whole text. Raises NotationError where the text cannot be read, HandError where
    no such hand can be on a table, each with all problems found, their places and the way out;
    ValueError where there is no such notation.

    >>> parse("[222s] 123m 456p 11z 99s +9s") == parse("[222b] 123c 456d EE 99b +9b")
    True
    """
    return recognise(text)[0] if notation == "auto" else _read(text, notation)


def recognise(text: str) -> tuple[Hand, str]:
    """The hand that a text describes, and the notation that the text is in; errors as for parse.

    >>> recognise("RB1B1B1C2C3C4S5S5 drdrdr WeWeWe mw LS5S5S5")[1]
    'kajongg'
    """
    refuse_long(text)
    try:
        hand = compact.parse_at_once(text)
    except HandError:
        if all("kajongg" in names for _, names in _looks(text)):
            raise _ambiguous(text) from None
        raise
    if hand:
        return hand, "mjasp"
    name = _notation_of(text)
    try:
        return _read(text, name), name
    except NotationError as error:
        raise _taken_for(name, error) from None


def _read(text: str, notation: str) -> Hand:
    if notation not in READ[1:]:
        raise ValueError(f"no notation {notation!r}: there are {', '.join(READ)}")
    name = "compact" if notation == "mjasp" else notation
    hand: Hand = import_module(f"mjasp.notation.{name}").parse(text)
    return hand


def _notation_of(text: str) -> str:
    """The notation of a text that is not in the compact form."""
    found: dict[str, list[re.Match[str]]] = {}
    for token, names in _looks(text):
        if len(names) == 1:
            found.setdefault(min(names), []).append(token)
    dialects = [name for name in _DIALECTS if name in found]
    if not dialects:
        return "words" if "words" in found else "mjasp"
    if len(found) == 1:
        return dialects[0]
    if _readable_in_words(text):
        return "words"
    strange = found.pop("words", [])
    if len(found) == 1 and len(found[dialects[0]]) > len(strange):
        return dialects[0]
    raise _mixed(text, found if len(found) > 1 else {**found, "words": strange})


def _looks(text: str) -> Iterator[Look]:
    """The words of a text, each with the notations that it looks like; none if like all of them."""
    code = _COMMENT.sub(lambda comment: " " * len(comment[0]), text)
    for token in _TOKEN.finditer(code):
        yield token, frozenset(_names(token[0]))


def _names(word: str) -> set[str]:
    if _SEASON.fullmatch(word):
        return {"kajongg", "mjasp"}
    if _SHARED.fullmatch(word):
        return set()
    names = {name for name, look in _LOOKS.items() if look.fullmatch(word)}
    return names or ({"words"} if _WORD.search(word) else set())


def _readable_in_words(text: str) -> bool:
    with suppress(HandError):
        try:
            _read(text, "words")
        except NotationError:
            return False
    return True


def _taken_for(name: str, error: NotationError) -> NotationError:
    """The error, saying which notation the text was taken for if that is another's."""
    first, *rest = error.problems
    if name not in _DIALECTS:
        return error
    told = f"{first.help}; the text looks like {_CALLED[name]}: `--notation` says what it is"
    return NotationError(replace(first, help=told), *rest, text=error.text)


def _ambiguous(text: str) -> NotationError:
    message = "the text is read as seasons in the compact form, and as dots in Kajongg's"
    way_out = "say which it is, with `--notation mjasp` or `--notation kajongg`"
    line = text.split("\n", 1)[0]
    problem = Problem("ambiguous-notation", message, 1, 1, max(len(line), 1) + 1, help=way_out)
    return NotationError(problem, text=text)


_CALLED = {
    "mjasp": "the compact form",
    "words": "words",
    "kajongg": "Kajongg's notation",
    "mpsz": "the notation mpsz",
}


def _mixed(text: str, found: dict[str, list[re.Match[str]]]) -> NotationError:
    """The text is in several notations: the first word of each is shown."""
    firsts = {name: tokens[0] for name, tokens in found.items()}
    (one, first), (other, second) = sorted(firsts.items(), key=lambda each: each[1].start())[:2]
    shown = [f"`{printable(token[0][:24])}`" for token in (first, second)]
    message = f"{shown[1]} is in {_CALLED[other]}, and {shown[0]} before it in {_CALLED[one]}"
    way_out = "write the whole hand in one notation"
    if "mpsz" in (one, other):
        riichi = first if one == "mpsz" else second
        way_out += f"; {compact_help.meant(riichi[0])}"
    start, end = second.span()
    line_start = text.rfind("\n", 0, start) + 1
    line = text.count("\n", 0, start) + 1
    problem = Problem("mixed-notations", message, help=way_out)
    return NotationError(problem.at(line, start - line_start + 1, end - line_start + 1), text=text)
