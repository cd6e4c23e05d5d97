"""Views of one result: text, Markdown and HTML for people, JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from mjasp.render.document import Document

__all__ = ["FORMATS", "Format", "rendered"]

Format = Literal["text", "markdown", "html"]
FORMATS = ("text", "json", "markdown", "html")


def rendered(document: Document, format: Format, *, colour: bool = False) -> str:
    """The document in a format; `colour` is for text. Raises ValueError for another format."""
    if format == "text":
        from mjasp.render.text import text_of

        return text_of(document, colour=colour)
    if format == "markdown":
        from mjasp.render.markdown import markdown_of

        return markdown_of(document)
    if format == "html":
        from mjasp.render.html import html_of

        return html_of(document)
    raise ValueError(f"no format {format!r}: there are {', '.join(FORMATS)}")
