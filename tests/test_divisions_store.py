"""Divisions on the disk: kept, shared by processes, and never wrong, whatever lies there."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from mjasp.compiled import divisions as module
from mjasp.compiled import store as store_module
from mjasp.compiled.divisions import Divisions
from mjasp.compiled.store import Store, cache_folder

TEXTS = ["some encodings"]
PATTERNS = [
    (part, (at, 1, 1, 1, 0, 0, 0, 0, 0), winning)
    for part in range(3)
    for at in range(5)
    for winning in (None, 1)
]


def asked(divisions: Divisions) -> list[tuple[tuple[str, ...], ...]]:
    found = [divisions.part(*pattern) for pattern in PATTERNS]
    found += [divisions.part(3, (0,) * 7), divisions.part(3, (2, 3, 0, 0, 0, 0, 0), 1)]
    return [*found, divisions.knitted("knitted_pairs", 5, (2, 2, 2))]


@pytest.fixture(scope="module")
def expected() -> list[tuple[tuple[str, ...], ...]]:
    return asked(Divisions())


@pytest.fixture
def never_asked(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it, and from then on no program can be grounded."""

    def forbid(*_: object) -> None:
        raise AssertionError("the encodings were asked")

    return lambda: monkeypatch.setattr(module, "Program", forbid)


def file_in(folder: Path) -> Path:
    (file,) = folder.glob("*.sqlite3")
    return file


def test_what_was_flushed_is_not_asked_again(
    tmp_path: Path,
    expected: list[tuple[tuple[str, ...], ...]],
    never_asked: Callable[[], None],
) -> None:
    first = Divisions(tmp_path / "of its own")
    assert asked(first) == expected
    first.flush()
    never_asked()
    assert asked(Divisions(tmp_path / "of its own")) == expected


def test_without_a_folder_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "MJASP_CACHE"):
        monkeypatch.setenv(name, str(tmp_path))
    divisions = Divisions()
    asked(divisions)
    divisions.flush()
    assert not list(tmp_path.iterdir())


def test_other_encodings_have_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path, TEXTS)
    store.put("question", "answer")
    store.flush()
    assert Store(tmp_path, TEXTS).get("question") == "answer"
    assert Store(tmp_path, [*TEXTS, ""]).get("question") is None
    monkeypatch.setattr("clingo.__version__", "6.0.0")
    assert Store(tmp_path, TEXTS).get("question") is None


# ---- Files of no use

NO_TABLE = "DROP TABLE answers"
OTHER_COLUMNS = (
    "DROP TABLE answers; CREATE TABLE answers (a, b, c); INSERT INTO answers VALUES (1, 2, 3)"
)
NO_ROWS = "DELETE FROM answers"
OTHER_ROWS = """
    CREATE TABLE former AS SELECT * FROM answers;
    UPDATE answers SET answer = (SELECT max(answer) FROM former)
"""
NO_BLOBS = "UPDATE answers SET answer = 'text'"
NUMBERS = "UPDATE answers SET answer = 5"


@pytest.mark.parametrize(
    "change", [NO_TABLE, OTHER_COLUMNS, NO_ROWS, OTHER_ROWS, NO_BLOBS, NUMBERS]
)
def test_a_file_with_something_else_is_mended(
    tmp_path: Path,
    expected: list[tuple[tuple[str, ...], ...]],
    never_asked: Callable[[], None],
    change: str,
) -> None:
    with filled(tmp_path) as connection:
        connection.executescript(change)
    mended(tmp_path, expected, never_asked)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        (r".+", "what nobody asked"),
        (r"^\d+", "0"),
        (r"^\d", "9"),
        (r"^\d", "\u00b2"),
        (r"^0", "1"),
        (r" .+", ""),
        (r" ", "  "),
        (r"formed", "reformed"),
        (r"(pair|pung|chow)", "set"),
        (r"formed\(\w+\(.+?\),", "formed(east,"),
        (r"(any|east|bamboo)", "nowhere"),
        (r" (completed|tried)\S+", ""),
    ],
)
def test_an_answer_that_makes_no_sense_is_asked_anew(
    tmp_path: Path,
    expected: list[tuple[tuple[str, ...], ...]],
    never_asked: Callable[[], None],
    line: str,
    other: str,
) -> None:
    changed = 0
    with filled(tmp_path) as connection:
        for question, packed in connection.execute("SELECT * FROM answers").fetchall():
            _, _, answer = zlib.decompress(packed).decode().partition("\n")
            odd = re.sub(line, other, answer, flags=re.MULTILINE)
            changed += odd != answer
            row = zlib.compress(f"{question}\n{odd}".encode()), question
            connection.execute("UPDATE answers SET answer = ? WHERE question = ?", row)
        connection.commit()
    assert changed
    mended(tmp_path, expected, never_asked)


@contextmanager
def filled(folder: Path) -> Iterator[sqlite3.Connection]:
    """A file with the answers to what is asked, to be spoiled."""
    first = Divisions(folder)
    asked(first)
    first.flush()
    with closing(sqlite3.connect(file_in(folder))) as connection:
        yield connection


def mended(
    folder: Path, expected: list[tuple[tuple[str, ...], ...]], never_asked: Callable[[], None]
) -> None:
    """The right answers are found, and are in the file again."""
    second = Divisions(folder)
    assert asked(second) == expected
    second.flush()
    never_asked()
    assert asked(Divisions(folder)) == expected


