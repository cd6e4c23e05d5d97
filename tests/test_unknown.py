"""Unknown facts and tiles: every answer is scored, and it is told which one decides."""

from __future__ import annotations

import json
import pickle

import pytest

import mjasp
from mjasp.cli import main
from mjasp.errors import HandError
from mjasp.notation import parse, write

WON = "111222333b 45c 11d +3c"
# From the rule text: chows 30 points and a double, so 60 if claimed; drawn 32 points and two
# doubles, 128; a loose tile one double more, 256; a robbed kong 30 points and two doubles, 120.
BY_SOURCE = [("wall", 128), ("discard", 60), ("loose", 256), ("robbing", 120)]


def test_each_answer_is_scored() -> None:
    score = mjasp.score(f"{WON} won:? seat:E round:E", sensitivity=False)
    (unknown,) = score.assumed
    assert (unknown.fact, unknown.value, list(unknown.others or ())) == ("source", None, BY_SOURCE)
    assert (score.total, score.spread, score.outcome) == (None, (60, 256), "won")
    # What is traced is the default answer.
    assert score.best == mjasp.score(f"{WON} discard seat:E round:E").best
    assert score.best.total == 60


def test_answers_that_agree_leave_a_total() -> None:
    score = mjasp.score(f"{WON} wall seat:? round:E")
    assert (score.total, score.spread) == (128, (128, 128))
    (unknown,) = score.assumed
    assert unknown.others == (("E", 128), ("S", 128), ("W", 128), ("N", 128))


def test_several_unknown_facts_spread_over_all_combinations() -> None:
    score = mjasp.score(f"{WON} won:? last-tile:? seat:E round:E")
    assert score.spread == (60, 256)  # 256 too if drawn and last: 32 points, three doubles
    assert [each.fact for each in score.assumed] == ["source", "last-tile"]
    assert score.assumed[1].others == (("no", 60), ("yes", 120))


def test_the_wind_that_decides() -> None:
    # As chows 30 points and a double; a pair of value spoils that, and pungs count: 46 + 2.
    score = mjasp.score("111222333b 45c SS +3c discard seat:? round:?")
    assert score.spread == (48, 60)
    seat, round_ = score.assumed
    assert dict(seat.others or ()) == {"E": 60, "S": 48, "W": 60, "N": 60}
    assert seat.others == round_.others


def test_impossible_answers_are_skipped() -> None:
    held = mjasp.score("111222333b 34c EE +E won:? seat:E round:E", sensitivity=False)
    answers = [value for value, _ in held.assumed[0].others or ()]
    assert "robbing" not in answers
    dealt = mjasp.score(f"{WON} won:? first-turn seat:S round:E", sensitivity=False)
    assert [value for value, _ in dealt.assumed[0].others or ()] == ["discard"]
    anyone = mjasp.score(f"{WON} discard first-turn seat:? round:E", sensitivity=False)
    assert [value for value, _ in anyone.assumed[0].others or ()] == ["S", "W", "N"]
    assert anyone.hand.seat is mjasp.Wind.SOUTH


def test_a_stated_wind_beats_an_unknown_one() -> None:
    score = mjasp.score(f"{WON} wall seat:? round:?", seat="S", round="W")
    assert score.assumed == ()
    assert write(score.given) == "111222333b 45c 11d +3c wall seat:S round:W"


def test_a_false_win_stays_one() -> None:
    score = mjasp.score("13579b 2468c ESWN +R won:? seat:E round:E")
    assert (score.outcome, score.total, score.spread) == ("false-win", None, None)


def test_json() -> None:
    told = mjasp.score(f"{WON} won:? seat:E round:E").to_dict()
    assert told["spread"] == {"min": 60, "max": 256}
    assert told["total"] is None
    assert told["interpretations"][told["best"]]["total"] == 60
    others = [{"value": value, "total": total} for value, total in BY_SOURCE]
    assert told["assumed"] == [{"fact": "source", "value": None, "others": others}]
    assert "spread" not in mjasp.score(f"{WON} wall").to_dict()


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", f"{WON} won:? seat:E round:E"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:4] == ["Result   60 to 256, won", "Traced   as if claimed"]
    at = lines.index("Unknown, and which answer decides")
    assert " ".join(" ".join(lines[at + 1 : at + 3]).split()) == (
        "won 60 if claimed, 120 if robbed from a kong, 128 if self-drawn, 256 if a loose tile"
    )


def test_unknown_tiles_of_a_loser() -> None:
    score = mjasp.score("[444b] 222b 66b ?????", rules="european-classical")
    assert (score.outcome, score.total) == ("lost", 6)
    assert score.waits == ()
    (note,) = score.notes
    assert note.startswith("some concealed tiles are unknown")
    assert mjasp.waits("222444666888b ?") == ()


def test_why_nothing_is_said_of_waits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["waits", "222444666888b ?"]) == 0
    assert "nothing can be said: some concealed tiles are unknown" in capsys.readouterr().out


def test_nothing_is_said_of_every_tile_where_some_are_unknown() -> None:
    known = mjasp.score("222b 444b 666b 888b 3b", rules="mahjiang")
    assert "one_suit" in {award.rule for award in known.best.fired}
    unknown = mjasp.score("222b 444b 666b 888b ?", rules="mahjiang")
    assert "one_suit" not in {award.rule for award in unknown.best.fired}


@pytest.mark.parametrize("rules", [each.id for each in mjasp.rulesets()])
def test_every_rule_set_scores_unknown_hands(rules: str) -> None:
    assert mjasp.score("[444b] 222b 66b ?????", rules=rules).outcome == "lost"
    engine = mjasp.Engine(rules)
    assert engine.calling("222444666888b ?") == ()
    assert engine.waits("222444666888b ?") == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("111222333b 45c 1d ? +3c", "unknown-tile-won"),
        ("111222333b 45c 11d won:?", "needs-winning-tile"),
        ("111222333b 45c 11d last-tile:?", "needs-winning-tile"),
        ("111222333b 45c 11d +3c wall won:?", "two-sources"),
        ("111222333b 45c 11d +3c last-tile last-tile:?", "contradiction"),
        ("111222333b 45c 11d +3c seat:? seat:S", "two-seats"),
        ("111222333b 45c 11d ????", "wrong-number"),
    ],
)
def test_what_cannot_be_unknown(text: str, code: str) -> None:
    with pytest.raises(HandError) as caught:
        parse(text)
    assert code in {problem.code for problem in caught.value.problems}
    assert all(problem.line and problem.help for problem in caught.value.problems)


def test_no_such_unknown_fact() -> None:
    with pytest.raises(HandError, match="no fact that can be unknown"):
        mjasp.Hand(unknown_tiles=13, unknown=frozenset({"weather"}))


def test_a_score_with_unknown_facts_travels() -> None:
    score = mjasp.score(f"{WON} won:? seat:?")
    assert pickle.loads(pickle.dumps(score)) == score  # noqa: S301 - our own
    json.dumps(score.to_dict())
