"""The command that scores a hand under several rule sets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import mjasp
from mjasp.commands.common import (
    DONE,
    FALSE_WIN,
    Answer,
    add_hand,
    add_language,
    command,
    hand_of,
    json_words_of,
    settings_of,
    words_of,
)
from mjasp.render import FORMATS, rendered

if TYPE_CHECKING:
    from mjasp.commands.common import Commands

__all__ = ["add"]

_COMPARE = """\
examples:
  mjasp compare '(1111c) 555b E [GGG] [234d] +E wall seat:E round:E'
  mjasp compare --rules bmja,majiang '222b 333b 444b 66b 88b'

a reading is taken in each rule set that has it; the exit status is 1 where no
rule set accepts the hand
"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = command(
        commands, _compare, "a hand under all rule sets, side by side", _COMPARE, FORMATS
    )
    add_hand(parser, rules="the rule sets to compare, separated by commas; without it, all")
    add_language(parser)


def _compare(options: argparse.Namespace) -> Answer:
    from mjasp.render.compare import compare_document
    from mjasp.render.json import compare_dict

    hand = hand_of(options)
    settings = settings_of(options)
    names = None if options.rules is None else options.rules.split(",")
    settings["rules"] = names
    # The text does not tell what other facts or readings would give.
    sensitivity = options.format == "json"
    scores = mjasp.compare(hand, **settings, sensitivity=sensitivity)
    accepted = any(score.outcome != "false-win" for score in scores.values())
    rulesets = map(mjasp.ruleset, names) if names else mjasp.rulesets()
    return Answer(
        lambda: compare_dict(hand, scores, json_words_of(options)),
        lambda colour: rendered(
            compare_document(hand, scores, rulesets, words_of(options)),
            options.format,
            colour=colour,
        ),
        DONE if accepted else FALSE_WIN,
    )
