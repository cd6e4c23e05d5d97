"""One hand under several rule sets as text for people: totals, sets, and what makes the difference.

Rule sets are numbered, and the numbers head the columns below: their names would not fit there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mjasp.hand import Hand
from mjasp.models import Award
from mjasp.notation import write
from mjasp.render.draw import draw_sets
from mjasp.render.page import WIDTH, Page
from mjasp.render.trace import counted_as
from mjasp.render.unknown import total_of
from mjasp.rulesets import Ruleset
from mjasp.scoring import Score
from mjasp.tiles import written
from mjasp.words import Words

__all__ = ["compare_text"]

_CELL = 6
_NARROWEST_NAME = 28
_MOST_COLUMNS = (WIDTH - 2 - _NARROWEST_NAME) // _CELL
_WIDEST_ID = 24
_UNITS = ("points", "doubles", "limits")
_COLUMNS = ("total", *_UNITS, "flowers")
_ALWAYS = ("total", "points", "doubles")
_RESULTS = {"won": "won", "lost": "not won", "false-win": "no win"}

# Rule sets with the numbers that stand for them.
Numbered = Sequence[tuple[int, Score]]
Conditions = Mapping[tuple[str, str], frozenset[str]]


def compare_text(
    hand: Hand, scores: Mapping[str, Score], rulesets: Iterable[Ruleset], *, colour: bool = False
) -> str:
    """The scores of a hand side by side; `rulesets` are theirs.

    No line is wider than 80 columns: rule sets beyond those that fit are left out of the table of
    rules, which says so.
    """
    page = Page(colour)
    numbered = list(enumerate(scores.values(), start=1))
    conditions = {
        (ruleset.id, rule.id): rule.conditions for ruleset in rulesets for rule in ruleset.rules
    }
    assumed = _assumed(scores.values())
    accepted = [(number, score) for number, score in numbered if score.outcome != "false-win"]
    shown, left_out = accepted[:_MOST_COLUMNS], accepted[_MOST_COLUMNS:]
    notes = [f"{numbers}: {text}" for numbers, text in _gathered(numbered, _notes)]
    if left_out:
        numbers = ", ".join(str(number) for number, _ in left_out)
        notes.append(f"{numbers}: left out of the table of rules, which has no room for more")
    heading = "Rules that make the difference (points; x2 a double; L the limit)"
    return "\n".join(
        [
            *page.labelled("Hand", write(hand)),
            *(page.labelled("Assumed", ", ".join(assumed)) if assumed else ()),
            *page.section("Rule sets", _totals(page, numbered)),
            *page.section("Sets", page.columns(_gathered(numbered, _division))),
            *page.section(heading, _table(page, shown, conditions)),
            *page.section("Notes", page.items(notes)),
        ]
    )


def _gathered(numbered: Numbered, texts: Callable[[Score], Iterable[str]]) -> list[tuple[str, str]]:
    """Each text once, behind the numbers of the rule sets that it is said of."""
    gathered: dict[str, list[str]] = {}
    for number, score in numbered:
        for text in texts(score):
            gathered.setdefault(text, []).append(str(number))
    return [
        ("all" if len(numbers) == len(numbered) > 1 else ", ".join(numbers), text)
        for text, numbers in gathered.items()
    ]


def _assumed(scores: Iterable[Score]) -> list[str]:
    """The facts assumed of the hand, each once; an assumed limit is a rule set's own."""
    facts = (each for score in scores for each in score.assumed if each.fact != "limit")
    return list(dict.fromkeys(f"{each.fact} {each.value or 'unknown'}" for each in facts))


def _totals(page: Page, numbered: Numbered) -> list[str]:
    """A row a rule set; limits and flowers are columns only where some rule set has any."""
    rows = [_cells(score) for _, score in numbered]
    used = [any(cells) for cells in zip(*rows, strict=True)]
    heads = [head for head, use in zip(_COLUMNS, used, strict=True) if use or head in _ALWAYS]
    indent = min(max(len(score.ruleset) for _, score in numbered), _WIDEST_ID) + 8
    lines = [f"{'':{indent}}{'result':8}{''.join(f'{head:>8}' for head in heads)}"]
    for (number, score), row in zip(numbered, rows, strict=True):
        amounts = dict(zip(_COLUMNS, row, strict=True))
        cells = "".join(f"{amounts[head] or '-':>8}" for head in heads)
        label = f"  {number:>2}  {score.ruleset}"
        lines += page.wrap(f"{_RESULTS[score.outcome]:8}{cells}", indent, label)
    return lines


