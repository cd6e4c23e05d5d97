"""Derivations over random hands of all rule sets: every step holds, every leaf is the hand's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from random_hands import hands

from mjasp import models
from mjasp.derivation import Derivation, Step, name_of
from mjasp.engine import Engine
from mjasp.rulesets import shipped, texts
from mjasp.solver import Ground, ObservedProgram, Term

HANDS = 12
FOLDED = frozenset({"counts", "part", "satisfied", "subject"})


def program(text: str) -> ObservedProgram[Term]:
    return ObservedProgram([text], lambda term: term)


def tell(step: Step) -> str:
    below = ", ".join(map(tell, step.because))
    return f"{step}: ({below})" if below else str(step)


def derive(text: str, atom: str, *facts: str, blame: bool = False) -> list[str]:
    observed = program(text)
    true = observed.truth(facts, lambda _: True)
    assert true is not None
    derivation = Derivation(observed.ground, true, frozenset({"folded"}))
    number = next(at for at, term in observed.ground.terms.items() if term == atom)
    return [tell(step) for step in (derivation.blame if blame else derivation.proof)(number)]


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        ("p :- a. p :- b, a.", "p: (a)"),
        ("p :- folded. folded :- a.", "p: (a)"),
        ("p :- 2 { a; b; c }.", "p: (a, b)"),
        ("p :- not q. q :- c.", "p: (not q: (not c))"),
        ("q :- c, a. q :- d. p :- not q.", "p: (not q: (not c, not d))"),
        ("p :- q. q :- p. q :- b.", "p: (q: (b))"),
        ("1 { p; q } 1 :- a. :- q.", "p: (a)"),
    ],
)
def test_proofs(text: str, proof: str) -> None:
    assert derive(f"#external a. #external b. #external c. #external d. {text}", "p", "a", "b") == [
        proof
    ]


@pytest.mark.parametrize(
    ("text", "blame"),
    [
        ("p :- a, c, d.", "not p: (not d, not c)"),
        ("p :- c, d. p :- a, d.", "not p: (not d)"),
        ("p :- not q. q :- a. q :- b.", "not p: (q: (b, a))"),
        ("p :- 3 { a; c; d }.", "not p: (a, not c, not d)"),
    ],
)
def test_blames(text: str, blame: str) -> None:
    externals = "#external a. #external b. #external c. #external d."
    assert derive(f"{externals} {text}", "p", "a", "b", blame=True) == [blame]


def test_what_is_alike_is_told_once() -> None:
    text = "#external h(suited(x, 1..3)). p :- not q. q :- s(T). s(T) :- h(T)."
    (told,) = derive(text, "p")
    assert told.startswith("p: (not q: (not s(suited(x,_))")


def test_no_model_is_wanted() -> None:
    assert program("a.").truth([], lambda _: False) is None


def test_inputs_are_no_longer_stated_afterwards() -> None:
    observed = program("#external a. p :- a.")
    first, second = (observed.truth(facts, lambda _: True) for facts in (["a"], []))
    assert first
    assert not second


class Checked:
    """The atoms of one model, and whether they hold in it."""

    def __init__(self, ground: Ground, true: frozenset[int]) -> None:
        self.inputs = {ground.terms[atom] for atom in ground.inputs}
        self.true = {ground.terms[atom] for atom in true.intersection(ground.terms)}

    def wrong(self, steps: tuple[Step, ...], stated: set[str]) -> Iterator[str]:
        for step in (each for top in steps for each in top.walk()):
            for atom in (step.atom, *step.others):
                if (atom in self.true) != step.holds:
                    yield f"{step} does not hold"
            is_input = step.atom in self.inputs
            if step.given != (is_input and step.holds):
                yield f"{step} is given, or not, and should not be"
            if is_input and step.because:
                yield f"{step} is given and derived"
            if is_input and step.holds != (str(step) in stated):
                yield f"{step} is not what the hand states"
            if not is_input and not step.because:
                yield f"{step} stands on nothing"


@pytest.mark.parametrize("rules", shipped())
def test_every_step_holds_and_every_leaf_is_of_the_hand(rules: str) -> None:
    engine = Engine(rules)
    observed = ObservedProgram(texts("score", rules), models.decode)
    ground = observed.ground
    atoms = sorted(atom for atom, term in ground.terms.items() if name_of(term) == "fires")
    for hand in hands(HANDS, seed=41):
        stated = engine.facts(hand)
        unquoted = {fact.replace('"', "") for fact in stated}
        true = observed.truth(stated, lambda _: True)
        if true is None:
            continue  # no win
        derivation, checked = Derivation(ground, true, FOLDED), Checked(ground, true)
        for atom in atoms:
            fired = atom in true
            for steps in (derivation.proof(atom), () if fired else derivation.blame(atom)):
                wrong = list(checked.wrong(steps, unquoted))
                assert not wrong, (hand, ground.terms[atom], wrong)
            assert (derivation.distance(atom) == 0) == fired
