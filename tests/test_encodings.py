"""The encodings layer by layer: a few facts in, atoms out."""

from __future__ import annotations

import re
from collections.abc import Iterable

import clingo
import pytest

import mjasp
from mjasp import facts, resources

FOLDER = resources.encodings()
TILES = "base/tiles.lp"
PRESENCE = [TILES, "decompose/presence.lp"]
DIVISION = [
    *(TILES, "base/hand.lp", "decompose/presence.lp"),
    *("decompose/winning.lp", "decompose/requirements.lp"),
]
CONDITIONS = [f"conditions/{path.name}" for path in FOLDER.glob("conditions/*.lp")]
RULESET = ["base/ruleset.lp", "base/played.lp"]
SHAPES = [*DIVISION, *RULESET, "decompose/shapes.lp", "decompose/knitted.lp"]

Model = set[str]


def text_of(name: str) -> str:
    """An encoding without what it includes."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return re.sub(r"^#include.*$", "", text, flags=re.MULTILINE)


def solve(names: Iterable[str], stated: str) -> list[Model]:
    """Every answer set of these encodings with these facts, as all its atoms."""
    control = clingo.Control(["0"], logger=lambda *_: None)
    for name in names:
        control.add("base", [], text_of(name))
    control.add("base", [], stated)
    control.ground([("base", [])])
    found: list[Model] = []
    control.solve(on_model=lambda model: found.append(set(map(str, model.symbols(atoms=True)))))
    return found


def only(names: Iterable[str], stated: str) -> Model:
    """The one answer set."""
    (model,) = solve(names, stated)
    return model


def stated_by(text: str) -> str:
    """The facts of a hand."""
    hand, _ = mjasp.parse(text).resolved()
    return " ".join(f"{fact}." for fact in facts.hand_facts(hand))


def of(model: Model, predicate: str) -> Model:
    """The atoms of a predicate, without its name where it has arguments."""
    start = f"{predicate}("
    return {atom.removeprefix(start)[:-1] for atom in model if atom.startswith(start)}


# ---- base


def test_tiles() -> None:
    model = only([TILES], "")
    counts = {
        "tile": 34,
        "simple": 21,
        "terminal": 6,
        "honour": 7,
        "major": 13,
        "green": 6,
        "bonus_tile": 8,
    }
    assert {name: len(of(model, name)) for name in counts} == counts
    assert of(model, "simple") | of(model, "major") == of(model, "tile")
    contains = of(model, "contains")
    assert sum(atom.startswith("chow") for atom in contains) == 7 * 3 * 3
    assert "chow(suited(dots,7)),suited(dots,9)" in contains
    assert "kong(dragon(white)),dragon(white)" in contains


def test_tiles_are_those_of_the_program() -> None:
    model = only([TILES], "")
    terms = {facts.tile_term(tile) for tile in mjasp.Tile}
    assert of(model, "tile") | of(model, "bonus_tile") == terms


def test_all_that_a_hand_states_is_an_input() -> None:
    control = clingo.Control(logger=lambda *_: None)
    for name in (TILES, "base/hand.lp", "base/ruleset.lp"):
        control.add("base", [], text_of(name))
    control.ground([("base", [])])
    inputs = {str(atom.symbol) for atom in control.symbolic_atoms if atom.is_external}
    for text in (
        "(1111c) [2222d claimed] [345b] 99b [66b+6b] loose kong-on-kong seat:S round:W f1 s4",
        "123b 345c 678c 99d [45d+6d] wall first-turn original-call seat:E round:N",
        "[RRRR] [EEE] 123c 55c 4d [4d+4d] discard last-tile",
        "147b 258c 369d ESWN fishing",
    ):
        hand = mjasp.parse(text).resolved()[0]
        assert set(facts.hand_facts(hand)) <= inputs


def test_no_input_is_true_by_itself() -> None:
    (model,) = solve([TILES, "base/hand.lp"], "")
    assert not {atom for atom in model if atom.startswith(("held", "won_on", "seat", "source"))}


RULES = """
    rule(plain, "Plain", all). condition(plain, no_chow). value(plain, points, 2).
    rule(twice, "Twice", winner). condition(twice, won).
    value(twice, exposed, points, 2). value(twice, concealed, points, 4).
    rule(big, "Big", winner). condition(big, four_kongs). value(big, limits, 1).
