"""A club's file is data from a stranger: it is read and grounded in a process that can be killed.

Grounding cannot be interrupted, and a file of one line can ask for more than any machine has.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from mjasp.errors import Problem, RulesetError
from mjasp.ruleset_facts import fact_problems
from mjasp.ruleset_files import File, Source, entry_texts
from mjasp.ruleset_grounding import grounding_problems
from mjasp.ruleset_lint import ENTRIES, Club, statement_problems, supplement, unreadable
from mjasp.solver import Program, as_it_is

__all__ = ["checked", "errors_of", "grouped", "main"]

# So much of a processor it may have. On a busy machine, which gives it little, it may take longer
# by the clock; Windows limits no processor's time.
_SECONDS = 5
_LONGEST = 60 if sys.platform != "win32" else _SECONDS
_BYTES = 512 * 1024 * 1024
# The exit status of the process where the memory did not suffice: its own, and the C library's.
_NO_ROOM, _NO_ROOM_TO_START = 3, 127
_OUT_OF_TIME = getattr(signal, "SIGXCPU", None)

# Isolated (-I), the process looks for modules only where this one found its own.
_START = """\
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from mjasp.ruleset_guard import main
main()
"""


def checked(source: Source) -> list[str]:
    """The texts of a club's rule set: its files, and what is found in them (lint.supplement).

    Raises RulesetError with all that is wrong with the first file that cannot be used.
    """
    for error in errors_of(source):
        raise error
    _, found = _looked_at(source)
    return [*source.shipped, *(file.program for file in source.own), found]


def errors_of(source: Source) -> list[RulesetError]:
    """All that is wrong with a club's files, an error for each of them."""
    if not source.own:
        return []
    try:
        problems, _ = _looked_at(source)
    except RulesetError as error:
        return [error]
    return grouped(source, problems)


def grouped(source: Source, problems: Iterable[Problem]) -> list[RulesetError]:
    """Problems as an error for each file, with its text to point at."""
    texts = {file.name: file.text for file in source.own}
    by_file: dict[str | None, list[Problem]] = {}
    for problem in problems:
        by_file.setdefault(problem.file, []).append(problem)
    return [RulesetError(*found, text=texts.get(name or "")) for name, found in by_file.items()]


@lru_cache(maxsize=32)
def _looked_at(source: Source) -> tuple[tuple[Problem, ...], str]:
    """What is wrong with a club's files, and what they ask for; once for the same files.

    Raises RulesetError where that takes too long or too much memory.
    """
    where = [str(Path(__file__).parents[1]), *filter(None, sys.path)]
    command = [sys.executable, "-I", "-c", _START, json.dumps(where)]
    try:
        done = subprocess.run(  # noqa: S603 - our own program, the file is its input
            command,
            input=json.dumps(asdict(source)).encode(),
            capture_output=True,
            check=False,
            timeout=_LONGEST,
        )
    except subprocess.TimeoutExpired:
        raise _too_much(source, f"it takes longer than {_LONGEST} seconds") from None
    if done.returncode < 0 and -done.returncode == _OUT_OF_TIME:
        raise _too_much(source, f"it takes longer than {_SECONDS} seconds")
    if done.returncode < 0 or done.returncode in {_NO_ROOM, _NO_ROOM_TO_START}:
        raise _too_much(source, f"it takes more than {_BYTES // 1024 // 1024} MB")
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace"))
    answer = json.loads(done.stdout)
    problems = (Problem(**{**each, "expected": tuple(each["expected"])}) for each in answer[0])
    return tuple(problems), answer[1]


def _too_much(source: Source, why: str) -> RulesetError:
    name = source.own[-1].name
    help_ = "look for a rule whose variables can stand for very many things"
    return RulesetError(Problem("ruleset-too-large", f"{name} cannot be used: {why}", help=help_))


def main() -> None:
    """Look at the files given on standard input, under limits; answer on standard output."""
    _limit_this_process()
    stated = json.load(sys.stdin)
    own = tuple(File(**each) for each in stated["own"])
    source = Source(stated["id"], tuple(stated["shipped"]), own)
    try:
        problems, found = _look_at(source)
    except (MemoryError, RecursionError):
        sys.exit(_NO_ROOM)
    json.dump([[*map(_plain, problems)], found], sys.stdout)


def _limit_this_process() -> None:
    if sys.platform != "win32":  # which knows no such limits: there the time alone is limited
        import resource

        limits = {
            resource.RLIMIT_CORE: (0, 0),
            resource.RLIMIT_AS: (_BYTES, _BYTES),
            # The first bound sends a signal that this is known by; the second one only kills.
            resource.RLIMIT_CPU: (_SECONDS, _SECONDS + 1),
        }
        for limit, bounds in limits.items():
            with suppress(ValueError, OSError):  # lower already, or unknown to this system
                resource.setrlimit(limit, bounds)


def _look_at(source: Source) -> tuple[list[Problem], str]:
    problems = unreadable(source)
    if problems:
        return problems, ""
    club = Club(source)
    problems = [*statement_problems(club)]
    if problems:
        return problems, ""
    found = supplement(club)
    for entry in ENTRIES:
        problems = grounding_problems(club, entry)
        if problems:
            return problems, ""
    texts = [*entry_texts("score"), *source.shipped, *(file.program for file in source.own), found]
    return [*fact_problems(club, Program(texts, as_it_is))], found


def _plain(problem: Problem) -> dict[str, Any]:
    told = asdict(problem)
    del told["about"]
    return told
