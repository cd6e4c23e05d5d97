"""Why and why not: what they say of each rule agrees with what fired, in every language."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from random import Random
from typing import Any

import pytest
from test_cases import _SETTINGS, CASES

import mjasp
from mjasp import Engine, RulesetError, Why, models, resources
from mjasp.cli import main
from mjasp.derivation import Step, arguments_of, name_of
from mjasp.rulesets import Rule, shipped, texts
from mjasp.solver import ObservedProgram, Term
from mjasp.words import Words, spoken

HAND = "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E"
CASES_A_RULE_SET, RULES_A_CASE = 8, 5
LANGUAGES = resources.languages()


def sample() -> list[tuple[str, str, dict[str, Any]]]:
    random = Random(4)
    return [
        (rules, name, cases[name])
        for rules, cases in CASES.items()
        for name in random.sample(sorted(cases), min(CASES_A_RULE_SET, len(cases)))
    ]


@pytest.mark.parametrize(("rules", "name", "case"), sample(), ids=lambda part: str(part)[:40])
def test_agrees_with_what_fired(rules: str, name: str, case: dict[str, Any]) -> None:
    engine = grounded(rules, json.dumps({key: case[key] for key in _SETTINGS if key in case}))
    score = engine.score(case["hand"])
    fired = {award.rule for award in score.best.fired}
    for rule in Random(name).sample(engine.ruleset.rules, RULES_A_CASE):
        why = engine.why(case["hand"], rule.id)
        assert why.fired == (rule.id in fired)
        assert all(step.holds for step in why.because if name_of(step.atom) == "holds") or not (
            why.fired
        )
        elsewhere = [one for one in score.interpretations if fires(rule, one)]
        assert why.elsewhere == (None if why.fired or not elsewhere else elsewhere[0])
        check_what_would_make_it_fire(engine, why)
        for language in LANGUAGES:
            check_texts(why, language)


@cache
def grounded(rules: str, settings: str) -> Engine:
    return Engine(rules, **json.loads(settings))


def fires(rule: Rule, interpretation: mjasp.Interpretation) -> bool:
    return any(award.rule == rule.id for award in interpretation.fired)


def check_what_would_make_it_fire(engine: Engine, why: Why) -> None:
    if why.change:
        assert fires(why.rule, engine.score(why.change.hand).best)
    for reading, value in why.readings:
        readings = {**engine.readings, reading: value}
        read = mjasp.score(
            why.score.given,
            why.ruleset.id,
            sensitivity=False,
            readings=readings,
            limit=engine.limit,
        )
        assert fires(why.rule, read.best)
    if why.fired:
        assert (why.change, why.readings) == (None, ())


def check_texts(why: Why, language: str) -> None:
    """No place is left unfilled, and no predicate is named."""
    told = [why.to_dict(language)["answer"], *sentences(why.to_dict(language)["because"])]
    for text in (*told, why.explain(language=language)):
        assert text
        assert "{" not in text
        assert not text.endswith((" ", ":"))
    known = {step.atom if isinstance(step.atom, str) else name_of(step.atom) for step in walk(why)}
    names = {name for name in known if "_" in name}
    assert not any(name in text for name in names for text in told)


def walk(why: Why) -> list[Step]:
    return [step for top in why.because for step in top.walk()]


def sentences(nodes: list[dict[str, Any]]) -> list[str]:
    return [text for node in nodes for text in (node["text"], *sentences(node["because"]))]


def test_a_rule_is_found_by_its_name() -> None:
    engine = Engine()
    for name in ("pung_hand", "Pung hand", "pung hand", "PUNG-HAND", "main de pungs"):
        assert engine.why(HAND, name).rule.id == "pung_hand"


def test_an_unknown_rule_names_the_nearest() -> None:
    with pytest.raises(RulesetError, match="no rule 'fully concealed'") as caught:
        mjasp.why(HAND, "fully concealed")
    (problem,) = caught.value.problems
    assert problem.code == "unknown-rule"
    assert problem.help
    assert problem.help.startswith("did you mean fully_concealed_hand")
    with pytest.raises(RulesetError) as caught:
        mjasp.why(HAND, "xyzzy", rules="bmja")
    assert caught.value.problems[0].help == "`mjasp rules bmja` lists all"


def test_json() -> None:
    why = mjasp.why(HAND, "pung_hand").to_dict()
    (node,) = why["because"]
    assert why["schema"] == "mjasp/why/1"
    assert (node["atom"], node["text"]) == (
        "not holds(no_chow,hand)",
        "the hand holds the chow 2-3-4 dots",
    )
    leaf = node
    while leaf["because"]:
        (leaf,) = leaf["because"]
    assert leaf == {
        "atom": "declared(chow(suited(dots,2)),exposed,1)",
        "text": "the chow 2-3-4 dots is laid down",
        "tiles": ["2d", "3d", "4d"],
        "given": True,
        "because": [],
    }


def test_formats() -> None:
    why = mjasp.why(HAND, "self_drawn")
    assert json.loads(why.explain(format="json")) == why.to_dict()
    with pytest.raises(ValueError, match="no format 'pdf'"):
        why.explain(format="pdf")  # type: ignore[arg-type]


def test_the_status_of_a_false_win(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "123b 345c 678c 99d 45d +7d wall", "self_drawn", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["fired"] is False


def test_the_language_of_the_locale(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    main(["why", HAND, "pung_hand"])
    assert capsys.readouterr().out.startswith("«\u00a0Main de pungs\u00a0» ne compte pas")
    main(["why", HAND, "pung_hand", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["answer"].startswith("Pung hand does not count")
    assert spoken({"LC_ALL": "", "LC_MESSAGES": "fr", "LANG": "en"}) == "fr"
    assert spoken({"LANG": "eo"}) == spoken({}) == "en"


@pytest.mark.parametrize(
    ("rules", "hand", "rule", "because"),
    [
        # What a loser is paid for is nothing that a winner missed.
        (
            "bmja",
            "555b 99b SS [RRR] [234b] f2 +9b wall seat:S round:E",
            "purity",
            (
                "besides bamboo the hand holds south and red dragon, and the hand holds the chow"
                " 2-3-4 bamboo"
            ),
        ),
        # A hand may hold a tile that is of no use to a shape: it lies on the table.
        (
            "european-classical",
            "[999b] [EEE] SSS RRR Wh +Wh wall",
            "thirteen_orphans",
            (
                "among the undeclared tiles is no 1-9 bamboo, 1-9 characters, 1-9 dots, east, west,"
                " north or green dragon, and something was declared: the pung of easts and the"
                " pung of 9 bamboo"
            ),
        ),
        (
            "european-classical",
            HAND,
            "four_kongs",
            "there are not four kongs, only the kong of 1 characters",
        ),
        (
            "european-classical",
            "123b 555b E [GGG] [234d] +E wall",
            "four_kongs",
            "there is no kong",
        ),
        # Not the exposed pung, which is none of them.
        (
            "dmjl",
            "[RRR] 555b E [GGG] [234d] +E wall",
            "three_concealed_pungs",
            "there are not three concealed pungs or kongs, only the pung of 5 bamboo",
        ),
        (
            "dmjl",
            "[RRR] 123b E [GGG] [234d] +E wall",
            "three_concealed_pungs",
            "no pung or kong is concealed",
        ),
    ],
)
def test_what_failed(rules: str, hand: str, rule: str, because: str) -> None:
    assert mjasp.why(hand, rule, rules).to_dict()["answer"].endswith(f"count: {because}.")


def test_why_another_interpretation_scores_less() -> None:
    told = mjasp.why("111222333b 45c 11d +3c discard", "pung_of_simples").explain()
    assert "46 points: 46, in place of 30 points, 1 double: 60" in told


# ---- Words


def in_derivations(rules: str) -> dict[str, Term]:
    """The atoms that can stand in a derivation, one for each predicate, condition or shape."""
    ground = ObservedProgram(texts("score", rules), models.decode).ground
    fires = [atom for atom, term in ground.terms.items() if name_of(term) == "fires"]
    reached: set[int] = set()
    while fires:
        atom = fires.pop()
        if atom not in reached:
            reached.add(atom)
            fires += [abs(each) for rule in ground.rules.get(atom, ()) for each in rule.body]
    found = {}
    for atom in sorted(reached.intersection(ground.terms)):
        term = ground.terms[atom]
        arguments = [name_of(argument) for argument in arguments_of(term)]
        key = name_of(term)
        if key in {"holds", "declared", "held", "have", "source", "set", "formed"}:
            key = f"{key}({arguments[0]},{arguments[-1]})"
        found[key] = term
    return found


@pytest.mark.parametrize("rules", shipped())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_atom_has_its_sentence(rules: str, language: str) -> None:
    words = Words(language, mjasp.ruleset(rules).rules, described={})
    for atom in in_derivations(rules).values():
        assert words.knows(atom), atom


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_its_name(language: str) -> None:
    names = tomllib.loads(resources.words(language)).get("rules", {})
    known = {rule.id for ruleset in mjasp.rulesets() for rule in ruleset.rules}
    assert not names.keys() - known
    # The rule sets are in English.
    assert language == "en" or known <= names.keys()


def test_the_languages_have_the_same_keys() -> None:
    english, *others = (tomllib.loads(resources.words(each)) for each in LANGUAGES)
    for other in others:
        for part in english.keys() - {"rules"}:
            assert other[part].keys() >= english[part].keys(), part  # more where words have genders
        for key, told in english["sentences"].items():
            assert other["sentences"][key].keys() == told.keys(), key


def test_what_a_language_does_not_know_is_told_by_its_comment_or_its_name() -> None:
    words = Words("fr", described={"pair_of_nines": "a pair of nines"})
    atom = "holds", "pair_of_nines", "hand"
    assert words.sentence(Step(atom, True, False, ())) == "a pair of nines"
    assert words.sentence(Step(atom, False, False, ())) == "non\u00a0: a pair of nines"
    assert words.sentence(Step("odd_thing", True, False, ())) == "odd thing"
