"""A game in one SQLite file.

The file keeps every `add` and `correct` in the order in which they came (`change`), and the sheet
that follows from them (`sheet`): what a deal gave is what was counted when it was written, until a
correction before it counts it anew. Every write is one transaction that takes the lock first and
then reads the seats it rests on, so a crash leaves the file as it was or with the whole change,
and of two writers the second builds on what the first wrote.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from mjasp.errors import GameError, Problem
from mjasp.game import Game, Record, players_of, record_of
from mjasp.game_dicts import (
    MALFORMED,
    deal_dict,
    differing,
    read_played,
    read_record,
    read_settings,
    record_dict,
    settings_dict,
)

__all__ = ["Written", "add", "correct", "create", "load", "undo"]

# "mjas": says that a SQLite file is a game of ours.
_APPLICATION = 0x6D6A6173
_BUSY_SECONDS = 5.0
# Statements that bring a file from version n to n + 1; a new file begins at version 0.
_STEPS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE game (
            one INTEGER PRIMARY KEY CHECK (one = 1), players TEXT NOT NULL, settings TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE change (
            number INTEGER PRIMARY KEY, deal INTEGER NOT NULL, record TEXT NOT NULL
        )
        """,
        "CREATE TABLE sheet (deal INTEGER PRIMARY KEY, played TEXT NOT NULL)",
        f"PRAGMA application_id = {_APPLICATION}",
    ),
)
_DAMAGED = (
    "damaged",
    "is damaged, or was copied while it was being written",
    "go back to a copy or an export of it; of a file copied then, copy its `-journal` as well",
)
_EXISTS = ("exists", "is there already", "choose another name")
# Beginnings of SQLite's error names, and what they mean to a player.
_TOLD = {
    "SQLITE_NOTADB": ("no-game", "is no game", "`mjasp game new` makes one"),
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_BUSY": ("busy", "is being written by another program", "try again"),
    "SQLITE_LOCKED": ("busy", "is being written by another program", "try again"),
    "SQLITE_READONLY": ("read-only", "cannot be written", "nothing was changed"),
    "SQLITE_FULL": ("disk-full", "finds no room on the disk", "nothing was changed"),
    "SQLITE_IOERR": ("disk-error", "cannot be read or written", "nothing was changed"),
    "SQLITE_CANTOPEN": ("no-file", "cannot be opened", "is the path right?"),
    "SQLITE_PERM": ("no-file", "may not be opened", "is the path right?"),
    "SQLITE_AUTH": ("no-file", "may not be opened", "is the path right?"),
}


class Written(NamedTuple):
    """A game before and after a change of the deal of that number."""

    before: Game
    after: Game
    deal: int


