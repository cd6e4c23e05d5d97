"""What is wrong with a club's file, and what is odd: rules that never fire, or pay twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from mjasp.errors import Problem, RulesetError
from mjasp.ruleset_facts import defaults
from mjasp.ruleset_files import load
from mjasp.ruleset_guard import errors_of, grouped
from mjasp.ruleset_lint import Club, located
from mjasp.rulesets import texts
from mjasp.solver import Program, Undecided, as_it_is

__all__ = ["Check", "check"]

# For the questions about one rule, and for those about all of them.
_SECONDS, _SECONDS_IN_ALL = 10, 60

# What a file states to add or to change a rule.
_TOUCHING = {"rule", "condition", "value", "change", "calling"}


@dataclass(frozen=True, slots=True)
class Check:
    """What was found in a club's file; each error is about one file of its folder."""

    ruleset: str
    errors: tuple[RulesetError, ...]

    @property
    def findings(self) -> tuple[Problem, ...]:
        """Everything found, one by one."""
        return tuple(problem for error in self.errors for problem in error.problems)


def check(path: str) -> Check:
    """Read and solve what a club's file says.

    Questions about all hands are asked of the hand left open (encodings/open.lp), for each rule
    that the file adds or changes; what is not answered in 10 seconds for a rule, and in a minute
    for all of them, is told as not decided.
    Raises RulesetError where there is no such file, and for a link to a file of another folder.
    """
    if not path.endswith(".lp"):
        raise RulesetError(Problem("no-ruleset-file", f"{path!r} does not end in `.lp`"))
    try:
        source = load(path)
    except RulesetError as error:
        if error.problems[0].code in {"no-ruleset-file", "link-outside"}:
            raise
        return Check(Path(path).stem, (error,))
    errors = errors_of(source)
    if not errors and source.own:
        club = Club(source)
        found = [*_unused(club), *_Open(club).problems()]
        errors = grouped(source, found)
    return Check(source.id, tuple(errors))


def _unused(club: Club) -> Iterator[Problem]:
    """Conditions of the club's own that no rule is tied to and no other condition asks for."""
    used = {head.arguments[1] for _, head in club.heads if head.signature == ("condition", 2)}
    used |= {each.arguments[0] for _, each in club.bodies if each.signature == ("holds", 2)}
    told = set[str | None]()
    for said, head in club.heads:
        name = head.arguments[0] if head.signature in {("holds", 2), ("fits", 1)} else None
        if name is not None and name not in used | told:
            told.add(name)
            message = f"no rule is tied to the condition `{name}`"
            help_ = f"write `condition(my_rule, {name}).`, and what `my_rule` pays"
            yield located(said, head.place, Problem("unused-condition", message, help=help_))


class _Open:
    """The questions asked of a club's rules with the hand left open."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._program = Program(texts("open", club.source), as_it_is)
        rules = {rule for (rule,) in self._program.written("in_force", 1)}
        touched = (
            str(head.arguments[0])
            for _, head in club.heads
            if head.name in _TOUCHING and head.arguments[0] in rules
        )
        self._rules = tuple(dict.fromkeys(touched))
        self._deadline = monotonic()
        self._by_default = [f"reading({name},{value})" for name, value in defaults(self._program)]

    def problems(self) -> Iterator[Problem]:
        """What is odd about the rules."""
        yield from self._without_limit()
        yield from self._odd_rules()

    def _without_limit(self) -> Iterator[Problem]:
        """Rules that pay a multiple of a limit which nobody states."""
        if any(self._program.written(name, 1) for name in ("limit", "change_limit")):
            return
        multiples = {rule for rule, unit, _ in self._program.written("pays", 3) if unit == "limits"}
        for rule in self._rules:
            if rule in multiples:
                message = f"the rule `{rule}` pays a multiple of the limit, and there is none"
                help_ = "write `limit(500).`"
                yield self._at(rule, Problem("no-limit", message, help=help_))

    def _odd_rules(self) -> Iterator[Problem]:
        """Rules that never fire, and those that always fire together with an earlier one."""
        told = set[str]()  # to fire with an earlier one, and with whatever that fires with
        end = monotonic() + _SECONDS_IN_ALL
        for at, rule in enumerate(self._rules):
            if rule in told:
                continue
            self._deadline = min(end, monotonic() + _SECONDS)
            try:
                if self._hand([rule], readings=False) is None:
                    message = f"the rule `{rule}` can never fire"
                    problem = Problem("never-fires", message, help=self._why_never(rule))
                    yield self._at(rule, problem)
                    continue
                for other in self._companions(rule):
                    told.add(other)
                    message = f"the rules `{rule}` and `{other}` always fire together"
                    help_ = "both pay: let one `replaces` the other, or drop one"
                    yield self._at(rule, Problem("always-together", message, help=help_))
            except Undecided:
                more = len(self._rules) - at - 1 if monotonic() >= end else 0
                yield self._at(rule, _not_decided(rule, more))
                if more:
                    return

    def _why_never(self, rule: str) -> str:
        """What to look for where a rule never fires."""
        shapes = {shape for (shape,) in self._program.written("whole_shape", 1)}
        shapes |= {shape for (shape,) in self._program.written("knitted_shape", 1)}
        of_shapes = [shape for each, shape in self._program.written("condition", 2) if each == rule]
        if shapes.intersection(of_shapes) and (rule,) not in self._program.written("special", 1):
            return f"`{of_shapes[0]}` is a shape without sets: a rule for it pays `limits`"
        return "no hand meets its condition: look for parts that contradict each other"

    def _companions(self, rule: str) -> Iterator[str]:
        """The rules that fire in every hand in which this one does, and in no other."""
        candidates = (self._hand([rule]) or set()) - {rule}
        while candidates:
            other = min(candidates)
            without = self._hand([rule], [other])
            if without is not None:
                candidates &= without
            else:
                candidates.discard(other)
                if self._hand([other], [rule]) is None:
                    yield other

    def _hand(
        self, fire: list[str], not_: list[str] | None = None, *, readings: bool = True
    ) -> set[str] | None:
        """The rules that fire for some hand for which these do and those do not."""
        true = [f"pays_out({rule})" for rule in fire] + self._by_default * readings
        false = [f"pays_out({rule})" for rule in not_ or ()]
        model = self._program.find(true, false, seconds=max(0, self._deadline - monotonic()))
        return (
            None if model is None else {str(term[1]) for term in model if isinstance(term, tuple)}
        )

    def _at(self, rule: str, problem: Problem) -> Problem:
        """The problem at the first statement about the rule."""
        for said, head in self._club.heads:
            if head.name in _TOUCHING and head.arguments[0] == rule:
                return located(said, head.place, problem)
        return problem


def _not_decided(rule: str, more: int) -> Problem:
    """A rule whose questions have no answer yet, and how many others were not looked at."""
    named = f"`{rule}`" + (f" and {more} more rules" if more else "")
    message = f"whether {named} ever fire{'' if more else 's'}, or always with another,"
    seconds = _SECONDS_IN_ALL if more else _SECONDS
    help_ = f"no answer was found in {seconds} seconds"
    return Problem("not-decided", f"{message} is not decided", help=help_)
