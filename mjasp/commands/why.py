"""The command that tells why a rule fired, or why it did not."""

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
    settings_of,
)
from mjasp.render import FORMATS, rendered

if TYPE_CHECKING:
    from mjasp.commands.common import Commands

__all__ = ["add"]

_WHY = """\
examples:
  mjasp why '(1111c) 555b E [GGG] [234d] +E wall' pung_hand
  mjasp why --rules bmja '222b 333b 444b 666b 8b +8b wall' 'imperial jade'
  mjasp why --lang fr '123b 456b 789b 12c 55d +3c wall' chow_hand

a rule that fired is derived from the facts of the hand; one that did not is
told by the conditions that failed, the interpretation in which it would have
fired, and the smallest change of one tile or fact that makes it fire
"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = command(commands, _why, "why a rule fired, or why it did not", _WHY, FORMATS)
    add_hand(parser)
    add_language(parser)
    parser.add_argument("rule", metavar="RULE", help="a rule's id or name, see `mjasp rules NAME`")


def _why(options: argparse.Namespace) -> Answer:
    from mjasp.render.why import why_document

    why = mjasp.why(hand_of(options), options.rule, **settings_of(options))
    return Answer(
        lambda: why.to_dict(options.lang or "en"),
        lambda colour: rendered(
            why_document(why, language_of(options)), options.format, colour=colour
        ),
        FALSE_WIN if why.score.outcome == "false-win" else DONE,
    )
