"""What a club's file may say: its statements looked at one by one, before anything is solved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from mjasp import vocabulary
from mjasp.errors import Problem
from mjasp.ruleset_files import File, Source, entry_texts
from mjasp.statements import Mention, Place, Statement, column_of, read

__all__ = ["ENTRIES", "Club", "Said", "located", "statement_problems", "supplement", "unreadable"]

# The programs that a rule set is part of.
ENTRIES = ("score", "waits", "calling", "change", "change-calling", "open")

Signature = tuple[str, int]

# What is no fact and no rule, in words; the names are those of Statement.kind and Statement.odd.
_REFUSED = {
    "Aggregate": "a choice",
    "BooleanConstant": "a constraint",
    "Comparison": "a comparison in place of an atom",
    "Defined": "`#defined`",
    "Definition": "`#const`",
    "Disjunction": "a choice between atoms",
    "Edge": "`#edge`",
    "External": "`#external`",
    "ExternalFunction": "an external function",
    "HeadAggregate": "a choice",
    "Heuristic": "`#heuristic`",
    "Minimize": "an optimisation",
    "Program": "`#program`",
    "ProjectAtom": "`#project`",
    "ProjectSignature": "`#project`",
    "Script": "a script",
    "ShowSignature": "`#show`",
    "ShowTerm": "`#show`",
    "Sign": "a negation in place of an atom",
    "TheoryAtom": "a theory atom",
    "TheoryDefinition": "`#theory`",
    "UnaryOperation": "an atom with `-` before it",
}

_TOKENS = {
    "EOF": "the end of the file",
    "<IDENTIFIER>": "a name in small letters",
    "<VARIABLE>": "a variable",
    "<NUMBER>": "a number",
    "<STRING>": "a text in quotes",
}
_MESSAGE = re.compile(r"<string>:(\d+):(\d+)(?:-(?:(\d+):)?(\d+))?: error: (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Said:
    """A statement and the file that it stands in."""

    file: File
    statement: Statement


class Club:
    """What a club's files say, beside what the shipped files say."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.said = [
            Said(file, statement) for file in source.own for statement in read(file.program)[0]
        ]

    @cached_property
    def encodings(self) -> dict[str, list[Statement]]:
        """The texts of all programs, without any rule set, and their statements."""
        texts = dict.fromkeys(text for entry in ENTRIES for text in entry_texts(entry))
        return {text: read(text)[0] for text in texts}

    def shipped(self, *entries: str) -> list[Statement]:
        """The statements of an entry's program, without any rule set; of all without an entry."""
        texts = dict.fromkeys(text for entry in entries or ENTRIES for text in entry_texts(entry))
        return [statement for text in texts for statement in self.encodings[text]]

    @cached_property
    def heads(self) -> list[tuple[Said, Mention]]:
        """What the club's files derive, and where."""
        return [(said, head) for said in self.said for head in said.statement.head]

    @property
    def statements(self) -> list[Statement]:
        """The statements of the club's files."""
        return [said.statement for said in self.said]

    @cached_property
    def bodies(self) -> list[tuple[Said, Mention]]:
        """What the club's rules ask for, and where."""
        return [(said, mention) for said in self.said for mention in said.statement.body]

    @cached_property
    def own_conditions(self) -> set[str]:
        """The conditions that the club's files derive."""
        return {
            str(head.arguments[0])
            for _, head in self.heads
            if head.signature in {("holds", 2), ("fits", 1)}
        }


def unreadable(source: Source) -> list[Problem]:
    """What clingo's parser cannot read, in words: the first of each file."""
    found = []
    for file in source.own:
        _, messages = read(file.program)
        if messages:
            found.append(_syntax_problem(file, messages[0]))
    return found


def _syntax_problem(file: File, message: str) -> Problem:
    lines = file.program.split("\n")
    matched = _MESSAGE.match(message)
    assert matched, message
    row, byte, _, end_byte, told = matched.groups()
    line = int(row)
    if line > len(lines) or "unexpected EOF" in told:
        line = max((at for at, text in enumerate(lines, 1) if text.strip()), default=1)
        end = len(lines[line - 1].rstrip()) + 1
        problem = Problem(
            "unfinished", "the file ends in the middle of a rule", help="end it with a full stop"
        )
        return problem.at(line, end, end + 1).in_file(file.name)
    text = lines[line - 1]
    column, end = column_of(text, int(byte)), column_of(text, int(end_byte or byte))
    end = max(end, column + 1)
    code, words, help_ = _syntax_words(text[column - 1 : end - 1], text[: column - 1])
    expected = re.search("expecting (.*)", told)
    tokens = expected[1].split(" or ") if expected else []
    problem = Problem(code, words, expected=tuple(map(_token, tokens)), help=help_)
    return problem.at(line, column, end).in_file(file.name)


