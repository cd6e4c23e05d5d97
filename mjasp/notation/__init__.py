"""Text to Hand and back."""

from __future__ import annotations

from mjasp.notation.compact import parse
from mjasp.notation.writer import write

__all__ = ["parse", "write"]
