"""One program measured in a process of its own: `python -m bench.measure`, a task on its input.

The task is JSON: the adapter's name, the rule set, the hands as text, others that warm the program,
the clock, which is one of `time`, and the folder of the package if another than the installed one
is meant. The answer is JSON likewise.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from time import perf_counter
from typing import Any

from bench.adapters import Adapter, BlockAdapter

__all__ = ["Clock", "main", "rounds", "whole"]

Clock = Callable[[], float]


def main() -> None:
    """Measure and answer."""
    task = json.load(sys.stdin)
    if task["source"]:
        sys.path.insert(0, task["source"])
    clock: Clock = getattr(time, task["clock"])
    start = clock()
    try:
        adapter = import_module(f"bench.adapters.{task['adapter']}").load(task["rules"])
    except Exception as error:  # noqa: BLE001 - an earlier revision may lack anything at all
        print(json.dumps({"missing": f"{type(error).__name__}: {error}"}))
        return
    loaded = clock() - start
    if isinstance(adapter, BlockAdapter):
        found = _blocks(adapter, task["hands"], task["warm"], clock)
    else:
        found = _one_by_one(adapter, task["hands"], task["warm"], clock)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    made = loaded + found["made"]
    print(json.dumps({**found, "about": adapter.about, "made": made, "memory": memory}))


def _one_by_one(
    adapter: Adapter, hands: Sequence[str], warm: Sequence[str], clock: Clock
) -> Mapping[str, Any]:
    """The seconds of each hand; `cold` those of all the first time, none of them seen before."""
    taken = hands[:: adapter.step]
    said = [hand for hand in map(adapter.prepare, taken) if hand is not None]
    others = [hand for hand in map(adapter.prepare, warm[:: adapter.step]) if hand is not None]
    start = clock()
    for hand in others:
        _accepted(adapter.score, hand)
    made = clock() - start
    start = clock()
    accepted = [hand for hand in said if _accepted(adapter.score, hand)]
    return {
        "made": made,
        "cold": len(said) / (clock() - start),
        "seconds": rounds(adapter.score, accepted, adapter.runs, clock),
        "left_out": len(taken) - len(accepted),
    }


def _blocks(
    adapter: BlockAdapter, hands: Sequence[str], warm: Sequence[str], clock: Clock
) -> Mapping[str, Any]:
    """The seconds of all hands together, each time."""
    made = _seconds(adapter.score, adapter.prepare(warm), clock)
    cold = len(hands) / _seconds(adapter.score, adapter.prepare(hands), clock)
    rate = len(hands) / whole(adapter, hands, clock)
    return {"made": made, "cold": cold, "rate": rate, "hands": len(hands), "left_out": 0}


def _accepted(work: Callable[[Any], object], item: object) -> bool:
    """Whether a program can do this hand at all; it is warm afterwards."""
    try:
        work(item)
    except Exception:  # noqa: BLE001 - another program's hands and errors are its own
        return False
    return True


def _seconds(
    work: Callable[[Any], object],
    item: Any,  # noqa: ANN401 - whatever was prepared
    clock: Clock,
) -> float:
    start = clock()
    work(item)
    return clock() - start


def rounds(
    work: Callable[[Any], object], items: Sequence[Any], runs: int, clock: Clock = perf_counter
) -> list[float]:
    """The best of several runs for each item, in seconds.

    All items are gone through in each run: the engine keeps the last search for waits, and would
    have it ready for the same hand again.
    """
    best = [float("inf")] * len(items)
    for _ in range(runs):
        for at, item in enumerate(items):
            best[at] = min(best[at], _seconds(work, item, clock))
    return best


def whole(adapter: BlockAdapter, hands: Sequence[str], clock: Clock = perf_counter) -> float:
    """Seconds that all hands take together, once each, in the best of the adapter's runs."""
    prepared = adapter.prepare([*hands] * adapter.times)
    taken = (_seconds(adapter.score, prepared, clock) for _ in range(adapter.runs))
    return min(taken) / adapter.times


if __name__ == "__main__":
    main()