def _token(token: str) -> str:
    token = token.strip()
    return _TOKENS.get(token, f"`{token}`")


def _syntax_words(word: str, before: str) -> tuple[str, str, str]:
    """Code, message and help for a word that cannot stand where it does."""
    if word.startswith('"'):
        return "open-text", "this text in quotes is never closed", "close it on the same line"
    if word.startswith("#"):
        return "refused", f"`{word}` is no word of a rule-set file", _RULES_ONLY
    name = re.search(r"\b([A-Z]\w*)\s*$", before)
    if word == "(" and name:
        written = name[1][0].lower() + name[1][1:]
        help_ = f"names begin with a small letter, variables with a capital: `{written}`"
        return "unreadable", f"`{name[1]}` is a variable and takes no brackets", help_
    help_ = "look before it for a missing full stop, comma or bracket"
    return "unreadable", f"`{word}` cannot stand here", help_


_RULES_ONLY = "a rule-set file holds facts and rules, such as `head :- body.`, and includes"


def statement_problems(club: Club) -> Iterator[Problem]:
    """What no rule-set file may say, or says of what there is not."""
    for said in club.said:
        yield from _refused(said)
    yield from _head_problems(club)
    yield from _body_problems(club)
    yield from _early_problems(club)
    yield from _circular_problems(club)


def located(said: Said, place: Place, problem: Problem) -> Problem:
    """The problem with its place in a club's file."""
    return problem.at(place.line, place.column, place.end_column).in_file(said.file.name)


def _refused(said: Said) -> Iterator[Problem]:
    statement = said.statement
    kinds = [(statement.kind, statement.place)] if statement.kind != "Rule" else []
    for kind, place in (*kinds, *statement.odd):
        what = _REFUSED.get(kind, "this")
        problem = Problem("refused", f"{what} cannot stand in a rule-set file", help=_RULES_ONLY)
        yield located(said, place, problem)


def _head_problems(club: Club) -> Iterator[Problem]:
    stated = vocabulary.stated()
    shipped = {head.signature for s in club.shipped() for head in s.head}
    asked = {mention.signature for _, mention in club.bodies}
    conditions = vocabulary.conditions()
    for said, head in club.heads:
        if said.statement.kind != "Rule":
            continue  # refused as a whole
        condition = head.arguments[0] if head.signature in {("holds", 2), ("fits", 1)} else ""
        problem = None
        if condition is None:
            help_ = "write its name, as in `holds(my_condition, hand)`"
            problem = Problem("no-name", "this condition has no name of its own", help=help_)
        elif condition in conditions:
            message = f"`{condition}` is a condition of the program's"
            problem = Problem("taken", message, help="give yours another name")
        elif head.signature in stated:
            continue
        elif head.signature in shipped:
            message = f"`{_form(head)}` is derived by the program, and no file may add to it"
            problem = Problem("taken", message, help="give yours another name")
        elif head.signature not in asked:
            message = f"nothing asks for `{_form(head)}`"
            problem = _near(Problem("unknown-predicate", message), head.name, _forms(stated))
        if problem:
            yield located(said, head.place, problem)


def _body_problems(club: Club) -> Iterator[Problem]:
    stated = vocabulary.stated()
    known = {*vocabulary.predicates(), *stated, *(head.signature for _, head in club.heads)}
    conditions = {*vocabulary.conditions(), *club.own_conditions}
    for said, mention in club.bodies:
        if mention.signature not in known:
            message = f"there is no predicate `{_form(mention)}` that a rule may ask for"
            problem = Problem("unknown-predicate", message)
            yield located(said, mention.place, _near(problem, mention.name, _forms(known)))
        elif mention.signature == ("holds", 2):
            yield from _condition_problems(said, mention, mention.arguments[0], conditions)
    for said, head in club.heads:
        place = {("condition", 2): 1, ("event", 1): 0, ("whole_shape", 1): 0}.get(head.signature)
        if place is not None and head.arguments[place] is not None:
            yield from _condition_problems(said, head, head.arguments[place], conditions)


def _condition_problems(
    said: Said, mention: Mention, name: str | None, known: set[str]
) -> Iterator[Problem]:
    if name is None:
        help_ = "write its name, as in `holds(no_chow, hand)`"
        yield located(said, mention.place, Problem("no-name", "say which condition", help=help_))
    elif name not in known and not name.startswith(("one_tile_short(", "declared_one_tile_short(")):
        problem = Problem("unknown-condition", f"there is no condition `{name}`")
        yield located(said, mention.place, _near(problem, name, sorted(known)))


