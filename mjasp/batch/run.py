"""A batch from its files to its files: what is read, where it goes, what is told at the end."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, BinaryIO, NamedTuple

from mjasp.batch.entries import Chunk, chunks, entries
from mjasp.batch.files import BatchError, form_of
from mjasp.batch.resume import NOTHING, Whole, whole
from mjasp.batch.work import CSV_COLUMNS, Scored, Settings
from mjasp.errors import MjaspError, Problem
from mjasp.summary import Summary

__all__ = ["Part", "Totals", "parts_of", "run"]

STANDARD = "-"  # standard input
# Lines of a chunk: few at first, so that the first records are there before anything is compiled.
_CHUNKS = (20, 500, 2000)
_NAME = "{name}"

Map = Callable[[Iterable[Chunk]], Generator[Scored, None, None]]
Advance = Callable[[Scored], None]


class Part(NamedTuple):
    """A file to read (`-` is standard input) and the one its records go to (None: output)."""

    source: str
    target: Path | None


@dataclass(slots=True)
class Totals:
    """What a batch came to: lines, those that were errors, seconds, and a summary if asked for.

    `compiled` of the lines were scored in blocks, by the compiled encodings; `not_compiled` is a
    sentence that tells why others were not, None where a rule set or a package is no reason.
    """

    hands: int = 0
    compiled: int = 0
    not_compiled: str | None = None
    errors: int = 0
    seconds: float = 0.0
    summary: Summary = field(default_factory=Summary)

    def to_dict(self) -> dict[str, Any]:
        """The totals as `mjasp/batch/1`."""
        told = {
            "schema": "mjasp/batch/1",
            "hands": self.hands,
            "errors": self.errors,
            "engines": {"compiled": self.compiled, "clingo": self._one_by_one},
            "seconds": round(self.seconds, 3),
            "hands_a_second": round(self._rate),
        }
        return told | ({"not_compiled": self.not_compiled} if self.not_compiled else {})

    def to_text(self) -> str:
        """The totals in a line, and in another why hands are not compiled."""
        note = f"\nnote: {self.not_compiled}" if self.not_compiled else ""
        return (
            f"hands: {self.hands:,}, errors: {self.errors:,}, seconds: {self.seconds:.1f}, "
            f"hands a second: {self._rate:,.0f}, compiled: {self.compiled:,}{note}"
        )

    @property
    def _one_by_one(self) -> int:
        return self.hands - self.errors - self.compiled

    @property
    def _rate(self) -> float:
        return self.hands / self.seconds if self.seconds else 0.0


def parts_of(files: Sequence[str], output: str | None, *, records: bool) -> list[Part]:
    """What is read and written; a folder stands for its files, `{name}` for the name of each.

    Raises BatchError where two files would be written to one place, or one to where it is read.
    """
    sources = [source for file in files for source in _sources(file)]
    if len(sources) != 1 and records and _NAME not in (output or ""):
        message = f"{len(sources)} files are read, and each needs a file to be written to"
        help_ = "write --output 'scores/{name}.jsonl': {name} is the name of the file read"
        raise BatchError(Problem("no-output", message, help=help_))
    parts = [Part(source, _target(source, output)) for source in sources]
    written = [part.target for part in parts if part.target]
    if len(set(written)) < len(written):
        message = "two of the files have the same name, and so have their outputs"
        raise BatchError(Problem("one-output", message))
    for source, target in parts:
        if target and target.exists() and source != STANDARD and target.samefile(source):
            message = f"{target} cannot be read and written at once"
            raise BatchError(Problem("one-output", message))
    return parts


def run(
    parts: Sequence[Part],
    settings: Settings,
    do: Map,
    *,
    resume: bool = False,
    advance: Advance = lambda _: None,
    start: float | None = None,
) -> Totals:
    """Score every line of every part, in order; `do` is what scores chunks.

    With `resume` each output is cut back to its last whole record and goes on from there. The
    seconds are counted from `start` on, a time of `perf_counter`, None for this call. Raises
    BatchError for files that cannot be read or written, and the first error of strict settings
    after what stands before it is written.
    """
    start = perf_counter() if start is None else start
    done = [
        whole(part.target, settings.form, settings.per_line) if resume and part.target else NOTHING
        for part in parts
    ]
    totals = Totals()
    with closing(do(_chunks(parts, done))) as results, closing(_Output(settings)) as output:
        for scored in results:
            if settings.records:
                output.turn_to(parts[scored.source], done[scored.source])
                output.write(scored.text)
            totals.hands += scored.hands
            totals.compiled += scored.compiled
            totals.not_compiled = totals.not_compiled or scored.not_compiled
            totals.errors += scored.errors
            if scored.summary is not None:
                totals.summary.merge(scored.summary)
            advance(scored)
            if scored.failed:
                raise _in_place(parts[scored.source].source, *scored.failed)
    totals.seconds = perf_counter() - start
    return totals


class _Output:
    """Where records are written to at present: whole chunks, whatever interrupts."""

    def __init__(self, settings: Settings) -> None:
        self._form = settings.form
        self._part: Part | None = None
        self._file: BinaryIO | None = None

    def turn_to(self, part: Part, done: Whole) -> None:
        """Go on with the output of a part, of which so much is there already."""
        if part is self._part:
            return
        self.close()
        self._part = part
        if part.target:
            self._file = _opened_to_write(part.target, done.size)
        if self._form.csv and not done.size:
            self.write(self._form.pack((",".join(CSV_COLUMNS) + "\n").encode()))

    def write(self, text: bytes) -> None:
        """Write and hand on at once."""
        stream = self._file or sys.stdout.buffer
        with _uninterrupted():
            try:
                stream.write(text)
                stream.flush()
            except BrokenPipeError:
                raise
            except OSError as error:  # a full disk
                if self._part is None or self._part.target is None:
                    raise
                with suppress(OSError):  # what is held still cannot be written either
                    self.close()
                raise _unwritable(self._part.target, error) from None

    def close(self) -> None:
        """Close the file, if it is one."""
        file, self._file = self._file, None
        if file:
            file.close()


def _opened_to_write(target: Path, keep: int) -> BinaryIO:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        stream = target.open("r+b" if keep else "wb")
        if keep:  # a file, which a pipe or a device is not
            stream.truncate(keep)
            stream.seek(keep)
    except OSError as error:
        raise _unwritable(target, error) from None
    return stream


def _unwritable(target: Path, error: OSError) -> BatchError:
    return BatchError(Problem("unwritable", f"{target} cannot be written: {error.strerror}"))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold back an interrupt until the end; a second one comes through."""
    if threading.current_thread() is not threading.main_thread():
        yield  # interrupts are raised elsewhere
        return
    held: list[int] = []

    def hold(number: int, _: object) -> None:
        if held:
            raise KeyboardInterrupt
        held.append(number)

    before = signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt


# ---- What is read


def _sources(file: str) -> list[str]:
    path = Path(file)
    if file == STANDARD or not path.is_dir():
        return [file]
    return [str(each) for each in sorted(path.iterdir()) if each.is_file()]


def _target(source: str, output: str | None) -> Path | None:
    if output is None:
        return None
    name = Path(source).with_suffix("") if form_of(source).packing else Path(source)
    return Path(output.replace(_NAME, name.stem))


def _chunks(parts: Sequence[Part], done: Sequence[Whole]) -> Iterator[Chunk]:
    """The chunks of every part, without the lines that are done."""
    for at, (part, (_, last)) in enumerate(zip(parts, done, strict=True)):
        form = form_of(part.source)
        try:
            with _opened(part.source) as raw:
                found = entries(form.reader(raw), as_csv=form.csv)
                left = (entry for entry in found if entry.line > last)
                yield from chunks(at, left, raw, _CHUNKS)
        except form.damage as error:
            told = getattr(error, "strerror", None) or error
            message = f"{part.source} cannot be read: {told}"
            raise BatchError(Problem("unreadable", message)) from None


@contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    if source == STANDARD:
        yield sys.stdin.buffer
    else:
        with Path(source).open("rb") as raw:
            yield raw


def _in_place(source: str, line: int, error: MjaspError) -> MjaspError:
    """An error with the file and the line whose record it is."""
    told = (
        replace(
            problem,
            message=f"line {line}: {problem.message}",
            line=None,
            column=None,
            end_column=None,
            file="standard input" if source == STANDARD else source,
        )
        for problem in error.problems
    )
    return type(error)(*told)
