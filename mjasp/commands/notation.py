"""Commands on the text of a hand: convert, facts."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from mjasp.commands.common import (
    Answer,
    add_hand,
    add_text,
    command,
    hand_of,
    settings_of,
)
from mjasp.notation import WRITTEN, write

if TYPE_CHECKING:
    from mjasp.commands.common import Commands

__all__ = ["add"]

_CONVERT = """\
examples:
  mjasp convert '[444b] (1111c) 55b EE 678d +5b wall' --to words
  mjasp convert 'RB1B1B1C2C3C4WeWe drdrdr s2s3s4 mw LB1' --to mjasp
  mjasp convert --to unicode - < hand.txt
"""
_FACTS = """\
examples:
  mjasp facts '111222333b 45c 11d +3c discard' > hand.lp
  mjasp facts --rules bmja --seat S '[GGG] (1111c) 55b 234d EE'
"""


def add(commands: Commands) -> None:
    """Declare the commands."""
    convert = command(commands, _convert, "the hand in another notation", _CONVERT, ("text",))
    add_text(convert)
    convert.add_argument("--to", choices=WRITTEN, required=True, help="the notation to write")
    facts = command(commands, _facts, "the clingo facts of a hand", _FACTS, ("text",))
    add_hand(facts)


def _convert(options: argparse.Namespace) -> Answer:
    text = write(hand_of(options), options.to)
    return Answer(dict, lambda _: text)


def _facts(options: argparse.Namespace) -> Answer:
    from mjasp.engine import DEFAULT_RULES, Engine

    hand = hand_of(options)
    settings = settings_of(options)
    settings["rules"] = options.rules or hand.rules or DEFAULT_RULES
    engine = Engine(**settings)
    lines = [f"% {write(hand)}", f"% under {engine.ruleset.id}"]
    winds = {name: settings[name] for name in ("seat", "round") if settings[name]}
    _, assumed = replace(hand, unknown=hand.unknown - winds.keys(), **winds).resolved()
    if assumed:
        lines.append(f"% assumed: {', '.join(assumed)}")
    lines += [f"{fact}." for fact in engine.facts(hand)]
    return Answer(dict, lambda _: "\n".join(lines))
