"""What all tests have in common."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are told in English whatever the locale."""
    monkeypatch.setenv("LC_ALL", "C")
