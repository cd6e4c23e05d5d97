"""The text and the JSON of scores made by hand: layout, sums, differences, widths."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from bench.hands import losing_hands, won_hands
from mjasp.engine import Engine
from mjasp.hand import Hand, Kind, Meld
from mjasp.models import Award
from mjasp.notation import parse
from mjasp.render.document import Document
from mjasp.render.draw import name_set, state_of
from mjasp.render.json import ruleset_dict, rulesets_dict, score_dict, waits_dict
from mjasp.render.listing import ruleset_text, rulesets_text, sections_of, waits_text
from mjasp.render.page import WIDTH, Page
from mjasp.render.score import decompose_text, score_text
from mjasp.render.text import text_of
from mjasp.render.trace import trace
from mjasp.rulesets import ContestedReading, Otherwise, Rule, Ruleset, shipped
from mjasp.scoring import (
    Assumption,
    Bonus,
    Calling,
    Deferred,
    Interpretation,
    ReadingEffect,
    Score,
)
from mjasp.tiles import Tile
from mjasp.words import Words

ENGLISH = Words()
HAND = parse("111222333b 45c 11d +3c discard seat:E round:E")
BOOK = "The Book"
PUNGS = tuple(Meld(Kind.PUNG, (tile,) * 3) for tile in (Tile.B1, Tile.B2, Tile.B3))
CHOW = Meld(Kind.CHOW, (Tile.B1, Tile.B2, Tile.B3))
REST = (
    Meld(Kind.CHOW, (Tile.C3, Tile.C4, Tile.C5), exposed=True, completed=True),
    Meld(Kind.PAIR, (Tile.D1, Tile.D1)),
)


def award(
    rule: str,
    *,
    points: int = 0,
    doubles: int = 0,
    limits: Fraction | int = 0,
    of: Meld | None = None,
    part: str = "hand",
    book: str = BOOK,
) -> Award:
    assert part in {"hand", "bonus"}
    return Award(
        rule=rule,
        name=rule.replace("_", " ").capitalize(),
        points=points,
        doubles=doubles,
        limits=Fraction(limits),
        tiles=of.tiles if of else (),
        set=None,
        part="bonus" if part == "bonus" else "hand",
        source=f"{book}: Table: {rule}",
    )


def counted(
    sets: tuple[Meld, ...], *fired: Award, name: str | None = None, cap: int | None = 500
) -> Interpretation:
    hand = [each for each in fired if each.part == "hand"]
    extra = [each for each in fired if each.part == "bonus"]
    points, doubles = sum(each.points for each in hand), sum(each.doubles for each in hand)
    limits = sum((each.limits for each in hand), Fraction(0))
    bonus = Bonus(sum(a.points for a in extra), sum(a.doubles for a in extra)) if extra else None
    uncapped = int(limits * 500) + (points << doubles)
    uncapped += bonus.points << bonus.doubles if bonus else 0
    total = uncapped if cap is None else min(uncapped, cap)
    return Interpretation(
        kind="special" if name else "standard",
        name=name,
        sets=sets,
        fired=fired,
        points=points,
        doubles=doubles,
        limits=limits,
        bonus=bonus,
        uncapped=uncapped,
        capped=total < uncapped,
        total=total,
    )


GOING_OUT = award("going_out", points=20)
AS_CHOWS = counted(
    (CHOW, CHOW, CHOW, *REST),
    GOING_OUT,
    award("concealed_hand", points=10),
    award("chow_hand", doubles=1),
)
AS_PUNGS = counted(
    (*PUNGS, *REST),
    award("pung_of_terminals", points=8, of=PUNGS[0]),
    award("pung_of_simples", points=4, of=PUNGS[1]),
    award("pung_of_simples", points=4, of=PUNGS[2]),
    GOING_OUT,
    award("concealed_hand", points=10),
)


def scored(*interpretations: Interpretation, hand: Hand = HAND) -> Score:
    return Score(
        given=hand,
        hand=hand.resolved()[0],
        ruleset="book",
        outcome="won" if hand.winning else "lost",
        limit=500,
        interpretations=interpretations,
        assumed=(),
        readings=(),
        notes=(),
        reasons=(),
        deferred_waits=Deferred.known((Tile.C3,)),
    )


def lines_of(text: str) -> list[str]:
    lines = text.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert not [line for line in lines if line != line.rstrip()]
    return lines


def test_head_tells_hand_rules_and_result() -> None:
    assert lines_of(score_text(scored(AS_CHOWS)))[:3] == [
        "Hand     111222333b 45c 11d +3c discard seat:E round:E",
        "Rules    book: The Book",
        "Result   60, won",
    ]


def test_sets_tell_state_and_winning_tile() -> None:
    lines = lines_of(score_text(scored(AS_PUNGS)))
    at = lines.index("Sets")
    assert lines[at + 1 : at + 6] == [
        "  111b     pung of 1 bamboo        concealed",
        "  222b     pung of 2 bamboo        concealed",
        "  333b     pung of 3 bamboo        concealed",
        "  45c+3c   chow 3-4-5 characters   exposed, completed by the winning tile",
        "  11d      pair of 1 dots          concealed",
    ]


def test_tiles_in_no_set_are_one_row() -> None:
    singles = tuple(Meld(Kind.SINGLE, (tile,)) for tile in (Tile.B1, Tile.B2, Tile.E))
    lines = lines_of(score_text(scored(counted((PUNGS[0], *singles)))))
    assert "  12bE   in no set          concealed" in lines


def test_points_are_summed_and_doubles_are_steps() -> None:
    lines = lines_of(score_text(scored(AS_CHOWS)))
    at = lines.index("Points")
    assert lines[at : at + 12] == [
        "Points",
        "    20  Going out",
        "          Table: going_out",
        "    10  Concealed hand",
        "          Table: concealed_hand",
        "   ---",
        "    30  points",
        "",
        "Doubles",
        "     1  Chow hand",
        "          Table: chow_hand",
        "        30 x 2 = 60",
    ]
    assert "Total    60" in lines


def test_several_doubles_of_one_rule_are_written_out() -> None:
    text = score_text(scored(counted(REST, GOING_OUT, award("one_suit", doubles=3))))
    assert "        20 x 2 x 2 x 2 = 160" in lines_of(text)


def test_tiles_of_awards_stand_in_one_column() -> None:
    lines = lines_of(score_text(scored(AS_PUNGS)))
    at = lines.index("Points")
    assert lines[at + 1 : at + 6 : 2] == [
        "     8  Pung of terminals   111b",
        "     4  Pung of simples     222b",
        "     4  Pung of simples     333b",
    ]


def test_runner_up_tells_what_differs() -> None:
    lines = lines_of(score_text(scored(AS_CHOWS, AS_PUNGS)))
    at = lines.index("Runner-up: 46")
    assert lines[at + 1 :] == [
        "  sets          111b 222b 333b",
        "  in place of   123b 123b 123b",
        "  without       Chow hand: 1 double",
        "  with          Pung of terminals, 111b: 8 points",
        "  with          Pung of simples, 222b: 4 points",
        "  with          Pung of simples, 333b: 4 points",
        "  sum           46 points: 46",
    ]


def test_interpretations_with_the_same_awards_are_one_line() -> None:
    elsewhere = (replace(REST[0], completed=False), REST[1])
    twin = replace(AS_CHOWS, sets=(CHOW, CHOW, CHOW, *elsewhere))
    lines = lines_of(score_text(scored(AS_CHOWS, twin)))
    assert lines[-2:] == ["Total    60", "Also as  123b 123b 123b 345c 11d"]


def test_share_of_a_limit_is_rounded_down() -> None:
    share = counted(REST, award("wonder", limits=Fraction(1, 3)), name="wonder")
    assert "        1/3 of the limit of 500, rounded down = 166" in lines_of(
        score_text(scored(share))
    )


def test_calling_is_named_by_what_is_paid_for_it() -> None:
    fired = award("calling_wonder", limits=Fraction(2, 5))
    calling = replace(counted(REST, fired, name="wonder"), kind="lost")
    score = replace(scored(calling, replace(AS_PUNGS, kind="lost")), outcome="lost")
    assert "          Calling wonder: 2/5 of the limit of 500: 200" in lines_of(
        decompose_text(score)
    )


def test_runner_up_of_the_same_sets_is_told_without_them() -> None:
    special = counted(REST, award("wonder", limits=1), name="wonder")
    lines = lines_of(score_text(scored(special, counted(REST, GOING_OUT))))
    at = lines.index("Runner-up: 20")
    assert lines[at + 1 :] == ["  counted as   an ordinary hand", "  sum          20 points: 20"]


def test_runner_up_counted_otherwise_is_named() -> None:
    whole = Meld(Kind.WHOLE_HAND, tuple(sorted((*HAND.concealed, Tile.C3))), completed=True)
    special = counted((whole,), award("wonder", limits=1), name="wonder")
    lines = lines_of(score_text(scored(special, AS_CHOWS)))
    assert "        1 x the limit of 500 = 500" in lines
    at = lines.index("Runner-up: 60")
    assert lines[at + 1 :] == [
        "  counted as   an ordinary hand",
        "  sets         123b 123b 123b 45c+3c 11d",
        "  sum          30 points, 1 double: 60",
    ]
    assert lines_of(decompose_text(scored(special, AS_CHOWS)))[4:] == [
        "  500   111222333b45c11d+3c",
        "          Wonder: 1 x the limit of 500: 500",
        "   60   123b 123b 123b 45c+3c 11d",
        "          30 points, 1 double: 60",
    ]


def test_part_of_a_limit_and_flowers_are_added() -> None:
    both = counted(
        REST,
        award("wonder", limits=Fraction(2, 5)),
        award("flower", points=8, part="bonus"),
        award("own_flower", doubles=1, part="bonus"),
    )
    lines = lines_of(score_text(scored(both)))
    assert "        2/5 of the limit of 500 = 200" in lines
    assert "        8 x 2 = 16" in lines
    assert "        200 + 16 = 216" in lines
    assert lines_of(decompose_text(scored(both)))[-1] == (
        "          2/5 of the limit of 500; flowers and seasons 8 points, 1 double: 216"
    )


@pytest.mark.parametrize(
    ("cap", "told"),
    [
        (500, "640 is more than the limit of 500, which counts."),
        (None, "The limit of 500 is lifted."),
    ],
)
def test_limit_is_told(cap: int | None, told: str) -> None:
    high = counted(REST, GOING_OUT, award("one_suit", doubles=5), cap=cap)
    lines = lines_of(score_text(scored(high)))
    assert told in lines
    assert f"Total    {cap or 640}" in lines


def test_assumptions_readings_and_notes_are_told() -> None:
    score = replace(
        scored(AS_CHOWS),
        assumed=(
            Assumption("seat", "E", (("S", 62), ("W", None), ("N", 62))),
            Assumption("round", "E", None),
            Assumption("limit", 500, ()),
        ),
        readings=(ReadingEffect("wait", "shape", (("only-tile", 64),)),),
        notes=("Flowers and seasons do not count in this rule set.",),
    )
    text = score_text(score)
    lines = lines_of(text)
    at = lines.index("Assumed, and the total otherwise")
    assert lines[at + 1 :] == [
        "  seat E      S, N: 62; W: no win",
        "  round E",
        "  limit 500   the rule text prints none",
        "",
        "Contested readings, and the total otherwise",
        "  wait = shape   only-tile: 64",
        "",
        "Notes",
        "  - Flowers and seasons do not count in this rule set.",
    ]


def false_win() -> Score:
    lost = replace(counted(PUNGS, award("pung_of_simples", points=4, of=PUNGS[1])), kind="lost")
    return replace(scored(lost), outcome="false-win", reasons=("the tiles make no four sets",))


def test_false_win_tells_why_and_what_it_is_worth() -> None:
    lines = lines_of(score_text(false_win()))
    assert lines[2:8] == [
        "Result   no win",
        "",
        "Why it is no win",
        "  - the tiles make no four sets",
        "",
        "Without the winning tile, as a hand that did not win:",
    ]
    assert "Total    4" in lines


def test_hand_without_awards_is_worth_nothing() -> None:
    lines = lines_of(score_text(scored(counted(REST))))
    at = lines.index("Points")
    assert lines[at + 1] == "     0  points"


def test_long_texts_stay_within_the_page() -> None:
    long = replace(
        award("a_rule_with_a_name_that_goes_on_and_on_until_nobody_reads_it_any_more", points=2),
        source="A Title: " + "a row as printed, which is long " * 6,
        tiles=HAND.concealed,
    )
    score = scored(counted((*PUNGS * 6, *REST), long), AS_CHOWS)
    lines_of(score_text(score, every=True))
    lines_of(decompose_text(score))


def test_every_interpretation_is_traced_on_demand() -> None:
    lines = lines_of(score_text(scored(AS_CHOWS, AS_PUNGS), every=True))
    assert "Interpretation 2: 46, counted as an ordinary hand" in lines
    assert [line for line in lines if line.startswith("Total")] == ["Total    60", "Total    46"]


def test_sources_of_several_books_are_told_whole() -> None:
    fired = (GOING_OUT, award("flower", points=4, book="Another Book"))
    text = score_text(scored(counted(REST, *fired)))
    assert "          The Book: Table: going_out" in lines_of(text)
    assert "Rules    book\n" in text


def test_colour_adds_nothing_but_escape_sequences() -> None:
    score = scored(AS_CHOWS, AS_PUNGS)
    coloured = score_text(score, colour=True)
    assert re.sub(r"\x1b\[\d+m", "", coloured) == score_text(score)
    assert "\x1b[1mTotal    60\x1b[0m" in coloured


def test_decompose_lists_all_best_first() -> None:
    assert lines_of(decompose_text(scored(AS_CHOWS, AS_PUNGS)))[4:] == [
        "  60   123b 123b 123b 45c+3c 11d",
        "         30 points, 1 double: 60",
        "  46   111b 222b 333b 45c+3c 11d",
        "         46 points: 46",
    ]


@pytest.mark.parametrize(
    ("meld", "name", "state"),
    [
        (Meld(Kind.PAIR, (Tile.E, Tile.E)), "pair of easts", "concealed"),
        (
            Meld(Kind.KONG, (Tile.D9,) * 4, exposed=True, declared=True, claimed=True),
            "kong of 9 dots",
            "exposed, claimed kong",
        ),
        (Meld(Kind.KONG, (Tile.D9,) * 4, declared=True), "kong of 9 dots", "concealed, declared"),
        (Meld(Kind.KNITTED_PAIR, (Tile.B1, Tile.C1)), "knitted pair", "concealed"),
    ],
)
def test_sets_in_words(meld: Meld, name: str, state: str) -> None:
    assert (name_set(meld, ENGLISH), state_of(meld, ENGLISH)) == (name, state)


def test_page_breaks_a_line_after_a_label_that_is_too_long() -> None:
    assert Page().wrap("text", 4, "a label") == ["a label", "    text"]


def test_score_as_json() -> None:
    score = replace(
        scored(AS_CHOWS, counted(REST, award("wonder", limits=Fraction(1, 2)), name="wonder")),
        assumed=(Assumption("seat", "E", (("S", None),)), Assumption("round", "E", None)),
        readings=(ReadingEffect("wait", "shape", (("only-tile", 64),)),),
    )
    told = score_dict(score)
    assert ", ".join(told) == (
        "schema, ruleset, hand, outcome, total, points, doubles, limits, bonus, uncapped, capped,"
        " limit, best, interpretations, waits, assumed, readings, notes, reasons"
    )
    assert told["hand"] == "111222333b 45c 11d +3c discard seat:E round:E"
    assert (told["total"], told["points"], told["doubles"], told["limits"]) == (60, 30, 1, 0)
    assert told["waits"] == ["3c"]
    assert told["assumed"] == [
        {"fact": "seat", "value": "E", "others": [{"value": "S", "total": None}]},
        {"fact": "round", "value": "E", "others": None},
    ]
    assert told["readings"] == [
        {"reading": "wait", "value": "shape", "others": [{"value": "only-tile", "total": 64}]}
    ]
    best, special = told["interpretations"]
    assert best["sets"][3] == {
        "kind": "chow",
        "tiles": ["3c", "4c", "5c"],
        "exposed": True,
        "declared": False,
        "completed": True,
    }
    assert best["fired"][0] == {
        "rule": "going_out",
        "name": "Going out",
        "points": 20,
        "doubles": 0,
        "limits": 0,
        "tiles": [],
        "set": None,
        "part": "hand",
        "source": "The Book: Table: going_out",
    }
    assert (special["limits"], special["kind"], special["name"]) == (0.5, "special", "wonder")


def test_score_as_json_without_sensitivity_and_as_a_false_win() -> None:
    told = score_dict(replace(false_win(), readings=None))
    assert (told["total"], told["points"], told["readings"]) == (None, 4, None)
    assert told["reasons"] == ["the tiles make no four sets"]


def test_explain_has_four_formats() -> None:
    score = scored(AS_CHOWS)
    assert score.explain() == score_text(score)
    assert score.explain("json").startswith('{\n  "schema": "mjasp/score/1"')
    assert score.explain("markdown").startswith("# 60, won\n")
    assert score.explain("html").startswith("<!DOCTYPE html>")
    with pytest.raises(ValueError, match="there are text, json, markdown, html"):
        score.explain("xml")  # type: ignore[arg-type]


RULESET = Ruleset(
    id="book",
    name="The Book's Rules",
    limit=500,
    limit_assumed=False,
    source=BOOK,
    rules=(
        Rule(
            id="pung_of_simples",
            name="Pung of simples",
            unit="points",
            values={"exposed": Fraction(2), "concealed": Fraction(4)},
            scope="all",
            source=f"{BOOK}: Table: Pung",
        ),
        Rule(
            "pair",
            "Pair",
            "points",
            {"": Fraction(2)},
            "all",
            f"{BOOK}: Table: Pair",
            otherwise=(
                Otherwise("wait", "only-tile", "doubles", {"": Fraction(1)}),
                Otherwise(
                    "odd", "yes", "points", {"exposed": Fraction(2), "concealed": Fraction(4)}
                ),
                Otherwise("odd", "no", "points", {}),
            ),
        ),
        Rule("wonder", "Wonder", "limits", {"": Fraction(1, 2)}, "winner", f"{BOOK}: Limits: W"),
    ),
    readings=(ContestedReading("wait", "shape", ("only-tile",), "whether other tiles spoil it"),),
    requirements={},
    unmet_together="",
    undivided="",
    most_chows=2,
    chows_source=f"{BOOK}: Winning: Chows",
)


def test_ruleset_in_text() -> None:
    assert lines_of(ruleset_text(RULESET, ENGLISH)) == [
        "The Book's Rules (book)",
        "Text     The Book",
        "Limit    500",
        "Chows    at most 2 in an ordinary winning hand",
        "           Winning: Chows",
        "",
        "Points for every player",
        "  exposed  concealed",
        "        2          4  Pung of simples (pung_of_simples)",
        "                        Table: Pung",
        "        2          2  Pair (pair)",
        "                        Table: Pair",
        "                        wait = only-tile: 1 double",
        "                        odd = yes: 2 points exposed, 4 points concealed",
        "                        odd = no: nothing",
        "",
        "Limit hands (multiples of the limit) for the winner",
        "   1/2  Wonder (wonder)",
        "          Limits: W",
        "",
        "Contested readings: the default, and the others for --reading",
        "  wait = shape (or only-tile)",
        "      whether other tiles spoil it",
    ]


def test_rulesets_in_text() -> None:
    unlimited = replace(RULESET, id="free", limit=None)
    assert lines_of(rulesets_text([RULESET, unlimited], ENGLISH)) == [
        "Rule sets",
        "  book   limit 500   The Book",
        "  free   no limit    The Book",
    ]


def test_rulesets_as_json() -> None:
    assert rulesets_dict([RULESET])["rulesets"] == [
        {"id": "book", "name": "The Book's Rules", "limit": 500, "source": "The Book"}
    ]
    told = ruleset_dict(RULESET)
    about = ["schema", "id", "limit", "most_chows", "chows_source"]
    assert list(told) == [*about, "rules", "readings"]
    assert (told["most_chows"], told["chows_source"]) == (2, f"{BOOK}: Winning: Chows")
    assert [rule["values"] for rule in told["rules"]] == [
        {"exposed": 2, "concealed": 4},
        {"": 2},
        {"": 0.5},
    ]
    assert told["rules"][1]["otherwise"] == [
        {"reading": "wait", "value": "only-tile", "unit": "doubles", "values": {"": 1}},
        {
            "reading": "odd",
            "value": "yes",
            "unit": "points",
            "values": {"exposed": 2, "concealed": 4},
        },
        {"reading": "odd", "value": "no", "unit": "points", "values": {}},
    ]


def test_limit_in_text() -> None:
    assumed = replace(RULESET, limit_assumed=True)
    assert "Limit    500, an assumption: the rule text prints none" in ruleset_text(
        assumed, ENGLISH
    )
    unlimited = replace(RULESET, limit=None)
    assert "Limit    none: totals are as high as they come" in ruleset_text(unlimited, ENGLISH)


def test_rules_of_one_kind_stand_together() -> None:
    pung, pair, wonder = RULESET.rules
    calling = replace(wonder, id="calling", scope="loser", values={"": Fraction(2, 5)})
    headings = [
        heading
        for heading, _ in sections_of(replace(RULESET, rules=(pung, calling, pair)), ENGLISH)
    ]
    assert headings == [
        "Points for every player",
        "Limit hands (multiples of the limit) for players who did not win",
    ]


WAITING = parse("111222333b 45c 11d seat:E round:E")
CALLING = (Calling("wonder", (Tile.C3,), 200), Calling("pair", (Tile.C3, Tile.C6), None))


def test_waits_in_text() -> None:
    assert lines_of(waits_text(WAITING, RULESET, (Tile.C3, Tile.C6), CALLING, ENGLISH)) == [
        "Hand     111222333b 45c 11d seat:E round:E",
        "Rules    book",
        "",
        "Waits",
        "  3c   3 characters",
        "  6c   6 characters",
        "",
        "Calling for special hands: total without a win, tiles",
        "  Wonder   200   3c",
        "  Pair     -     3c 6c",
    ]
    none = lines_of(waits_text(WAITING, RULESET, (), (), ENGLISH))
    assert none[-1] == "  - none: no tile would complete this hand"


def test_waits_as_json() -> None:
    assert waits_dict(WAITING, "book", (Tile.C3,), CALLING) == {
        "schema": "mjasp/waits/1",
        "ruleset": "book",
        "hand": "111222333b 45c 11d seat:E round:E",
        "waits": ["3c"],
        "calling": [
            {"rule": "wonder", "tiles": ["3c"], "total": 200},
            {"rule": "pair", "tiles": ["3c", "6c"], "total": None},
        ],
    }


@pytest.mark.parametrize("rules", shipped())
def test_printed_sums_lead_to_the_total_of_every_interpretation(rules: str) -> None:
    engine = Engine(rules)
    for hand in (*won_hands(60, seed=2), *losing_hands(20, seed=2)):
        score = engine.score(hand)
        lines_of(score_text(score, every=True))
        for each in score.interpretations:
            text = text_of(Document("", "en", trace(score, each, ENGLISH)))
            sums = re.findall(r"= (\d+)$|^ +(\d+)  points?$", text, re.MULTILINE)
            assert int("".join(sums[-1])) == each.uncapped
            for left, steps, right in re.findall(
                r"^ +(\d+)((?: x 2)+) = (\d+)$", text, re.MULTILINE
            ):
                assert int(left) << steps.count("x") == int(right)
            assert text.endswith(f"Total    {each.total}")
