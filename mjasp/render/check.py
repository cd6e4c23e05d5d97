"""What was found in a club's rule set, as text and as JSON."""

from __future__ import annotations

from typing import Any

from mjasp.ruleset_check import Check

__all__ = ["check_dict", "check_text"]


def check_text(found: Check) -> str:
    """Each finding with its place in the file, or that there is none."""
    if not found.errors:
        return f"{found.ruleset}: nothing found"
    return "\n".join(error.render() for error in found.errors)


def check_dict(found: Check) -> dict[str, Any]:
    """What was found, as `mjasp/check/1`; each finding is an entry as of `mjasp/error/1`."""
    return {
        "schema": "mjasp/check/1",
        "ruleset": found.ruleset,
        "findings": [problem.to_dict() for problem in found.findings],
    }