"""


def test_a_rule_set_pays_what_it_says() -> None:
    model = only(RULESET, RULES)
    assert of(model, "in_force") == {"plain", "twice", "big"}
    assert of(model, "special") == {"big"}
    assert of(model, "pays") == {
        *("plain,points,2", "big,limits,1"),
        *("twice,exposed,points,2", "twice,concealed,points,4"),
    }


def test_a_variant_states_only_what_differs() -> None:
    changes = "drop(big). change(plain, doubles, 1). change(twice, points, 9)."
    model = only(RULESET, RULES + changes)
    assert of(model, "in_force") == {"plain", "twice"}
    assert of(model, "special") == set()
    paid = {atom for atom in of(model, "pays") if not atom.startswith("big")}
    assert paid == {"plain,doubles,1", "twice,points,9"}


@pytest.mark.parametrize(
    ("hand", "fires"),
    [
        ("won. divided.", {"standard": {"plain,hand", "twice,hand"}, "big": {"big,hand"}}),
        ("lost.", {"lost": {"plain,hand"}}),
    ],
)
def test_a_rule_fires_in_its_scope_and_count(hand: str, fires: dict[str, Model]) -> None:
    files = [*RULESET, "decompose/counting.lp", "base/firing.lp"]
    found = solve(files, f"{RULES} {hand} holds((no_chow; won; four_kongs), hand).")
    assert {
        counted: {",".join(atom.split(",")[:2]) for atom in of(model, "fires")}
        for model in found
        for counted in of(model, "counted_as")
    } == fires


# ---- decompose


def test_presence_looks_at_every_tile() -> None:
    model = only(PRESENCE, stated_by("[111b] (RRRR) 55c 234b 11d +1d discard"))
    assert of(model, "has_suit") == {"bamboo", "characters", "dots"}
    assert {"has_honour", "has_simple", "has_terminal", "declared_set"} <= model
    assert of(model, "present") >= {"suited(bamboo,1)", "dragon(red)", "suited(characters,5)"}


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("111b 999b 111c 999c 1d", {"has_simple", "has_honour", "declared_set"}),
        ("[EEE] [SSS] [WWW] RRRG", {"has_simple", "has_terminal", "has_suit(bamboo)"}),
        ("222b 333b 444b 66b GG", {"other_than_green", "has_terminal", "has_suit(dots)"}),
        ("234b 567b 888b 2233b", {"other_than_suit(bamboo)", "has_honour", "has_terminal"}),
    ],
)
def test_presence_of_nothing_else(text: str, absent: Model) -> None:
    assert not absent & only(PRESENCE, stated_by(text))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("[222b] 345c 678c 99d 45d +6d", 1),
        ("[222b] 345c 678c 99d 45d +7d", 0),
        # Pungs or chows.
        ("111b 222b 333b 45c 11d +3c", 2),
        # Four pungs, 111b and three 234b, three 123b and 444b.
        ("111222333444b 5d +5d", 3),
        # The 4 completed the pair or the chow; what the table knows leaves one.
        ("[222b] 345c 678c 4456d +4d", 2),
        ("[222b] 345c 678c 44d [56d+4d]", 1),
        ("[222b] 345c 678c 56d [44d+4d]", 0),
        # Equal chows are counted, not told apart.
        ("123b 12b 99d 456d 789d +3b", 1),
        # A declared kong is never completed, four alike in hand are a pung and a chow.
        ("(2222b) 345c 678c 99d 45d +6d", 1),
        ("[678c] 22234b 99d 456d +2b", 2),
        # Two pairs, or five sets, are no win.
        ("[123b] [456b] [789b] 11c 2d 2d +3d", 0),
        ("[123b] [456b] [789b] 123c 2d +4d", 0),
        # A loser's tiles are not chosen from.
        ("111b 222b 333b 45c 11d", 1),
    ],
)
def test_divisions(text: str, count: int) -> None:
    found = solve(DIVISION, stated_by(text))
    assert len(found) == count
    for model in found:
        assert len(of(model, "completed")) == ("won" in model)


def test_equal_chows_are_counted() -> None:
    model = only(DIVISION, stated_by("123b 12b 99d 456d 789c +3b"))
    assert of(model, "formed") == {
        *("chow(suited(bamboo,1)),1", "chow(suited(bamboo,1)),2"),
        *("chow(suited(dots,4)),1", "chow(suited(characters,7)),1", "pair(suited(dots,9)),1"),
    }


def test_a_division_may_be_looked_at_leniently() -> None:
    stated = stated_by("[222b] 345c 678c 56d [44d+4d]")
    assert len(solve(DIVISION, stated + "lenient.")) == 2


def test_sets_of_a_loser() -> None:
    stated = "lost. held(wind(east),1..4). held(wind(south),1..3). held(wind(west),1..2)."
    model = only(["decompose/losing.lp"], stated + "held(wind(north),1).")
    assert of(model, "formed") == {
        *("pung(wind(east)),1", "single(wind(east)),1", "pung(wind(south)),1"),
        *("pair(wind(west)),1", "single(wind(north)),1"),
    }
    assert not of(only(["decompose/losing.lp"], "held(wind(east),1..3)."), "formed")


def sought(*shapes: str) -> str:
    """Facts of a rule for each of the shapes."""
    return " ".join(f'rule({c}, "", winner). condition({c}, {c}). ' for c in shapes)


@pytest.mark.parametrize(
    ("text", "matched", "divided"),
    [
        ("1112345678999c +1c", {"nine_gates", "nine_gates_nine_sided"}, True),
        ("1112345678999c +5c", {"nine_gates", "nine_gates_nine_sided"}, True),
        ("1112355678999c +4c", {"nine_gates"}, True),
        ("1112345678999c +5b", set(), False),
        ("[234c] 1115678999c +5c", set(), True),
        ("1113334567899c +9c", set(), True),
        ("19b 19c 19d ESWN RGWh +E", {"thirteen_orphans"}, False),
        ("19b 19c 9d EESWN RGWh +1d", {"thirteen_orphans"}, False),
        ("19b 19c 29d ESWN RGWh +E", set(), False),
        ("119b 19c 9d EESWN RG +9b", set(), False),
    ],
)
def test_shapes(text: str, matched: Model, divided: bool) -> None:  # noqa: FBT001
    shapes = ("nine_gates", "nine_gates_nine_sided", "thirteen_orphans")
    found = solve(SHAPES, stated_by(text) + sought(*shapes))
    assert {shape for model in found for shape in of(model, "matched")} == matched
    assert any("divided" in model for model in found) == divided


def test_a_shape_that_no_rule_looks_for_is_no_win() -> None:
    orphans = stated_by("19b 19c 19d ESWN RGWh +E")
    assert solve(SHAPES, orphans + sought("nine_gates")) == []
    assert len(solve(SHAPES, orphans + sought("thirteen_orphans"))) == 1


@pytest.mark.parametrize(
    ("holds", "counts", "whole"),
    [
        ("holds(won, hand).", {"standard"}, set()),
        ("holds(four_kongs, hand).", {"standard", "big"}, set()),
        ("holds(dealt, hand). event(dealt).", {"standard", "dealt"}, {"dealt"}),
    ],
)
def test_how_a_hand_is_counted(holds: str, counts: Model, whole: Model) -> None:
    dealt = 'rule(dealt, "Dealt", winner). condition(dealt, dealt). value(dealt, limits, 1).'
    files = [*RULESET, "decompose/counting.lp"]
    found = solve(files, f"{RULES} {dealt} won. divided. {holds}")
    assert {count for model in found for count in of(model, "counted_as")} == counts
    assert len(found) == len(counts)
    wholes = [of(model, "counted_as") for model in found if "as_a_whole" in model]
    assert wholes == [whole] * bool(whole)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[222b] 345c 678c 4456d", {"suited(dots,4)", "suited(dots,7)"}),
        ("(5555b) 34b 99c 678c 678d", {"suited(bamboo,2)"}),
        ("[222b] 2b 345c 678c 456d", set()),
        ("[555b] [567b] [345c] 34b 99c", {"suited(bamboo,2)"}),
        ("19b 19c 19d ESWN RRG", {"dragon(white)"}),
    ],
)
def test_waits(text: str, expected: Model) -> None:
    hand = mjasp.parse(text)
    stated = " ".join(f"{fact}." for fact in facts.waiting_facts(hand))
    found = solve([*SHAPES, "decompose/waits.lp"], stated + sought("thirteen_orphans"))
    assert {tile for model in found for tile in of(model, "tried")} == expected


# ---- conditions

CHOW = "formed(chow(suited(dots,1)),1)."
EAST = "seat(east). round(east)."


@pytest.mark.parametrize(
    ("stated", "hold", "do_not"),
    [
        (
            "formed(pung(suited(dots,2)),1). formed(pair(dragon(red)),1).",
            {"pung_of_simples,pung(suited(dots,2))", "pair_of_dragons,pair(dragon(red))"},
            {"pung_of_majors,pung(suited(dots,2))", "pung_or_kong_of_dragons,pair(dragon(red))"},
        ),
        (
            f"declared(kong(wind(east)),claimed,1). {EAST}",
            {
                "kong_of_majors,kong(wind(east))",
                "pung_or_kong_of_seat_wind,kong(wind(east))",
                "pung_or_kong_of_round_wind,kong(wind(east))",
            },
            {"kong_of_simples,kong(wind(east))", "pung_of_majors,kong(wind(east))"},
        ),
        (
            f"formed(pair(wind(east)),1). formed(pair(wind(south)),1). {EAST}",
            {"pair_of_seat_wind,pair(wind(east))", "pair_of_round_wind,pair(wind(east))"},
            {"pair_of_seat_wind,pair(wind(south))"},
        ),
        ("formed(pung(dragon(red)),1).", {"no_chow,hand"}, set()),
        (CHOW, set(), {"no_chow,hand"}),
        ("declared(chow(suited(dots,1)),exposed,1).", set(), {"no_chow,hand"}),
    ],
)
def test_conditions_of_sets(stated: str, hold: Model, do_not: Model) -> None:
    holds = of(only([*PRESENCE, *CONDITIONS], f"won. divided. {stated}"), "holds")
    assert hold <= holds
    assert not do_not & holds


@pytest.mark.parametrize(
    ("text", "hold", "do_not"),
    [
        ("[123c] 456c 999c NNN E", {"one_suit_and_honours"}, {"one_suit", "every_tile_major"}),
        ("[123c] 456c 999c 1177c", {"one_suit"}, {"one_suit_and_honours"}),
        ("[123b] 456c 999c NNN E", set(), {"one_suit", "one_suit_and_honours"}),
        ("[EEE] SSS NNN RRR G", {"every_tile_major", "sets_of_honours"}, {"one_suit_and_honours"}),
        ("[EEE] SSS NNN 999c G", {"every_tile_major"}, {"sets_of_honours", "sets_of_terminals"}),
        ("[111b] 999b 111c 999c 1d", {"sets_of_terminals"}, {"sets_of_honours"}),
        ("[222b] 333b 444b 66b GG", {"sets_of_green_tiles"}, {"one_suit"}),
        ("[222b] 333b 444b 55b GG", set(), {"sets_of_green_tiles"}),
    ],
)
def test_conditions_of_suits(text: str, hold: Model, do_not: Model) -> None:
    model = only([*PRESENCE, *CONDITIONS], f"won. divided. {stated_by(text)}")
    holds = {atom.removesuffix(",hand") for atom in of(model, "holds")}
    assert hold <= holds
    assert not do_not & holds


WALL = "source(wall). drawn."
DISCARD = "source(discard). claimed."


@pytest.mark.parametrize(
    ("stated", "hold", "do_not"),
    [
        (WALL, {"concealed_before_winning", "concealed_and_drawn"}, {"concealed_and_claimed"}),
        (DISCARD, {"concealed_before_winning", "concealed_and_claimed"}, {"concealed_and_drawn"}),
        ("declared(kong(wind(east)),concealed,1).", {"concealed_before_winning"}, set()),
        ("declared(kong(wind(east)),exposed,1).", set(), {"concealed_before_winning"}),
        ("declared(kong(wind(east)),claimed,1).", set(), {"concealed_before_winning"}),
        (f"{WALL} last_tile.", {"last_tile_drawn", "drawn_from_wall"}, {"last_discard_claimed"}),
        (f"{DISCARD} last_tile.", {"last_discard_claimed"}, {"last_tile_drawn"}),
        ("source(loose). drawn.", {"loose_tile"}, {"drawn_from_wall", "robbed_kong"}),
        ("source(robbing). claimed.", {"robbed_kong"}, {"loose_tile"}),
        (f"{WALL} first_turn. seat(east).", {"won_with_dealt_hand"}, {"won_on_first_discard"}),
        (f"{DISCARD} first_turn. seat(west).", {"won_on_first_discard"}, {"won_with_dealt_hand"}),
        (f"{WALL} seat(east).", set(), {"won_with_dealt_hand"}),
    ],
)
def test_conditions_of_winning(stated: str, hold: Model, do_not: Model) -> None:
    model = only([*PRESENCE, *CONDITIONS], f"won. divided. {stated}")
    holds = {atom.removesuffix(",hand") for atom in of(model, "holds")}
    assert hold <= holds
    assert not do_not & holds


def test_a_set_is_exposed_by_how_it_came() -> None:
    pung = "formed(pung(dragon(red)),1). completed(pung(dragon(red)))."
    laid_down = "declared(kong(wind(east)),concealed,1). declared(kong(wind(west)),claimed,1)."
    drawn = only([*PRESENCE, *CONDITIONS], f"won. divided. {pung} {laid_down} {WALL}")
    claimed = only([*PRESENCE, *CONDITIONS], f"won. divided. {pung} {laid_down} {DISCARD}")
    assert of(drawn, "exposed") == {"kong(wind(west))"}
    assert of(claimed, "exposed") == {"kong(wind(west))", "pung(dragon(red))"}


@pytest.mark.parametrize(
    ("lowest", "winning", "one_chance"),
    [
        *((1, 1, False), (1, 2, True), (1, 3, True), (2, 4, False), (3, 3, False)),
        *((4, 5, True), (6, 8, False), (7, 7, True), (7, 8, True), (7, 9, False)),
    ],
)
def test_one_chance_chows(lowest: int, winning: int, one_chance: bool) -> None:  # noqa: FBT001
    stated = f"completed(chow(suited(dots,{lowest}))). winning(suited(dots,{winning}))."
    holds = of(only([*PRESENCE, *CONDITIONS], f"won. divided. {stated}"), "holds")
    assert (f"completed_one_chance_chow,chow(suited(dots,{lowest}))" in holds) == one_chance


def test_another_wait_spoils_the_only_tile() -> None:
    stated = "won. divided. completed(pair(wind(east))). winning(wind(east)). wait(wind(east))."
    stated += "needs_waits. tied(completed_pair_with_only_tile)."
    condition = "completed_pair_with_only_tile,pair(wind(east))"
    assert condition in of(only([*PRESENCE, *CONDITIONS], stated), "holds")
    model = only([*PRESENCE, *CONDITIONS], f"{stated} wait(wind(west)).")
    assert condition not in of(model, "holds")
    assert "completed_pair,pair(wind(east))" in of(model, "holds")


def test_limit_hands_of_sets() -> None:
    def pungs(*tiles: str, kind: str = "pung") -> str:
        return " ".join(f"formed({kind}({tile}),1)." for tile in tiles)

    def holds(stated: str) -> Model:
        model = only([*PRESENCE, *CONDITIONS], f"won. divided. {stated}")
        return {atom.removesuffix(",hand") for atom in of(model, "holds")}

    winds = [f"wind({wind})" for wind in ("east", "south", "west", "north")]
    dragons = [f"dragon({colour})" for colour in ("red", "green", "white")]
    assert "four_wind_sets" in holds(pungs(*winds))
    three = pungs(*winds[:3]) + f"formed(pair({winds[3]}),1)."
    assert "three_wind_sets_and_pair" in holds(three)
    assert "four_wind_sets" not in holds(three)
    assert "three_wind_sets_and_pair" not in holds(pungs(*winds))
    assert "three_dragon_sets_without_chow" in holds(pungs(*dragons))
    assert "three_dragon_sets_without_chow" not in holds(pungs(*dragons) + CHOW)
    assert {"four_concealed_pungs", "four_concealed_pungs_or_kongs"} <= holds(pungs(*winds))
    mixed = pungs(*winds[:3]) + "declared(kong(dragon(red)),concealed,1)."
    assert "four_concealed_pungs" not in holds(mixed)
    assert "four_concealed_pungs_or_kongs" in holds(mixed)
    assert "four_concealed_pungs_or_kongs" not in holds(mixed.replace("concealed", "claimed"))
    kongs = " ".join(f"declared(kong({wind}),exposed,1)." for wind in winds)
    assert "four_kongs" in holds(kongs)
    assert "four_kongs" not in holds(pungs(*winds))
