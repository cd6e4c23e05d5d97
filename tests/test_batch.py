"""`mjasp batch` and score_many: forms, order, errors, and going on after whatever happened."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
import zstandard

import mjasp
from bench.hands import losing_hands, won_hands
from mjasp.batch import run as batch_run
from mjasp.batch.entries import LONGEST
from mjasp.batch.pool import Pool
from mjasp.batch.work import CSV_COLUMNS, FIELDS
from mjasp.cli import main
from mjasp.commands import batch as batch_command
from mjasp.notation import write

ROOT = Path(__file__).parents[1]
WON = "111b 222b 333b 45c 11d +3c discard seat:E round:E"
LOST = "EEE 19c 11122233d"
PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


def texts(number: int, seed: int = 3) -> list[str]:
    """Won and losing hands in mixed order, and a line here and there that is no hand."""
    hands = [*won_hands(number * 4 // 5, seed), *losing_hands(number // 5, seed)]
    found = [write(hand) for hand in hands]
    Random(seed).shuffle(found)
    found[7::50] = ["+"] * len(found[7::50])
    return found


def lines_file(path: Path, hands: Sequence[str]) -> Path:
    path.write_text(
        "".join(json.dumps({"id": f"h{at}", "hand": hand}) + "\n" for at, hand in enumerate(hands))
    )
    return path


def batch(*arguments: str | Path, status: int = 0) -> None:
    assert main(["batch", *map(str, arguments)]) == status


def unpacked(path: Path) -> str:
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".zst":
        frames = zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True)
        data = frames.read()
    return data.decode()


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in unpacked(path).splitlines()]


def scored(tmp_path: Path, text: str, *options: str, status: int = 0) -> list[dict[str, Any]]:
    """The records of a batch over lines of this text."""
    (tmp_path / "in.jsonl").write_text(text, encoding="utf-8")
    batch(tmp_path / "in.jsonl", "--output", tmp_path / "out.jsonl", *options, status=status)
    return records(tmp_path / "out.jsonl")


# ---- Records


def test_a_line_is_a_record_or_a_hand(tmp_path: Path) -> None:
    text = (
        f"\ufeff{WON}\n\n% no hand\r\n{json.dumps({'id': [17], 'hand': LOST, 'more': 1})}\r\n{LOST}"
    )
    first, second, third = scored(tmp_path, text)
    assert first == {"id": None, "line": 1, "score": mjasp.score(WON, sensitivity=False).to_dict()}
    assert second["id"] == [17]
    assert (second["line"], third["line"]) == (4, 5)
    assert second["score"] == third["score"]


def test_waits_are_always_there_and_sensitivity_is_asked_for(tmp_path: Path) -> None:
    hand = "(1111c) 555b E [GGG] [234d] +E wall seat:E"
    (plain,) = scored(tmp_path, hand)
    assert plain["score"]["waits"] == ["E"]
    assert plain["score"]["readings"] is None
    assert [each["others"] for each in plain["score"]["assumed"]] == [None]
    (asked,) = scored(tmp_path, hand, "--sensitivity")
    assert asked["score"] == mjasp.score(hand).to_dict()


def test_options_beat_the_record_which_beats_the_text(tmp_path: Path) -> None:
    line = json.dumps({"hand": f"{WON} rules:bmja", "rules": "dmjl"})
    named = [f"{WON} rules:bmja", line, WON]
    told = scored(tmp_path, "\n".join(named))
    assert [each["score"]["ruleset"] for each in told] == ["bmja", "dmjl", "european-classical"]
    told = scored(tmp_path, line, "--rules", "mahjiang", "--limit", "20", "--seat", "S")
    assert (
        told[0]["score"]
        == mjasp.score(
            f"{WON} rules:bmja", "mahjiang", limit=20, seat="S", sensitivity=False
        ).to_dict()
    )


def test_several_rule_sets_give_a_record_each(tmp_path: Path) -> None:
    told = scored(tmp_path, f"{WON}\n+\n{LOST}", "--rules", "dmjl,bmja", status=1)
    assert [each["line"] for each in told] == [1, 1, 2, 2, 3, 3]
    rulesets = [each["score"]["ruleset"] for each in told if "score" in each]
    assert rulesets == ["dmjl", "bmja"] * 2
    assert told[2] == told[3]


def test_fields_are_those_of_a_score(tmp_path: Path) -> None:
    keys = [*mjasp.score(WON).to_dict(), *mjasp.score("EEE 19c 11122233d seat:?").to_dict()]
    assert set(FIELDS) == set(keys)
    (told,) = scored(tmp_path, WON, "--fields", "waits,total")
    assert told["score"] == {"waits": ["3c", "6c"], "total": 60}
    (told,) = scored(tmp_path, WON, "--fields", "total")
    assert told["score"] == {"total": 60}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", "bad-json"),
        ('{"id": NaN, "hand": ""}', "bad-json"),
        ('{"id": 1e999, "hand": ""}', "bad-json"),
        ('{"a":' * 100_000, "bad-json"),
        ("{}", "no-hand"),
        ('{"hand": 7}', "bad-record"),
        (json.dumps({"hand": WON, "rules": "club.lp"}), "ruleset-path"),
        (json.dumps({"hand": WON, "rules": "club"}), "unknown-ruleset"),
        ("5x", "unknown-word"),
        ("5b " * LONGEST, "line-too-long"),
    ],
)
def test_a_bad_line_is_an_error_and_the_rest_goes_on(tmp_path: Path, line: str, code: str) -> None:
    bad, good = scored(tmp_path, f"{line}\n{WON}", status=1)
    assert bad["line"] == 1
    assert bad["error"]["schema"] == "mjasp/error/1"
    assert code in [each["code"] for each in bad["error"]["errors"]]
    assert (good["line"], good["score"]["total"]) == (2, 60)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"hand": "5b" x}', "the line is no JSON: expecting ',' delimiter (column 15)"),
        (b'{"hand": "\xff"}', "the line is no UTF-8 at its byte 11"),
        (b'{"id": ' + b"1" * 5000 + b"}", "a number of the line has more than 4,300 digits"),
        (b'{"id": 1e999}', "a number of the line is too large"),
        (b'{"id": -Infinity}', "-Infinity is no number of JSON"),
        (b'{"id": ' + b"[" * 200 + b"]" * 200 + b"}", "lists in lists more than 100 deep"),
    ],
)
def test_what_is_no_json_is_told_in_plain_words(tmp_path: Path, line: bytes, told: str) -> None:
    (tmp_path / "in").write_bytes(line)
    batch(tmp_path / "in", "--output", tmp_path / "out", status=1)
    (record,) = records(tmp_path / "out")
    (problem,) = record["error"]["errors"]
    assert problem["code"] == "bad-json"
    assert told in problem["message"]
    assert problem["help"]


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b'\xff\n{"hand": "\xff"}\n' + WON.encode())
    batch(tmp_path / "in", "--output", tmp_path / "out", status=1)
    assert ["error" in each for each in records(tmp_path / "out")] == [True, True, False]


def test_a_fault_in_one_hand_is_told_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def score(hand: str, *_: object, **__: object) -> mjasp.Score:
        return {LOST: mjasp.Engine().score(LOST)}[hand]

    monkeypatch.setattr(mjasp, "score", score)
    bad, good = scored(tmp_path, f"{WON}\n{LOST}", status=1)
    assert bad["error"]["errors"][0]["code"] == "internal-fault"
    assert "score" in good


def test_strict_stops_before_the_first_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{WON}\n{LOST}\n+\n{WON}"
    for jobs in "12":
        assert len(scored(tmp_path, text, "--strict", "--jobs", jobs, status=2)) == 2
        told = capsys.readouterr().err.replace("\n  ", "")  # a long path breaks the line
        assert told.startswith(f"{tmp_path}/in.jsonl, line 3:")


# ---- Files


@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
def test_forms_hold_the_same(tmp_path: Path, packing: str) -> None:
    hands = texts(60)
    plain = lines_file(tmp_path / "in.jsonl", hands)
    as_csv = io.StringIO()
    csv.writer(as_csv).writerows(
        [("hand", "id"), *((hand, f"h{at}") for at, hand in enumerate(hands))]
    )
    pack = PACK[packing]
    (tmp_path / f"p.jsonl{packing}").write_bytes(pack(plain.read_bytes()))
    (tmp_path / f"p.csv{packing}").write_bytes(pack(as_csv.getvalue().encode()))
    batch(plain, "--output", tmp_path / "expected", status=1)
    for form in ("jsonl", "csv"):
        batch(tmp_path / f"p.{form}{packing}", "--output", tmp_path / f"out{packing}", status=1)
        told = [
            {**each, "line": each["line"] - (form == "csv")}
            for each in records(tmp_path / f"out{packing}")
        ]
        assert told == records(tmp_path / "expected")


def test_csv_out(tmp_path: Path) -> None:
    rows = 'rules,id,hand\ndmjl,a,"123b 456b\n789b 12c 55d +3c wall"\n\n,,+\n'
    (tmp_path / "in.csv").write_text(rows)
    batch(tmp_path / "in.csv", "--output", tmp_path / "out.csv", status=1)
    won, bad = csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text()))
    assert tuple(won) == CSV_COLUMNS
    score = mjasp.score("123b 456b 789b 12c 55d +3c wall", "dmjl")
    fired = " ".join(award.rule for award in score.best.fired)
    assert won == dict(
        zip(
            CSV_COLUMNS,
            ("a", "2", "dmjl", "won", "96", str(score.points), str(score.doubles), "0", fired, ""),
            strict=True,
        )
    )
    assert (bad["id"], bad["line"], bad["outcome"]) == ("", "5", "")
    assert bad["error"]


def test_csv_without_a_column_of_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.csv").write_text("id,tiles\n1,EE\n")
    batch(tmp_path / "in.csv", status=2)
    assert "no column `hand`" in capsys.readouterr().err


def test_many_files_are_written_by_name(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        lines_file(tmp_path / "in" / name, [WON, LOST])
    (tmp_path / "in" / "empty.jsonl").touch()
    batch(tmp_path / "in", "--output", tmp_path / "out" / "{name}.csv.gz", "--jobs", "2")
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == [
        "a.csv.gz",
        "b.csv.gz",
        "empty.csv.gz",
    ]
    assert [
        unpacked(tmp_path / "out" / f"{name}.csv.gz").count("\n") for name in ("a", "empty")
    ] == [3, 1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("in", "in"), "each needs a file to be written to"),
        (("in", "in", "--output", "{name}"), "the same name"),
        (("in", "--output", "in"), "cannot be read and written at once"),
        (("none",), "none cannot be read"),
        (("in", "--output", "in/out"), "in/out cannot be written"),
        (("in", "--resume"), "--resume needs --output"),
        (("in", "--output", "other", "--resume"), "holds something else"),
        (("in", "--fields", "totals"), "a score has no totals"),
        (("in", "--fields", "total", "--output", "o.csv"), "the columns of CSV are fixed"),
        (("in", "--rules", "dmjl,club"), "there is no rule set 'club'"),
        (("in", "--reading", "club=yes"), "there is no reading 'club'"),
        (("in", "--jobs", "0"), "no number of processes above 0"),
        (("cut.gz",), "cut.gz cannot be read"),
    ],
)
def test_what_cannot_be_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").write_text(WON)
    Path("other").write_text('{"line": "one"}\n')
    Path("cut.gz").write_bytes(gzip.compress(WON.encode())[:-9])
    batch(*options, status=2)
    printed = capsys.readouterr()
    assert told in " ".join(printed.err.split())
    assert printed.out == ""


@pytest.mark.skipif(not Path(os.devnull).is_char_device(), reason="there are no such files")
def test_files_that_are_devices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").write_text(WON)
    batch(tmp_path / "in", "--output", os.devnull)
    batch(tmp_path / "in", "--output", os.devnull, "--resume")
    assert capsys.readouterr().err.count("hands: 1, errors: 0") == 2
    if Path("/dev/full").is_char_device():
        batch(tmp_path / "in", "--output", "/dev/full", status=2)
        assert "/dev/full cannot be written: No space left" in capsys.readouterr().err


def test_zstd_needs_an_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").write_text(WON)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    batch(tmp_path / "in", "--output", tmp_path / "out.zst", status=2)
    assert "pip install 'mjasp[zstd]'" in capsys.readouterr().err


def test_what_is_told_at_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").write_text(f"{WON}\n+\n")
    batch(tmp_path / "in", status=1)
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 2
    assert printed.err.startswith("hands: 2, errors: 1, seconds: ")
    assert printed.err.count("\n") == 1
    batch(tmp_path / "in", "--format", "json", status=1)
    told = json.loads(capsys.readouterr().err)
    assert (told["schema"], told["hands"], told["errors"]) == ("mjasp/batch/1", 2, 1)


def test_seconds_are_those_of_the_whole_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").write_text(WON)
    monkeypatch.setattr(batch_command, "perf_counter", lambda: time.perf_counter() - 1000)
    batch(tmp_path / "in", "--format", "json")
    assert json.loads(capsys.readouterr().err)["seconds"] >= 1000


def test_a_bar_on_a_terminal_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").write_text(WON)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    batch(tmp_path / "in")
    assert "B/s" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm", None)
    batch(tmp_path / "in")
    assert "B/s" not in capsys.readouterr().err


def test_standard_input_and_a_reader_that_leaves(tmp_path: Path) -> None:
    (tmp_path / "in").write_text(f"{WON}\n" * 2000)
    command = [sys.executable, "-m", "mjasp", "batch", "-", "--jobs", "2"]
    pipe = subprocess.PIPE
    with (
        (tmp_path / "in").open("rb") as lines,
        subprocess.Popen(command, stdin=lines, stdout=pipe, stderr=pipe, cwd=ROOT) as process,
    ):
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline())["score"]["total"] == 60
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


# ---- Processes


def test_output_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "in.jsonl", texts(2000))
    for jobs in ("1", "2"):
        out = tmp_path / f"out{jobs}.jsonl.gz"
        batch(source, "--output", out, "--jobs", jobs, "--rules", "dmjl", status=1)
    assert (tmp_path / "out1.jsonl.gz").read_bytes() == (tmp_path / "out2.jsonl.gz").read_bytes()
    assert [each["line"] for each in records(tmp_path / "out2.jsonl.gz")] == list(range(1, 2001))


def children(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes that the threads of a process have started, as Linux tells them."""
    threads = Path(f"/proc/{process.pid}/task").glob("*/children")
    return [int(child) for thread in threads for child in thread.read_text().split()]


