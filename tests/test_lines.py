"""Texts read in blocks are the hands that are parsed one by one.

For more texts than a test has time for: `PYTHONPATH=. python tests/test_lines.py 50000`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest
from random_hands import hands as some_hands
from test_scanner import PIECES, some_text

from bench.hands import losing_hands, won_hands
from mjasp import Event, Hand, HandError, MjaspError, NotationError, Source, Wind, parse
from mjasp.compiled import said
from mjasp.compiled.layout import DECLARED, Hands
from mjasp.compiled.lines import Lines, encode, hand_of
from mjasp.notation import write
from mjasp.notation.compact import WORDS
from mjasp.tiles import written

FACTS = (
    *(each.value for each in (*Source, *Event)),
    *(f"{name}:{wind}" for name in ("seat", "round") for wind in Wind),
    *("seat:?", "won:?", "last-tile:?", "rules:bmja", "?", "+1b", "f1", "s4"),
)


def plain(hand: Hand) -> bool:
    """Whether a hand has a place in the arrays."""
    return not hand.unknown and not hand.rules


def given(text: str, seat: Wind | None, round_: Wind | None) -> Hand | None:
    """What an engine takes as given; None where it refuses the text."""
    try:
        hand = parse(text)
        hand = replace(hand, seat=seat or hand.seat, round=round_ or hand.round)
        hand.resolved()
    except MjaspError:
        return None
    return hand


def check(texts: Sequence[str], lines: Lines, seat: Wind | None, round_: Wind | None) -> int:
    """How many plain texts with a quick road are left; those that are read are read rightly."""
    rows, read = lines.read(texts)
    left = 0
    for at, text in enumerate(texts):
        hand = given(text, seat, round_)
        if read[at]:
            assert hand_of(rows, at) == hand, text
        else:
            left += hand is not None and plain(hand) and WORDS.of(text) is not None
    assert_empty(rows.take(~read))
    return left


def assert_empty(rows: Hands) -> None:
    empty = Hands.empty(len(rows))
    for name in Hands.__slots__:
        assert (getattr(rows, name) == getattr(empty, name)).all()


def broken(rng: Random) -> str:
    """A hand with something too much, too little, or otherwise."""
    words = write(next(some_hands(1, rng.randrange(1 << 30)))).split(" ")
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(words) + 1)
        match rng.randrange(6):
            case 0:
                words[at:at] = [rng.choice(FACTS)]
            case 1:
                words[at:at] = [str(rng.choice(DECLARED))]
            case 2:
                words[at : at + 1] = []
            case 3:
                words[at:at] = words[at - 1 : at]
            case 4:
                words[at : at + 1] = [rng.choice(PIECES)]
            case _:
                words[at : at + 1] = [rng.choice(FACTS), rng.choice(FACTS)]
    return " ".join(words)


def fitting(rng: Random) -> str:
    """Tiles of a right number, with facts at random."""
    melds = rng.sample(DECLARED, rng.randrange(5))
    tiles = rng.sample(sorted({tile for meld in DECLARED for tile in meld.tiles}), 14)
    held = written(sorted(tiles[: 13 - 3 * len(melds)]))
    won = [f"+{rng.choice(tiles)}"] if rng.random() < 0.8 else []
    facts = rng.choices(FACTS[:17], k=rng.randrange(5))
    return " ".join([*map(str, melds), held, *won, *facts])


@pytest.mark.parametrize("seed", [1, 2])
def test_hands_of_benchmarks_are_all_read(seed: int) -> None:
    hands = [*won_hands(600, seed), *losing_hands(300, seed)]
    rows, read = Lines().read([*map(write, hands)])
    assert read.all()
    assert [hand_of(rows, at) for at in range(len(hands))] == hands


@pytest.mark.parametrize("make", [some_text, broken, fitting])
@pytest.mark.parametrize("winds", [(None, None), (Wind.SOUTH, None), (Wind.EAST, Wind.NORTH)])
def test_what_is_read_is_what_is_parsed(
    make: Callable[[Random], str], winds: tuple[Wind | None, Wind | None]
) -> None:
    rng = Random(7)
    texts = [make(rng) for _ in range(300)]
    lines = Lines(*winds)
    left = check(texts[:9], lines, *winds) + check(texts, lines, *winds)
    assert left == 0


@pytest.mark.parametrize(
    "text",
    [
        "1b" * 300,
        " ".join(["1b"] * 269),
        " ".join(["111b 222b 333b 45c 11d +3c"] * 257),
        "111b 222b 333b 45c 11d" + " +3c" * 257,
        "111b 222b 333b 45c 11d" + " seat:E" * 300,
        "111b 222b 333b 45c 11d +3c" + " wall" * 70,
        "[111b] 222b" + " ?" * 263,
        "+3c " * 12 + "111b 222b 333b 45c 11d",
        "111b 222b 333b 45c 11d \0 111b 222b 333b 45c 11d",
        "\0",
        "",
        " ",
        "222b 111c 333c 11d 4d +f1 wall",
        "222b 111c 333c 11d [4d+f1] wall",
    ],
)
def test_no_number_runs_over(text: str) -> None:
    sound = "111b 222b 333b 45c 11d +3c wall"
    assert check([sound, text, sound], Lines(), None, None) <= 1
    assert Lines().read([sound, text, sound])[1].tolist()[::2] == [True, True]


def test_one_thing_said_twice_is_read() -> None:
    text = "  111b 222b 333b 45c 11d +3c wall wall seat:E seat:E first-turn first-turn "
    rows, read = Lines().read([text, "(5555d) [5555c claimed] 22b 3b3b 4b [5b+6b]", text])
    assert read.tolist() == [True, False, True]
    assert hand_of(rows, 2) == parse(text)


def test_words_are_forgotten_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(said, "_MOST_ROWS", 50)
    lines, texts = Lines(), [*map(write, some_hands(300, 3))]
    for at in range(0, 300, 30):
        assert check(texts[at : at + 30], lines, None, None) == 0


def test_no_texts() -> None:
    rows, read = Lines().read([])
    assert (len(rows), read.tolist()) == (0, [])


def test_hands_and_texts_are_encoded_and_come_back() -> None:
    hands = [replace(hand, rules=None) for hand in some_hands(500, 4) if not hand.unknown]
    mixed = [write(hand) if at % 3 else hand for at, hand in enumerate(hands)]
    rows = encode(mixed)
    assert [hand_of(rows, at) for at in range(len(rows))] == hands
    assert_empty(encode([]))


def test_a_hand_that_cannot_be_resolved_is_encoded() -> None:
    text = "111b 222b 333b 45c 11d +3c first-turn discard"
    assert hand_of(encode([text]), 0) == parse(text)


@pytest.mark.parametrize(
    ("hand", "error"),
    [
        ("111b 222b 333b 45c 11d +3c seat:?", ValueError),
        ("111b 222b 333b 45c 11d +3c rules:bmja", ValueError),
        (parse("111b 222b 333b 45c 11d +3c won:?"), ValueError),
        ("111b 222b 333b 45c 11d 11d", HandError),
        ("111b 222b xyzzy", NotationError),
    ],
)
def test_what_cannot_be_encoded(hand: Hand | str, error: type[Exception]) -> None:
    with pytest.raises(error):
        encode(["111b 222b 333b 45c 11d +3c", hand])


def test_a_text_that_names_facts_without_a_column_is_told() -> None:
    told = "hand 0: `round:\\?, source:\\?, rules:bmja` has no place in the arrays"
    with pytest.raises(ValueError, match=told):
        encode(["111b 222b 333b 45c 11d +3c rules:bmja round:? won:?"])


def main(count: int) -> None:
    """Check many texts of each kind, a thousand at once."""
    for make in (some_text, broken, fitting):
        rng, lines = Random(11), Lines()
        left = sum(
            check([make(rng) for _ in range(1000)], lines, None, None)
            for _ in range(0, count, 1000)
        )
        print(f"{make.__name__}: {count} texts, {left} left that could be read")


if __name__ == "__main__":
    main(int(sys.argv[1]))
