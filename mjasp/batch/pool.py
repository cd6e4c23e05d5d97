"""Worker processes: tasks go out, results come back in order, and a worker that dies is replaced.

`concurrent.futures` gives up a whole pool for one dead process, and does not tell whose task killed
it. Here a thread waits for each worker, so that a death is known with its task.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any, Generic, TypeVar, cast

from mjasp.errors import Problem

__all__ = ["WORKER_DIED", "Pool", "WorkerDiedError"]

WORKER_DIED = Problem("worker-died", "every process that scored this line died")

Task = TypeVar("Task")
Result = TypeVar("Result")

_TRIES = 3
_AHEAD = 3  # tasks for each worker that may be under way or done before their turn

# What reading from or writing to a process raises when it is dead.
_DEATHS = (OSError, EOFError, pickle.UnpicklingError)
# Not multiprocessing: that runs the caller's script again in each process, where it may have no
# guard, and a fork would copy its threads' locks.
_START = "import sys; sys.path[:] = {path!r}; from mjasp.batch.worker import main; main()"


class WorkerDiedError(Exception):
    """A worker process ended before it answered."""


class Pool(Generic[Task, Result]):
    """`jobs` processes that each do `work`, which must be picklable, as must tasks and results.

    A task whose worker dies is done again by a new one, three times at most; then its `parts` are
    done one by one, and what `lost` says is the result of those that no worker survives. `join`
    makes one result of those of the parts. Exceptions of the work are raised where its result is
    due.
    """

    def __init__(
        self,
        work: Callable[[Task], Result],
        jobs: int,
        *,
        parts: Callable[[Task], Iterable[Task]],
        lost: Callable[[Task], Result],
        join: Callable[[Iterable[Result]], Result],
    ) -> None:
        self._jobs = jobs
        self._parts, self._lost, self._join = parts, lost, join
        self._workers = [_Worker(work) for _ in range(jobs)]
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)

    def map(self, tasks: Iterable[Task]) -> Generator[Result, None, None]:
        """The result of each task, in order; tasks are taken only a little ahead of the results.

        The processes end with the last result, or when the iterator is closed.
        """
        try:
            with ThreadPoolExecutor(self._jobs) as threads:
                yield from self._results(threads, tasks)
        finally:
            for worker in self._workers:
                worker.end()

    def _results(self, threads: ThreadPoolExecutor, tasks: Iterable[Task]) -> Iterator[Result]:
        pending: deque[Future[Result]] = deque()
        try:
            for task in tasks:
                pending.append(threads.submit(self._do, task))
                if len(pending) >= self._jobs * _AHEAD:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()
            for worker in self._workers:
                worker.close()

    def _do(self, task: Task) -> Result:
        # There are as many threads as workers, so one is always idle here.
        worker = self._idle.get()
        try:
            for _ in range(_TRIES):
                try:
                    return cast(Result, worker.do(task))
                except WorkerDiedError:
                    continue
            return self._join([self._alone(worker, part) for part in self._parts(task)])
        finally:
            self._idle.put(worker)

    def _alone(self, worker: _Worker, part: Task) -> Result:
        try:
            return cast(Result, worker.do(part))
        except WorkerDiedError:
            return self._lost(part)


class _Worker:
    """One process, started when first needed and again after it died."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def do(self, task: object) -> object:
        """The result of the work on a task. Raises what the work raises, and WorkerDiedError."""
        process = self._process or self._start()
        try:
            _send(process, task)
            done, answer = _receive(process)
        except _DEATHS:
            self.end()
            raise WorkerDiedError from None
        if not done:
            raise answer
        return answer

    def close(self) -> None:
        """Stop at once, from any thread: what is being done is not finished, nothing more is."""
        self._closed = True
        if self._process:
            self._process.kill()

    def end(self) -> None:
        """End the process, if there is one, and leave nothing of it."""
        process, self._process = self._process, None
        if process:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what the dead process did not read cannot be written
                    _pipe(pipe).close()
            process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", _START.format(path=sys.path)]
        for _ in range(_TRIES):
            if self._closed:
                raise WorkerDiedError
            # In a session of its own: an interrupt is for the process that holds the files.
            process = self._process = subprocess.Popen(  # noqa: S603 - this very program
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
            try:
                _send(process, self._work)
                _receive(process)
            except _DEATHS:
                self.end()
            else:
                return process
        raise RuntimeError("a worker process does not start")


def _send(process: subprocess.Popen[bytes], what: object) -> None:
    pickle.dump(what, _pipe(process.stdin))
    _pipe(process.stdin).flush()


def _receive(process: subprocess.Popen[bytes]) -> Any:  # noqa: ANN401 - whatever it answers
    return pickle.load(_pipe(process.stdout))  # noqa: S301 - from a process of our own


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe
    return pipe
