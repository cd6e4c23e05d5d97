"""An evening of deals: who sits where, what was dealt, what is paid; values and their rules.

Hands belong to the players who held them, and seats follow from the deals before: East stays on
an East win and when nobody wins, otherwise the winds pass on, and after four of them the round
does. So a correction of one deal can seat its players anew in the deals after it. Their hands are
then counted and paid with the seats that they should have had.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Literal

from mjasp import api
from mjasp.deal import Customs, Deal, named
from mjasp.engine import Engine
from mjasp.errors import GameError, MjaspError, Problem, Spot
from mjasp.hand import Hand
from mjasp.notation import parse, write
from mjasp.notation.deal import parse_deal
from mjasp.settlement import Payment as SeatPayment
from mjasp.tiles import Wind

__all__ = [
    "Game",
    "Payment",
    "Played",
    "Record",
    "Settings",
    "Table",
    "new_game",
    "players_of",
    "record_of",
    "seated",
]

_WINDS = tuple(Wind)
_LONGEST_NAME = 30
# They join letters and emoji and are not seen themselves.
_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))


@dataclass(frozen=True, slots=True)
class Settings:
    """What is agreed for a whole game; `limit`, `cap` and `readings` are as for mjasp.score."""

    rules: str
    limit: int | None = None
    cap: bool = True
    readings: Mapping[str, str] = field(default_factory=dict)
    customs: Customs = field(default_factory=Customs)


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits where: how often the winds have passed on. Players are numbered from the first East.

    >>> table = Table(5)
    >>> table.round, table.player(Wind.EAST), table.seat(0)
    (<Wind.SOUTH: 'S'>, 1, <Wind.NORTH: 'N'>)
    """

    passes: int = 0

    @property
    def round(self) -> Wind:
        """The round wind; after North's round, East's again."""
        return _WINDS[self.passes // 4 % 4]

    def player(self, seat: Wind) -> int:
        """The number of the player at a seat."""
        return (_WINDS.index(seat) + self.passes) % 4

    def seat(self, player: int) -> Wind:
        """The seat of a player."""
        return _WINDS[(player - self.passes) % 4]

    def after(self, winner: int | None) -> Table:
        """The table of the next deal."""
        stays = winner is None or self.seat(winner) is Wind.EAST
        return self if stays else Table(self.passes + 1)


@dataclass(frozen=True, slots=True)
class Record:
    """What happened in a deal, by player and without seats.

    `hands` are canonical texts, which tell neither seat nor round, but how the winning tile came,
    or values in points; `winner` and `by` are numbers of players.
    """

    hands: tuple[str | int, ...]
    winner: int | None
    by: int | Literal["wall"] | None
    customs: Customs


@dataclass(frozen=True, slots=True)
class Payment:
    """What one player pays another, in points, and why."""

    payer: int
    receiver: int
    amount: int
    because: str


@dataclass(frozen=True, slots=True)
class Played:
    """A deal as it stands in the sheet: the table, what happened, the values, what was paid."""

    table: Table
    record: Record
    values: tuple[int, ...]
    payments: tuple[Payment, ...]

    @property
    def net(self) -> tuple[int, ...]:
        """What each player receives less what he pays."""
        net = [0, 0, 0, 0]
        for payment in self.payments:
            net[payment.payer] -= payment.amount
            net[payment.receiver] += payment.amount
        return tuple(net)


@dataclass(frozen=True, slots=True)
class Game:
    """A score sheet: four players in the order of their first seats, settings, deals played."""

    players: tuple[str, ...]
    settings: Settings
    deals: tuple[Played, ...] = ()

    def played(self, number: int) -> Played:
        """The deal of that number, counted from 1. Raises GameError where there is none."""
        if not 1 <= number <= len(self.deals):
            message = f"there is no deal {number}: {len(self.deals)} are played"
            raise GameError(Problem("no-deal", message, help="`mjasp game list` numbers them"))
        return self.deals[number - 1]

    def table(self, number: int | None = None) -> Table:
        """The table of the deal of that number, counted from 1, or of the next one."""
        at = len(self.deals) if number is None else number - 1
        if at < len(self.deals):
            return self.deals[at].table
        if not self.deals:
            return Table()
        last = self.deals[-1]
        return last.table.after(last.record.winner)

    @property
    def totals(self) -> tuple[tuple[int, ...], ...]:
        """The running totals after each deal."""
        return tuple(accumulate((each.net for each in self.deals), _sum))

    def seated_anew(self, before: Game) -> tuple[int, ...]:
        """The deals in which players sit elsewhere than in the game as it was before."""
        pairs = zip(self.deals, before.deals, strict=False)
        return tuple(n for n, (now, old) in enumerate(pairs, start=1) if now.table != old.table)

    def with_record(self, number: int, record: Record | None) -> Game:
        """The game in which that deal is this one (or, of None, is not there), all after it anew.

        Raises GameError where a later deal cannot be with the seats that follow.
        """
        records = [each.record for each in self.deals]
        records[number - 1 : number] = [] if record is None else [record]
        game = replace(self, deals=self.deals[: number - 1])
        for at, each in enumerate(records[number - 1 :], start=number):
            try:
                played = _play(game, each)
            except MjaspError as error:
                if at == number:
                    raise
                message = f"deal {at} could then not stand: {error}"
                way_out = f"correct deal {at} first; nothing was changed"
                raise GameError(Problem("later-deal", message, help=way_out)) from None
            game = replace(game, deals=(*game.deals, played))
        return game


def new_game(names: Sequence[str], settings: Settings) -> Game:
    """A game without deals. Raises GameError for the names and RulesetError for the settings."""
    rules = settings.rules
    if rules.endswith(".lp"):
        settings = replace(settings, rules=str(Path(rules).absolute()))
    Engine(rules, readings=settings.readings, limit=settings.limit, cap=settings.cap)
    return Game(players_of(names), settings)


def players_of(names: Sequence[str]) -> tuple[str, ...]:
    """The names of four players, checked. Raises GameError.

    >>> players_of(["Anna", " Ben ", "Cleo", "Dan"])
    ('Anna', 'Ben', 'Cleo', 'Dan')
    """
    players = tuple(unicodedata.normalize("NFC", " ".join(name.split())) for name in names)
    seen = [name.translate(_JOINERS) for name in players]
    alike = [unicodedata.normalize("NFKC", name).casefold() for name in seen]
    message = ""
    if len(players) != 4:
        message = f"{len(players)} players are named, and a table has four"
    elif len(set(alike)) < 4:
        message = "two players have the same name"
    elif "wall" in alike:
        message = "`wall` is where tiles are drawn from, and no name of a player here"
    elif not all(each and each.isprintable() for each in seen) or (
        max(map(len, players)) > _LONGEST_NAME
    ):
        message = f"a name has 1 to {_LONGEST_NAME} characters that can be printed"
    if message:
        way_out = "name East, South, West and North at the first deal, as in Anna,Ben,Cleo,Dan"
        raise GameError(Problem("players", message, help=way_out))
    return players


def record_of(deal: Deal | str, table: Table, settings: Settings) -> Record:
    """What happened in a deal whose seats are those of this table.

    Raises what parse_deal and mjasp.settle raise, and DealError where the deal tells another round
    or rule set than the game's, or where a hand is unknown.
    """
    if isinstance(deal, str):
        deal = parse_deal(deal, settings.customs)
    problems = [*_strange(deal, table, settings)]
    if problems:
        raise deal.error(*problems)
    if deal.round != table.round:
        deal = replace(deal, round=table.round)
    # What is wrong is told here, where the deal still knows its text.
    _settled(deal, settings)
    by = table.player(deal.by) if isinstance(deal.by, Wind) else deal.by
    winner = None if deal.winner is None else table.player(deal.winner)
    hands = (_entry_of(deal.hands[table.seat(player)]) for player in range(4))
    return Record(tuple(hands), winner, by, deal.customs)


def _strange(deal: Deal, table: Table, settings: Settings) -> list[Problem]:
    problems = []
    if deal.round not in {None, "?", table.round}:
        message = f"the deal says round {deal.round}, and the game is in {named(table.round)}'s"
        way_out = "leave the round to the game"
        problems.append(Problem("two-rounds", message, help=way_out, about=Spot("round")))
    if deal.rules not in {None, settings.rules}:
        message = f"the deal says rules {deal.rules}, and the game is played by {settings.rules}"
        way_out = "leave the rules to the game"
        problems.append(Problem("two-rules", message, help=way_out, about=Spot("rules")))
    return problems


def _entry_of(hand: Hand | int | None) -> str | int:
    """A hand, known and with its seat, as a record holds it.

    How the winning tile came is written out: another seat, which a correction can bring, must not
    change it. Raises GameError for an unknown hand.
    """
    if isinstance(hand, Hand):
        source = hand.source if "source" in hand.unknown else hand.resolved()[0].source
        unknown = hand.unknown - {"seat", "round"}
        return write(
            replace(hand, seat=None, round=None, rules=None, source=source, unknown=unknown)
        )
    if hand is None:
        raise GameError(Problem("unknown-hand", "a hand is not known", help="give it a value"))
    return hand


def seated(record: Record, table: Table, names: Sequence[str]) -> Deal:
    """The deal that a record tells of, at that table. Raises what parse and Deal raise."""
    hands = {table.seat(player): hand for player, hand in enumerate(record.hands)}
    return Deal(
        {seat: parse(hand) if isinstance(hand, str) else hand for seat, hand in hands.items()},
        round=table.round,
        winner=None if record.winner is None else table.seat(record.winner),
        by=table.seat(record.by) if isinstance(record.by, int) else record.by,
        customs=record.customs,
        names={seat: names[table.player(seat)] for seat in Wind},
    )


def _play(game: Game, record: Record) -> Played:
    """The next deal of a game, counted and paid."""
    table = game.table()
    payments, values = _settled(seated(record, table, game.players), game.settings)
    return Played(
        table,
        record,
        tuple(values[table.seat(player)] for player in range(4)),
        tuple(
            Payment(
                table.player(paid.payer), table.player(paid.receiver), paid.amount, paid.because
            )
            for paid in payments
        ),
    )


def _settled(deal: Deal, settings: Settings) -> tuple[Iterable[SeatPayment], dict[Wind, int]]:
    """The payments between seats and the values of the hands, which must all be known."""
    found = api.settle(
        deal,
        settings.rules,
        readings=settings.readings,
        limit=settings.limit,
        cap=settings.cap,
        sensitivity=False,
    )
    values = {seat: value for seat, value in found.values.items() if value is not None}
    problems = []
    for seat in (seat for seat in Wind if seat not in values):
        message = f"{named(seat)}'s value is not known, and a sheet adds up all hands"
        way_out = "give it a value: `game correct` can put another in its place later"
        problems.append(Problem("unknown-hand", message, help=way_out, about=Spot(seat)))
    if problems:
        raise deal.error(*problems)
    return found.payments, values


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(one, other, strict=True)))
