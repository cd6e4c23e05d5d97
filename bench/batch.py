"""`mjasp batch` in figures: start, one process against two, memory: `python -m bench.batch`.

The two cores of the comparison should have nothing else to do. The divisions are kept on the disk
from run to run, as they are for a user.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench.compare import mixed
from bench.usage import Parser
from mjasp.compiled.store import FOLDER_VARIABLE

RUNS = 3
# How often the 10,000 hands stand in the file: for each a second or more of work.
TIMES = {"clingo": 1, "compiled": 5}


def main() -> None:
    """Measure and print, one line a figure."""
    parser = Parser(prog="python -m bench.batch", description=__doc__)
    parser.parse_args()
    parser.need_numpy()
    hands = mixed(8000, 2000)
    with tempfile.TemporaryDirectory() as place:
        os.environ[FOLDER_VARIABLE] = place
        source, output = Path(place) / "hands.txt", Path(place) / "scores.jsonl"
        for engine, times in TIMES.items():
            source.write_text("\n".join(hands * times))
            if engine == "compiled":
                cold = seconds(source, output, engine, 1)
                print(f"{engine}, with no divisions on the disk yet: {cold:.2f} s")
            start = min(first_record(source, engine) for _ in range(RUNS))
            print(f"{engine}: first record after {start:.2f} s")
            # Turn by turn, so that what else the machine does meets both alike.
            pairs = [
                [seconds(source, output, engine, jobs) for jobs in (1, 2)] for _ in range(RUNS)
            ]
            one, two = (min(taken) for taken in zip(*pairs, strict=True))
            print(
                f"  {len(hands) * times:,} hands: {one:.2f} s with --jobs 1, {two:.2f} s with 2: "
                f"{one / two:.2f} times; {len(hands) * times / one:,.0f} a second with 1"
            )
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            print(f"  peak memory of a process so far: {peak:.0f} MB")


def command(source: Path, engine: str, jobs: int) -> list[str]:
    """The batch that is measured."""
    batch = [sys.executable, "-m", "mjasp", "batch", str(source), "--rules", "dmjl"]
    return [*batch, "--engine", engine, "--jobs", str(jobs)]


def first_record(source: Path, engine: str) -> float:
    """Seconds from the start of a batch to its first record."""
    start = perf_counter()
    with subprocess.Popen(
        command(source, engine, 2), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout
        process.stdout.readline()
        taken = perf_counter() - start
        process.kill()
    return taken


def seconds(source: Path, output: Path, engine: str, jobs: int) -> float:
    """Seconds that a batch takes, its start included."""
    start = perf_counter()
    subprocess.run(
        [*command(source, engine, jobs), "--output", str(output)],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return perf_counter() - start


if __name__ == "__main__":
    main()