def started(source: Path, output: Path, *options: str, until: int = 1) -> subprocess.Popen[bytes]:
    """A batch in a process of its own, once it has written so many bytes."""
    command = [sys.executable, "-m", "mjasp", "batch", str(source), "--output", str(output)]
    process = subprocess.Popen([*command, *options], stderr=subprocess.PIPE, cwd=ROOT)
    while process.poll() is None and not (output.exists() and output.stat().st_size >= until):
        time.sleep(0.005)
    return process


@pytest.fixture(scope="module")
def long_batch(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """Lines that take a while, and what they come to."""
    place = tmp_path_factory.mktemp("long")
    source = lines_file(place / "in.jsonl", texts(1200, seed=5))
    batch(source, "--output", place / "out.jsonl", "--jobs", "2", status=1)
    return source, (place / "out.jsonl").read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes as Linux tells of them")
def test_a_worker_that_is_killed_is_replaced(
    tmp_path: Path, long_batch: tuple[Path, bytes]
) -> None:
    source, expected = long_batch
    with started(source, tmp_path / "out.jsonl", "--jobs", "2") as process:
        for worker in children(process):
            os.kill(worker, signal.SIGKILL)
            time.sleep(0.3)
        assert process.wait() == 1
    assert (tmp_path / "out.jsonl").read_bytes() == expected


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_batch_that_is_stopped_goes_on(
    tmp_path: Path, long_batch: tuple[Path, bytes], number: signal.Signals
) -> None:
    source, expected = long_batch
    output = tmp_path / "out.jsonl"
    until = Random(number).randrange(len(expected) // 2)
    # Hands one by one: blocks might all be written before the signal is there.
    with started(source, output, "--jobs", "2", "--engine", "clingo", until=until) as process:
        process.send_signal(number)
        assert process.wait() == (130 if number == signal.SIGINT else -number)
    written = output.read_bytes()
    assert expected.startswith(written)
    assert len(written) < len(expected)
    if number == signal.SIGINT:
        assert written.endswith(b"\n")
    batch(source, "--output", output, "--resume", "--jobs", "2", status=1)
    assert output.read_bytes() == expected


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.jsonl.gz", "out.csv.zst"])
def test_resume_after_a_cut_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(batch_run, "_CHUNKS", (3, 7))
    hands = [*texts(40), "5x\n7y", "% \n", '"'] * 2
    source = lines_file(tmp_path / "in.jsonl", hands)
    options = (source, "--output", tmp_path / name, "--rules", "dmjl,majiang")
    batch(*options, status=1)
    written, expected = (tmp_path / name).read_bytes(), unpacked(tmp_path / name)
    places = Random(name).sample(range(len(written)), 8)
    for cut in (0, *places, len(written) - 1, len(written)):
        (tmp_path / name).write_bytes(written[:cut])
        assert main(["batch", *map(str, options), "--resume"]) in {0, 1}
        assert unpacked(tmp_path / name) == expected


# ---- Pool


def doubled(task: tuple[int, ...]) -> list[int]:
    """Twice each number; 13 is fatal, 0 divides."""
    if 13 in task:
        os.kill(os.getpid(), signal.SIGKILL)
    return [2 * number if 1 // number < 2 else 0 for number in task]


def pool(jobs: int = 2) -> Pool[tuple[int, ...], list[int]]:
    return Pool(
        doubled,
        jobs,
        parts=lambda task: ((number,) for number in task),
        lost=lambda task: [-number for number in task],
        join=lambda parts: [number for part in parts for number in part],
    )


def test_a_task_that_kills_every_worker_is_given_up_alone() -> None:
    tasks = [(1, 2), (3, 13, 4), (5,), (6, 7)]
    assert list(pool().map(tasks)) == [[2, 4], [6, -13, 8], [10], [12, 14]]


def test_an_exception_of_the_work_is_raised_where_its_result_is_due() -> None:
    results = pool().map([(1,), (0,), (2,)])
    assert next(results) == [2]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_tasks_are_taken_a_little_ahead() -> None:
    taken = []

    def tasks() -> Iterator[tuple[int, ...]]:
        for number in count(20):
            taken.append(number)
            yield (number,)

    results = pool().map(tasks())
    assert list(islice(results, 50)) == [[2 * number] for number in range(20, 70)]
    results.close()
    assert len(taken) < 60


# ---- From Python


def test_score_many_is_lazy_and_in_order() -> None:
    hands = texts(100)
    engine = mjasp.Engine("dmjl")
    expected = list(engine.score_many(hands))
    for jobs in (1, 2):
        found = mjasp.score_many(iter(hands), "dmjl", jobs=jobs)
        for one, other in zip(found, expected, strict=True):
            assert type(one) is type(other)
            if isinstance(one, mjasp.Score) and isinstance(other, mjasp.Score):
                assert one == other
                assert one.waits == other.waits
            else:
                assert str(one) == str(other)


def test_score_many_takes_hands_as_asked_for() -> None:
    hands = (WON for _ in count())
    for jobs in (1, 2):
        totals = [
            each.total
            for each in islice(mjasp.score_many(hands, jobs=jobs), 3)
            if isinstance(each, mjasp.Score)
        ]
        assert totals == [60, 60, 60]
    with pytest.raises(ValueError, match="at least 1"):
        mjasp.score_many([], jobs=0)
