"""The documentation is true: generated pages are what the encodings state, and formats exist."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mjasp
from docs.generate import pages
from mjasp.cli import main

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = pages()
NOTATION = (DOCS / "notation.md").read_text(encoding="utf-8")
FORMATS = (DOCS / "json.md").read_text(encoding="utf-8")
CALLING = "19b 19c 19d ESWN RGWh f4 s2"
CLUB = str(ROOT / "tests" / "clubs" / "good" / "only-includes.lp")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_page_is_as_generated(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PAGES[path], "run `make docs`"


def test_every_rule_and_reading_is_on_its_page() -> None:
    for ruleset in mjasp.rulesets():
        page = PAGES[DOCS / "rules" / f"{ruleset.id}.md"]
        for rule in ruleset.rules:
            (row,) = [line for line in page.splitlines() if f"(`{rule.id}`)" in line]
            cells = row.removeprefix("| ").removesuffix(" |").split(" | ")
            assert all(cells), row
            assert cells[-1] == rule.source
        for reading in ruleset.readings:
            assert f"| `{reading.id}` | `{reading.default}` |" in page
            assert reading.doubt in page


def test_every_predicate_is_on_the_page_of_the_encodings() -> None:
    page = PAGES[ROOT / "encodings" / "README.md"]
    for file in (ROOT / "encodings").rglob("*.lp"):
        for signature in re.findall(r"%\*! (.+)", file.read_text(encoding="utf-8")):
            assert f"| `{signature}` | " in page


def test_no_page_is_left_over() -> None:
    assert set((DOCS / "rules").iterdir()) == {
        path for path in PAGES if path.parent.name == "rules"
    }


@pytest.mark.parametrize("page", sorted([*DOCS.glob("*.md"), ROOT / "README.md"]))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


def test_hands_of_the_notation_can_be_read() -> None:
    (examples,) = re.findall(r"```text\n(.*?)```", NOTATION, re.DOTALL)
    for hand in examples.splitlines():
        assert mjasp.score(hand).outcome != "false-win"


def documented() -> Iterator[tuple[str, set[str]]]:
    """The heading and the keys of each table of the page on JSON."""
    for section in re.split(r"^##+ ", FORMATS, flags=re.MULTILINE)[1:]:
        heading = section.splitlines()[0]
        for table in re.findall(r"\|---\|---\|\n((?:\|.*\n)+)", section):
            firsts = [row.split(" | ")[0] for row in table.splitlines()]
            yield heading, {key for first in firsts for key in re.findall(r"`(\w+)`", first)}


def test_json_is_as_documented(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def printed(*arguments: str) -> dict[str, Any]:
        main([*arguments, "--format", "json"])
        captured = capsys.readouterr()
        told = json.loads(captured.out or captured.err)
        assert isinstance(told, dict)
        return told

    score = printed("score", CALLING, "--rules", "bmja")
    waits = printed("waits", CALLING, "--rules", "bmja")
    best = score["interpretations"][0]
    dispute = printed("dispute", CALLING, "--claimed", "8")
    rules, one_rule_set = printed("rules"), printed("rules", "bmja")
    settlement = printed("settle", "--trace", str(ROOT / "tests" / "deals" / "hands.txt"))
    game = printed("game", "new", str(tmp_path / "game"), "--players", "Anna,Ben,Cleo,Dan")
    summary = mjasp.summarise([mjasp.score(CALLING, "bmja")]).to_dict()
    error = printed("score", "5x")
    assert list(documented()) == [
        ("A score: `mjasp/score/1`", set(score)),
        ("An interpretation", set(best)),
        ("A set", set(best["sets"][0])),
        ("A fired rule", set(best["fired"][0])),
        ("An assumption, a reading", set(score["assumed"][0])),
        ("Waits: `mjasp/waits/1`", set(waits)),
        ("A special hand called for", set(waits["calling"][0])),
        ("A comparison: `mjasp/compare/1`", set(printed("compare", CALLING))),
        ("Why a rule fired or not: `mjasp/why/1`", set(printed("why", CALLING, "pung_hand"))),
        ("How a number can have come about: `mjasp/dispute/1`", set(dispute)),
        ("A settlement: `mjasp/settlement/1`", set(settlement)),
        ("A score sheet: `mjasp/game/1`", set(game)),
        ("Rule sets: `mjasp/rules/1`", set(rules)),
        ("Rule sets: `mjasp/rules/1`", set(one_rule_set)),
        ("A check of a rule set: `mjasp/check/1`", set(printed("rules", "--check", CLUB))),
        ("A summary: `mjasp/summary/1`", {*summary, *summary["rulesets"]["bmja"]}),
        ("An error: `mjasp/error/1`", set(error)),
    ]
    for entry in (rules["rulesets"][0], one_rule_set["rules"][0], one_rule_set["readings"][0]):
        assert all(f"`{key}`" in FORMATS for key in entry)
    assert all(f"`{key}`" in FORMATS for key in error["errors"][0])
