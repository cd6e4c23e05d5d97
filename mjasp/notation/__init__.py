"""Text to Hand and back."""

from __future__ import annotations

from mjasp.notation.recognise import READ, parse, recognise
from mjasp.notation.writer import WRITTEN, write

__all__ = ["READ", "WRITTEN", "parse", "recognise", "write"]
