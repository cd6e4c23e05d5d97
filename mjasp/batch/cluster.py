"""Chunks on a Dask cluster: the same work, results in order, what a lost worker held done again."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import mjasp
from mjasp import resources
from mjasp.batch.files import BatchError, missing_extra
from mjasp.errors import Problem

__all__ = ["Cluster", "version"]

Task = TypeVar("Task")
Result = TypeVar("Result")

_TRIES = 3  # for a part, whenever Dask has given it up
_AHEAD = 3  # tasks for each thread of the cluster that may be under way or done before their turn


@cache
def version() -> str:
    """The version of this package with a digest of its files, which tells two checkouts apart."""
    package = Path(mjasp.__file__).parent
    digest = hashlib.sha256()
    for folder in (package, resources.grammars(), resources.encodings()):
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".py", ".lark", ".lp"}:
                digest.update(path.relative_to(folder).as_posix().encode())
                digest.update(path.read_bytes())
    return f"{mjasp.__version__} ({digest.hexdigest()[:12]})"


class Cluster(Generic[Task, Result]):
    """The workers at an address, or `jobs` processes here where it is `local`.

    `parts`, `lost` and `join` are as for a Pool. Raises BatchError where there is no such cluster,
    or its workers have another version of this package than this process.
    """

    def __init__(
        self,
        address: str,
        work: Callable[[Task], Result],
        jobs: int,
        *,
        parts: Callable[[Task], Iterable[Task]],
        lost: Callable[[Task], Result],
        join: Callable[[Iterable[Result]], Result],
    ) -> None:
        self._distributed = _distributed()
        self._work = work
        self._parts, self._lost, self._join = parts, lost, join
        self._client, self._local = self._connect(address, jobs)

    def map(self, tasks: Iterable[Task]) -> Generator[Result, None, None]:
        """The result of each task, in order; tasks are taken only a little ahead of the results.

        The cluster is left with the last result, or when the iterator is closed; a local one ends.
        """
        pending: deque[tuple[Task, Any]] = deque()
        try:
            self._check()
            for task in tasks:
                pending.append((task, self._submit(task)))
                if len(pending) >= self._room():
                    yield self._result(*pending.popleft())
            while pending:
                yield self._result(*pending.popleft())
        finally:
            self._client.cancel([future for _, future in pending])
            self._client.close()
            if self._local:
                self._local.close()

    def _connect(self, address: str, jobs: int) -> tuple[Any, Any]:
        local = None
        if address == "local":
            local = self._distributed.LocalCluster(
                n_workers=jobs, threads_per_worker=1, dashboard_address=":0"
            )
        try:
            return self._distributed.Client(local or address), local
        except (OSError, ValueError) as error:
            message = f"there is no Dask cluster at {address}: {error}"
            help_ = "give the address of its scheduler"
            raise BatchError(Problem("no-cluster", message, help=help_)) from None

    def _check(self) -> None:
        """Raise where a worker lacks this package or has another version of it."""
        for worker, answer in self._client.run(version, on_error="return").items():
            _same(answer, worker)

    def _room(self) -> int:
        """How many tasks may be under way; workers come and go."""
        threads: dict[str, int] = self._client.nthreads()
        return _AHEAD * max(1, sum(threads.values()))

    def _submit(self, task: Task) -> Any:  # noqa: ANN401 - a future of Dask's
        return self._client.submit(_versioned, self._work, version(), task, pure=False)

    def _result(self, task: Task, future: Any) -> Result:  # noqa: ANN401 - as above
        try:
            result: Result = future.result()
        except self._distributed.KilledWorker:
            return self._join([self._alone(part) for part in self._parts(task)])
        return result

    def _alone(self, part: Task) -> Result:
        """The result of a part; Dask also blames those that only waited on a worker that died."""
        for _ in range(_TRIES):
            with suppress(self._distributed.KilledWorker):
                result: Result = self._submit(part).result()
                return result
        return self._lost(part)


def _versioned(work: Callable[[Task], Result], wanted: str, task: Task) -> Result:
    """The work, unless this worker joined with another version after the others were checked."""
    _same(version(), "a worker", wanted)
    return work(task)


def _same(found: object, worker: str, wanted: str | None = None) -> None:
    wanted = wanted or version()
    if found != wanted:
        told = f"cannot tell its version ({found!r})" if isinstance(found, Exception) else found
        message = f"{worker} has mjasp {told}, and this is {wanted}"
        help_ = "install the same version on every worker"
        raise BatchError(Problem("other-version", message, help=help_))


def _distributed() -> Any:  # noqa: ANN401 - a module that need not be there
    try:
        import distributed
    except ImportError:
        raise missing_extra("Dask, which runs clusters,", "dask") from None
    return distributed
