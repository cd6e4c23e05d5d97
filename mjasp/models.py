"""Models of the encodings, read back: the only place that spells the output predicates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from mjasp.facts import tile_term
from mjasp.hand import Hand, Kind, Meld
from mjasp.rulesets import Rule
from mjasp.solver import Term
from mjasp.tiles import Tile, by_order

__all__ = ["Atom", "Award", "Model", "Reader", "decode", "needs_waits", "notes", "tried"]

_TILES = {tile_term(tile): tile for tile in Tile}
_SIZES = {"single": 1, "pair": 2, "pung": 3, "kong": 4}


@dataclass(frozen=True, slots=True)
class Award:
    """One fired rule: what it pays, on which tiles, and from which line of the rule text.

    Exactly one of `points`, `doubles` and `limits` is not zero; `limits` is a multiple of the rule
    set's limit. `tiles` is empty and `set` None where the rule looks at the whole hand; otherwise
    `set` is the index of the meld among the interpretation's sets.
    """

    rule: str
    name: str
    points: int
    doubles: int
    limits: Fraction
    tiles: tuple[Tile, ...]
    set: int | None
    part: Literal["hand", "bonus"]
    source: str


@dataclass(frozen=True, slots=True)
class Model:
    """One model: a division, the set the winning tile completed, how it is counted, what fires.

    `kind` says how the hand is counted; `name` is the rule id of the special hand, None for an
    ordinary count. Declared sets come first, then those formed, each in tile order.
    """

    kind: Literal["standard", "special", "lost"]
    name: str | None
    sets: tuple[Meld, ...]
    fired: tuple[Award, ...]


@dataclass(frozen=True, slots=True)
class Atom:
    """A shown atom: its predicate and what it speaks of."""

    predicate: str
    name: str = ""
    meld: Meld | None = None


def _text(term: Term) -> str:
    return f"{term[0]}({','.join(map(_text, term[1:]))})" if isinstance(term, tuple) else str(term)


def _meld(term: Term) -> Meld:
    assert isinstance(term, tuple)
    kind, first = str(term[0]), _TILES[_text(term[1])]
    if kind == "chow":
        at = first.order
        tiles = tuple(tile for tile in Tile if at <= tile.order < at + 3)
    else:
        tiles = (first,) * _SIZES[kind]
    return Meld(Kind(kind), tiles)


def decode(term: Term) -> Atom:
    """A shown atom as an Atom."""
    match term:
        case str():
            return Atom(term)
        case ("formed", meld, _):
            return Atom("formed", meld=_meld(meld))
        case ("completed", meld, state):
            completed = replace(_meld(meld), completed=True, exposed=state == "exposed")
            return Atom("completed", meld=completed)
        case ("tried", tile):
            return Atom("tried", meld=_meld(("single", tile)))
        case ("fires", rule, subject):
            return Atom("fires", str(rule), None if subject == "hand" else _meld(subject))
        case (predicate, text):
            return Atom(str(predicate), str(text))
    raise ValueError(term)


def needs_waits(model: Iterable[Atom]) -> bool:
    """Whether some rule in force looks at the waits."""
    return any(atom.predicate == "needs_waits" for atom in model)


def notes(model: Iterable[Atom]) -> tuple[str, ...]:
    """What the player should know besides the score."""
    return tuple(sorted(atom.name for atom in model if atom.predicate == "note"))


def tried(models: Iterable[Iterable[Atom]]) -> tuple[Tile, ...]:
    """The tiles that complete the hand in some model, in order."""
    tiles = {atom.meld.tiles[0] for model in models for atom in model if atom.meld}
    return tuple(sorted(tiles, key=by_order))


class Reader:
    """Reads the models of one rule set; keeps the awards it has made."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = {rule.id: (position, rule) for position, rule in enumerate(rules)}
        self._awards: dict[tuple[str, Meld | None, int | None], Award] = {}

    def read(self, hand: Hand, atoms: Iterable[Atom]) -> Model:
        """The shown atoms of a model of `hand` as sets and awards."""
        counted_as = next(atom.name for atom in atoms if atom.predicate == "counted_as")
        sets = _sets(hand, atoms)
        index = {_subject(meld): at for at, meld in enumerate(sets)}
        fired = []
        for atom in atoms:
            if atom.predicate == "fires":
                at = index[_subject(atom.meld)] if atom.meld else None
                fired.append(self._award(atom.name, sets, at))
        fired.sort(key=lambda award: (self._rules[award.rule][0], award.set or 0))
        match counted_as:
            case "standard" | "lost":
                return Model(counted_as, None, tuple(sets), tuple(fired))
            case special:
                return Model("special", special, tuple(sets), tuple(fired))

    def _award(self, name: str, sets: list[Meld], at: int | None) -> Award:
        meld = None if at is None else sets[at]
        award = self._awards.get((name, meld, at))
        if award is None:
            award = _award(self._rules[name][1], meld, at)
            self._awards[name, meld, at] = award
        return award


def _subject(meld: Meld) -> tuple[Kind, Tile]:
    # A completed meld stands last among its equals (see _sets), so it is the one found.
    return meld.kind, meld.tiles[0]


def _sets(hand: Hand, atoms: Iterable[Atom]) -> list[Meld]:
    """Declared sets, then those formed, each in tile order; or the hand as a whole."""
    formed: list[Meld] = []
    completed = None
    for atom in atoms:
        if atom.predicate == "as_a_whole":
            return [_whole_hand(hand)]
        if atom.predicate == "completed":
            completed = atom.meld
        elif atom.predicate == "formed" and atom.meld:
            formed.append(atom.meld)
    if completed:
        formed.remove(Meld(completed.kind, completed.tiles))
        formed.append(completed)
    formed.sort(key=lambda meld: (meld.tiles[0].order, meld.kind.value))
    return [*hand.declared, *formed]


def _whole_hand(hand: Hand) -> Meld:
    tiles = [*hand.concealed, *(tile for meld in hand.declared for tile in meld.tiles)]
    if hand.winning:
        tiles.append(hand.winning)
    return Meld(Kind.WHOLE_HAND, tuple(sorted(tiles, key=by_order)), completed=True)


def _award(rule: Rule, meld: Meld | None, at: int | None) -> Award:
    state = "exposed" if meld and meld.exposed else "concealed"
    by_state = state in rule.values
    amount = rule.values[state if by_state else ""]
    return Award(
        rule=rule.id,
        name=f"{rule.name}, {state}" if by_state else rule.name,
        points=int(amount) if rule.unit == "points" else 0,
        doubles=int(amount) if rule.unit == "doubles" else 0,
        limits=amount if rule.unit == "limits" else Fraction(0),
        tiles=meld.tiles if meld else (),
        set=at,
        part="hand",
        source=rule.source,
    )
