"""What the encodings answered, kept on the disk: one SQLite file for one state of the encodings.

The file is a cache and nothing else: whatever is wrong with it, the answers are found again. So
nothing here raises, and what cannot be read for certain is not there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import clingo

__all__ = ["FOLDER_VARIABLE", "Store", "cache_folder"]

FOLDER_VARIABLE = "MJASP_CACHE"

# Of this module's way to write an answer; it is part of the file's name.
_FORMAT = 1

# How long another process that writes is waited for; then it is done without.
_SECONDS = 1.0

# New answers that are written at once.
_MANY = 2000

# A file that is no database, or one with other columns.
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


def cache_folder() -> Path | None:
    """The folder of the user's cache for this program; None where the user wants none.

    The environment variable MJASP_CACHE names it; empty, it switches the cache off. Without it, the
    folder is where each platform has its caches: XDG_CACHE_HOME or ~/.cache, ~/Library/Caches on
    macOS, LOCALAPPDATA on Windows. The folder need not exist.
    """
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    try:
        return _platform_folder() / "mjasp"
    except RuntimeError:  # a user without a home
        return None


def _platform_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    # The specification of these folders says that a relative path is to be ignored.
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return chosen if chosen.is_absolute() else Path.home() / ".cache"


class Store:
    """Answers by question, both texts, in a folder.

    `texts` are the encodings that answer: with others, or with another clingo, it is another file.
    Several processes may read and write at once. A file that is damaged or someone else's is
    replaced; where nothing can be read, nothing is kept.
    """

    def __init__(self, folder: Path, texts: Iterable[str]) -> None:
        self._path = folder / _file_name(texts)
        self._new: dict[str, bytes] = {}
        self._writes = True
        self._connection: sqlite3.Connection | None = None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError):
            return
        if not self._opened() and not self._path.exists():
            self._opened()  # what was there was of no use, and is gone

    def get(self, question: str) -> str | None:
        """The answer, None where there is none."""
        if self._connection is None:
            return None
        try:
            found = self._connection.execute(
                "SELECT answer FROM answers WHERE question = ?", (question,)
            ).fetchone()
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        return None if found is None else _unpacked(question, found[0])

    def put(self, question: str, answer: str) -> None:
        """Note an answer, which `flush` writes; so does this, where there are many."""
        if self._connection is not None and self._writes:
            self._new[question] = _packed(question, answer)
            if len(self._new) % _MANY == 0:
                self.flush()

    def flush(self) -> None:
        """Write what is new, all at once; where another process keeps writing, the next time."""
        if self._connection is None or not self._new:
            return
        try:
            with self._connection as transaction:
                # Not OR IGNORE: an answer that was there and could not be read is mended.
                transaction.executemany(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?)", self._new.items()
                )
        except sqlite3.Error as error:
            if _code(error) == sqlite3.SQLITE_BUSY:
                return
            if _code(error) in _DAMAGED:
                self._give_up(error)
            self._writes = False  # a full disk, a file that may only be read
        self._new.clear()

    def close(self) -> None:
        """Let the file go; from now on nothing is kept."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None
        self._new.clear()

    def _opened(self) -> bool:
        """Whether the file could be opened, or made where there was none."""
        try:
            self._connection = sqlite3.connect(
                self._path, timeout=_SECONDS, check_same_thread=False
            )
            # After a power cut the file may be damaged, which shows when it is read.
            self._connection.execute("PRAGMA synchronous = OFF")
            with self._connection as transaction:
                transaction.execute(
                    "CREATE TABLE IF NOT EXISTS answers"
                    " (question TEXT PRIMARY KEY, answer BLOB NOT NULL) WITHOUT ROWID"
                )
            self._connection.execute("SELECT question, answer FROM answers LIMIT 1").fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
        return self._connection is not None

    def _give_up(self, error: sqlite3.Error) -> None:
        """Go on without the file, and without a damaged one for good."""
        self.close()
        if _code(error) in _DAMAGED:
            with suppress(OSError):
                self._path.unlink()


def _code(error: sqlite3.Error) -> int:
    """SQLite's code of what went wrong, without its details."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _file_name(texts: Iterable[str]) -> str:
    """A name that no other state of the encodings has."""
    major = clingo.__version__.partition(".")[0]
    whole = json.dumps([_FORMAT, major, *texts])
    return f"divisions-{hashlib.sha256(whole.encode()).hexdigest()[:16]}.sqlite3"


def _packed(question: str, answer: str) -> bytes:
    """An answer under its question, compressed: zlib adds a checksum."""
    return zlib.compress(f"{question}\n{answer}".encode())


def _unpacked(question: str, packed: object) -> str | None:
    """The answer, None where it is not whole or another question's."""
    try:
        text = zlib.decompress(packed).decode()  # type: ignore[arg-type]  # whatever a file may hold
    except (zlib.error, TypeError, ValueError):
        return None
    asked, _, answer = text.partition("\n")
    return answer if asked == question else None
