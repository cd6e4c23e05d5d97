"""Who pays whom: arithmetic on the values of four hands, with the customs of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any

from mjasp.deal import Deal, Entry, named
from mjasp.errors import Problem, Spot
from mjasp.scoring import Score
from mjasp.tiles import Wind

__all__ = ["Payment", "Settlement", "settlement"]


@dataclass(frozen=True, slots=True)
class Payment:
    """What one seat pays another, in points, and why."""

    payer: Wind
    receiver: Wind
    amount: int
    because: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """The payments of a deal.

    `values` are the hand values in points, capped, None where a hand is not known; `scores` those
    of the hands that were counted and not given as a number. Payments of 0 are left out; `open`
    holds the pairs whose payment depends on a value that is not known. `limit_assumed` is the limit
    in points where the rule text prints none and none was given.
    """

    deal: Deal
    ruleset: str
    values: Mapping[Wind, int | None]
    scores: Mapping[Wind, Score]
    payments: tuple[Payment, ...]
    open: tuple[tuple[Wind, Wind], ...] = ()
    notes: tuple[str, ...] = ()
    limit_assumed: int | None = None

    @property
    def net(self) -> dict[Wind, int | None]:
        """What each seat receives less what it pays; None where a payment of it is not known."""
        net = dict.fromkeys(Wind, 0)
        for payment in self.payments:
            net[payment.payer] -= payment.amount
            net[payment.receiver] += payment.amount
        unknown = {seat for pair in self.open for seat in pair}
        return {seat: None if seat in unknown else amount for seat, amount in net.items()}

    def to_dict(self, *, trace: bool = False) -> dict[str, Any]:
        """The settlement as `mjasp/settlement/1`; with `trace` the scores are in it, whole."""
        from mjasp.render.settlement import settlement_dict

        return settlement_dict(self, trace=trace)

    def explain(self, *, trace: bool = False) -> str:
        """The settlement as text; with `trace` each hand's whole trace follows."""
        from mjasp.render.settlement import settlement_text

        return settlement_text(self, trace=trace)


def settlement(
    deal: Deal,
    ruleset: str,
    scores: Mapping[Wind, Score] = MappingProxyType({}),
    *,
    cap: int | None,
    limit_assumed: int | None = None,
) -> Settlement:
    """The payments of a deal, with the scores of those hands that are no plain numbers.

    The winner is paid the value of his hand by each loser; then each two losers settle the
    difference of theirs. East pays and receives double. Nobody pays where nobody won. `cap` is
    the limit in points that no hand value exceeds, None where there is none; `limit_assumed` is as
    in Settlement. Raises DealError for a false win.

    >>> hands = dict(zip(Wind, (50, 80, 20, 0)))
    >>> found = settlement(Deal(hands, winner=Wind.WEST), "european-classical", cap=500)
    >>> list(found.net.values())
    [0, 120, 80, -200]
    """
    false_wins = [*_false_wins(ruleset, scores)]
    if false_wins:
        raise deal.error(*false_wins)
    values = {seat: _value(hand, scores.get(seat), cap) for seat, hand in deal.hands.items()}
    payments, unknown = [], []
    for pair, payment in _Table(deal, values).settle():
        if payment is None:
            unknown.append(pair)
        elif payment.amount:
            payments.append(payment)
    notes = tuple(_notes(deal, values, scores))
    return Settlement(
        deal, ruleset, values, scores, tuple(payments), tuple(unknown), notes, limit_assumed
    )


def _false_wins(ruleset: str, scores: Mapping[Wind, Score]) -> Iterator[Problem]:
    for seat, score in scores.items():
        if score.outcome == "false-win":
            why = "; ".join(score.reasons)
            message = f"{named(seat)}'s hand is no win under {ruleset}: {why}"
            way_out = "correct the hand, or leave out its `+` and the tile after it"
            yield Problem("false-win", message, help=way_out, about=Spot(seat))


def _value(hand: Entry, score: Score | None, cap: int | None) -> int | None:
    if score is not None:
        return score.total
    if isinstance(hand, int):
        return hand if cap is None else min(hand, cap)
    return None


# A pair of seats, and its payment; None where that depends on a value that is not known.
_Settled = tuple[tuple[Wind, Wind], Payment | None]


@dataclass(frozen=True, slots=True)
class _Table:
    """The deal with the values of its hands."""

    deal: Deal
    values: Mapping[Wind, int | None]

    def settle(self) -> Iterator[_Settled]:
        """Every payment: to the winner first, then between losers; both in the order of seats."""
        winner = self.deal.winner
        if winner is None:
            return
        losers = [seat for seat in Wind if seat is not winner]
        by = self.deal.by
        if self.deal.customs.discarder_pays and isinstance(by, Wind):
            yield (by, winner), self._for_all(by, winner, losers)
        else:
            for loser in losers:
                yield (loser, winner), self._to_winner(loser, winner)
        if self.deal.customs.losers_settle:
            for pair in combinations(losers, 2):
                yield pair, self._difference(*pair)

    def _to_winner(self, loser: Wind, winner: Wind) -> Payment | None:
        value = self.values[winner]
        if value is None:
            return None
        factor, doubling = self._doubling(loser, winner)
        because = f"{self.deal.called(winner)} won with {value}{doubling}"
        if self._drawn_double:
            factor, because = 2 * factor, f"{because}; a self-drawn win is paid double"
        return Payment(loser, winner, factor * value, because)

    @property
    def _drawn_double(self) -> bool:
        return self.deal.customs.self_drawn_doubles and bool(self.deal.won_from_wall)

    def _for_all(self, by: Wind, winner: Wind, losers: list[Wind]) -> Payment | None:
        shares = {loser: self._to_winner(loser, winner) for loser in losers}
        amounts = {loser: share.amount for loser, share in shares.items() if share}
        if not amounts:
            return None
        called = self.deal.called
        told = ", ".join(f"{amount} for {called(loser)}" for loser, amount in amounts.items())
        because = f"{called(winner)} won with {self.values[winner]}; "
        because += f"{called(by)} discarded and pays for all: {told}"
        return Payment(by, winner, sum(amounts.values()), because)

    def _difference(self, one: Wind, other: Wind) -> Payment | None:
        ours, theirs = self.values[one], self.values[other]
        if ours is None or theirs is None:
            return None
        if ours > theirs:
            one, other, ours, theirs = other, one, theirs, ours
        factor, doubling = self._doubling(one, other)
        called = self.deal.called
        because = f"{called(other)}'s {theirs} less {called(one)}'s {ours}{doubling}"
        return Payment(one, other, factor * (theirs - ours), because)

    def _doubling(self, payer: Wind, receiver: Wind) -> tuple[int, str]:
        """The factor of a payment for East's double, and the words for it."""
        if not self.deal.customs.east_doubles or Wind.EAST not in {payer, receiver}:
            return 1, ""
        return 2, f"; East {'pays' if payer is Wind.EAST else 'is paid'} double"


def _notes(
    deal: Deal, values: Mapping[Wind, int | None], scores: Mapping[Wind, Score]
) -> Iterator[str]:
    for seat, hand in deal.hands.items():
        if isinstance(hand, int) and hand != values[seat]:
            yield f"{named(seat)}'s {hand} is more than the limit and counts as {values[seat]}."
    for seat, score in scores.items():
        yield from (f"{named(seat)}'s hand: {note}" for note in score.notes)
    if deal.winner is None:
        yield "Nobody won: nothing is paid."
        unknown = [named(seat) for seat, value in values.items() if value is None]
        if unknown:
            yield f"Should the unknown hand of {' or '.join(unknown)} have won, say so: `winner:`."
