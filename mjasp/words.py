"""What is said in a language: tiles, sets, rules and every step of a derivation.

A language is one file, `encodings/words/<language>.toml`; its head says how it is written.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from mjasp import resources
from mjasp.derivation import Step, arguments_of, name_of
from mjasp.facts import tile_term
from mjasp.hand import Meld
from mjasp.models import tiles_of
from mjasp.rulesets import Rule
from mjasp.solver import Term
from mjasp.tiles import Tile

__all__ = ["DEFAULT", "Words", "spoken", "witnesses"]

DEFAULT = "en"

_PLACE = re.compile(r"\{([a-z0-9]+(?:\.\d+)*)(?::(the|many|raw))?\}")
_ENDS = re.compile(r"\{\d[^}]*\}$")
_SUITED = "suited"
# So many more things of a kind are not told one by one.
_MANY = 4


def spoken(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the locale; English where it is not among ours.

    >>> spoken({"LC_ALL": "", "LANG": "fr_CH.UTF-8"}), spoken({"LANG": "C"})
    ('fr', 'en')
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    language = re.split(r"[_.@-]", locale)[0]
    return language if language in resources.languages() else DEFAULT


class Words:
    """One language. `rules` are those that may be spoken of by their ids.

    `described` are sentences for conditions that the language does not know: a club's own.
    """

    def __init__(
        self,
        language: str = DEFAULT,
        rules: Iterable[Rule] = (),
        described: Mapping[str, str] | None = None,
    ) -> None:
        self.language = language
        self._told = _file(language)
        self._sentences = _Patterns(self._told["sentences"])
        self._changes = _Patterns(self._told["changes"])
        self._mistakes = _Patterns(self._told["mistakes"])
        self._rules = {rule.id: rule for rule in rules}
        self._described = described or {}

    # ---- Names

    def rule_name(self, rule: Rule) -> str:
        """The name of a rule; the rule set's own where the language has none.

        >>> rule = Rule("pung_hand", "Pung hand", "doubles", {}, "winner", "")
        >>> Words("fr").rule_name(rule)
        'Main de pungs'
        """
        return self.named(rule.id, rule.name)

    def named(self, rule: str, name: str) -> str:
        """The name of the rule of that id; `name` where the language has none."""
        names: Mapping[str, str] = self._told.get("rules", {})
        return names.get(rule, name)

    def tile(self, tile: Tile, form: str = "") -> str:
        """A tile's name, or with `many` that of several.

        >>> Words().tile(Tile.B5), Words("fr").tile(Tile.G, "many")
        ('5 bamboo', 'dragons verts')
        """
        return self._tile(_structure(tile_term(tile)), form)

    def term(self, term: Term, form: str = "") -> str:
        """What a term of an atom is called: a tile, a set, a rule, a wind, a number.

        >>> Words().term(("chow", ("suited", "dots", 2)), "the")
        'the chow 2-3-4 dots'
        """
        name = name_of(term)
        if form == "raw":
            return name
        if name in self._told["sets"]:
            return self._set(term, form)
        if name == _SUITED or _text(term) in self._told["tiles"]:
            return self._tile(term, form)
        if name in self._told["terms"]:
            return str(self._told["terms"][name])
        return self.rule_name(self._rules[name]) if name in self._rules else name.replace("_", " ")

    def set(self, meld: Meld, form: str = "") -> str:
        """What a set is called, or with `the` with its article.

        >>> from mjasp.hand import Kind
        >>> Words("fr").set(Meld(Kind.PAIR, (Tile.E, Tile.E)), "the")
        "la paire de vents d'est"
        """
        return self._set((meld.kind.value, _structure(tile_term(meld.tiles[0]))), form)

    def _tile(self, term: Term, form: str) -> str:
        match term:
            case ("suited", suit, rank):
                return str(self._told["suits"][suit]).format(rank)
        return str(self._told["tiles"][_text(term)][form == "many"])

    def _set(self, term: Term, form: str) -> str:
        tiles = tiles_of(term)
        if name_of(term) == "chow":
            suit = arguments_of(arguments_of(term)[0])[0]
            called = self._told["suits"][suit].format("-".join(str(tile.rank) for tile in tiles))
        elif name_of(term).startswith("knitted"):
            called = self.listed(map(self.tile, tiles))
        else:
            called = self.tile(tiles[0], "many")
        return str(self._told["sets"][name_of(term)][form == "the"]).format(called)

    # ---- Sentences

    def listed(self, texts: Iterable[str], conjunction: str = "and") -> str:
        """The texts in a list, `and` or `or` before the last.

        >>> Words().listed(["a pung", "a chow", "a pair"])
        'a pung, a chow and a pair'
        """
        *first, last = dict.fromkeys(texts) or ("",)
        both = [", ".join(first), last] if first else [last]
        return str(self._told["language"][conjunction]).join(both)

    def joined(self, sentences: Iterable[str]) -> str:
        """The sentences as one."""
        several = list(dict.fromkeys(filter(None, sentences)))
        if len(several) > 2:
            return self.apart(several)
        return str(self._told["language"]["also"]).join(several)

    def apart(self, texts: Iterable[str]) -> str:
        """The texts one after the other, a semicolon between them.

        >>> Words().apart(["30 + 2 = 32", "32 x 2 = 64"])
        '30 + 2 = 32; 32 x 2 = 64'
        """
        return str(self._told["language"]["apart"]).join(texts)

    def knows(self, atom: Term) -> bool:
        """Whether the language has a sentence of its own for an atom."""
        return self._sentences.of(atom) is not None

    def sentences(self, steps: Iterable[Step]) -> str:
        """The steps as one sentence; those that say the same of several things are one."""
        alike: dict[object, Step] = {}
        for step in steps:
            told = self._sentences.of(step.atom)
            ends = told is not None and step.holds and _ENDS.search(told["is"])
            key = id(told) if ends else step
            first = alike.get(key)
            alike[key] = replace(first, others=(*first.others, step.atom)) if first else step
        return self.joined(map(self.sentence, alike.values()))

    def sentence(self, step: Step) -> str:
        """A step in one sentence, without its full stop."""
        told = self._sentences.of(step.atom)
        if told is None:
            return self._own(step)
        text = told["is"] if step.holds else told.get("not", "{because}")
        if not step.holds and (len(step.others) >= _MANY or (step.others and "not" not in told)):
            text = told.get("none", text)
        if not step.holds and "{what}" in text and not _there(step):
            text = told.get("none", text)
        return self._filled(text, step) or self._denied(told, step)

    def change(self, change: Term) -> str:
        """What is otherwise, such as `if the seat wind were south`."""
        return self._filled(self._changes.of(change), Step(change, True, False, ()))

    def mistake(self, change: Term) -> str:
        """What was taken for otherwise, such as `the seat wind was taken for south`."""
        return self._filled(self._mistakes.of(change), Step(change, True, False, ()))

    def account(self, key: str, **values: object) -> str:
        """A phrase of how a number can have come about."""
        return str(self._told["dispute"][key]).format(**values)

    def answer(self, key: str, **values: object) -> str:
        """A phrase of the answer to a question."""
        text = str(self._told["answers"][key]).format(**values)
        return text[0].upper() + text[1:]

    # ---- Traces

    def say(self, key: str, variant: str = "", **values: object) -> str:
        """A phrase of a trace; that for the `variant`, a kind of set, where the language has one.

        >>> Words().say("total"), Words("fr").say("exposed", "pair")
        ('Total', 'exposée')
        """
        trace = self._told["trace"]
        return str(trace.get(f"{key}_{variant}", trace[key])).format(**values)

    def teach(self, key: str, **values: object) -> str:
        """A phrase of a lesson."""
        text = str(self._told["lesson"][key]).format(**values)
        return text[0].upper() + text[1:]

    def count(self, number: int, unit: str) -> str:
        """So many points or doubles.

        >>> Words().count(1, "doubles")
        '1 double'
        """
        return str(self._told["counts"][unit][number != 1]).format(number)

    def told(self, text: str) -> str:
        """What an encoding says of a result, such as a note; as it is where there is no other."""
        for pattern, other in self._told.get("texts", {}).items():
            match = re.fullmatch(re.escape(pattern).replace(r"\{\}", "(.+)"), text)
            if match:
                return str(other).format(*match.groups())
        return text

    def _denied(self, told: Mapping[str, str], step: Step) -> str:
        return f"{self._told['language']['not']}{self._filled(told['is'], step)}"

    def _own(self, step: Step) -> str:
        """A sentence for what the language does not know."""
        name = name_of(step.atom)
        name = name_of(arguments_of(step.atom)[0]) if name == "holds" else name
        text = self._described.get(name, name.replace("_", " "))
        return text if step.holds else f"{self._told['language']['not']}{text}"

    def _filled(self, text: str, step: Step) -> str:
        def fill(place: re.Match[str]) -> str:
            if place[1] == "what":
                return self._things(witnesses(step), "the", "and")
            if place[1] == "because":
                return self.sentences(step.because)
            terms = [_argument(atom, place[1]) for atom in (step.atom, *step.others)]
            return self._things(terms, place[2] or "", "and" if step.holds else "or")

        return _PLACE.sub(fill, text)

    def _things(self, terms: Iterable[Term], form: str, conjunction: str) -> str:
        """The terms in a list, tiles of one suit together: 3-4-5 bamboo."""
        ranks: dict[str, list[str]] = {}
        for term in terms:
            match term:
                case ("suited", str(suit), rank):
                    ranks.setdefault(self._told["suits"][suit], []).append(str(rank))
                case _:
                    ranks.setdefault(self.term(term, form), [])
        texts = [text.format("-".join(dict.fromkeys(sorted(of)))) for text, of in ranks.items()]
        return self.listed(texts, conjunction)


def _argument(atom: Term, path: str) -> Term:
    for at in path.split("."):
        atom = arguments_of(atom)[int(at)]
    return atom


def witnesses(step: Step) -> tuple[Term, ...]:
    """The tiles and sets that make a step so: the nearest below it that are there.

    Where something is missed, they are what there is of it.
    """
    there = _there(step)
    if there and not step.holds:
        return there
    found: dict[Term, None] = {}
    for each in step.because:
        found |= dict.fromkeys(_there(Step("", True, False, (each,))) or witnesses(each))
    return tuple(found)


def _there(step: Step) -> tuple[Term, ...]:
    """The tiles and sets of what holds directly below a step."""
    found: dict[Term, None] = {}
    for each in step.because:
        own = [term for term in arguments_of(each.atom) if tiles_of(term)] if each.holds else []
        found |= dict.fromkeys(own[-1:])
    return tuple(found)


@cache
def _file(language: str) -> Mapping[str, Any]:
    """What a language's file says, which is read once."""
    return tomllib.loads(resources.words(language))


