"""The lines of a batch: read one by one whatever their length, gathered into chunks."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, BinaryIO, NamedTuple, NoReturn

from mjasp.batch.files import BatchError
from mjasp.errors import NotationError, Problem

__all__ = ["LONGEST", "Chunk", "Entry", "chunks", "entries", "given"]

LONGEST = 1 << 20  # bytes of a line; a chunk holds no more either, its last line apart
# Levels of lists and objects in a record: what can be read must be writable again, wherever.
_DEEPEST = 100
_BOM = b"\xef\xbb\xbf"
_TOO_LONG = Problem("line-too-long", f"the line has more than {LONGEST:,} bytes")
_AS_TEXT = "write it as a text, in quotes"
_RECORD = 'a line is a record such as {"id": 17, "hand": "..."}, or a hand alone'


class Entry(NamedTuple):
    """One line as it stands: its bytes, the cells of a CSV row, or why it cannot be read."""

    line: int
    content: bytes | dict[str, str] | Problem


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines that are scored together; `source` counts the files, `size` the bytes read for it."""

    source: int
    entries: tuple[Entry, ...]
    size: int = 0

    def alone(self) -> Iterator[Chunk]:
        """Each line in a chunk of its own; a chunk without lines is one already."""
        if not self.entries:
            yield self
        for entry in self.entries:
            yield Chunk(self.source, (entry,))


def entries(stream: BinaryIO, *, as_csv: bool) -> Iterator[Entry]:
    """The lines that hold something: neither empty ones nor those that are only a comment."""
    return _rows(stream) if as_csv else _lines(stream)


def chunks(
    source: int, found: Iterable[Entry], raw: BinaryIO, sizes: Sequence[int]
) -> Iterator[Chunk]:
    """Chunks of as many lines as `sizes` says, the last size again and again.

    There is one at least, so that no file passes unseen.
    """
    held: list[Entry] = []
    weight = told = 0
    most, *larger = sizes
    for entry in found:
        held.append(entry)
        weight += len(entry.content) if isinstance(entry.content, bytes) else 0
        if len(held) == most or weight > LONGEST:
            at = _position(raw)
            yield Chunk(source, tuple(held), at - told)
            held, weight, told = [], 0, at
            most, *larger = larger or [most]
    yield Chunk(source, tuple(held), _position(raw) - told)


def given(content: bytes | dict[str, str] | Problem) -> Mapping[str, Any]:
    """The keys of a line; a line that is no JSON object is a hand. Raises NotationError.

    >>> given(b"123b 456b 789b 12c 55d +3c")
    {'hand': '123b 456b 789b 12c 55d +3c'}
    """
    if isinstance(content, Problem):
        raise NotationError(content)
    if isinstance(content, dict):
        return content
    if not content.startswith(b"{"):
        # What is no UTF-8 reaches the parser all the same, which tells where it stands.
        return {"hand": content.decode("utf-8", "surrogateescape")}
    try:
        record = _DECODER.decode(content.decode("utf-8", "surrogatepass"))
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError as error:
        message = f"the line is no UTF-8 at its byte {error.start + 1}"
        raise _no_json(message, "save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        wrong = error.msg[:1].lower() + error.msg[1:]
        raise _no_json(f"the line is no JSON: {wrong} (column {error.colno})", _RECORD) from None
    except ValueError:  # of an integer: Python reads no longer ones
        most = f"{sys.get_int_max_str_digits():,}"
        raise _no_json(f"a number of the line has more than {most} digits", _AS_TEXT) from None
    assert isinstance(record, dict)
    if content.count(b"[") + content.count(b"{") > _DEEPEST and _depth(record) > _DEEPEST:
        raise _too_deep()
    return record


def _no_json(message: str, help_: str) -> NotationError:
    return NotationError(Problem("bad-json", message, help=help_))


def _too_deep() -> NotationError:
    return _no_json(f"the line has lists in lists more than {_DEEPEST} deep", _AS_TEXT)


def _depth(value: object) -> int:
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        level = [
            inner for each in level for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return depth


def _position(raw: BinaryIO) -> int:
    try:
        return raw.tell()
    except OSError:
        return 0  # a pipe


def _lines(stream: BinaryIO) -> Iterator[Entry]:
    for number, line in enumerate(_bounded(stream), 1):
        if len(line) > LONGEST:
            yield Entry(number, _TOO_LONG)
        elif (bare := line.strip()) and not bare.startswith(b"%"):
            yield Entry(number, bare)


def _rows(stream: BinaryIO) -> Iterator[Entry]:
    """The rows of a CSV file by the line that each begins in; a line may end inside quotes."""
    rows = csv.reader(line.decode("utf-8", "surrogateescape") for line in _bounded(stream))
    header: list[str] = []
    while True:
        number = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield Entry(number, Problem("bad-csv", f"the row is no CSV: {error}"))
            continue
        if not header:
            header = _header(row)
        elif any(row):
            named = zip(header, row, strict=False)
            yield Entry(number, {name: cell for name, cell in named if cell})


def _header(row: list[str]) -> list[str]:
    header = [name.strip().lower() for name in row]
    if "hand" not in header:
        help_ = "its first line names the columns: `hand`, and perhaps `id` and `rules`"
        problem = Problem("no-hand-column", "the CSV file has no column `hand`", help=help_)
        raise BatchError(problem)
    return header


def _bounded(stream: BinaryIO) -> Iterator[bytes]:
    """Each line without a byte order mark; of one that is too long, so much as tells that it is."""
    while line := stream.readline(LONGEST + 1):
        yield line.removeprefix(_BOM)
        while not line.endswith(b"\n") and (line := stream.readline(LONGEST + 1)):
            pass


def _number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise _no_json("a number of the line is too large", _AS_TEXT)
    return number


def _no_number(text: str) -> NoReturn:
    raise _no_json(f"{text} is no number of JSON", "write null or a text, in quotes")


# Made once: `json.loads` makes a decoder each time.
_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_number)
