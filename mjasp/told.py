"""What results have in common: each is told in every format, from one document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from json import dumps
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from mjasp.render.document import Document

__all__ = ["Told"]


class Told(ABC):
    """A result that has a dict and a document of its own; from these it can tell itself."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """The result as its JSON schema has it, its sentences in a language."""

    @abstractmethod
    def document(self, language: str = "en") -> Document:
        """The result as a document, which every format but JSON is printed from."""

    def explain(
        self,
        format: Literal["text", "json", "markdown", "html"] = "text",
        language: str = "en",
    ) -> str:
        """The result in a format. Raises ValueError where there is no such format."""
        if format == "json":
            return dumps(self.to_dict(language), indent=2)
        from mjasp.render import rendered

        return rendered(self.document(language), format)

    def _repr_html_(self) -> str:
        """The result for a notebook."""
        from mjasp.render.html import part_of

        return part_of(self.document())
