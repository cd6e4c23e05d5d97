"""What clingo has to say of a club's file when it is grounded, in words and at its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mjasp.errors import Problem
from mjasp.ruleset_files import entry_texts
from mjasp.ruleset_lint import Club, supplement
from mjasp.solver import Program, ProgramError, as_it_is

__all__ = ["grounding_problems"]

_SAID = re.compile(
    r"<block>:(\d+):(\d+)(?:-(?:\d+:)?(\d+))?: (error|info|warning): (.*?)\s*$", re.DOTALL
)
_UNSAFE = re.compile(r"<block>:(\d+):(\d+)-(\d+): note: '(\w+)' is unsafe")


def grounding_problems(club: Club, entry: str) -> list[Problem]:
    """What clingo has to say when an entry's program is grounded with the club's files."""
    shipped = "\n".join([*entry_texts(entry), *club.source.shipped])
    own = [file.program for file in club.source.own]
    try:
        Program(["\n".join([shipped, *own, supplement(club)])], as_it_is)
    except ProgramError as error:
        return [*_messages(club, str(error), shipped.count("\n") + 1)]
    return []


def _messages(club: Club, said: str, offset: int) -> Iterator[Problem]:
    unsafe = _UNSAFE.search(said)
    matched = unsafe or _SAID.search(said)
    if not matched:
        yield Problem("unusable", "clingo cannot ground this file", help=said.partition("\n")[0])
        return
    if unsafe:
        message = f"nothing says what `{unsafe[4]}` can be"
        help_ = "a variable stands in a plain atom of the rule's body too"
        problem = Problem("unsafe", message, help=help_)
    else:
        what = " ".join(matched[5].split()).removeprefix("operation undefined: ")
        problem = Problem("undefined", f"`{what}` cannot be computed", help="is it a number?")
    line = int(matched[1]) - offset
    for file in club.source.own:
        rows = file.program.count("\n") + 1
        if 0 < line <= rows:
            problem = problem.at(line, int(matched[2]), int(matched[3] or matched[2]))
            yield problem.in_file(file.name)
            return
        line -= rows
    yield problem
