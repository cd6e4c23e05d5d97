"""The words that players use, what they mean, and what is told where a word is none of them."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from mjasp.hand import Kind
from mjasp.notation import compact_help
from mjasp.notation.language import Language
from mjasp.tiles import Tile, Wind

if TYPE_CHECKING:
    from lark import Token

__all__ = [
    "BONUS",
    "LANGUAGE",
    "all_of",
    "kind_named",
    "number_of",
    "ruleset_named",
    "state_named",
    "suit_of",
    "tile_named",
    "wind_of",
]

BONUS = 4
"""How many flowers there are, and seasons."""

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
# How suits begin, in all the words for them.
_SUITS = {
    "b": ("bam", "stick", "sou", "tiao"),
    "c": ("char", "cra", "wan", "man"),
    "d": ("dot", "circle", "ball", "stone", "coin", "pin", "tong"),
}
_KINDS = {
    Kind.PUNG: ("pung", "pong", "pon", "triplet", "three", "3"),
    Kind.KONG: ("kong", "kang", "kan", "quad", "four", "4"),
    Kind.CHOW: ("chow", "chi", "run", "sequence", "straight"),
    Kind.PAIR: ("pair", "eyes"),
}
_SIZES = {Kind.PUNG: 3, Kind.KONG: 4, Kind.CHOW: 3, Kind.PAIR: 2}
_BY_NAME = {
    "east": Tile.E, "south": Tile.S, "west": Tile.W, "north": Tile.N,
    "red": Tile.R, "green": Tile.G, "white": Tile.WH,
    "plum": Tile.F1, "orchid": Tile.F2, "chrysanthemum": Tile.F3, "bamboo": Tile.F4,
    "spring": Tile.S1, "summer": Tile.S2, "autumn": Tile.S3, "fall": Tile.S3, "winter": Tile.S4,
}  # fmt: skip
_ALL = {
    "wind": (Tile.E, Tile.N),
    "dragon": (Tile.R, Tile.WH),
    "flower": (Tile.F1, Tile.F4),
    "season": (Tile.S1, Tile.S4),
}
_RULESETS = {"british": "bmja", "german": "dmjl"}
_STATES = {
    "declared": "declared",
    "concealed": "concealed",
    "closed": "concealed",
    "hidden": "concealed",
    "face down": "concealed",
}


def number_of(token: Token) -> int | None:
    """The number from 1 to 9 that a word or a digit is, singular or plural; else None."""
    word = token.lower().replace("'", "")
    if word.rstrip("s").isdigit():
        return int(word.rstrip("s")) if len(word.rstrip("s")) == 1 else None
    singular = word if word in _NUMBERS else word.removesuffix("s").removesuffix("e")
    near = [number for number in _NUMBERS if number.rstrip("e") == singular.rstrip("e")]
    return _NUMBERS.index(near[0]) + 1 if near else None


def suit_of(token: Token) -> str:
    """The letter of a suit."""
    word = token.lower()
    return next(suit for suit, words in _SUITS.items() if word == suit or word.startswith(words))


def all_of(token: Token) -> list[Tile]:
    """All winds, all dragons, all flowers or all seasons."""
    first, last = _ALL[token.lower().split()[-1].rstrip("s")]
    return [tile for tile in Tile if first.order <= tile.order <= last.order]


def tile_named(token: Token) -> Tile:
    """A wind, a dragon, a flower or a season."""
    words = re.sub(r"'s\b|\bdragons?\b", "", token.lower()).split()
    return _BY_NAME[words[0].removesuffix("s") if words[0] not in _BY_NAME else words[0]]


def kind_named(token: Token) -> tuple[Kind, int]:
    """The kind of a set, and how many tiles it has."""
    word = token.lower()
    kind = next(kind for kind, words in _KINDS.items() if word.startswith(words))
    return kind, _SIZES[kind]


def state_named(token: Token) -> str:
    """exposed, concealed, claimed, declared or extended."""
    words = " ".join(token.lower().strip("()").replace("-", " ").split())
    if words.startswith("in "):
        return "concealed"
    if words.startswith(("extended", "promoted", "added", "made")):
        return "extended"
    if words.startswith(("claimed", "from", "off")):
        return "claimed"
    return _STATES.get(words, "exposed")


def wind_of(token: Token) -> Wind | None:
    """The one wind that a token names; None for anything else."""
    if token.type == "DEALER":
        return Wind.EAST
    if token.type == "HONOURS":
        return Wind(str(token)) if token in {"E", "S", "W", "N"} else None
    if token.type in {"UNKNOWN", "UNKNOWN_TILE"}:
        return None
    if token[:2] in {"E ", "S ", "W ", "N "}:
        return Wind(token[0])
    return Wind(tile_named(token).value)


def ruleset_named(token: Token) -> str:
    """The id of a rule set: `rules bmja`, `under the British rules`."""
    name = re.sub(r"(?i)^(?:rule\s*set|rules?)?\s*[:=]?\s*|\s+rules$", "", token)
    name = re.sub(r"(?i)^(?:under|by|using|playing)\s+|\bthe\s+", "", name)
    name = "-".join(name.lower().split())
    return _RULESETS.get(name, name)


# Words of Riichi, and the words to use.
_RIICHI = {
    "tsumo": "self-drawn", "ron": "discard", "fu": "points", "han": "doubles", "fan": "doubles",
    "dora": None, "yaku": None, "yakuman": None, "tenpai": "calling", "riichi": None,
    "haku": "white dragon", "hatsu": "green dragon", "chun": "red dragon", "ton": "east",
    "nan": "south", "shaa": "west", "pei": "north", "ankan": "concealed kong",
    "minkan": "exposed kong", "daiminkan": "claimed kong", "shouminkan": "extended kong",
    "rinshan": "loose tile", "chankan": "robbing a kong", "haitei": "last tile from the wall",
    "houtei": "last discard", "menzen": "concealed", "jantou": "pair", "shuntsu": "chow",
    "koutsu": "pung", "kantsu": "kong", "bakaze": "round wind", "jikaze": "seat wind",
}  # fmt: skip

# What a nearest spelling is looked for among.
_KNOWN = (
    *_NUMBERS, "bamboo", "characters", "dots", "circles", "sticks", "coins", "stones", "balls",
    "craks", "east", "south", "west", "north", "easts", "souths", "wests", "norths", "red",
    "green", "white", "dragon", "dragons", "wind", "winds", "pung", "kong", "chow", "pair", "run",
    "sequence", "triplet", "exposed", "concealed", "claimed", "declared", "hidden", "closed",
    "open", "melded", "seat", "round", "prevailing", "rules", "won", "winning", "self-drawn",
    "wall", "discard", "discarded", "loose", "robbing", "replacement", "supplement", "flower",
    "season", "flowers", "seasons", "plum", "orchid", "chrysanthemum", "spring", "summer",
    "autumn", "winter", "unknown", "last-tile", "first-turn", "original-call", "kong-on-kong",
    "fishing", "calling", "lost", "completing", "source", "mahjong",
)  # fmt: skip

_SPELLING = "say tiles as `5 bamboo` or `5b`, sets as `pung of easts`, and `won on 5 bamboo`"


def _meant(word: str) -> str | None:
    if word.lower() in _KNOWN:
        return _SPELLING
    near = get_close_matches(word.lower()[:24], _KNOWN, n=1, cutoff=0.7)
    return f"did you mean `{near[0]}`?" if near else compact_help.meant(word)


def _riichi_slips() -> tuple[tuple[str, str, str, str], ...]:
    return tuple(
        (f"(?i:{word})", "riichi-term", "is a word of Riichi",
         f"say `{use}`" if use else "leave it out: the rule sets here know nothing of it")
        for word, use in _RIICHI.items()
    )  # fmt: skip


_TILE = "a tile `5 bamboo`"
_SET = "a set `pung of 2 bamboo`"
_WON = "how it was won"
_FACT = "seat, round or rules"
_STATE = "`exposed:` or `concealed:`"
LANGUAGE = Language(
    grammar="words",
    expected={
        "SUITED": _TILE,
        **dict.fromkeys(("SET", "LSQB", "LPAR"), _SET),
        "EXPOSED_HERE": _STATE,
        "WON": _WON,
        "RULES": _FACT,
        "RSQB": "`]`",
        "RPAR": "`)`",
        "SUIT": "a suit",
        "WIND": "a wind",
        "DIGITS": "a number",
        "UNKNOWN": "`unknown`",
    },
    slips=(
        (
            "(?i:dragons?|winds?)",
            "no-such-tile",
            "does not say which of them",
            "name it, as in `red dragon` or `east wind`",
        ),
        *_riichi_slips(),
        *compact_help.SLIPS,
    ),
    meant=_meant,
    spelling=_SPELLING,
    due={
        "WON": _SPELLING,
        "UNKNOWN": "name a wind there, as in `seat east`, or say `unknown`",
        "SUIT": "name the tiles there, as in `pung of 2 bamboo`, `three easts`",
    },
    example="won on 5 bamboo, three easts, chow 2 3 4 dots",
)
