"""The journal: record files in which one line is one version of a record, and the newest version wins.

Reading takes no lock and never blocks. What is written comes through `Store.append`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.manifest import FileState, Loaded, Mark, Role, Version
from memoracle.model.record import Kind, Record, Status, content_key_of, newest
from memoracle.model.value import replace, value
from memoracle.store import sealed
from memoracle.store.content_keys import KEYS, OURS, ContentKeys
from memoracle.store.journal import Damage, find_lines, read_records
from memoracle.store.line import readable
from memoracle.store.volume import Volume

if TYPE_CHECKING:
    from memoracle.store.store import Store

COLLECTIONS = ("facts", "beliefs", "summaries")
_COLLECTION_OF = {Kind.BELIEF: "beliefs", Kind.SUMMARY: "summaries"}
_LEFT_TO_THE_PARENT: list[ContentKeys] = []


@value
class RecordPlace:
    """Where an acknowledged line stands."""

    path: str
    line: int


class Journal:
    """The records of a root: by id, by key, with their histories and their places."""

    def __init__(self, store: Store) -> None:
        self._store = store
        layout = store.layout
        self._files = [layout[f"{prefix}{name}"] for prefix in ("", "archived_") for name in COLLECTIONS]
        self._volume = store.volume
        self._portions = _Portions()
        self.keys = ContentKeys(self._volume, self._place_of_keys)

    # Files

    def files(self) -> list[str]:
        """The relative paths of all record files, live ones first."""
        return list(self._files)

    def plain_files(self) -> list[str]:
        """Those that are there as plain files; `check` names the others."""
        return [state.path for state in self.states()]

    def states(self) -> list[FileState]:
        """The record files as the file system describes them, live ones first."""
        return self._store.states(dict.fromkeys(self._files, Role.RECORDS))

    def home_of(self, record: Record) -> str:
        """The live file a record's new versions go to."""
        return self._store.layout[_COLLECTION_OF.get(record.kind, "facts")]

    # Reading

    def versions(self, record_id: str) -> list[Record]:
        """Every version of a record in the files, oldest first; equal lines count once."""
        found: dict[bytes, Record] = {}
        for path in self.plain_files():
            seen = self.as_adopted(path)
            for raw in _lines_of(self._volume, path, record_id):
                for own, record in readable(raw):
                    if record.id == record_id:
                        found.setdefault(own, seen(record))
        return _in_order(found)

    def histories(self, ids: Collection[str]) -> dict[str, list[Record]]:
        """The same for many records, with every file read once."""
        found: dict[str, dict[bytes, Record]] = {record_id: {} for record_id in ids}
        for path in self.plain_files():
            content, _ = self._read_settled(path)
            seen = self.as_adopted(path)
            for raw in content.split(b"\n"):
                for own, record in readable(raw) if raw.strip() else ():
                    if record.id in found:
                        found[record.id].setdefault(own, seen(record))
        return {record_id: _in_order(held) for record_id, held in found.items()}

    def all_versions(self) -> Iterator[tuple[str, Record]]:
        """Every version in every record file, with the path it stands in."""
        for path in self.plain_files():
            seen = self.as_adopted(path)
            lines = 0
            for piece in self._volume.pieces(path):
                reading = read_records(path, piece, after_line=lines)
                lines = reading.lines
                for version in reading.versions:
                    yield path, seen(version.record)

    def versions_in(self, path: str) -> Sequence[Version]:
        """Every version in one record file, with its line."""
        content, settled = self._read_settled(path)
        seen = self.as_adopted(path)
        versions = read_records(path, content, settled=settled).versions
        return [replace(version, record=seen(version.record)) for version in versions]

    def damage_in(self, path: str) -> tuple[Damage, ...]:
        """The pieces of a record file that cannot be read."""
        content, settled = self._read_settled(path)
        return read_records(path, content, settled=settled).damage

    def with_key(self, key: str) -> Record | None:
        """The standing record that carries this content or idempotency key. The caller holds the lock.

        An active record comes before an archived one, and that before all others.
        """
        if not self.keys.holds(key):
            return None
        found: dict[str, Record] = {}
        for path in self.plain_files():
            for raw in _lines_with(self._volume, path, key):
                for _, record in readable(raw):
                    if record.id not in found and key in _keys_of(record):
                        standing = newest(self.versions(record.id))
                        if key in _keys_of(standing):
                            found[record.id] = standing
                        if standing.status is Status.ACTIVE and record.id in found:
                            return standing
        order = {Status.ACTIVE: 0, Status.ARCHIVED: 1}
        return min(found.values(), key=lambda record: (order.get(record.status, 2), record.id), default=None)

    def place_of(self, record: Record) -> RecordPlace | None:
        """Where the line of this very version stands, given as it is or as it is shown."""
        screen = self._store.guard.screen
        for path in self.plain_files():
            seen = self.as_adopted(path)
            for raw in _lines_of(self._volume, path, record.id):
                held = [seen(found) for _, found in readable(raw)]
                if any(found == record or screen(found) == record for found in held):
                    lines = 0
                    for piece in self._volume.pieces(path):
                        if (start := piece.find(raw)) >= 0:
                            return RecordPlace(path=path, line=lines + piece.count(b"\n", 0, start) + 1)
                        lines += piece.count(b"\n")
        return None

    # As a view takes it

    def load(self, path: str, after: Mark | None, *, most: int | None = None) -> Loaded:
        """What a record file says behind a mark, no more than `most` lines if named; the guard sees all of it."""
        from memoracle.store.loading import load_records

        tail, settled = self._tail_settled(path, after, most)
        seen, screen = self.as_adopted(path), self._store.guard.screen
        return load_records(
            path,
            tail,
            settled=settled,
            screen=lambda record: screen(seen(record)),
            links=self._store.link_reader(),
        )

    def parts(self, path: str) -> Iterator[Loaded]:
        """A record file as it is loaded, portion by portion: of a file of any length only one is in memory."""
        loaded = self.load(path, None, most=LINES)
        yield loaded
        while loaded.more and loaded.mark:
            loaded = self.load(path, loaded.mark, most=LINES)
            yield loaded

    def forget_keys(self) -> None:
        """Begin with no keys: in a forked process their file stays with the parent."""
        _LEFT_TO_THE_PARENT.append(self.keys)
        self.keys = ContentKeys(self._volume, self._place_of_keys)

    def _place_of_keys(self) -> str | None:
        """Where the keys of many records are kept between processes: beside the view, which is derived as they are."""
        root = self._store.root
        folder = sealed.place_of_view(root, f"{root}/{self._store.layout['index']}")
        if not folder or os.path.islink(folder):
            return None
        with suppress(OSError):  # where it cannot be made, nothing is kept
            os.makedirs(folder, mode=0o700, exist_ok=True)
        return f"{folder}/{KEYS}"

    def as_adopted(self, path: str) -> Callable[[Record], Record]:
        """How a record of that file is to be read: as its line says, or as its design had it when it was adopted."""
        held = self._store.adopted()
        if held is None:
            return _as_it_is
        cold = path in self._files[len(COLLECTIONS) :]
        return lambda record: held.seen(path, record, cold=cold)

    def _tail_settled(self, path: str, after: Mark | None, most: int | None) -> tuple[Portion, bool]:
        """What follows a mark in a record file, and whether its end is final: False while somebody is writing it."""
        tail = self._portions.read(self._volume, path, after, most)
        while tail.content and not tail.more and not tail.content.endswith(b"\n"):
            if self._store.is_being_written():
                return tail, False
            # Whoever was writing when we read may have finished since; a real tear stays as it is.
            again = self._portions.read(self._volume, path, after, most)
            if again == tail:
                break
            tail = again
        return tail, True

    def _read_settled(self, path: str) -> tuple[bytes, bool]:
        """The whole of a record file, in the same way."""
        tail, settled = self._tail_settled(path, None, None)
        return tail.content, settled


