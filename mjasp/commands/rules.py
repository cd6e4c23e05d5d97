"""The command that lists rule sets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import mjasp
from mjasp.commands.common import (
    DONE,
    Answer,
    UsageError,
    add_language,
    command,
    json_words_of,
    words_of,
)

if TYPE_CHECKING:
    from mjasp.commands.common import Commands

__all__ = ["add"]

FOUND = 1

_RULES = """\
examples:
  mjasp rules
  mjasp rules european-classical
  mjasp rules european-classical --format json
"""


def add(commands: Commands) -> None:
    """Declare the command."""
    rules = command(commands, _rules, "the rule sets, or all that one of them scores", _RULES)
    rules.add_argument("name", metavar="NAME", nargs="?", help="the rule set to tell about")
    add_language(rules)
    rules.add_argument("--check", metavar="FILE", help="tell what is wrong with a club's rule set")


def _rules(options: argparse.Namespace) -> Answer:
    from mjasp.render import json, listing

    if options.check is not None:
        return _check(options.name, options.check)
    if options.name is None:
        rulesets = mjasp.rulesets()
        return Answer(
            lambda: json.rulesets_dict(rulesets),
            lambda colour: listing.rulesets_text(rulesets, words_of(options), colour=colour),
        )
    ruleset = mjasp.ruleset(options.name)
    return Answer(
        lambda: json.ruleset_dict(ruleset, json_words_of(options)),
        lambda colour: listing.ruleset_text(ruleset, words_of(options), colour=colour),
    )


def _check(name: str | None, path: str) -> Answer:
    from mjasp.render.check import check_dict, check_text
    from mjasp.ruleset_check import check

    if name is not None:
        raise UsageError("--check FILE stands without NAME")
    found = check(path)
    return Answer(
        lambda: check_dict(found), lambda _: check_text(found), FOUND if found.errors else DONE
    )
