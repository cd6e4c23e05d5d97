"""What is told of a compact text that cannot be read."""

from __future__ import annotations

import re
from difflib import get_close_matches

from mjasp.hand import Event, Source
from mjasp.tiles import Wind

__all__ = ["EXPECTED", "SLIPS", "SPELLING", "meant"]

SPELLING = "tiles are written `5b`, `E`, `Wh`, `f1`; facts `wall`, `last-tile`, `seat:E`"
# What the terminals are in plain words, in the order of telling: never more than five in one place.
EXPECTED = {
    **dict.fromkeys(("SUITED", "HONOURS", "BONUS", "UNICODE"), "a tile"),
    "LSQB": "a set `[234b]`",
    "LPAR": "a kong `(5555d)`",
    "PLUS": "a win `+5b`",
    "CLAIMED": "`claimed`",
    "RSQB": "`]`",
    "RPAR": "`)`",
    **dict.fromkeys(("SOURCE", "EVENT", "SEAT", "ROUND", "RULES"), "a fact"),
}
_TILE = "[1-9]+[bcd]|wh|[fs][1-4]|[eswnrg]"

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

SLIPS = (
    (r"(?i:(seat|round)(:(?!(east|south|west|north|[eswn])$).*)?)", "no-such-wind", "names no wind",
     "it is `E`, `S`, `W`, `N`, or `?` if not known, as in `seat:E`"),
    (r".*\?.*", "unknown-fact", "does not say what is unknown",
     "write `won:?`, `seat:?`, `round:?`, `last-tile:?`, or `?` for a tile"),
    ("(?i:concealed|hidden|closed|exposed|open)", "misplaced", "is no word of the compact form",
     "a concealed kong is written `(1111c)`, a set laid down `[222b]`"),
    (".*[🀪🀫].*", "no-such-tile", "holds a joker or a tile face down: neither is played with",
     "write the tile that it is"),
    (r"(?=.{1,30}$)\d*0\d*[bcd]?", "no-such-tile", "has a rank that no tile has",
     "ranks are 1 to 9, as in `9b`"),
    (r"\d+|\d+[ESWNRG].*", "no-suit", "has no suit letter after its digits",
     "write `b` (bamboo), `c` (characters) or `d` (dots) there, as in `123b`"),
    (r"[fs]\d+", "no-such-tile", "is no flower or season",
     "flowers are `f1` to `f4`, seasons `s1` to `s4`"),
    (r"(?i:rules)(:.*)?", "no-ruleset-name", "names no rule set",
     "it is the name of a shipped one, never a path, as in `rules:bmja`"),
)  # fmt: skip


def meant(word: str) -> str | None:
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
