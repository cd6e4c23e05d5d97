"""Hands with the values that the rule texts give them, in `cases/<rule set>/*.toml`.

A case has `id`, `hand`, `outcome` and `why` (where the values come from), and of these what it is
about:

* `points`, `doubles`, `limits` (0 if left out), `total`: of the best interpretation, `name`: the
  special hand it is counted as; `bonus`: its flowers and seasons where they are counted apart, as
  points and doubles, {} for none; `sets`: its sets, the one completed with a `+`;
* `fires`: rules of the best interpretation, a rule as often as it fires;
* `also`: special hands listed besides the best interpretation; `totals`: of all interpretations;
* `not_fires`: rules that the hand narrowly misses, in every interpretation;
* `readings`, `limit`, `cap`, `seat`, `round`: how to score the hand;
* `waits`, `notes`, `reasons` (a part of each), `capped`;
* `calling`: each special hand one tile short -> the tiles;
* `matters`: reading -> value -> the total it would give, for all that would change it;
* `assumed`: fact -> `value` and `others`, value -> the total it would give.

A variant's folder says `include = "<rule set>"` in a file: all cases of that rule set hold for it
too, but those whose `id` stands in its own folder.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from operator import contains
from pathlib import Path
from typing import Any

import pytest

import mjasp
from mjasp import Meld, Score
from mjasp.scoring import Assumption, ReadingEffect

Case = dict[str, Any]

_FOLDER = Path(__file__).parent / "cases"
_SETTINGS = ("readings", "limit", "cap", "seat", "round")
_EVERY_WIN = {"going_out", "mah_jong", "going_majiang", "going_mah_jong"}
_KNOWN = {
    *("id", "hand", "outcome", "why", "points", "doubles", "limits", "total", "fires", "also"),
    *("totals", "not_fires", "waits", "notes", "reasons", "capped", "matters", "assumed"),
    *("name", "calling", "bonus", "sets"),
    *_SETTINGS,
}


def load(rules: str) -> dict[str, Case]:
    """The cases of a rule set by id."""
    cases: dict[str, Case] = {}
    own: dict[str, Case] = {}
    for path in sorted((_FOLDER / rules).glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if "include" in content:
            cases = load(content["include"])
        for case in content["case"]:
            assert case["id"] not in own, case["id"]
            own[case["id"]] = case
    return cases | own


CASES = {folder.name: load(folder.name) for folder in sorted(_FOLDER.iterdir())}


@pytest.mark.parametrize(
    ("rules", "case"),
    [
        pytest.param(rules, case, id=f"{rules}:{name}")
        for rules, cases in CASES.items()
        for name, case in cases.items()
    ],
)
def test_case(rules: str, case: Case) -> None:
    settings = {name: case[name] for name in _SETTINGS if name in case}
    score = mjasp.score(case["hand"], rules, **settings)
    wrong = list(_differences(score, case))
    if "calling" in case:
        called = mjasp.Engine(rules, **settings).calling(case["hand"])
        by_rule = {one.rule: list(map(str, one.tiles)) for one in called}
        if by_rule != case["calling"]:
            wrong.append(f"calling: expected {case['calling']}, got {by_rule}")
    assert not wrong, "\n".join([case["hand"], *wrong, case["why"], "", _trace(score)])


def _differences(score: Score, case: Case) -> Iterator[str]:
    expected = case | {"limits": Fraction(str(case.get("limits", 0)))} if "points" in case else case
    for name, value in _seen(score).items():
        if name in expected and expected[name] != value:
            yield f"{name}: expected {expected[name]!r}, got {value!r}"
    fires: Counter[str] = Counter(case.get("fires", []))
    for rule in fires - Counter(award.rule for award in score.best.fired):
        yield f"{rule} does not fire, or not as often as it should"
    ever = {award.rule for one in score.interpretations for award in one.fired}
    for rule in ever.intersection(case.get("not_fires", [])):
        yield f"{rule} fires"
    names = {one.name for one in score.interpretations[1:]}
    for rule in set(case.get("also", [])) - names:
        yield f"no interpretation as {rule} beside the best"
    reasons = case.get("reasons", [])
    if len(score.reasons) != len(reasons) or not all(map(contains, score.reasons, reasons)):
        yield f"reasons: expected {reasons}, got {score.reasons}"


def _seen(score: Score) -> dict[str, object]:
    return {
        "outcome": score.outcome,
        "points": score.points,
        "doubles": score.doubles,
        "name": score.best.name,
        "bonus": asdict(score.bonus) if score.bonus else {},
        "sets": [_shown(meld) for meld in score.best.sets],
        "limits": score.limits,
        "total": score.total,
        "capped": score.best.capped,
        "totals": [one.total for one in score.interpretations],
        "waits": [str(tile) for tile in score.waits],
        "notes": list(score.notes),
        "matters": {effect.reading: _others(effect) for effect in score.readings or ()},
        "assumed": {
            one.fact: {"value": one.value, "others": _others(one)} for one in score.assumed
        },
    }


def _others(change: Assumption | ReadingEffect) -> dict[str, int | str]:
    return {value: "false-win" if total is None else total for value, total in change.others or ()}


def _shown(meld: Meld) -> str:
    return f"{meld}{'+' * meld.completed}"


def _trace(score: Score) -> str:
    lines = [score.explain()]
    for one in score.interpretations:
        sets = " ".join(map(_shown, one.sets))
        lines.append(f"{one.name or one.kind}: {sets}: {one.points} x 2^{one.doubles} {one.total}")
        lines += [f"    {award.name}: {award.points} {award.doubles}" for award in one.fired]
    return "\n".join(lines)


def test_every_rule_set_has_cases() -> None:
    assert CASES.keys() == {ruleset.id for ruleset in mjasp.rulesets()}


@pytest.mark.parametrize("rules", CASES)
def test_cases_are_well_formed(rules: str) -> None:
    known = {rule.id for rule in mjasp.ruleset(rules).rules}
    for name, case in CASES[rules].items():
        assert case.keys() <= _KNOWN, name
        assert {"hand", "outcome", "why"} <= case.keys(), name
        assert ("total" in case) == (case["outcome"] != "false-win"), name
        named = {rule for key in ("fires", "not_fires", "also") for rule in case.get(key, [])}
        assert named <= known, name


@pytest.mark.parametrize("rules", CASES)
def test_every_rule_is_tried(rules: str) -> None:
    """Each rule fires, is narrowly missed, and meets another than the points of every win.

    A special hand, and the call of one, meets the other ways in which the hand may be counted.
    """
    fires: set[str] = set()
    missed: set[str] = set()
    meets: set[str] = set()
    for case in CASES[rules].values():
        fired = set(case.get("fires", []))
        fires |= fired
        missed |= set(case.get("not_fires", []))
        together = fired | set(case.get("also", []))
        counted_otherwise = "limits" in case and len(case.get("totals", [])) > 1
        if counted_otherwise or len(together - _EVERY_WIN) > 1:
            meets |= together
    known = {rule.id for rule in mjasp.ruleset(rules).rules}
    untried = {"fires": known - fires, "missed": known - missed, "meets": known - meets}
    assert not any(untried.values()), untried


@pytest.mark.parametrize("rules", CASES)
def test_every_value_of_every_reading_is_tried(rules: str) -> None:
    tried = {
        chosen for case in CASES[rules].values() for chosen in case.get("readings", {}).items()
    }
    for reading in mjasp.ruleset(rules).readings:
        values = {(reading.id, value) for value in (reading.default, *reading.alternatives)}
        assert values <= tried, values - tried
