"""One hand under several rule sets: totals, sets, and what makes the difference.

Rule sets are numbered, and the numbers head the columns below: their names would not fit there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mjasp.hand import Hand
from mjasp.models import Award
from mjasp.notation import write
from mjasp.render.document import Column, Document, Fact, Facts, Items, Section, Table
from mjasp.render.draw import draw_sets
from mjasp.render.page import WIDTH
from mjasp.render.text import text_of
from mjasp.render.trace import award_name, counted_as
from mjasp.render.unknown import total_of
from mjasp.rulesets import Ruleset
from mjasp.scoring import Score
from mjasp.tiles import Tile, written
from mjasp.words import Words

__all__ = ["compare_document", "compare_text"]

_CELL = 6
_NARROWEST_NAME = 28
_MOST_COLUMNS = (WIDTH - 2 - _NARROWEST_NAME) // _CELL
_WIDEST_ID = 24
_UNITS = ("points", "doubles", "limits")
_COLUMNS = ("total", *_UNITS, "flowers")
_ALWAYS = ("total", "points", "doubles")

# Rule sets with the numbers that stand for them.
Numbered = Sequence[tuple[int, Score]]
Conditions = Mapping[tuple[str, str], frozenset[str]]


def compare_document(
    hand: Hand, scores: Mapping[str, Score], rulesets: Iterable[Ruleset], words: Words
) -> Document:
    """The scores of a hand side by side; `rulesets` are theirs.

    Rule sets beyond those that fit 80 columns are left out of the table of rules, which says so.
    """
    say = words.say
    numbered = list(enumerate(scores.values(), start=1))
    conditions = {
        (ruleset.id, rule.id): rule.conditions for ruleset in rulesets for rule in ruleset.rules
    }
    accepted = [(number, score) for number, score in numbered if score.outcome != "false-win"]
    shown, left_out = accepted[:_MOST_COLUMNS], accepted[_MOST_COLUMNS:]
    notes = [f"{numbers}: {text}" for numbers, text in _gathered(numbered, _notes, words)]
    if left_out:
        numbers = ", ".join(str(number) for number, _ in left_out)
        notes.append(say("left_out", numbers=numbers))
    facts = [Fact(say("hand"), write(hand), "code")]
    assumed = _assumed(scores.values(), words)
    if assumed:
        facts.append(Fact(say("compare_assumed"), ", ".join(assumed)))
    heads = Column(say("rule_sets").lower()), Column(say("sets").lower())
    divided = _gathered(numbered, _division, words)
    divisions = Table(heads, tuple(divided), drawn=tuple(_sets(numbered, divided, words)))
    blocks = (
        Facts(tuple(facts)),
        Section(say("rule_sets"), (_totals(numbered, words),)),
        Section(say("sets"), (divisions,)),
        Section(say("difference"), _table(shown, conditions, words)),
        Section(say("notes"), (Items(tuple(notes)),)),
    )
    return Document(write(hand), words.language, blocks, say("compared"))


def compare_text(
    hand: Hand, scores: Mapping[str, Score], rulesets: Iterable[Ruleset], *, colour: bool = False
) -> str:
    """The comparison as text in English; no line is wider than 80 columns."""
    return text_of(compare_document(hand, scores, rulesets, Words()), colour=colour)


def _gathered(
    numbered: Numbered, texts: Callable[[Score, Words], Iterable[str]], words: Words
) -> list[tuple[str, str]]:
    """Each text once, behind the numbers of the rule sets that it is said of."""
    gathered: dict[str, list[str]] = {}
    for number, score in numbered:
        for text in texts(score, words):
            gathered.setdefault(text, []).append(str(number))
    everywhere = len(numbered) if len(numbered) > 1 else 0
    return [
        (words.say("all") if len(numbers) == everywhere else ", ".join(numbers), text)
        for text, numbers in gathered.items()
    ]


def _assumed(scores: Iterable[Score], words: Words) -> list[str]:
    """The facts assumed of the hand, each once; an assumed limit is a rule set's own."""
    facts = (each for score in scores for each in score.assumed if each.fact != "limit")
    unknown = words.say("not_known")
    told = (f"{words.say(f'fact_{each.fact}')} {each.value or unknown}" for each in facts)
    return list(dict.fromkeys(told))


