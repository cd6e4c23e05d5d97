"""Views of one result: text for people, JSON for programs."""

from __future__ import annotations

from typing import Literal

from mjasp.scoring import Score

__all__ = ["explain"]


def explain(score: Score, format: Literal["text", "json"] = "text") -> str:
    """The score in the format asked for. Raises ValueError where there is no such format."""
    if format == "text":
        from mjasp.render.score import score_text

        return score_text(score)
    if format == "json":
        import json

        from mjasp.render.json import score_dict

        return json.dumps(score_dict(score), indent=2)
    raise ValueError(f"no format {format!r}: there are text and json")
