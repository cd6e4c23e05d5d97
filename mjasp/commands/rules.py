"""The command that lists rule sets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import mjasp
from mjasp.commands.common import Answer, command

if TYPE_CHECKING:
    from mjasp.commands.common import Commands

__all__ = ["add"]

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


def _rules(options: argparse.Namespace) -> Answer:
    from mjasp.render import json, listing

    if options.name is None:
        rulesets = mjasp.rulesets()
        return Answer(
            lambda: json.rulesets_dict(rulesets),
            lambda colour: listing.rulesets_text(rulesets, colour=colour),
        )
    ruleset = mjasp.ruleset(options.name)
    return Answer(
        lambda: json.ruleset_dict(ruleset),
        lambda colour: listing.ruleset_text(ruleset, colour=colour),
    )
