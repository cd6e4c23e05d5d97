"""What people read, word for word: each file of `golden/` holds commands and what they print.

Every value in them was counted by hand from the rule text before the file was added.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from console import sessions

from mjasp.cli import main

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_golden(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    for (program, *arguments), printed in sessions(file.read_text(encoding="utf-8")):
        assert program == "mjasp"
        main(arguments)
        captured = capsys.readouterr()
        assert captured.err + captured.out == printed
        assert max(map(len, printed.splitlines())) <= 80
