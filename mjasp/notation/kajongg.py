"""The notation `kajongg`: the hand strings of KDE Kajongg, `RB1B1B1C2C3C4 drdrdr fe mw LB1`."""

from __future__ import annotations

from dataclasses import dataclass, field

from lark import Token

from mjasp.hand import Event, Hand, Kind, Meld, Source, kind_of
from mjasp.notation.draft import Draft
from mjasp.notation.language import Language
from mjasp.tiles import Tile, by_order

__all__ = ["ANNOUNCED", "CODES", "SOURCES", "parse"]

_SUITS = {"b": "b", "c": "c", "s": "d"}
_TILES = {
    **{f"{letter}{rank}": Tile(f"{rank}{suit}") for letter, suit in _SUITS.items()
       for rank in range(1, 10)},
    **{f"w{wind.lower()}": Tile(wind) for wind in "ESWN"},
    "dr": Tile.R, "dg": Tile.G, "db": Tile.WH,
    **{f"{letter}{wind}": Tile(f"{kind}{number}") for letter, kind in (("f", "f"), ("y", "s"))
       for number, wind in enumerate("eswn", start=1)},
}  # fmt: skip
CODES = {tile: code for code, tile in _TILES.items()}
"""How each tile is written where it is exposed."""
SOURCES: dict[str, tuple[Source, Event | None]] = {
    "w": (Source.WALL, None),
    "d": (Source.DISCARD, None),
    "e": (Source.LOOSE, None),
    "z": (Source.WALL, Event.LAST_TILE),
    "Z": (Source.DISCARD, Event.LAST_TILE),
    "k": (Source.ROBBING, None),
    "1": (Source.WALL, Event.FIRST_TURN),
}
"""What the letter after `m` says."""
ANNOUNCED = {"a": Event.ORIGINAL_CALL, "t": Event.KONG_ON_KONG}
"""What the letters after it say."""

_LANGUAGE = Language(
    grammar="kajongg",
    expected={
        "R": "tiles in hand `RB1B1`",
        "TILES": "a set `c1c1c1`",
        "WON": "how it was won `mw`",
        "L": "the last tile `LB1`",
    },
    slips=(
        (r".*Xy.*", "unknown-tile", "holds a tile that nobody knows, which Kajongg cannot score",
         "write the tile, or the hand in the compact form with `?`"),
        (r"M.*", "unknown-word", "is how old versions marked a win",
         "write `m` and how the tile came, as in `mw`; the last tile marks a win, as in `LB1`"),
    ),
    meant=lambda _: None,
    spelling="tiles are written `b5`, `c5`, `s5`, `we`, `dr`, `fe`, `ye`; in hand `B5`, `We`",
    example="RB1B1B1B2B2B2C3C4C5 drdrdr WeWe mw LB1",
)  # fmt: skip


@dataclass(slots=True)
class _Group:
    """Tiles that are written as a set, and its token."""

    tiles: list[Tile]
    capitals: str
    token: Token


@dataclass(slots=True)
class _Parts:
    """What a text is made of."""

    rest: list[_Group] = field(default_factory=list)
    sets: list[_Group] = field(default_factory=list)
    last: list[_Group] = field(default_factory=list)
    won: list[Token] = field(default_factory=list)


def parse(text: str) -> Hand:
    """The hand that a Kajongg hand string describes; winds are not part of it.

    Raises NotationError where the text cannot be read and HandError where no such hand can be.

    >>> hand = parse("RB1B1B1C2C3C4C5C5 s2s3s4 drdrdr fe mw LB1B1B1B1")
    >>> hand.winning, hand.completes.kind, hand.source
    (<Tile.B1: '1b'>, <Kind.PUNG: 'pung'>, <Source.WALL: 'wall'>)
    """
    parts = _parts(text)
    draft = Draft()
    for each in parts.last[1:]:
        message = "there is one last tile"
        draft.refuse("two-winning-tiles", message, "leave out the other", each.token, each.token)
    completed = _win(draft, parts, parts.last[0]) if parts.last else None
    for group in parts.rest:
        draft.put(group.tiles, group.token, group.token, 2)
    for group in parts.sets:
        if group is completed:
            draft.put(group.tiles, group.token, group.token, 2)
        else:
            _lay_down(draft, group)
    for token in parts.won:
        _tell(draft, token)
    if draft.winning and not draft.facts.get("source"):
        last = parts.last[0]
        came = Source.WALL if last.capitals[0] == "C" else Source.DISCARD
        draft.state("source", came, last.token, last.token)
    return draft.hand(text)


