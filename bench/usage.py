"""What the benchmarks' command lines have in common: wrong usage ends in one line, status 2."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.util import find_spec
from typing import NoReturn

import mjasp

__all__ = ["Parser", "at_least", "rule_set", "rule_sets"]


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Leave the program, with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")

    def need_numpy(self) -> None:
        """Leave the program where numpy, without which nothing is to be measured, is missing."""
        if not find_spec("numpy"):
            self.error("numpy is not installed: `pip install 'mjasp[batch]'`")


def at_least(least: int) -> Callable[[str], int]:
    """The type of an argument that is a number, and not less than this."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"at least {least}, not {value}")
        return value

    return number


def rule_set(text: str) -> str:
    """The type of an argument that names a rule set which is there and can be read."""
    try:
        mjasp.ruleset(text)
    except mjasp.RulesetError as error:
        problem = error.problems[0]
        told = f"{problem.message}; {problem.help}" if problem.help else problem.message
        raise argparse.ArgumentTypeError(told) from None
    return text


def rule_sets(text: str) -> list[str]:
    """The type of an argument that names several, with commas between them."""
    return [rule_set(each) for each in text.split(",")]
