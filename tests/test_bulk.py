"""From texts to records in one block: the same bytes as one hand after another."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from bench.hands import losing_hands, won_hands
from mjasp import Engine
from mjasp.compiled.bulk import Bulk
from mjasp.notation import write
from mjasp.rulesets import shipped

CASES = Path(__file__).with_name("cases")


def texts_of(rules: str) -> tuple[str, ...]:
    """The hands of a rule set's cases, and some of the bench's."""
    found = [
        case["hand"]
        for path in sorted(CASES.glob(f"{rules}/*.toml"))
        for case in tomllib.loads(path.read_text())["case"]
    ]
    found += map(write, [*won_hands(30, seed=71), *losing_hands(10, seed=72)])
    return tuple(dict.fromkeys(found))


@pytest.mark.parametrize("rules", shipped())
def test_every_case_makes_the_same_record(rules: str) -> None:
    texts = texts_of(rules)
    engine = Engine(rules, engine="clingo")
    bulk = Bulk(engine)
    block = bulk.found(texts, waits=True)
    assert block is not None
    which = block.which.tolist()
    assert len(which) > 0.9 * len(texts)
    lines = [at + 1 for at in which]
    records = bulk.records(None, ()).json_lines(
        [json.dumps(f"{at}") for at in which], lines, block.given, block.found
    )
    for at, record in zip(which, records, strict=True):
        expected = {"id": f"{at}", "line": at + 1, "score": engine.score(texts[at]).to_dict()}
        assert record == json.dumps(expected), texts[at]
