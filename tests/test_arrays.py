"""Scores as arrays are those of the engine, hand by hand; rows that cannot be are refused."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from random_hands import any_hand
from test_records import some_hands

import mjasp
from mjasp import (
    Engine,
    Hand,
    HandError,
    Hands,
    Kind,
    Meld,
    MjaspError,
    NotationError,
    RulesetError,
    Score,
    Scores,
    encode,
    score_arrays,
)
from mjasp.compiled.arrays import KINDS, OUTCOMES
from mjasp.compiled.convert import hand_of
from mjasp.compiled.layout import COMPLETES, DECLARED, TILES
from mjasp.rulesets import shipped

# More for a run by hand: MJASP_MANY=20 tries twenty times as many hands.
MANY = int(os.environ.get("MJASP_MANY", "1"))
CIRCLE = Path(__file__).parent / "clubs" / "good" / "circle.lp"
PAGE = (Path(__file__).parents[1] / "docs" / "arrays.md").read_text(encoding="utf-8")


@cache
def hands() -> tuple[Hand, ...]:
    return tuple(islice(some_hands(seed=81), 250 * MANY))


@cache
def rows() -> Hands:
    return encode(hands())


def told_by(score: Score) -> dict[str, Any]:
    """What a score tells of what stands in the arrays."""
    best = score.best
    return {
        "outcome": score.outcome,
        "total": -1 if score.total is None else score.total,
        "points": best.points,
        "doubles": best.doubles,
        "limits": float(best.limits),
        "bonus_points": best.bonus.points if best.bonus else 0,
        "bonus_doubles": best.bonus.doubles if best.bonus else 0,
        "uncapped": best.uncapped,
        "interpretations": len(score.interpretations),
        "kind": best.kind,
        "name": best.name,
        "sets": [-2 - meld.exposed if meld.kind is Kind.WHOLE_HAND else meld for meld in best.sets],
        "fired": {award.rule for award in best.fired},
        "waits": score.waits,
    }


def told_of(scores: Scores, row: int) -> dict[str, Any]:
    """The same of a row of arrays."""
    assert scores.waits is not None
    sets = [code for code in scores.sets[row].tolist() if code != -1]
    assert sets == scores.sets[row, : len(sets)].tolist()
    numbers = {
        name: getattr(scores, name)[row].item()
        for name in (
            *("total", "points", "doubles", "limits", "bonus_points", "bonus_doubles"),
            *("uncapped", "interpretations"),
        )
    }
    return {
        **numbers,
        "outcome": OUTCOMES[scores.outcome[row]],
        "kind": KINDS[scores.kind[row]],
        "name": scores.names[scores.name[row]] if scores.name[row] >= 0 else None,
        "sets": [scores.melds[code] if code >= 0 else code for code in sets],
        "fired": {scores.rules[at] for at in np.flatnonzero(scores.fired[row])},
        "waits": tuple(TILES[at] for at in np.flatnonzero(scores.waits[row])),
    }


def check(rules: str, given: tuple[Hand, ...], **settings: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - as an engine's
    """What is told of the hands: the same by the engine that solves and by arrays."""
    engine = Engine(rules, **settings, engine="clingo")
    scores = score_arrays(encode(given), rules, **settings, waits=True, block=128)
    told = []
    for row, hand in enumerate(given):
        told.append(told_by(engine.score(hand)))
        assert told_of(scores, row) == told[-1], hand
    return told


@pytest.mark.parametrize("rules", shipped())
def test_scores_are_those_of_the_engine(rules: str) -> None:
    told = check(rules, hands())
    assert {each["outcome"] for each in told} == set(OUTCOMES)
    assert sum(each["interpretations"] > 1 for each in told) > 20
    kinds = {"standard", "lost"} if rules == "mahjiang" else {*KINDS}  # it has no special hands
    assert {each["kind"] for each in told} == kinds


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        ("bmja", {"limit": 37}),
        ("dmjl", {"limit": 100, "cap": False, "seat": "W"}),
        ("european-classical", {"readings": {"value_pairs": "none"}, "round": "N"}),
        ("majiang", {"cap": False, "seat": "S", "round": "S"}),
    ],
)
def test_readings_limit_cap_and_winds(rules: str, settings: Mapping[str, Any]) -> None:
    some: list[Hand] = []
    engine = Engine("dmjl", seat=settings.get("seat"), round=settings.get("round"))
    for hand in islice(hands(), 40 * MANY):
        try:  # what can be with these winds
            engine.facts(hand)
        except HandError:
            continue
        some.append(hand)
    check(rules, tuple(some), **settings)


def test_hands_read_in_several_ways() -> None:
    """What ties, what is read as a whole in more ways than one, what a claimed tile completed."""
    texts = (
        "19b19c19dESWNRGWh +1b wall",
        "19b19c19dESWNRGWh +Wh discard",
        "1112345678999b +5b wall",
        "1233344b 133344d +2d discard",
        "1234567b 123456c +7c wall",
        "1122334b 112233d +4d discard",
        "123b123c123d 456b 4c +4c wall",
        "111222333444b 5b +5b wall",
        "111122223333b 4b +4b discard",
        "123123123123c 9c +9c wall",
        "[123b] [123b] 123b 55d 23b +1b discard",
        "(1111b) [2222b] 33d RR GGG +R discard",
        "EEESSSWWWNNNR +R discard",
    )
    for rules in shipped():
        check(rules, tuple(map(mjasp.parse, texts)))


@pytest.mark.parametrize("rules", shipped())
def test_waits_are_no_condition_of_the_rest(rules: str) -> None:
    """They are then looked for only where rules ask for them."""
    whole, scores = score_arrays(rows(), rules, waits=True), score_arrays(rows(), rules)
    assert scores.waits is None
    assert_same(scores, whole)


def assert_same(scores: Scores, whole: Scores) -> None:
    """Whether scores are those of the first hands of others."""
    for each in fields(Scores):
        array, other = getattr(scores, each.name), getattr(whole, each.name)
        if isinstance(array, np.ndarray):
            assert (array == other[: len(scores)]).all(), each.name


def test_blocks_make_no_difference() -> None:
    whole = score_arrays(rows(), "bmja", waits=True)
    for size in (1, 37, 1000):
        some = rows().take(slice(0, 40)) if size == 1 else rows()
        assert_same(score_arrays(some, "bmja", waits=True, block=size, check=False), whole)
    with pytest.raises(ValueError, match="at least one hand"):
        score_arrays(rows(), block=0)


def test_what_is_given_stays_as_it_is() -> None:
    texts = ["19b19c19dESWNRGWh +1b wall", "123b 456b 789b 12c EE"]
    before, given = encode(texts), encode(texts)
    score_arrays(given, seat="W")
    for each in fields(Hands):
        assert (getattr(given, each.name) == getattr(before, each.name)).all()


@pytest.mark.parametrize("waits", [True, False])
def test_no_hands(waits: bool) -> None:  # noqa: FBT001 - a parameter of the test
    scores = score_arrays(Hands.empty(0), waits=waits)
    assert len(scores) == 0
    assert scores.fired.shape == (0, len(scores.rules))
    assert (scores.waits is not None) == waits


def test_shapes_and_types_are_as_documented() -> None:
    scores = score_arrays(rows(), waits=True)
    assert scores.rules == tuple(rule.id for rule in mjasp.ruleset("european-classical").rules)
    sizes = {"N": len(rows()), "R": len(scores.rules)}
    source = Path(sys.modules[Scores.__module__].__file__ or "").read_text(encoding="utf-8")
    documented = [
        *re.findall(r'    (\w+): .*\n    """\((.*?)\) (\w+): ', source),
        *re.findall(r"^\| `(\w+)` \| (.*?) \| (\w+) \|", PAGE, re.MULTILINE),
    ]
    names = {name for name, _, _ in documented}
    assert names == {each.name for each in (*fields(Hands), *fields(Scores))} - {
        "rules",
        "names",
        "melds",
    }
    for name, shape, dtype in documented:
        array = getattr(scores if hasattr(scores, name) else rows(), name)
        wanted = [sizes.get(size, size) for size in re.findall(r"\w+", shape)]
        assert [*map(int, wanted)] == [*array.shape], name
        assert np.dtype(dtype) == array.dtype, name


