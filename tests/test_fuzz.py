"""Whatever the text: a hand, NotationError or HandError, and not slowly."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Token
from test_notation import random_hand
from test_words import CASES

from mjasp.errors import HandError, MjaspError, NotationError
from mjasp.notation import READ, WRITTEN, parse, write
from mjasp.notation.language import _parser

PHRASES = [phrase for _, phrase, _ in CASES]
PIECES = [*"159bcdESWNRG[]()+?:;,-%mpszLx\n\x00五🀐🀪", "Wh", "rules", "seat"]


def check(text: str, notation: str) -> None:
    """The text is read or refused, and what is refused is told in 80 columns at its place."""
    try:
        hand = parse(text, notation)
    except (NotationError, HandError) as error:
        told = error
    else:
        assert parse(write(hand)) == hand
        return
    assert all(problem.line and problem.column for problem in told.problems)
    assert all(len(problem.expected) <= 5 for problem in told.problems)
    assert all(problem.help for problem in told.problems)
    assert all(line.isprintable() for line in told.render().split("\n"))
    assert told.to_dict()["errors"]


@pytest.mark.parametrize("seed", range(8))
def test_mutated_hands(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        text = some_text(rng)
        for _ in range(rng.randrange(4)):
            text = mutated(text, rng)
        check(text, rng.choice(READ))


def some_text(rng: random.Random) -> str:
    """A hand in some notation, or phrases that need not make one."""
    if rng.random() < 0.4:
        return rng.choice([", ", "; ", " ", "\n"]).join(rng.choices(PHRASES, k=rng.randrange(1, 8)))
    try:
        return write(random_hand(rng), rng.choice(WRITTEN))
    except MjaspError:
        return some_text(rng)


def mutated(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    piece = rng.choice([*PIECES, rng.choice(PHRASES)])
    put: str = rng.choice([piece, f" {piece} ", ""])
    return text[:at] + put + text[at + rng.randrange(5) :]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.binary(max_size=200), st.sampled_from(READ))
def test_random_bytes(data: bytes, notation: str) -> None:
    check(data.decode("utf-8", errors="surrogateescape"), notation)


@pytest.mark.parametrize("notation", READ[1:])
def test_texts_that_the_grammar_makes(notation: str) -> None:
    rng = random.Random(notation)
    parser = _parser("compact" if notation == "mjasp" else notation)
    samples: dict[str, list[str]] = {}
    for token in (token for text in texts(notation, rng) for token in parser.lex(text)):
        samples.setdefault(token.type, []).append(token)
    for _ in range(40):
        text = " ".join(made(parser, samples, rng))
        check(text, notation)


def texts(notation: str, rng: random.Random) -> Iterator[str]:
    """Texts that hold all that can stand in one."""
    if notation == "words":
        yield from PHRASES
    for _ in range(100):
        with suppress(MjaspError):
            hand = random_hand(rng)
            bare = replace(hand, seat=None, round=None, rules=None)
            yield write(bare if notation == "kajongg" else hand, notation)


def made(parser: Lark, samples: dict[str, list[str]], rng: random.Random) -> Iterator[str]:
    """Words in an order that the grammar allows."""
    state: Any = parser.parse_interactive("")
    for _ in range(rng.randrange(1, 30)):
        allowed = sorted(state.accepts() & samples.keys())
        kind = rng.choice(allowed)
        word = rng.choice(samples[kind])
        state.feed_token(Token(kind, word))
        yield word


@pytest.mark.parametrize("notation", READ)
@pytest.mark.parametrize(
    "piece", ["E", "five ", "[", "pung of ", "c1", "1m", "x", "9", "; ", "seat "]
)
def test_a_megabyte_is_refused_at_once(notation: str, piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.process_time()
    with pytest.raises(NotationError) as caught:
        parse(text, notation)
    assert time.process_time() - start < 0.05
    assert [problem.code for problem in caught.value.problems] == ["too-long"]


@pytest.mark.parametrize(
    ("notation", "piece"),
    [
        ("auto", "111b "), ("auto", "nrth "), ("mjasp", "[234b]"), ("mjasp", "EEE"),
        ("words", "pung of 2 bamboo, "), ("words", "2 3 "), ("words", "in the "), ("words", "a"),
        ("words", "last "), ("words", "the the "), ("words", "1-"), ("kajongg", "c1c1c1 "),
        ("kajongg", "c1"), ("mpsz", "111m"), ("auto", "S1 "), ("auto", "east's "),
    ],
)  # fmt: skip
def test_time_grows_no_faster_than_the_text(notation: str, piece: str) -> None:
    short = piece * (1_200 // len(piece))
    long = piece * (4_800 // len(piece))
    assert taken(lambda: refuse(long, notation)) < 8 * taken(lambda: refuse(short, notation)) + 0.05


def refuse(text: str, notation: str) -> None:
    with pytest.raises(MjaspError):
        parse(text, notation)


def taken(work: Callable[[], None]) -> float:
    """The least processor time of several runs, in seconds."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best
