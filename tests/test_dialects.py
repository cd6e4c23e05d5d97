"""Other notations: what is read, what is written, what each cannot say, which one a text is in."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from test_notation import random_hand

from mjasp.errors import HandError, MjaspError, NotationError
from mjasp.hand import Hand
from mjasp.notation import READ, WRITTEN, parse, recognise, write

# A hand string of Kajongg, and what it means.
KAJONGG = {
    "RB1B1B1C2C3C4C5C5 s2s3s4 drdrdr fe mw LB1B1B1B1": "[234d] [RRR] 23455c f1 [11b+1b] wall",
    "RWeWe c5c5c5 S2S2S2 drdrdr b1b2b3 md Lc5c5c5c5": ("[123b] [RRR] 222d EE [55c+5c] discard"),
    "RWeWe c5c5c5 S2S2S2 drdrdr b1b2b3 md Lc5": "[123b] [RRR] 222d EE [55c+5c] discard",
    "RWeWe c5c5c5c5 c1C1C1c1 drdrdr b1b2b3 mw LWe": "[123b] (1111c) [5555c] [RRR] E +E wall",
    "RWeWe c5c5c5C5 c1C1C1c1 drdrdr b1b2b3 mw LWe": (
        "[123b] (1111c) [5555c claimed] [RRR] E +E wall"
    ),
    "RWeWe c5c5c5c5 c1C1C1c1 drdrdr b1b2b3 met LWe": (
        "[123b] (1111c) [5555c] [RRR] E +E loose kong-on-kong"
    ),
    "RDbDbDbDgDgDgS1S1 B9B9B9 WsWsWs mza LS1": (
        "999b 1d SSS GGGWhWhWh +1d wall last-tile original-call"
    ),
    "RDbDbDbDgDgDgS1S1 B9B9B9 WsWsWs mZ Ls1": "999b 1d SSS GGGWhWhWh +1d discard last-tile",
    "RDbDbDbDgDgDgS1S1 B9B9B9 WsWsWs m1 LS1": "999b 1d SSS GGGWhWhWh +1d wall first-turn",
    "RDbDbDbDgDgDgS1S2S3 B9B9 WsWsWs mk Ls1": "99b 23d SSS GGGWhWhWh +1d robbing",
    "RDbDbDbDgDgDgS1S1 B9B9B9 WsWsWs LS1": "999b 1d SSS GGGWhWhWh +1d wall",
    "RDbDbDbDgDgDgS1S1 B9B9B9 WsWsWs m. Ls1": "999b 1d SSS GGGWhWhWh +1d discard",
    "RDbDbDbDgDgDgS1 B9B9B9 WsWsWs yeys fwfn": "999b 1d SSS GGGWhWhWh f3 f4 s1 s2",
}
MPSZ = {
    "[222s] 123m +5p wall 456p 34p 77z": "[222b] 123c 34456d RR +5d wall",
    "[222s] (1111z) 340m 0p 777z seat:S": "[222b] (EEEE) 345c 5d RRR seat:S",
    "1234567z 19m 19p 19s f1 s4 won:?  +1z last-tile": (
        "19b 19c 19d ESWN RGWh f1 s4 +E won:? last-tile"
    ),
    "[5555p claimed] 406s 🀐🀐🀐 111z [6z+6z] loose % 9m": ("[5555d claimed] 111456b EEE [G+G] loose"),
}


@pytest.mark.parametrize(("text", "means"), KAJONGG.items())
def test_kajongg(text: str, means: str) -> None:
    assert recognise(text) == (parse(means, "mjasp"), "kajongg")


@pytest.mark.parametrize(("text", "means"), MPSZ.items())
def test_mpsz(text: str, means: str) -> None:
    assert recognise(text) == (parse(means, "mjasp"), "mpsz")


@pytest.mark.parametrize("notation", WRITTEN)
def test_what_is_written_reads_as_the_same_hand(notation: str) -> None:
    rng = random.Random(5)
    outcomes: Counter[bool] = Counter()
    for _ in range(400):
        hand = random_hand(rng)
        if rng.random() < 0.5:
            hand = replace(hand, seat=None, round=None, rules=None)
        if rng.random() < 0.2:
            hand = with_unknowns(hand, rng)
        try:
            text = write(hand, notation)
        except NotationError:
            outcomes[False] += 1
            continue
        outcomes[True] += 1
        assert parse(text) == hand, text
        assert parse(text, "mjasp" if notation == "unicode" else notation) == hand, text
    assert outcomes[True] > 100
    assert bool(outcomes[False]) == (notation == "kajongg")


def with_unknowns(hand: Hand, rng: random.Random) -> Hand:
    """The hand with some facts, or some tiles of a loser, unknown."""
    if hand.winning is None:
        known = hand.concealed[: rng.randrange(len(hand.concealed) + 1)]
        return replace(hand, concealed=known, unknown_tiles=len(hand.concealed) - len(known))
    free = [name for name in ("seat", "round", "source") if getattr(hand, name) is None]
    return replace(hand, unknown=frozenset(rng.sample(free, rng.randrange(len(free) + 1))))


CANNOT_SAY = {
    "111b 222c 333d EEE R +R wall seat:E": "`seat:E`: the winds are given as options",
    "111b 222c 333d EEE R +R wall round:?": "`round:?`: the winds are given as options",
    "111b 222c 333d EEE R +R wall rules:bmja": "`rules:bmja`",
    "111b 222c 333d EEE R +R": "that it is not told how the winning tile came",
    "111b 222c 333d EEE R +R wall last-tile:?": "`last-tile:?`",
    "111b 222c 333d EEE R +R discard first-turn": "`discard` with `first-turn`",
    "111b 222c 333d EEE R fishing": "`fishing`",
    "111b 222c 333d EEE ?": "`?`, a tile that nobody knows",
}


@pytest.mark.parametrize(("text", "what"), CANNOT_SAY.items())
def test_what_kajongg_cannot_say(text: str, what: str) -> None:
    with pytest.raises(NotationError) as caught:
        write(parse(text), "kajongg")
    messages = [problem.message for problem in caught.value.problems]
    assert f"kajongg cannot say {what}" in messages


def test_unknown_notations() -> None:
    with pytest.raises(ValueError, match="no notation 'riichi'"):
        parse("111b", "riichi")
    with pytest.raises(ValueError, match="no notation 'auto'"):
        write(Hand((), unknown_tiles=13), "auto")


RECOGNISED = {
    "111b 222c 333d EEE R": "mjasp",
    "🀐🀐🀐 222c 333d EEE 🀄": "mjasp",
    "111s 222m 333p 111z 7z": "mpsz",
    "RB1B1B1C2C2C2S3S3S3 WeWeWe Dr": "kajongg",
    "three 1 bamboo, 222c 333d EEE, red dragon": "words",
    "111b 222c 333d; three 5s of bamboo, red": "words",
}


@pytest.mark.parametrize(("text", "notation"), RECOGNISED.items())
def test_recognised(text: str, notation: str) -> None:
    hand, found = recognise(text)
    assert found == notation
    assert parse(text, notation) == hand


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("111b 222m 333d EEE R", "mixed-notations", "`222m` is in the notation mpsz"),
        ("three reds, 222m 333p", "mixed-notations", "`222m` is in the notation mpsz"),
        ("RB1B1B1 222b", "mixed-notations", "`222b` is in the compact form"),
        ("RB1B1B1 22s 33m", "mixed-notations", "`22s` is in the notation mpsz"),
        ("s1s1s1 s2s2s2 s3s3s3 s4s4s4", "ambiguous-notation", "as dots in Kajongg's"),
    ],
)
def test_not_one_notation(text: str, code: str, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    (problem,) = caught.value.problems
    assert problem.code == code
    assert told in problem.message
    assert problem.help


def test_what_two_dialects_read_differently_is_read_as_told() -> None:
    text = "s1s1s1 s2s2s2 s3s3s3 s4s4s4"
    for notation, codes in (
        ("mjasp", {"bonus-twice", "wrong-number"}),
        ("kajongg", {"wrong-number"}),
    ):
        with pytest.raises(HandError) as caught:
            parse(text, notation)
        assert {problem.code for problem in caught.value.problems} == codes


def test_a_compact_hand_is_no_other_hand_in_another_notation() -> None:
    rng = random.Random(9)
    for _ in range(200):
        hand = random_hand(rng)
        for notation in ("mjasp", "unicode"):
            for other in READ[2:]:
                try:
                    assert parse(write(hand, notation), other) == hand
                except MjaspError:
                    continue
