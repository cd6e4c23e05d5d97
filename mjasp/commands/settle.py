"""The command that settles a deal."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import mjasp
from mjasp.commands.common import Answer, add_scoring, command, scoring_of, text_of

if TYPE_CHECKING:
    from mjasp.commands.common import Commands

__all__ = ["add"]

_SETTLE = """\
examples:
  mjasp settle deal.txt
  mjasp settle --trace --limit 1000 deal.txt
  mjasp settle --format json - < deal.txt

a deal file (more in docs/settling.md):
  east: (1111c) 555b E [GGG] [234d] +E wall
  south: 112233b 456c 7799d     % a hand
  west: 20                      % its value
  north: unknown
  rules european-classical      % these lines may be left out
  round E
  losers-settle: no             % likewise east-doubles, discarder-pays,
                                % self-drawn-doubles, by, winner
"""


def add(commands: Commands) -> None:
    """Declare the command."""
    settle = command(commands, _settle, "who pays whom in a deal of four hands", _SETTLE)
    settle.add_argument("file", metavar="FILE", help="the deal file; - reads standard input")
    settle.add_argument("--trace", action="store_true", help="trace every hand")
    add_scoring(settle)


def _settle(options: argparse.Namespace) -> Answer:
    from mjasp.render.settlement import settlement_text

    # A text of one line would be taken for a path.
    settlement = mjasp.settle(text_of(options.file) + "\n", **scoring_of(options))
    return Answer(
        lambda: settlement.to_dict(trace=options.trace),
        lambda colour: settlement_text(settlement, trace=options.trace, colour=colour),
    )
