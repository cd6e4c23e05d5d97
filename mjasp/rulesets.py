"""Rule sets: found, loaded, described from their own facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, cast

from mjasp.ruleset_files import Source, entry_texts, load, shipped, unknown
from mjasp.solver import Program

__all__ = [
    "ContestedReading",
    "Otherwise",
    "Pay",
    "Rule",
    "Ruleset",
    "contested",
    "describe",
    "described",
    "load",
    "paying",
    "shipped",
    "texts",
    "unknown",
]

_DESCRIBED = re.compile(r"((?:^% \S.*\n)+)(?:holds|fits)\((\w+)\b", re.MULTILINE)


Unit = Literal["points", "doubles", "limits"]


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What a rule pays where a contested reading is not taken by its default.

    `unit` and `values` as of a Rule; without any values it pays nothing.
    """

    reading: str
    value: str
    unit: Unit
    values: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a rule text.

    `values` maps "" to an amount, or "exposed" and "concealed" to one each; the unit is points,
    doubles, or limits (a multiple of the rule set's limit). `scope` says whose hand it counts for.
    `conditions` are those that it is tied to under some reading: they tell that rules of two rule
    sets look at the same thing, whatever each calls it. `otherwise` is what it pays under other
    readings.
    """

    id: str
    name: str
    unit: Unit
    values: Mapping[str, Fraction]
    scope: Literal["all", "winner", "loser"]
    source: str
    conditions: frozenset[str] = frozenset()
    otherwise: tuple[Otherwise, ...] = ()


# What rules pay: rule id to a unit and amounts by state (see Rule).
Pay = Mapping[str, tuple[str, Mapping[str, Fraction]]]


@dataclass(frozen=True, slots=True)
class ContestedReading:
    """A place where the rule text can be read in several ways."""

    id: str
    default: str
    alternatives: tuple[str, ...]
    doubt: str


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What a rule set scores: its rules in the order of its text, its readings, its limit.

    `limit` is in points, None where there is none; `limit_assumed` says that the rule text prints
    no limit and this one is an assumption. `requirements` maps what is asked of the division of a
    winning hand to what is wrong where it is not met; `unmet_together` is what is wrong where each
    is met by some division and none meets all, "" where that cannot be; `undivided` is what is
    wrong with a hand that has no division at all. An ordinary winning hand has `most_chows` chows
    at the most, any number where it is None; `chows_source` tells where that is written.
    """

    id: str
    name: str
    limit: int | None
    limit_assumed: bool
    source: str
    rules: tuple[Rule, ...]
    readings: tuple[ContestedReading, ...]
    requirements: Mapping[str, str]
    unmet_together: str
    undivided: str
    most_chows: int | None
    chows_source: str


def texts(entry: str, rules: str | Source) -> list[str]:
    """The program texts of an entry file (`score`, `waits`, ...) with a rule set.

    `rules` is an id, a path (see ruleset_files.load), or what was loaded from one. Every file
    stands once and without its includes. Raises RulesetError for a rule set that does not exist
    or cannot be used.
    """
    source = load(rules) if isinstance(rules, str) else rules
    if not source.own:
        return [*entry_texts(entry), *source.shipped]
    # Only a club's file needs clingo's parser and another process.
    from mjasp.ruleset_guard import checked

    return [*entry_texts(entry), *checked(source)]


def described(program: Iterable[str]) -> dict[str, str]:
    r"""The conditions of a program's texts, each with the comment above it, without its full stop.

    >>> described(["% A pair of dragons.\nholds(dragon_pair, hand) :- has_dragon_pair."])
    {'dragon_pair': 'a pair of dragons'}
    """
    found = {}
    for text in program:
        for comment, condition in _DESCRIBED.findall(text):
            sentence = " ".join(line.lstrip("% ") for line in comment.splitlines())
            found[condition] = sentence[0].lower() + sentence[1:].rstrip(".")
    return found


def describe(
    ruleset: str,
    program: Program[Any],
    pay: Pay,
    pay_otherwise: Mapping[tuple[str, str], Pay],
    readings: tuple[ContestedReading, ...],
) -> Ruleset:
    """A rule set as its program states it.

    `pay` is what its rules pay by default, `pay_otherwise` where one reading (name, value) is taken
    in another way.
    """
    ((undivided,),) = program.facts("undivided", 1)
    titles = {**_pairs(program, "text"), **_pairs(program, "change_text")}
    limits = [*program.facts("limit", 1), *program.facts("change_limit", 1)]
    together = [str(reason) for (reason,) in program.facts("unmet_together", 1)]
    chows = [cast(int, number) for (number,) in program.facts("allowed_chows", 1)]
    cited = _cited(program, titles)
    return Ruleset(
        id=ruleset,
        name=_pairs(program, "ruleset").get(ruleset, ruleset),
        limit=cast(int, limits[-1][0]) if limits else None,
        limit_assumed=() in program.facts("limit_assumed", 0),
        source="; ".join(titles.values()),
        rules=tuple(_rules(program, cited, pay, pay_otherwise)),
        readings=readings,
        requirements=_pairs(program, "requirement"),
        unmet_together="".join(together),
        undivided=str(undivided),
        most_chows=chows[0] if chows else None,
        chows_source=cited["most_chows"] if chows else "",
    )


def _pairs(program: Program[Any], predicate: str) -> dict[str, str]:
    return {str(key): str(value) for key, value in program.facts(predicate, 2)}


def paying(rules: Iterable[Rule], pay: Pay) -> Iterator[Rule]:
    """The rules with what they pay under other readings; those that pay nothing are left out."""
    for rule in rules:
        if rule.id in pay:
            unit, values = pay[rule.id]
            yield replace(rule, unit=cast(Any, unit), values=values)


def _cited(program: Program[Any], titles: Mapping[str, str]) -> dict[str, str]:
    """Where each rule is written down."""
    return {
        str(rule): f"{titles[str(text)]}: {row}" for rule, text, row in program.facts("cites", 3)
    }


def _rules(
    program: Program[Any],
    cited: Mapping[str, str],
    pay: Pay,
    pay_otherwise: Mapping[tuple[str, str], Pay],
) -> Iterator[Rule]:
    tied = tuple(program.atoms("condition", 2))
    for rule, name, scope in program.facts("rule", 3):
        if rule in pay:
            unit, values = pay[str(rule)]
            yield Rule(
                id=str(rule),
                name=str(name),
                unit=cast(Any, unit),
                values=values,
                scope=cast(Any, scope),
                source=cited[str(rule)],
                conditions=frozenset(str(condition) for tie, condition in tied if tie == rule),
                otherwise=tuple(_otherwise(str(rule), pay, pay_otherwise)),
            )


def _otherwise(
    rule: str, pay: Pay, pay_otherwise: Mapping[tuple[str, str], Pay]
) -> Iterator[Otherwise]:
    for (reading, value), paid in pay_otherwise.items():
        unit, values = paid.get(rule, (pay[rule][0], {}))
        if (unit, values) != pay[rule]:
            yield Otherwise(reading, value, cast(Any, unit), values)


def contested(program: Program[Any]) -> Iterator[ContestedReading]:
    """The contested readings of a rule set, in the order of its text."""
    doubts = _pairs(program, "doubt")
    changed = _pairs(program, "change_reading")
    values: dict[str, dict[str, list[str]]] = {}
    for name, value, standing in program.facts("reading_value", 3):
        by_standing = values.setdefault(str(name), {"default": [], "alternative": []})
        by_standing[str(standing)].append(str(value))
    for name, by_standing in values.items():
        every = [*by_standing["default"], *by_standing["alternative"]]
        default = changed.get(name, every[0])
        others = tuple(value for value in every if value != default)
        yield ContestedReading(name, default, others, doubts[name])