def _totals(numbered: Numbered, words: Words) -> Table:
    """A row a rule set; limits and flowers are columns only where some rule set has any."""
    rows = [_cells(score, words) for _, score in numbered]
    used = [any(cells) for cells in zip(*rows, strict=True)]
    heads = [head for head, use in zip(_COLUMNS, used, strict=True) if use or head in _ALWAYS]
    indent = min(max(len(score.ruleset) for _, score in numbered), _WIDEST_ID) + 8
    columns = (
        Column("", width=indent),
        Column(words.say("column_result"), width=8),
        *(Column(words.say(f"column_{head}"), right=True, width=8) for head in heads),
    )
    lines = []
    for (number, score), row in zip(numbered, rows, strict=True):
        amounts = dict(zip(_COLUMNS, row, strict=True))
        cells = (amounts[head] or "-" for head in heads)
        result = words.say(f"column_{score.outcome}")
        lines.append((f"  {number:>2}  {score.ruleset}", result, *cells))
    return Table(columns, tuple(lines), headed=True)


def _cells(score: Score, words: Words) -> tuple[str, ...]:
    """What stands in the columns; nothing for a hand that is no win."""
    best = score.best
    if score.outcome == "false-win":
        return ("",) * len(_COLUMNS)
    flowers = best.bonus.points << best.bonus.doubles if best.bonus else ""
    return total_of(score, words), *(
        str(each or "") for each in (best.points, best.doubles, best.limits, flowers)
    )


def _division(score: Score, words: Words) -> Iterator[str]:
    """How the hand is divided and counted, or why it is no win."""
    if score.outcome == "false-win":
        yield words.say("no_win_because", reasons="; ".join(map(words.told, score.reasons)))
        return
    sets = draw_sets(score.best.sets, score.hand.winning)
    if score.best.name:
        sets = words.say("sets_counted_as", sets=sets, count=counted_as(score.best, words))
    yield sets


def _sets(
    numbered: Numbered, divided: Iterable[tuple[str, str]], words: Words
) -> Iterator[tuple[tuple[Tile, ...], ...]]:
    """The tiles of what is divided, set by set; none for what is no win."""
    for _, text in divided:
        score = next(score for _, score in numbered if text in _division(score, words))
        sets = () if score.outcome == "false-win" else score.best.sets
        yield tuple(meld.tiles for meld in sets)


def _notes(score: Score, words: Words) -> Iterator[str]:
    """What should be known besides the total."""
    best = score.best
    if best.capped and score.outcome != "false-win":
        told = words.say("over_the_limit", uncapped=best.uncapped, limit=score.limit)
        yield told.removesuffix(".")
    if any(each.fact == "limit" for each in score.assumed):
        yield words.say("limit_assumed", limit=score.limit)
    yield from map(words.told, score.notes)


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


def _table(shown: Numbered, conditions: Conditions, words: Words) -> tuple[Table, ...]:
    """A column a rule set, a row for what they do not all pay alike; none where all do."""
    rows, drawn = [], []
    for row in sorted(_rows(shown, conditions), key=lambda row: _UNITS.index(row[0].unit)):
        paid = {entry.number: _paid(entry.award) for entry in row}
        cells = [paid.get(number, "-") for number, _ in shown]
        if len(set(cells)) > 1:
            rows.append((*cells, _name(row, words)))
            drawn.append((row[0].award.tiles,))
    columns = (Column(str(number), right=True, width=_CELL) for number, _ in shown)
    rule = Column("")
    return (Table((*columns, rule), tuple(rows), headed=True, drawn=tuple(drawn)),) if rows else ()


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


def _name(row: Iterable[_Entry], words: Words) -> str:
    """What the rule sets call it, and the tiles that it is about."""
    awards = [entry.award for entry in row]
    names: dict[str, str] = {}
    for award in awards:
        name = award_name(award, words)
        names.setdefault(name.casefold(), name)
    tiles = f" {written(awards[0].tiles)}" if awards[0].tiles else ""
    told = " / ".join(names.values())
    if awards[0].part == "bonus":
        told = words.say("counted_apart", name=told)
    return f"{told}{tiles}"


def _paid(award: Award) -> str:
    if award.points:
        return str(award.points)
    return f"x{1 << award.doubles}" if award.doubles else f"{award.limits} L"
