"""Divisions part by part: joined, they are those of the ordinary road."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import oracle
import pytest
import random_hands

from bench.hands import won_hands
from mjasp import Hand, HandError, Tile, facts
from mjasp.compiled.divisions import Divisions, Row
from mjasp.hand import Source
from mjasp.ruleset_files import entry_texts
from mjasp.rulesets import texts
from mjasp.solver import Program, Term

KINDS = oracle.KINDS
SUITS = ("bamboo", "characters", "dots")
# Where each part's tiles stand among all kinds.
PARTS = (range(9), range(9, 18), range(18, 27), range(27, 34))
# More for a run by hand: MJASP_MANY=20 tries twenty times as many hands.
MANY = int(os.environ.get("MJASP_MANY", "1"))


@pytest.fixture(scope="module")
def divisions() -> Divisions:
    return Divisions()


def spelled(term: Term) -> str:
    """A term as clingo writes it."""
    if not isinstance(term, tuple):
        return str(term)
    return f"{term[0]}({','.join(map(spelled, term[1:]))})"


def chosen(atoms: Iterable[str], *predicates: str) -> frozenset[str]:
    """The atoms of these predicates."""
    return frozenset(atom for atom in atoms if atom.startswith(predicates))


def counted(hand: Hand) -> list[int]:
    """How many of each kind of tile there are to divide."""
    tiles = Counter([*hand.concealed, *([hand.winning] if hand.winning else [])])
    return [tiles[kind] for kind in KINDS]


# ---- Whole hands


def joined(divisions: Divisions, hand: Hand) -> list[frozenset[str]]:
    """The divisions of a hand from those of its parts, of which just one holds a pair."""
    assert hand.winning
    counts, won = counted(hand), KINDS.index(hand.winning)
    rows = []
    for at, part in enumerate(PARTS):
        place = won - part.start if won in part else None
        rows.append(divisions.part(at, tuple(counts[part.start : part.stop]), place))
    every = [frozenset(itertools.chain(*row)) for row in itertools.product(*rows)]
    return [atoms for atoms in every if len(chosen(atoms, "formed(pair(")) == 1]


def some_hands() -> Iterator[Hand]:
    yield from won_hands(700 * MANY, seed=11)
    # Of few kinds, which can be divided in many ways; with the set completed known; false wins.
    yield from (hand for hand in random_hands.hands(700 * MANY, seed=12) if hand.winning)


def test_a_hand_is_divided_as_on_the_ordinary_road(divisions: Divisions) -> None:
    program = Program(texts("score", "european-classical"), spelled)
    several = 0
    for hand in some_hands():
        found = joined(divisions, hand)
        assert len(found) == len(set(found)), hand
        models = program.solve([*facts.hand_facts(hand), facts.LENIENT])
        expected = {
            chosen(atoms, "formed(", "completed(")
            for atoms in models
            if "counted_as(standard)" in atoms
        }
        assert set(found) == expected, hand
        several += len(found) > 1
    assert several > 100 * MANY


SHAPES = {
    "same-two": ("knitted_pairs_of_two_suits", "knitted_triples"),
    "any-two": ("knitted_pairs", "knitted_triples"),
}


def knitted(divisions: Divisions, hand: Hand, shape: str) -> list[frozenset[str]]:
    """The divisions of a hand read as a shape, from those of its ranks."""
    counts = counted(hand)
    rows = [
        divisions.knitted(shape, at + 1, (counts[at], counts[9 + at], counts[18 + at]))
        for at in range(9)
    ]
    every = [frozenset(itertools.chain(*row)) for row in itertools.product(*rows)]
    if shape == "knitted_triples":
        every = [row for row in every if len(chosen(row, "formed(knitted_pair(")) == 1]
    return every


@pytest.mark.parametrize("value", SHAPES)
def test_a_hand_is_knitted_as_on_the_ordinary_road(divisions: Divisions, value: str) -> None:
    program = Program([*texts("score", "bmja"), "#show matched/1."], spelled)
    reading = facts.reading_facts({"knitting_suits": value})
    found_once = set()
    for hand in knitted_hands(200 * MANY, seed=13):
        models = program.solve([*facts.hand_facts(hand), *reading, facts.LENIENT])
        suits = {tile.suit for tile in [*hand.concealed, hand.winning] if tile}
        for shape in SHAPES[value]:
            found = knitted(divisions, hand, shape)
            if shape == "knitted_pairs_of_two_suits" and len(suits) == 3:
                found = []  # what is asked of the whole hand
            assert len(found) == len(set(found)), hand
            matched = [atoms for atoms in models if f"matched({shape})" in atoms]
            assert set(found) == {chosen(atoms, "formed(") for atoms in matched}, hand
            found_once |= {shape} if found else set()
    assert found_once == set(SHAPES[value])


def knitted_hands(count: int, seed: int) -> Iterator[Hand]:
    """Hands of knitted pairs or triples, some with a tile that is out of place."""
    random = Random(seed)
    while count:
        suits = random.choice(("bcd", "bcd", "bc", "cd", "bd"))
        sizes = random.choice(([2] * 7, [3, 3, 3, 3, 2] if len(suits) == 3 else [2] * 7))
        few = random.sample(range(1, 10), random.randint(3, 9))  # ranks recur
        tiles = []
        for size in sizes:
            rank = random.choice(few)
            tiles += [Tile(f"{rank}{suit}") for suit in random.sample(suits, size)]
        if random.random() < 0.2:
            tiles[0] = random.choice(KINDS[:27])
        random.shuffle(tiles)
        try:
            hand = Hand(concealed=tuple(tiles[1:]), winning=tiles[0], source=Source.DISCARD)
        except HandError:  # a fifth copy
            continue
        yield hand
        count -= 1


# ---- Patterns of one part


def by_backtracking(part: int, counts: tuple[int, ...], winning: int | None) -> set[frozenset[str]]:
    """The rows of a pattern as plain Python finds them."""
    tiles = [KINDS[PARTS[part].start + at] for at, count in enumerate(counts) for _ in range(count)]
    # A tile of another part, as the pair that is lacking; the oracle asks for one pair.
    beside = KINDS[30] if part < 3 else KINDS[0]
    paired = [*tiles, beside, beside] if len(tiles) % 3 == 0 else tiles
    rows = set()
    for melds in oracle.divisions(paired):
        own = [meld for meld in melds if beside not in meld.tiles]
        named = [f"{meld.kind.value}({facts.tile_term(meld.tiles[0])})" for meld in own]
        formed = {f"formed({name},{named[: at + 1].count(name)})" for at, name in enumerate(named)}
        if winning is None:
            rows.add(frozenset(formed))
        else:
            won_on = KINDS[PARTS[part].start + winning]
            completed = {
                name for name, meld in zip(named, own, strict=True) if won_on in meld.tiles
            }
            rows |= {frozenset({*formed, f"completed({name})"}) for name in completed}
    return rows


def patterns() -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every pattern of up to three tiles, and patterns of up to fourteen at random."""
    for part, places in enumerate(PARTS):
        for number in range(4):
            for tiles in itertools.combinations_with_replacement(range(len(places)), number):
                yield part, tuple(tiles.count(at) for at in range(len(places)))
    random = Random(14)
    for _ in range(300 * MANY):
        part = random.randrange(4)
        counts = [0] * len(PARTS[part])
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(counts) - 2)
            tiles = (at, at, at) if part == 3 or random.random() < 0.3 else (at, at + 1, at + 2)
            for tile in tiles:
                counts[tile] += 1
        if random.random() < 0.5:
            counts[random.randrange(len(counts))] += 2
        if max(counts) <= 4:
            yield part, tuple(counts)


