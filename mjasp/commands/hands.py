"""Commands on one hand: score, decompose, waits."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

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
    words_of,
)
from mjasp.render import FORMATS, rendered

if TYPE_CHECKING:
    from mjasp.commands.common import Commands
    from mjasp.render.trace import Because
    from mjasp.scoring import Score

__all__ = ["add"]

_SCORE = """\
examples:
  mjasp score '(1111c) 555b E [GGG] [234d] +E wall seat:E round:E'
  mjasp score --seat S --limit 1000 '111222333b 45c 11d +3c discard'
  mjasp score --reading value_pairs=none --format json - < hand.txt
  mjasp score --teach '111222333b 45c 11d +3c discard'
  mjasp score --format html --lang fr '111222333b 45c 11d +3c discard'

a hand:
  1b..9b bamboo, 1c..9c characters, 1d..9d dots, E S W N winds, R G Wh dragons;
  [222b] is exposed, (1111c) a concealed kong, the other tiles are concealed;
  +E is the winning tile, then how it came: wall, discard, loose or robbing
"""
_DECOMPOSE = """\
examples:
  mjasp decompose '111222333b 45c 11d +3c discard'
  mjasp decompose --format json '111222333b 45c 11d +3c wall'
"""
_WAITS = """\
examples:
  mjasp waits '[GGG] (1111c) 55b 234d EE'
  mjasp waits --rules bmja --format json '1112345678999b'
"""


def add(commands: Commands) -> None:
    """Declare the commands."""
    score = command(commands, _score, "the best score of a hand, with its trace", _SCORE, FORMATS)
    how = score.add_mutually_exclusive_group()
    how.add_argument("--all", action="store_true", help="trace every interpretation")
    how.add_argument("--teach", action="store_true", help="count step by step, for learners")
    decompose = command(commands, _decompose, "every interpretation, best first", _DECOMPOSE)
    waits = command(
        commands, _waits, "the tiles that would complete a hand, and what it calls for", _WAITS
    )
    for parser in (score, decompose, waits):
        add_hand(parser)
        add_language(parser)


def _score(options: argparse.Namespace) -> Answer:
    from mjasp.render.score import score_document
    from mjasp.render.trace import unexplained

    if options.teach:
        return _lesson(options)
    settings = settings_of(options)
    score = mjasp.score(hand_of(options), **settings)
    # What a page folds away costs time, and nothing else shows it.
    because = _because(score, settings, options) if options.format == "html" else unexplained
    return Answer(
        lambda: score.to_dict(options.lang or "en"),
        lambda colour: rendered(
            score_document(score, words_of(options), every=options.all, because=because),
            options.format,
            colour=colour,
        ),
        _status(score),
    )


def _lesson(options: argparse.Namespace) -> Answer:
    from mjasp.render.lesson import lesson_document

    lesson = mjasp.lesson(hand_of(options), **settings_of(options))
    return Answer(
        lambda: lesson.to_dict(options.lang or "en"),
        lambda colour: rendered(
            lesson_document(lesson, language_of(options)), options.format, colour=colour
        ),
        _status(lesson.score),
    )


def _because(score: Score, settings: dict[str, Any], options: argparse.Namespace) -> Because:
    """Why each award of the best interpretation was paid."""
    from mjasp.render.why import derivations

    fired = dict.fromkeys(award.rule for award in score.best.fired)
    whys = [mjasp.why(score.given, rule, **settings) for rule in fired]
    return derivations(whys, language_of(options))


def _status(score: Score) -> int:
    return FALSE_WIN if score.outcome == "false-win" else DONE


def _decompose(options: argparse.Namespace) -> Answer:
    from mjasp.render.score import decompose_text

    # The list of interpretations does not tell what other facts or readings would give.
    sensitivity = options.format == "json"
    score = mjasp.score(hand_of(options), **settings_of(options), sensitivity=sensitivity)
    return Answer(
        lambda: score.to_dict(options.lang or "en"),
        lambda colour: decompose_text(score, words_of(options), colour=colour),
        _status(score),
    )


def _waits(options: argparse.Namespace) -> Answer:
    from mjasp.engine import DEFAULT_RULES
    from mjasp.render.json import waits_dict
    from mjasp.render.listing import waits_text

    hand = hand_of(options)
    settings = settings_of(options)
    settings["rules"] = options.rules or hand.rules or DEFAULT_RULES
    engine = mjasp.Engine(**settings)
    waits, calling = engine.waits(hand), engine.calling(hand)
    return Answer(
        lambda: waits_dict(hand, engine.ruleset.id, waits, calling),
        lambda colour: waits_text(
            hand, engine.ruleset, waits, calling, words_of(options), colour=colour
        ),
    )
