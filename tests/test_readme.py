"""The README is true: its commands are run, and its Python, and their output is as printed."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from console import sessions

import mjasp
from mjasp.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_console_sessions(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    ran = [session for block in blocks for session in sessions(block)]
    assert ran
    for (program, *arguments), printed in ran:
        assert program == "mjasp"
        assert main(arguments) == 0
        assert capsys.readouterr().out == printed


def test_python_sessions() -> None:
    (blocks,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    example = doctest.DocTestParser().get_doctest(blocks, {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner().run(example).failed == 0


def test_rule_sets_are_all_named() -> None:
    for ruleset in mjasp.rulesets():
        link = f"[`{ruleset.id}`](docs/rules/{ruleset.id}.md)"
        row = f"| {link} | {ruleset.name} | {ruleset.limit or 'none'} | {ruleset.source} |"
        assert row in README


def test_make_commands_do_not_reparse_the_hand() -> None:
    make = shutil.which("make")
    assert make
    hand = "(1111c) [234d] 'quoted' \"twice\" `id` ;%"
    done = subprocess.run(
        [make, "--dry-run", "score", f"HAND={hand}"],
        capture_output=True,
        check=True,
        cwd=ROOT,
        text=True,
    )
    assert '-- "$HAND"' in done.stdout
    assert hand not in done.stdout
