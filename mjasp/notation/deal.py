"""Deal files: text to Deal. A line is a seat with its hand, or a fact or custom of the deal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from mjasp import notation
from mjasp.deal import Customs, Deal, Entry, Places, named
from mjasp.deal_checks import MOST_POINTS
from mjasp.errors import DealError, MjaspError, NotationError, Problem
from mjasp.rulesets import shipped, unknown
from mjasp.tiles import Wind

__all__ = ["parse_deal", "read_deal"]

_LONGEST = 50_000
_MOST_PROBLEMS = 10
_LONGEST_SHOWN = 20
_LINE = re.compile(r"\s*(?P<key>[^\s:]+)(?P<colon>\s*:)?\s*(?P<value>.*?)\s*$")
_SEATS = {seat.name.lower(): seat for seat in Wind}
_WINDS = {**_SEATS, **{seat.value.lower(): seat for seat in Wind}}
_CUSTOMS = dict(zip(Customs().to_dict(), Customs.__dataclass_fields__, strict=True))
_FACTS = ("rules", "round", "winner", "by")
_KEYS = (*_SEATS, *_FACTS, *_CUSTOMS)
# `rules bmja` and `round S` are said so in a hand in words too.
_WITHOUT_COLON = ("rules", "round")
_NO = {"yes": True, "no": False}
# What a hand says of itself that the deal may contradict, as it is written in any notation.
_TOLD = {
    fact: re.compile(rf"\b{fact}\b[\s:]*[\w?-]+", re.IGNORECASE)
    for fact in ("seat", "round", "rules")
}


def parse_deal(text: str, customs: Customs = Customs()) -> Deal:  # noqa: B008 - a frozen value
    r"""The deal that a text describes; what it says of customs is laid over `customs`.

    Raises NotationError where the text cannot be read and DealError where the hands are not those
    of one table, each with all problems found and their places.

    >>> deal = parse_deal("east: 50\nsouth: 80\nwest: 20\nnorth: 0\nwinner: W")
    >>> deal.winner, deal.hands[Wind.SOUTH]
    (<Wind.WEST: 'W'>, 80)
    """
    if len(text) > _LONGEST:
        message = f"the text has {len(text):,} characters, more than any deal takes"
        raise NotationError(Problem("too-long", message, 1, 1, 2, help="give one deal at a time"))
    draft = _Draft(text)
    for line in _lines(text):
        draft.add(line)
    return draft.deal(customs)


def read_deal(deal: Deal | Path | str) -> Deal:
    """A deal as it is, or read from its text or from the file of a path.

    A text of one line is taken for a path: it holds no deal. Raises NotationError where the file
    cannot be read, and what parse_deal raises.
    """
    if isinstance(deal, Deal):
        return deal
    if isinstance(deal, str) and (not deal or "\n" in deal):
        return parse_deal(deal)
    try:
        # What is no UTF-8 reaches the parser all the same, which tells where it stands.
        with Path(deal).open(encoding="utf-8", errors="surrogateescape") as file:
            return parse_deal(file.read(_LONGEST + 1))
    except (OSError, ValueError) as error:
        told = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise NotationError(Problem("no-file", f"`{deal}` cannot be read: {told}")) from None


class _Line(NamedTuple):
    """A line `key: value`; columns count from 1."""

    number: int
    key: str
    colon: bool
    value: str
    key_column: int
    column: int

    @property
    def spot(self) -> tuple[int, int, int]:
        """The value's place; the key's where there is no value."""
        if self.value:
            return self.number, self.column, self.column + len(self.value)
        return self.key_spot

    @property
    def key_spot(self) -> tuple[int, int, int]:
        """The key's place."""
        return self.number, self.key_column, self.key_column + len(self.key)


def _lines(text: str) -> Iterator[_Line]:
    """The lines that say something, comments left out."""
    for number, whole in enumerate(text.split("\n"), start=1):
        match = _LINE.match(whole.partition("%")[0].replace("\N{ZERO WIDTH NO-BREAK SPACE}", " "))
        if match:
            yield _Line(
                number,
                match["key"],
                bool(match["colon"]),
                match["value"],
                match.start("key") + 1,
                match.start("value") + 1,
            )


