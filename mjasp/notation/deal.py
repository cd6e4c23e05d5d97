"""Deal files: text to Deal. A line is a seat with its hand, or a fact or custom of the deal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple

from mjasp import notation
from mjasp.deal import Customs, Deal, Entry, Places, named
from mjasp.errors import DealError, MjaspError, NotationError, Problem
from mjasp.rulesets import shipped, unknown
from mjasp.tiles import Wind

__all__ = ["parse_deal", "read_deal"]

_LONGEST = 50_000
_MOST_PROBLEMS = 10
_LINE = re.compile(r"\s*(?P<key>[^\s:]+)(?P<colon>\s*:)?\s*(?P<value>.*?)\s*$")
_SEATS = {seat.name.lower(): seat for seat in Wind}
_CUSTOMS = {name.replace("_", "-"): name for name in Customs.__dataclass_fields__}
_FACTS = ("rules", "round", "winner", "by")
_KEYS = (*_SEATS, *_FACTS, *_CUSTOMS)
# `rules bmja` and `round S` are said so in a hand in words too.
_WITHOUT_COLON = ("rules", "round")
_NO = {"yes": True, "no": False}


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
    spots: dict[object, tuple[int, int, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    unreadable: bool = False

    def deal(self, customs: Customs) -> Deal:
        """The deal; NotationError or DealError where there is none."""
        said = self.said
        missing = [key for key in _SEATS if key not in said]
        if missing:
            message = f"there is no line for {', '.join(missing)}"
            way_out = "a deal has a line for each seat; a hand that nobody saw is `unknown`"
            self._refuse("missing-seat", message, way_out, (1, 1, 2))
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
            raise kind(*found[:_MOST_PROBLEMS], text=self.text)
        return deal

    def add(self, line: _Line) -> None:
        """Take up what a line says."""
        key = line.key.casefold()
        if key not in _KEYS:
            self._refuse_key(line, key)
        elif not line.colon and key not in _WITHOUT_COLON:
            message = f"`{line.key}` has no colon after it"
            self._refuse("no-colon", message, f"write `{key}: ...`", line.key_spot, unread=True)
        elif key in self.said:
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
        winds: dict[str, Wind | Literal["wall"]] = {**_SEATS}
        winds.update((seat.value.casefold(), seat) for seat in Wind)
        if key == "by":
            winds["wall"] = "wall"
        return self._one_of(line, winds, "E, S, W or N" + ", or `wall`" * (key == "by"))

    def _entry(self, line: _Line) -> Entry:
        if line.value.casefold() == "unknown":
            return None
        if re.fullmatch("-?[0-9]+", line.value):
            if re.fullmatch("0*[0-9]{1,9}", line.value):
                return int(line.value)
            message = f"`{line.value[:20]}` is no value of a hand"
            self._refuse("no-value", message, "it is 0 or more points", line.spot, unread=True)
            return None
        try:
            return notation.parse(line.value)
        except MjaspError as error:
            self.unreadable |= isinstance(error, NotationError)
            for problem in error.problems:
                self.problems.append(_shifted(problem, line))
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
        near = get_close_matches(key, _KEYS, n=1)
        way_out = f"did you mean `{near[0]}`?" if near else f"there are: {', '.join(_KEYS)}"
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


def _shifted(problem: Problem, line: _Line) -> Problem:
    """A problem of the hand in a line at its place in the whole text."""
    if problem.line is None or problem.column is None or not line.value:
        return problem.at(*line.spot)
    before = line.column - 1
    end = problem.end_column or problem.column + 1
    return problem.at(line.number, problem.column + before, end + before)
