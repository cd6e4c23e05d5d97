"""`mjasp batch` in figures: start, one process against two, memory: `python -m bench.batch`.

The two cores of the comparison should have nothing else to do.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench.compare import mixed

RUNS = 3


def main() -> None:
    """Measure and print, one line a figure."""
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "hands.txt"
        source.write_text("\n".join(mixed(8000, 2000)))
        print(f"first record after {min(first_record(source) for _ in range(RUNS)):.2f} s")
        output = Path(place) / "scores.jsonl"
        # Turn by turn, so that what else the machine does meets both alike.
        pairs = [(seconds(source, output, 1), seconds(source, output, 2)) for _ in range(RUNS)]
        one, two = (min(times) for times in zip(*pairs, strict=True))
        print(f"10,000 hands: {one:.2f} s with --jobs 1, {two:.2f} s with 2: {one / two:.2f} times")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"peak memory of a process: {peak:.0f} MB")


def command(source: Path, jobs: int) -> list[str]:
    """The batch that is measured."""
    batch = [sys.executable, "-m", "mjasp", "batch", str(source), "--rules", "dmjl"]
    return [*batch, "--jobs", str(jobs)]


def first_record(source: Path) -> float:
    """Seconds from the start of a batch to its first record."""
    start = perf_counter()
    with subprocess.Popen(
        command(source, 2), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout
        process.stdout.readline()
        taken = perf_counter() - start
        process.kill()
    return taken


def seconds(source: Path, output: Path, jobs: int) -> float:
    """Seconds that a batch takes, its start included."""
    start = perf_counter()
    subprocess.run(
        [*command(source, jobs), "--output", str(output)], check=True, stderr=subprocess.DEVNULL
    )
    return perf_counter() - start


if __name__ == "__main__":
    main()
