"""Where the grammars and encodings lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

__all__ = ["encodings", "grammar", "grammars", "languages", "words"]

_PACKAGE = Path(__file__).resolve().parent


def grammar(name: str) -> str:
    """The text of the grammar `name`.

    >>> "start:" in grammar("compact.lark")
    True
    """
    return (grammars() / name).read_text(encoding="utf-8")


def grammars() -> Path:
    """The folder of the grammars, which import each other."""
    return _folder("grammar")


def encodings() -> Path:
    """The folder of the encodings."""
    return _folder("encodings")


def languages() -> tuple[str, ...]:
    """The languages there are, each by its two letters.

    >>> languages()
    ('en', 'fr')
    """
    return tuple(sorted(path.stem for path in (encodings() / "words").glob("*.toml")))


def words(language: str) -> str:
    """The text of the file that makes a language."""
    return (encodings() / "words" / f"{language}.toml").read_text(encoding="utf-8")


def _folder(name: str) -> Path:
    """The packaged folder of that name, or the checkout's where nothing is packaged."""
    packaged = _PACKAGE / "_data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name
