"""The compiled engine held against clingo: `python -m bench.proof`.

Seeded hands of all kinds are scored by clingo, by the compiled engine one at a time, and by it in
blocks; every field of every interpretation is compared. Each rule set is played by default, with
each alternative of each reading, and with other limits, in turn.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from multiprocessing import get_context
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from bench.usage import Parser, at_least, rule_sets
from bench.varied import varied_hand
from mjasp import Engine
from mjasp.engine import Settings
from mjasp.hand import Hand
from mjasp.notation import write
from mjasp.rulesets import shipped

if TYPE_CHECKING:
    from argparse import Namespace

SHOWN = 10
BLOCK = 500


@dataclass(frozen=True, slots=True)
class Task:
    """Hands to be compared under one rule set in one setting."""

    rules: str
    settings: Settings
    hands: int
    seed: str


@dataclass(slots=True)
class Compared:
    """What came of it: counts, the seconds of each road, and the hands that differ."""

    rules: str
    hands: int = 0
    interpretations: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, other: Compared) -> None:
        """Count what was compared elsewhere too."""
        self.hands += other.hands
        self.interpretations += other.interpretations
        self.outcomes += other.outcomes
        self.differences += other.differences
        for road, spent in other.seconds.items():
            self.seconds[road] += spent

    def __str__(self) -> str:
        from mjasp.compiled.found import OUTCOMES  # it needs numpy

        outcomes = ", ".join(f"{self.outcomes[each]} {each}" for each in OUTCOMES)
        seconds = ", ".join(f"{road} {spent:.1f} s" for road, spent in self.seconds.items())
        return (
            f"{self.rules}: {self.hands} hands ({outcomes}), {self.interpretations} "
            f"interpretations, {len(self.differences)} differences; {seconds}"
        )


def main() -> None:
    """Compare and print, one line a rule set; exit with 1 where anything differs."""
    options = _options()
    wrong = False
    tasks = [task for rules in options.rules for task in _tasks(rules, options.hands, options.seed)]
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        done = pool.map(compared, tasks)
        for rules, parts in groupby(done, lambda part: part.rules):
            whole = Compared(rules)
            for part in parts:
                whole.add(part)
            print(whole, flush=True)
            for told in whole.differences[:SHOWN]:
                print(f"  {told}")
            wrong |= bool(whole.differences)
    sys.exit(wrong)


def _options() -> Namespace:
    parser = Parser(prog="python -m bench.proof", description=__doc__)
    add = parser.add_argument
    number = at_least(1)
    add("--hands", type=number, default=50_000, help="how many under each rule set (default 50000)")
    add("--rules", type=rule_sets, default=shipped(), help="the rule sets, A,B (default all)")
    add("--seed", default="1", help="other hands (default 1)")
    add("--jobs", type=number, default=1, help="processes (default 1)")
    options = parser.parse_args()
    parser.need_numpy()
    return options


def _tasks(rules: str, hands: int, seed: str) -> Iterator[Task]:
    """The hands of a rule set, divided among its settings."""
    settings = settings_of(rules)
    for at, each in enumerate(settings):
        share = hands // len(settings) + (at < hands % len(settings))
        yield Task(rules, each, share, f"{seed} {rules} {at}")


def settings_of(rules: str) -> list[Settings]:
    """A rule set by default, each alternative of its readings, all at once, and other limits."""
    readings = Engine(rules).ruleset.readings
    alone = [{each.id: value} for each in readings for value in each.alternatives]
    together = {each.id: each.alternatives[-1] for each in readings}
    return [
        Settings(),
        *(Settings(readings=each) for each in alone),
        Settings(readings=together, limit=700),
        Settings(limit=37),
        Settings(cap=False),
    ]


def compared(task: Task) -> Compared:
    """Score the hands of a task on each road, and compare what is told."""
    from bench.differences import InBlocks, Told, difference  # they need numpy

    def each_by(engine: Engine, hands: Sequence[Hand]) -> list[Told]:
        return [Told.by(engine.score(hand)) for hand in hands]

    random = Random(task.seed)
    hands = [varied_hand(random) for _ in range(task.hands)]
    by_clingo: Settings = {**task.settings, "engine": "clingo"}
    by_compiled: Settings = {**task.settings, "engine": "compiled"}
    clingo, compiled = Engine(task.rules, **by_clingo), Engine(task.rules, **by_compiled)
    blocks = InBlocks(compiled)
    result = Compared(task.rules, len(hands))
    for at in range(0, len(hands), BLOCK):
        block = hands[at : at + BLOCK]
        start = perf_counter()
        expected = each_by(clingo, block)
        solved = perf_counter()
        one_by_one = each_by(compiled, block)
        evaluated = perf_counter()
        in_blocks = blocks.told(block)
        result.seconds["clingo"] += solved - start
        result.seconds["one by one"] += evaluated - solved
        result.seconds["in blocks"] += perf_counter() - evaluated
        result.outcomes.update(told.outcome for told in expected)
        result.interpretations += sum(len(told.interpretations) for told in expected)
        for road, found in (("one by one", one_by_one), ("in blocks", in_blocks)):
            for hand, right, told in zip(block, expected, found, strict=True):
                wrong = difference(right, told)
                if wrong:
                    result.differences.append(f"{road}: {write(hand)} {task.settings}: {wrong}")
    return result


if __name__ == "__main__":
    main()
