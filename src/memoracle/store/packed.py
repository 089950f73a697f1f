"""Notes and lines that may be compressed: the same text, under a name that ends in `.gz`.

The same content always packs to the same bytes.
"""

from __future__ import annotations

import zlib

from memoracle.errors import MemoracleError, UnreadableFile
from memoracle.model.ids import file_digest
from memoracle.store.notes import write_note
from memoracle.store.volume import Volume

PACKED = ".gz"


def pack(content: bytes) -> bytes:
    """The content, compressed; no time and no name in the header."""
    import gzip

    return gzip.compress(content, compresslevel=6, mtime=0)


def unpack(path: str, raw: bytes) -> bytes:
    """What packed bytes hold."""
    import gzip

    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as problem:
        raise UnreadableFile(path, f"it cannot be unpacked: {problem}") from None


def content_of(volume: Volume, name: str) -> bytes:
    """What a file holds, packed or plain; an absent one holds nothing."""
    raw = volume.read(name)
    return unpack(name, raw) if name.endswith(PACKED) and raw else raw


def is_sound(volume: Volume, name: str) -> bool:
    """True for a packed file that unpacks to its end with the checksum it closes with; a little at a time."""
    import gzip
    from io import BytesIO

    try:
        raw = volume.read(name)
        with gzip.GzipFile(fileobj=BytesIO(raw)) as file:
            while file.read(1 << 20):
                pass
    except (OSError, EOFError, zlib.error, MemoracleError):
        return False
    return bool(raw)


def read_text(volume: Volume, relative: str) -> tuple[str, str | None]:
    """A text as it stands, and the digest of its file; None for a file that is not there."""
    raw = volume.read(relative)
    if not raw and not volume.has(relative):
        return "", None
    content = unpack(relative, raw) if relative.endswith(PACKED) else raw
    try:
        return content.decode("utf-8"), file_digest(raw)
    except UnicodeDecodeError:
        raise UnreadableFile(relative, "it is not UTF-8, and writing would harm what it holds") from None


def write_text(volume: Volume, relative: str, text: str, *, expected: str | None) -> None:
    """Put a text in place of what was read, packed where it was packed."""
    if relative.endswith(PACKED):
        volume.replace(relative, pack(text.encode()), expected=expected)
    else:
        write_note(volume, relative, text, expected=expected)
