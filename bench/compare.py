"""Our engine beside its past, other ways and other programs, in one run.

`python -m bench.compare --help` tells how. Each is measured in a process of its own, on the same
hands, where it is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from html import escape
from math import log10
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from bench.hands import losing_hands, won_hands
from mjasp.notation import write

ROOT = Path(__file__).parents[1]
# The adapter of each, by the name it is shown under.
OTHERS = {
    "ground anew for each hand": "fresh",
    "plain-Python divider": "plain",
    "Kajongg": "kajongg",
    "mahjong (riichi)": "riichi",
    "PyMahjongGB (C++)": "official",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one program: milliseconds a hand, hands a second, megabytes.

    `left_out` are hands that it has no way to say, or does not accept.
    """

    name: str
    about: str
    hands: int
    left_out: int
    median: float
    late: float
    rate: float
    memory: float


def main() -> None:
    """Measure everything and print it as a table; write JSON and a chart where asked to."""
    options = _options()
    hands = mixed(options.won, options.lost)
    print(f"cores {os.cpu_count()}, Python {sys.version.split()[0]}, {options.rules}")
    print(f"{options.won} won hands, {options.lost} losing; best of 3 runs a hand")
    print(f"import clingo, lark: {_imports():.3f} s")
    found = []
    for figures in _measured(hands, options.rules, options.revision):
        print(_line(figures), flush=True)
        found.append(figures)
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in found], indent=2) + "\n")
    if options.chart:
        options.chart.write_text(chart(found))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    add = parser.add_argument
    add("--rules", default="dmjl", help="the rule set (default dmjl)")
    add("--won", type=int, default=2000, help="how many won hands (default 2000)")
    add("--lost", type=int, default=500, help="how many losing hands (default 500)")
    add("--revision", help="an earlier revision; without it, the one that brought the rule set")
    add("--json", type=Path, metavar="FILE", help="write the figures there")
    add("--chart", type=Path, metavar="FILE", help="write a chart there, as SVG")
    return parser.parse_args()


def mixed(won: int, lost: int) -> list[str]:
    """The hands as text, won and losing mixed, the same on every machine."""
    hands = [write(hand) for hand in (*won_hands(won, seed=1), *losing_hands(lost, seed=1))]
    Random(1).shuffle(hands)
    return hands


def _measured(hands: Sequence[str], rules: str, revision: str | None) -> Iterator[Figures]:
    yield from _figures("mjasp now", "engine", hands, rules, ROOT)
    revision = revision or _first(rules)
    if revision:
        with _worktree(revision) as folder:
            yield from _figures(f"mjasp at {revision[:10]}", "engine", hands, rules, folder)
    for name, adapter in OTHERS.items():
        yield from _figures(name, adapter, hands, rules, ROOT)


def _figures(
    name: str, adapter: str, hands: Sequence[str], rules: str, source: Path
) -> Iterator[Figures]:
    """The figures of one program; none where it is not installed, which is told."""
    task = {"adapter": adapter, "rules": rules, "hands": hands, "source": str(source)}
    done = subprocess.run(
        [sys.executable, "-m", "bench.measure"],
        check=True,
        cwd=ROOT,
        input=json.dumps(task),
        stdout=subprocess.PIPE,
        text=True,
    )
    answer = json.loads(done.stdout)
    if "missing" in answer:
        print(f"{name}: not measured ({answer['missing']})")
        return
    seconds = sorted(answer["seconds"])
    yield Figures(
        name,
        answer["about"],
        len(seconds),
        answer["left_out"],
        median(seconds) * 1e3,
        seconds[len(seconds) * 99 // 100] * 1e3,
        len(seconds) / sum(seconds),
        answer["memory"],
    )


def _line(figures: Figures) -> str:
    return (
        f"{figures.name:<27}median {figures.median:7.3f} ms   99 % {figures.late:8.3f} ms   "
        f"{figures.rate:7.0f} a second   {figures.memory:4.0f} MB   "
        f"{figures.hands} hands ({figures.left_out} left out), {figures.about}"
    )


def _imports() -> float:
    """Seconds that a fresh process takes to import what the engine stands on."""
    times = []
    for _ in range(5):
        start = perf_counter()
        subprocess.run([sys.executable, "-c", "import clingo, lark"], check=True)
        times.append(perf_counter() - start)
    return median(times)


# ---- Revisions


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def _first(rules: str) -> str:
    """The revision that brought a rule set; nothing outside a git checkout."""
    path = f"encodings/rulesets/{rules}.lp"
    return _git("log", "--diff-filter=A", "--format=%H", "--", path).rpartition("\n")[2]


@contextmanager
def _worktree(revision: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "revision"
        _git("worktree", "add", "--detach", str(folder), revision)
        try:
            yield folder
        finally:
            _git("worktree", "remove", "--force", str(folder))


# ---- Chart

_ROW, _LABELS, _BARS, _NUMBERS = 28, 210, 420, 130  # pixels


def chart(found: Sequence[Figures]) -> str:
    """Hands a second of each program as SVG: a bar ten times as fast is one step longer."""
    height, width = _ROW * len(found) + 30, _LABELS + _BARS + _NUMBERS
    longest = max((log10(max(each.rate, 1.0)) for each in found), default=1.0) or 1.0
    font = 'font-family="sans-serif" font-size="13"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        '<text x="8" y="18">Hands a second, on a scale of powers of ten</text>',
    ]
    for at, each in enumerate(found):
        top, length = _ROW * at + 30, _BARS * log10(max(each.rate, 1.0)) / longest
        lines += [
            f'<text x="{_LABELS - 8}" y="{top + 15}" text-anchor="end">{escape(each.name)}</text>',
            f'<rect x="{_LABELS}" y="{top}" width="{length:.1f}" height="20" fill="#3b7dd8"/>',
            f'<text x="{_LABELS + length + 6:.1f}" y="{top + 15}">{each.rate:,.0f}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    main()
