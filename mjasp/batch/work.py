"""Chunks to text: what a process does, wherever it runs. It reads and writes the text itself."""

from __future__ import annotations

import csv
import io
import json
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import mjasp
from mjasp.batch.blocks import Ready, ready
from mjasp.batch.entries import Chunk, Entry, given
from mjasp.batch.files import Form
from mjasp.batch.pool import WORKER_DIED
from mjasp.errors import MjaspError, NotationError, Problem, RulesetError
from mjasp.scoring import Deferred, Score
from mjasp.summary import RulesetSummary, Summary

__all__ = ["CSV_COLUMNS", "FIELDS", "Scored", "Settings", "joined", "lose", "score_chunk"]

CSV_COLUMNS = (
    *("id", "line", "ruleset", "outcome", "total", "points", "doubles", "limits", "rules"),
    "error",
)
# The keys of a score, as `mjasp/score/1` has them.
FIELDS = (
    *("schema", "ruleset", "hand", "outcome", "total", "spread", "points", "doubles", "limits"),
    *("bonus", "uncapped", "capped", "limit", "best", "interpretations", "waits", "assumed"),
    *("readings", "notes", "reasons"),
)
_WAITS = "waits"

Found = Mapping[str, Score] | MjaspError
Scorer = Callable[["Settings", Mapping[str, Any]], Found]


@dataclass(frozen=True, slots=True)
class Settings:
    """How lines are scored and told; `scoring` holds keywords of `mjasp.compare`.

    With `rules` there is a record for each line and rule set. `fields` are the keys of a score to
    keep, None for all. With `strict` the first error ends a chunk. `records` and `summary` say what
    is wanted.
    """

    rules: tuple[str, ...] = ()
    scoring: Mapping[str, Any] = field(default_factory=dict)
    fields: tuple[str, ...] | None = None
    form: Form = field(default_factory=Form)
    strict: bool = False
    records: bool = True
    summary: bool = False

    @property
    def per_line(self) -> int:
        """How many records there are for a line."""
        return len(self.rules) or 1


@dataclass(slots=True)
class Scored:
    """A chunk's records as text, packed as its file wants it, and what was counted on the way.

    `compiled` of the hands were scored in blocks, by the compiled encodings; `not_compiled` tells
    why none can be. `failed` is the line that ended a strict chunk, with its error.
    """

    source: int
    size: int
    text: bytes = b""
    hands: int = 0
    compiled: int = 0
    errors: int = 0
    summary: Summary | None = None
    not_compiled: str | None = None
    failed: tuple[int, MjaspError] | None = None


def joined(parts: Iterable[Scored]) -> Scored:
    """What was found of a chunk whose lines were scored apart, up to the one that failed."""
    whole, *rest = parts
    for part in rest:
        if whole.failed:
            break
        whole.text += part.text
        whole.hands += part.hands
        whole.compiled += part.compiled
        whole.errors += part.errors
        whole.not_compiled = whole.not_compiled or part.not_compiled
        whole.failed = part.failed
        if whole.summary is not None and part.summary is not None:
            whole.summary.merge(part.summary)
    return whole


def score_chunk(settings: Settings, chunk: Chunk) -> Scored:
    """Score every line of a chunk: in blocks where that is possible, else one by one."""
    return _tell(settings, chunk, _score, ready(settings, chunk))


def lose(settings: Settings, chunk: Chunk) -> Scored:
    """The records of lines that no process survives."""
    return _tell(settings, chunk, _lost, Ready())


def _tell(settings: Settings, chunk: Chunk, scorer: Scorer, ready: Ready) -> Scored:
    scored = Scored(
        chunk.source,
        chunk.size,
        compiled=len(ready.records),
        summary=Summary() if settings.summary else None,
        not_compiled=ready.not_compiled,
    )
    text = io.StringIO()
    writer = _Rows(text) if settings.form.csv else _Lines(text)
    for at, entry in enumerate(chunk.entries):
        if at in ready.records:
            scored.hands += 1
            writer.write_ready(ready.records[at])
            if scored.summary is not None:
                for ruleset in ready.first.get(at, ()):
                    scored.summary.rulesets.setdefault(ruleset, RulesetSummary())
            continue
        id_, found = _of(settings, entry, scorer)
        scored.hands += 1
        if isinstance(found, MjaspError):
            scored.errors += 1
            if settings.strict:
                scored.failed = entry.line, found
                break
        if scored.summary is not None:
            scored.summary.add(found)
        if settings.records:
            writer.write(settings, id_, entry.line, found)
    if scored.summary is not None:
        scored.summary.merge(ready.summary)
    scored.text = settings.form.pack(text.getvalue().encode(errors="backslashreplace"))
    return scored