@dataclass(slots=True)
class _Draft:
    """What has been read of a deal so far, and what is wrong with it."""

    text: str
    said: dict[str, Any] = field(default_factory=dict)
    meant: set[str] = field(default_factory=set)
    spots: dict[object, tuple[int, int, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unreadable: bool = False

    def deal(self, customs: Customs) -> Deal:
        """The deal; NotationError or DealError where there is none."""
        said = self.said
        missing = [key for key in _SEATS if key not in said.keys() | self.meant]
        if missing:
            message = f"there is no line for {', '.join(missing)}"
            way_out = "a deal has a line for each seat; a hand that nobody saw is `unknown`"
            self.problems.append(Problem("missing-seat", message, help=way_out))
        stated = {_CUSTOMS[key]: value for key, value in said.items() if key in _CUSTOMS}
        facts = {key: said[key] for key in _FACTS if said.get(key) is not None}
        hands: dict[Wind, Entry] = {seat: said.get(key) for key, seat in _SEATS.items()}
        try:
            deal = Deal(
                hands,
                **facts,
                customs=replace(customs, **stated),
                places=Places(self.text, self.spots),
            )
        except DealError as error:
            # Whether a hand won that could not be read is not known.
            told = {"no-winner"} if self.problems else set()
            self.problems += [each for each in error.problems if each.code not in told]
        if self.problems:
            found = sorted(self.problems, key=lambda one: (one.line or 0, one.column or 0))
            kind = NotationError if self.unreadable else DealError
            raise kind(*_shortened(found), text=self.text)
        return deal

    def add(self, line: _Line) -> None:
        """Take up what a line says."""
        key = line.key.casefold()
        if key not in _KEYS:
            self._refuse_key(line, key)
            return
        if not line.colon and key not in _WITHOUT_COLON:
            message = f"`{line.key}` has no colon after it"
            self._refuse("no-colon", message, f"write `{key}: ...`", line.key_spot, unread=True)
        if key in self.said:
            code, message = "twice", f"`{key}` stands twice"
            if key in _SEATS:
                code, message = "seat-twice", f"two hands are {named(_SEATS[key])}'s"
            self._refuse(code, message, "leave out one of the two lines", line.key_spot)
        else:
            self.said[key] = None  # a line that cannot be read is not missing
            self.spots[_SEATS.get(key, key)] = line.spot
            self.said[key] = self._value(key, line)

    def _value(self, key: str, line: _Line) -> Any:  # noqa: ANN401 - each key has its own kind
        if key in _SEATS:
            return self._entry(line)
        if key == "rules":
            return self._rules(line)
        if key in _CUSTOMS:
            return self._one_of(line, _NO, "`yes` or `no`")
        if other := {"by": "wall", "round": "?"}.get(key):
            return self._one_of(line, {**_WINDS, other: other}, f"E, S, W or N, or `{other}`")
        return self._one_of(line, _WINDS, "E, S, W or N")

    def _entry(self, line: _Line) -> Entry:
        if line.value.casefold() == "unknown":
            return None
        if re.fullmatch("[-+]?[0-9.]+", line.value):
            return self._points(line)
        for fact, pattern in _TOLD.items():
            if found := pattern.search(line.value):
                start, end = (line.column + at for at in found.span())
                self.spots[_SEATS[line.key.casefold()], fact] = (line.number, start, end)
        try:
            return notation.parse(line.value)
        except MjaspError as error:
            self.unreadable |= isinstance(error, NotationError)
            for problem in error.problems:
                self.problems.append(_shifted(problem, line))
        return None

    def _points(self, line: _Line) -> int | None:
        if re.fullmatch("0*[0-9]{1,9}", line.value):
            return int(line.value)
        shown = line.value if len(line.value) <= _LONGEST_SHOWN else f"{line.value[:19]}…"
        way_out = f"it is a whole number of points, from 0 to {MOST_POINTS:,}"
        self._refuse(
            "no-value", f"`{shown}` is no value of a hand", way_out, line.spot, unread=True
        )
        return None

    def _rules(self, line: _Line) -> str | None:
        name = "-".join(line.value.casefold().split())
        if name in shipped():
            return name
        problem = unknown("ruleset", "rule set", line.value, shipped())
        self._refuse(problem.code, problem.message, problem.help or "", line.spot, unread=True)
        return None

    def _one_of(self, line: _Line, values: dict[str, Any], expected: str) -> Any:  # noqa: ANN401
        value = values.get(line.value.casefold())
        if value is None:
            message = f"`{line.value}` is no answer to `{line.key}`"
            self._refuse("no-answer", message, f"it is {expected}", line.spot, unread=True)
        return value

    def _refuse_key(self, line: _Line, key: str) -> None:
        seat = _WINDS.get(key)
        near = [seat.name.lower()] if seat else get_close_matches(key, _KEYS, n=1)
        way_out = f"did you mean `{near[0]}`?" if near else f"there are: {', '.join(_KEYS)}"
        self.meant.update(near)
        message = f"`{line.key[:40]}` is nothing that a line of a deal begins with"
        self._refuse("unknown-line", message, way_out, line.key_spot, unread=True)

    def _refuse(
        self,
        code: str,
        message: str,
        way_out: str,
        spot: tuple[int, int, int],
        *,
        unread: bool = False,
    ) -> None:
        self.problems.append(Problem(code, message, *spot, help=way_out))
        self.unreadable |= unread


def _shortened(problems: list[Problem]) -> list[Problem]:
    """The first problems, and how many more there are, where the next one stands."""
    more = len(problems) - _MOST_PROBLEMS
    if more <= 0:
        return problems
    message = f"from here on there are {more} more problems" if more > 1 else "here is one more"
    told = replace(problems[_MOST_PROBLEMS], code="more-problems", message=message)
    return [*problems[:_MOST_PROBLEMS], replace(told, expected=(), help="correct these first")]


def _shifted(problem: Problem, line: _Line) -> Problem:
    """A problem of the hand in a line at its place in the whole text."""
    if problem.line is None or problem.column is None or not line.value:
        return problem.at(*line.spot)
    before = line.column - 1
    end = problem.end_column or problem.column + 1
    return problem.at(line.number, problem.column + before, end + before)
