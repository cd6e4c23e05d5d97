"""One program measured in a process of its own: `python -m bench.measure`, a task on its input.

The task is JSON: the adapter's name, the rule set, the hands as text, and the folder of the package
if another than the installed one is meant. The answer is JSON likewise.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from time import perf_counter
from typing import Any

__all__ = ["main", "rounds"]


def main() -> None:
    """Measure and answer."""
    task = json.load(sys.stdin)
    if task["source"]:
        sys.path.insert(0, task["source"])
    try:
        adapter = import_module(f"bench.adapters.{task['adapter']}").load(task["rules"])
    except Exception as error:  # noqa: BLE001 - an earlier revision may lack anything at all
        print(json.dumps({"missing": f"{type(error).__name__}: {error}"}))
        return
    taken = task["hands"][:: adapter.step]
    said = [hand for hand in map(adapter.prepare, taken) if hand is not None]
    hands = [hand for hand in said if _accepted(adapter.score, hand)]
    answer: dict[str, Any] = {
        "about": adapter.about,
        "hands": len(hands),
        "left_out": len(taken) - len(hands),
        "seconds": rounds(adapter.score, hands, adapter.runs),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(answer))


def _accepted(work: Callable[[Any], object], item: object) -> bool:
    """Whether a program can do this hand at all; it is warm afterwards."""
    try:
        work(item)
    except Exception:  # noqa: BLE001 - another program's hands and errors are its own
        return False
    return True


def rounds(work: Callable[[Any], object], items: Sequence[Any], runs: int) -> list[float]:
    """The best of several runs for each item, in seconds.

    All items are gone through in each run: the engine keeps the last search for waits, and would
    have it ready for the same hand again.
    """
    best = [float("inf")] * len(items)
    for _ in range(runs):
        for at, item in enumerate(items):
            start = perf_counter()
            work(item)
            best[at] = min(best[at], perf_counter() - start)
    return best


if __name__ == "__main__":
    main()