def _parts(text: str) -> _Parts:
    parts = _Parts()
    for node in _LANGUAGE.tree(text).children:
        if isinstance(node, Token):
            if node.type == "WON":
                parts.won.append(node)
            else:
                parts.sets.append(_group(node))
        else:
            token = node.children[-1]
            assert isinstance(token, Token)
            (parts.rest if node.data == "rest" else parts.last).append(_group(token))
    return parts


def _group(token: Token) -> _Group:
    codes = [token[at : at + 2] for at in range(0, len(token), 2)]
    tiles = [_TILES[code.lower()] for code in codes]
    return _Group(tiles, "".join("C" if code[0].isupper() else "s" for code in codes), token)


def _win(draft: Draft, parts: _Parts, last: _Group) -> _Group | None:
    """Take the last tile out of what holds it; the set that was laid down with it, if one was."""
    tile, *meld = last.tiles
    draft.spot([tile], last.token, last.token, 2)
    holder = _holder(parts, tile, sorted(meld, key=by_order), small=last.capitals[0] == "s")
    if holder is None or (meld and tile not in meld):
        message = f"`L{last.token}`: no set in the text can be what the last tile completed"
        way_out = "the last tile stands among the tiles too, and its set is named as it stands"
        draft.refuse("completes-unfit", message, way_out, last.token, last.token)
        return None
    holder.tiles.remove(tile)
    laid_down = holder if holder in parts.sets and "C" not in holder.capitals else None
    draft.win([tile], [], last.token, last.token)
    named = meld or ([*holder.tiles, tile] if laid_down else [])
    if named:
        draft.complete(named)
    return laid_down


def _holder(parts: _Parts, tile: Tile, meld: list[Tile], *, small: bool) -> _Group | None:
    """Where the last tile stands: in the set that is named, in hand, or in a set laid down."""
    open_sets = [group for group in parts.sets if "C" not in group.capitals]
    if meld and small:
        same = [group for group in open_sets if sorted(group.tiles, key=by_order) == meld]
        if same:
            return same[0]
    in_hand = [*parts.rest, *(group for group in parts.sets if "s" not in group.capitals)]
    holding = [group for group in in_hand if tile in group.tiles]
    if not holding and not meld:
        holding = [group for group in open_sets if tile in group.tiles and len(group.tiles) < 4]
        return holding[0] if len(holding) == 1 else None
    return holding[0] if holding else None


def _lay_down(draft: Draft, group: _Group) -> None:
    token, capitals = group.token, group.capitals
    if all(tile.is_bonus for tile in group.tiles) or "s" not in capitals:
        draft.put(group.tiles, token, token, 2)
        return
    tiles = tuple(sorted(group.tiles, key=by_order))
    kind = kind_of(tiles) or Kind.CHOW
    exposed = capitals != "sCCs"
    claimed = capitals == "sssC"
    if "C" in capitals and exposed and not claimed:
        message = f"`{token}` is neither exposed nor concealed"
        way_out = "kongs are `c1c1c1c1` exposed, `c1C1C1c1` concealed, `c1c1c1C1` claimed"
        draft.refuse("mixed-case", message, way_out, token, token)
    draft.lay_down(Meld(kind, tiles, exposed, declared=True, claimed=claimed), token, token)
    draft.spot(group.tiles, token, token, 2)


def _tell(draft: Draft, token: Token) -> None:
    """How the last tile came, and what was announced."""
    letters = token[1:]
    if letters[:1] in SOURCES:
        source, event = SOURCES[letters[0]]
        draft.state("source", source, token, token)
        if event:
            draft.happen(event, token, token)
    announced = letters[1:] if letters[:1] in {*SOURCES, "."} else letters
    for letter in announced:
        if letter in ANNOUNCED:
            draft.happen(ANNOUNCED[letter], token, token)
        else:
            message = f"`{token}`: `{letter}` announces nothing"
            way_out = "`a` is an original call, `t` a kong on a kong; winds are given as options"
            draft.refuse("no-such-announcement", message, way_out, token, token)