@dataclass(frozen=True, slots=True)
class _Stored:
    """What a file holds: the sheet, and the deal and record of each change by its number."""

    game: Game
    changes: dict[int, tuple[int, Record]]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a change gives: the game, the first deal it touches, and its trace in the log."""

    game: Game
    deal: int
    statement: str
    values: tuple[int | str, ...]


_Change = Callable[[_Stored], _Outcome]


def create(file: Path, game: Game) -> None:
    """Write a new game with its deals. Raises GameError where the file holds anything."""
    with _connected(file, new=True) as connection, _transaction(connection, "BEGIN IMMEDIATE"):
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
            raise _error(file, *_EXISTS)
        _migrate(connection)
        told = (json.dumps(game.players), json.dumps(settings_dict(game.settings)))
        connection.execute("INSERT INTO game VALUES (1, ?, ?)", told)
        for number, played in enumerate(game.deals, start=1):
            connection.execute(*_logged(game, number, played.record))
        _write_sheet(connection, game, 1)


def load(file: Path) -> Game:
    """The game as it stands in the file. Raises GameError."""
    with _connected(file) as connection:
        return _read(file, connection).game


def add(file: Path, deal: str) -> Written:
    """Add a deal, its seats being those of the players who sit there now.

    Raises GameError, and what `mjasp.settle` raises; then nothing is changed.
    """

    def added(stored: _Stored) -> _Outcome:
        game = stored.game
        return _put(game, len(game.deals) + 1, record_of(deal, game.table(), game.settings))

    return _write(file, added)


def correct(file: Path, number: int, deal: str) -> Written:
    """Put a deal in the place of the one of that number, and count anew what came after it.

    Its seats are those of the players who sat there in that deal; raises as `add` does.
    """

    def corrected(stored: _Stored) -> _Outcome:
        game = stored.game
        record = record_of(deal, game.played(number).table, game.settings)
        return _put(game, number, record)

    return _write(file, corrected)


def undo(file: Path) -> Written:
    """Take back the last add or correct that was not taken back."""

    def undone(stored: _Stored) -> _Outcome:
        if not stored.changes:
            raise GameError(Problem("nothing-to-undo", "no deal is played: there is none to undo"))
        last = max(stored.changes)
        deal, _ = stored.changes[last]
        before = [n for n, (at, _) in stored.changes.items() if at == deal and n != last]
        record = stored.changes[max(before)][1] if before else None
        game = stored.game.with_record(deal, record)
        return _Outcome(game, deal, "DELETE FROM change WHERE number = ?", (last,))

    return _write(file, undone)


def _put(game: Game, deal: int, record: Record) -> _Outcome:
    return _Outcome(game.with_record(deal, record), deal, *_logged(game, deal, record))


def _logged(game: Game, deal: int, record: Record) -> tuple[str, tuple[int | str, ...]]:
    told = json.dumps(record_dict(record, game.players))
    return "INSERT INTO change (deal, record) VALUES (?, ?)", (deal, told)


def _write(file: Path, change: _Change) -> Written:
    with _connected(file) as connection:
        # Once for nothing: what is wrong is told, and the rule set is ground, while others need
        # not wait for the lock. What counts is worked out from what then stands in the file.
        change(_read(file, connection))
        with _transaction(connection, "BEGIN IMMEDIATE"):
            stored = _read(file, connection)
            outcome = change(stored)
            connection.execute(outcome.statement, outcome.values)
            _write_sheet(connection, outcome.game, outcome.deal)
        return Written(stored.game, outcome.game, outcome.deal)


def _write_sheet(connection: sqlite3.Connection, game: Game, first: int) -> None:
    connection.execute("DELETE FROM sheet WHERE deal >= ?", (first,))
    for number in range(first, len(game.deals) + 1):
        played = json.dumps(deal_dict(game, number))
        connection.execute("INSERT INTO sheet VALUES (?, ?)", (number, played))


def _read(file: Path, connection: sqlite3.Connection) -> _Stored:
    """What the file holds, all of one moment."""
    if connection.in_transaction:
        return _read_all(file, connection)
    with _transaction(connection, "BEGIN"):
        return _read_all(file, connection)


def _read_all(file: Path, connection: sqlite3.Connection) -> _Stored:
    told = connection.execute("SELECT players, settings FROM game").fetchone()
    sheet = connection.execute("SELECT deal, played FROM sheet ORDER BY deal").fetchall()
    log = connection.execute("SELECT number, deal, record FROM change ORDER BY number").fetchall()
    try:
        players, settings = map(json.loads, told)
        game = Game(players_of(players), read_settings(settings))
        changes = {
            number: (deal, read_record(json.loads(record), game.players))
            for number, deal, record in log
        }
        for number, played in sheet:
            found = json.loads(played)
            game = replace(game, deals=(*game.deals, read_played(game, found)))
            if number != len(game.deals) or differing(found, deal_dict(game, number)):
                raise ValueError(number)
    except (*MALFORMED, GameError):
        raise _error(file, *_DAMAGED) from None
    # A file that was copied in the midst of a change can hold one of the two without the other.
    if dict(changes.values()) != {n: each.record for n, each in enumerate(game.deals, start=1)}:
        raise _error(file, *_DAMAGED)
    return _Stored(game, changes)


@contextmanager
def _connected(file: Path, *, new: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the game in a file; what SQLite finds wrong is told as a GameError."""
    if "\0" in str(file) or file.is_dir():
        raise _error(file, *_TOLD["SQLITE_CANTOPEN"])
    try:
        if not new or (file.exists() and file.stat().st_size):
            _look(file, new=new)
        with closing(_opened(file, f"mode={'rwc' if new else 'rw'}")) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA synchronous = FULL")
            if not new:
                _check(file, connection)
            yield connection
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        told = (told for start, told in _TOLD.items() if name.startswith(start))
        code, what, way_out = next(told, _DAMAGED)
        if new and code == "no-game":
            code, what, way_out = _EXISTS
        raise _error(file, code, what, way_out) from None


def _opened(file: Path, how: str) -> sqlite3.Connection:
    uri = f"{file.absolute().as_uri()}?{how}"
    return sqlite3.connect(uri, timeout=_BUSY_SECONDS, isolation_level=None, uri=True)


def _look(file: Path, *, new: bool) -> None:
    """See that the file is a game of a version that is known, and leave it as it is.

    To open the database of another program would already change it: a journal would be played
    back. What is said here is read from the bytes of the file alone.
    """
    with closing(_opened(file, "mode=ro&immutable=1")) as connection:
        if connection.execute("PRAGMA application_id").fetchone() != (_APPLICATION,):
            raise _error(file, *(_EXISTS if new else _TOLD["SQLITE_NOTADB"]))
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > len(_STEPS):
            raise _error(file, "newer", "is from a newer mjasp", "update mjasp to use it")


def _check(file: Path, connection: sqlite3.Connection) -> None:
    """See that the file is whole; bring it to the newest version."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < 1:
        # What was being made when it was broken off is taken back when it is opened.
        raise _error(file, *_TOLD["SQLITE_NOTADB"])
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise _error(file, *_DAMAGED)
    if version < len(_STEPS):
        with _transaction(connection, "BEGIN IMMEDIATE"):
            _migrate(connection)


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest version, from whatever version it has by now."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for step in _STEPS[version:]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(_STEPS)}")


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    """All of it or nothing."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _error(file: Path, code: str, what: str, way_out: str | None) -> GameError:
    return GameError(Problem(code, f"`{file}` {what}", help=way_out))
