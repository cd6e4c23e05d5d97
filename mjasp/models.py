"""Models of the encodings, read back: the only place that spells the output predicates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from mjasp.facts import tile_term
from mjasp.hand import Hand, Kind, Meld
from mjasp.rulesets import Pay, Rule
from mjasp.solver import Term
from mjasp.tiles import Tile, by_order

__all__ = [
    "STATES",
    "Atom",
    "Award",
    "Model",
    "Reader",
    "State",
    "award_for",
    "award_of",
    "called",
    "changed",
    "decode",
    "formed_order",
    "names",
    "notes",
    "paid",
    "states",
    "supposed",
    "tiles_of",
    "tried",
]

_TILES = {tile_term(tile): tile for tile in Tile}
State = Literal["", "exposed", "concealed"]
STATES: tuple[State, ...] = ("", "exposed", "concealed")
_SIZES = {"single": 1, "pair": 2, "pung": 3, "kong": 4}


@dataclass(frozen=True, slots=True)
class Award:
    """One fired rule: what it pays, on which tiles, and from which line of the rule text.

    Exactly one of `points`, `doubles` and `limits` is not zero; `limits` is a multiple of the rule
    set's limit. `tiles` is empty and `set` None where the rule looks at the whole hand; otherwise
    `set` is the index of the meld among the interpretation's sets. `state` tells as what a set is
    paid, where that makes a difference.
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
    state: State = ""


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


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """A shown atom: its predicate and what it speaks of; a program makes one of each.

    `name` is a rule, a way of counting or a note; `meld` and `tile` are what a rule fires for;
    `part` is where its award belongs; `pays` is what a rule pays, as (state, unit, amount).
    """

    predicate: str
    name: str = ""
    meld: Meld | None = None
    tile: Tile | None = None
    part: Literal["hand", "bonus"] = "hand"
    pays: tuple[str, str, Fraction] | None = None


def _text(term: Term) -> str:
    return f"{term[0]}({','.join(map(_text, term[1:]))})" if isinstance(term, tuple) else str(term)


def _tile(term: Term) -> Tile:
    return _TILES[_text(term)]


def _meld(term: Term) -> Meld:
    match term:
        case ("chow", ("suited", suit, int(rank))):
            tiles = [_tile(("suited", suit, rank + step)) for step in range(3)]
        case ("knitted_pair", suit, other, rank):
            tiles = [_tile(("suited", each, rank)) for each in (suit, other)]
        case ("knitted_triple", rank):
            tiles = [_tile(("suited", suit, rank)) for suit in ("bamboo", "characters", "dots")]
        case (kind, tile):
            tiles = [_tile(tile)] * _SIZES[str(kind)]
        case _:
            raise ValueError(term)
    return Meld(Kind(str(term[0])), tuple(tiles))


def tiles_of(term: Term) -> tuple[Tile, ...]:
    """The tiles that a term speaks of; none where it is neither a tile nor a set.

    >>> [str(tile) for tile in tiles_of(("pair", ("dragon", "red")))], tiles_of("hand")
    (['R', 'R'], ())
    """
    try:
        return (_TILES[_text(term)],) if _text(term) in _TILES else _meld(term).tiles
    except (KeyError, ValueError):
        return ()


def changed(term: Term) -> Term:
    """What is otherwise in a model of a changed hand."""
    assert isinstance(term, tuple)
    return term[1]


def supposed(term: Term) -> Atom | Term:
    """A shown atom of a hand that somebody is mistaken about; what is mistaken stays a term."""
    match term:
        case ("change", change):
            return change
        case _:
            return decode(term)


def decode(term: Term) -> Atom:  # noqa: PLR0911 - one case a predicate
    """A shown atom as an Atom."""
    match term:
        case ("formed", meld, _):
            return Atom("formed", meld=_meld(meld))
        case ("completed", meld):
            return Atom("completed", meld=_meld(meld))
        case ("fires", rule, subject, "hand" | "bonus" as part):
            return _fires(str(rule), subject, part)
        case ("tried", tile):
            return Atom("tried", tile=_tile(tile))
        case ("calls", rule, tile):
            return Atom("calls", str(rule), tile=_tile(tile))
        case ("pays", rule, unit, amount):
            return Atom("pays", str(rule), pays=("", str(unit), Fraction(str(amount))))
        case ("pays", rule, state, unit, amount):
            return Atom("pays", str(rule), pays=(str(state), str(unit), Fraction(str(amount))))
        case (predicate, name):
            return Atom(str(predicate), str(name))
        case predicate:
            return Atom(str(predicate))


def _fires(rule: str, subject: Term, part: Literal["hand", "bonus"]) -> Atom:
    match subject:
        case "hand":
            return Atom("fires", rule, part=part)
        case ("flower" | "season", _):
            return Atom("fires", rule, tile=_tile(subject), part=part)
        case meld:
            return Atom("fires", rule, meld=_meld(meld), part=part)


def names(model: Iterable[Atom], predicate: str) -> frozenset[str]:
    """What the atoms of this predicate name in a model."""
    return frozenset(atom.name for atom in model if atom.predicate == predicate)


def states(model: Iterable[Atom], predicate: str) -> bool:
    """Whether a model holds an atom of this predicate."""
    return any(atom.predicate == predicate for atom in model)


