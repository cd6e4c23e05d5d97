"""Where clingo and the compiled engine differ over a hand, every field of all that they find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Literal

from mjasp.compiled.block import Blocks
from mjasp.compiled.convert import put
from mjasp.compiled.found import KINDS, OUTCOMES, WHOLE_HAND, Found
from mjasp.compiled.layout import TILES, Hands
from mjasp.engine import Engine
from mjasp.hand import Hand, Kind, Meld
from mjasp.models import Award
from mjasp.scoring import Bonus, Interpretation, Score
from mjasp.tiles import Tile, by_order

__all__ = ["InBlocks", "Told", "difference", "rows_of"]


@dataclass(frozen=True, slots=True)
class Told:
    """All that an engine finds of a hand."""

    outcome: Literal["won", "lost", "false-win"]
    interpretations: tuple[Interpretation, ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]
    waits: tuple[Tile, ...]

    @classmethod
    def by(cls, score: Score) -> Told:
        """What a score tells."""
        return cls(score.outcome, score.interpretations, score.notes, score.reasons, score.waits)


def difference(expected: Told, told: Told) -> str | None:
    """The first field in which two differ, with both values; None where they are the same."""
    numbers = len(expected.interpretations), len(told.interpretations)
    if expected.outcome == told.outcome and numbers[0] != numbers[1]:
        return f"interpretations: {numbers[0]}, not {numbers[1]}"
    pairs = zip(expected.interpretations, told.interpretations, strict=False)
    for at, (one, other) in enumerate(pairs):
        wrong = _first(one, other)
        if wrong:
            return f"interpretation {at}, {wrong}"
    return _first(expected, told)


def _first(expected: Any, told: Any) -> str | None:  # noqa: ANN401 - two of one dataclass
    for each in fields(expected):
        one, other = getattr(expected, each.name), getattr(told, each.name)
        if one != other:
            return f"{each.name}: {_shown(one)}, not {_shown(other)}"
    return None


def _shown(value: object) -> str:
    match value:
        case tuple():
            return f"({', '.join(map(_shown, value))})"
        case Meld():
            states = [name for name in ("exposed", "completed") if getattr(value, name)]
            return " ".join((value.kind.value, str(value), *states))
        case Award():
            return f"{value.name} of {' '.join(map(str, value.tiles)) or 'all'} at {value.set}"
        case Interpretation():
            return f"{value.kind} {value.name} {value.total}"
    return str(value)


def rows_of(hands: Sequence[Hand]) -> Hands:
    """Hands as arrays, what they leave out filled in."""
    rows = Hands.empty(len(hands))
    for at, hand in enumerate(hands):
        put(rows, at, hand)
    return rows.resolved()


class InBlocks:
    """Hands scored by the compiled engine many at once, as an engine is set.

    Raises NotEvaluable for a rule set that cannot be compiled.
    """

    def __init__(self, engine: Engine) -> None:
        interpreter = engine.interpreter
        self._blocks = Blocks(
            interpreter, engine.readings, engine.limit, engine.cap, interpreter.divisions
        )

    def told(self, hands: Sequence[Hand]) -> list[Told]:
        """What is found of each hand. Raises TooLarge for values that arrays cannot hold."""
        found = self._blocks.found(rows_of(hands))
        return [_told(found, at, hand) for at, hand in enumerate(hands)]


def _told(found: Found, at: int, hand: Hand) -> Told:
    first, end = found.first[at : at + 2].tolist()
    return Told(
        outcome=OUTCOMES[found.outcome[at]],
        interpretations=tuple(_interpretation(found, at, hand) for at in range(first, end)),
        notes=found.vocabulary.notes[found.notes[at]],
        reasons=found.vocabulary.reasons[found.reasons[at]],
        waits=tuple(tile for tile, awaited in zip(TILES, found.waits[at], strict=True) if awaited),
    )


def _interpretation(found: Found, at: int, hand: Hand) -> Interpretation:
    words = found.vocabulary
    first_set, last_set = found.first_set[at : at + 2].tolist()
    first_fired, last_fired = found.first_fired[at : at + 2].tolist()
    bonus = Bonus(int(found.bonus_points[at]), int(found.bonus_doubles[at]))
    fired = found.fired[first_fired:last_fired].tolist()
    places = found.fired_set[first_fired:last_fired].tolist()
    return Interpretation(
        kind=KINDS[found.kind[at]],
        name=words.names[found.name[at]] if found.name[at] >= 0 else None,
        sets=tuple(_set(found, code, hand) for code in found.sets[first_set:last_set].tolist()),
        fired=tuple(
            _award(words.awards[each], place) for each, place in zip(fired, places, strict=True)
        ),
        points=int(found.points[at]),
        doubles=int(found.doubles[at]),
        limits=Fraction(int(found.limits[at]), found.parts),
        bonus=bonus if found.has_bonus[at] else None,
        uncapped=int(found.uncapped[at]),
        capped=bool(found.capped[at]),
        total=int(found.total[at]),
    )


def _set(found: Found, code: int, hand: Hand) -> Meld:
    if code > WHOLE_HAND:
        return found.vocabulary.melds[code]
    assert hand.winning
    laid_down = (tile for meld in hand.declared for tile in meld.tiles)
    tiles = tuple(sorted((*hand.concealed, *laid_down, hand.winning), key=by_order))
    return Meld(Kind.WHOLE_HAND, tiles, exposed=code < WHOLE_HAND, completed=True)


def _award(award: Award, place: int) -> Award:
    return replace(award, set=None if place < 0 else place)
