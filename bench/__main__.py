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

from bench.adapters import arrays, lines
from bench.compare import ONE_CORE
from bench.hands import losing_hands, won_hands
from bench.measure import rounds, whole
from bench.usage import Parser
from mjasp import Engine, Hand, dispute, parse
from mjasp.compiled.solving import ENGINES, Method
from mjasp.compiled.store import FOLDER_VARIABLE
from mjasp.models import Model
from mjasp.notation import write
from mjasp.rulesets import shipped
from mjasp.scoring import weighed

HAND = "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E"
RUNS = 3


def main() -> None:
    """Measure and print, one line a figure."""
    Parser(prog="python -m bench", description=__doc__).parse_args()
    print(f"cores {os.cpu_count()}, Python {sys.version.split()[0]}; best of {RUNS} runs a hand")
    os.environ |= {**ONE_CORE, FOLDER_VARIABLE: ""}  # no divisions of earlier runs
    engine = Engine(engine="compiled")
    won = [write(hand) for hand in won_hands(2000, seed=1)]
    lost = [write(hand) for hand in losing_hands(500, seed=1)]
    for method in ENGINES[1:]:
        each = Engine(engine=method)
        line(f"text to result, {method}, 2000 won hands", per_item(each.score, won))
        line(f"text to result, {method}, 500 losing", per_item(each.score, lost))
        line(f"waits of the won hands, {method}", per_item(each.waits, won))
    line("compact text to Hand", per_item(parse, won))
    words = [write(hand, "words") for hand in won_hands(500, seed=1)]
    line("words to Hand, recognised", per_item(parse, words))
    line("why of a rule, warm, 200 hands", per_item(lambda hand: ask(engine, hand), won[:200]))
    line("two mistakes found, 200 hands", per_item(lambda hand: differ(engine, hand), won[:200]))
    rule_sets(won, lost)
    processes()
    memory(engine)


def rule_sets(won: Sequence[str], lost: Sequence[str]) -> None:
    """Each rule set: how soon it is ready, hands with the waits its rules ask for, and blocks."""
    together = 0.0
    for name in shipped():
        grounding = min(timed(Engine, name) for _ in range(RUNS))
        together += grounding
        print(f"{name}: grounded in {grounding * 1e3:.0f} ms, when it is asked for")
        for method in ENGINES[1:]:
            one_by_one(name, method, [*won[:500], *lost])
        blocks(name, [*won, *lost])
    print(f"all rule sets grounded together: {together * 1e3:.0f} ms")


def one_by_one(name: str, method: Method, hands: Sequence[str]) -> None:
    """One hand at a time under a rule set: how soon it is ready, and each outcome by itself."""
    start = perf_counter()
    engine = Engine(name, engine=method)
    for hand in (hands[0], hands[-1]):
        _ = engine.score(hand).waits
    print(f"  {method}, ready with two hands: {(perf_counter() - start) * 1e3:.0f} ms")
    by_outcome: dict[str, list[str]] = {}
    for hand in hands:
        by_outcome.setdefault(engine.score(hand).outcome, []).append(hand)
    for outcome, alike in by_outcome.items():
        line(f"  {method}, {outcome}, {len(alike)} hands", per_item(engine.score, alike))


def blocks(name: str, hands: Sequence[str]) -> None:
    """Hands a second where thousands are scored at once, once they have been met."""
    for what, load in (("JSON to JSON", lines.load), ("arrays to arrays", arrays.load)):
        try:
            adapter = load(name)
        except ImportError as missing:
            print(f"  {what}: not measured ({missing})")
            continue
        adapter.score(adapter.prepare(hands))
        rate = len(hands) / whole(adapter, hands)
        print(f"{f'  {what}, {adapter.times * len(hands):,} hands':<79}{rate:8,.0f} a second")


def timed(work: Callable[[str], object], item: str) -> float:
    """Seconds that a call takes."""
    start = perf_counter()
    work(item)
    return perf_counter() - start


def per_item(work: Callable[[str], object], items: Sequence[str]) -> list[float]:
    """The best of several runs for each item, in seconds, sorted."""
    return sorted(rounds(work, items, RUNS))


def ask(engine: Engine, hand: str) -> object:
    """Why some rule fired for a hand, or did not: another rule for another hand."""
    rules = engine.ruleset.rules
    return engine.why(hand, rules[sum(hand.encode()) % len(rules)].id)


def differ(engine: Engine, hand: str) -> object:
    """How the total can have come about that forgets the first award and counts the last twice."""
    best = engine.score(hand).best
    fired = (*best.fired[1:], *best.fired[-1:])
    model = Model(best.kind, best.name, best.sets, fired)
    return dispute(hand, weighed([model], engine.limit, engine.cap)[0].total)


def line(what: str, seconds: list[float]) -> None:
    """Median, 99th percentile and rate."""
    middle, late = median(seconds) * 1e3, seconds[len(seconds) * 99 // 100] * 1e3
    rate = len(seconds) / sum(seconds)
    print(f"{what:<44}median {middle:6.3f} ms   99 % {late:6.3f} ms   {rate:8,.0f} a second")


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
