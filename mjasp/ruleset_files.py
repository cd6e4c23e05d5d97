"""The files of a rule set: found, included, and kept to the folders that they may come from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from mjasp import resources
from mjasp.errors import Problem, RulesetError

__all__ = ["File", "Source", "entry_texts", "load", "place", "shipped", "unknown"]

# clingo would take a number above it for another, without a word.
_HIGHEST = 2**31 - 1

# All files of a club together; the largest rule set shipped has a tenth of it.
_MOST_BYTES = 256 * 1024

_INCLUDE = re.compile(r'^[ \t]*#include[ \t]*"([^"\n]+)"[ \t]*\.[ \t]*$', re.MULTILINE)
# What a rule-set file is made of, as far as comments and includes have to be told from the rest,
# and numbers that are too high found.
_TOKEN = re.compile(
    r"""(?P<block>%\*.*?\*%) | (?P<open>%\*) | (?P<comment>%[^\n]*) | (?P<text>"(?:[^"\\\n]|\\.)*")
    | (?P<include>\#include\s*"(?P<name>[^"\\\n]*)"\s*\.) | (?P<word>\#include)
    | (?P<number>(?<![\w'])(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|[1-9][0-9]*))
    | (?P<odd>[^\n\t\x20-\x7e])""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class File:
    """A club's file: its name for people, its text, and its program.

    The program is the text with a blank for each character of its comments and includes, so that
    a place in the one is the same place in the other.
    """

    name: str
    text: str
    program: str


@dataclass(frozen=True, slots=True)
class Source:
    """All files of a rule set: the texts of the shipped ones, and a club's own.

    An included file stands before the file that includes it.
    """

    id: str
    shipped: tuple[str, ...]
    own: tuple[File, ...] = ()


def shipped() -> tuple[str, ...]:
    """The ids of the rule sets that come with the program."""
    return tuple(sorted(path.stem for path in _shipped_folder().glob("*.lp")))


def load(rules: str) -> Source:
    """The files of a rule set: a shipped one by its id, a club's by its path, which ends in `.lp`.

    Includes are followed here and not by clingo, which would look in the working directory first.
    Raises RulesetError for a rule set that does not exist, for a link to a file of another folder,
    and for a file that cannot be read or names a file that it may not include.

    >>> load("bmja").own
    ()
    """
    if not rules.endswith(".lp"):
        if rules not in shipped():
            raise RulesetError(unknown("ruleset", "rule set", rules, shipped()))
        return _load_shipped(rules)
    path = _real(Path(rules))
    if path and path.parent == _shipped_folder() and path.stem in shipped():
        return _load_shipped(path.stem)
    if path is None or not path.exists():
        raise RulesetError(Problem("no-ruleset-file", f"there is no file {rules!r}"))
    if not path.is_file():
        raise RulesetError(Problem("no-ruleset-file", f"{rules!r} is no file that can be read"))
    # A file is quoted where something is wrong with it: not one that a stranger's link leads to.
    if path.suffix != ".lp" or path.parent != _real(Path(rules).parent):
        message = f"{rules!r} is a link to a file of another folder or kind"
        help_ = "give the path of the file itself"
        raise RulesetError(Problem("link-outside", message, help=help_))
    name = Path(rules).stem
    if name in shipped():
        message = f"{rules!r} has the name of the shipped rule set {name!r}"
        raise RulesetError(Problem("name-taken", message, help="give the file another name"))
    club = _Club(path.parent)
    club.read(path)
    return Source(name, tuple(club.shipped.values()), tuple(club.own.values()))


def entry_texts(entry: str) -> list[str]:
    """The texts of an entry file (`score`, `waits`, ...) and all that it includes."""
    found: dict[Path, str] = {}
    _follow(resources.encodings() / f"{entry}.lp", found)
    return list(found.values())


def unknown(code: str, what: str, name: str, known: tuple[str, ...]) -> Problem:
    """The problem of a name that does not exist, with the nearest that do."""
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    help_ = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known)}"
    return Problem(f"unknown-{code}", f"there is no {what} {name!r}", help=help_)


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset in a text, both counted from 1."""
    before = text[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n")


def _shipped_folder() -> Path:
    return resources.encodings() / "rulesets"


def _load_shipped(name: str) -> Source:
    found: dict[Path, str] = {}
    _follow(_shipped_folder() / f"{name}.lp", found)
    return Source(name, tuple(found.values()))


def _follow(path: Path, found: dict[Path, str]) -> None:
    """Read a shipped file and, before it, what it includes."""
    text = path.read_text(encoding="utf-8")
    for name in _INCLUDE.findall(text):
        included = (path.parent / name).resolve()
        if included not in found:
            _follow(included, found)
    found[path] = _INCLUDE.sub("", text)


@dataclass(slots=True)
class _Club:
    """The files of a club's folder and the shipped ones that they include."""

    folder: Path
    shipped: dict[Path, str] = field(default_factory=dict)
    own: dict[Path, File] = field(default_factory=dict)
    _reading: list[Path] = field(default_factory=list)
    _bytes: int = 0

    def read(self, path: Path) -> None:
        """Read a file and, before it, what it includes."""
        self._reading.append(path)
        text = self._text(path)
        program, includes = _split(path.name, text)
        for name, offset in includes:
            included = self._included(name)
            if isinstance(included, Problem):
                raise _error(path.name, text, included, (offset, offset + len("#include")))
            if included.parent == _shipped_folder():
                _follow(included, self.shipped)
            elif included not in self.own:
                self.read(included)
        self._reading.remove(path)
        self.own[path] = File(path.name, text, program)

    def _included(self, name: str) -> Path | Problem:
        """The real path of an included file, or why it may not be included."""
        own = _real(self.folder / name)
        if name in _shipped_names():
            if own and own.exists():
                message = f"{name!r} is a shipped rule set's name, and a file here has it too"
                return Problem("ambiguous-include", message, help="give your file another name")
            return self._started_from(_shipped_folder() / name)
        if own is None or own.parent != self.folder or own.suffix != ".lp":
            message = f"{name!r} is neither a shipped rule set nor a `.lp` in this file's folder"
            return Problem("include-outside", message, help="a file includes only these")
        if not own.is_file():
            beside = sorted(path.name for path in self.folder.glob("*.lp"))
            return unknown("include", "file to include named", name, (*beside, *_shipped_names()))
        if own in self._reading:
            message = f"{name!r} would include itself, as it is or by way of others"
            return Problem("circular-include", message, help="put what both need in a third file")
        return own

    def _started_from(self, path: Path) -> Path | Problem:
        """A shipped file, or a problem where the files start from another rule set already."""
        found: dict[Path, str] = {}
        _follow(path, found)
        if found.keys() >= self.shipped.keys() or path in self.shipped:
            return path
        message = f"{path.name!r} is another rule set than the one that is included already"
        return Problem("two-rule-sets", message, help="a file starts from one rule set")

    def _text(self, path: Path) -> str:
        try:
            with path.open("rb") as file:
                read = file.read(_MOST_BYTES + 1)
        except OSError:
            raise RulesetError(Problem("no-ruleset-file", f"{path.name} cannot be read")) from None
        self._bytes += len(read)
        if self._bytes > _MOST_BYTES:
            message = f"{path.name} and what it includes is longer than {_MOST_BYTES // 1024} KB"
            raise RulesetError(Problem("ruleset-too-long", message))
        try:
            text = read.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = read.count(b"\n", 0, error.start) + 1
            column = error.start - read.rfind(b"\n", 0, error.start)
            problem = Problem("no-text", "this is no UTF-8 text", help="save the file as UTF-8")
            placed = problem.at(line, column, column + 1).in_file(path.name)
            raise RulesetError(placed) from None
        return text.replace("\r\n", "\n")


def _shipped_names() -> tuple[str, ...]:
    return tuple(f"{name}.lp" for name in shipped())


def _real(path: Path) -> Path | None:
    """The path with all symlinks resolved, None where no file can have it."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _error(name: str, text: str, problem: Problem, span: tuple[int, int]) -> RulesetError:
    line, column = place(text, span[0])
    placed = problem.at(line, column, column + span[1] - span[0])
    return RulesetError(placed.in_file(name), text=text)


def _split(name: str, text: str) -> tuple[str, list[tuple[str, int]]]:
    """The program of a club's file, and what it includes and where.

    What clingo is given holds no comment and no include. So it cannot take anything for an include
    that is not taken for one here.
    """
    program, includes = [], []
    end = 0
    for token in _TOKEN.finditer(text):
        problem = _token_problem(token)
        if problem:
            raise _error(name, text, problem, token.span())
        if token["include"]:
            includes.append((token["name"], token.start()))
        program.append(text[end : token.start()])
        kept = token["text"] or token["number"]
        program.append(kept or re.sub(r"[^\n]", " ", token[0]))
        end = token.end()
    program.append(text[end:])
    return "".join(program), includes


def _token_problem(token: re.Match[str]) -> Problem | None:
    if token["open"]:
        return Problem("open-comment", "this comment is never closed", help="close it with `*%`")
    if token["word"] or "#include" in (token["text"] or ""):
        help_ = 'write `#include "european-classical.lp".`, and a full stop after it'
        return Problem("bad-include", "`#include` cannot stand so", help=help_)
    if token["odd"]:
        message = f"the character {token[0]!r} stands outside a comment and a text in quotes"
        return Problem("odd-character", message, help="names are written in plain letters")
    if token["number"] and (len(token[0]) > 40 or int(token[0], 0) > _HIGHEST):
        message = "this number is too high"
        return Problem("bad-number", message, help=f"no number is above {_HIGHEST}")
    if token["text"] and ("\\n" in token["text"] or not token["text"].isprintable()):
        return Problem("odd-character", "this text holds what no line can", help="retype it")
    return None