def paid(model: Iterable[Atom]) -> Pay:
    """What the rules pay under the readings that were asked about."""
    pay: dict[str, tuple[str, dict[str, Fraction]]] = {}
    for atom in model:
        if atom.pays:
            state, unit, amount = atom.pays
            pay.setdefault(atom.name, (unit, {}))[1][state] = amount
    return pay


def notes(model: Iterable[Atom]) -> tuple[str, ...]:
    """What the player should know besides the score."""
    return tuple(sorted(names(model, "note")))


def tried(models: Iterable[Iterable[Atom]]) -> tuple[Tile, ...]:
    """The tiles that complete the hand in some model, in order."""
    return _in_order(atom for model in models for atom in model if atom.predicate == "tried")


def called(models: Iterable[Iterable[Atom]]) -> dict[str, tuple[Tile, ...]]:
    """The special hands that some tile completes: rule id to those tiles, in order."""
    atoms = [atom for model in models for atom in model if atom.predicate == "calls"]
    rules = sorted({atom.name for atom in atoms})
    return {rule: _in_order(atom for atom in atoms if atom.name == rule) for rule in rules}


def _in_order(atoms: Iterable[Atom]) -> tuple[Tile, ...]:
    return tuple(sorted({atom.tile for atom in atoms if atom.tile}, key=by_order))


class Reader:
    """Reads the models of one rule set; keeps the awards it has made."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = {rule.id: (position, rule) for position, rule in enumerate(rules)}
        self._awards: dict[tuple[Atom, int | None, bool], Award] = {}

    def read(self, hand: Hand, atoms: Iterable[Atom]) -> Model:
        """The shown atoms of a model of `hand` as sets and awards."""
        kind: Literal["standard", "special", "lost"] = "standard" if hand.winning else "lost"
        name = None
        sets = _sets(hand, atoms)
        index = {_subject(meld): at for at, meld in enumerate(sets)}
        fired = []
        for atom in atoms:
            match atom.predicate:
                case "fires":
                    at = index[_subject(atom.meld)] if atom.meld else None
                    fired.append(self._award(atom, None if at is None else sets[at], at))
                case "counted_as" if hand.winning and atom.name != "standard":
                    kind, name = "special", atom.name
                case "called":
                    name = atom.name
        fired.sort(key=self._place)
        return Model(kind, name, tuple(sets), tuple(fired))

    def _place(self, award: Award) -> tuple[Any, ...]:
        tile = award.tiles[0].order if award.tiles else 0
        return award.part == "bonus", self._rules[award.rule][0], award.set or 0, tile

    def _award(self, atom: Atom, meld: Meld | None, at: int | None) -> Award:
        key = atom, at, meld is not None and meld.exposed
        award = self._awards.get(key)
        if award is None:
            award = self._awards[key] = award_for(self._rules[atom.name][1], atom, meld, at)
        return award


def _subject(meld: Meld) -> tuple[Kind, Tile]:
    # A completed meld stands last among its equals (see _sets), so it is the one found.
    return meld.kind, meld.tiles[0]


def _sets(hand: Hand, atoms: Iterable[Atom]) -> list[Meld]:
    """Declared sets, then those formed, each in tile order; or the hand as a whole."""
    formed: list[Meld] = []
    completed = None
    whole = claimed = False
    for atom in atoms:
        match atom.predicate:
            case "formed" if atom.meld:
                formed.append(atom.meld)
            case "completed":
                completed = atom.meld
            case "as_a_whole":
                whole = True
            case "claimed":
                claimed = True
    if whole:
        return [Meld(Kind.WHOLE_HAND, _all_tiles(hand), exposed=claimed, completed=True)]
    if completed:
        formed.remove(completed)
        formed.append(replace(completed, exposed=claimed, completed=True))
    formed.sort(key=formed_order)
    return [*hand.declared, *formed]


def formed_order(meld: Meld) -> tuple[int, str, list[int]]:
    """The order in which the sets formed stand in an interpretation."""
    # The other tiles tell knitted pairs of one rank apart.
    orders = [tile.order for tile in meld.tiles]
    return orders[0], meld.kind.value, orders


def _all_tiles(hand: Hand) -> tuple[Tile, ...]:
    tiles = [*hand.concealed, *(tile for meld in hand.declared for tile in meld.tiles)]
    if hand.winning:
        tiles.append(hand.winning)
    return tuple(sorted(tiles, key=by_order))


def award_for(rule: Rule, atom: Atom, meld: Meld | None, at: int | None) -> Award:
    """What a rule pays where this atom says that it fires; `meld` is the set at that place."""
    state: State = "exposed" if meld and meld.exposed else "concealed"
    tiles = meld.tiles if meld else (atom.tile,) if atom.tile else ()
    award = award_of(rule, state if state in rule.values else "")
    return replace(award, tiles=tiles, set=at, part=atom.part)


def award_of(rule: Rule, state: State) -> Award:
    """What a rule pays, for a set in that state where that makes a difference."""
    amount = rule.values[state]
    return Award(
        rule=rule.id,
        name=f"{rule.name}, {state}" if state else rule.name,
        points=int(amount) if rule.unit == "points" else 0,
        doubles=int(amount) if rule.unit == "doubles" else 0,
        limits=amount if rule.unit == "limits" else Fraction(0),
        tiles=(),
        set=None,
        part="hand",
        source=rule.source,
        state=state,
    )
