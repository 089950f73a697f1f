"""The port to a root's files: whatever keeps them, truth is read and written through a `Volume` and nothing else.

Names are relative to the root, with `/` between their steps. A name that walks upwards, is absolute or leads through a
link is refused with `OutsideRoot`; a link is never followed. What every volume promises:

* Acknowledged is durable: when `append`, `replace`, `create` or `remove` returns, a power cut does not undo it.
* `append` to several files fails as one: when it raises, all of them are as they were. A process that is killed in the
  middle leaves the files that come first with their lines and the others without; no acknowledged line is ever touched,
  and a line that was cut short is fenced off, so that it never swallows the next one.
* `replace` has one moment: before it readers see the old content, after it the new one, and never a part.
* Readers take no lock and never wait for a writer.
* Two writers that hold the same lock never interleave; a lock is freed when its holder dies, and is never stolen.
* An absent file reads as empty; one that cannot be read raises, and is never empty.

What is encrypted at rest is sealed and opened by the volume: callers give and get words. Sizes and places in a file are
those of its bytes. `tests/store/volume_contract.py` states all this as cases.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Protocol, TypeVar

from memoracle.errors import InvalidTime, MemoracleError, UnreadableFile
from memoracle.model.value import value

_Read = TypeVar("_Read")


@value
class Stat:
    """How a file looks without being read; equal looks mean that nobody has written to it."""

    inode: int
    size: int
    modified: int
    changed: int
    device: int
    is_plain: bool
    is_writable: bool

    @property
    def looks(self) -> tuple[int, int, int]:
        """What changes whenever the content does."""
        return (self.inode, self.size, self.modified)


TEMPORARY = ".tmp~"
"""How the names of files end that a killed write may leave behind."""
NO_LOOKS = (0, 0, 0)
"""The looks of a file that is not there."""


class FileEntry(Protocol):
    """A plain file of a folder that was listed."""

    @property
    def name(self) -> str:
        """Its name in the folder."""
        ...

    def stat(self) -> Stat | None:
        """How it looks; None when it has gone since."""
        ...


@value
class Folder:
    """The names in one folder, sorted: plain files, and folders; links are not among them."""

    files: Sequence[FileEntry] = ()
    folders: Sequence[str] = ()


@value
class Extent:
    """Where in a file lines were put, and the last bytes of it."""

    begin: int
    end: int
    last: bytes


class Volume(Protocol):
    """The files of one root."""

    root: str
    """What names this volume to people and to other processes: the folder, or the address."""

    def read(self, name: str, start: int = 0, *, most: int = -1) -> bytes:
        """The content from `start` on, `most` bytes of it if named; an absent file is empty."""
        ...

    def pieces(self, name: str, start: int = 0) -> Iterator[bytes]:
        """The same in pieces of whole lines, so that a file of any length costs little memory."""
        ...

    def opened(self, name: str) -> AbstractContextManager[IO[bytes] | None]:
        """The bytes as they stand, as a file to be read and sought in; None for an absent one."""
        ...

    def stat(self, name: str) -> Stat | None:
        """How a file, folder or link looks; None when nothing stands there."""
        ...

    def looks(self, name: str) -> tuple[int, int, int]:
        """What changes whenever a file does; `NO_LOOKS` for one that is absent or out of reach. A link has its own."""
        ...

    def has(self, name: str) -> bool:
        """True when something stands there."""
        ...

    def list(self, folder: str, *, trusted: bool = False) -> Folder:
        """What stands in a folder ("" is the root); nothing in one that is absent, closed to us, or a link.

        `trusted` says that a listing of its parent has just named it, so that its way need not be looked at again.
        """
        ...

    def walk(self, folder: str, endings: tuple[str, ...], *, hidden: bool = False) -> Iterator[str]:
        """The names of the plain files below a folder, sorted; no links, and hidden names only if asked for."""
        ...

    def strange(self) -> Iterator[str]:
        """Names at which something stands that is neither a plain file nor a folder: links, pipes, devices."""
        ...

    def make_folder(self, folder: str) -> bool:
        """Have an empty folder for people to see; False when it was there. Nothing else needs one to be made."""
        ...

    def append(
        self, lines: Mapping[str, bytes], *, loose: str = "", posted: bool = False
    ) -> dict[str, Extent]:
        """Add whole lines to several files, all or none; where they stand is returned for each.

        The file named `loose` is written first and not synced: what it says can be told again. `posted` lines can be
        written while the root is locked, and be read once it is open.
        """
        ...

    def replace(
        self, name: str, content: bytes, *, expected: str | None = None, private: bool = False
    ) -> None:
        """Put a whole new content in place of a file, or leave the old one untouched.

        A file keeps the permissions its owner gave it, unless it is `private`.

        `expected` is the digest of what the caller read (of nothing for a new file); when the file has moved on,
        `ChangedUnderneath` is raised and it stays as it is.
        """
        ...

    def create(self, name: str, content: bytes) -> bool:
        """Put a whole new file where none stands; False, and nothing is touched, where one does. Of many one wins."""
        ...

    def overwrite(self, name: str, content: bytes) -> None:
        """Write over a small file in place, and do not sync it: a reader has to check what it finds."""
        ...

    def remove(self, name: str) -> None:
        """Take a file away; one that is not there is fine."""
        ...

    def locked(self, name: str, *, timeout: float) -> AbstractContextManager[None]:
        """Hold the lock of that name; `RootLocked` when somebody else holds it for longer than `timeout`."""
        ...

    def is_locked(self, name: str) -> bool:
        """True when somebody holds that lock at this moment."""
        ...

    def is_sealed(self) -> bool:
        """True when what this volume holds is encrypted at rest: bytes and words differ."""
        ...

    @property
    def raw(self) -> Volume:
        """The same files as they stand, sealed or not: nothing is opened, nothing is sealed."""
        ...


class Codec(Protocol):
    """What seals the words of a root and opens them again; `path` is the file's place. An extension registers it."""

    @property
    def is_off(self) -> bool:
        """True when everything lies in clear again."""
        ...

    def must_be_open(self) -> None:
        """Raise `Locked` when the keys are not open."""
        ...

    def view_folder(self) -> str | None:
        """Where a view may stand: a folder that no disk holds; None when there is none."""
        ...

    def memory_folder(self) -> str | None:
        """Where temporary words may stand: such a folder too."""
        ...

    def shut(self, path: str, content: bytes) -> bytes:
        """The bytes to write for these words."""
        ...

    def post(self, path: str, lines: bytes) -> bytes:
        """Whole lines that may be written while the root is locked."""
        ...

    def opened(self, path: str, raw: bytes, *, is_whole: bool = True) -> bytes:
        """The words in the bytes of a file, or in its last lines."""
        ...


