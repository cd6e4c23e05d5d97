"""The command that scores many hands."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import mjasp
from mjasp.commands.common import (
    DONE,
    Answer,
    UsageError,
    add_scoring,
    add_winds,
    command,
    scoring_of,
)
from mjasp.commands.output import as_json, leave_quietly, show

if TYPE_CHECKING:
    from mjasp.batch.run import Advance, Map, Part, Totals
    from mjasp.batch.work import Scored, Settings
    from mjasp.commands.common import Commands

__all__ = ["add"]

SOME_WERE_ERRORS = 1

_BATCH = """\
examples:
  mjasp batch hands.jsonl > scores.jsonl
  mjasp batch hands.csv.gz --output scores.csv.gz --jobs 4
  mjasp batch hands.txt --rules bmja,dmjl --fields ruleset,total,waits
  mjasp batch hands.jsonl --output scores.jsonl --resume
  mjasp batch hands.jsonl --summary --format html > summary.html
  mjasp batch parts/ --output 'scores/{name}.jsonl.gz' --cluster tcp://host:8786

a line is {"id": 17, "hand": "...", "rules": "dmjl"} or a hand; a file whose
name ends in .csv has a header with `hand`, perhaps `id` and `rules`; .gz and
.zst are packed. The form of the output is told by its name likewise.
"""
# A hand that any rule set can score: what is wrong with the options shows before a line is read.
_ANY_HAND = "123b 456b 789b 123c 5d"


def add(commands: Commands) -> None:
    """Declare the command."""
    formats = ("text", "json", "markdown", "html")
    batch = command(commands, _batch, "many hands, in files of any size", _BATCH, formats)
    option = batch.add_argument
    option("files", metavar="FILE", nargs="+", help="the hands; - reads standard input")
    option("--output", metavar="FILE", help="where the records go; {name} is FILE's own name")
    option("--jobs", metavar="N", type=_jobs, default=1, help="processes that score (default 1)")
    option("--cluster", metavar="ADDRESS", help="score on a Dask cluster; local starts one here")
    option(
        "--engine",
        choices=("auto", "clingo", "compiled"),
        default="auto",
        help="auto: in blocks by the compiled encodings where possible; clingo: solved one by "
        "one; compiled: refuse a rule set that cannot be (default auto; the output is the same)",
    )
    option("--fields", metavar="A,B", help="the keys to keep of each score")
    option("--sensitivity", action="store_true", help="tell what other facts and readings give")
    option("--strict", action="store_true", help="stop at the first error")
    option("--resume", action="store_true", help="go on where an interrupted batch left off")
    option("--summary", action="store_true", help="print what the scores have in common instead")
    add_winds(batch)
    add_scoring(batch, "the rule sets, separated by commas; without it, those that the lines name")


def _batch(options: argparse.Namespace) -> Answer:
    start = perf_counter()  # what is loaded and compiled takes time too
    from mjasp.batch.run import parts_of, run

    settings = _settings(options)
    if options.resume and not options.output:
        raise UsageError("--resume needs --output: the file to go on with")
    parts = parts_of(options.files, options.output, records=settings.records)
    with ExitStack() as stack:
        advance = _progress(parts, options.output, stack)
        try:
            do = _executor(options, settings)
            totals = run(parts, settings, do, resume=options.resume, advance=advance, start=start)
        except BrokenPipeError:
            leave_quietly(sys.stdout)
            return Answer.told(DONE)
    _tell(totals, options)
    status = SOME_WERE_ERRORS if totals.errors else DONE
    if not options.summary:
        return Answer.told(status)
    summary = totals.summary
    show_page = summary.to_html if options.format == "html" else summary.to_markdown
    return Answer(summary.to_dict, lambda _: show_page(), status)


def _tell(totals: Totals, options: argparse.Namespace) -> None:
    told = as_json(totals.to_dict()) if options.format == "json" else totals.to_text()
    show(told, sys.stderr)


def _settings(options: argparse.Namespace) -> Settings:
    """The options as settings, tried on a hand."""
    from mjasp.batch.blocks import check
    from mjasp.batch.files import form_of
    from mjasp.batch.work import Settings

    scoring = scoring_of(options)
    names = tuple(dict.fromkeys(filter(None, (scoring.pop("rules") or "").split(","))))
    scoring |= {"seat": options.seat, "round": options.round, "engine": options.engine}
    if names or scoring["readings"]:
        mjasp.compare(_ANY_HAND, names or None, **scoring, sensitivity=False)
    form = form_of(options.output or "")
    if options.fields and form.csv:
        raise UsageError("--fields chooses keys of JSON; the columns of CSV are fixed")
    form.pack(b"anything")  # or tell what is not installed
    settings = Settings(
        rules=names,
        scoring={**scoring, "sensitivity": options.sensitivity},
        fields=_fields(options.fields),
        form=form,
        strict=options.strict,
        records=bool(options.output) or not options.summary,
        summary=options.summary,
    )
    check(settings)
    return settings


def _fields(text: str | None) -> tuple[str, ...] | None:
    from mjasp.batch.work import FIELDS

    if text is None:
        return None
    names = tuple(text.split(","))
    strange = [name for name in names if name not in FIELDS]
    if strange:
        raise UsageError(f"a score has no {', '.join(strange)}; it has {', '.join(FIELDS)}")
    return names


def _executor(options: argparse.Namespace, settings: Settings) -> Map:
    from mjasp.batch.entries import Chunk
    from mjasp.batch.work import joined, lose, score_chunk

    work = partial(score_chunk, settings)
    if options.cluster is None and options.jobs == 1:
        return lambda chunks: (work(chunk) for chunk in chunks)
    way: dict[str, Any] = {"parts": Chunk.alone, "lost": partial(lose, settings), "join": joined}
    if options.cluster is None:
        from mjasp.batch.pool import Pool

        return Pool(work, options.jobs, **way).map
    from mjasp.batch.cluster import Cluster

    return Cluster(options.cluster, work, options.jobs, **way).map


def _progress(parts: list[Part], output: str | None, stack: ExitStack) -> Advance:
    """What is told of each chunk: a bar on a terminal that shows nothing else, or nothing."""
    quiet = sys.stdout.isatty() and output is None
    if quiet or not sys.stderr.isatty():
        return lambda _: None
    try:
        from tqdm import tqdm
    except ImportError:
        return lambda _: None
    size = 0
    with suppress(OSError):
        size = sum(Path(part.source).stat().st_size for part in parts)
    bar = stack.enter_context(tqdm(total=size or None, unit="B", unit_scale=True, leave=False))
    hands = 0

    def advance(scored: Scored) -> None:
        nonlocal hands
        hands += scored.hands
        bar.set_postfix(hands=f"{hands:,}", refresh=False)
        bar.update(scored.size)

    return advance


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes above 0")
    return int(text)