def _cells(score: Score) -> tuple[str, ...]:
    """What stands in the columns; nothing for a hand that is no win."""
    best = score.best
    if score.outcome == "false-win":
        return ("",) * len(_COLUMNS)
    flowers = best.bonus.points << best.bonus.doubles if best.bonus else ""
    return total_of(score, Words()), *(
        str(each or "") for each in (best.points, best.doubles, best.limits, flowers)
    )


def _division(score: Score) -> Iterator[str]:
    """How the hand is divided and counted, or why it is no win."""
    if score.outcome == "false-win":
        yield f"no win: {'; '.join(score.reasons)}"
    else:
        sets = draw_sets(score.best.sets, score.hand.winning)
        yield f"{sets}, counted as {counted_as(score.best, Words())}" if score.best.name else sets


def _notes(score: Score) -> Iterator[str]:
    """What should be known besides the total."""
    best = score.best
    if best.capped and score.outcome != "false-win":
        yield f"{best.uncapped} is more than the limit of {score.limit}, which counts"
    if any(each.fact == "limit" for each in score.assumed):
        yield f"the limit of {score.limit} is assumed: the rule text prints none"
    yield from score.notes


# ---- What the rules pay


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one rule set pays, and the conditions that its rule is tied to."""

    number: int
    award: Award
    conditions: frozenset[str]

    @property
    def unit(self) -> str:
        return next(unit for unit in _UNITS if getattr(self.award, unit))


def _same_rule(one: _Entry, other: _Entry) -> bool:
    return one.award.rule == other.award.rule


def _same_condition(one: _Entry, other: _Entry) -> bool:
    return one.unit == other.unit and bool(one.conditions & other.conditions)


def _table(page: Page, shown: Numbered, conditions: Conditions) -> list[str]:
    """A column a rule set, a row for what they do not all pay alike."""
    lines = ["".join(f"{number:>{_CELL}}" for number, _ in shown)]
    for row in sorted(_rows(shown, conditions), key=lambda row: _UNITS.index(row[0].unit)):
        paid = {entry.number: _paid(entry.award) for entry in row}
        cells = [paid.get(number, "-") for number, _ in shown]
        if len(set(cells)) > 1:
            drawn = "".join(f"{cell:>{_CELL}}" for cell in cells)
            lines += page.wrap(_name(row), len(drawn) + 2, drawn)
    return lines if len(lines) > 1 else []


def _rows(shown: Numbered, conditions: Conditions) -> list[list[_Entry]]:
    """All awards: in one row those of the same rule, else those of the same condition and unit."""
    rows: list[list[_Entry]] = []
    for number, score in shown:
        entries = [
            _Entry(number, award, conditions[score.ruleset, award.rule])
            for award in score.best.fired
        ]
        for alike in (_same_rule, _same_condition):
            entries = [entry for entry in entries if not _join(rows, entry, alike)]
        rows += [[entry] for entry in entries]
    return rows


def _join(
    rows: Iterable[list[_Entry]], entry: _Entry, alike: Callable[[_Entry, _Entry], bool]
) -> bool:
    """Put an entry in the first row for the same thing, if there is one."""
    about = entry.award.tiles, entry.award.part
    for row in rows:
        free = all(each.number != entry.number for each in row)
        same = (row[0].award.tiles, row[0].award.part) == about
        if free and same and any(alike(entry, each) for each in row):
            row.append(entry)
            return True
    return False


def _name(row: Iterable[_Entry]) -> str:
    """What the rule sets call it, and the tiles that it is about."""
    awards = [entry.award for entry in row]
    names: dict[str, str] = {}
    for award in awards:
        names.setdefault(award.name.casefold(), award.name)
    tiles = f" {written(awards[0].tiles)}" if awards[0].tiles else ""
    apart = ", counted apart" if awards[0].part == "bonus" else ""
    return f"{' / '.join(names.values())}{apart}{tiles}"


def _paid(award: Award) -> str:
    if award.points:
        return str(award.points)
    return f"x{1 << award.doubles}" if award.doubles else f"{award.limits} L"
