"""Our batch in one process: a file of lines of JSON to a file of records with trace and waits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.adapters import BlockAdapter

__all__ = ["load"]


def load(rules: str) -> BlockAdapter:
    """What `mjasp batch --jobs 1` does once it has started: it reads, scores and writes."""
    import_module("numpy")  # or tell that it is missing
    from mjasp.batch.run import parts_of, run
    from mjasp.batch.work import Settings, score_chunk

    settings = Settings(rules=(rules,), scoring={"engine": "compiled"})
    place = TemporaryDirectory()  # it is there as long as the functions below refer to it

    def prepare(hands: Sequence[str]) -> Path:
        source = Path(place.name) / "hands.jsonl"
        lines = (json.dumps({"id": at, "hand": hand}) for at, hand in enumerate(hands))
        source.write_text("\n".join(lines) + "\n")
        return source

    def score(source: Path) -> object:
        parts = parts_of([str(source)], f"{place.name}/scores.jsonl", records=True)
        return run(parts, settings, lambda chunks: (score_chunk(settings, each) for each in chunks))

    return BlockAdapter("lines of JSON to records, waits", prepare, score)
