"""From texts to records in one block: the same bytes as one hand after another."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
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
    assert same_records(Engine(rules, engine="clingo"), texts) > 0.9 * len(texts)


def test_a_hand_as_a_whole_has_its_winning_tile_where_it_won(tmp_path: Path) -> None:
    path = tmp_path / "winds.lp"
    path.write_text(
        '#include "european-classical.lp". text(house, "House"). ruleset("winds", "Winds").\n'
        'rule(winds, "All winds", all). cites(winds, house, "1"). condition(winds, winds).\n'
        'value(winds, limits, "1/5"). event(winds).\n'
        "holds(winds, hand) :- present(wind(east)), present(wind(south)), present(wind(west)),\n"
        "    present(wind(north)).\n"
    )
    texts = ("EEE SS W N 123b 45c 1d", "EEE SS W N 123b 45c 1d +1d", "[EEE] SS WWW NNN 12b +3b")
    assert same_records(Engine(str(path), engine="clingo"), texts) == len(texts)


def same_records(engine: Engine, texts: Sequence[str]) -> int:
    """Hold the records of a block against those of one hand at a time; how many there are."""
    bulk = Bulk(engine)
    block = bulk.found(texts, waits=True)
    assert block is not None
    which = block.which.tolist()
    lines = [at + 1 for at in which]
    records = bulk.records(None, ()).json_lines(
        [json.dumps(f"{at}") for at in which], lines, block.given, block.found
    )
    for at, record in zip(which, records, strict=True):
        expected = {"id": f"{at}", "line": at + 1, "score": engine.score(texts[at]).to_dict()}
        assert record == json.dumps(expected), texts[at]
    return len(which)