def _overwritten(data: bytes) -> bytes:
    return b"this is no database" * (len(data) // 19)


def _cut_off(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _empty(_: bytes) -> bytes:
    return b""


def _odd_bytes(data: bytes) -> bytes:
    return bytes(byte ^ (at % 97 == 5) for at, byte in enumerate(data))


def _odd_pages(data: bytes) -> bytes:
    return data[:4096] + bytes(byte ^ 255 for byte in data[4096:])


@pytest.mark.parametrize("damage", [_overwritten, _cut_off, _empty, _odd_bytes, _odd_pages])
def test_a_damaged_file_is_replaced(
    tmp_path: Path,
    expected: list[tuple[tuple[str, ...], ...]],
    never_asked: Callable[[], None],
    damage: Callable[[bytes], bytes],
) -> None:
    first = Divisions(tmp_path)
    asked(first)
    first.flush()
    file = file_in(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    for _ in range(3):  # found when it is opened, when it is read, when it is written
        divisions = Divisions(tmp_path)
        assert asked(divisions) == expected
        divisions.flush()
    never_asked()
    assert asked(Divisions(tmp_path)) == expected


@pytest.mark.parametrize("place", ["a file", "a file/below", "a folder with \0"])
def test_a_folder_that_cannot_be(
    tmp_path: Path, expected: list[tuple[tuple[str, ...], ...]], place: str
) -> None:
    (tmp_path / "a file").write_text("")
    divisions = Divisions(tmp_path / place)
    assert asked(divisions) == expected
    divisions.flush()
    assert (tmp_path / "a file").read_text() == ""


def test_a_folder_where_the_file_should_be(
    tmp_path: Path, expected: list[tuple[tuple[str, ...], ...]]
) -> None:
    Divisions(tmp_path).part(*PATTERNS[0])
    file = file_in(tmp_path)
    file.unlink()
    file.mkdir()
    divisions = Divisions(tmp_path)
    assert asked(divisions) == expected
    divisions.flush()
    assert file.is_dir()


def test_a_full_disk(tmp_path: Path) -> None:
    connect = sqlite3.connect

    def connected(path: Path, **options: Any) -> sqlite3.Connection:  # noqa: ANN401 - as connect has it
        connection: sqlite3.Connection = connect(path, **options)
        connection.execute("PRAGMA max_page_count = 4")
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connected)
        store = Store(tmp_path, TEXTS)
        store.put("kept", "answer")
        store.flush()
        for number in range(2000):
            store.put(f"question {number}", str(number))
        store.flush()
        assert store.get("kept") == "answer"  # what is there can still be read
    assert Store(tmp_path, TEXTS).get("question 5") is None
    assert Store(tmp_path, TEXTS).get("kept") == "answer"


# ---- Several processes

WRITER = """
import sys
from pathlib import Path
from mjasp.compiled.divisions import Divisions
sys.path.insert(0, {tests!r})
from test_divisions_store import PATTERNS, asked
divisions = Divisions(Path({folder!r}))
for pattern in PATTERNS[:: {step}]:
    divisions.part(*pattern)
    divisions.flush()
print(asked(divisions))
divisions.flush()
"""


def test_processes_write_at_once(
    tmp_path: Path,
    expected: list[tuple[tuple[str, ...], ...]],
    never_asked: Callable[[], None],
) -> None:
    tests = str(Path(__file__).parent)
    programs = [
        WRITER.format(tests=tests, folder=str(tmp_path), step=step) for step in (1, -1, 2, -2)
    ]
    started = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        for program in programs
    ]
    for process in started:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert output == f"{expected}\n"
    never_asked()
    assert asked(Divisions(tmp_path)) == expected


def test_another_process_keeps_the_file_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "_SECONDS", 0.01)
    store = Store(tmp_path, TEXTS)
    store.put("question", "answer")
    other = sqlite3.connect(file_in(tmp_path), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    store.flush()
    other.execute("ROLLBACK")
    store.flush()
    assert Store(tmp_path, TEXTS).get("question") == "answer"
    other.execute("BEGIN EXCLUSIVE")
    assert store.get("question") is None
    assert Store(tmp_path, TEXTS).get("question") is None
    other.execute("ROLLBACK")
    assert Store(tmp_path, TEXTS).get("question") == "answer"  # it was not taken for damaged


# ---- The folder


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("MJASP_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return monkeypatch


def test_the_folder_is_where_the_platform_has_caches(
    tmp_path: Path, environment: pytest.MonkeyPatch
) -> None:
    environment.setattr(sys, "platform", "linux")
    assert cache_folder() == tmp_path / ".cache" / "mjasp"
    environment.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == tmp_path / ".cache" / "mjasp"
    environment.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert cache_folder() == tmp_path / "caches" / "mjasp"
    environment.setattr(sys, "platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "mjasp"
    environment.setattr(sys, "platform", "win32")
    environment.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_folder() == tmp_path / "local" / "mjasp"


def test_the_user_names_the_folder_or_none(tmp_path: Path, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("MJASP_CACHE", str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"
    environment.setenv("MJASP_CACHE", "")
    assert cache_folder() is None


def test_a_user_without_a_home_has_no_folder(environment: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError

    environment.setattr(Path, "home", nowhere)
    environment.setattr(sys, "platform", "linux")
    assert cache_folder() is None