def _as_it_is(record: Record) -> Record:
    return record


def _in_order(found: Mapping[bytes, Record]) -> list[Record]:
    """Oldest first. Equal in everything else, the line itself decides: no order of files or lines may."""
    return [record for _, record in sorted(found.items(), key=lambda item: (item[1].precedence, item[0]))]


def _lines_of(volume: Volume, path: str, record_id: str) -> Iterator[bytes]:
    """The raw lines that may hold versions of a record."""
    if record_id.startswith(RECORD_PREFIX):
        return find_lines(volume, path, f'"{record_id}"'.encode())
    # An id of another program may be spelled in several ways.
    return (
        raw for raw in volume.read(path).split(b"\n") if not raw.startswith(OURS) or record_id.encode() in raw
    )


def _lines_with(volume: Volume, path: str, key: str) -> Iterator[bytes]:
    found = False
    for raw in find_lines(volume, path, key.encode()):
        found = True
        yield raw
    if not found:  # lines in older shapes do not spell their keys out
        yield from (raw for raw in volume.read(path).split(b"\n") if raw.strip() and not raw.startswith(OURS))


def _keys_of(record: Record) -> tuple[str, ...]:
    return record.keys or (content_key_of(record.kind, record.statement, record.scope),)


# Record files in portions: of a file of any length only so much is in memory as is being taken in.
#
# What is read goes on behind a mark when the bytes before it are the same; for that they are hashed in passing, not
# kept.

