"""The command that prints a script for the shell, which then completes what `mjasp` takes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import mjasp
from mjasp.commands.common import Answer, command

if TYPE_CHECKING:
    from mjasp.commands.common import Commands

__all__ = ["add"]

_COMPLETION = """\
examples:
  mjasp completion bash > ~/.local/share/bash-completion/completions/mjasp
  mjasp completion zsh > ~/.zfunc/_mjasp
  mjasp completion fish > ~/.config/fish/completions/mjasp.fish
"""
_WINDS = ("E", "S", "W", "N")


@dataclass(frozen=True, slots=True)
class _Command:
    """A command as a shell sees it: what its options take, and what stands without an option.

    The name of a command of `game` is both words.
    """

    name: str
    about: str
    options: Mapping[str, tuple[str, ...]]
    values: tuple[str, ...]


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = command(
        commands,
        _completion,
        "a script that completes commands and options",
        _COMPLETION,
        ("text",),
    )
    parser.add_argument("shell", choices=tuple(_SCRIPTS), help="the shell that reads it")
    parser.set_defaults(commands=commands)


def _completion(options: argparse.Namespace) -> Answer:
    script = _SCRIPTS[options.shell](_described(options.commands))
    return Answer(dict, lambda _: script)


def _described(commands: Commands) -> list[_Command]:
    """All commands, each with the values that its arguments can have."""
    return list(_within(commands, _values(), ""))


def _within(
    commands: Commands, values: Mapping[str, tuple[str, ...]], before: str
) -> Iterator[_Command]:
    about = {action.dest: str(action.help) for action in commands._get_subactions()}  # noqa: SLF001 - argparse has no other way to ask
    for name, parser in commands.choices.items():
        options: dict[str, tuple[str, ...]] = {}
        positional: list[str] = []
        for action in parser._actions:  # noqa: SLF001 - as above
            if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
                yield from _within(action, values, f"{name} ")
            taken = tuple(map(str, action.choices or ())) or values.get(_key(name, action), ())
            options |= dict.fromkeys(action.option_strings, taken)
            if not action.option_strings:
                positional += taken
        yield _Command(before + name, about.get(name, ""), options, tuple(positional))


def _key(command: str, action: argparse.Action) -> str:
    """What names an argument's values: its option, or the command and the argument."""
    return action.option_strings[-1] if action.option_strings else f"{command} {action.dest}"


def _values() -> dict[str, tuple[str, ...]]:
    """The values that only the program knows: rule sets, rules and readings."""
    rulesets = mjasp.rulesets()
    names = tuple(ruleset.id for ruleset in rulesets)
    readings = {
        f"{reading.id}={value}"
        for ruleset in rulesets
        for reading in ruleset.readings
        for value in (reading.default, *reading.alternatives)
    }
    rules = {rule.id for ruleset in rulesets for rule in ruleset.rules}
    return {
        "--rules": names,
        "rules name": names,
        "why rule": tuple(sorted(rules)),
        "--reading": tuple(sorted(readings)),
        "--seat": _WINDS,
        "--round": _WINDS,
    }


def _bash(commands: Iterable[_Command]) -> str:
    commands = list(commands)
    cases = []
    for each in commands:
        cases += [
            f"        '{each.name} {option}') words='{' '.join(taken)}' ;;"
            for option, taken in each.options.items()
            if taken
        ]
    for each in commands:
        words = " ".join((*each.options, *each.values))
        cases.append(f"        '{each.name} '*) words='{words}' ;;")
    names = " ".join(each.name for each in commands if " " not in each.name)
    pairs = "|".join(f"'{each.name}'" for each in commands if " " in each.name)
    return f"""\
# bash completion for mjasp
_mjasp() {{
    local words line=${{COMP_LINE:0:COMP_POINT}}
    local -a typed
    read -ra typed <<< "$line"
    [[ $line == *' ' ]] && typed+=('')
    local word=${{typed[${{#typed[@]}} - 1]}} before=${{typed[${{#typed[@]}} - 2]}}
    local command=${{typed[1]}}
    (( ${{#typed[@]}} > 3 )) && case "$command ${{typed[2]}}" in
        {pairs}) command+=" ${{typed[2]}}" ;;
    esac
    [[ $word == --*=* ]] && before=${{word%%=*}} word=${{word#*=}}
    if (( ${{#typed[@]}} == 2 )); then
        words='{names} --help --version'
    else
        case "$command $before" in
{chr(10).join(cases)}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    # The shell parts words at a `=` and completes what stands behind it.
    [[ $word == *=* ]] && COMPREPLY=("${{COMPREPLY[@]#"${{word%%=*}}="}}")
}}
complete -o default -F _mjasp mjasp"""


def _zsh(commands: Iterable[_Command]) -> str:
    commands = list(commands)
    lines = ["#compdef mjasp", "", "_mjasp() {", "  local -a commands", "  commands=("]
    lines += [
        f"    '{each.name}:{_quoted(each.about)}'" for each in commands if " " not in each.name
    ]
    lines += [
        "  )",
        "  if (( CURRENT == 2 )); then",
        "    _describe command commands",
        "    return",
    ]
    lines += ["  fi", "  local command=$words[2]"]
    lines += ['  (( CURRENT > 3 )) && command="$words[2] $words[3]"', "  case $command in"]
    for each in commands:
        lines.append(f"    '{each.name}'|'{each.name} '*)")
        for option, taken in each.options.items():
            if taken:
                lines.append(f"      [[ $words[CURRENT-1] == {option} ]] && compadd -- "
                             f"{_words(taken)} && return")  # fmt: skip
        lines.append(f"      compadd -- {_words((*each.options, *each.values))}")
        lines.append("      _files ;;")
    return "\n".join([*lines, "  esac", "}", "", '_mjasp "$@"'])


def _fish(commands: Iterable[_Command]) -> str:
    lines = ["# fish completion for mjasp"]
    for each in commands:
        seen = [f"__fish_seen_subcommand_from {word}" for word in each.name.split()]
        named = f"-n '{'; and '.join(seen)}'"
        if len(seen) == 1:
            lines.append(
                f"complete -c mjasp -n __fish_use_subcommand -a {each.name} "
                f"-d '{_quoted(each.about)}'"
            )
        for option, taken in each.options.items():
            flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            values = f" -x -a '{' '.join(taken)}'" if taken else ""
            lines.append(f"complete -c mjasp {named} {flag}{values}")
        if each.values:
            lines.append(f"complete -c mjasp {named} -a '{' '.join(each.values)}'")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """Text between single quotes, where a colon would part it."""
    return text.replace("'", "").replace(":", ",")


def _words(words: Iterable[str]) -> str:
    return " ".join(f"'{word}'" for word in words)


_SCRIPTS: Mapping[str, Callable[[Iterable[_Command]], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
