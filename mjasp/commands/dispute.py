"""The command that tells how a number that differs can have come about."""

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
    language_of,
    points,
    settings_of,
)
from mjasp.render import FORMATS, rendered

if TYPE_CHECKING:
    from mjasp.commands.common import Commands

__all__ = ["add"]

_DISPUTE = """\
examples:
  mjasp dispute --claimed 124 '(1111c) 555b EE GG [234d] +G discard seat:E'
  mjasp dispute --claimed 46 '111222333b 45c 11d +3c discard'
  mjasp dispute --claimed 92 --rules bmja '123b 456b 789b 12c 55d +3c wall'

the accounts with the fewest mistakes are told, the likeliest first: another
interpretation, another wind or winning tile, another reading, sets paid as
others, the limit, rules forgotten, other rule sets, rules counted twice, the
arithmetic, rules that do not apply; none is sought with more than three
"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = command(
        commands, _dispute, "how the other number could have come about", _DISPUTE, FORMATS
    )
    add_hand(parser)
    add_language(parser)
    told = "the number that somebody else has"
    parser.add_argument("--claimed", metavar="N", type=points, required=True, help=told)


def _dispute(options: argparse.Namespace) -> Answer:
    from mjasp.render.dispute import dispute_document

    found = mjasp.dispute(hand_of(options), options.claimed, **settings_of(options))
    return Answer(
        lambda: found.to_dict(options.lang or "en"),
        lambda colour: rendered(
            dispute_document(found, language_of(options)), options.format, colour=colour
        ),
        FALSE_WIN if found.score.outcome == "false-win" else DONE,
    )
