"""Our engine beside its past, other ways and other programs, in one run.

`python -m bench.compare --help` tells how. Each is measured in a process of its own, on the same
hands, where it is installed. It is warm: it has scored 100 other hands, which is where programs are
compiled, and all the hands that are timed. How long it took to get ready, and how fast it was when
the hands were new to it, without divisions on the disk, are columns of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from html import escape
from math import log10
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from bench.hands import losing_hands, won_hands
from bench.usage import Parser, at_least, rule_set
from mjasp.notation import write

ROOT = Path(__file__).parents[1]
# The adapter of each, by the name it is shown under.
OURS = {
    "mjasp, solved": "solved",
    "mjasp, compiled": "compiled",
    "mjasp, JSON to JSON": "lines",
    "mjasp, arrays to arrays": "arrays",
}
_KAJONGG, _SOLVED = "Kajongg", "mjasp, solved"
OTHERS = {
    "ground anew for each hand": "fresh",
    "plain-Python divider": "plain",
    _KAJONGG: "kajongg",
    "mahjong (riichi)": "riichi",
    "PyMahjongGB (C++)": "official",
}


# numpy multiplies matrices with as many threads as there are cores, unless it is told.
ONE_CORE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one program: milliseconds a hand, hands a second, megabytes.

    `median` and `late`, the 99th percentile, are None where hands are not timed one by one; `made`
    is how many seconds it took to be ready, `cold` the hands a second the first time. `left_out`
    are hands that it has no way to say, or does not accept.
    """

    name: str
    about: str
    hands: int
    left_out: int
    median: float | None
    late: float | None
    rate: float
    made: float
    cold: float
    memory: float


def main() -> None:
    """Measure everything and print it as a table; write JSON and a chart where asked to."""
    options = _options()
    hands = mixed(options.won, options.lost)
    context = {
        "rules": options.rules,
        "clock": "processor" if options.busy else "wall",
        "won": options.won,
        "lost": options.lost,
        "cores": os.cpu_count(),
        "python": sys.version.split()[0],
        "import_clingo_lark": _imports(),
    }
    print(f"cores {context['cores']}, Python {context['python']}, {options.rules}")
    print(f"{options.won} won hands, {options.lost} losing; best of several runs, warm")
    print(f"{context['clock']} time")
    print(f"import clingo, lark: {context['import_clingo_lark']:.3f} s")
    found = list(_measured(hands, options))
    ratios = {name: _ratios(found, name) for name in (_KAJONGG, _SOLVED)}
    print("\n".join(table(found, ratios)))
    if options.json:
        programs = [
            {**asdict(each), "ratios": {name: times[each.name] for name, times in ratios.items()}}
            for each in found
        ]
        options.json.write_text(json.dumps({**context, "programs": programs}, indent=2) + "\n")
    if options.chart:
        options.chart.write_text(chart(found, options.rules))


def _options() -> argparse.Namespace:
    parser = Parser(prog="python -m bench.compare", description=__doc__)
    add = parser.add_argument
    add("--rules", type=rule_set, default="dmjl", help="the rule set (default dmjl)")
    add("--won", type=at_least(1), default=2000, help="how many won hands (default 2000)")
    add("--lost", type=at_least(0), default=500, help="how many losing hands (default 500)")
    add("--revision", help="an earlier revision; without it, the one that brought the rule set")
    add("--ours", action="store_true", help="leave out what is not of this revision")
    add(
        "--busy",
        action="store_true",
        help="processor time, where other work is done; its clock takes a microsecond",
    )
    add("--json", type=Path, metavar="FILE", help="write the figures there")
    add("--chart", type=Path, metavar="FILE", help="write a chart there, as SVG")
    return parser.parse_args()


def mixed(won: int, lost: int, seed: int = 1) -> list[str]:
    """The hands as text, won and losing mixed, the same on every machine."""
    hands = [write(hand) for hand in (*won_hands(won, seed), *losing_hands(lost, seed))]
    Random(1).shuffle(hands)
    return hands


def _measured(hands: Sequence[str], options: argparse.Namespace) -> Iterator[Figures]:
    task = {
        "rules": options.rules,
        "hands": hands,
        "warm": mixed(80, 20, seed=9),
        "clock": "process_time" if options.busy else "perf_counter",
    }
    for name, adapter in OURS.items():
        yield from _figures(name, adapter, task, ROOT)
    if options.ours:
        return
    revision = options.revision or _first(options.rules)
    if revision:
        with _worktree(revision) as folder:
            yield from _figures(f"mjasp at {revision[:10]}", "engine", task, folder)
    for name, adapter in OTHERS.items():
        yield from _figures(name, adapter, task, ROOT)