def test_rules_and_sets_of_a_row() -> None:
    scores = score_arrays(encode(["[EEE] 111222333b R +R wall"]))
    score = mjasp.score("[EEE] 111222333b R +R wall")
    assert set(scores.rules_of(0)) == {award.rule for award in score.best.fired}
    assert scores.sets_of(0) == score.best.sets


# ---- What cannot be


def broken(hand: str, **changes: Any) -> Hands:  # noqa: ANN401 - columns and values
    """Three rows, the last of which has something changed: fields, or elements of fields."""
    found = encode(["123b 456b 789b 12c EE", "111222333b 45c 11d +3c discard", hand])
    for name, value in changes.items():
        array = getattr(found, name)
        if isinstance(value, dict):
            for at, number in value.items():
                array[2, at] = number
        else:
            array[2] = value
    return found


WON = "111222333b 45c 11d +3c discard"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"winning": 34}, "winning, row 2: 34 is not from -1 to 33"),
        ({"held": {5: 9}}, "held, row 2, column 5: 9 is not from 0 to 4"),
        ({"declared": {156: 200}}, "declared, row 2, column 156: 200 is not from 0 to 4"),
        ({"bonus": {0: 2}}, "bonus, row 2, column 0: 2 is not from 0 to 1"),
        ({"events": {4: 3}}, "events, row 2, column 4: 3 is not from 0 to 1"),
        ({"completes": 5}, "completes, row 2: 5 is not from -1 to 4"),
        ({"source": -2}, "source, row 2: -2 is not from -1 to 3"),
        ({"seat": 4}, "seat, row 2: 4 is not from -1 to 3"),
        ({"round": 4}, "round, row 2: 4 is not from -1 to 3"),
        ({"unknown_tiles": 14}, "unknown_tiles, row 2: 14 is not from 0 to 13"),
    ],
)
def test_values_that_are_none(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        score_arrays(broken(WON, **changes), block=2)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"held": {0: 4}}, "wrong-number"),
        ({"held": {0: 0, 20: 3}, "declared": {21 + 20: 1}}, "fifth-copy"),
        ({"declared": dict.fromkeys(range(5), 1)}, "too-many-sets"),
        ({"unknown_tiles": 1}, "unknown-tile-won"),
        ({"completes": 3}, "completes-unfit"),
        ({"completes": 1}, "completes-unfit"),
        ({"winning": 17, "completes": 0}, "completes-unfit"),
        ({"winning": -1, "source": -1, "completes": 0}, "completes-unfit"),
        ({"winning": -1}, "needs-winning-tile"),
        ({"winning": 0, "source": 3}, "contradiction"),
        ({"events": {0: 1}, "source": 2}, "contradiction"),
        ({"events": {4: 1}}, "contradiction"),
        ({"events": {1: 1}, "source": 1, "seat": 0}, "contradiction"),
        ({"events": {1: 1}, "source": 1, "seat": -1}, "contradiction"),
        ({"events": {3: 1}, "source": 2}, "contradiction"),
    ],
)
def test_rows_that_no_hand_can_be(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(HandError) as error:
        score_arrays(broken(WON, **changes), block=2)
    assert code in {problem.code for problem in error.value.problems}
    assert all(problem.message.startswith("row 2: ") for problem in error.value.problems)


def test_the_first_rows_that_cannot_be_are_told() -> None:
    given = encode([WON] * 20)
    given.held[3:] = 0
    with pytest.raises(HandError) as error:
        score_arrays(given)
    told = [problem.message.split(":")[0] for problem in error.value.problems]
    assert told == ["row 3", "row 4", "row 5", "row 6", "row 7"]


def test_whatever_a_hand_refuses_is_refused() -> None:
    """Rows with something changed at random: refused where `Hand` or its defaults refuse them."""
    random = Random(82)
    seen = set()
    for _ in range(200 * MANY):
        given = encode([any_plain(random)])
        for name in random.choices(("winning", "completes", "source", "seat", "events"), k=2):
            array = getattr(given, name)
            if name == "events":
                array[0, random.randrange(5)] ^= 1
            else:
                array[0] = random.randrange(-1, 33 if name == "winning" else 4)
        can_be = possible(given)
        seen.add(can_be)
        try:
            score_arrays(given)
            assert can_be
        except HandError:
            assert not can_be
    assert seen == {True, False}


def any_plain(random: Random) -> Hand:
    hand = any_hand(random)
    return replace(hand, unknown=frozenset(), rules=None)


def possible(given: Hands) -> bool:
    """Whether a Hand can be made of the one row, and has its defaults."""
    winning, completes = int(given.winning[0]), int(given.completes[0])
    try:
        hand = hand_of(given, 0)
        hand.resolved()
    except HandError:
        return False
    if completes < 0:
        return True
    return (
        winning >= 0
        and hand.completes is not None
        and COMPLETES[completes][0] is hand.completes.kind
    )


def test_other_shapes_and_types() -> None:
    given = encode([WON])
    for change, message in (
        (
            {"held": given.held.astype(np.int64)},
            "held has to be an array of uint8, not of int64",
        ),
        ({"bonus": [[0] * 8]}, "bonus has to be an array of uint8, not list"),
        (
            {"seat": np.ma.masked_less(given.seat, 0)},
            "seat has to be an array of int8, not MaskedArray",
        ),
        (
            {"held": given.held[:, :33]},
            "held has to have the shape (1, 34), not (1, 33): `winning` has 1 rows",
        ),
        (
            {"winning": np.full(2, -1, np.int8)},
            "held has to have the shape (2, 34), not (1, 34): `winning` has 2 rows",
        ),
        (
            {"winning": np.full((1, 1), -1, np.int8)},
            "winning has to have the shape (N,), not (1, 1)",
        ),
        ({"winning": np.int8(0)}, "winning has to be an array of int8, not int8"),
        ({"winning": np.array(0, np.int8)}, "winning has to have the shape (N,), not ()"),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            score_arrays(replace(given, **change))


def test_what_is_no_hands_at_all() -> None:
    given: Any = [WON]
    message = "hands are mjasp.Hands, as mjasp.encode makes them, not list"
    with pytest.raises(TypeError, match=f"^{message}$"):
        score_arrays(given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (WON, "hands are a sequence of texts and mjasp.Hand, not a text: put it in a list"),
        (mjasp.parse(WON), "hands are a sequence of texts and mjasp.Hand, not a Hand: put it in a"),
        ([WON, 5], "hand 1: a text or an mjasp.Hand is wanted, not int"),
        ([None, WON], "hand 0: a text or an mjasp.Hand is wanted, not NoneType"),
        (WON.encode(), "hand 0: a text or an mjasp.Hand is wanted, not int"),
    ],
)
def test_what_is_no_hand_to_encode(given: Any, message: str) -> None:  # noqa: ANN401 - anything
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        encode(given)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("111b 222b 333b 45c 11d +3c nonsense", NotationError),
        ("1111b 222b 333b 45c 11d +1b", HandError),
        ("[135b] 222b 333b 45c 11d +3c", HandError),
        ("", NotationError),
    ],
)
def test_a_refused_text_is_told_with_its_number(text: str, refused: type[MjaspError]) -> None:
    with pytest.raises(refused) as alone:
        mjasp.parse(text)
    with pytest.raises(refused) as among:
        encode([WON, mjasp.parse(WON), WON, text, text])
    assert type(among.value) is type(alone.value)
    assert among.value.text == text
    assert among.value.problems == tuple(
        replace(problem, message=f"hand 3: {problem.message}") for problem in alone.value.problems
    )
    assert str(among.value).startswith("hand 3: ")


