"""Records written in blocks are those of the scores, to the byte.

For more hands than a test has time for: `PYTHONPATH=. python tests/test_records.py 50000`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, cycle, islice
from math import lcm
from random import Random
from typing import Any, TypeVar

import numpy as np
import pytest
from random_hands import any_hand

from mjasp import Engine, Hand, HandError, Kind, Meld, Score
from mjasp.batch.work import CSV_COLUMNS, FIELDS
from mjasp.compiled.convert import put
from mjasp.compiled.found import KINDS, OUTCOMES, WHOLE_HAND, Found, Vocabulary
from mjasp.compiled.layout import TILES, Hands
from mjasp.compiled.records import Records
from mjasp.compiled.texts import Texts
from mjasp.models import Award
from mjasp.notation import write
from mjasp.rulesets import shipped

Part = TypeVar("Part")


class Numbered(dict[Part, int]):
    """Things in the order in which they were first asked for, by number."""

    def __missing__(self, key: Part) -> int:
        self[key] = len(self)
        return self[key]


class Finder:
    """Says of scores what is found of their hands, as arrays."""

    def __init__(self) -> None:
        self.names: Numbered[str] = Numbered()
        self.melds: Numbered[Meld] = Numbered()
        self.awards: Numbered[Award] = Numbered()
        self.notes: Numbered[tuple[str, ...]] = Numbered()
        self.reasons: Numbered[tuple[str, ...]] = Numbered()

    def found(self, scores: Sequence[Score]) -> Found:
        each = [one for score in scores for one in score.interpretations]
        parts = lcm(*(one.limits.denominator for one in each))
        bonus = [one.bonus for one in each]
        columns: dict[str, list[Any]] = {
            "outcome": [OUTCOMES.index(score.outcome) for score in scores],
            "waits": [[tile in score.waits for tile in TILES] for score in scores],
            "notes": [self.notes[score.notes] for score in scores],
            "reasons": [self.reasons[score.reasons] for score in scores],
            "kind": [KINDS.index(one.kind) for one in each],
            "name": [self.names[one.name] if one.name else -1 for one in each],
            "points": [one.points for one in each],
            "doubles": [one.doubles for one in each],
            "limits": [int(one.limits * parts) for one in each],
            "has_bonus": [one is not None for one in bonus],
            "bonus_points": [one.points if one else 0 for one in bonus],
            "bonus_doubles": [one.doubles if one else 0 for one in bonus],
            "uncapped": [one.uncapped for one in each],
            "capped": [one.capped for one in each],
            "total": [one.total for one in each],
            "sets": [self.set(meld) for one in each for meld in one.sets],
            "fired": [self.awards[replace(award, set=None)] for one in each for award in one.fired],
            "fired_set": [
                -1 if award.set is None else award.set for one in each for award in one.fired
            ],
            "first": firsts(len(score.interpretations) for score in scores),
            "first_set": firsts(len(one.sets) for one in each),
            "first_fired": firsts(len(one.fired) for one in each),
        }
        vocabulary = Vocabulary(
            tuple(self.names),
            tuple(self.melds),
            tuple(self.awards),
            tuple(self.notes),
            tuple(self.reasons),
        )
        arrays: dict[str, Any] = {
            name: np.array(column, TYPES.get(name, np.int64)) for name, column in columns.items()
        }
        arrays["waits"] = arrays["waits"].reshape(-1, len(TILES))
        return Found(vocabulary=vocabulary, parts=parts, **arrays)

    def set(self, meld: Meld) -> int:
        if meld.kind is Kind.WHOLE_HAND:
            return -2 if meld.exposed else WHOLE_HAND
        return self.melds[meld]


TYPES: dict[str, type] = {
    "outcome": np.int8,
    "kind": np.int8,
    "waits": np.bool_,
    "has_bonus": np.bool_,
    "capped": np.bool_,
}


def firsts(counts: Iterable[int]) -> list[int]:
    return [0, *accumulate(counts)]


def rows_of(hands: Sequence[Hand]) -> Hands:
    rows = Hands.empty(len(hands))
    for at, hand in enumerate(hands):
        put(rows, at, hand)
    return rows


def some_hands(seed: int) -> Iterator[Hand]:
    """Hands of every kind that has a place in the arrays, some with facts left out."""
    random = Random(seed)
    while True:
        hand = any_hand(random)
        missing = [fact for fact in ("seat", "round", "source") if random.random() < 0.2]
        told: dict[str, Any] = {
            "rules": None,
            "unknown": frozenset[str](),
            **dict.fromkeys(missing),
        }
        if not hand.winning and random.random() < 0.2 and hand.concealed:
            told |= {"concealed": hand.concealed[:-2], "unknown_tiles": len(hand.concealed[-2:])}
        try:
            changed = replace(hand, **told)
            changed.resolved()
        except HandError:
            continue
        yield changed


@cache
def engine(rules: str) -> Engine:
    return Engine(rules)


@cache
def scored(rules: str) -> tuple[Score, ...]:
    hands = islice(some_hands(seed=sum(map(ord, rules))), 30)
    return tuple(map(engine(rules).score, hands))


def records_of(rules: str, **settings: tuple[str, ...]) -> Records:
    ruleset = engine(rules).ruleset
    fields, notes = settings.get("fields"), settings.get("notes", ())
    limit, assumed = ruleset.limit, ruleset.limit_assumed
    return Records(rules, limit, limit_assumed=assumed, fields=fields, notes=notes)


def by_json(scores: Iterable[Score], fields: Iterable[str] | None = None) -> list[str]:
    """The records that `mjasp batch` has of scores."""
    records = []
    for line, (score, id_) in enumerate(zip(scores, cycle(IDS)), 1):
        told = score.to_dict()
        if fields is not None:
            told = {name: told[name] for name in fields if name in told}
        records.append(json.dumps({"id": id_, "line": line, "score": told}))
    return records


def by_csv(scores: Iterable[Score]) -> list[tuple[object, ...]]:
    """The rows that `mjasp batch` has of scores."""
    rows = []
    for line, (score, id_) in enumerate(zip(scores, cycle(IDS)), 1):
        told = score.to_dict() | {"id": shown(id_), "line": line, "error": ""}
        told["rules"] = " ".join(award.rule for award in score.best.fired)
        rows.append(tuple(told[name] for name in CSV_COLUMNS))
    return rows


def shown(id_: object) -> str | None:
    return id_ if id_ is None or isinstance(id_, str) else json.dumps(id_)


IDS = (None, "a", 'q"\u00e9', 7, [1, {"b": 2.5}])


def in_block(records: Records, scores: Sequence[Score], finder: Finder) -> list[str]:
    ids = [json.dumps(id_) for id_ in islice(cycle(IDS), len(scores))]
    given = rows_of([score.given for score in scores])
    lines = range(1, len(scores) + 1)
    return records.json_lines(ids, lines, given, finder.found(scores))


@pytest.mark.parametrize("rules", shipped())
def test_records_are_those_of_batch(rules: str) -> None:
    records, finder, scores = records_of(rules), Finder(), scored(rules)
    told = in_block(records, scores[:20], finder)
    assert told == by_json(scores[:20])
    assert in_block(records, scores, finder) == by_json(scores)


@pytest.mark.parametrize(
    "fields",
    [
        ("total",),
        ("hand", "total", "hand", "spread"),
        ("waits", "assumed", "readings", "limit", "bonus"),
        tuple(reversed(FIELDS)),
        (),
    ],
)
def test_some_fields(fields: tuple[str, ...]) -> None:
    scores = scored("bmja")
    told = in_block(records_of("bmja", fields=fields), scores, Finder())
    assert told == by_json(scores, fields)


@pytest.mark.parametrize("rules", shipped())
def test_rows_are_those_of_batch(rules: str) -> None:
    scores = scored(rules)
    ids = [*map(shown, islice(cycle(IDS), len(scores)))]
    lines = range(1, len(scores) + 1)
    rows = records_of(rules).csv_rows(ids, lines, Finder().found(scores))
    assert rows == by_csv(scores)
    assert [type(row[7]) for row in rows] == [type(row[7]) for row in by_csv(scores)]


def test_notes_of_all_hands_stand_behind_their_own() -> None:
    own, note = scored("bmja")[:9], "%s: \u00e9"
    scores = [replace(score, notes=(*score.notes, note)) for score in own]
    told = in_block(records_of("bmja", notes=(note,)), own, Finder())
    assert told == by_json(scores)


def test_no_hands() -> None:
    assert in_block(records_of("bmja"), [], Finder()) == []


def test_texts_are_those_of_the_writer() -> None:
    hands = list(islice(some_hands(seed=5), 800))
    assert Texts().of(rows_of(hands)) == [*map(write, hands)]


def main(count: int) -> None:
    """Compare the records of many hands, a thousand at once."""
    number = min(1000, count)
    for rules in shipped():
        records, finder = records_of(rules), Finder()
        hands = some_hands(seed=1)
        for _ in range(0, count, number):
            scores = [*map(engine(rules).score, islice(hands, number))]
            told = in_block(records, scores, finder)
            assert told == by_json(scores)
        print(f"{rules}: {count} records are the same")


if __name__ == "__main__":
    main(int(sys.argv[1]))
