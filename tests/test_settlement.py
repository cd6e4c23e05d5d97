"""Who pays whom, held against settlements counted by hand."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from console import sessions

import mjasp
from bench.hands import losing_hand, won_hand
from mjasp import Customs, Deal, DealError, HandError, Wind
from mjasp.cli import main
from mjasp.settlement import settlement

E, S, W, N = Wind
HERE = Path(__file__).parent
TABLES = [*sorted((HERE / "golden" / "tables").glob("*.txt")), HERE.parent / "docs" / "settling.md"]
EAST = "(1111c) 555b E [GGG] [234d] +E wall"  # 136, in a South round 132
# The values of the table that the rule texts print.
VALUES = {E: 50, S: 80, W: 20, N: 0}
EC = "european-classical"


def nets(deal: Deal, cap: int | None = 500) -> tuple[int | None, ...]:
    return tuple(settlement(deal, EC, cap=cap).net.values())


def lines(values: Mapping[str, object], **others: str) -> str:
    told = {**values, **{key.replace("_", "-"): value for key, value in others.items()}}
    return "".join(f"{key}: {value}\n" for key, value in told.items())


@pytest.mark.parametrize("rules", [EC, "european-classical-2008", "mahjiang", "majiang"])
def test_printed_table(rules: str) -> None:
    found = mjasp.settle(HERE / "deals" / "printed.txt", rules).to_dict()
    assert found["scores"] == {"E": 50, "S": 80, "W": 20, "N": 0}
    assert found["net"] == {"E": 0, "S": 120, "W": 80, "N": -200}
    table = {(each["from"], each["to"]): each["amount"] for each in found["payments"]}
    assert table == {
        ("E", "W"): 40,
        ("S", "W"): 20,
        ("N", "W"): 20,
        ("E", "S"): 60,
        ("N", "E"): 100,
        ("N", "S"): 80,
    }


@pytest.mark.parametrize(
    ("winner", "expected"),
    [
        # 100 from each; West pays South 60, North pays South 80 and West 20.
        (E, (300, 40, -140, -200)),
        # 160 from East, 80 from West and North; West pays East 60, North pays East 100 and West 20.
        (S, (0, 320, -120, -200)),
        # The printed table.
        (W, (0, 120, 80, -200)),
        # Nothing to the winner; East pays South 60, West pays East 60 and South 60.
        (N, (0, 120, -120, 0)),
        (None, (0, 0, 0, 0)),
    ],
)
def test_each_seat_wins(winner: Wind | None, expected: tuple[int, ...]) -> None:
    assert nets(Deal(VALUES, winner=winner)) == expected


@pytest.mark.parametrize(
    ("winner", "by", "customs", "expected"),
    [
        # To the winner alone: East 40, South and North 20 each.
        (W, None, Customs(losers_settle=False), (-40, -20, 80, -20)),
        (E, None, Customs(losers_settle=False), (300, -100, -100, -100)),
        # 20 from each; East pays South 30, North pays East 50 and South 80.
        (W, None, Customs(east_doubles=False), (0, 90, 60, -150)),
        # 50 from each; West pays South 60, North pays South 80 and West 20.
        (E, None, Customs(east_doubles=False), (150, 90, -90, -150)),
        # North pays all 80, then the losers settle as ever.
        (W, N, Customs(discarder_pays=True), (40, 140, 80, -260)),
        # East pays all 80: his own 40, and 20 for each of the others.
        (W, E, Customs(discarder_pays=True), (-40, 140, 80, -180)),
        # South pays East's 300.
        (E, S, Customs(discarder_pays=True), (300, -160, -40, -100)),
        # Drawn: nobody discarded, and the table is the printed one.
        (W, "wall", Customs(discarder_pays=True), (0, 120, 80, -200)),
        # East 80, South and North 40 each; between losers nothing changes.
        (W, "wall", Customs(self_drawn_doubles=True), (-40, 100, 160, -220)),
        # 200 from each.
        (E, "wall", Customs(self_drawn_doubles=True), (600, -60, -240, -300)),
        # Not drawn: the printed table.
        (W, N, Customs(self_drawn_doubles=True), (0, 120, 80, -200)),
        (
            W,
            "wall",
            Customs(
                losers_settle=False,
                east_doubles=False,
                discarder_pays=True,
                self_drawn_doubles=True,
            ),
            (-40, -40, 120, -40),
        ),
        (W, E, Customs(losers_settle=False, east_doubles=False, discarder_pays=True),
         (-60, 0, 60, 0)),
    ],
)  # fmt: skip
def test_customs(
    winner: Wind, by: Wind | None, customs: Customs, expected: tuple[int, ...]
) -> None:
    assert nets(Deal(VALUES, winner=winner, by=by, customs=customs)) == expected


def test_hands_are_scored_with_seat_and_round_of_the_deal() -> None:
    found = mjasp.settle(HERE / "deals" / "hands.txt")
    # East 66 points (the pair of easts is no round wind's) and a double; South nothing; West the
    # pung of souths, 4 points and the round wind's double.
    assert list(found.values.values()) == [132, 0, 8, 30]
    # 264 from each; South pays West 8 and North 30; West pays North 22.
    assert list(found.net.values()) == [792, -302, -278, -212]
    assert found.deal.winner is E


def test_a_limit_hand_is_paid_as_the_text_says() -> None:
    orphans = "19b 19c 19d ESWNRGWh +E wall"
    numbers = {"east": 0, "south": 0, "west": 0, "north": 0}
    dealer = mjasp.settle(lines({**numbers, "east": orphans}))
    assert [each.amount for each in dealer.payments] == [1000, 1000, 1000]
    other = mjasp.settle(lines({**numbers, "south": orphans}))
    assert [each.amount for each in other.payments] == [1000, 500, 500]


def test_the_limit_caps_values_and_not_payments() -> None:
    deal = Deal({E: 700, S: 600, W: 20, N: 0}, winner=E)
    # 1000 from each; West pays South 480, North pays South 500 and West 20.
    assert nets(deal) == (3000, -20, -1460, -1520)
    # 1400 from each; West pays South 580, North pays South 600 and West 20.
    assert nets(deal, cap=None) == (4200, -220, -1960, -2020)
    assert settlement(deal, EC, cap=500).notes[0] == (
        "East's 700 is more than the limit and counts as 500."
    )
    text = lines({"east": 700, "south": 600, "west": 20, "north": 0}, winner="E")
    assert mjasp.settle(text).values == {E: 500, S: 500, W: 20, N: 0}
    assert mjasp.settle(text, "bmja").values == {E: 700, S: 600, W: 20, N: 0}
    assert mjasp.settle(text, limit=60).values == {E: 60, S: 60, W: 20, N: 0}
    assert mjasp.settle(text, cap=False).values == {E: 700, S: 600, W: 20, N: 0}


def test_rules_and_readings_reach_the_hands() -> None:
    text = lines({"east": EAST, "south": 0, "west": 0, "north": 0}, rules="european-classical-2008")
    found = mjasp.settle(text)
    assert (found.ruleset, found.values[E]) == ("european-classical-2008", 136)
    assert mjasp.settle(text, readings={"value_pairs": "none"}).values[E] == 128
    assert mjasp.settle(text, "dmjl").ruleset == "dmjl"


def test_what_does_not_depend_on_an_unknown_hand_is_settled() -> None:
    loser = settlement(Deal({**VALUES, S: None}, winner=W), EC, cap=500)
    assert loser.net == {E: None, S: None, W: 80, N: None}
    assert loser.open == ((E, S), (S, N))
    assert [(each.payer, each.receiver, each.amount) for each in loser.payments] == [
        (E, W, 40),
        (S, W, 20),
        (N, W, 20),
        (N, E, 100),
    ]
    winner = settlement(Deal({**VALUES, W: None}, winner=W), EC, cap=500)
    assert winner.open == ((E, W), (S, W), (N, W))
    assert [each.amount for each in winner.payments] == [60, 100, 80]
    alone = Customs(losers_settle=False)
    assert nets(Deal({**VALUES, S: None}, winner=W, customs=alone)) == (-40, -20, 80, -20)
    for_all = Customs(losers_settle=False, discarder_pays=True)
    unknown = Deal({**VALUES, W: None}, winner=W, by=N, customs=for_all)
    assert nets(unknown) == (0, 0, None, None)


def test_unknown_facts_of_a_hand_leave_open_what_depends_on_them() -> None:
    hand = EAST.replace("wall", "won:? seat:?")
    found = mjasp.settle(
        lines({"east": hand, "south": "11223344b 456c 7d ?", "west": 20, "north": 0})
    )
    assert found.values == {E: None, S: 0, W: 20, N: 0}
    assert found.open == ((S, E), (W, E), (N, E))
    assert [(each.payer, each.receiver, each.amount) for each in found.payments] == [
        (S, W, 20),
        (N, W, 20),
    ]
    assert "  East    ?    from 132 to 272\n" in found.explain()
    assert "source not known" in found.explain()
    assert any(note.startswith("South's hand: ") for note in found.notes)
    told = mjasp.settle(lines({"east": hand, "south": 0, "west": 20, "north": 0}, by="S"))
    assert told.values[E] == 132


def test_a_round_that_one_hand_does_not_know_is_open_for_all() -> None:
    text = {"east": EAST, "south": 0, "west": "[SSS] 12357b 46c 289d", "north": 0}
    for told in (lines({**text, "east": f"{EAST} round:?"}), lines(text, round="?")):
        assert mjasp.settle(told).values == {E: None, S: 0, W: None, N: 0}


@pytest.mark.parametrize("east", [50, EAST])
def test_an_assumed_limit_is_told_once(east: str | int) -> None:
    text = lines({"east": east, "south": 80, "west": 900, "north": 0})
    assumed: dict[str, object] = {"seat": None, "fact": "limit", "value": "500", "others": []}
    found = mjasp.settle(text, "european-classical-2008")
    assert [each for each in found.to_dict()["assumed"] if each["fact"] == "limit"] == [assumed]
    assert re.search("All +limit 500 +the rule text prints none", found.explain())
    for others in (("european-classical", None), ("european-classical-2008", 500)):
        told = mjasp.settle(text, others[0], limit=others[1]).to_dict()
        assert all(each["fact"] != "limit" for each in told["assumed"])


def test_whose_tile_won_is_told() -> None:
    assert (
        "Winner   West, with 20, on North's tile\n"
        in mjasp.settle(
            lines({"east": 50, "south": 80, "west": 20, "north": 0}, winner="W", by="N")
        ).explain()
    )


def test_an_unknown_hand_may_have_won() -> None:
    found = settlement(Deal({**VALUES, S: None}), EC, cap=500)
    assert not found.payments
    assert [*found.notes][1:] == ["Should the unknown hand of South have won, say so: `winner:`."]


def test_a_false_win_is_an_error_at_its_hand() -> None:
    text = lines({"east": 0, "south": "123456789b 55c 12d +5d discard", "west": 0, "north": 0})
    with pytest.raises(DealError) as caught:
        mjasp.settle(text)
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.column) == ("false-win", 2, 8)
    assert "South's hand is no win under european-classical" in problem.message


def test_nets_sum_to_zero_over_random_values() -> None:
    random = Random(6)
    for _ in range(2000):
        values = {seat: random.choice((0, 2, 20, 64, 300, 900)) for seat in Wind}
        winner = random.choice((None, *Wind))
        others = [seat for seat in Wind if seat is not winner]
        by: Wind | Literal["wall"] | None = None
        if winner:
            by = random.choice(others) if random.random() < 0.7 else "wall"
        customs = Customs(*(random.random() < 0.5 for _ in range(4)))
        found = settlement(Deal(values, winner=winner, by=by, customs=customs), EC, cap=500)
        assert sum(net or 0 for net in found.net.values()) == 0
        assert all(each.amount > 0 and each.because for each in found.payments)
        assert {each.payer for each in found.payments} <= set(Wind)


@pytest.mark.parametrize("rules", [EC, "bmja", "majiang"])
def test_nets_sum_to_zero_over_random_hands(rules: str) -> None:
    random, settled = Random(7), 0
    while settled < 15:
        hands = {seat: losing_hand(random) for seat in Wind}
        winner = random.choice([*Wind])
        hands[winner] = won_hand(random)
        try:
            bare = {
                seat: mjasp.parse(" ".join(_facts_left_out(hand))) for seat, hand in hands.items()
            }
            bare.update({seat: 0 for seat in Wind if random.random() < 0.4})  # type: ignore[misc]
            found = mjasp.settle(Deal(bare), rules, sensitivity=False)
        except HandError:
            continue  # a fifth copy at the table, or a false win
        assert sum(net or 0 for net in found.net.values()) == 0
        settled += 1


def _facts_left_out(hand: mjasp.Hand) -> list[str]:
    from mjasp.notation import write

    return [word for word in write(hand).split() if ":" not in word and word != "first-turn"]


# ---- Text, JSON and the command


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.stem)
def test_golden(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for deal in (HERE / "deals").iterdir():
        shutil.copy(deal, tmp_path)
    monkeypatch.chdir(tmp_path)
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        text = "\n".join(re.findall(r"```console\n(.*?)```", text, re.DOTALL))
    for (program, *arguments), printed in sessions(text):
        assert program == "mjasp"
        main(arguments)
        captured = capsys.readouterr()
        assert captured.err + captured.out == printed
        if not {"csv", "markdown"} & {*arguments}:
            assert max(map(len, printed.splitlines())) <= 80


def test_deals_of_the_documentation_are_those_it_settles() -> None:
    text = (HERE.parent / "docs" / "settling.md").read_text(encoding="utf-8")
    deals = {file.read_text(encoding="utf-8") for file in (HERE / "deals").iterdir()}
    assert set(re.findall(r"```text\n(.*?)```", text, re.DOTALL)) <= deals


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(HERE / "deals" / "hands.txt")
    assert main(["settle", file, "--format", "json", "--trace"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "mjasp/settlement/1"
    assert (found["ruleset"], found["winner"]) == (EC, "E")
    assert found["scores"] == {"E": 132, "S": 0, "W": 8, "N": 30}
    assert found["payments"][0] == {
        "from": "S",
        "to": "E",
        "amount": 264,
        "because": "East won with 132; East is paid double",
    }
    assert {seat: score["total"] for seat, score in found["traces"].items()} == {
        "E": 132,
        "S": 0,
        "W": 8,
    }
    assert [(each["seat"], each["reading"]) for each in found["readings"]] == [("E", "value_pairs")]


def test_a_false_win_and_a_missing_file_are_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settle", "no such file", "--format", "json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert json.loads(captured.err)["errors"][0]["message"].startswith("`no such file` cannot")


def test_help_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["settle", "--help"])
    out = capsys.readouterr().out
    assert out.count("\n  mjasp settle ") == 3
    assert max(map(len, out.splitlines())) <= 80
    shown = out.partition("a deal file")[2].partition("\n")[2]
    assert mjasp.settle(shown).values == {E: 136, S: 0, W: 20, N: None}