def test_a_pattern_has_the_divisions_that_backtracking_finds(divisions: Divisions) -> None:
    for part, counts in patterns():
        for winning in (None, *(at for at, count in enumerate(counts) if count)):
            rows = divisions.part(part, counts, winning)
            assert list(rows) == sorted(set(rows))
            found = {frozenset(row) for row in rows}
            assert found == by_backtracking(part, counts, winning), (part, counts, winning)


def test_a_suit_of_no_name_stands_for_each_suit(divisions: Divisions) -> None:
    # What is grounded for a suit by its name divides the same patterns in the same ways.
    for at, suit in enumerate(SUITS):
        program = Program([*entry_texts("divide"), f"part({suit})."], spelled)
        for number in (2, 3, 5, 6, 8):
            found: dict[tuple[int, ...], set[Row]] = {}
            for atoms in program.solve([f"tiles({number})", "elsewhere"]):
                row = tuple(sorted(atom for atom in atoms if not atom.startswith("copies(")))
                held = [
                    next(
                        (n for n in range(1, 5) if f"copies(suited({suit},{rank}),{n})" in atoms), 0
                    )
                    for rank in range(1, 10)
                ]
                found.setdefault(tuple(held), set()).add(row)
            for counts, rows in found.items():
                assert rows == set(divisions.part(at, counts)), (suit, counts)


def test_nothing_is_divided_in_one_way(divisions: Divisions) -> None:
    assert [divisions.part(at, (0,) * len(part)) for at, part in enumerate(PARTS)] == [((),)] * 4
    assert divisions.knitted("knitted_triples", 9, (0, 0, 0)) == ((),)


@pytest.mark.parametrize(
    ("part", "counts", "winning"),
    [
        (0, (5,) + (0,) * 8, None),
        (0, (5,) + (0,) * 8, 0),
        (1, (0,) * 9, 3),
        (1, (2,) + (0,) * 8, -1),
        (1, (2,) + (0,) * 8, 9),
        (2, (0,) * 7, None),
        (3, (0,) * 9, None),
        (3, (-1,) + (0,) * 6, None),
    ],
)
def test_counts_that_no_part_has(
    divisions: Divisions, part: int, counts: tuple[int, ...], winning: int | None
) -> None:
    with pytest.raises(ValueError, match="no part"):
        divisions.part(part, counts, winning)


def test_a_shape_there_is_not(divisions: Divisions) -> None:
    with pytest.raises(KeyError):
        divisions.knitted("knitted_quadruples", 1, (1, 1, 0))
