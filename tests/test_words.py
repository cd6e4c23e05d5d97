"""Hands in words: each phrasing means what its compact text says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mjasp.errors import MjaspError
from mjasp.hand import Hand
from mjasp.notation import compact, parse, words

PHRASINGS: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "phrasings.toml").read_text(encoding="utf-8")
)
CASES = [
    (section, phrase, means)
    for section, phrasings in PHRASINGS.items()
    for phrase, means in phrasings.items()
]
HANDS: list[dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "hands_in_words.toml").read_text(encoding="utf-8")
)["hand"]
SPARE = ["9b", "4c", "9c", "1d", "S", "W", "N", "6c", "1b", "8c", "7d", "5c", "W"]


def whole(means: str) -> tuple[Hand, str]:
    """A hand of which the compact text is a part, and the tiles that make it one."""
    for count in range(len(SPARE) + 1):
        spare = " ".join(SPARE[:count])
        try:
            return compact.parse(f"{spare} {means}"), spare
        except MjaspError:
            continue
    raise AssertionError(means)


@pytest.mark.parametrize(("section", "phrase", "means"), CASES, ids=[case[1] for case in CASES])
def test_phrasing(section: str, phrase: str, means: str) -> None:
    hand, spare = whole(means)
    assert words.parse(f"{spare}; {phrase}") == hand
    if section == "facts":
        assert words.parse(f"{phrase}; {spare}") == hand


@pytest.mark.parametrize("hand", HANDS, ids=[hand["words"] for hand in HANDS])
def test_whole_hands(hand: dict[str, str]) -> None:
    assert parse(hand["words"]) == compact.parse(hand["compact"])


def test_there_are_phrasings_enough() -> None:
    assert len(CASES) >= 150
