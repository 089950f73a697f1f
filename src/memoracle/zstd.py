"""Zstandard: the standard library's since Python 3.14, its backport before. Imported where something is unpacked."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, ZstdFile
else:
    from backports.zstd import ZstdDecompressor, ZstdError, ZstdFile


class PackedFile(ZstdFile):
    """A compressed file; what is damaged in it is a `ValueError`, as it is of other archives."""

    def read(self, size: int | None = -1) -> bytes:
        """Bytes from where it stands."""
        try:
            return super().read(size)
        except ZstdError as problem:
            raise ValueError(str(problem)) from None

    def readline(self, size: int | None = -1) -> bytes:
        """A line from where it stands."""
        try:
            return super().readline(size)
        except ZstdError as problem:
            raise ValueError(str(problem)) from None


def unpack(content: bytes, most: int) -> bytes:
    """One frame, unpacked; raises `ValueError` for what is damaged or becomes longer than `most` bytes."""
    frame = ZstdDecompressor()
    try:
        plain = frame.decompress(content, max_length=most + 1)
    except ZstdError as problem:
        raise ValueError(str(problem)) from None
    if len(plain) > most or not frame.eof:
        raise ValueError("it ends early, or is longer than it says")
    return plain