def test_arrays_are_not_compared() -> None:
    scores = score_arrays(rows().take(slice(0, 2)))
    for one, other in ((rows(), encode(hands())), (scores, replace(scores))):
        assert one == one  # noqa: PLR0124 - itself, and nothing else
        assert one != other
        assert len({one, other}) == 2


def test_a_rule_set_that_cannot_be_compiled() -> None:
    with pytest.raises(RulesetError, match=r"circle cannot be compiled: .*`at`.* rests on itself"):
        score_arrays(rows(), CIRCLE)


def test_values_that_arrays_cannot_hold() -> None:
    orphans = encode(["19b19c19dESWNRGWh +1b wall"])
    with pytest.raises(MjaspError, match="a total or the limit is too large for arrays"):
        score_arrays(orphans, limit=1 << 62, cap=False)
    with pytest.raises(RulesetError):
        score_arrays(orphans, "no-such")


# ---- The package


def test_numpy_is_loaded_when_arrays_are_asked_for() -> None:
    script = (
        "import sys, mjasp\n"
        "assert 'numpy' not in sys.modules\n"
        "sys.modules['numpy'] = None\n"
        "assert not hasattr(mjasp, 'nothing') and 'encode' not in dir(mjasp)\n"
        "try:\n    mjasp.score_arrays\n"
        "except mjasp.MjaspError as error:\n    print(error.problems[0].help)\n"
    )
    assert printed(script) == "install it with `pip install 'mjasp[batch]'`\n"


