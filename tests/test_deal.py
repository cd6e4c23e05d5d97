"""Deal files: what is read, and what is refused with its place and the way out."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from mjasp import (
    Customs,
    Deal,
    DealError,
    Hand,
    HandError,
    MjaspError,
    NotationError,
    Source,
    parse,
)
from mjasp.notation.deal import parse_deal, read_deal
from mjasp.tiles import Wind

E, S, W, N = Wind
EAST = "(1111c) 555b E [GGG] [234d] +E wall"
SOUTH = "112233b 456c 7799d"
NUMBERS = "east: 50\nsouth: 80\nwest: 20\nnorth: 0\n"


def deal_of(**lines: str) -> str:
    """The printed table, some of its lines replaced or added; `_` stands for `-`."""
    said = {"east": "50", "south": "80", "west": "20", "north": "0", **lines}
    return "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in said.items())


def problems(text: str) -> list[tuple[str, int | None, int | None]]:
    """Code, line and column of each problem of a deal that is refused."""
    with pytest.raises(MjaspError) as caught:
        parse_deal(text)
    assert all(problem.help for problem in caught.value.problems)
    assert max(map(len, caught.value.render().split("\n"))) <= 80
    return [(problem.code, problem.line, problem.column) for problem in caught.value.problems]


def test_hands_numbers_and_unknown_are_mixed() -> None:
    deal = parse_deal(
        f"round S\neast: {EAST}\nSOUTH : {SOUTH} % a comment\nwest: unknown\nnorth: 30"
    )
    assert deal.winner is E
    assert deal.won_from_wall is True
    assert deal.hands[S] == parse(f"{SOUTH} seat:S round:S")
    assert (deal.hands[W], deal.hands[N]) == (None, 30)


@pytest.mark.parametrize(
    "line", ["rules bmja", "Rules: bmja", "RULES : BMJA", "rules\tbmja % club"]
)
def test_rules_are_said_with_or_without_a_colon(line: str) -> None:
    assert parse_deal(f"{NUMBERS}{line}").rules == "bmja"


def test_rules_and_round_of_one_hand_are_those_of_all() -> None:
    deal = parse_deal(deal_of(east=f"{EAST} rules:bmja round:W", south=SOUTH))
    assert (deal.rules, deal.round) == ("bmja", W)
    south = deal.hands[S]
    assert isinstance(south, Hand)
    assert (south.rules, south.round) == ("bmja", W)


@pytest.mark.parametrize("winner", ["W", "w", "west", "West"])
def test_winner_of_numbers(winner: str) -> None:
    assert parse_deal(deal_of(winner=winner)).winner is W


def test_customs_are_off_and_laid_over_those_given() -> None:
    assert parse_deal(NUMBERS).customs == Customs()
    said = parse_deal(deal_of(losers_settle="no", east_doubles="No", self_drawn_doubles="yes"))
    assert said.customs == Customs(losers_settle=False, east_doubles=False, self_drawn_doubles=True)
    over = parse_deal(
        deal_of(losers_settle="yes"), Customs(losers_settle=False, east_doubles=False)
    )
    assert over.customs == Customs(east_doubles=False)


@pytest.mark.parametrize(
    ("by", "source", "drawn"), [("S", Source.DISCARD, False), ("wall", Source.WALL, True)]
)
def test_by_tells_how_the_winning_tile_came(by: str, source: Source, drawn: bool) -> None:  # noqa: FBT001
    deal = parse_deal(deal_of(east=EAST.removesuffix(" wall"), by=by))
    hand = deal.hands[E]
    assert isinstance(hand, Hand)
    assert hand.source is source
    assert deal.won_from_wall is drawn


def test_text_path_and_deal_are_taken(tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    file.write_bytes(b"\xef\xbb\xbf" + NUMBERS.replace("\n", "\r\n").encode())
    deal = read_deal(NUMBERS)
    assert read_deal(file) == read_deal(str(file)) == read_deal(deal) == deal


@pytest.mark.parametrize("name", ["missing.txt", "", "nul\0"])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotationError, match="cannot be read"):
        read_deal(tmp_path / name)


# ---- The four hands are one table


def test_fifth_copy_across_hands() -> None:
    text = deal_of(
        east="111b 222b 333b 444c 5c",
        west="11b 99b [EEE] [SSS] [WWW]",
        north="1b [222d] [333d] [444d] [555d]",
    )
    with pytest.raises(DealError) as caught:
        parse_deal(text)
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.column) == ("fifth-copy", 4, 8)
    assert "`1b` stands 6 times" in problem.message
    assert "3 in East's hand, 2 in West's hand, 1 in North's hand" in problem.message


def test_a_winning_tile_and_a_kong_count_as_copies() -> None:
    text = deal_of(east="11b 234c 567c 789c EE +1b discard", south="(1111b) 234d 567d 789d E")
    assert problems(text) == [("fifth-copy", 2, 8)]


def test_a_robbed_kong_is_a_pung_again() -> None:
    text = deal_of(east="23b 234c 567c 789c EE +1b robbing", south="[1111b] 234d 567d 789d E")
    with pytest.raises(DealError) as caught:
        parse_deal(text)
    assert caught.value.problems[0].help
    assert "robbed" in caught.value.problems[0].help
    assert parse_deal(text.replace("[1111b]", "[111b]")).winner is E


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ({"east": f"{EAST} f1", "west": f"{SOUTH} f1"}, ("bonus-twice", 3, 7)),
        ({"east": EAST, "south": "123b 456b 789b 11d 44c +4c"}, ("two-winners", 2, 8)),
        ({"east": EAST, "winner": "S"}, ("two-winners", 5, 9)),
        ({"south": SOUTH, "winner": "S"}, ("no-winning-tile", 5, 9)),
        ({"south": f"{SOUTH} seat:E"}, ("two-seats", 2, 27)),
        ({"south": f"{SOUTH} round:E", "round": "S"}, ("two-rounds", 2, 27)),
        ({"east": f"{EAST} round:W", "south": f"{SOUTH} round:E"}, ("two-rounds", 2, 27)),
        ({"south": f"{SOUTH} rules:bmja", "rules": "dmjl"}, ("two-rules", 2, 27)),
        ({"east": f"{EAST} rules:dmjl", "south": f"{SOUTH} rules:bmja"}, ("two-rules", 2, 27)),
        ({"by": "E"}, ("no-winner", 5, 5)),
        ({"winner": "W", "by": "W"}, ("own-discard", 6, 5)),
        ({"east": EAST, "by": "S"}, ("contradiction", 5, 5)),
        ({"east": EAST.replace("wall", "discard"), "by": "wall"}, ("contradiction", 5, 5)),
        ({"winner": "W", "discarder-pays": "yes"}, ("no-discarder", 6, 17)),
        ({"winner": "W", "self-drawn-doubles": "yes"}, ("no-discarder", 6, 21)),
        (
            {"east": EAST.replace("wall", "discard"), "discarder-pays": "yes"},
            ("no-discarder", 5, 17),
        ),
        ({"south": "123b 456b 789b 11d 44c +4c wall first-turn"}, ("contradiction", 2, 8)),
    ],
)
def test_no_table(lines: dict[str, str], found: tuple[str, int, int]) -> None:
    assert problems(deal_of(**lines)) == [found]


def test_two_easts_and_a_missing_seat() -> None:
    text = f"east: {EAST}\neast: {SOUTH}\nwest: 20\nnorth: 0"
    assert problems(text) == [("missing-seat", None, None), ("seat-twice", 2, 1)]


def test_an_unknown_round_is_the_tables() -> None:
    text = deal_of(east=f"{EAST} round:?", south=SOUTH)
    for told in (text, f"{deal_of(east=EAST, south=SOUTH)}round ?"):
        deal = parse_deal(told)
        assert deal.round == "?"
        assert [each.unknown for each in deal.hands.values() if isinstance(each, Hand)] == [
            {"round"}
        ] * 2
    known = parse_deal(f"{text}round S")
    assert known.round is S
    assert known.hands[S] == parse(f"{SOUTH} seat:S round:S")


ORPHANS = "19b 19c 19d ESWNRGWh +E"
ROBBING = "23b 234c 567c 789c EE +1b robbing"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ({"south": f"{ORPHANS} first-turn discard", "by": "N"}, [("contradiction", 5, 5)]),
        ({"south": f"{ORPHANS} first-turn", "by": "E"}, []),
        (
            {"east": f"{ORPHANS} first-turn wall", "west": "[222d] 33b 456c 77899d"},
            [("contradiction", 3, 7)],
        ),
        (
            {"south": f"{ORPHANS} first-turn discard", "east": "[222d] 33b 456c 77899d"},
            [("contradiction", 1, 7)],
        ),
        ({"east": f"{ORPHANS} first-turn wall", "west": "(2222d) 33b 456c 77899d"}, []),
        ({"east": ROBBING, "by": "S", "south": SOUTH.replace("1", "8")}, [("contradiction", 5, 5)]),
        ({"east": ROBBING, "by": "S", "south": "[111b] 234d 567d 789d E"}, []),
        ({"east": ROBBING, "by": "S", "south": "111b 234d 567d 789d E"}, [("contradiction", 5, 5)]),
        ({"east": ROBBING, "by": "S", "west": "111b 234d 567d 789d E"}, []),
        (
            dict.fromkeys(("south", "west", "north"), "?" * 13) | {"east": ROBBING},
            [("contradiction", 1, 7)],
        ),
    ],
)
def test_what_the_winning_hand_says_of_the_others(
    lines: dict[str, str], found: list[tuple[str, int, int]]
) -> None:
    if found:
        assert problems(deal_of(**lines)) == found
    else:
        assert parse_deal(deal_of(**lines)).winner


@pytest.mark.parametrize(
    "change",
    [
        {"hands": {E: "50", S: 0, W: 0, N: 0}},
        {"hands": {E: 50.5, S: 0, W: 0, N: 0}},
        {"hands": {E: -50, S: 0, W: 0, N: 0}},
        {"hands": {E: 10**9, S: 0, W: 0, N: 0}},
        {"hands": {E: True, S: 0, W: 0, N: 0}},
        {"hands": {"E": 50, S: 0, W: 0, N: 0}},
        {"hands": {E: 50, S: 0, W: 0}},
        {"winner": "E"},
        {"by": "S"},
        {"round": "E"},
    ],
)
def test_values_of_another_kind(change: dict[str, object]) -> None:
    given: dict[str, object] = {"hands": {E: 50, S: 0, W: 0, N: 0}, **change}
    with pytest.raises(DealError) as caught:
        Deal(**given)  # type: ignore[arg-type]
    assert all(problem.help for problem in caught.value.problems)


def test_a_deal_made_in_python_is_checked_too() -> None:
    hands: dict[Wind, Hand | int | None] = {
        E: parse(EAST),
        S: parse(f"{SOUTH} seat:N"),
        W: 20,
        N: None,
    }
    with pytest.raises(HandError) as caught:
        Deal(hands)
    assert [(each.code, each.line) for each in caught.value.problems] == [("two-seats", None)]


# ---- What cannot be read


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ("missing-seat", None, None)),
        (f"{NUMBERS}est: 4", ("unknown-line", 5, 1)),
        (f"{NUMBERS}winner W", ("no-colon", 5, 1)),
        (f"{NUMBERS}rules bmxa", ("unknown-ruleset", 5, 7)),
        (f"{NUMBERS}rules ../club.lp", ("unknown-ruleset", 5, 7)),
        (f"{NUMBERS}round: X", ("no-answer", 5, 8)),
        (f"{NUMBERS}round:", ("no-answer", 5, 1)),
        (f"{NUMBERS}east-doubles: perhaps", ("no-answer", 5, 15)),
        (f"{NUMBERS}winner: W\nby: me", ("no-answer", 6, 5)),
        (f"{NUMBERS}winner: W\nwinner: E", ("twice", 6, 1)),
        (deal_of(south="-5"), ("no-value", 2, 8)),
        (deal_of(south="9" * 5000), ("no-value", 2, 8)),
        (deal_of(south=""), ("empty", 2, 1)),
        (deal_of(south="[235b] 5"), ("no-suit", 2, 15)),
        (deal_of(south="112233b 456c [79d]"), ("no-meld", 2, 21)),
        (deal_of(south="\ud800"), ("unreadable", 2, 8)),
        ("east: " + "1" * 60_000, ("too-long", 1, 1)),
    ],
)
def test_unreadable(text: str, found: tuple[str, int, int]) -> None:
    code, *place = problems(text)[0]
    assert place == list(found[1:])
    assert code == found[0] or found[0] == "unreadable"


def test_several_mistakes_are_told_together() -> None:
    text = f"east: {EAST}\nsouth: 11q\nrules bmxa\nwest: 123b 456b 789b 11d 44c +4c\n"
    found = [code for code, _, _ in problems(text)]
    assert found[0] == "missing-seat"
    assert found[-2:] == ["unknown-ruleset", "two-winners"]
    with pytest.raises(NotationError):
        parse_deal(text)


def test_who_discarded_is_told_with_other_mistakes() -> None:
    text = deal_of(south=f"{SOUTH} round:E", east=EAST, by="W", round="S")
    assert [code for code, _, _ in problems(text)] == ["two-rounds", "contradiction"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("east 50\nsouth: 80\nwest: 20\nnorth: 0", "write `east: ...`"),
        ("E: 50\nsouth: 80\nwest: 20\nnorth: 0", "did you mean `east`?"),
        (deal_of(south="9" * 11), "it is a whole number of points, from 0 to 999,999,999"),
        (deal_of(south="50.5"), "it is a whole number of points, from 0 to 999,999,999"),
    ],
)
def test_one_mistake_is_told_once_with_the_way_out(text: str, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_deal(text)
    assert [problem.help for problem in caught.value.problems] == [told]


def test_mistakes_that_are_not_told_are_counted() -> None:
    found = problems(NUMBERS + "x: 1\n" * 14)
    assert len(found) == 11
    assert found[-1] == ("more-problems", 15, 1)
    with pytest.raises(NotationError, match="there are 4 more problems"):
        parse_deal(NUMBERS + "x: 1\n" * 14)


def test_what_a_mistake_hides_is_no_second_mistake() -> None:
    assert [code for code, _, _ in problems(deal_of(east="11q +1q", by="S"))] == [
        "unknown-word"
    ] * 2


def test_mangled_texts_are_read_or_refused() -> None:
    random, read = Random(5), 0
    files = sorted((Path(__file__).parent / "deals").iterdir())
    texts = [file.read_text(encoding="utf-8") for file in files]
    letters = "".join(texts) + "\0\t\r\u202e\ud800五🀆"
    for _ in range(400):
        text = list(random.choice(texts))
        for _ in range(random.randrange(1, 5)):
            at = random.randrange(len(text))
            text[at : at + random.randrange(3)] = random.choices(letters, k=random.randrange(3))
        try:
            read += parse_deal("".join(text)) is not None
        except MjaspError as error:
            placed = [each for each in error.problems if each.code != "missing-seat"]
            assert all(problem.line and problem.column for problem in placed)
            assert error.render().replace("\n", "").isprintable()  # noqa: PT017
    assert read > 20
