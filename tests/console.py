"""Console sessions as text: commands after a `$`, each followed by what it prints."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

PROMPT = "$ "


def sessions(text: str) -> Iterator[tuple[list[str], str]]:
    """The commands of a text, split as a shell would, with the output written below each."""
    command, output = "", list[str]()
    for line in [*text.splitlines(), PROMPT]:
        if line.startswith(PROMPT):
            if command:
                yield shlex.split(command), "\n".join(output).strip("\n") + "\n"
            command, output = line.removeprefix(PROMPT), []
        else:
            output.append(line)
