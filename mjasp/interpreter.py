"""A rule set's programs: from a hand's facts to the models that read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property

from mjasp import facts, models
from mjasp.changes import changed
from mjasp.compiled.divisions import Divisions
from mjasp.compiled.solving import Method, Solving
from mjasp.compiled.store import cache_folder
from mjasp.derivation import arguments_of, name_of
from mjasp.errors import HandError
from mjasp.hand import Hand
from mjasp.models import Atom, Model, Reader
from mjasp.rulesets import (
    ContestedReading,
    Pay,
    Rule,
    Ruleset,
    contested,
    describe,
    described,
    load,
    paying,
    texts,
)
from mjasp.solver import Ground, ObservedProgram, Program, Term
from mjasp.tiles import Tile

__all__ = ["Interpreter", "Readings", "Setting", "taken"]

Readings = Mapping[str, str]


class Setting:
    """What a rule set is under some readings.

    `facts` say which; `needs_waits` and `needs_calling` tell what has to be found out of a hand
    besides; `rules` are what they pay.
    """

    def __init__(self, readings: Readings, asked: list[Atom], ruleset: Ruleset) -> None:
        self.facts = facts.reading_facts(readings)
        self.needs_waits = models.states(asked, "needs_waits")
        self.needs_calling = models.states(asked, "needs_calling")
        self.rules = tuple(paying(ruleset.rules, models.paid(asked)))
        self.reader = Reader(self.rules)


class Interpreter:
    """Reads hands under one rule set; `readings` always names a value for every reading.

    The program is grounded when the interpreter is made, those for waits and calling when first
    needed; `method` says how hands are answered (see compiled.solving). Raises RulesetError for a
    rule set that does not exist or cannot be used.
    """

    def __init__(self, rules: str, method: Method = "auto") -> None:
        self._source = load(rules)
        self._texts: dict[str, list[str]] = {}
        self._program = Program(self.texts("score"), models.decode)
        readings = tuple(contested(self._program))
        by_default = {reading.id: reading.default for reading in readings}
        pay = models.paid(self._ask(by_default))
        otherwise = dict(self._pay_otherwise(readings, by_default))
        self.ruleset = describe(self._source.id, self._program, pay, otherwise, readings)
        self.may_call = {str(rule) for (rule,) in self._program.facts("may_call", 1)}
        self._settings: dict[tuple[str, ...], Setting] = {}
        self.divisions = Divisions(cache_folder())
        self._method: Method = method
        self._hands = Solving(
            self.texts("score"), models.decode, self.divisions, method, self._program
        )
        # The last search for waits: a score is asked for what its rules have asked for already.
        self._searched: tuple[tuple[object, ...], tuple[Tile, ...]] | None = None

    @cached_property
    def _waits(self) -> Solving[Atom]:
        return Solving(self.texts("waits"), models.decode, self.divisions, self._method)

    @cached_property
    def _calling(self) -> Solving[Atom]:
        return Solving(self.texts("calling"), models.decode, self.divisions, self._method)

    @cached_property
    def described(self) -> dict[str, str]:
        """The sentence that stands above each condition in the rule set's texts."""
        own = (file.text for file in self._source.own)
        return described([*self.texts("score"), *own])

    @cached_property
    def _observed_program(self) -> ObservedProgram[Atom]:
        return ObservedProgram(self.texts("score"), models.decode)

    @cached_property
    def _change_program(self) -> Program[Term]:
        return Program(self.texts("change"), models.changed)

    @cached_property
    def _dispute_program(self) -> Program[Atom | Term]:
        return Program(self.texts("dispute"), models.supposed)

    @cached_property
    def _change_calling_program(self) -> Program[Term]:
        return Program(self.texts("change-calling"), models.changed)

    def read(self, hand: Hand, readings: Readings) -> tuple[list[Model], tuple[str, ...]]:
        """Every model of a hand, each once, and what the player should know besides.

        No model at all: the hand has a winning tile and is no win.
        """
        found = self._hands.solve(self.stated(hand, readings))
        notes = models.notes(found[0]) if found else ()
        reader = self.setting(readings).reader
        return [reader.read(hand, atoms) for atoms in found], notes

    def stated(self, hand: Hand, readings: Readings) -> list[str]:
        """All that is stated to the program of a hand under some readings."""
        setting = self.setting(readings)
        stated = [*facts.hand_facts(hand), *setting.facts]
        if hand.winning:
            if setting.needs_waits:
                stated += map(facts.wait_fact, self.waits(hand, readings))
        elif setting.needs_calling:
            called = self.calling(hand, readings)
            stated += map(facts.calls_fact, sorted(self.may_call.intersection(called)))
        return stated

    def waits(self, hand: Hand, readings: Readings) -> tuple[Tile, ...]:
        """The tiles that would complete a hand, its winning tile set aside, in order.

        None where some of its tiles are unknown.
        """
        if hand.unknown_tiles:
            return ()
        setting = self.setting(readings)
        asked = hand.concealed, hand.declared, setting
        searched = self._searched  # another thread may look at a score's waits meanwhile
        if searched is None or searched[0] != asked:
            stated = [*facts.waiting_facts(hand), *setting.facts]
            searched = self._searched = asked, models.tried(self._waits.solve(stated))
        return searched[1]

    def calling(self, hand: Hand, readings: Readings) -> dict[str, tuple[Tile, ...]]:
        """The special hands that a hand is one tile short of, its winning tile set aside.

        None where some of its tiles are unknown.
        """
        if hand.unknown_tiles:
            return {}
        setting = self.setting(readings)
        found = self._calling.solve([*facts.waiting_facts(hand), *setting.facts])
        self._searched = (hand.concealed, hand.declared, setting), models.tried(found)
        return models.called(found)

    def reasons(self, hand: Hand, readings: Readings) -> tuple[str, ...]:
        """Why a hand with a winning tile is no win: what none of its divisions meets.

        Without any division, that is why; it may be that each requirement is met by some.
        """
        stated = [*facts.hand_facts(hand), *self.setting(readings).facts, facts.LENIENT]
        found = self._hands.solve(stated)
        return self.reasons_of({models.names(atoms, "violated") for atoms in found})

    def reasons_of(self, failed: AbstractSet[frozenset[str]]) -> tuple[str, ...]:
        """Why a hand is no win of which each division fails to meet some of what is asked."""
        if not failed:
            return (self.ruleset.undivided,)
        everywhere = frozenset.intersection(*failed)
        if not everywhere:
            return (self.ruleset.unmet_together,)
        asked = self.ruleset.requirements.items()
        return tuple(reason for requirement, reason in asked if requirement in everywhere)

    def truth(
        self, hand: Hand, readings: Readings, wanted: Callable[[Model], bool]
    ) -> tuple[Ground, frozenset[int]]:
        """The ground program, and what of it is true in the model of a hand that is wanted.

        Raises LookupError where no model is.
        """
        program, reader = self._observed_program, self.setting(readings).reader
        stated = self.stated(hand, readings)
        true = program.truth(stated, lambda atoms: wanted(reader.read(hand, atoms)))
        if true is None:
            raise LookupError("no such model")
        return program.ground, true

    def changes(self, hand: Hand, readings: Readings, rule: str) -> list[Term]:
        """What could be otherwise in a hand, one thing each, for a rule to fire somewhere.

        Which tiles would have completed the changed hand is not looked at. For a rule that pays a
        loser one tile short of a special hand, the changes that make it so are among them.
        """
        told = facts.told(self.stated(hand, readings))
        found = self._change_program.solve([*told, facts.sought(rule)])
        if not hand.winning and not hand.unknown_tiles:
            told = facts.told([*facts.waiting_facts(hand), *self.setting(readings).facts])
            for special in self._called_for(rule):
                found += self._change_calling_program.solve([*told, facts.sought(special)])
        return [change for changes in found for change in changes]

    def mistaken(
        self, hand: Hand, readings: Readings, number: int, deadline: float
    ) -> Iterator[tuple[tuple[Term, ...], Model]]:
        """A hand as it is read by one who takes `number` things for otherwise than they are.

        Each model with what is mistaken in it; hands that cannot be are left out. Which tiles would
        have completed the hand stays as it is. Raises TimeoutError after the models found before
        the deadline (of time.monotonic), where there may be more.
        """
        stated = [*facts.hand_facts(hand), *self.setting(readings).facts]
        asked = [*facts.told(stated), facts.mistakes(number)]
        if hand.winning:
            asked += map(facts.wait_fact, self.waits(hand, readings))
        elif self.may_call:
            called = self.calling(hand, readings)
            asked += map(facts.calls_fact, sorted(self.may_call.intersection(called)))
        found, every = self._dispute_program.solve_until(deadline, asked)
        hands: dict[tuple[Term, ...], Hand | None] = {}
        for model in found:
            atoms = [each for each in model if isinstance(each, Atom)]
            mistakes = tuple(
                sorted((each for each in model if not isinstance(each, Atom)), key=str)
            )
            if mistakes not in hands:
                hands[mistakes] = _supposed(hand, mistakes)
            supposed = hands[mistakes]
            if supposed:
                reader = self.setting(taken(readings, mistakes)).reader
                yield mistakes, reader.read(supposed, atoms)
        if not every:
            raise TimeoutError

    def texts(self, entry: str) -> list[str]:
        """The texts of a program of the rule set."""
        if entry not in self._texts:
            self._texts[entry] = texts(entry, self._source)
        return self._texts[entry]

    def told_readings(self, readings: Readings) -> dict[str, bool]:
        """Every fact that can be stated of a reading, and whether it is."""
        facts_ = self.setting(readings).facts
        return {fact: fact in facts_ for fact in self._program.inputs("reading", 2)}

    def rules(self, readings: Readings) -> tuple[Rule, ...]:
        """The rules with what they pay under some readings."""
        return self.setting(readings).rules

    def _called_for(self, rule: str) -> set[str]:
        """The special hands that a rule pays a loser one tile short of."""
        tied = (term for each, term in self._program.atoms("condition", 2) if each == rule)
        return {str(condition[1]) for condition in tied if isinstance(condition, tuple)}

    def _pay_otherwise(
        self, readings: Iterable[ContestedReading], by_default: Readings
    ) -> Iterator[tuple[tuple[str, str], Pay]]:
        """What the rules pay under each other value of each reading, where that matters at all."""
        written = self._program.written
        if all(written("pays", arity) == written("pays", arity, facts=True) for arity in (3, 4)):
            return
        for each in readings:
            for value in each.alternatives:
                pay = models.paid(self._ask({**by_default, each.id: value}))
                yield (each.id, value), pay

    def _ask(self, readings: Readings) -> list[Atom]:
        """What the rules pay under some readings: the model of no hand at all."""
        (asked,) = self._program.solve([*facts.reading_facts(readings), facts.ASKED])
        return asked

    def setting(self, readings: Readings) -> Setting:
        """What the rule set is under some readings."""
        key = tuple(readings.values())
        setting = self._settings.get(key)
        if setting is None:
            setting = Setting(readings, self._ask(readings), self.ruleset)
            self._settings[key] = setting
        return setting


def _supposed(hand: Hand, mistakes: Iterable[Term]) -> Hand | None:
    """The hand as it is taken to be; None where no such hand can be."""
    try:
        for mistake in mistakes:
            hand = changed(hand, mistake)
    except HandError:
        return None
    return hand


def taken(readings: Readings, mistakes: Iterable[Term]) -> Readings:
    """The readings as they are taken to be."""
    others = (arguments_of(each) for each in mistakes if name_of(each) == "reading")
    return {**readings, **{str(name): str(value) for name, value in others}}