def _of(settings: Settings, entry: Entry, scorer: Scorer) -> tuple[Any, Found]:
    """What a line calls itself, and what is found of it."""
    id_ = None
    try:
        record = given(entry.content)
        id_ = record.get("id")
        return id_, scorer(settings, record)
    except MjaspError as error:
        return id_, error
    except Exception as fault:  # noqa: BLE001 - a fault in one hand is told there, and the rest goes on
        told = traceback.format_exception_only(fault)[-1].strip()
        return id_, MjaspError(Problem("internal-fault", f"internal fault ({told})"))


def _score(settings: Settings, record: Mapping[str, Any]) -> Mapping[str, Score]:
    hand, rules = _text(record, "hand"), _text(record, "rules")
    if hand is None:
        problem = Problem("no-hand", "the record has no hand", help='write it as {"hand": "..."}')
        raise NotationError(problem)
    if settings.rules:
        return mjasp.compare(hand, settings.rules, **settings.scoring)
    if rules is not None and rules.endswith(".lp"):
        help_ = "give the file with --rules"
        raise RulesetError(Problem("ruleset-path", "a record cannot name a file", help=help_))
    score = mjasp.score(hand, rules, **settings.scoring)
    return {score.ruleset: score}


def _lost(settings: Settings, record: Mapping[str, Any]) -> MjaspError:  # noqa: ARG001
    return MjaspError(WORKER_DIED)


def _text(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    if value is None or isinstance(value, str):
        return value
    raise NotationError(Problem("bad-record", f"`{key}` of the record is no text"))


# ---- Records


class _Lines:
    """Records as lines of JSON."""

    def __init__(self, text: io.StringIO) -> None:
        self._text = text

    def write(self, settings: Settings, id_: Any, line: int, found: Found) -> None:  # noqa: ANN401 - any JSON
        """Write what is found of a line."""
        for told in _told(settings, found):
            self._text.write(json.dumps({"id": id_, "line": line, **told}))
            self._text.write("\n")

    def write_ready(self, records: Iterable[str]) -> None:
        """Write records that are made already."""
        for record in records:
            self._text.write(record)
            self._text.write("\n")


def _told(settings: Settings, found: Found) -> Iterator[dict[str, Any]]:
    if isinstance(found, MjaspError):
        yield from [{"error": found.to_dict()}] * settings.per_line
        return
    fields = settings.fields
    for score in found.values():
        if fields is None:
            yield {"score": score.to_dict()}
            continue
        told = (score if _WAITS in fields else _without_waits(score)).to_dict()
        yield {"score": {name: told[name] for name in fields if name in told}}


def _without_waits(score: Score) -> Score:
    """A score that does not search for waits which nobody will see."""
    return replace(score, deferred_waits=Deferred.known(()))


class _Rows:
    """Records as rows of CSV."""

    def __init__(self, text: io.StringIO) -> None:
        self._rows = csv.writer(text, lineterminator="\n")

    def write(self, settings: Settings, id_: Any, line: int, found: Found) -> None:  # noqa: ANN401 - any JSON
        """Write what is found of a line."""
        shown = id_ if id_ is None or isinstance(id_, str) else json.dumps(id_)
        if isinstance(found, MjaspError):
            told = "; ".join(f"{each.code}: {each.message}" for each in found.problems)
            names = settings.rules or ("",)
            empty = ("",) * (len(CSV_COLUMNS) - 4)
            self._rows.writerows((shown, line, name, *empty, told) for name in names)
        else:
            self._rows.writerows((shown, line, *_cells(score), "") for score in found.values())

    def write_ready(self, records: Iterable[Sequence[Any]]) -> None:
        """Write rows that are made already."""
        self._rows.writerows(records)


def _cells(score: Score) -> Sequence[Any]:
    told = _without_waits(score).to_dict()
    fired = " ".join(award.rule for award in score.best.fired)
    return (*(told[name] for name in CSV_COLUMNS[2:8]), fired)
