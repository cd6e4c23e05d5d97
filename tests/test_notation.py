"""The compact form: what is read, and that what is written reads as the same hand."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjasp.errors import HandError, MjaspError, NotationError
from mjasp.hand import Event, Hand, Kind, Meld, Source
from mjasp.notation import parse, write
from mjasp.tiles import Tile, Wind, by_order

# A text, and its canonical writing.
READ = {
    "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E": (
        "(1111c) [234d] [GGG] 555b E +E wall seat:E round:E"
    ),
    "[444b] [234c] (1111c) 55b EE +5b wall seat:E round:E": (
        "[444b] (1111c) [234c] 55b EE +5b wall seat:E round:E"
    ),
    "111b 222b 333b 45c 11d +3c discard": "111222333b 45c 11d +3c discard",
    "1123c [EEE] [111d] [999b] +1c wall": "[999b] [111d] [EEE] 1123c +1c wall",
    "19b 19c 19d ESWN RGWh f4 s2 seat:N round:E": "19b 19c 19d ESWN RGWh f4 s2 seat:N round:E",
    "111b 222c 333d [34d+2d] E E": "111b 222c 333d EE [34d+2d]",
    "111b 222c 333d EEE [5c+5c] loose": "111b 222c 333d EEE [5c+5c] loose",
    "[5555d claimed] 111b 222c 333d E": "[5555d claimed] 111b 222c 333d E",
    "[5555d CLAIMED] 111b 222c 333d E +E DISCARD Last-Tile SEAT:S Round:W RULES:BMJA": (
        "[5555d claimed] 111b 222c 333d E +E discard last-tile seat:S round:W rules:bmja"
    ),
    "wall;last-tile,original-call 111b\n222c % a comment with + and [\r\n333d EEE R\t+ R": (
        "111b 222c 333d EEE R +R wall last-tile original-call"
    ),
    "WhWhWh WWW WWh 1122b 5d": "1122b 5d WWWW WhWhWhWh",
    "5d3b1dE1c9bWhWf2SRNGs1 9c": "39b 19c 15d ESWN RGWh f2 s1",
    "🀐🀐🀐[🀑🀑🀑]\ufe0f 22c🀀🀀\ufe0e🀀🀄\ufe0f🀄\ufe0f +🀉 🀤🀥": ("[222b] 111b 22c EEE RR f3 f4 +3c"),
    "\ufeff111b 222c 333d EEE R fishing": "111b 222c 333d EEE R fishing",
    "[EEEE] (SSSS) 111b 22c 33d +2c loose kong-on-kong": (
        "[EEEE] (SSSS) 111b 22c 33d +2c loose kong-on-kong"
    ),
    "111b 222c 333d EEE R +R wall wall first-turn first-turn seat:E seat:E": (
        "111b 222c 333d EEE R +R wall first-turn seat:E"
    ),
}


@pytest.mark.parametrize(("text", "canonical"), READ.items(), ids=range(len(READ)))
def test_canonical_writing(text: str, canonical: str) -> None:
    hand = parse(text)
    assert write(hand) == canonical
    assert parse(canonical) == hand


def test_what_is_read() -> None:
    text = "[5555d claimed] (1111c) [GGG] 34b [E+E] f1 robbing last-tile"
    with pytest.raises(HandError) as caught:
        parse(text)
    codes = [problem.code for problem in caught.value.problems]
    assert codes == ["wrong-number", "contradiction", "contradiction"]

    assert parse("[5555d claimed] (1111c) [GGG] 234b [E+E] f1 discard last-tile seat:W") == Hand(
        concealed=(Tile.B2, Tile.B3, Tile.B4, Tile.E),
        declared=(
            Meld(Kind.KONG, (Tile.C1,) * 4, declared=True),
            Meld(Kind.KONG, (Tile.D5,) * 4, exposed=True, declared=True, claimed=True),
            Meld(Kind.PUNG, (Tile.G,) * 3, exposed=True, declared=True),
        ),
        bonus=(Tile.F1,),
        winning=Tile.E,
        completes=Meld(Kind.PAIR, (Tile.E, Tile.E), completed=True),
        source=Source.DISCARD,
        events=frozenset({Event.LAST_TILE}),
        seat=Wind.WEST,
    )


@pytest.mark.parametrize("tile", Tile, ids=str)
def test_each_tile_is_read_as_written_and_as_drawn(tile: Tile) -> None:
    others = [other for other in PLAYED if other is not tile][: 13 if tile.is_bonus else 12]
    texts = [" ".join(map(str, others)) + f" {spelt}" for spelt in (tile.value, tile.unicode)]
    for text in (*texts, texts[1] + "\ufe0e"):
        hand = parse(text)
        assert hand.concealed + hand.bonus == tuple(sorted([*others, tile], key=by_order))


PLAYED = [tile for tile in Tile if not tile.is_bonus]
PUNGS = [Meld(Kind.PUNG, (tile,) * 3, exposed=True, declared=True) for tile in PLAYED]
CHOWS = [
    Meld(Kind.CHOW, run, exposed=True, declared=True)
    for run in zip(PLAYED, PLAYED[1:], PLAYED[2:], strict=False)
    if run[0].suit and run[0].suit == run[2].suit
]
KONGS = [
    Meld(Kind.KONG, (tile,) * 4, exposed=exposed, declared=True, claimed=claimed)
    for tile in PLAYED
    for exposed, claimed in ((False, False), (True, False), (True, True))
]


def random_hand(rng: random.Random) -> Hand:
    """Any hand, won or not; what cannot be is drawn again."""
    while True:
        declared = rng.sample(PUNGS + CHOWS + KONGS, rng.choice([0, 0, 1, 2, 3, 4]))
        bag = PLAYED * 4
        concealed = rng.sample(bag, 13 - 3 * len(declared))
        winning = rng.choice([None, *PLAYED])
        facts = [event for event in Event if (event is Event.FISHING) == (winning is None)]
        completes = None
        if winning and rng.random() < 0.5:
            completes = Meld(Kind.PAIR, (winning, winning))
            concealed[0] = winning
        try:
            return Hand(
                tuple(concealed),
                tuple(declared),
                tuple(rng.sample([tile for tile in Tile if tile.is_bonus], rng.randrange(4))),
                winning,
                completes,
                rng.choice([None, *Source]) if winning else None,
                frozenset(rng.sample(facts, rng.randrange(2))),
                rng.choice([None, *Wind]),
                rng.choice([None, *Wind]),
                rng.choice([None, "bmja", "european-classical-2008"]),
            )
        except HandError:
            continue


def test_writing_and_reading_is_the_identity() -> None:
    rng = random.Random(2)
    seen: set[object] = set()
    for _ in range(1000):
        hand = random_hand(rng)
        seen |= {hand.source, *hand.events, f"{len(hand.declared)} declared"}
        assert parse(write(hand)) == hand, write(hand)
    assert seen == {None, *Source, *Event, *(f"{number} declared" for number in range(5))}


def test_order_of_tiles_and_sets_does_not_matter() -> None:
    rng = random.Random(3)
    for _ in range(200):
        hand = random_hand(rng)
        parts = [*map(str, hand.declared), *map(str, hand.bonus), f"+{hand.winning}"]
        parts += [str(tile) for tile in hand.concealed]
        if not hand.winning:
            parts.remove("+None")
        bare = Hand(hand.concealed, hand.declared, hand.bonus, hand.winning)
        rng.shuffle(parts)
        assert parse(rng.choice([" ", ";", "\n", ", "]).join(parts)) == bare


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(alphabet="159bcdESWhRGf1s2[]()+ ;%\n?claimedwall:-🀐🀫\ufe0f五\x00", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        hand = parse(text)
    except MjaspError as error:
        told = error.render().split("\n")
    else:
        told = [write(hand)]
        assert parse(write(hand)) == hand
    assert told
    assert all(line.isprintable() and len(line) <= 80 for line in told)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("E" * 10_000, "too-long"),
        ("nrth " * 2_000, "too-long"),
        ("nrth " * 900, "unknown-word"),
        ("n" * 4_900, "unknown-word"),
        ("[" * 4_900, "open-bracket"),
        ("E" * 4_900, "wrong-number"),
        ("[235b]" * 800, "no-meld"),
        ("wall discard " * 300, "two-sources"),
        ("% " * 2_000, "empty"),
    ],
)
def test_long_texts_are_refused_quickly(text: str, code: str) -> None:
    start = time.process_time()
    with pytest.raises(MjaspError) as caught:
        parse(text)
    assert caught.value.render()
    assert time.process_time() - start < 1
    assert code in {problem.code for problem in caught.value.problems}
    assert len(caught.value.problems) <= 10


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("e", "E"),
        ("5B", "5b"),
        ("F1", "f1"),
        ("S1", "s1"),
        ("wh", "Wh"),
        ("WH", "Wh"),
        ("W5B", "W5b"),
        ("nrth", "north"),
        ("dicard", "discard"),
        ("last-tiel", "last-tile"),
        ("seat:n", "seat:N"),
        ("tsumo", "self-drawn"),
        ("ron", "discard"),
    ],
)
def test_nearest_spelling(word: str, meant: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(f"111b {word}")
    (problem,) = caught.value.problems
    assert (problem.column, problem.end_column) == (6, 6 + len(word))
    assert problem.help is not None
    assert f"`{meant}`" in problem.help