# Small documents about a root, such as `state/jobs.json` and `health.json`: read whole, replaced whole.
#
# They hold no truth, and most are this machine's own. A document that is absent, damaged or of another
# shape counts as empty, so that no upkeep stops for it; `check` tells it, and its bytes are kept beside it (`.damaged`)
# before another one is put in its place.


def read_document(volume: Volume, name: str) -> dict[str, Any]:
    """The JSON object of that name; what cannot be read as one is empty."""
    try:
        held = json.loads(volume.read(name) or b"{}")
    except (ValueError, RecursionError, MemoracleError):
        return {}
    return held if isinstance(held, dict) else {}


def write_document(volume: Volume, name: str, document: Any) -> None:
    """Put a document in place of the one that is there, or leave that one untouched."""
    held = volume.read(name)
    try:
        json.loads(held or b"{}")
    except (ValueError, RecursionError):
        volume.replace(f"{name}.damaged", held)
    text = json.dumps(document, ensure_ascii=False, indent=1)
    volume.replace(name, text.encode() + b"\n")


def json_line(plain: object) -> bytes:
    """A value on one line of JSON, newline included."""
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def parsed_lines(content: bytes, read: Callable[[Any], _Read]) -> Iterator[tuple[bytes, _Read | None]]:
    """The lines of a small list that say something, each with what `read` makes of its JSON; None where it cannot."""
    for raw in content.split(b"\n"):
        if not raw.strip():
            continue
        try:
            found = read(json.loads(raw))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, InvalidTime):
            yield raw, None
        else:
            yield raw, found


# Notes and lines that may be compressed: the same text, under a name that ends in `.gz`.
#
# The same content always packs to the same bytes.

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
