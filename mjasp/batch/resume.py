"""Where an interrupted batch left off: what of its output is whole, and the last line it holds."""

from __future__ import annotations

import csv
import io
import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from mjasp.batch.files import BatchError, Form
from mjasp.errors import Problem

__all__ = ["NOTHING", "Whole", "whole"]


class Whole(NamedTuple):
    """The part of an output that is whole: its size in bytes, and the last line it tells of."""

    size: int
    line: int


NOTHING = Whole(0, 0)


def whole(path: Path, form: Form, per_line: int) -> Whole:
    """What to keep of an output with `per_line` records for each line of its input.

    Records cut short are left out, and those of a line that has not all of its records. Raises
    BatchError for a file that no batch has written. Of a pipe or a device nothing is kept.
    """
    if not path.is_file():
        return NOTHING
    # A member or frame is written with all the records of its lines.
    needed = 1 if form.packing else per_line
    with path.open("rb") as raw:
        pieces = deque(_pieces(raw, form), maxlen=needed + 1)
    found = [Whole(end, line) for end, text in pieces if (line := _line(text, form)) is not None]
    if pieces and not found:
        message = f"{path} holds something else than a batch's records"
        raise BatchError(Problem("no-batch-output", message))
    of_last = [each for each in found if each.line == found[-1].line]
    if len(of_last) < needed:
        found = found[: -len(of_last)]
    return found[-1] if found else NOTHING


def _pieces(raw: BinaryIO, form: Form) -> Iterator[tuple[int, bytes]]:
    """What was written as a whole, with the byte that it ends before; what is cut short is not."""
    if form.packing:
        return form.blocks(raw)
    return _rows(raw) if form.csv else _records(raw)


def _records(raw: BinaryIO) -> Iterator[tuple[int, bytes]]:
    end = 0
    for record in raw:
        end += len(record)
        if record.endswith(b"\n"):
            yield end, record


def _rows(raw: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The rows of a CSV file, which may hold line ends inside quotes."""
    held: list[bytes] = []

    def lines() -> Iterator[str]:
        for line in raw:
            held.append(line)
            yield line.decode()

    end = 0
    rows = csv.reader(lines(), strict=True)
    while True:
        try:
            next(rows)
        except (StopIteration, csv.Error):
            return
        text = b"".join(held)
        held.clear()
        end += len(text)
        if text.endswith(b"\n"):
            yield end, text


def _line(text: bytes, form: Form) -> int | None:
    """The line that the last record of a text tells of, 0 for a header; None for no record."""
    try:
        if form.csv:
            *_, row = csv.reader(io.StringIO(text.decode()))
            return 0 if row[1] == "line" else int(row[1])
        return int(json.loads(text.rstrip(b"\n").rpartition(b"\n")[2])["line"])
    except (ValueError, LookupError, TypeError):
        return None
