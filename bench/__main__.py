"""The numbers that the README quotes, measured in one run: `make bench`."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from statistics import median
from time import perf_counter

from bench.hands import losing_hands, won_hands
from mjasp import Engine, Hand, dispute, parse
from mjasp.models import Model
from mjasp.notation import write
from mjasp.rulesets import shipped
from mjasp.scoring import weigh

HAND = "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E"
RUNS = 3


def main() -> None:
    """Measure and print, one line a figure."""
    print(f"cores {os.cpu_count()}, Python {sys.version.split()[0]}; best of {RUNS} runs a hand")
    engine = Engine()
    won = [write(hand) for hand in won_hands(2000, seed=1)]
    lost = [write(hand) for hand in losing_hands(500, seed=1)]
    line("text to result, 2000 won hands", per_item(engine.score, won))
    line("text to result, 500 losing hands", per_item(engine.score, lost))
    line("waits of the won hands", per_item(engine.waits, won))
    line("compact text to Hand", per_item(parse, won))
    words = [write(hand, "words") for hand in won_hands(500, seed=1)]
    line("words to Hand, recognised", per_item(parse, words))
    line("why of a rule, warm, 200 hands", per_item(lambda hand: ask(engine, hand), won[:200]))
    line("two mistakes found, 200 hands", per_item(lambda hand: differ(engine, hand), won[:200]))
    rule_sets(won, lost)
    processes()
    memory(engine)


def rule_sets(won: Sequence[str], lost: Sequence[str]) -> None:
    """Each rule set: its grounding, and hands with the waits that its rules ask for."""
    together = 0.0
    for name in shipped():
        grounding = min(timed(Engine, name) for _ in range(RUNS))
        together += grounding
        score = Engine(name).score
        by_outcome: dict[str, list[str]] = {}
        for hand in (*won[:500], *lost):
            by_outcome.setdefault(score(hand).outcome, []).append(hand)
        print(f"{name}: grounded in {grounding * 1e3:.0f} ms, when it is asked for")
        for outcome, hands in by_outcome.items():
            line(f"  {outcome}, {len(hands)} hands", per_item(score, hands))
    print(f"all rule sets grounded together: {together * 1e3:.0f} ms")


def timed(work: Callable[[str], object], item: str) -> float:
    """Seconds that a call takes."""
    start = perf_counter()
    work(item)
    return perf_counter() - start


def per_item(work: Callable[[str], object], items: Sequence[str]) -> list[float]:
    """The best of several runs for each item, in seconds, sorted."""
    best = [float("inf")] * len(items)
    for _ in range(RUNS):
        for at, item in enumerate(items):
            best[at] = min(best[at], timed(work, item))
    return sorted(best)


def ask(engine: Engine, hand: str) -> object:
    """Why some rule fired for a hand, or did not: another rule for another hand."""
    rules = engine.ruleset.rules
    return engine.why(hand, rules[sum(hand.encode()) % len(rules)].id)


def differ(engine: Engine, hand: str) -> object:
    """How the total can have come about that forgets the first award and counts the last twice."""
    best = engine.score(hand).best
    fired = (*best.fired[1:], *best.fired[-1:])
    model = Model(best.kind, best.name, best.sets, fired)
    return dispute(hand, weigh(model, engine.limit, engine.cap).total)


def line(what: str, seconds: list[float]) -> None:
    """Median, 99th percentile and rate."""
    middle, late = median(seconds) * 1e3, seconds[len(seconds) * 99 // 100] * 1e3
    rate = len(seconds) / sum(seconds)
    print(f"{what:<36}median {middle:6.3f} ms   99 % {late:6.3f} ms   {rate:6.0f} a second")


def processes() -> None:
    """A fresh process to its first printed score, beside the imports alone, turn by turn."""
    score = [sys.executable, "-m", "mjasp", "score", HAND]
    imports = [sys.executable, "-c", "import clingo, lark"]
    pairs = [(process(score), process(imports)) for _ in range(15)]
    whole, alone = (median(times) for times in zip(*pairs, strict=True))
    ratio = median(a / b for a, b in pairs)
    print(
        f"fresh process to its first score    median {whole:6.3f} s    {ratio:.1f} times", end=" "
    )
    print(f"`import clingo, lark` ({alone:.3f} s)")


def process(command: list[str]) -> float:
    """Seconds that a command takes."""
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def memory(engine: Engine) -> None:
    """Peak memory after the first 2,000 hands and after 20,000 different ones."""
    hands = won_hands(20000, seed=2)
    for count in (2000, 18000):
        hand: Hand
        for hand in islice(hands, count):
            engine.score(hand)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak memory after {'2,000' if count == 2000 else '20,000'} hands: {peak:.0f} MB")


if __name__ == "__main__":
    main()
