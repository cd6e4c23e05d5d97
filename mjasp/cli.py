"""The command line: what the commands have in common, from the arguments to the exit status."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from itertools import pairwise

import mjasp
from mjasp.commands import (
    batch,
    compare,
    completion,
    dispute,
    game,
    hands,
    notation,
    rules,
    settle,
    why,
)
from mjasp.commands.common import Help, Parser
from mjasp.commands.output import as_json, colour, show
from mjasp.errors import MjaspError
from mjasp.notation.places import located

__all__ = ["main"]

BAD_INPUT, FAULT, INTERRUPTED = 2, 3, 130

_PROGRAM = """\
examples:
  mjasp score '(1111c) 555b E [GGG] [234d] +E wall seat:E round:E'
  mjasp decompose '111222333b 45c 11d +3c discard'
  mjasp why '[345c] 111222333b E +E wall' pung_hand
  mjasp dispute '111222333b 45c 11d +3c discard' --claimed 46
  mjasp waits '[GGG] (1111c) 55b 234d EE'
  mjasp compare '111222333b 45c 11d +3c discard'
  mjasp settle deal.txt
  mjasp game new evening.mjasp --players Anna,Ben,Cleo,Dan
  mjasp batch hands.jsonl
  mjasp convert '[444b] (1111c) 55b EE 678d +5b wall' --to words
  mjasp rules european-classical

exit status:
  0  done
  1  the hand is no win (score, decompose, why, dispute), or under no rule set
     (compare); some lines were errors (batch)
  2  bad input or usage; the message is on standard error
  3  a fault of the program
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status; `argv` is without the program's name."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as fault:
        if os.environ.get("MJASP_DEBUG"):
            raise
        told = " ".join(f"{type(fault).__name__}: {fault}".split())
        way = "please report this command and what it prints with MJASP_DEBUG=1"
        show(f"mjasp: internal fault ({told}); {way}", sys.stderr)
        return FAULT


def _run(arguments: list[str]) -> int:
    # As far as can be told before the arguments are understood: wrong usage is told in JSON too.
    json_wanted = "--format=json" in arguments or ("--format", "json") in pairwise(arguments)
    options = argparse.Namespace(text="")
    try:
        options = _parser().parse_args(arguments, options)
        json_wanted = options.format == "json"
        answer = options.command(options)
        recognised = {} if options.recognised == "mjasp" else {"notation": options.recognised}
        told = {**answer.to_dict(), **recognised} if json_wanted else {}
        text = as_json(told) if json_wanted else answer.to_text(colour())
        if recognised and not json_wanted:
            show(f"mjasp: read as {options.recognised}; --notation says what it is", sys.stderr)
        if not answer.silent:
            show(text, sys.stdout)
    except MjaspError as found:
        error = located(found, options.text)
        show(as_json(error.to_dict()) if json_wanted else error.render(), sys.stderr)
        return BAD_INPUT
    return int(answer.status)


def _parser() -> Parser:
    parser = Parser(
        prog="mjasp",
        description="Scores Mahjong hands and shows every rule that fired.",
        epilog=_PROGRAM,
        formatter_class=Help,
    )
    parser.add_argument("--version", action="version", version=f"mjasp {mjasp.__version__}")
    parser.set_defaults(recognised="mjasp")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for group in (hands, why, dispute, compare, settle, game, batch, notation, rules, completion):
        group.add(commands)
    return parser
