"""The quick road through the notation reads what Lark's reads, and leaves every refusal to it.

For more texts than a test has time for: `PYTHONPATH=. python tests/test_scanner.py 50000`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_hands import any_hand

from mjasp import notation
from mjasp.errors import MjaspError
from mjasp.hand import Hand
from mjasp.notation import compact, scanner, write
from mjasp.notation.compact import LANGUAGE, WORDS
from mjasp.notation.draft import Draft
from mjasp.notation.scanner import _Known
from mjasp.tiles import Tile, Wind

FOLDER = Path(__file__).parent
SPACES = [" ", "  ", "\t", "\n", "\r\n", "; ", ",", "\u00a0", "\ufeff ", " \ufe0f", "\ufe0e"]
COMMENTS = [" % and [ (\n", "%\n", " %111b\n ", "% 5d", "%5d\n"]
PIECES: list[str] = [*"159bcdESWNRGhfs[]()+?:;,-%x\n\x00\x0b\x1c\u2003\u00a0五🀐🀪\ufe0f "]
PIECES += ["Wh", "[5d +", "rules:", "seat:", "seat:e", "wall", "claimed", "last-tile:?", "2b", "1b"]


def ordinary(text: str) -> Hand:
    """The hand as Lark and the draft read it."""
    tree = LANGUAGE.tree(text)
    draft = Draft()
    for node in tree.children:
        compact.add(draft, node, compact.tiles_of)
    return draft.hand(text)


def outcome(read: Callable[[str], Hand], text: str) -> object:
    """The hand, or all that is told where there is none."""
    try:
        return read(text)
    except MjaspError as error:
        return type(error), error.problems, error.render()


def check(text: str) -> bool:
    """Whether the text takes the quick road; where it does, the ordinary one leads there too."""
    hand = WORDS.hand(text)
    assert hand is None or hand == outcome(ordinary, text), ascii(text)
    return hand is not None


def some_text(rng: Random) -> str:
    """A hand, written in an unusual way and perhaps broken."""
    return unusual(any_hand(rng), rng)


def unusual(hand: Hand, rng: Random) -> str:
    words = write(hand, rng.choice(("mjasp", "mjasp", "unicode"))).split(" ")
    if rng.random() < 0.6:
        words = [" ".join(part) for part in _parts(words)]
        rng.shuffle(words)
    text = rng.choice((" ", " ", rng.choice(SPACES))).join(words)
    for change in (_respaced, _split, _shouted, _broken, _broken, _broken):
        if rng.random() < 0.15:
            text = change(text, rng)
    return text


def _parts(words: list[str]) -> Iterator[list[str]]:
    """The words, those within brackets together."""
    part: list[str] = []
    for word in words:
        part.append(word)
        if "[" not in part[0] or "]" in word:
            yield part
            part = []


def _respaced(text: str, rng: Random) -> str:
    return re.sub(" ", lambda _: str(rng.choice([*SPACES, *COMMENTS])), text)


def _split(text: str, rng: Random) -> str:
    spaces = ["", "", *SPACES, " " * 9, *COMMENTS[:2]]
    return re.sub(r"[\[\]()+]", lambda at: at[0].join(rng.choices(spaces, k=2)), text)


def _shouted(text: str, rng: Random) -> str:
    return re.sub("[a-z-]{3,}", lambda word: rng.choice((word[0].upper(), word[0].title())), text)


def _broken(text: str, rng: Random) -> str:
    at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    match rng.randrange(4):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + rng.choice(PIECES) + text[at:]
        case 2:
            return text[:at] + rng.choice(PIECES) + text[at + 1 :]
        case _:
            return text[:at] + text[to : to + 1] + text[at + 1 : to] + text[at : at + 1] + text[to:]


def _shipped() -> Iterator[str]:
    for path in sorted(FOLDER.glob("cases/*/*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        yield from (case["hand"] for case in content.get("case", ()) if "hand" in case)
    for path in sorted(FOLDER.glob("golden/*.txt")):
        yield from re.findall("'([^']+)'", path.read_text(encoding="utf-8"))
    errors = tomllib.loads((FOLDER / "golden" / "errors.toml").read_text(encoding="utf-8"))
    yield from (case["text"] for case in errors["case"])


def test_hands_of_the_cases_and_of_the_golden_files() -> None:
    texts = {*_shipped()}
    assert len(texts) > 500
    for text in texts:
        assert outcome(compact.parse, text) == outcome(ordinary, text)


@pytest.mark.parametrize("seed", range(4))
def test_random_texts(seed: int) -> None:
    rng = Random(seed)
    hands = [any_hand(rng) for _ in range(100)]
    quick = [check(unusual(hand, rng)) for hand in hands for _ in range(8)]
    assert sum(quick) > 300


def test_what_is_refused_is_told_as_ever() -> None:
    rng = Random(4)
    for _ in range(150):
        text = _broken(some_text(rng), rng)
        assert outcome(compact.parse, text) == outcome(ordinary, text)


def test_any_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(5)
    texts = [some_text(rng) for _ in range(150)]
    found = [outcome(notation.parse, text) for text in texts]
    monkeypatch.setattr(scanner.Words, "hand", lambda *_: None)
    assert found == [outcome(notation.parse, text) for text in texts]


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.lists(st.sampled_from([*PIECES, "[222b]", "111b", "(1111c)", "+", "5d"]), max_size=30))
def test_pieces_in_any_order(pieces: list[str]) -> None:
    check("".join(pieces))


def test_canonical_texts_take_the_quick_road() -> None:
    rng = Random(6)
    for _ in range(300):
        hand = any_hand(rng)
        assert WORDS.hand(write(hand)) == hand


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("111b  wall", 3),
        ("[5d 5d 5d 5d claimed] E", 2),
        ("[ 5d 5d 5d 5d claimed ] E", 2),
        ("+ 5d 111b;222c\n333d", 2),
        ("111b % a comment\n222b", None),
        ("111b%\n222b wall", 2),
        ("[111b", None),
        ("[ [ 111b", None),
        ("wallx 111b", None),
        ("111b\u2003222b", None),
        ("seat:E,seat:S", None),
        ("E+S+W", None),
        ("[ 1b 1b 1b 1b 1b 1b 1b 1b 1b 1b", None),
        ("E " * 2501, None),
    ],
)
def test_words(text: str, words: int | None) -> None:
    found = WORDS.of(text)
    assert (found if found is None else len(found)) == words


def test_what_a_word_says() -> None:
    word = "f1E2b;seat:S;won:?;?"
    found = WORDS.of(f"[5555d claimed] [55b+5b] {word} {word}")
    assert found
    first, second, third, same = found
    assert [str(meld) for meld in first.declared] == ["[5555d claimed]"]
    assert (second.concealed, second.winning) == ((Tile.B5,) * 2, Tile.B5)
    assert str(second.completes) == "555b"
    assert (third.concealed, third.bonus) == ((Tile.E, Tile.B2), (Tile.F1,))
    assert (third.facts, third.unknown_tiles) == ((("seat", Wind.SOUTH), ("source", "?")), 1)
    assert third is same
    assert len({first, second, third, same}) == 3


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner, "_MOST_WORDS", 5)
    monkeypatch.setattr(scanner, "_LONGEST_WORD", 9)
    known = _Known(LANGUAGE, partial(compact.add, tiles_of=compact.tiles_of))
    for number in range(111, 120):
        assert known[f"{number}b"]
        assert len(known) <= 5
    assert known["123456789b"] is None
    assert known["12345678b"]


if __name__ == "__main__":
    _rng = Random(7)
    _quick = sum(check(some_text(_rng)) for _ in range(int(sys.argv[1])))
    print(f"{int(sys.argv[1]):,} texts, {_quick:,} of them read quickly, and alike")
