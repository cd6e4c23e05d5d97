"""What people read when a text is refused, and how errors travel."""

from __future__ import annotations

import pickle
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mjasp.errors import HandError, MjaspError, NotationError, Problem, printable
from mjasp.notation import parse

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "golden" / "errors.toml").read_text(encoding="utf-8")
)["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_refused_text(case: dict[str, Any]) -> None:
    with pytest.raises(MjaspError) as caught:
        parse(case["text"], case.get("notation", "auto"))
    error = caught.value
    assert type(error).__name__ == case["error"]
    assert [problem.code for problem in error.problems] == case["codes"]
    assert error.render() == case["rendered"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_every_problem_has_a_place_and_a_way_out(case: dict[str, Any]) -> None:
    with pytest.raises(MjaspError) as caught:
        parse(case["text"], case.get("notation", "auto"))
    for problem in caught.value.problems:
        assert problem.line
        assert problem.column
        assert problem.help
        assert len(problem.expected) <= 5


@pytest.mark.parametrize("kind", [MjaspError, NotationError, HandError])
def test_errors_survive_pickling(kind: type[MjaspError]) -> None:
    error = kind(Problem("a-code", "a message", expected=("a tile",)).at(1, 2, 3), text="some text")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert type(copy) is kind
    assert copy.problems == error.problems
    assert copy.text == error.text
    assert str(copy) == str(error)


def test_error_as_json() -> None:
    error = HandError(Problem("a-code", "a message", help="a way out").at(1, 2, 3))
    assert error.to_dict() == {
        "schema": "mjasp/error/1",
        "errors": [
            {
                "code": "a-code",
                "message": "a message",
                "help": "a way out",
                "line": 1,
                "column": 2,
                "expected": [],
            }
        ],
    }


def test_no_control_character_reaches_the_terminal() -> None:
    text = "5b \x1b]0;title\x07 \x9b2J \ud800 \u202e"
    with pytest.raises(NotationError) as caught:
        parse(text)
    rendered = caught.value.render()
    assert rendered.replace("\n", "").isprintable()
    assert printable("\x1b\ud800") == "U+001BU+D800"


@pytest.mark.parametrize("column", [1, 2, 40, 100, 159, 160, 161])
@pytest.mark.parametrize("letter", ["x", "五", "e\u0301"])
def test_caret_stays_under_its_spot_in_80_columns(column: int, letter: str) -> None:
    line = (letter * 160)[:160]
    rendered = Problem("a-code", "a message").at(1, column, column + 1).render(line)
    _, shown, carets = rendered.split("\n")
    assert len(shown) <= 80
    assert carets.count("^") in {1, 2}
    assert 4 <= carets.index("^") < 80


def test_problem_without_a_text_has_no_place() -> None:
    assert (
        HandError(Problem("a-code", "a message", help="so")).render() == "a message\n    help: so"
    )
