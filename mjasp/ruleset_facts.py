"""What a club's file comes to: its facts after grounding, each rule whole and no two at odds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from mjasp import facts
from mjasp.errors import Problem
from mjasp.ruleset_files import unknown
from mjasp.ruleset_lint import Club, located
from mjasp.solver import Program, Term
from mjasp.statements import Mention

__all__ = ["defaults", "fact_problems"]

# What a rule set states once for all, whatever the hand and the readings are; and which of its
# arguments are names and which are texts in quotes.
_KINDS: Mapping[tuple[str, int], tuple[tuple[int, ...], tuple[int, ...]]] = {
    ("rule", 3): ((0,), (1,)),
    ("cites", 3): ((), (2,)),
    ("text", 2): ((), (1,)),
    ("ruleset", 2): ((), (1,)),
    ("limit", 1): ((), ()),
    ("change_limit", 1): ((), ()),
    ("change_text", 2): ((), (1,)),
    ("change_reading", 2): ((), (1,)),
    ("reading_value", 3): ((0,), (1,)),
    ("doubt", 2): ((), (1,)),
    ("calling", 3): ((0, 1), (2,)),
}
# What speaks of rules that stand elsewhere, and in which of its arguments.
_OF_RULES: Mapping[tuple[str, int], tuple[int, ...]] = {
    ("change", 3): (0,),
    ("change", 4): (0,),
    ("drop", 1): (0,),
    ("replaces", 2): (0, 1),
    ("joins", 1): (0,),
    ("apart", 1): (0,),
    ("doubles_both", 1): (0,),
    ("bonus_rule", 1): (0,),
    ("in_scope", 1): (0,),
    ("may_call", 1): (0,),
    ("calling", 3): (1,),
}
# A condition that speaks of a rule.
_CALLED = re.compile(r"(?:declared_)?one_tile_short\((\w+)\)")
# What is said of chows is cited like a rule.
_CHOWS = "most_chows"
_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*")
_VALUE = re.compile('"[a-z0-9]+(-[a-z0-9]+)*"')
_MOST_POINTS, _MOST_DOUBLES, _MOST_LIMITS = 1_000_000, 50, 100


def defaults(program: Program[Any]) -> list[tuple[str, str]]:
    """The default of each contested reading, a text in its quotes, after a file's changes."""
    changed = {each[0]: each[1] for each in program.written("change_reading", 2)}
    return [
        (name, changed.get(name, value))
        for name, value, standing in program.written("reading_value", 3)
        if standing == "default"
    ]


def fact_problems(club: Club, program: Program[Term]) -> Iterator[Problem]:
    """What is missing, twice, or of a kind that cannot be, in the order of the checks.

    `program` is the grounded program for scoring.
    """
    return _Facts(club, program).problems()


