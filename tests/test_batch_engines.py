"""Hands scored in blocks and one by one: the same bytes, whatever is read and asked for."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from test_batch import PACK, unpacked

import mjasp
from bench.hands import losing_hands, won_hands
from bench.varied import varied_hands
from mjasp import Engine, RulesetError
from mjasp.batch import blocks
from mjasp.batch import run as batch_run
from mjasp.cli import main
from mjasp.compiled import solving
from mjasp.hand import Hand
from mjasp.notation import write
from mjasp.rulesets import shipped

CLUBS = Path(__file__).parent / "clubs" / "good"
CLUB, CIRCLE = str(CLUBS / "two-chows.lp"), str(CLUBS / "circle.lp")
ALL = ",".join(shipped())
PLAIN = "111b 222b 333b 45c 11d +3c discard seat:E round:E"

IDS: tuple[Any, ...] = (
    *(None, 0, -1.5, 1e300, 10**40, True, "a", "", 'q"\\ \u00e9\U0001f600\u2028,;\n\t', "\ud800"),
    *([1, {"b": [None]}], {}, {"x": "y"}, []),
)
# What stands in place of a plain hand, or among its words.
ODD_HANDS = (
    "chow 1 2 3 dots, pungs of reds, greens and norths, pair of easts, won on an east",
    " 123m456p789s11z22z+2z",
    f"{PLAIN} rules:bmja",
    f"{PLAIN} rules:nothing",
    "EEE 19c 11122233d seat:?",
    "111b 222b 333b 45c 11d +3c won:? round:S",
    f"{PLAIN} seat:S",
    f"  {PLAIN.replace(' ', chr(9))} % and more",
    PLAIN.replace(" ", "\n"),
    PLAIN.replace(" ", "\u00a0"),
    f"{PLAIN} +3c",
    "1111b 222b 333b 45c 11d +1b",
    "5x",
    "",
    "+",
    "\ud800",
)
BAD_RULES: tuple[Any, ...] = ("", 0, False, [], 7, "nothing", "club.lp", "DMJL", "bmja ", None)
ODD_LINES = (
    *(b"{", b"{}", b'{"hand": 7}', b'{"hand": null, "id": 5}', b'{"id": NaN, "hand": ""}'),
    *(b"\xff", b'{"hand": "\xff"}', b"% no hand", b"", b" \t", b"\r", b'"EE"', b"[1]", b"null"),
    b'{"id": ' + b"[" * 980 + b"]" * 980 + b', "hand": "E"}',
    *(json.dumps({"hand": PLAIN, "rules": rules}).encode() for rules in BAD_RULES),
)


def texts(number: int, seed: int) -> list[str]:
    """Hands of all kinds, mixed."""
    shares = (varied_hands, won_hands, losing_hands)
    found = [write(hand) for kind in shares for hand in kind(number // 3, seed)]
    Random(seed).shuffle(found)
    return found


def lines(number: int, seed: int) -> list[bytes]:
    """Lines of all kinds: bare hands, records with every kind of id, what is wrong between."""
    random = Random(seed)
    hands = texts(number, seed)
    hands[5::7] = islice(cycle(ODD_HANDS), len(hands[5::7]))
    rules: tuple[str | None, ...] = (*shipped(), None)
    found = []
    for hand, id_ in zip(hands, cycle(IDS), strict=False):
        record: dict[str, Any] = {"id": id_, "hand": hand}
        if random.random() < 0.7:
            record["rules"] = random.choice(rules)
        escaped = random.random() < 0.5 or not hand.isascii()
        told = json.dumps(record, ensure_ascii=escaped or id_ == "\ud800")
        bare = random.random() < 0.2 and hand.isprintable()
        found.append((hand if bare else told).encode())
    places = random.sample(range(len(found)), len(ODD_LINES))
    for at, odd in zip(places, ODD_LINES, strict=True):
        found.insert(at, odd)
    return found


def rows(number: int, seed: int) -> bytes:
    """Rows of CSV, likewise."""
    random = Random(seed)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(("rules", "hand", "more", "id"))
    hands = texts(number, seed)
    hands[5::7] = islice(cycle(ODD_HANDS[:-1]), len(hands[5::7]))
    for hand in hands:
        rules = random.choice((None, "dmjl", "majiang", "bmja", "nothing", " "))
        writer.writerow((rules, hand, 1, random.choice(("", "7", 'a "b"', "c,\nd"))))
    return text.getvalue().encode()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks are small, and compiled all the same."""
    monkeypatch.setattr(batch_run, "_CHUNKS", (4, 37))
    monkeypatch.setattr(blocks, "_MANY", 1)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with lines and rows to read."""
    folder = tmp_path_factory.mktemp("engines")
    (folder / "lines").write_bytes(b"\n".join(lines(75, seed=1)))
    (folder / "rows.csv").write_bytes(rows(45, seed=2))
    (folder / "plain").write_text("\n".join(texts(45, seed=3)))
    for name in ("lines", "rows.csv"):
        for packing in (".gz", ".zst"):
            packed = PACK[packing]((folder / name).read_bytes())
            (folder / f"{name}{packing}").write_bytes(packed)
    return folder


class Told:
    """What a batch prints and writes, and its exit status."""

    def __init__(self, capsys: pytest.CaptureFixture[str], output: Path | None) -> None:
        self._capsys, self._output = capsys, output
        self.status = 0
        self.out = self.error = ""
        self.written = b""

    def by(self, *arguments: str | Path) -> Told:
        output = ("--output", self._output) if self._output else ()
        given = ("batch", *arguments, *output, "--format", "json")
        self.status = main([str(each) for each in given])
        self.out, self.error = self._capsys.readouterr()
        if self._output and self._output.exists():
            self.written = self._output.read_bytes()
        return self

    @property
    def totals(self) -> dict[str, Any]:
        told = json.loads(self.error)
        assert isinstance(told, dict)
        return told

    def result(self) -> tuple[object, ...]:
        """All that must not depend on the engine."""
        counted = {
            key: value
            for key, value in self.totals.items()
            if key not in {"engines", "seconds", "hands_a_second", "not_compiled"}
        }
        return self.status, self.out, self.written, counted


Run = Callable[..., Told]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def told(*arguments: str | Path, output: str | None = None) -> Told:
        return Told(capsys, tmp_path / output if output else None).by(*arguments)

    return told


def same(run: Run, *arguments: str | Path, output: str | None = None, engine: str = "auto") -> Told:
    """What is told with an engine, which is what clingo tells."""
    expected = run(*arguments, "--engine", "clingo", output=output)
    found = run(*arguments, "--engine", engine, output=output)
    assert found.result() == expected.result()
    return found


def compiled(told: Told) -> int:
    engines = told.totals["engines"]
    assert sum(engines.values()) == told.totals["hands"] - told.totals["errors"]
    return int(engines["compiled"])


# ---- The same bytes


@pytest.mark.parametrize(
    ("source", "output", "options"),
    [
        ("lines", "out.jsonl", ()),
        ("lines.zst", "out.csv", ("--rules", "dmjl", "--round", "W")),
        ("rows.csv.gz", "out.csv.gz", ()),
        ("rows.csv", "out.jsonl.zst", ("--seat", "S", "--rules", "mahjiang")),
        ("rows.csv", "out.jsonl.gz", ("--rules", ALL)),
        ("lines.gz", "out.csv.gz", ("--rules", f"majiang,{CLUB}")),
        ("lines", "out.jsonl", ("--rules", CLUB, "--fields", "total,waits,spread,hand,assumed")),
        ("lines", "out.jsonl", ("--rules", "bmja", "--fields", "best,total", "--no-limit")),
        ("rows.csv.zst", "out.csv.zst", ("--rules", "bmja", "--limit", "37", "--seat", "E")),
        ("lines", "out.jsonl", ("--rules", "bmja,dmjl", "--reading", "bouquet=two")),
        ("plain", "out.jsonl", ("--rules", "majiang", "--sensitivity")),
    ],
    ids=str,
)
def test_records(run: Run, place: Path, source: str, output: str, options: tuple[str, ...]) -> None:
    told = same(run, place / source, *options, output=output)
    assert bool(compiled(told)) == ("--sensitivity" not in options)


@pytest.mark.parametrize("output", [None, "out.jsonl"])
@pytest.mark.parametrize("options", [(), ("--rules", f"dmjl,majiang,{CLUB}")])
def test_summaries(run: Run, place: Path, output: str | None, options: tuple[str, ...]) -> None:
    told = same(run, place / "lines", "--summary", *options, output=output)
    assert json.loads(told.out)["hands"] == told.totals["hands"]
    assert compiled(told)
    assert bool(told.written) == bool(output)


def test_a_summary_names_rule_sets_in_the_order_of_the_lines(run: Run, tmp_path: Path) -> None:
    names = ("majiang", "bmja", "dmjl", "mahjiang")
    odd = {"bmja", "mahjiang"}
    records = [
        {"hand": PLAIN.replace("round:E", "round:?") if rules in odd else PLAIN, "rules": rules}
        for rules in names
    ]
    (tmp_path / "in").write_text("\n".join(map(json.dumps, records)))
    told = same(run, tmp_path / "in", "--summary")
    assert tuple(json.loads(told.out)["rulesets"]) == names


def test_processes(run: Run, place: Path) -> None:
    options = (place / "lines", "--rules", "dmjl", "--jobs", "2")
    assert compiled(same(run, *options, output="out.jsonl.gz", engine="compiled"))


def test_strict_stops_at_the_same_line(run: Run, place: Path) -> None:
    source = place / "strict"
    hands = texts(48, seed=9)
    source.write_text("\n".join([*hands[:30], "+", *hands[30:]]))
    for options in ((), ("--jobs", "2")):
        told = same(run, source, "--strict", *options, output="out.jsonl", engine="compiled")
        assert told.status == 2
        assert "line 31: " in told.totals["errors"][0]["message"]
        assert told.written.count(b"\n") == 30


@pytest.mark.parametrize("output", ["out.jsonl", "out.csv", "out.jsonl.gz"])
def test_resume_with_another_engine(run: Run, place: Path, tmp_path: Path, output: str) -> None:
    options = (place / "plain", "--rules", "dmjl,majiang")
    written = run(*options, "--engine", "clingo", output=output).written
    expected = unpacked(tmp_path / output)
    for cut in Random(output).sample(range(len(written)), 3):
        (tmp_path / output).write_bytes(written[:cut])
        run(*options, "--resume", output=output)
        assert unpacked(tmp_path / output) == expected


def test_ids_that_are_lists_in_lists(run: Run, tmp_path: Path) -> None:
    nested = ["[" * depth + "]" * depth for depth in (99, 100, 500, 985, 990, 2000)]
    (tmp_path / "in").write_text(
        "\n".join(f'{{"id": {each}, "hand": "{PLAIN}"}}' for each in nested)
    )
    told = same(run, tmp_path / "in", "--jobs", "2", output="out.jsonl")
    assert ["score" in json.loads(line) for line in told.written.splitlines()[1:]] == [False] * 5
    assert told.result()[3] == run(tmp_path / "in", output="one.jsonl").result()[3]


# ---- What is compiled, and what cannot be


@pytest.mark.parametrize("rules", shipped())
def test_nearly_all_hands_are_compiled(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str
) -> None:
    monkeypatch.setattr(batch_run, "_CHUNKS", (10, 500, 2000))
    hands = [*won_hands(2000), *losing_hands(500)][::2]
    (tmp_path / "in").write_text("\n".join(map(write, hands)))
    told = run(tmp_path / "in", "--rules", rules, "--fields", "total", output="out")
    assert compiled(told) >= 0.99 * len(hands)


def test_little_is_not_worth_compiling(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    (tmp_path / "in").write_text(f"{PLAIN}\n" * 150)
    told = run(tmp_path / "in", "--limit", "151", output="out")
    assert (compiled(told), told.totals["hands"]) == (0, 150)
    told = run(tmp_path / "in", "--limit", "151", "--engine", "compiled", output="out")
    assert compiled(told) == 150


LARGE = """\
#include "dmjl.lp".
text(house, "House").
ruleset("large", "Large").
rule(often, "Often", all).
cites(often, house, "1").
condition(often, south_sits).
value(often, doubles, 50).
holds(south_sits, hand) :- seat(south).
rule(large, "Large", all).
cites(large, house, "2").
condition(large, south_sits).
value(large, points, 1000000).
"""


def test_a_rule_set_that_cannot_be_compiled(run: Run, place: Path, tmp_path: Path) -> None:
    options = (place / "plain", "--rules", f"dmjl,{CIRCLE}")
    expected = run(*options, "--engine", "clingo", output="out.jsonl")
    found = run(*options, output="out.jsonl")
    assert found.result() == expected.result()
    assert compiled(found) == 0
    reason = found.totals["not_compiled"]
    assert reason == "circle cannot be compiled: `at` rests on itself; its hands are solved"
    assert "not_compiled" not in expected.totals
    refused = run(*options, "--engine", "compiled", output="none")
    assert refused.status == 2
    (problem,) = refused.totals["errors"]
    assert problem["code"] == "not-compiled"
    assert problem["message"].startswith("circle cannot be compiled: ")
    assert "`at`" in problem["message"]
    assert "--engine auto" in problem["help"]
    assert not (tmp_path / "none").exists()


def test_why_nothing_is_compiled_is_a_note(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("batch", place / "plain", "--rules", CIRCLE, "--output", tmp_path / "out")
    assert main([str(each) for each in arguments]) == 0
    _, note = capsys.readouterr().err.splitlines()
    assert note == "note: circle cannot be compiled: `at` rests on itself; its hands are solved"


def test_numbers_without_bounds(run: Run, place: Path, tmp_path: Path) -> None:
    (tmp_path / "large.lp").write_text(LARGE)
    options = (place / "plain", "--rules", str(tmp_path / "large.lp"))
    told = same(run, *options, "--no-limit", output="out.jsonl")
    totals = [json.loads(line)["score"]["total"] for line in told.written.splitlines()]
    assert max(total for total in totals if total is not None) > 2**68
    assert same(run, *options, output="out.csv").status == 0


def test_without_numpy(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run(place / "plain", output="out")
    assert compiled(expected)
    monkeypatch.setitem(sys.modules, "numpy", None)
    found = run(place / "plain", output="out")
    assert found.result() == expected.result()
    assert compiled(found) == 0
    assert "without numpy (mjasp[batch])" in found.totals["not_compiled"]
    assert "not_compiled" not in expected.totals
    refused = run(place / "plain", "--engine", "compiled")
    assert refused.status == 2
    assert "pip install 'mjasp[batch]'" in refused.error


def test_a_reading_of_the_rule_sets_that_lines_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").write_text(json.dumps({"hand": PLAIN, "rules": "bmja"}))
    options = (tmp_path / "in", "--reading", "bouquet=two")
    told = same(run, *options, output="out", engine="compiled")
    assert told.status == 0


def test_an_interrupt_while_compiling(
    run: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run(place / "plain", output="out.jsonl").written
    monkeypatch.setattr(blocks, "_MANY", 30)
    with monkeypatch.context() as patch:
        patch.setattr(Engine, "bulk", property(interrupted))
        stopped = run(place / "plain", "--limit", "502", output="out.jsonl")
    assert stopped.status == 130
    assert stopped.written.count(b"\n") == 4
    run(place / "plain", "--limit", "502", "--resume", output="out.jsonl")
    whole = run(place / "plain", "--limit", "502", "--engine", "clingo", output="other.jsonl")
    assert len(whole.written.splitlines()) == len(expected.splitlines())


def interrupted(_: Engine) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("cache", ["", "a-file", "a-file/below", "/dev/null/x", "new/er"])
def test_a_cache_that_is_of_no_use(
    run: Run, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: str
) -> None:
    (tmp_path / "a-file").write_bytes(b"SQLite format 3\0 and something else")
    monkeypatch.setenv("MJASP_CACHE", str(tmp_path / cache) if cache else "")
    # An engine of its own for each, which has nothing in memory yet.
    limit = str(600 + len(cache))
    told = same(run, place / "plain", "--rules", "dmjl", "--limit", limit, output="out.csv")
    assert compiled(told) == 45


# ---- One hand at a time


@pytest.fixture(scope="module")
def hands() -> Sequence[Hand]:
    return [*varied_hands(6, seed=6), mjasp.parse("EEE 19c 11122233d seat:?"), mjasp.parse(PLAIN)]


def engines(rules: str) -> Iterator[Engine]:
    for method in solving.ENGINES:
        yield Engine(rules, engine=method)


@pytest.mark.parametrize("rules", ["european-classical", CLUB])
def test_engines_tell_the_same(
    hands: Sequence[Hand], monkeypatch: pytest.MonkeyPatch, rules: str
) -> None:
    monkeypatch.setattr(solving, "_MANY", 2)
    told = []
    for engine in engines(rules):
        rule = engine.ruleset.rules[0].id
        scores = [engine.score(hand, sensitivity=True) for hand in hands]
        found: list[object] = [
            (score, score.waits, score.to_dict(), score.explain()) for score in scores
        ]
        for hand in hands[-2:]:
            found += [engine.waits(hand), engine.calling(hand), engine.facts(hand)]
            found += [engine.why(hand, rule).to_dict(), engine.lesson(hand).to_dict()]
            found.append(engine.dispute(hand, 46).to_dict())
        told.append(found)
    assert told[0] == told[1]
    assert told[1] == told[2]


def test_functions_take_an_engine() -> None:
    for engine in solving.ENGINES:
        assert mjasp.score(PLAIN, engine=engine).total == 60
        assert [str(tile) for tile in mjasp.waits(PLAIN, engine=engine)] == ["3c", "6c"]
        (score,) = mjasp.score_many([PLAIN], engine=engine)
        assert isinstance(score, mjasp.Score)
        assert score.total == 60


def test_an_engine_that_there_is_not() -> None:
    with pytest.raises(RulesetError, match="there is no engine 'compield'") as refused:
        Engine(engine="compield")  # type: ignore[arg-type]  # as a caller without a checker may
    assert "compiled" in (refused.value.problems[0].help or "")
    assert main(["batch", "-", "--engine", "none"]) == 2