LINES = 16_384
"""Lines of a portion, as many as a view takes in at once."""
_BYTES = 32 * 1024 * 1024
_CHUNK = 1024 * 1024


@value
class Portion:
    """A part of a file that was not read before: its words, where it stands, and the digest of all up to its end."""

    content: bytes
    after_line: int
    size: int
    is_whole: bool
    digest: str
    more: bool = False


@value
class _Reached:
    """How far a file was read a moment ago, and the hash of everything up to there."""

    place: str
    looks: tuple[int, int, int]
    size: int
    digest: str
    state: Any


class _Portions:
    """Reads what follows a mark. The hash of what was read last is at hand, so that the next portion needs no other."""

    def __init__(self) -> None:
        self._reached: _Reached | None = None

    def read(self, volume: Volume, place: str, after: Mark | None, most: int | None) -> Portion:
        """What follows the mark, at most so many lines of it; everything where the bytes before it are others."""
        if volume.is_sealed():
            return tail_of(volume.read(place), after)
        looks = volume.looks(
            place
        )  # before it is opened: what is replaced in between looks different next time
        with volume.opened(place) as file:
            if file is None:
                return tail_of(b"", after)
            state = self._state_at(place, looks, after, file)
            if after is not None and state is None:
                file.seek(0)
            begin, lines = (after.size, after.lines) if after is not None and state is not None else (0, 0)
            # A file whose beginning changed is compared line by line with what is known: it has to come whole.
            limit = most if after is None or state is not None else None
            running = state or blake2b(digest_size=16)
            pieces = []
            for piece in _lines(file, limit):
                pieces.append(piece)
                running.update(piece)
            content = b"".join(pieces)
            size = begin + len(content)
            digest = running.hexdigest()
            self._reached = _Reached(place=place, looks=looks, size=size, digest=digest, state=running.copy())
            more = limit is not None and bool(file.read(1))
            return Portion(
                content=content, after_line=lines, size=size, is_whole=not begin, digest=digest, more=more
            )

    def _state_at(
        self, place: str, looks: tuple[int, int, int], after: Mark | None, file: IO[bytes]
    ) -> Any | None:
        """The hash of everything before the mark, the file standing behind it; None when these are other bytes."""
        if after is None:
            return None
        known = self._reached
        if known and (known.place, known.looks, known.size, known.digest) == (
            place,
            looks,
            after.size,
            after.digest,
        ):
            file.seek(after.size)
            return known.state.copy()
        state = blake2b(digest_size=16)
        left = after.size
        while left and (chunk := file.read(min(left, _CHUNK))):
            state.update(chunk)
            left -= len(chunk)
        return state if not left and state.hexdigest() == after.digest else None


def tail_of(content: bytes, after: Mark | None) -> Portion:
    """The same for words that are at hand."""
    view = memoryview(content)
    running = blake2b(view[: after.size if after else 0], digest_size=16)
    before = running.hexdigest()
    running.update(view[after.size if after else 0 :])
    is_whole = after is None or after.size > len(content) or before != after.digest
    begin, lines = (0, 0) if is_whole or after is None else (after.size, after.lines)
    return Portion(
        content=content[begin:] if begin else content,
        after_line=lines,
        size=len(content),
        is_whole=is_whole,
        digest=running.hexdigest(),
    )


def _lines(file: IO[bytes], most: int | None) -> Iterator[bytes]:
    if most is None:
        while chunk := file.read(_CHUNK):
            yield chunk
        return
    read = 0
    for line in islice(file, most):
        yield line
        read += len(line)
        if read >= _BYTES:
            return
