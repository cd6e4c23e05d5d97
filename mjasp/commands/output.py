"""What goes to the terminal: colour or none, any encoding, a reader that has left."""

from __future__ import annotations

import json
import os
import sys
from io import TextIOWrapper
from typing import Any, TextIO

from mjasp.errors import MjaspError, Problem

__all__ = ["as_json", "colour", "leave_quietly", "show"]


def colour() -> bool:
    """Whether to colour: on a terminal, unless told otherwise (https://no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return bool(sys.stdout) and sys.stdout.isatty() and not plain


def as_json(value: dict[str, Any]) -> str:
    """A value as JSON text."""
    return json.dumps(value, indent=2)


def show(text: str, stream: TextIO | None) -> None:
    """Print whatever the stream's encoding, and say nothing where nobody listens any more.

    Raises MjaspError where standard output cannot be written.
    """
    if stream is None:
        return
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    try:
        print(text, file=stream, flush=True)
    except OSError as error:
        leave_quietly(stream)
        if stream is sys.stdout and not isinstance(error, BrokenPipeError):
            told = f"the output cannot be written: {error.strerror}"
            raise MjaspError(Problem("unwritable", told)) from None


def leave_quietly(stream: TextIO) -> None:
    """Let a stream lead nowhere: what is still buffered for a reader that has left would fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