def _early_problems(club: Club) -> Iterator[Problem]:
    """What the rule set is may not depend on a hand, nor a shape on how the hand is divided."""
    of_hands = vocabulary.predicates().keys() - {("reading", 2)} | {("holds", 2)}
    late = {("tied", 1), *of_hands} - _before_division(club)
    stated = vocabulary.stated()
    rests_on_hand = of_hands | _dependents(of_hands, club.statements)
    rests_on_division = late | _dependents(late, club.statements)
    for said, head in club.heads:
        if head.signature not in stated or head.signature == ("holds", 2):
            continue
        shape = head.signature == ("fits", 1)
        for mention in said.statement.body:
            if mention.signature in (rests_on_division if shape else rests_on_hand):
                what = "how the hand is divided" if shape else "the hand"
                message = f"`{head.name}` cannot depend on {what}, as `{mention.name}` does"
                help_ = "let a condition of your own ask for it: `holds(my_condition, hand)`"
                yield located(said, mention.place, Problem("too-late", message, help=help_))


def _before_division(club: Club) -> set[Signature]:
    """The predicates that are known before the hand is divided, in every program."""
    waits = {head.signature for s in club.shipped("waits") for head in s.head}
    return waits - {("holds", 2)} - _dependents({("tied", 1), ("holds", 2)}, club.shipped())


def _dependents(of: set[Signature], statements: Iterable[Statement]) -> set[Signature]:
    """The predicates that rest on some of these."""
    rules = [
        ({head.signature for head in s.head}, {mention.signature for mention in s.body})
        for s in statements
    ]
    found: set[Signature] = set()
    grown = True
    while grown:
        grown = False
        for heads, body in rules:
            if body & (found | of) and not heads <= found:
                found |= heads
                grown = True
    return found


def _circular_problems(club: Club) -> Iterator[Problem]:
    """Rules that derive something where it is not so: no hand could be read under them."""
    edges: dict[str, set[str]] = {}
    for said, head in club.heads:
        edges.setdefault(_node(head), set()).update(map(_node, said.statement.body))
    for said, head in club.heads:
        for mention in said.statement.body:
            if not mention.plain and _reaches(edges, _node(mention), _node(head)):
                message = f"`{_node(head)}` rests on its own negation or count"
                help_ = "derive it from other things than itself"
                yield located(said, mention.place, Problem("circular", message, help=help_))


def _node(mention: Mention) -> str:
    """What a rule derives or asks for; conditions are told apart by their names."""
    if mention.signature == ("holds", 2):
        return f"holds({mention.arguments[0]})"
    return f"{mention.name}/{len(mention.arguments)}"


def _reaches(edges: dict[str, set[str]], start: str, goal: str) -> bool:
    seen, open_ = set[str](), [start]
    while open_:
        node = open_.pop()
        if node == goal:
            return True
        if node not in seen:
            seen.add(node)
            open_.extend(edges.get(node, ()))
    return False


def _form(mention: Mention) -> str:
    """A predicate with a place for each of its arguments."""
    count = len(mention.arguments)
    return f"{mention.name}({', '.join('_' * count)})" if count else mention.name


def _forms(signatures: Iterable[Signature]) -> list[str]:
    """Predicates as they are described."""
    words = {**vocabulary.predicates(), **vocabulary.stated()}
    return sorted(words[each].form if each in words else each[0] for each in signatures)


def _near(problem: Problem, name: str, forms: Iterable[str]) -> Problem:
    """The problem with the nearest of what there is."""
    by_name: dict[str, list[str]] = {}
    for form in forms:
        by_name.setdefault(form.partition("(")[0], []).append(form)
    near = get_close_matches(name, by_name, n=2, cutoff=0.5)
    meant = [f"`{form}`" for each in near for form in by_name[each]]
    help_ = f"did you mean {' or '.join(meant)}?" if meant else "see docs/own-rules.md for them all"
    return Problem(problem.code, problem.message, help=help_)


def supplement(club: Club) -> str:
    """What a club's files leave to be found in them: what of the program's their rules ask for.

    It belongs to every program that the files are part of. Not all of them derive all that a rule
    may ask for: what they do not is declared.
    """
    own = {head.signature for _, head in club.heads}
    asked = {mention.signature for _, mention in club.bodies} - own - {("holds", 2)}
    names = {name for name, _ in asked} | {
        str(mention.arguments[0]) for _, mention in club.bodies if mention.signature == ("holds", 2)
    }
    declared = [f"#defined {name}/{arity}." for name, arity in sorted(asked)]
    facts = [f"asked_for({name})." for name in sorted(names - club.own_conditions)]
    return "\n".join([*declared, *facts])