class _Facts:
    """The facts of a rule set, and where in a club's files they come from."""

    def __init__(self, club: Club, program: Program[Term]) -> None:
        self._club = club
        self._program = program
        self._rules = [rule for rule, _, _ in self._all("rule", 3)]

    def problems(self) -> Iterator[Problem]:
        """All problems; what the rules pay is looked at only where nothing else is wrong."""
        found = [
            *self._conditional(),
            *self._names(),
            *self._rule_problems(),
            *self._parts(),
            *self._variants(),
            *self._readings(),
            *self._limits(),
            *self._titles(),
            *self._value_problems(),
        ]
        found = found or [*self._at_odds()]
        yield from sorted(found, key=lambda each: (each.file or "", each.line or 0))

    def _all(self, name: str, arity: int) -> list[tuple[str, ...]]:
        return self._program.written(name, arity)

    def _at(self, problem: Problem, subject: str, *predicates: str) -> Problem:
        """The problem at the last of the club's statements about a subject, if there is one."""
        for said, head in reversed(self._club.heads):
            if subject in head.arguments and (not predicates or head.name in predicates):
                return located(said, head.place, problem)
        for said, head in self._club.heads:
            if head.name in predicates:
                return located(said, head.place, problem)
        return problem

    def _stated(self, *predicates: str) -> dict[str, None]:
        """The rules that the club's files speak of in these predicates, in their order."""
        return {
            str(head.arguments[0]): None
            for _, head in self._club.heads
            if head.name in predicates and head.arguments and head.arguments[0] is not None
        }

    def _conditional(self) -> Iterator[Problem]:
        for name, arity in _KINDS:
            certain = self._program.written(name, arity, facts=True)
            for arguments in self._all(name, arity):
                if arguments not in certain:
                    message = f"`{name}` of `{arguments[0]}` cannot depend on anything"
                    help_ = "only `condition` and `value` may ask for a reading"
                    yield self._at(Problem("conditional", message, help=help_), arguments[0], name)

    def _names(self) -> Iterator[Problem]:
        """Names that are none, and texts without their quotes."""
        for (predicate, arity), (names, texts) in _KINDS.items():
            for arguments in self._all(predicate, arity):
                for argument in (arguments[place] for place in names):
                    if not _NAME.fullmatch(argument):
                        help_ = "small letters, digits and `_`, without quotes"
                        problem = Problem("bad-name", f"`{argument}` is no name", help=help_)
                        yield self._at(problem, argument, predicate)
                for argument in (arguments[place] for place in texts):
                    if not argument.startswith('"'):
                        message = f"`{argument}` stands where a text in quotes should"
                        problem = Problem("no-quotes", message, help=f'write `"{argument}"`')
                        yield self._at(problem, argument, predicate)

    def _rule_problems(self) -> Iterator[Problem]:
        if not self._all("in_force", 1):
            help_ = 'begin with `#include "european-classical.lp".`, or another rule set'
            yield Problem("no-rules", f"{self._club.source.own[-1].name} has no rule", help=help_)
        for rule in dict.fromkeys(self._rules):
            if self._rules.count(rule) > 1:
                message = f"the rule `{rule}` is stated twice"
                help_ = "give yours another id, or `drop` the included one under its id"
                yield self._at(Problem("twice", message, help=help_), rule, "rule", "calling")
        for rule, _, scope in self._all("rule", 3):
            if scope not in {"all", "winner", "loser"}:
                help_ = "it is all, winner or loser"
                problem = Problem("bad-scope", f"`{scope}` is no scope", help=help_)
                yield self._at(problem, rule, "rule")

    def _parts(self) -> Iterator[Problem]:
        """A rule has a name, a condition, a value and a source: each for the rules of the files."""
        valued = {each[0] for arity in (3, 4) for each in self._all("value", arity)}
        valued |= {each[0] for arity in (3, 4) for each in self._all("change", arity)}
        tied = {rule for rule, _ in self._all("condition", 2)}
        cited = {rule: text for rule, text, _ in self._all("cites", 3)}
        titles = {text for text, _ in self._all("text", 2)}
        called = {
            call: f"one_tile_short({special})" for call, special, _ in self._all("calling", 3)
        }
        stated = self._stated("rule", "condition", "value", "cites", "calling")
        for rule in (each for each in stated if each != _CHOWS):
            if rule not in self._rules:
                help_ = f'write `rule({rule}, "Its name", winner).`, or all or loser'
                yield self._missing(rule, "no-name", "no name and no scope", help_)
                continue
            if rule not in tied:
                condition = called.get(rule, "...")
                help_ = f"write `condition({rule}, {condition}).`"
                yield self._missing(rule, "no-condition", "no condition", help_)
            if rule not in valued:
                help_ = f"write `value({rule}, points, 2).`, or doubles or limits"
                yield self._missing(rule, "no-value", "no value", help_)
            if rule not in cited:
                help_ = f'write `cites({rule}, our_rules, "page 1").` and `text(our_rules, "...").`'
                yield self._missing(rule, "no-source", "no source", help_)
            elif cited[rule] not in titles:
                yield self._no_title(cited[rule], rule)
        if self._stated("most_chows", "change_most_chows"):
            if _CHOWS not in cited:
                help_ = f'write `cites({_CHOWS}, our_rules, "page 1").`'
                problem = Problem("no-source", "what is said of chows has no source", help=help_)
                yield self._at(problem, _CHOWS, "most_chows", "change_most_chows")
            elif cited[_CHOWS] not in titles:
                yield self._no_title(cited[_CHOWS], _CHOWS)

    def _no_title(self, text: str, rule: str) -> Problem:
        message = f"the rule text `{text}` has no title"
        help_ = f'write `text({text}, "Its title").`'
        return self._at(Problem("no-title", message, help=help_), rule, "cites")

    def _missing(self, rule: str, code: str, what: str, help_: str) -> Problem:
        return self._at(Problem(code, f"the rule `{rule}` has {what}", help=help_), rule)

    def _variants(self) -> Iterator[Problem]:
        """What is said of rules that there are not, or that are not played."""
        for said, head in self._club.heads:
            for rule in _spoken_of(head):
                if rule not in self._rules:
                    message = f"there is no rule `{rule}` to speak of"
                    help_ = "see `mjasp rules NAME` for those of the rule set that you include"
                    problem = Problem("unknown-rule", message, help=help_)
                    yield located(said, head.place, problem)
        dropped = self._stated("drop")
        for rule in self._stated("change", "rule", "calling"):
            if rule in dropped:
                message = f"the rule `{rule}` is dropped, and something else said of it"
                problem = Problem("at-odds", message, help="leave out one of the two")
                yield self._at(problem, rule, "change", "rule", "calling")

    def _readings(self) -> Iterator[Problem]:
        values: dict[str, list[tuple[str, str]]] = {}
        for name, value, standing in self._all("reading_value", 3):
            values.setdefault(name, []).append((value, standing))
        yield from self._stated_readings(values)
        yield from self._asked_readings(
            {name: [value for value, _ in stated] for name, stated in values.items()}
        )

    def _asked_readings(self, values: Mapping[str, list[str]]) -> Iterator[Problem]:
        """What rules ask for, or a file takes for the default, that is no reading or no value."""
        asked = [
            (said, mention)
            for said, mention in (*self._club.bodies, *self._club.heads)
            if mention.signature in {("reading", 2), ("change_reading", 2)}
        ]
        for said, mention in asked:
            name, value = mention.arguments
            if name is not None and name not in values:
                problem = unknown("reading", "reading", name, tuple(values))
                yield located(said, mention.place, problem)
            elif name is not None and value is not None and value not in values[name]:
                known = tuple(values[name])
                problem = unknown("reading-value", f"value of the reading `{name}`:", value, known)
                yield located(said, mention.place, problem)

    def _stated_readings(self, values: Mapping[str, list[tuple[str, str]]]) -> Iterator[Problem]:
        doubts = {name for name, _ in self._all("doubt", 2)}
        for name in sorted(doubts - values.keys()):
            message = f"the reading `{name}` has no values"
            help_ = f'write `reading_value({name}, "this", default).`, and the other values'
            yield self._at(Problem("no-values", message, help=help_), name, "doubt")
        for name, stated in values.items():
            standings = [standing for _, standing in stated]
            if standings.count("default") != 1 or {*standings} - {"default", "alternative"}:
                message = f"the reading `{name}` has {standings.count('default')} defaults"
                help_ = "one value is the default, each other an alternative"
                yield self._at(Problem("bad-reading", message, help=help_), name, "reading_value")
            for value, _ in stated:
                if value.startswith('"') and not _VALUE.fullmatch(value):
                    message = f"`{value}` is no value that a reading can have"
                    help_ = "small letters, digits and hyphens, in quotes"
                    problem = Problem("bad-value", message, help=help_)
                    yield self._at(problem, value, "reading_value")
            if name not in doubts:
                message = f"the reading `{name}` has no doubt"
                help_ = f'write `doubt({name}, "Why it is contested").`'
                yield self._at(Problem("no-doubt", message, help=help_), name, "reading_value")

    def _limits(self) -> Iterator[Problem]:
        """Numbers stated once for the rule set, and that once."""
        for predicate in ("limit", "change_limit", "most_chows", "change_most_chows"):
            stated = [each[0] for each in self._all(predicate, 1)]
            for number in stated:
                if not number.isdigit() or not 0 < int(number) <= _MOST_POINTS:
                    problem = Problem("bad-number", f"`{number}` is no number of points or chows")
                    yield self._at(problem, number, predicate)
            if len(stated) > 1:
                message = f"`{predicate}` is stated as {' and '.join(stated)}"
                change = "change_" + predicate.removeprefix("change_")
                help_ = f"where a file that you include states it, write `{change}`, and that once"
                yield self._at(Problem("at-odds", message, help=help_), stated[-1], predicate)

    def _titles(self) -> Iterator[Problem]:
        """Titles of what there is not."""
        texts = {text for text, _ in self._all("text", 2)}
        for text, _ in self._all("change_text", 2):
            if text not in texts:
                problem = unknown("text", "rule text", text, (*texts,))
                yield self._at(problem, text, "change_text")
        for said, head in self._club.heads:
            name = said.file.name.removesuffix(".lp")
            if head.name == "ruleset" and str(head.arguments[0]).strip('"') != name:
                message = f"the id of this rule set is the name of its file, {name!r}"
                help_ = f'write `ruleset("{name}", "Its name").`'
                yield located(said, head.place, Problem("bad-id", message, help=help_))

    def _value_problems(self) -> Iterator[Problem]:
        for predicate in ("value", "change"):
            for rule, unit, amount in self._all(predicate, 3):
                if not _amount(unit, amount):
                    yield self._at(_bad_amount(unit, amount), rule, predicate)
            for rule, state, unit, amount in self._all(predicate, 4):
                if state not in {"exposed", "concealed"}:
                    help_ = "it is exposed or concealed"
                    problem = Problem("bad-state", f"`{state}` is no state of a set", help=help_)
                    yield self._at(problem, rule, predicate)
                elif not _amount(unit, amount):
                    yield self._at(_bad_amount(unit, amount), rule, predicate)

    def _at_odds(self) -> Iterator[Problem]:
        """Rules that pay two amounts for the same thing, or nothing for a state of a set."""
        reported = set[str]()
        for readings in self._ways():
            for rule, problem in self._paid(readings):
                if rule not in reported:
                    reported.add(rule)
                    yield self._at(problem, rule, "change", "value")

    def _ways(self) -> Iterator[Mapping[str, str]]:
        """All readings as they are by default, then each other value of each."""
        by_default = {name: value.strip('"') for name, value in defaults(self._program)}
        yield by_default
        for name, value, _ in self._all("reading_value", 3):
            if value.strip('"') != by_default[name]:
                yield {**by_default, name: value.strip('"')}

    def _paid(self, readings: Mapping[str, str]) -> Iterator[tuple[str, Problem]]:
        (asked,) = self._program.solve([*facts.reading_facts(readings), facts.ASKED])
        pays: dict[str, dict[str, list[Term]]] = {}
        for term in asked:
            if isinstance(term, tuple) and term[0] == "pays":
                state = str(term[2]) if len(term) == 5 else ""
                pays.setdefault(str(term[1]), {}).setdefault(state, []).append(term[-2:])
        for rule, states in pays.items():
            if any(len(amounts) > 1 for amounts in states.values()):
                yield rule, self._two_amounts(rule)
            elif {*states} not in ({""}, {"exposed", "concealed"}):
                message = f"the rule `{rule}` pays only for some states: {', '.join(states)}"
                help_ = "say what it pays exposed and what concealed, or one value for both"
                yield rule, Problem("half-a-value", message, help=help_)
            elif len({amount[0] for (amount,) in states.values() if isinstance(amount, tuple)}) > 1:
                message = f"the rule `{rule}` pays exposed and concealed in two units"
                yield rule, Problem("at-odds", message, help="one rule pays in one unit")

    def _two_amounts(self, rule: str) -> Problem:
        places = [
            f"{said.file.name}, line {head.place.line}"
            for said, head in self._club.heads
            if head.name in {"value", "change"} and head.arguments[0] == rule
        ]
        if len(places) == 1:
            places.insert(0, "the file included")
        message = f"the rule `{rule}` pays two amounts: in {' and in '.join(places)}"
        help_ = "an included rule is changed with `change`, in one file and once for each state"
        if rule in self._stated("rule", "calling"):
            help_ = "leave out one of them, or let each ask for another value of a reading"
        return Problem("at-odds", message, help=help_)


def _spoken_of(head: Mention) -> Iterator[str]:
    """The rules that a statement speaks of without stating them."""
    for place in _OF_RULES.get(head.signature, ()):
        if head.arguments[place] is not None:
            yield str(head.arguments[place])
    if head.signature == ("condition", 2):
        called = _CALLED.fullmatch(head.arguments[1] or "")
        if called:
            yield called[1]


def _amount(unit: str, amount: str) -> bool:
    if unit == "limits":
        try:
            return 0 < Fraction(amount.strip('"')) <= _MOST_LIMITS
        except (ValueError, ZeroDivisionError):
            return False
    most = {"points": _MOST_POINTS, "doubles": _MOST_DOUBLES}.get(unit, 0)
    return amount.isdigit() and 0 < int(amount) <= most


def _bad_amount(unit: str, amount: str) -> Problem:
    if unit not in {"points", "doubles", "limits"}:
        return Problem("bad-unit", f"`{unit}` is no unit", help="points, doubles or limits")
    help_ = 'points and doubles are whole numbers above 0, limits also texts such as "2/5"'
    return Problem("bad-amount", f"`{amount}` is no number of {unit}", help=help_)
