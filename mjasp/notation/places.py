"""Where a text says what turns out wrong only when its hand is scored."""

from __future__ import annotations

import re
from typing import TypeVar

from mjasp.errors import MjaspError, Problem
from mjasp.parts import Event

__all__ = ["located"]

_Error = TypeVar("_Error", bound=MjaspError)
# Events that contradict what is known of a hand only when its seat is.
_SAID = {Event.FIRST_TURN: r"first[- ](?:turn|discard)"}
_NAME = re.compile("'([a-z0-9-]+)'")


def located(error: _Error, text: str) -> _Error:
    """The error of a hand, its problems at their places in the text that the hand was read from.

    >>> from mjasp.errors import RulesetError
    >>> error = RulesetError(Problem("unknown-ruleset", "there is no rule set 'nope'"))
    >>> located(error, "EE rules:nope").problems[0].place()
    (1, 10)
    """
    problems = [_at(problem, text) for problem in error.problems]
    if error.text is not None or problems == list(error.problems):
        return error
    return type(error)(*problems, text=text)


def _at(problem: Problem, text: str) -> Problem:
    spot = problem.about.value if problem.about else None
    named = _NAME.search(problem.message) if problem.code == "unknown-ruleset" else None
    pattern = _SAID.get(spot, "") if isinstance(spot, Event) else ""
    if named:
        pattern = named[1].replace("-", "[- ]")
    found = re.search(rf"\b{pattern}\b", text, re.IGNORECASE) if pattern else None
    if found is None:
        return problem
    line_start = text.rfind("\n", 0, found.start()) + 1
    line = text.count("\n", 0, found.start()) + 1
    return problem.at(line, found.start() - line_start + 1, found.end() - line_start + 1)
