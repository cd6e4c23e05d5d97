"""The other end of a pool: a process that is given one task after another."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from typing import BinaryIO

__all__ = ["READY", "main"]

READY = "ready"


def main() -> None:
    """Read the work and then tasks from standard input, and write an answer to each, until it ends.

    First it says that it is ready. An answer is a pair: whether the work was done, and its result
    or the exception raised instead.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not write between the answers
    tasks = sys.stdin.buffer
    try:
        work = pickle.load(tasks)  # noqa: S301 - from the process that started this one
        _say(answers, READY)
        while True:
            task = pickle.load(tasks)  # noqa: S301 - as above
            try:
                answer = True, work(task)
            except Exception as fault:  # noqa: BLE001 - it is raised where the work was asked for
                fault.add_note(traceback.format_exc())
                answer = False, fault
            _say(answers, answer)
    except (EOFError, BrokenPipeError):
        os._exit(0)  # the pool is gone, or needs this process no longer


def _say(answers: BinaryIO, answer: object) -> None:
    pickle.dump(answer, answers)
    answers.flush()
