"""The same batch on a Dask cluster of several processes, some of which are lost on the way."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from bench.hands import losing_hands, won_hands
from mjasp.batch import cluster
from mjasp.batch.cluster import Cluster
from mjasp.cli import main
from mjasp.errors import MjaspError
from mjasp.notation import write

distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a cluster of three processes here, which come back when they are killed.

    A task is given up when it has killed two.
    """
    import dask

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as local,
    ):
        yield local.scheduler_address


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    hands = [*won_hands(1600, seed=8), *losing_hands(400, seed=8)]
    lines = [*(json.dumps({"id": at, "hand": write(hand)}) for at, hand in enumerate(hands)), "?+"]
    path = tmp_path_factory.mktemp("cluster") / "in.jsonl"
    path.write_text("\n".join(lines))
    return path


def batch(*arguments: str | Path) -> int:
    return main(["batch", *map(str, arguments)])


def kill_one(address: str, output: Path) -> None:
    """Kill a worker process once something has been written."""
    with distributed.Client(address) as client:
        pids = list(client.run(os.getpid).values())
        while not (output.exists() and output.stat().st_size):
            time.sleep(0.01)
        os.kill(pids[0], signal.SIGKILL)


def test_a_lost_worker_changes_nothing(scheduler: str, source: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / "here.jsonl", tmp_path / "there.jsonl"]
    options = (source, "--rules", "dmjl", "--output")
    assert batch(*options, outputs[0], "--jobs", "2", "--engine", "clingo") == 1
    killer = Thread(target=kill_one, args=(scheduler, outputs[1]))
    killer.start()
    assert batch(*options, outputs[1], "--cluster", scheduler) == 1
    killer.join()
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


def test_partitions_are_written_as_they_are_read(
    scheduler: str, source: Path, tmp_path: Path
) -> None:
    lines = source.read_text().splitlines()[-350:]
    (tmp_path / "in").mkdir()
    for at, name in enumerate(("a.jsonl", "b.txt", "c.jsonl")):
        (tmp_path / "in" / name).write_text("\n".join(lines[at::3]))
    for place, where in (
        ("here", ()),
        ("there", ("--cluster", scheduler)),
    ):
        assert batch(tmp_path / "in", "--output", tmp_path / place / "{name}.csv.gz", *where) == 1
    for name in ("a.csv.gz", "b.csv.gz", "c.csv.gz"):
        here, there = tmp_path / "here" / name, tmp_path / "there" / name
        assert here.read_bytes() == there.read_bytes()


def deadly(task: tuple[int, ...]) -> list[int]:
    """The numbers as they are, unless 13 is among them."""
    if 13 in task:
        os.kill(os.getpid(), signal.SIGKILL)
    return list(task)


def on(address: str) -> Cluster[tuple[int, ...], list[int]]:
    return Cluster(
        address,
        deadly,
        1,
        parts=lambda task: ((number,) for number in task),
        lost=lambda task: [-number for number in task],
        join=lambda parts: [number for part in parts for number in part],
    )


def test_a_task_that_kills_every_worker_is_given_up_alone(scheduler: str) -> None:
    found = on(scheduler).map([(1, 2), (12, 13), (14,)])
    assert list(found) == [[1, 2], [12, -13], [14]]


def test_other_versions_are_refused(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "version", lambda: "another")
    with pytest.raises(MjaspError, match="this is another"):
        list(on(scheduler).map([(1,)]))


def test_a_cluster_that_is_not_there(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert batch(source, "--cluster", "nowhere://here") == 2
    assert "there is no Dask cluster at nowhere://here" in capsys.readouterr().err


def test_a_local_cluster(source: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(source.read_text().splitlines()[:150]))
    assert batch(few, "--output", tmp_path / "there", "--cluster", "local", "--jobs", "2") == 0
    assert batch(few, "--output", tmp_path / "here") == 0
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
