"""Programs evaluated for one hand: their models are those of the same programs solved."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from clingo import ast

from bench.varied import varied_hands
from mjasp import Engine, Hand, RulesetError, parse
from mjasp.compiled.divisions import Divisions
from mjasp.compiled.net import Net, NotEvaluable
from mjasp.compiled.program import ASSURED, STAGES, CompiledProgram
from mjasp.facts import LENIENT, hand_facts, reading_facts, waiting_facts
from mjasp.ruleset_files import entry_texts
from mjasp.rulesets import shipped, texts
from mjasp.solver import ObservedProgram, Program, Term, as_it_is

TESTS = Path(__file__).parent
# More for a run by hand: MJASP_MANY=20 tries twenty times as many hands.
MANY = int(os.environ.get("MJASP_MANY", "1"))

Models = list[frozenset[Term]]


class Pair:
    """A program of a rule set, solved and evaluated."""

    def __init__(self, entry: str, rules: str, *own: str) -> None:
        program = [*texts(entry, rules), *own]
        self.solved = Program(program, as_it_is)
        self.evaluated = CompiledProgram(program, as_it_is, divisions())

    def models(self, facts: Iterable[str]) -> int:
        """How many models there are under these facts: the same ones, each once."""
        facts = [*facts]
        expected, found = self.solved.solve(facts), self.evaluated.solve(facts)
        assert all(len(atoms) == len(set(atoms)) for atoms in found), facts
        as_sets = [frozenset(atoms) for atoms in found]
        assert len(as_sets) == len(set(as_sets)), facts
        assert set(as_sets) == {frozenset(atoms) for atoms in expected}, facts
        return len(found)


@cache
def divisions() -> Divisions:
    return Divisions()


@cache
def pair(entry: str, rules: str) -> Pair:
    return Pair(entry, rules)


@cache
def engine(rules: str) -> Engine:
    return Engine(rules, engine="clingo")


@cache
def settings(rules: str) -> list[Mapping[str, str]]:
    """The readings by default, each alternative alone, and all at once."""
    readings = engine(rules).ruleset.readings
    default = {each.id: each.default for each in readings}
    alone = [{**default, each.id: value} for each in readings for value in each.alternatives]
    return [default, *alone, {each.id: each.alternatives[-1] for each in readings}]


def some_hands(rules: str, number: int) -> Iterator[tuple[Hand, Mapping[str, str]]]:
    """Hands, the same for all rule sets but for the readings, which are taken in turn."""
    every = settings(rules)
    for at, hand in enumerate(varied_hands(number * MANY, seed=21)):
        yield hand.resolved()[0], every[at % len(every)]


@pytest.mark.parametrize("rules", shipped())
def test_scores(rules: str) -> None:
    interpreter, models = engine(rules).interpreter, 0
    for hand, readings in some_hands(rules, 100):
        models += pair("score", rules).models(interpreter.stated(hand, readings))
    assert models > 60 * MANY


@pytest.mark.parametrize("rules", shipped())
def test_hands_whatever_is_asked_of_a_division(rules: str) -> None:
    for hand, readings in some_hands(rules, 70):
        if hand.winning:
            stated = [*hand_facts(hand), *reading_facts(readings), LENIENT]
            pair("score", rules).models(stated)


@pytest.mark.parametrize("rules", shipped())
@pytest.mark.parametrize("entry", ["waits", "calling"])
def test_waits_and_calling(entry: str, rules: str) -> None:
    models = 0
    for hand, readings in some_hands(rules, 50):
        if not hand.unknown_tiles:
            stated = [*waiting_facts(hand), *reading_facts(readings)]
            models += pair(entry, rules).models(stated)
    assert models > 15 * MANY


@pytest.mark.parametrize("rules", shipped())
def test_hands_of_the_cases(rules: str) -> None:
    interpreter = engine(rules).interpreter
    for path in sorted((TESTS / "cases" / rules).glob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            hand, _ = parse(case["hand"]).resolved()
            readings = {**settings(rules)[0], **case.get("readings", {})}
            pair("score", rules).models(interpreter.stated(hand, readings))
            if not hand.unknown_tiles:
                stated = [*waiting_facts(hand), *reading_facts(readings)]
                pair("calling", rules).models(stated)


@pytest.mark.parametrize(
    "hand",
    [
        # A knitted hand that may be counted for how it was won too.
        "1233344b 133344d s1 s2 s3 s4 +2d discard first-turn seat:W",
        "1123456789b ESW +N discard first-turn seat:S",
        "11123456789b 99b +5b wall first-turn",
        "19b19c19dESWNRG Wh +Wh discard first-turn seat:N",
        "112233b112233c1d +1d wall",
        "111222333444b 5b +5b wall",
        "111122223333b 4b +4b wall",
        "EEESSSWWWNNN R +R wall first-turn",
        "(1111b) [2222b] (3333b) [4444b] 5b +5b loose kong-on-kong",
        "[123b] [123b] [123b] [123b] 5b +5b discard",
        "EE SS WW NN RR GG Wh +Wh wall",
        "EEEE SSSS WWWW N +R wall",
    ],
)
def test_rare_hands(hand: str) -> None:
    resolved, _ = parse(hand).resolved()
    for rules in shipped():
        for readings in settings(rules):
            interpreter = engine(rules).interpreter
            pair("score", rules).models(interpreter.stated(resolved, readings))
            told = reading_facts(readings)
            pair("score", rules).models([*hand_facts(resolved), *told, LENIENT])
            pair("calling", rules).models([*waiting_facts(resolved), *told])


def test_unknown_facts_are_no_inputs() -> None:
    with pytest.raises(KeyError):
        pair("score", "dmjl").evaluated.solve(["held(joker,1)"])


# ---- A club's own rules


OWN = """
rule(low, "Low pung", all). cites(low, house, "1"). text(house, "House").
condition(low, low_pung). value(low, exposed, points, 3). value(low, concealed, points, 7).
holds(low_pung, pung(suited(S, R))) :- holds(pung_of_simples, pung(suited(S, R))), R < 5.
rule(few, "Few kinds", winner). cites(few, house, "2").
condition(few, few_kinds). value(few, limits, "2/7").
holds(few_kinds, hand) :- won, { held(T, 1) } 6, #sum { R, S : held(suited(S, R), 1) } > 9.
rule(lone, "Lone bonus", all). cites(lone, house, "3").
condition(lone, lone_bonus). value(lone, doubles, 50).
holds(lone_bonus, hand) :- 1 { bonus(T) } 1, not seat(east), not 2 { held(wind(W), 1) }.
"""


def test_conditions_and_values_of_ones_own() -> None:
    for rules in ("dmjl", "mahjiang"):
        interpreter, default = engine(rules).interpreter, settings(rules)[0]
        both = Pair("score", rules, OWN)
        for hand in varied_hands(60 * MANY, seed=23):
            both.models(interpreter.stated(hand.resolved()[0], default))


@pytest.mark.parametrize("name", ["two-chows", "only-includes"])
def test_a_clubs_rules(name: str) -> None:
    rules = str(TESTS / "clubs" / "good" / f"{name}.lp")
    interpreter, default = engine(rules).interpreter, settings(rules)[0]
    both = Pair("score", rules)
    for hand in varied_hands(60 * MANY, seed=22):
        both.models(interpreter.stated(hand.resolved()[0], default))


@pytest.mark.parametrize(
    ("added", "reason"),
    [
        ("reached(E) :- seat(E). reached(E) :- reached(E'), round(E), round(E').", "`reached`"),
        ("{ luck } :- won.", "`luck` is chosen"),
        ("odd ; even :- won.", "`even`, `odd`"),
        ("p :- not q, won. q :- not p, won.", "`p`, `q` rests on itself"),
    ],
)
def test_refused_with_the_reason(added: str, reason: str) -> None:
    with pytest.raises(NotEvaluable, match=reason):
        CompiledProgram([*texts("score", "dmjl"), added], as_it_is, divisions())


def test_what_is_paid_limits_without_a_limit_is_told_alike(tmp_path: Path) -> None:
    # Nine gates on the nine-sided wait, completed by a 5: three shapes, each an interpretation.
    shapes = ("nine_gates", "nine_gates_nine_sided", "gates_of_heaven")
    path = tmp_path / "club.lp"
    path.write_text(
        '#include "mahjiang.lp". text(house, "House"). ruleset("club", "Club").\n'
        + "\n".join(
            f'rule(z{at}, "{shape}", winner). cites(z{at}, house, "1"). condition(z{at}, {shape}).'
            f' value(z{at}, limits, "{at}/7").'
            for at, shape in enumerate(shapes, 1)
        )
    )
    for way in ("clingo", "compiled"):
        with pytest.raises(RulesetError, match="is paid for `z1` and `z2` and `z3`, and"):
            Engine(str(path), engine=way).score("1112345678999b +5b discard")


# ---- What is left out


@pytest.mark.parametrize("rules", shipped())
@pytest.mark.parametrize("entry", ["score", "waits", "calling"])
def test_no_constraint_is_left_out_that_the_divisions_do_not_meet(entry: str, rules: str) -> None:
    """Those that look at a division alone are left out: divide.lp has to hold them all.

    How many are chosen at once, of a shape and of ways to be counted, is for whoever chooses.
    """
    divide = entry_texts("divide")
    program = texts(entry, rules)
    rest = [without(text, constraints=text in divide) for text in program]
    assert left_out(program) > 0 == left_out(rest)
    assert left_out([*rest, ":- formed(chow(suited(bamboo, 1)), 1)."]) == 1


def without(text: str, *, constraints: bool) -> str:
    """A text without the bounds of its choices and, where asked for, its constraints."""
    found: list[ast.AST] = []
    ast.parse_string(text, found.append)
    kept = []
    for each in found:
        if each.ast_type == ast.ASTType.Rule:
            if constraints and str(each.head) == "#false":
                continue
            if each.head.ast_type == ast.ASTType.Aggregate:
                each.head = each.head.update(left_guard=None, right_guard=None)
        kept.append(str(each))
    return "\n".join(kept)


def left_out(program: Iterable[str]) -> int:
    """How many ground constraints of a program are not looked at."""
    ground = ObservedProgram(program, as_it_is).ground
    every, looked_at = (Net.of(ground, STAGES, assured) for assured in (frozenset(), ASSURED))
    return len(every.broken) - len(looked_at.broken)
