"""Summaries: what is counted, that parts add up, and the three forms they are told in."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import mjasp
from bench.hands import losing_hands, won_hands
from mjasp.cli import main
from mjasp.notation import write
from mjasp.render.summary import bands
from mjasp.scoring import Score
from mjasp.summary import Summary

DRAGONS = "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E"  # 136 in one way; 128 by a reading
TWO_WAYS = "111222333b 45c 11d +3c discard seat:E round:E"  # 60 or 46
LOST = "EEE 19c 11122233d"
FALSE = "111b 222b 333b 46c 11d +3c"


def test_what_is_counted() -> None:
    found = list(mjasp.score_many([DRAGONS, TWO_WAYS, LOST, FALSE, "+"]))
    summary = mjasp.summarise(iter(found))
    assert (summary.hands, summary.errors, summary.compared) == (5, 1, 0)
    (tally,) = summary.rulesets.values()
    assert tally.hands == 4
    assert tally.outcomes == {"won": 2, "lost": 1, "false-win": 1}
    assert tally.totals == {136: 1, 60: 1, 80: 1}
    assert tally.several == 1
    fired = [[award.rule for award in each.best.fired] for each in found if isinstance(each, Score)]
    assert tally.firings == Counter(chain(*fired))
    assert tally.rules == Counter(chain(*map(set, fired)))
    assert tally.asked == 0


def test_readings_are_counted_where_asked_for() -> None:
    hands = [DRAGONS, TWO_WAYS]
    (tally,) = mjasp.summarise(mjasp.score_many(hands, sensitivity=True)).rulesets.values()
    assert (tally.asked, tally.any_reading, tally.any_reading_best) == (2, 1, 0)
    assert tally.readings["value_pairs"] == 1


def test_a_reading_may_make_another_interpretation_the_best() -> None:
    hands = (write(hand) for hand in won_hands(300, seed=4))
    found = [mjasp.score(hand, "european-classical") for hand in hands]
    effects = [effect for score in found for effect in score.readings or ()]
    assert any(effect.best_differs for effect in effects)
    for score in found:
        for effect in score.readings or ():
            others = [
                mjasp.score(score.given, readings={effect.reading: value}, sensitivity=False)
                for value, _ in effect.others
            ]
            moved = any(other.best.choices != score.best.choices for other in others)
            assert effect.best_differs == moved


def test_rule_sets_are_held_against_each_other() -> None:
    hands = (DRAGONS, TWO_WAYS, LOST)
    scores = [mjasp.compare(hand, ["dmjl", "majiang"]) for hand in hands]
    summary = mjasp.summarise(scores)
    assert set(summary.rulesets) == {"dmjl", "majiang"}
    assert summary.compared == 3
    differ = [one["dmjl"].best.choices != one["majiang"].best.choices for one in scores]
    totals = [one["dmjl"].total != one["majiang"].total for one in scores]
    assert (summary.best_differs, summary.total_differs) == (sum(differ), sum(totals))


def test_parts_add_up() -> None:
    hands = [*map(write, won_hands(40, seed=6)), *map(write, losing_hands(10, seed=6)), "+"]
    scores = list(mjasp.score_many(hands, "dmjl"))
    whole = mjasp.summarise(scores)
    parts = Summary()
    for at in range(0, len(scores), 7):
        parts.merge(mjasp.summarise(scores[at : at + 7]))
    assert parts == whole
    assert json.loads(json.dumps(parts.to_dict())) == whole.to_dict()


def test_nothing_to_count() -> None:
    summary = mjasp.summarise([])
    assert summary.to_dict()["best_differs"] == {"hands": 0, "share": None}
    assert "| hands | 0 |  |" in summary.to_markdown()
    assert "Summary of 0 hands" in summary.to_html()


def test_bands_end_at_powers_of_two() -> None:
    totals = {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 8: 1, 9: 1, 16: 1, 1000: 2}
    assert bands(totals) == [
        ("0", 1),
        ("1-2", 2),
        ("3-4", 2),
        ("5-8", 2),
        ("9-16", 2),
        ("513-1024", 2),
    ]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "hands.txt"
    path.write_text(f"{DRAGONS}\n{TWO_WAYS}\n{LOST}\n+")
    return path


def told(source: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["batch", str(source), "--summary", *options]) == 1
    return capsys.readouterr().out


def test_as_json(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for jobs in "12":
        summary = json.loads(told(source, capsys, "--format", "json", "--jobs", jobs))
        assert summary["schema"] == "mjasp/summary/1"
        assert (summary["hands"], summary["errors"]) == (4, 1)
        tally = summary["rulesets"]["european-classical"]
        assert tally["several_interpretations"] == {"hands": 1, "share": 1 / 3}
        assert {"total": 136, "hands": 1} in tally["totals"]
        assert tally["rules"]["going_out"] == {"hands": 2, "share": 2 / 3, "firings": 2}


def test_as_markdown(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(source, capsys, "--sensitivity", "--rules", "european-classical,dmjl")
    assert text == told(
        source,
        capsys,
        "--sensitivity",
        "--rules",
        "european-classical,dmjl",
        "--format",
        "markdown",
    )
    assert "| errors | 1 | 25.0% |" in text
    assert "| best interpretation differs between rule sets |" in text
    assert "| `value_pairs` changes the total | 1 | 33.3% |" in text
    assert "## dmjl" in text
    assert "| `going_out` | 2 | 66.7% | 2 |" in text
    assert "| 33-64 | 1 | 33.3% |" in text


def test_as_a_page_that_stands_alone(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = told(source, capsys, "--format", "html", "--sensitivity")
    assert "Summary of 4 hands" in page
    assert not re.findall(r"(?:src|href)=", page)
    plots = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(plots) == 3
    for plot in plots:
        names = [text.text for text in ET.fromstring(plot).iter("text")][::2]  # noqa: S314 - our own
        assert len(names) == plot.count("<rect")
        assert set(names) & {"129-256", "going_out", "value_pairs"}


def test_records_too_where_they_have_a_file(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out.jsonl"
    assert "# Summary" in told(source, capsys, "--output", str(output))
    assert len(output.read_text().splitlines()) == 4
