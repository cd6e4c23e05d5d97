"""Small programs as circuits: each column is a model as clingo has it, or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from random import Random
from types import MappingProxyType

import pytest

from mjasp.compiled.circuit import ALL, NONE, Circuit, NotEvaluable, Stage, Vectors, at_least
from mjasp.solver import ObservedProgram, Program, Term, as_it_is

STAGES = (Stage(), Stage(chosen=frozenset({"picked"})), Stage(offered=frozenset({"taken"})))

Names = frozenset[str]
Shown = frozenset[Term]


class Compiled:
    """A program as a circuit, and as clingo solves it."""

    def __init__(
        self,
        text: str,
        stages: Sequence[Stage] = STAGES,
        settled: Mapping[str, bool] = MappingProxyType({}),
    ) -> None:
        self.program = ObservedProgram([text], as_it_is)
        self.circuit = Circuit(self.program.ground, stages, settled=settled)
        names, inputs = self.program.ground.names, self.program.ground.inputs
        self.places = [place for _, place in self.circuit.shown]
        self.inputs = [name for name in names if names[name] in inputs - {*settled}]
        self.picks = [name for name in names if name.startswith("picked")]
        self.takes = [name for name in names if name.startswith("taken")]

    def solved(self, stated: Names) -> set[Shown]:
        """What the models show where these inputs hold."""
        try:
            return {frozenset(model) for model in self.program.solve(sorted(stated))}
        except KeyError:  # clingo forgets the inputs of a program that never has a model
            return set()

    def at_once(self, columns: Sequence[tuple[Names, Names]]) -> list[Shown | None]:
        """What each column shows, by what is stated and chosen in it; None: it is no model."""
        vectors = self.vectors([stated | chosen for stated, chosen in columns])
        noted: list[int] = []
        for run in self.circuit.run:
            run(vectors, noted.append)
        held = [place for place in {*self.places} - {ALL} if vectors[place]]
        told = self.circuit.told
        assert sorted(noted) == sorted({*held} - {*told}), "each thing shown is noted once"
        found: list[Shown | None] = []
        for at, (_, chosen) in enumerate(columns):
            offered = (name for name in self.takes if name in chosen)
            is_model = not any(vectors[place] >> at & 1 for place in self.circuit.broken) and all(
                vectors[self.circuit.offers[2].get(name, NONE)] >> at & 1 for name in offered
            )
            found.append(self.shown(vectors, at) if is_model else None)
        return found

    def stage_by_stage(self, stated: Names) -> set[Shown]:
        """What the models show; the columns are copied for each choice when it is due."""
        circuit = self.circuit
        vectors = self.vectors([stated])
        circuit.run[0](vectors, _ignore)
        vectors = self.copied(vectors, 1, [(0, chosen) for chosen in subsets(self.picks)])
        circuit.run[1](vectors, _ignore)
        takes = {name: vectors[place] for name, place in circuit.offers[2].items()}
        copies = [
            (column, chosen)
            for column in range(vectors[ALL].bit_length())
            for chosen in subsets(name for name, where in takes.items() if where >> column & 1)
        ]
        vectors = self.copied(vectors, 2, copies)
        circuit.run[2](vectors, _ignore)
        broken = vectors[circuit.broken[0]] | vectors[circuit.broken[1]]
        models = vectors[ALL] & ~(broken | vectors[circuit.broken[2]])
        return {self.shown(vectors, at) for at in range(len(copies)) if models >> at & 1}

    def copied(self, vectors: Vectors, stage: int, copies: Sequence[tuple[int, Names]]) -> Vectors:
        """Only what is said to be live is copied: a column and what is chosen in it, each."""
        new = self.vectors([chosen for _, chosen in copies])
        for place in self.circuit.live[stage]:
            for at, (column, _) in enumerate(copies):
                new[place] |= (vectors[place] >> column & 1) << at
        return new

    def vectors(self, true: Sequence[Names]) -> Vectors:
        """The vectors of columns in which these inputs and choices are true."""
        vectors = [0] * self.circuit.size
        vectors[ALL] = (1 << len(true)) - 1
        places = self.circuit.inputs | self.circuit.choices
        for at, names in enumerate(true):
            for name in names & places.keys():
                vectors[places[name]] |= 1 << at
        return vectors

    def shown(self, vectors: Vectors, at: int) -> Shown:
        return frozenset(term for term, place in self.circuit.shown if vectors[place] >> at & 1)

    def check(self) -> int:
        """Holds every column against clingo; the number of models."""
        models = 0
        choices = subsets([*self.picks, *self.takes])
        for stated in subsets(self.inputs):
            expected = self.solved(stated)
            columns = [(stated, chosen) for chosen in choices]
            found = self.at_once(columns)
            assert {shown for shown in found if shown is not None} == expected, stated
            assert self.stage_by_stage(stated) == expected, stated
            models += len(expected)
        return models


def _ignore(place: int) -> None:
    """What is noted is looked at elsewhere."""


def subsets(names: Iterable[str]) -> list[Names]:
    names = list(names)
    sizes = range(len(names) + 1)
    return [*map(frozenset, chain.from_iterable(combinations(names, size) for size in sizes))]


INPUTS = "#external a. #external b. #external c. #external d.\n"
PICKS = "{ picked(1..3) }.\n"

PROGRAMS = {
    "facts": "p. q(1..3). r(X) :- q(X), X > 1.",
    "negation": "p :- a, not b. q :- not p, c. r :- not q, not c. s :- not not a.",
    "several rules": "p :- a, b. p :- c. p :- not d, b. q :- p, a. q :- not p.",
    "aliases": "p :- a. q :- p. r :- q, b. s :- not q. t :- s. u :- not t, p.",
    "what never holds": "p :- a, not a. q :- p, b. r :- not q. :- p.",
    "what always holds": "p. q :- p. r :- not p. s :- not r, a. t :- q, not s.",
    "a circle that grounding undoes": "e(1,2). e(2,1). r(1). r(Y) :- r(X), e(X,Y). p :- r(2), a.",
    "count at least": "p :- 2 { a; b; c; d }. q :- 2 { a; not b; not c }.",
    "count at most": "p :- { a; b; c; d } 2. q :- not 1 { a; b }.",
    "count between": "p :- 1 { a; b; c; d } 2. q :- { a; b; not c } = 2. r :- { a; b } != 1.",
    "count of none": "p :- #count { 1 : a; 2 : b } = 0. q :- #count { 1 : a } >= 0.",
    "sum": "p :- #sum { 3 : a; 2, x : b; 2, y : c; 5 : not d } >= 5.",
    "sum with negative weights": "p :- #sum { 3 : a; -2 : b; -1 : c; 2 : d } >= 1.",
    "sum below zero": "p :- #sum { -3 : a; -2 : b; 1 : not c } <= -2. q :- #sum { -1 : a } < 0.",
    "sum equal": "p :- #sum { 2 : a; 3 : b; -5 : c } = 0. q :- #sum { 2 : a; 3 : b } != 3.",
    "sum of one thing twice": "p :- #sum { 1, x : a; 1, y : a; 1 : b; 2, z : c } >= 3.",
    "sum+": "p :- #sum+ { 3 : a; 1 : c } >= 4. q :- #sum+ { 2 : a; 2, x : b } 3.",
    "least and greatest": "p :- #min { 1 : a; 2 : b } = 2. q :- #max { 1 : a; 3 : b; 2 : c } > 1.",
    "weights with what is settled": "e. p :- 2 { a; b; e }. q :- 1 { a; not e }. r :- 3 { e; a }.",
    "sum of what is derived": "p :- a, b. q :- not c. r :- #sum { 2 : p; 1 : q; 1, x : d } >= 2.",
    "conditions": "n(1). n(2) :- a. n(3) :- b. m(1) :- c. p :- m(X) : n(X). q :- not m(1) : n(2).",
    "choices": PICKS + "p :- picked(1), not picked(2). q :- a, picked(3). r :- not p.",
    "choices with a bound": "1 { picked(1..3) } 2. p :- picked(X), picked(X + 1).",
    "a choice that may be stated": PICKS + "picked(1) :- a. p :- not picked(1).",
    "constraints": PICKS + ":- a, b. :- picked(1), not c. :- 2 { picked(1); picked(2); d }.",
    "offers": "{ taken(1) } :- a. { taken(2) } :- b, not c. p :- taken(1), not taken(2).",
    "offers by what is chosen": PICKS + "{ taken(X) } :- picked(X), a. p :- 2 { taken(X) }.",
    "several ways to an offer": "{ taken(1) } :- a, b. { taken(1) } :- c. p :- not taken(1).",
    "exactly one": "{ taken(1) : a; taken(2) : b; taken(3) } = 1 :- c. p :- taken(2), d.",
    "offers that nothing rests on": "{ taken(1) } :- a. :- b, d. q :- c.",
    "what is broken before it is copied": PICKS + ":- a, b. { taken(1) } :- c. p :- taken(1).",
    "shown terms": PICKS
    + "#show t(X) : picked(X), a. #show t(1) : b, not c. #show f. #show g : not a. #show p/0."
    + " p :- c. n(1..2). #show h(X,Y) : n(X), picked(Y), X < Y.",
    "an input that is always broken": ":- a. p :- a, b. q :- not p.",
    "what is always broken": PICKS + "p. :- p.",
    "broken by what is settled": PICKS + ":- not a, p. :- b, not p. p.",
    "nothing shown": PICKS + "#show. :- a.",
}


@pytest.mark.parametrize("about", PROGRAMS)
def test_every_model_is_a_column(about: str) -> None:
    # What no model shows makes no two of it: the choices are always shown here.
    models = Compiled(INPUTS + PROGRAMS[about]).check()
    assert bool(models) == (about != "what is always broken")


# ---- Random programs


def written(random: Random) -> str:
    """A program whose atoms rest on inputs, picks and takes, and on earlier atoms."""
    atoms = ["i(0)", "i(1)", "i(2)", "i(3)"]
    lines = [f"#external {each}." for each in atoms]

    def literal() -> str:
        return random.choice(("", "", "not ")) + random.choice(atoms[-8:])

    def body(number: int) -> str:
        return ", ".join(literal() for _ in range(number))

    def weighed() -> str:
        elements = "; ".join(
            f"{random.randint(-3, 4)}, {at} : {literal()}" for at in range(random.randint(1, 5))
        )
        relation = random.choice((">=", "<=", ">", "<", "=", "!="))
        return f"#sum {{ {elements} }} {relation} {random.randint(-3, 6)}"

    def derive(stage: str, number: int) -> None:
        for at in range(number):
            head = f"{stage}({at})"
            for _ in range(random.randint(1, 3)):
                held = random.choice((body(random.randint(1, 3)), weighed()))
                lines.append(f"{head} :- {held}.")
            atoms.append(head)

    def forbid() -> None:
        if random.random() < 0.6:
            lines.append(f":- {random.choice((body(3), f'{body(1)}, {weighed()}'))}.")

    derive("first", 4)
    forbid()
    picks = ["picked(0)", "picked(1)", "picked(2)"]
    lines.append(f"{{ {'; '.join(picks)} }}.")
    atoms += picks
    derive("second", 4)
    forbid()
    takes = [f"taken({at})" for at in range(2)]
    lines += [f"{{ {each} }} :- {body(random.randint(1, 2))}." for each in takes]
    atoms += takes
    derive("third", 4)
    forbid()
    lines += [f"#show third(9) : {body(2)}."] if random.random() < 0.3 else []
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    text = written(Random(seed))
    try:
        Compiled(text).check()
    except AssertionError as error:
        raise AssertionError(text) from error


def test_columns_do_not_look_at_each_other() -> None:
    for seed in range(100, 106):
        compiled = Compiled(written(Random(seed)))
        choices = subsets([*compiled.picks, *compiled.takes])
        columns = [(stated, chosen) for stated in subsets(compiled.inputs) for chosen in choices]
        Random(seed).shuffle(columns)
        together = compiled.at_once(columns)
        assert together == [compiled.at_once([column])[0] for column in columns]
        assert compiled.at_once([]) == []


# ---- What is settled, what is assured


@pytest.mark.parametrize("settled", [{"a": True}, {"a": False}, {"a": True, "b": False, "c": True}])
def test_settled_inputs_keep_their_value(settled: dict[str, bool]) -> None:
    for text in PROGRAMS.values():
        compiled = Compiled(INPUTS + text, settled=settled)
        assert not settled.keys() & compiled.circuit.inputs.keys()
        told = frozenset(name for name, value in settled.items() if value)
        choices = subsets([*compiled.picks, *compiled.takes])
        for stated in subsets({"a", "b", "c", "d"} - settled.keys()):
            found = compiled.at_once([(stated, chosen) for chosen in choices])
            assert {each for each in found if each is not None} == compiled.solved(stated | told)


def test_what_is_settled_needs_no_code() -> None:
    text = INPUTS + "p :- a, b. q :- p. r :- not q, c. s :- 2 { a; b; d }. :- r, s."
    free, settled = Compiled(text), Compiled(text, settled={"a": True, "b": True})
    assert settled.circuit.size < free.circuit.size
    # Everything that is left follows from `a` and `b`, so no vector beside these is there.
    assert {place for _, place in settled.circuit.shown} <= {
        ALL,
        *settled.circuit.inputs.values(),
    }


def test_what_nothing_looks_at_has_no_place() -> None:
    circuit = Compiled(INPUTS + "p :- a, not b. q :- c. #show p/0.").circuit
    assert circuit.inputs.keys() == {"a", "b"}


def test_assured_constraints_are_left_out() -> None:
    text = INPUTS + PICKS + ":- picked(1), picked(2). :- picked(3), a. p :- picked(X), b."
    ground = ObservedProgram([text], as_it_is).ground
    every = Circuit(ground, STAGES)
    without = Circuit(ground, STAGES, frozenset({"picked"}))

    def broken(circuit: Circuit, *true: str) -> bool:
        vectors = [0] * circuit.size
        vectors[ALL] = 1
        for name in true:
            vectors[(circuit.inputs | circuit.choices).get(name, NONE)] = 1
        vectors[NONE] = 0
        for run in circuit.run:
            run(vectors, _ignore)
        return any(vectors[place] for place in circuit.broken)

    assert broken(every, "picked(1)", "picked(2)")
    assert not broken(without, "picked(1)", "picked(2)")
    assert broken(every, "picked(3)", "a")
    assert broken(without, "picked(3)", "a")


def test_assured_is_looked_for_behind_atoms_without_a_name() -> None:
    # The sum becomes an atom of its own, which has no name.
    text = INPUTS + PICKS + ":- not 1 { picked(1); picked(2) } 1. :- 2 { picked(1); a } 2."
    program = ObservedProgram([text], as_it_is)
    circuit = Circuit(program.ground, STAGES, frozenset({"picked"}))
    assert circuit.choices.keys() >= {"picked(1)"}
    vectors = [0] * circuit.size
    vectors[ALL] = 0b11
    vectors[circuit.choices["picked(1)"]] = 0b10
    vectors[circuit.inputs["a"]] = 0b10
    for run in circuit.run:
        run(vectors, _ignore)
    assert [vectors[place] for place in circuit.broken] == [0, 0b10, 0]


def test_constraints_are_told_by_stage() -> None:
    compiled = Compiled(INPUTS + PICKS + ":- a. :- picked(1), b. { taken(1) }. :- taken(1), c.")
    true = [frozenset({"a"}), frozenset({"picked(1)", "b"}), frozenset({"taken(1)", "c"})]
    vectors = compiled.vectors(true)
    for stage, run in enumerate(compiled.circuit.run):
        run(vectors, _ignore)
        told = [vectors[place] for place in compiled.circuit.broken]
        assert told == [1, 2, 4][: stage + 1] + [0] * (2 - stage)


# ---- Refusals

REFUSED = {
    "an unknown choice": ("{ strange(1) } :- a.", "`strange` is chosen"),
    "one of several": ("{ picked(1); strange(2) } = 1.", "`strange` is chosen"),
    "a disjunction": ("left ; right :- a.", "between atoms of `left`, `right`"),
    "a circle": ("p :- q, a. q :- p, b. q :- c, d.", "`p`, `q` rests on itself"),
    "a circle by negation": ("p :- not q. q :- not p.", "`p`, `q` rests on itself"),
    "on its own negation": ("p :- not p, a.", "`p` rests on itself"),
    "a circle through a sum": ("p :- 2 { a; b; q }. q :- p, c.", "`p`, `q` rests on itself"),
    "an offer in its stage": ("{ taken(1) }. { taken(2) } :- taken(1).", "choice of `taken`"),
    "an offer by way of others": (
        "{ taken(1) }. p :- taken(1), a. q :- not p. { taken(2) } :- q, b.",
        "choice of `taken` rests on what is chosen with it",
    ),
}


@pytest.mark.parametrize("about", REFUSED)
def test_refused(about: str) -> None:
    text, reason = REFUSED[about]
    with pytest.raises(NotEvaluable, match=reason):
        Compiled(INPUTS + text)


# What is offered has to ask for `a`, and not for `b`.
ASKED = (
    Stage(),
    Stage(),
    Stage(
        offered=frozenset({"taken"}),
        asked=(frozenset({"a", "also_a"}), frozenset({"not b"})),
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "{ taken(1) } :- a, not b.",
        "{ taken(1) } :- f. f :- g, c. f :- g, d. g :- also_a, not b. also_a :- a.",
        "{ taken(1) } :- fits. fits :- a, 1 { c; d }, not b. { taken(2) } :- fits, not c.",
        "{ taken(1) } :- c, not b. also_a.",
    ],
)
def test_what_asks_for_what_it_has_to(text: str) -> None:
    assert Compiled(INPUTS + text, ASKED).check()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{ taken(1) } :- c, not b.", "`taken[(]1[)]` can hold without `a` or `also_a`"),
        ("{ taken(1) } :- a.", "can hold without `not b`"),
        ("{ taken(1) } :- a, not b. { taken(2) } :- a, b.", "`taken[(]2[)]` can hold without"),
        ("{ taken(1) } :- fits, not b. fits :- a, c. fits :- d.", "can hold without `a`"),
        ("{ taken(1) } :- 1 { a; c }, not b.", "can hold without `a`"),
        ("{ taken(1) } :- not a, not b.", "can hold without `a`"),
    ],
)
def test_what_does_not_ask_for_what_it_has_to(text: str, reason: str) -> None:
    with pytest.raises(NotEvaluable, match=reason):
        Compiled(INPUTS + text, ASKED)


def test_an_offer_may_rest_on_what_was_chosen_before() -> None:
    assert Compiled(PICKS + "{ taken(X) } :- picked(X), not picked(X + 1).").check()


def test_an_offer_before_what_it_rests_on() -> None:
    stages = (Stage(), Stage(offered=frozenset({"taken"})), Stage(chosen=frozenset({"picked"})))
    with pytest.raises(NotEvaluable, match="choice of `taken`"):
        Compiled(PICKS + "{ taken(X) } :- picked(X).", stages)


# ---- Sums


def some_sums(random: Random) -> Iterator[tuple[int, list[tuple[int, int]], int, Vectors]]:
    for _ in range(400):
        number, columns = random.randint(0, 8), random.choice((1, 2, 63, 64, 65, 130))
        every = (1 << columns) - 1
        vectors = [every, 0, *(random.getrandbits(columns) for _ in range(number))]
        if number and random.random() < 0.3:
            vectors[2] = random.choice((0, every))
        weights = [
            (random.choice((at, ~at)), random.choice((1, 1, 2, 3, 7, 1000, 2**40)))
            for at in range(2, number + 2)
        ]
        total = sum(weight for _, weight in weights)
        yield random.randint(-1, total + 2), weights, columns, vectors


def test_at_least_is_a_plain_sum() -> None:
    for bound, weights, columns, vectors in some_sums(Random(3)):
        before = vectors.copy()
        found = at_least(bound, weights, vectors)
        assert vectors == before
        for at in range(columns):
            held = sum(
                weight
                for place, weight in weights
                if (vectors[place] >> at & 1 if place >= 0 else not vectors[~place] >> at & 1)
            )
            assert (found >> at & 1) == (held >= bound)
        assert found >> columns == 0


def test_the_ordinary_program_is_the_same() -> None:
    # What is observed while a program is grounded changes nothing of it.
    text = INPUTS + PROGRAMS["shown terms"]
    plain, observed = Program([text], as_it_is), Compiled(text)
    for stated in subsets("abcd"):
        assert {frozenset(model) for model in plain.solve(stated)} == observed.solved(stated)
