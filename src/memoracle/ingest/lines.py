r"""Lines of a transcript that somebody else writes, perhaps at this moment.

A line ends at `\n` and nowhere else: U+2028 and form feeds are ordinary text inside JSON. Damage
costs the damaged line only and is told as a finding. Nothing here writes, locks or follows a host.
"""

from __future__ import annotations

import errno
import gzip
import importlib
import json
import os
import stat
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from memoracle.store import durable, sealed

LONGEST_LINE = 64 * 1024 * 1024
LARGEST_DOCUMENT = 1024 * 1024 * 1024
_PIECE = 16 * 1024
_BOM = b"\xef\xbb\xbf"
_BLANKS = b"\0 \t\r\n"
UNPACK_ERRORS = (OSError, EOFError, zlib.error, ValueError)

Entry = dict[str, Any]


class Line(NamedTuple):
    r"""One line without its end; `after` is the offset behind it, `ended` whether `\n` was there."""

    number: int
    raw: bytes
    after: int
    ended: bool


class Broken(NamedTuple):
    """Why a line could not be used."""

    code: str
    message: str


def split_lines(stream: IO[bytes], *, offset: int = 0, number: int = 1) -> Iterator[Line]:
    """The lines of `stream` from where it stands; a line beyond `LONGEST_LINE` comes cut short."""
    while raw := stream.readline(LONGEST_LINE):
        offset += len(raw)
        kept = raw
        while not raw.endswith(b"\n") and len(kept) == LONGEST_LINE:
            raw = stream.readline(LONGEST_LINE)
            offset += len(raw)
            if len(raw) < LONGEST_LINE:
                break
        ended = raw.endswith(b"\n")
        yield Line(number, kept[:-1] if ended and kept is raw else kept, offset, ended)
        number += 1


def parse(raw: bytes) -> tuple[Entry | None, Broken | None]:
    """The object on a line, what is wrong with the line, or both when it could be repaired."""
    text, flaw = _text_of(raw)
    if not text or text.isspace():
        return None, flaw
    try:
        entry = json.loads(text)
    except RecursionError:
        return None, Broken("too-deep", "the line nests too deeply to be read")
    except ValueError:
        return None, flaw or Broken("broken-line", "the line is not JSON")
    if not isinstance(entry, dict):
        return None, Broken("unknown-shape", "the line is not an object")
    return cast("Entry", entry), flaw


def _text_of(raw: bytes) -> tuple[str, Broken | None]:
    flaw = None
    if len(raw) >= LONGEST_LINE:
        return "", Broken("oversized-line", f"the line is longer than {LONGEST_LINE >> 20} MiB")
    if b"\0" in raw:
        # A crash leaves blocks of zeros, sometimes before what was appended later.
        flaw = Broken("nul-bytes", "the line holds zero bytes, as a crash leaves them")
        raw = raw.strip(_BLANKS)
    raw = raw.removeprefix(_BOM)
    try:
        return raw.decode("utf-8"), flaw
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace"), Broken("bad-utf8", "the line is not valid UTF-8")


def mended(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be written again."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def is_packed(path: Path) -> bool:
    """True for a compressed copy."""
    return path.suffix in {".gz", ".zst"}


def open_bytes(path: Path) -> IO[bytes]:
    """The bytes of a plain file, unpacked when it is a compressed copy; pipes and devices are refused."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    if sealed.vault_of(str(path)) is not None:  # a copy that was kept in a sealed root
        content = BytesIO(durable.read(str(path)))
        return cast("IO[bytes]", gzip.open(content, "rb")) if path.suffix == ".gz" else content
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    if path.suffix == ".zst":
        return _open_zst(path)
    return path.open("rb")


def _open_zst(path: Path) -> IO[bytes]:
    try:
        module = importlib.import_module("compression.zstd")  # Python 3.14 brings it
    except ImportError:
        raise ValueError("Zstandard needs Python 3.14 or `zstd -d` beforehand") from None
    return cast("IO[bytes]", module.open(path, "rb"))


def read_document(path: Path) -> tuple[bytes, Broken | None]:
    """The whole of a file, unpacked; or why that failed."""
    try:
        with open_bytes(path) as stream:
            content = stream.read(LARGEST_DOCUMENT + 1)
    except UNPACK_ERRORS as error:
        return b"", unreadable(error)
    if len(content) > LARGEST_DOCUMENT:
        return b"", Broken("too-large", f"the file is larger than {LARGEST_DOCUMENT >> 30} GiB")
    return content, None


def read_start(path: Path, length: int) -> bytes:
    """The first bytes of a file, unpacked; of a damaged archive, those before the damage."""
    start = b""
    with open_bytes(path) as stream:
        while len(start) < length:
            try:
                piece = stream.read(min(_PIECE, length - len(start)))
            except UNPACK_ERRORS:
                if start:
                    break
                raise
            if not piece:
                break
            start += piece
    return start


def unreadable(error: Exception) -> Broken:
    """Why a file could not be read."""
    return Broken("unreadable-file", f"could not be read: {error}")
