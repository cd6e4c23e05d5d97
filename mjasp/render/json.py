"""Results as the JSON that other programs rely on: plain dicts, keys in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from mjasp.hand import Hand, Meld
from mjasp.models import Award
from mjasp.notation import write
from mjasp.render.trace import award_name
from mjasp.rulesets import Ruleset
from mjasp.scoring import Assumption, Bonus, Calling, Interpretation, ReadingEffect, Score
from mjasp.tiles import Tile
from mjasp.words import Words

__all__ = [
    "assumption_dict",
    "award_dict",
    "bonus_dict",
    "compare_dict",
    "interpretation_dict",
    "number",
    "ruleset_dict",
    "rulesets_dict",
    "score_dict",
    "set_dict",
    "waits_dict",
]


def score_dict(score: Score, words: Words | None = None) -> dict[str, Any]:
    """A score as `mjasp/score/1`; a false win has no total.

    Texts are the rule set's own, or those of a language where its words are given.
    """
    best = score.best
    readings = score.readings
    return {
        "schema": "mjasp/score/1",
        "ruleset": score.ruleset,
        "hand": write(score.given),
        "outcome": score.outcome,
        "total": score.total,
        **_spread(score.spread),
        "points": best.points,
        "doubles": best.doubles,
        "limits": number(best.limits),
        "bonus": bonus_dict(best.bonus),
        "uncapped": best.uncapped,
        "capped": best.capped,
        "limit": score.limit,
        "best": 0,
        "interpretations": [interpretation_dict(each, words) for each in score.interpretations],
        "waits": _codes(score.waits),
        "assumed": [assumption_dict(each) for each in score.assumed],
        "readings": None if readings is None else [_reading(each) for each in readings],
        "notes": _texts(score.notes, words),
        "reasons": _texts(score.reasons, words),
    }


def waits_dict(
    hand: Hand, ruleset: str, waits: Iterable[Tile], calling: Iterable[Calling]
) -> dict[str, Any]:
    """What would complete a hand and the special hands that it is calling for: `mjasp/waits/1`."""
    return {
        "schema": "mjasp/waits/1",
        "ruleset": ruleset,
        "hand": write(hand),
        "waits": _codes(waits),
        "calling": [
            {"rule": each.rule, "tiles": _codes(each.tiles), "total": each.total}
            for each in calling
        ],
    }


def compare_dict(
    hand: Hand, scores: Mapping[str, Score], words: Words | None = None
) -> dict[str, Any]:
    """The scores of a hand under several rule sets, as `mjasp/compare/1`."""
    return {
        "schema": "mjasp/compare/1",
        "hand": write(hand),
        "scores": {
            ruleset: {
                key: value for key, value in score_dict(score, words).items() if key != "hand"
            }
            for ruleset, score in scores.items()
        },
    }


def rulesets_dict(rulesets: Iterable[Ruleset]) -> dict[str, Any]:
    """The rule sets there are, as `mjasp/rules/1`."""
    return {
        "schema": "mjasp/rules/1",
        "rulesets": [
            {"id": each.id, "name": each.name, "limit": each.limit, "source": each.source}
            for each in rulesets
        ],
    }


def ruleset_dict(ruleset: Ruleset, words: Words | None = None) -> dict[str, Any]:
    """One rule set with its rules and contested readings, as `mjasp/rules/1`."""
    return {
        "schema": "mjasp/rules/1",
        "id": ruleset.id,
        "limit": ruleset.limit,
        "most_chows": ruleset.most_chows,
        "chows_source": ruleset.chows_source or None,
        "rules": [
            {
                "rule": rule.id,
                "name": words.rule_name(rule) if words else rule.name,
                "unit": rule.unit,
                "values": _amounts(rule.values),
                "scope": rule.scope,
                "source": rule.source,
                "otherwise": [
                    {
                        "reading": other.reading,
                        "value": other.value,
                        "unit": other.unit,
                        "values": _amounts(other.values),
                    }
                    for other in rule.otherwise
                ],
            }
            for rule in ruleset.rules
        ],
        "readings": [
            {
                "reading": reading.id,
                "default": reading.default,
                "alternatives": list(reading.alternatives),
                "doubt": reading.doubt,
            }
            for reading in ruleset.readings
        ],
    }


def interpretation_dict(
    interpretation: Interpretation, words: Words | None = None
) -> dict[str, Any]:
    """An interpretation as it stands in the JSON of a score."""
    return {
        "kind": interpretation.kind,
        "name": interpretation.name,
        "sets": [set_dict(meld) for meld in interpretation.sets],
        "points": interpretation.points,
        "doubles": interpretation.doubles,
        "limits": number(interpretation.limits),
        "bonus": bonus_dict(interpretation.bonus),
        "uncapped": interpretation.uncapped,
        "capped": interpretation.capped,
        "total": interpretation.total,
        "fired": [award_dict(award, words) for award in interpretation.fired],
    }


def set_dict(meld: Meld) -> dict[str, Any]:
    """A set as it stands in an interpretation."""
    return {
        "kind": meld.kind.value,
        "tiles": _codes(meld.tiles),
        "exposed": meld.exposed,
        "declared": meld.declared,
        "completed": meld.completed,
    }


def award_dict(award: Award, words: Words | None = None) -> dict[str, Any]:
    """An award as it stands among those that fired."""
    return {
        "rule": award.rule,
        "name": award_name(award, words) if words else award.name,
        "points": award.points,
        "doubles": award.doubles,
        "limits": number(award.limits),
        "tiles": _codes(award.tiles),
        "set": award.set,
        "part": award.part,
        "source": award.source,
    }


def _texts(texts: Iterable[str], words: Words | None) -> list[str]:
    return [words.told(text) if words else text for text in texts]


def assumption_dict(assumption: Assumption) -> dict[str, Any]:
    """A fact that was taken, as it stands in the JSON of a score."""
    return {
        "fact": assumption.fact,
        "value": assumption.value,
        "others": None if assumption.others is None else _others(assumption.others),
    }


def _spread(spread: tuple[int, int] | None) -> dict[str, Any]:
    return {"spread": {"min": spread[0], "max": spread[1]}} if spread else {}


def _reading(effect: ReadingEffect) -> dict[str, Any]:
    return {"reading": effect.reading, "value": effect.value, "others": _others(effect.others)}


def _others(others: Iterable[tuple[str | int, int | None]]) -> list[dict[str, Any]]:
    return [{"value": value, "total": total} for value, total in others]


def bonus_dict(bonus: Bonus | None) -> dict[str, int] | None:
    """What flowers and seasons pay where they are counted apart."""
    return None if bonus is None else {"points": bonus.points, "doubles": bonus.doubles}


def number(amount: Fraction) -> int | float:
    """An amount as JSON has it: whole where it is whole."""
    return int(amount) if amount.denominator == 1 else float(amount)


def _amounts(values: Mapping[str, Fraction]) -> dict[str, int | float]:
    return {state: number(amount) for state, amount in values.items()}


def _codes(tiles: Iterable[Tile]) -> list[str]:
    return [str(tile) for tile in tiles]
