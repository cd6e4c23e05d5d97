"""One interpretation told: its sets, every fired rule, and the sum, step by step.

All sums are taken from the awards as they are printed, so what is read adds up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mjasp.hand import Kind, Meld
from mjasp.models import Award
from mjasp.render.document import Block, Entry, Group, Ledger, Node, Part, Section, Sets, Total
from mjasp.render.draw import apart, draw_set, name_set, share, state_of
from mjasp.scoring import Interpretation, Score
from mjasp.tiles import Tile, written
from mjasp.words import Words

__all__ = [
    "amount_of",
    "award_name",
    "common_title",
    "counted_as",
    "outline",
    "trace",
    "winning_tile",
]


Because = Callable[[Award], tuple[Node, ...]]


def unexplained(award: Award) -> tuple[Node, ...]:  # noqa: ARG001 - there is nothing to tell
    """No derivation of an award."""
    return ()


def trace(
    score: Score,
    interpretation: Interpretation,
    words: Words,
    *,
    anchor: str = "",
    because: Because = unexplained,
) -> tuple[Block, ...]:
    """Sets, awards and arithmetic of one of a score's interpretations, down to its total.

    `anchor` begins the names of what the awards point at; `because` tells why each was paid.
    """
    say, limit, bonus = words.say, score.limit, score.hand.bonus
    winning = winning_tile(score)
    heads = say("sets"), say("in_words"), say("state")
    groups = (*_groups(interpretation, winning, words, anchor), *_bonus(bonus, words, anchor))
    remarks = tuple(_capping(interpretation, limit, words))
    return (
        Section(say("sets"), (Sets(f"{anchor}hand", heads, groups),)),
        _Accounts(interpretation.fired, words, anchor, because).ledger(limit),
        Total(remarks, say("total"), str(interpretation.total)),
    )


def winning_tile(score: Score) -> Tile | None:
    """The winning tile, where the interpretations hold it: those of a false win are without."""
    return score.hand.winning if score.outcome == "won" else None


def outline(interpretation: Interpretation, limit: int | None, words: Words) -> str:
    """The sum of an interpretation on one line.

    >>> lost = Interpretation("lost", None, (), (), 6, 1, Fraction(0), None, 12, False, 12)
    >>> outline(lost, 500, Words())
    '6 points, 1 double: 12'
    """
    terms = []
    if interpretation.limits:
        terms.append(share(interpretation.limits, limit, words))
    if interpretation.points or not terms:
        terms.append(_amounts(interpretation.points, interpretation.doubles, words))
    if interpretation.bonus:
        bonus = _amounts(interpretation.bonus.points, interpretation.bonus.doubles, words)
        terms.append(words.say("bonus_sum", sum=bonus))
    text = f"{'; '.join(terms)}: {interpretation.uncapped}"
    if interpretation.capped:
        return words.say("capped_to", sum=text, total=interpretation.total)
    return text


def counted_as(interpretation: Interpretation, words: Words) -> str:
    """How the interpretation is counted: as its special hand, as calling for it, or ordinarily."""
    if interpretation.name is None:
        return words.say("ordinary_hand")
    names = {award.rule: award_name(award, words) for award in interpretation.fired}
    calling = [award_name(award, words) for award in interpretation.fired if award.limits]
    return names.get(interpretation.name) or calling[0]


def award_name(award: Award, words: Words) -> str:
    """What an award is called: its rule, and whether it is paid as exposed or as concealed.

    >>> won = Award("going_out", "Going out", 20, 0, Fraction(0), (), None, "hand", "")
    >>> award_name(won, Words("fr"))
    'Mah-jong'
    """
    name = words.named(award.rule, award.name)
    if award.state and name != award.name:
        return f"{name}, {words.say(award.state)}"
    return name


def amount_of(award: Award, words: Words) -> str:
    """What an award pays, with its unit, such as `4 points` or `1 double`."""
    if award.limits:
        return share(award.limits, None, words)
    if award.points:
        return words.count(award.points, "points")
    return words.count(award.doubles, "doubles")


def common_title(awards: Iterable[Award]) -> str | None:
    """The title of the rule text, where all awards come from the same one."""
    titles = {award.source.partition(": ")[0] for award in awards}
    return titles.pop() if len(titles) == 1 else None


# ---- Awards


@dataclass(frozen=True, slots=True)
class _Accounts:
    """Adds awards up, part by part."""

    awards: Sequence[Award]
    words: Words
    anchor: str
    because: Because

    def ledger(self, limit: int | None) -> Ledger:
        """All awards, and the sum of the parts where there are several."""
        parts: list[Part] = []
        terms = []
        limits = [award for award in self.awards if award.limits]
        if limits:
            terms.append(int(sum(award.limits for award in limits) * (limit or 0)))
            parts.append(self._limits(limits, limit, terms[-1]))
        for part, suffix in (("hand", ""), ("bonus", "_bonus")):
            counted = [award for award in self.awards if award.part == part and not award.limits]
            if counted or not terms:
                points, doubles, worth = self._part(counted, suffix)
                parts += [points, doubles] if doubles.entries else [points]
                terms.append(worth)
        step = f"{' + '.join(map(str, terms))} = {sum(terms)}" if len(terms) > 1 else ""
        say = self.words.say
        heads = say("rule"), say("tiles"), say("sum"), say("source")
        return Ledger(heads, tuple(parts), step)

    def _limits(self, awards: Sequence[Award], limit: int | None, worth: int) -> Part:
        multiple = sum((award.limits for award in awards), Fraction(0))
        told = share(multiple, limit, self.words)
        if multiple * (limit or 0) != worth:
            told = self.words.say("rounded_down", share=told)
        entries = tuple(self._entry(str(award.limits), award) for award in awards)
        heading = self.words.say("limit")
        return Part(heading, heading, entries, step=f"{told} = {worth}")

    def _part(self, awards: Sequence[Award], suffix: str) -> tuple[Part, Part, int]:
        """Points, doubles each with its step, and the value after the last."""
        say = self.words.say
        paying = [award for award in awards if award.points]
        value = sum(award.points for award in paying)
        amount, _, unit = self.words.count(value, "points").partition(" ")
        entries = tuple(self._entry(str(award.points), award) for award in paying)
        points = Part(say(f"points{suffix}"), say("points"), entries, (amount, unit))
        doubles = []
        for award in awards:
            if award.doubles:
                step = f"{value}{' x 2' * award.doubles} = {value << award.doubles}"
                doubles.append(self._entry(str(award.doubles), award, step))
                value <<= award.doubles
        return points, Part(say(f"doubles{suffix}"), say("doubles"), tuple(doubles)), value

    def _entry(self, amount: str, award: Award, step: str = "") -> Entry:
        source = award.source.removeprefix(f"{common_title(self.awards)}: ")
        target = "hand"
        if award.set is not None:
            target = f"set-{award.set}"
        elif award.tiles:
            target = "bonus"
        name = award_name(award, self.words)
        anchor, because = f"{self.anchor}{target}", self.because(award)
        return Entry(amount, name, award.tiles, anchor, source, step, because)


# ---- Sets


def _groups(
    interpretation: Interpretation, winning: Tile | None, words: Words, anchor: str
) -> Iterator[Group]:
    """The sets of several tiles, and the tiles that stand in none as one group."""
    _, alone = apart(interpretation.sets)
    for index, meld in enumerate(interpretation.sets):
        if meld.kind is not Kind.SINGLE:
            yield _group(meld, winning, words, f"{anchor}set-{index}")
    if alone:
        state = words.say("concealed", Kind.SINGLE.value)
        name = words.say("no_set")
        yield Group(f"{anchor}alone", tuple(alone), written(alone), name, state, exposed=False)


def _group(meld: Meld, winning: Tile | None, words: Words, anchor: str) -> Group:
    at = None
    tiles = meld.tiles
    if meld.completed and winning is not None:
        tiles = (*meld.without(winning), winning)
        at = len(tiles) - 1
    name, state = name_set(meld, words), state_of(meld, words)
    return Group(anchor, tiles, draw_set(meld, winning), name, state, meld.exposed, at)


def _bonus(bonus: tuple[Tile, ...], words: Words, anchor: str) -> Iterator[Group]:
    if bonus:
        name = words.say("bonus_tiles")
        yield Group(f"{anchor}bonus", bonus, written(bonus), name, "", exposed=True, bonus=True)


def _capping(interpretation: Interpretation, limit: int | None, words: Words) -> Iterator[str]:
    if interpretation.capped:
        yield words.say("over_the_limit", uncapped=interpretation.uncapped, limit=limit)
    elif limit is not None and interpretation.uncapped > limit:
        yield words.say("limit_lifted", limit=limit)


def _amounts(points: int, doubles: int, words: Words) -> str:
    text = words.count(points, "points")
    return f"{text}, {words.count(doubles, 'doubles')}" if doubles else text
