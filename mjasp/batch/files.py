"""What the name of a file says of its form, and how text is packed and unpacked in it."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

from mjasp.errors import MjaspError, Problem

__all__ = ["BatchError", "Form", "form_of", "missing_extra"]

_READ = 1 << 16
_LEVEL = 6  # of gzip: half the time of 9, 6 % more bytes
_PACKED: dict[str, Literal["gzip", "zstd"]] = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}


class BatchError(MjaspError):
    """A batch that cannot be run: its files, its cluster, or the way they are asked for."""


def missing_extra(what: str, extra: str) -> BatchError:
    """The error of a package that only an extra of this one brings."""
    help_ = f"install it with `pip install 'mjasp[{extra}]'`"
    return BatchError(Problem("missing-extra", f"{what} is not installed", help=help_))


@dataclass(frozen=True, slots=True)
class Form:
    """How a file is written: as CSV or as lines, packed or not."""

    csv: bool = False
    packing: Literal["gzip", "zstd"] | None = None

    def pack(self, text: bytes) -> bytes:
        """The text as a whole gzip member or zstd frame, the same for the same text."""
        if not text or self.packing is None:
            return text
        if self.packing == "gzip":
            return gzip.compress(text, _LEVEL, mtime=0)
        return bytes(_zstandard().ZstdCompressor().compress(text))

    def reader(self, raw: BinaryIO) -> BinaryIO:
        """The text of a file, unpacked as it is read."""
        if self.packing is None:
            return raw
        if self.packing == "gzip":
            return cast(BinaryIO, gzip.open(raw))
        unpacker = _zstandard().ZstdDecompressor()
        opened = unpacker.stream_reader(raw, read_across_frames=True, closefd=False)
        return io.BufferedReader(opened)

    def blocks(self, raw: BinaryIO) -> Iterator[tuple[int, bytes]]:
        """Each whole member or frame of a packed file: where it ends, and its text."""
        unpacker = self._unpacker()
        end, rest = 0, b""
        while True:
            member, texts = unpacker(), []
            while not member.eof:
                read = rest or raw.read(_READ)
                if not read:
                    return
                try:
                    texts.append(member.decompress(read))
                except self.damage:
                    return
                rest = member.unused_data
                end += len(read) - len(rest)
            yield end, b"".join(texts)

    def _unpacker(self) -> Callable[[], Any]:
        if self.packing == "gzip":
            return partial(zlib.decompressobj, wbits=31)
        return cast(Callable[[], Any], _zstandard().ZstdDecompressor().decompressobj)

    @property
    def damage(self) -> tuple[type[Exception], ...]:
        """The errors that tell that a file cannot be read, is damaged or cut short."""
        if self.packing == "zstd":
            return (OSError, cast(type[Exception], _zstandard().ZstdError))
        return (OSError, EOFError, zlib.error)


def form_of(name: str) -> Form:
    """The form that a file's name tells; anything but CSV is a record a line.

    >>> form_of("hands.csv.gz")
    Form(csv=True, packing='gzip')
    """
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    packing = _PACKED.get(suffixes[-1]) if suffixes else None
    if packing:
        suffixes.pop()
    return Form(suffixes[-1:] == [".csv"], packing)


def _zstandard() -> Any:  # noqa: ANN401 - a module that need not be there
    try:
        import zstandard
    except ImportError:
        raise missing_extra("zstandard, which packs zstd files,", "zstd") from None
    return zstandard