def _figures(name: str, adapter: str, task: Mapping[str, Any], source: Path) -> Iterator[Figures]:
    """The figures of one program; none where it is not installed, which is told."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.measure"],
        check=True,
        cwd=ROOT,
        env={**os.environ, **ONE_CORE, "MJASP_CACHE": ""},
        input=json.dumps({**task, "adapter": adapter, "source": str(source)}),
        stdout=subprocess.PIPE,
        text=True,
    )
    answer = json.loads(done.stdout)
    if "missing" in answer:
        print(f"{name}: not measured ({answer['missing']})")
        return
    told = {key: answer[key] for key in ("about", "left_out", "made", "cold", "memory")}
    figures = Figures(name=name, **_times(answer), **told)
    print(f"{name}: {figures.rate:,.0f} a second", file=sys.stderr)
    yield figures


def _times(answer: Mapping[str, Any]) -> dict[str, Any]:
    """How many hands were timed, one by one or together, and what it took."""
    if "seconds" not in answer:
        return {"hands": answer["hands"], "median": None, "late": None, "rate": answer["rate"]}
    seconds = sorted(answer["seconds"])
    return {
        "hands": len(seconds),
        "median": median(seconds) * 1e3,
        "late": seconds[len(seconds) * 99 // 100] * 1e3,
        "rate": len(seconds) / sum(seconds),
    }


def _ratios(found: Sequence[Figures], name: str) -> dict[str, float | None]:
    """How many times as fast each is as the one of this name; None where that was not measured."""
    rates = [each.rate for each in found if each.name == name]
    return {each.name: each.rate / rates[0] if rates else None for each in found}


def table(
    found: Sequence[Figures], ratios: Mapping[str, Mapping[str, float | None]]
) -> Iterator[str]:
    """The figures as lines of a table."""
    head = ("median", "99 %", "a second", *(f"/ {name}" for name in ratios))
    head += ("ready in", "a second, cold", "memory")
    widths = (10, 11, 11, *(max(9, len(name) + 4) for name in ratios), 10, 16, 9)
    yield f"{'':<25}" + " ".join(
        f"{each:>{width}}" for each, width in zip(head, widths, strict=True)
    )
    for each in found:
        times = (
            f"{value:.3f} ms" if value is not None else "" for value in (each.median, each.late)
        )
        against = (times_[each.name] for times_ in ratios.values())
        cells = (
            *times,
            f"{each.rate:,.0f}",
            *(f"{ratio:.2f}" if ratio else "" for ratio in against),
            f"{each.made:.2f} s",
            f"{each.cold:,.0f}",
            f"{each.memory:.0f} MB",
        )
        row = " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        left_out = f" ({each.left_out} left out)" if each.left_out else ""
        yield f"{each.name:<25}{row}   {each.hands} hands{left_out}, {each.about}"


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

_ROW, _LABELS, _BARS, _NUMBERS = 28, 200, 420, 110  # pixels
_OURS, _THEIRS = "#3b7dd8", "#9aa5b1"


def chart(found: Sequence[Figures], rules: str) -> str:
    """Hands a second of each program as SVG: a bar ten times as fast is one step longer."""
    height, width = _ROW * len(found) + 34, _LABELS + _BARS + _NUMBERS
    step = _BARS / (log10(max((each.rate for each in found), default=10.0)) or 1.0)
    font = 'font-family="sans-serif" font-size="13"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="8" y="18">Hands a second, {escape(rules)}; tenfold from line to line</text>',
    ]
    for power in range(int(_BARS / step) + 1):
        x = _LABELS + step * power
        lines.append(f'<path d="M{x:.1f} 28V{height - 6}" stroke="#dde2e8"/>')
    for at, each in enumerate(found):
        top, length = _ROW * at + 32, step * log10(max(each.rate, 1.0))
        fill = _OURS if each.name in OURS else _THEIRS
        lines += [
            f'<text x="{_LABELS - 8}" y="{top + 15}" text-anchor="end">{escape(each.name)}</text>',
            f'<rect x="{_LABELS}" y="{top}" width="{length:.1f}" height="20" fill="{fill}"/>',
            f'<text x="{_LABELS + length + 6:.1f}" y="{top + 15}">{each.rate:,.0f}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    main()
