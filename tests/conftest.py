"""What all tests have in common."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are told in English whatever the locale."""
    monkeypatch.setenv("LC_ALL", "C")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is kept in the user's own folder, nor read there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MJASP_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
