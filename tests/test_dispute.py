"""Numbers that differ: what was got wrong on purpose is found again, or something as simple."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import floor
from random import Random

import pytest
from random_hands import any_hand

import mjasp
from mjasp import (
    Award,
    Dispute,
    Engine,
    Hand,
    HandError,
    Kind,
    Meld,
    MjaspError,
    Score,
    Source,
    Wind,
)
from mjasp.cli import main
from mjasp.mistakes import LIKELINESS, Account, MistakeKind
from mjasp.models import supposed
from mjasp.resources import languages
from mjasp.rulesets import load, shipped, texts
from mjasp.solver import Program
from mjasp.words import Words

ENGINES = {rules: Engine(rules) for rules in shipped()}
Wrong = Callable[[Score, Random], Iterator[int | None]]


def disputed(score: Score, claimed: int) -> Dispute:
    """The dispute about a score, with time enough on any machine."""
    others = [engine for rules, engine in ENGINES.items() if rules != score.ruleset]
    return ENGINES[score.ruleset].dispute(score.hand, claimed, others, seconds=60)


def worth(
    fired: tuple[Award, ...], limit: int | None, cap: int | None, *, added: bool = False
) -> int:
    """What awards come to, by the formula of the JSON of a score."""
    points, doubles = Counter[str](), Counter[str]()
    for award in fired:
        points[award.part] += award.points
        doubles[award.part] += award.doubles
    limits = sum((award.limits for award in fired), Fraction(0))
    total = floor(limits * (limit or 0)) + (points["bonus"] << doubles["bonus"])
    if added and doubles["hand"]:
        total += points["hand"] * 2 * doubles["hand"]
    else:
        total += points["hand"] << doubles["hand"]
    return total if cap is None else min(total, cap)


# ---- Wrong counts, made on purpose


def totals(rules: str, hands: Iterator[Hand]) -> Iterator[int | None]:
    for hand in hands:
        yield ENGINES[rules].score(hand).total


def told(score: Score, **facts: object) -> Iterator[Hand]:
    with suppress(HandError):
        yield replace(score.hand, **facts)  # type: ignore[arg-type]


def another_interpretation(score: Score, _: Random) -> Iterator[int | None]:
    yield from (each.total for each in score.interpretations[1:])


def another_seat(score: Score, random: Random) -> Iterator[int | None]:
    yield from totals(score.ruleset, told(score, seat=random.choice(list(Wind))))


def another_round(score: Score, random: Random) -> Iterator[int | None]:
    yield from totals(score.ruleset, told(score, round=random.choice(list(Wind))))


def another_source(score: Score, random: Random) -> Iterator[int | None]:
    if score.hand.winning:
        yield from totals(score.ruleset, told(score, source=random.choice(list(Source))))


def another_reading(score: Score, _: Random) -> Iterator[int | None]:
    for effect in ENGINES[score.ruleset].score(score.hand, sensitivity=True).readings or ():
        yield from (total for _, total in effect.others)


def another_state(score: Score, random: Random) -> Iterator[int | None]:
    rules = {rule.id: rule for rule in ENGINES[score.ruleset].ruleset.rules}
    fired = score.best.fired
    stated = [at for at, award in enumerate(fired) if award.state]
    if stated:
        at = random.choice(stated)
        award = fired[at]
        state = "exposed" if award.state == "concealed" else "concealed"
        points = int(rules[award.rule].values[state])
        yield counted(score, (*fired[:at], replace(award, points=points), *fired[at + 1 :]))


def kong_as_pung(score: Score, _: Random) -> Iterator[int | None]:
    for at, kong in enumerate(score.hand.declared):
        if kong.kind is Kind.KONG and kong.exposed:
            pung = Meld(Kind.PUNG, kong.tiles[:3], exposed=True, declared=True)
            rest = score.hand.declared[:at] + score.hand.declared[at + 1 :]
            yield from totals(score.ruleset, told(score, declared=(*rest, pung)))


def no_limit(score: Score, _: Random) -> Iterator[int | None]:
    yield score.best.uncapped


def forgotten(score: Score, random: Random) -> Iterator[int | None]:
    fired = [award for award in score.best.fired if not award.limits]
    if fired:
        award = random.choice(fired)
        yield counted(score, tuple(each for each in score.best.fired if each is not award))


def by_other_rules(score: Score, random: Random) -> Iterator[int | None]:
    yield ENGINES[random.choice(shipped())].score(score.hand).total


def twice(score: Score, random: Random) -> Iterator[int | None]:
    fired = [award for award in score.best.fired if not award.limits]
    if fired:
        yield counted(score, (*score.best.fired, random.choice(fired)))


def added(score: Score, _: Random) -> Iterator[int | None]:
    yield worth(score.best.fired, score.limit, score.limit, added=True)


def wrongly(score: Score, random: Random) -> Iterator[int | None]:
    there = {award.rule for award in score.best.fired}
    rules = ENGINES[score.ruleset].ruleset.rules
    rule = random.choice([each for each in rules if each.id not in there and each.unit != "limits"])
    amount = int(next(iter(rule.values.values())))
    award = Award(rule.id, "", 0, 0, Fraction(0), (), None, "hand", "")
    paid = {"points": amount} if rule.unit == "points" else {"doubles": amount}
    yield counted(score, (*score.best.fired, replace(award, **paid)))  # type: ignore[arg-type]


def counted(score: Score, fired: tuple[Award, ...]) -> int:
    return worth(fired, score.limit, score.limit)


WRONG: dict[MistakeKind, Wrong] = {
    "interpretation": another_interpretation,
    "seat": another_seat,
    "round": another_round,
    "winning-tile": another_source,
    "reading": another_reading,
    "exposure": another_state,
    "kong": kong_as_pung,
    "limit": no_limit,
    "forgotten": forgotten,
    "ruleset": by_other_rules,
    "counted-twice": twice,
    "arithmetic": added,
    "wrongly-counted": wrongly,
}


def wrong_counts(kind: MistakeKind, count: int) -> Iterator[tuple[Score, int]]:
    """Scores of random hands of all rule sets, each with a number that is wrong in that way."""
    random = Random(f"dispute {kind}")
    found = 0
    while found < count:
        rules = shipped()[found % len(shipped())]
        score = ENGINES[rules].score(any_hand(random))
        if score.outcome == "false-win":
            continue
        for claimed in WRONG[kind](score, random):
            if claimed is not None and claimed != score.total:
                found += 1
                yield score, claimed
                break


@pytest.mark.parametrize("kind", WRONG)
def test_what_was_got_wrong_is_found(kind: MistakeKind) -> None:
    rare = kind in {"arithmetic", "limit"}  # limit hands and three doubles are not in every draw
    for score, claimed in wrong_counts(kind, 3 if rare else 12):
        dispute = disputed(score, claimed)
        told = f"{mjasp.notation.write(score.hand)} {score.ruleset} {claimed}"
        assert dispute.complete, told
        kinds = [[mistake.kind for mistake in each.mistakes] for each in dispute.accounts]
        assert all(len(each) == 1 for each in kinds), told
        assert [kind] in kinds or len(kinds) == 5, (told, kinds)
        assert LIKELINESS[kinds[0][0]] <= LIKELINESS[kind], (told, kinds)


def test_all_kinds_are_tried() -> None:
    assert WRONG.keys() == LIKELINESS.keys()


def test_two_mistakes_are_found() -> None:
    random = Random(5)
    for score, claimed in wrong_counts("seat", 12):
        for twice_wrong in forgotten(replace_best(score, claimed), random):
            if twice_wrong is not None:
                dispute = disputed(score, twice_wrong)
                assert dispute.accounts
                assert len(dispute.accounts[0].mistakes) <= 2


def replace_best(score: Score, total: int) -> Score:
    """The score of the hand in the seat in which it comes to that total."""
    engine = ENGINES[score.ruleset]
    scores = (engine.score(hand) for wind in Wind for hand in told(score, seat=wind))
    return next(each for each in scores if each.total == total)


# ---- What holds of every dispute


@pytest.mark.parametrize("seed", range(40))
def test_accounts_add_up_and_can_be_told(seed: int) -> None:
    random = Random(seed)
    rules = random.choice(shipped())
    hand = any_hand(random)
    score = ENGINES[rules].score(hand)
    claimed = max(0, score.best.total + random.choice((-8, -2, 0, 2, 4, 8, 20, score.best.total)))
    dispute = disputed(score, claimed)
    numbers = {len(account.mistakes) for account in dispute.accounts}
    assert len(numbers) <= 1
    assert (numbers == {0}) == (claimed == score.best.total)
    for account in dispute.accounts:
        assert account.total == claimed == adds_up(account)
    kinds = [sorted(each.kind for each in account.mistakes) for account in dispute.accounts]
    assert len(kinds) == len(set(map(tuple, kinds))) <= 5
    for language in languages():
        assert max(map(len, dispute.explain(language=language).splitlines())) <= 80
        assert json.loads(dispute.explain("json", language)) == dispute.to_dict(language)


def adds_up(account: Account) -> int:
    return worth(account.fired, account.limit, account.cap, added=account.added)


def test_a_right_number_takes_no_mistake() -> None:
    dispute = mjasp.dispute("111b 222b 333b 45c 11d +3c discard", claimed=60)
    assert [account.mistakes for account in dispute.accounts] == [()]
    assert dispute.to_dict()["answer"] == "60 is right."


def test_a_number_that_nothing_makes() -> None:
    dispute = Engine().dispute("111b 222b 333b 45c 11d +3c discard", 61, seconds=60)
    assert dispute.accounts == ()
    assert dispute.complete


def test_time_that_is_up_is_told() -> None:
    dispute = Engine().dispute("111b 222b 333b 45c 11d +3c discard", 61, seconds=0)
    assert not dispute.complete
    assert "nothing was found in time" in dispute.explain()


def test_readings_limit_and_winds_are_those_asked_for() -> None:
    hand = "(1111c) 555b E [GGG] [234d] +E wall"
    settings = {"readings": {"value_pairs": "none"}, "seat": "S", "round": "E"}
    dispute = mjasp.dispute(hand, 132, **settings)  # type: ignore[arg-type]
    assert dispute.score.total == 128
    assert dispute.accounts[0].mistakes[0].change == ("reading", "value_pairs", "all")
    lifted = mjasp.dispute(hand, 136, limit=100)
    assert lifted.accounts[0].mistakes[0].kind == "limit"


@pytest.mark.parametrize(
    ("hand", "rules", "claimed", "kind"),
    [
        ("123b 456b 789b 12c 55d +3c wall", "bmja", 44, "forgotten"),
        ("123b 456b 789b 12c 55d +3c wall", "bmja", 28, "ruleset"),
        ("123b 456b 789b EE 1d [1d+1d] wall", "european-classical", 88, "winning-tile"),
    ],
)
def test_false_wins(hand: str, rules: str, claimed: int, kind: str) -> None:
    dispute = mjasp.dispute(hand, claimed, rules)
    assert dispute.score.outcome == "false-win"
    assert [mistake.kind for mistake in dispute.accounts[0].mistakes] == [kind]
    assert dispute.to_dict()["total"] is None


def test_worth_of_a_false_win() -> None:
    dispute = mjasp.dispute("123b 456b 789b RR 12c +R", 2, "bmja")
    assert dispute.score.outcome == "false-win"
    assert [account.mistakes for account in dispute.accounts] == [()]


@pytest.mark.parametrize("rules", shipped())
@pytest.mark.parametrize("language", languages())
def test_every_change_has_its_sentence(rules: str, language: str) -> None:
    words = Words(language)
    program = Program(texts("dispute", load(rules)), supposed)
    changes = [change for (change,) in program.atoms("change", 1)]
    assert changes
    for change in changes:
        assert change[0] == "reading" or words.mistake(change), change  # type: ignore[index]


# ---- The command


def test_status(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "123b 456b 789b 12c 55d +3c wall"
    assert main(["dispute", hand, "--claimed", "28"]) == 0
    assert main(["dispute", hand, "--claimed", "28", "--rules", "bmja"]) == 1
    capsys.readouterr()
    for wrong in (["--claimed", "-1"], ["--claimed", "many"], []):
        assert main(["dispute", hand, *wrong]) == 2
        printed = capsys.readouterr()
        assert "claimed" in printed.err
        assert not printed.out


def test_what_is_unknown_is_told_with_the_answer_that_is_counted() -> None:
    hand = "(1111c) 555b E [GGG] [234d] +E wall seat:? round:E"
    assert "Traced   as if seat East" in mjasp.dispute(hand, 132).explain()
    assert "Traced   as if seat East" in mjasp.why(hand, "pung_hand").explain()


def test_an_account_whose_awards_are_all_right_is_told_by_its_sum() -> None:
    dispute = mjasp.dispute("111222333b 78b 55b +9b discard seat:S round:W", 240)
    assert [each.mistakes[0].kind for each in dispute.accounts[1:]].count("arithmetic") == 1
    for format_ in ("text", "markdown", "html"):
        assert "30 x 8 = 240" in dispute.explain(format_)


@pytest.mark.parametrize("claimed", [-1, 2.5, "44"])
def test_a_claim_is_a_number_of_points(claimed: object) -> None:
    with pytest.raises(MjaspError, match="whole number"):
        mjasp.dispute("EEE [RRR] [GGG] [SSS] N +N", claimed)  # type: ignore[arg-type]


def test_json_of_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "(1111c) 555b EE GG [234d] +G discard seat:E round:E"
    main(["dispute", hand, "--claimed", "124", "--format", "json"])
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "mjasp/dispute/1"
    assert (told["ruleset"], told["claimed"], told["total"]) == ("european-classical", 124, 128)
    first = told["accounts"][0]
    assert first["mistakes"] == [
        {
            "kind": "seat",
            "text": "the seat wind was taken for south",
            "what": "seat",
            "value": "S",
        }
    ]
    assert first["total"] == 124
    assert first["steps"] == ["4 + 4 + 32 + 2 + 20 = 62", "62 x 2 = 124"]
    assert sum(award["points"] for award in first["trace"]) == 62