@pytest.mark.parametrize("numpy", [True, False])
def test_the_package_can_be_listed(numpy: bool) -> None:  # noqa: FBT001 - a parameter of the test
    script = (
        "import inspect, pydoc, sys\n"
        + ("" if numpy else "sys.modules['numpy'] = None\n")
        + "import mjasp\n"
        "names = {name for name, _ in inspect.getmembers(mjasp)}\n"
        "assert 'score' in names and 'find_spec' not in names\n"
        "print({'Hands', 'Scores', 'encode', 'score_arrays'} <= names)\n"
        "print('encode' in names)\n"
        "print(pydoc.render_doc(mjasp, renderer=pydoc.plaintext).split('\\n')[0])\n"
    )
    told = f"{numpy}\n{numpy}\nPython Library Documentation: package mjasp\n"
    assert printed(script) == told


def printed(script: str) -> str:
    """What a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    return done.stdout


def test_the_page_is_true() -> None:
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    example = doctest.DocTestParser().get_doctest(blocks, {}, "arrays.md", "arrays.md", 0)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_melds_are_the_table_of_the_page() -> None:
    scores = score_arrays(rows(), "bmja")
    assert scores.melds[: len(DECLARED)] == DECLARED
    firsts = [str(DECLARED[at]) for at in (0, 20, 21, 55, 89, 123)]
    assert firsts == ["[123b]", "[789d]", "[111b]", "[1111b]", "(1111b)", "[1111b claimed]"]
    formed = [*scores.melds[len(DECLARED) :]]
    assert len(formed) % 3 == 0
    for plain, drawn, claimed in zip(formed[::3], formed[1::3], formed[2::3], strict=True):
        assert isinstance(plain, Meld)
        assert drawn == replace(plain, completed=True)
        assert claimed == replace(plain, completed=True, exposed=True)
