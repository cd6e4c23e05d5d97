"""A settlement as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mjasp.deal import Customs, Entry, named
from mjasp.hand import Hand
from mjasp.notation import write
from mjasp.render.page import Page
from mjasp.render.score import score_text
from mjasp.render.trace import outline
from mjasp.settlement import Settlement
from mjasp.tiles import Wind
from mjasp.words import Words

__all__ = [
    "by_told",
    "customs_told",
    "entry_text",
    "settlement_dict",
    "settlement_text",
]

_TOLD = {
    "losers_settle": (False, "players who did not win settle nothing among themselves"),
    "east_doubles": (False, "East neither pays nor is paid double"),
    "discarder_pays": (True, "who discarded the winning tile pays for all"),
    "self_drawn_doubles": (True, "a self-drawn win is paid double"),
}


def settlement_dict(settlement: Settlement, *, trace: bool = False) -> dict[str, Any]:
    """A settlement as `mjasp/settlement/1`; with `trace` the scores are in it, whole."""
    deal = settlement.deal
    found = {
        "schema": "mjasp/settlement/1",
        "ruleset": settlement.ruleset,
        "winner": deal.winner and deal.winner.value,
        "scores": _by_seat(settlement.values),
        "payments": [
            {
                "from": each.payer.value,
                "to": each.receiver.value,
                "amount": each.amount,
                "because": each.because,
            }
            for each in settlement.payments
        ],
        "net": _by_seat(settlement.net),
        "unknown": [[one.value, other.value] for one, other in settlement.open],
        "hands": _by_seat({seat: entry_text(hand) for seat, hand in deal.hands.items()}),
        "by": deal.by.value if isinstance(deal.by, Wind) else deal.by,
        "customs": deal.customs.to_dict(),
        "assumed": list(_assumed(settlement)),
        "readings": list(_readings(settlement)),
        "notes": list(settlement.notes),
    }
    if trace:
        scores = settlement.scores.items()
        found["traces"] = {seat.value: score.to_dict() for seat, score in scores}
    return found


def settlement_text(settlement: Settlement, *, trace: bool = False, colour: bool = False) -> str:
    """A settlement for people: hands, who pays whom and why, the table of it, and the nets.

    No line is wider than 80 columns. With `trace` each hand's whole trace follows.
    """
    page = Page(colour)
    deal = settlement.deal
    winner = "nobody"
    if deal.winner:
        winner = f"{named(deal.winner)}, with {_told(settlement.values[deal.winner])}"
        winner += by_told(named(deal.by) if isinstance(deal.by, Wind) else deal.by)
    lines = [
        *page.labelled("Rules", settlement.ruleset),
        *map(page.strong, page.labelled("Winner", winner)),
        *page.section("Hands", page.columns([*_hands(settlement)])),
        *page.section("Payments", page.columns([*_payments(settlement)])),
        *page.section("Who pays (down) whom (across)", _table(settlement)),
        *page.section("Customs, which no rule text has", page.items([*customs_told(deal.customs)])),
        *page.section("Assumed, and the value otherwise", page.columns([*_otherwise(settlement)])),
        *page.section("Notes", page.items(settlement.notes)),
    ]
    if trace:
        for seat, score in settlement.scores.items():
            heading = f"{named(seat)}'s hand"
            lines += page.section(heading, ["", *score_text(score, colour=colour).split("\n")])
    return "\n".join(lines)


def customs_told(customs: Customs) -> Iterator[str]:
    """The customs that depart from the rule texts, each a sentence."""
    for name, (value, told) in _TOLD.items():
        if getattr(customs, name) is value:
            yield told


def by_told(by: str | None) -> str:
    """Whose tile won, behind what is said of the winner; `by` is a name, `wall` or not told.

    >>> by_told("South"), by_told("wall"), by_told(None)
    (", on South's tile", ', self-drawn', '')
    """
    return "" if by is None else ", self-drawn" if by == "wall" else f", on {by}'s tile"


def entry_text(hand: Entry) -> str | int | None:
    """A hand in its canonical text, a number as it is, None where the hand is not known."""
    return write(hand) if isinstance(hand, Hand) else hand


def _by_seat(values: Any) -> dict[str, Any]:  # noqa: ANN401 - a mapping of any JSON
    return {seat.value: values[seat] for seat in Wind}


def _told(value: int | None) -> str:
    return "?" if value is None else str(value)


def _hands(settlement: Settlement) -> Iterator[tuple[str, str, str]]:
    for seat, hand in settlement.deal.hands.items():
        score = settlement.scores.get(seat)
        if score is not None and score.total is None and score.spread:
            how = "from {} to {}".format(*score.spread)
        elif score is not None:
            how = outline(score.best, score.limit, Words())
        else:
            how = "not known" if hand is None else "counted at the table"
        yield named(seat), _told(settlement.values[seat]), how


def _payments(settlement: Settlement) -> Iterator[tuple[str, str, str]]:
    for each in settlement.payments:
        yield f"{named(each.payer)} to {named(each.receiver)}", str(each.amount), each.because
    for one, other in settlement.open:
        because = "depends on a value that is not known"
        yield f"{named(one)} and {named(other)}", "?", because


def _table(settlement: Settlement) -> list[str]:
    """The table that the rule texts print: what the seat of the row pays that of the column."""
    paid: dict[tuple[Wind, Wind], int | None] = dict.fromkeys(settlement.open)
    paid.update({(other, one): None for one, other in settlement.open})
    for each in settlement.payments:
        paid[each.payer, each.receiver] = each.amount
        paid[each.receiver, each.payer] = -each.amount
    net = settlement.net
    rows = [[named(row), *(_told(paid.get((row, column), 0)) for column in Wind)] for row in Wind]
    rows.append(["Net", *(_signed(net[seat]) for seat in Wind)])
    lines = _right([["", *map(named, Wind)], *rows])
    known = [amount for amount in net.values() if amount is not None]
    if len(known) < len(net):
        return [*lines, "  The nets that depend on a value that is not known are left open."]
    return [*lines, f"  The nets sum to {sum(known)}."]


def _signed(amount: int | None) -> str:
    return "?" if amount is None else f"{amount:+d}" if amount else "0"


def _right(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "   ".join([first.ljust(widths[0]), *map(str.rjust, cells, widths[1:])])
        for first, *cells in rows
    ]


def _assumed(settlement: Settlement) -> Iterator[dict[str, Any]]:
    """The facts assumed of each hand, and the limit, which is assumed of all."""
    for seat, score in settlement.scores.items():
        for each in (each for each in score.assumed if each.fact != "limit"):
            others = None if each.others is None else _answers(each.others)
            yield {"seat": seat.value, "fact": each.fact, "value": each.value, "others": others}
    if settlement.limit_assumed is not None:
        limit = str(settlement.limit_assumed)
        yield {"seat": None, "fact": "limit", "value": limit, "others": []}


def _readings(settlement: Settlement) -> Iterator[dict[str, Any]]:
    for seat, score in settlement.scores.items():
        for each in score.readings or ():
            told = {"reading": each.reading, "value": each.value, "others": _answers(each.others)}
            yield {"seat": seat.value, **told}


def _answers(others: Iterable[tuple[str, int | None]]) -> list[dict[str, Any]]:
    return [{"value": value, "total": total} for value, total in others]


def _otherwise(settlement: Settlement) -> Iterator[tuple[str, str, str]]:
    """The facts assumed and the contested readings that would change the value of a hand."""
    for found, kind in ((_assumed(settlement), "fact"), (_readings(settlement), "reading")):
        for each in found:
            if each["seat"] is None:
                told = Words().say("no_limit_printed")
                yield "All", f"{each[kind]} {each['value']}", told
                continue
            seat = Wind(each["seat"])
            changed = [
                f"{other['value']}: {'no win' if other['total'] is None else other['total']}"
                for other in each["others"] or ()
                if other["total"] != settlement.values[seat]
            ]
            value = "not known" if each["value"] is None else each["value"]
            yield named(seat), f"{each[kind]} {value}", "; ".join(changed) or "the same"