class _Patterns:
    """Texts by atom: the most telling key that fits, `_` standing for anything."""

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self._texts: dict[str, list[tuple[list[str], Any]]] = {}
        for key, text in texts.items():
            name, _, arguments = key.rstrip(")").partition("(")
            pattern = arguments.split(",") if arguments else []
            self._texts.setdefault(name, []).append((pattern, text))

    def of(self, atom: Term) -> Any:  # noqa: ANN401 - a text, or several
        names = [name_of(argument) for argument in arguments_of(atom)]
        fitting = [
            (sum(each != "_" for each in pattern), len(pattern), text)
            for pattern, text in self._texts.get(name_of(atom), ())
            if len(pattern) <= len(names) and all(map(_fits, pattern, names))
        ]
        return max(fitting, key=lambda each: each[:2])[2] if fitting else None


def _fits(pattern: str, name: str) -> bool:
    return pattern in {"_", name}


def _text(term: Term) -> str:
    return f"{term[0]}({','.join(map(_text, term[1:]))})" if isinstance(term, tuple) else str(term)


def _structure(text: str) -> Term:
    """The term that a tile's text stands for."""
    name, _, arguments = text.rstrip(")").partition("(")
    return (name, *(int(each) if each.isdigit() else each for each in arguments.split(",")))
