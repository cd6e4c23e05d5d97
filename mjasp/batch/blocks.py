"""The plain hands of a chunk, scored as one block by the compiled encodings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mjasp import api
from mjasp.batch.entries import Chunk, given
from mjasp.batch.files import missing_extra
from mjasp.compiled.net import NotEvaluable
from mjasp.engine import DEFAULT_RULES, Engine
from mjasp.engine import Settings as EngineSettings
from mjasp.errors import MjaspError, Problem, RulesetError
from mjasp.summary import Summary

if TYPE_CHECKING:
    from mjasp.batch.work import Settings
    from mjasp.compiled.bulk import Block
    from mjasp.compiled.found import Found
    from mjasp.compiled.records import Records

__all__ = ["Ready", "check", "ready"]

# From so many lines on, this chunk's and earlier ones', it pays to compile a rule set.
_MANY = 200


@dataclass(slots=True)
class Ready:
    """What of a chunk is found in blocks: by its place the records of an entry, and the summary.

    A record is a line of JSON or a row of CSV. `first` tells at which places rule sets are met
    first, by which a summary puts them in order. `not_compiled` is a sentence that tells why
    nothing is compiled though it would pay; None where there is no such reason.
    """

    records: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    summary: Summary = field(default_factory=Summary)
    first: dict[int, tuple[str, ...]] = field(default_factory=dict)
    not_compiled: str | None = None


class _Line(NamedTuple):
    at: int
    line: int
    id: Any
    text: str


def check(settings: Settings) -> None:
    """Raise where hands are to be scored compiled alone, and cannot be.

    That is BatchError without the extra that it needs, RulesetError for a rule set that cannot be
    compiled.
    """
    if settings.scoring.get("engine") != "compiled":
        return
    if not _has_numpy():
        raise missing_extra("numpy", "batch")
    if not settings.rules:  # those that lines can name are shipped, each with its own readings
        settings = replace(settings, rules=(DEFAULT_RULES,), scoring={"engine": "compiled"})
    for engine, _ in _engines(settings, settings.rules):
        if isinstance(engine.bulk, NotEvaluable):
            message = _refused(engine, engine.bulk)
            help_ = "say `--engine auto`, which solves what cannot be compiled"
            raise RulesetError(Problem("not-compiled", message, help=help_))


def _refused(engine: Engine, reason: NotEvaluable) -> str:
    return f"{engine.ruleset.id} cannot be compiled: {reason}"


def _has_numpy() -> bool:
    try:
        import numpy as np  # noqa: F401 - only whether it is there
    except ImportError:
        return False
    return True


def ready(settings: Settings, chunk: Chunk) -> Ready:
    """What can be scored in blocks; the rest is for one hand at a time, which tells what is wrong.

    The rest is what is not plain, what cannot be compiled, and what is asked with sensitivity.
    """
    found = Ready()
    if settings.scoring.get("engine") == "clingo" or settings.scoring.get("sensitivity"):
        return found
    for rules, lines in _by_rules(settings, chunk).items():
        # Whatever goes wrong in a block is told of the hand that it is about, one by one.
        with suppress(Exception):
            engines = [*_engines(settings, rules)]
            if not _pays(settings, engines, len(lines)):
                continue
            if _has_numpy():
                _score(settings, engines, lines, found)
            else:
                found.not_compiled = "without numpy (mjasp[batch]) hands are scored one by one"
    return found


def _pays(settings: Settings, engines: Iterable[tuple[Engine, object]], lines: int) -> bool:
    """Whether to compile for so many more lines; not yet where the first record is waited for."""
    for engine, _ in engines:
        engine.lines += lines
    known = all("bulk" in vars(engine) or engine.lines >= _MANY for engine, _ in engines)
    return known or settings.scoring.get("engine") == "compiled"


def _engines(settings: Settings, rules: Sequence[str]) -> Iterator[tuple[Engine, tuple[str, ...]]]:
    scoring = {key: value for key, value in settings.scoring.items() if key != "sensitivity"}
    return api.engines(rules, cast(EngineSettings, scoring))


def _by_rules(settings: Settings, chunk: Chunk) -> dict[tuple[str, ...], list[_Line]]:
    """The lines that hold a hand, by the rule sets that each is scored under."""
    found: defaultdict[tuple[str, ...], list[_Line]] = defaultdict(list)
    for at, entry in enumerate(chunk.entries):
        try:
            record = given(entry.content)
        except MjaspError:
            continue
        hand, rules = record.get("hand"), record.get("rules")
        rules = DEFAULT_RULES if rules is None else rules
        if isinstance(hand, str) and isinstance(rules, str) and not rules.endswith(".lp"):
            line = _Line(at, entry.line, record.get("id"), hand)
            found[settings.rules or (rules,)].append(line)
    return found


def _score(
    settings: Settings,
    engines: Iterable[tuple[Engine, tuple[str, ...]]],
    lines: Sequence[_Line],
    ready: Ready,
) -> None:
    """Score lines under each rule set, where all can be compiled and have room for the numbers."""
    waits = settings.records and not settings.form.csv
    waits &= settings.fields is None or "waits" in settings.fields
    texts = [line.text for line in lines]
    columns: list[Sequence[Any]] = []
    found: list[tuple[str, Found]] = []
    which: list[int] = []
    for engine, notes in engines:
        bulk = engine.bulk
        if isinstance(bulk, NotEvaluable):
            ready.not_compiled = f"{_refused(engine, bulk)}; its hands are solved"
            return
        block = bulk.found(texts, waits=waits)
        if block is None:
            return
        bulk.flush()
        which = block.which.tolist()  # the same under all rule sets
        found.append((engine.ruleset.id, block.found))
        if settings.records:
            records = bulk.records(settings.fields, notes)
            columns.append(_told(settings, records, [lines[at] for at in which], block))
    if not which:
        return
    summary = _summary(found) if settings.summary else Summary()
    told: Iterable[tuple[Any, ...]] = zip(*columns, strict=True) if columns else repeat(())
    ready.records.update(zip((lines[at].at for at in which), told, strict=False))
    ready.first[lines[which[0]].at] = tuple(ruleset for ruleset, _ in found)
    ready.summary.merge(summary)


def _summary(found: Sequence[tuple[str, Found]]) -> Summary:
    from mjasp.compiled.tally import summary_of

    return summary_of(found)


def _told(
    settings: Settings, records: Records, lines: Sequence[_Line], block: Block
) -> Sequence[Any]:
    """The records of lines: lines of JSON or rows of CSV."""
    numbers = [line.line for line in lines]
    if not settings.form.csv:
        ids = [str(line.id) if type(line.id) is int else json.dumps(line.id) for line in lines]
        return records.json_lines(ids, numbers, block.given, block.found)
    shown = [
        line.id if line.id is None or isinstance(line.id, str) else json.dumps(line.id)
        for line in lines
    ]
    return records.csv_rows(shown, numbers, block.found)
