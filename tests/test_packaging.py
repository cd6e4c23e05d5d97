"""The package works wherever it lies: in a wheel, an editable install and a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
HAND = "(1111c) 555b E [GGG] [234d] +E wall seat:E round:E"
FOLDERS = ("grammar", "encodings")


def output_of(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*map(str, command)], capture_output=True, check=False, cwd=cwd, env=environment, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def install(place: Path, *what: str | Path) -> Path:
    """The Python of a new environment with this installed; clingo and lark are lent by ours."""
    venv.create(place)
    theirs = Path(sysconfig.get_path("purelib", "venv", {"base": str(place)}))
    (theirs / "lent.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    python = place / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index")
    # What is lent may hold this package too: it is no reason not to install it.
    output_of(*pip, "--ignore-installed", "--no-deps", "--no-build-isolation", *what, cwd=place)
    return python


def elsewhere(place: Path) -> Path:
    """A working folder where files of the encodings' names lie in wait."""
    for name in ("score.lp", "rulesets/european-classical.lp", "grammar/compact.lark"):
        for decoy in (place / "work" / name, place / "work" / "encodings" / name):
            decoy.parent.mkdir(parents=True, exist_ok=True)
            decoy.write_text("no program", encoding="utf-8")
    return place / "work"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution as an installer builds it."""
    place = tmp_path_factory.mktemp("dist")
    output_of(sys.executable, "-m", "build", "--no-isolation", "--outdir", place, ROOT, cwd=place)
    (built,) = place.glob("*.whl")
    return built


def test_wheel_holds_package_and_data_alone(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        needs = message_from_bytes(archive.read(metadata)).get_all("Requires-Dist") or []
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.l*"):
            assert f"mjasp/_data/{file.relative_to(ROOT).as_posix()}" in names
    assert {name.partition("/")[0] for name in names} == {"mjasp", metadata.partition("/")[0]}
    assert "mjasp/py.typed" in names
    assert sorted(need for need in needs if "extra" not in need) == [
        "clingo<6,>=5.8",
        "lark<2,>=1.2",
    ]


def test_wheel_scores_a_hand_elsewhere(wheel: Path, tmp_path: Path) -> None:
    python = install(tmp_path / "venv", wheel)
    work = elsewhere(tmp_path)
    where = output_of(python, "-c", "import mjasp; print(mjasp.__file__)", cwd=work)
    assert Path(where.strip()).is_relative_to(tmp_path)
    assert "Total    136" in output_of(python.with_name("mjasp"), "score", HAND, cwd=work)


def test_editable_install_scores_a_hand_elsewhere(tmp_path: Path) -> None:
    python = install(tmp_path / "venv", "--editable", ROOT)
    work = elsewhere(tmp_path)
    where = output_of(python, "-c", "import mjasp; print(mjasp.__file__)", cwd=work)
    assert Path(where.strip()).is_relative_to(ROOT)
    assert "Total    136" in output_of(python, "-m", "mjasp", "score", HAND, cwd=work)


def test_checkout_scores_a_hand() -> None:
    assert "Total    136" in output_of(sys.executable, "-m", "mjasp", "score", HAND, cwd=ROOT)


@pytest.mark.parametrize("folder", FOLDERS)
def test_data_folders_are_no_packages(folder: str) -> None:
    assert not list((ROOT / folder).rglob("*.py"))
