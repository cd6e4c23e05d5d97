"""What a hand can be, and what is filled in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mjasp.errors import HandError
from mjasp.hand import Event, Hand, Kind, Meld, Source, kind_of
from mjasp.tiles import Tile, Wind

B1, B2, B3, C4, C5 = Tile.B1, Tile.B2, Tile.B3, Tile.C4, Tile.C5
CHOWS = (B1, B2, B3) * 3 + (C4, C5, Tile.E, Tile.E)
WON = Hand(CHOWS, winning=Tile.C3)
FIRST = frozenset({Event.FIRST_TURN})


def codes(**fields: object) -> list[str]:
    """The codes of the problems of the won hand with these fields."""
    with pytest.raises(HandError) as caught:
        replace(WON, **fields)  # type: ignore[arg-type]
    assert all(problem.help for problem in caught.value.problems)
    return [problem.code for problem in caught.value.problems]


def test_order_does_not_matter() -> None:
    melds = (
        Meld(Kind.PUNG, (Tile.R,) * 3, exposed=True),
        Meld(Kind.CHOW, (B3, B1, B2), exposed=True),
        Meld(Kind.CHOW, (C4, Tile.C6, C5), exposed=True),
    )
    tiles = (Tile.N, B2, B1, B3)
    one = Hand(tiles, melds, (Tile.S1, Tile.F2))
    other = Hand(tiles[::-1], melds[::-1], (Tile.F2, Tile.S1))
    assert one == other
    assert hash(one) == hash(other)
    assert one.concealed == (B1, B2, B3, Tile.N)
    assert [str(meld) for meld in one.declared] == ["[123b]", "[456c]", "[RRR]"]


def test_melds_of_equal_first_tile_stand_chow_pung_kong() -> None:
    chow = Meld(Kind.CHOW, (C4, C5, Tile.C6), exposed=True, declared=True)
    pung = Meld(Kind.PUNG, (C4,) * 3, exposed=True, declared=True)
    assert Hand((B1, B1, B1, B2, B2, B2, B3), (pung, chow)).declared == (chow, pung)


@pytest.mark.parametrize(
    ("tiles", "kind"),
    [
        ((B1,), Kind.SINGLE),
        ((B1, B1), Kind.PAIR),
        ((Tile.E,) * 3, Kind.PUNG),
        ((Tile.WH,) * 4, Kind.KONG),
        ((B1, B2, B3), Kind.CHOW),
        ((), None),
        ((B1, B2), None),
        ((B1,) * 5, None),
        ((B1, B1, B2), None),
        ((B1, B2, Tile.B4), None),
        ((Tile.B8, Tile.B9, Tile.C1), None),
        ((Tile.E, Tile.S, Tile.W), None),
        ((Tile.F1, Tile.F2, Tile.F3), None),
        ((Tile.F1, Tile.F1), None),
    ],
)
def test_kind_of_tiles(tiles: tuple[Tile, ...], kind: Kind | None) -> None:
    assert kind_of(tiles) is kind


@pytest.mark.parametrize(
    "meld",
    [
        Meld(Kind.PUNG, (Tile.R,) * 3, exposed=True, declared=True, completed=True),
        Meld(Kind.PUNG, (Tile.R,) * 3, exposed=True),
    ],
)
def test_declared_melds_are_declared_and_not_completed(meld: Meld) -> None:
    (found,) = Hand(CHOWS[:10], (meld,)).declared
    assert found == Meld(Kind.PUNG, (Tile.R,) * 3, exposed=True, declared=True)


def test_problems_that_no_text_can_have() -> None:
    pung = Meld(Kind.PUNG, (B1, B2, B3), exposed=True)
    assert codes(concealed=CHOWS[3:], declared=(pung,)) == ["no-meld"]
    assert codes(concealed=(*CHOWS[1:], Tile.F1)) == ["misplaced-tile"]
    assert codes(bonus=(Tile.E,)) == ["misplaced-tile"]
    assert codes(completes=Meld(Kind.PAIR, (Tile.E, Tile.E))) == ["completes-unfit"]
    assert codes(completes=Meld(Kind.PUNG, (Tile.C3,) * 3)) == ["completes-unfit"]
    assert codes(rules="../club.lp") == ["no-ruleset-name"]


def test_all_problems_are_told_at_once() -> None:
    found = codes(
        winning=Tile.F1,
        bonus=(Tile.S1, Tile.S1),
        concealed=(B1,) * 5,
        events=frozenset({Event.FISHING, Event.KONG_ON_KONG}),
    )
    assert set(found) == {
        "bonus-wins", "bonus-twice", "fifth-copy", "wrong-number", "contradiction"
    }  # fmt: skip
    assert found.count("contradiction") == 3


def test_rare_hands_are_allowed() -> None:
    replace(WON, source=Source.LOOSE)
    pung = Meld(Kind.PUNG, (Tile.R,) * 3, exposed=True)
    call = frozenset({Event.ORIGINAL_CALL})
    Hand(CHOWS[3:], (pung,), winning=Tile.C3, events=call)
    replace(WON, source=Source.ROBBING)
    replace(WON, source=Source.DISCARD, events=frozenset({Event.LAST_TILE}))
    Hand(CHOWS, events=frozenset({Event.FISHING}))


@pytest.mark.parametrize(
    ("hand", "seat", "source", "assumed"),
    [
        (WON, Wind.EAST, Source.DISCARD, ("seat", "round", "source")),
        (replace(WON, events=FIRST), Wind.EAST, Source.WALL, ("seat", "round", "source")),
        (
            replace(WON, events=FIRST, seat=Wind.SOUTH),
            Wind.SOUTH,
            Source.DISCARD,
            ("round", "source"),
        ),
        (replace(WON, events=FIRST, source=Source.WALL), Wind.EAST, Source.WALL, ("seat", "round")),
        (replace(WON, source=Source.LOOSE, round=Wind.NORTH), Wind.EAST, Source.LOOSE, ("seat",)),
        (Hand(CHOWS), Wind.EAST, None, ("seat", "round")),
    ],
)
def test_defaults(hand: Hand, seat: Wind, source: Source | None, assumed: tuple[str, ...]) -> None:
    resolved, facts = hand.resolved()
    assert (resolved.seat, resolved.source, facts) == (seat, source, assumed)
    assert resolved.round is (hand.round or Wind.EAST)
    assert resolved.resolved() == (resolved, ())


def test_a_default_that_contradicts_says_what_to_state() -> None:
    hand = replace(WON, events=FIRST, source=Source.DISCARD)
    with pytest.raises(HandError) as caught:
        hand.resolved()
    (problem,) = caught.value.problems
    assert problem.code == "contradiction"
    assert problem.help is not None
    assert "state the seat" in problem.help
