"""What can go wrong with the awards of a count and with its arithmetic, one thing at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mjasp.mistakes import Amounts, Mistake, MistakeKind, summed
from mjasp.models import STATES, Award, State, award_of
from mjasp.rulesets import Rule
from mjasp.scoring import Interpretation

__all__ = ["Tweak", "few_of_a_kind", "tweaks"]

_NOTHING = Amounts()


@dataclass(frozen=True, slots=True)
class Tweak:
    """One mistake in a count: awards that are left out, by index, and awards that are put in.

    `amounts` is what that makes of the sum; `touched` are the indices of all awards that it is
    about; `added` and `uncapped` are mistakes of the arithmetic.
    """

    mistake: Mistake
    amounts: Amounts = _NOTHING
    dropped: frozenset[int] = frozenset()
    put: tuple[Award, ...] = ()
    touched: frozenset[int] = frozenset()
    added: bool = False
    uncapped: bool = False

    def fits(self, other: Tweak) -> bool:
        """Whether both can be made at once: they are about different things."""
        return not self.touched & other.touched and self.mistake != other.mistake


def tweaks(
    interpretation: Interpretation, rules: Sequence[Rule], limit: int | None
) -> Iterator[Tweak]:
    """All that can go wrong with the awards, the likeliest of a kind first.

    `rules` are those that there are, as they pay.
    """
    fired = interpretation.fired
    yield from _paid_otherwise(interpretation, {rule.id: rule for rule in rules}, limit)
    for at, award in enumerate(fired):
        if not award.limits:
            this = frozenset({at})
            paid = summed([award], limit)
            yield Tweak(Mistake("forgotten", awards=(award,)), -paid, dropped=this, touched=this)
            yield Tweak(Mistake("counted-twice", awards=(award,)), paid, put=(award,), touched=this)
    yield from _whole_rules(fired, limit)
    yield Tweak(Mistake("limit"), uncapped=True)
    yield Tweak(Mistake("arithmetic"), added=True)
    there = {award.rule for award in fired}
    for rule in rules:
        if rule.id not in there:
            yield from _wrongly(rule, fired, limit)


def _paid_otherwise(
    interpretation: Interpretation, rules: Mapping[str, Rule], limit: int | None
) -> Iterator[Tweak]:
    """Exposed sets paid as concealed and the other way: first the one that was completed."""
    sets = interpretation.sets
    stated = [(at, award) for at, award in enumerate(interpretation.fired) if award.state]
    stated.sort(key=lambda each: each[1].set is None or not sets[each[1].set].completed)
    for at, award in stated:
        state: State = "exposed" if award.state == "concealed" else "concealed"
        other = replace(award_of(rules[award.rule], state), tiles=award.tiles, set=award.set)
        yield Tweak(
            Mistake("exposure", awards=(award,), instead=other),
            summed([other], limit) + -summed([award], limit),
            dropped=frozenset({at}),
            put=(other,),
            touched=frozenset({at}),
        )


def _whole_rules(fired: Sequence[Award], limit: int | None) -> Iterator[Tweak]:
    """Each rule that fired several times, forgotten altogether."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, award in enumerate(fired):
        places[award.rule].append(at)
    for at_all in places.values():
        if len(at_all) > 1:
            awards = tuple(fired[at] for at in at_all)
            these = frozenset(at_all)
            mistake = Mistake("forgotten", awards=awards)
            yield Tweak(mistake, -summed(awards, limit), dropped=these, touched=these)


def _wrongly(rule: Rule, fired: Sequence[Award], limit: int | None) -> Iterator[Tweak]:
    """A rule that did not fire, counted; a special hand stands in the place of all awards."""
    for state in filter(rule.values.__contains__, STATES):
        award = award_of(rule, state)
        mistake = Mistake("wrongly-counted", awards=(award,))
        amounts = summed([award], limit)
        if not award.limits:
            yield Tweak(mistake, amounts, put=(award,))
            continue
        replaced = [at for at, each in enumerate(fired) if each.part == "hand"]
        amounts += -summed((fired[at] for at in replaced), limit)
        these = frozenset(replaced)
        yield Tweak(mistake, amounts, dropped=these, put=(award,), touched=these)


def few_of_a_kind(found: Iterable[Tweak], number: int) -> list[Tweak]:
    """The first `number` of those that are of one kind and come to the same."""
    alike: defaultdict[tuple[MistakeKind, Amounts], list[Tweak]] = defaultdict(list)
    for tweak in found:
        group = alike[tweak.mistake.kind, tweak.amounts]
        if len(group) < number:
            group.append(tweak)
    return [tweak for group in alike.values() for tweak in group]
