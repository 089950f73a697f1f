"""`Store`: the one door through which truth is read and written.

Reading takes no lock and never blocks. Every write holds the root's lock, looks at the files as
they are then, and is acknowledged after fsync. Nothing here knows the view.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from memoracle.clock import Clock, write_time
from memoracle.errors import NoRoot, OutsideRoot, StoreProblem, VersionConflict
from memoracle.model.hit import Passage, Source
from memoracle.model.ids import IdSource, file_digest
from memoracle.model.manifest import FileState, Loaded, Mark, Role
from memoracle.model.record import Kind, Record, content_key_of, newest
from memoracle.store import durable, usage
from memoracle.store.chunks import chunk
from memoracle.store.contain import inside, walk
from memoracle.store.journal import Damage, find_lines, read_records
from memoracle.store.keybook import OURS, Keybook
from memoracle.store.layouts import NoteRole, layout_named, note_homes, resolve
from memoracle.store.line import DamagedLine, decode, encode
from memoracle.store.notes import list_notes, read_note
from memoracle.store.sequence import Count, Tail, last_in_files, note_count, read_count, writer_id

COLLECTIONS = ("facts", "beliefs", "summaries")
_COLLECTION_OF = {Kind.BELIEF: "beliefs", Kind.SUMMARY: "summaries"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an acknowledged line stands."""

    path: str
    line: int


class Store:
    """The files of one root."""

    def __init__(
        self, root: str, *, layout: str = "native", clock: Clock, ids: IdSource, lock_timeout: float = 20.0
    ) -> None:
        if not os.path.isdir(root):
            raise NoRoot(root)
        self.root = os.path.realpath(root)
        self.layout_name = layout
        self.layout = layout_named(layout)
        self._clock = clock
        self._ids = ids
        self._lock_timeout = lock_timeout
        self._keys = Keybook()

    # Where things are

    def path(self, name: str, **parts: str) -> str:
        """The absolute path of a logical file, safely inside the root."""
        return inside(self.root, resolve(self.layout, name, **parts))

    def place(self, relative: str) -> str:
        """The absolute path of a relative one, safely inside the root."""
        return inside(self.root, relative)

    def record_files(self) -> list[str]:
        """The relative paths of all record files, live ones first."""
        return [self.layout[name] for name in COLLECTIONS] + [
            self.layout[f"archived_{name}"] for name in COLLECTIONS
        ]

    def _absolute_record_files(self) -> list[str]:
        return [self.place(relative) for relative in self.record_files()]

    # Reading

    def manifest(self) -> list[FileState]:
        """Every file of truth as the file system describes it, sorted by path."""
        roles = dict.fromkeys(self.record_files(), Role.RECORDS)
        usage_folder = os.path.dirname(self.layout["usage"])
        roles |= dict.fromkeys(walk(self.root, usage_folder, (".jsonl",)), Role.USAGE)
        roles |= dict.fromkeys(self.note_files(), Role.NOTE)
        states = []
        for path, role in sorted(roles.items()):
            try:
                found = os.stat(self.place(path), follow_symlinks=False)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OutsideRoot:
                continue  # `check` reports links; reading passes them over
            states.append(
                FileState(
                    path=path,
                    role=role,
                    size=found.st_size,
                    modified=found.st_mtime_ns,
                    changed=found.st_ctime_ns,
                    inode=found.st_ino,
                )
            )
        return states

    def note_files(self) -> dict[str, NoteRole]:
        """The relative paths of the Markdown people edit, with the role of each."""
        return list_notes(self.root, note_homes(self.layout_name))

    def load(self, path: str, role: Role, after: Mark | None = None) -> Loaded:
        """What a file says; only what is new when the bytes up to the mark are the same."""
        if role is Role.NOTE:
            return self._load_note(path)
        content = durable.read(self.place(path))
        if role is Role.USAGE:
            mark = Mark(size=len(content), lines=0, digest=file_digest(content))
            return Loaded(path=path, role=role, whole=True, mark=mark, uses=tuple(usage.read_uses(content)))
        is_tail = (
            after is not None
            and after.size <= len(content)
            and file_digest(content[: after.size]) == after.digest
        )
        start, after_line = (after.size, after.lines) if is_tail and after else (0, 0)
        reading = read_records(
            path, content[start:], after_line=after_line, settled=not self.is_being_written()
        )
        findings = [piece.finding() for piece in reading.damage] + list(reading.notices)
        return Loaded(
            path=path,
            role=role,
            whole=not is_tail,
            mark=Mark(size=len(content), lines=reading.lines, digest=file_digest(content))
            if reading.ends_whole
            else None,
            versions=reading.versions,
            findings=tuple(findings),
        )

    def _load_note(self, path: str) -> Loaded:
        note = read_note(self.root, path)
        role = next((home.role for home in note_homes(self.layout_name) if home.holds(path)), NoteRole.PAGE)
        passages = tuple(
            Passage(
                ref=f"{path}#L{piece.first_line}",
                source=Source.NOTE,
                kind=role.value,
                text=piece.text,
                title=" > ".join(filter(None, (note.title, piece.heading))),
                path=path,
                first_line=piece.first_line,
                last_line=piece.last_line,
                at=note.at,
                tags=note.tags,
            )
            for piece in chunk(note.body, first_line=note.body_line)
        )
        mark = Mark(size=0, lines=0, digest=note.digest)
        return Loaded(
            path=path, role=Role.NOTE, whole=True, mark=mark, passages=passages, findings=note.findings
        )

    def is_being_written(self) -> bool:
        """True while some process holds the lock."""
        return durable.is_locked(self.lock_path())

    def versions(self, record_id: str) -> list[Record]:
        """Every version of a record in the files, oldest first; equal lines count once."""
        needle = f'"{record_id}"'.encode()
        found: dict[bytes, Record] = {}
        for path in self._absolute_record_files():
            for raw in find_lines(path, needle):
                try:
                    record = decode(raw.rstrip(b"\r")).record
                except DamagedLine:
                    continue
                if record.id == record_id:
                    found[raw] = record
        return sorted(found.values(), key=lambda record: record.precedence)

    def all_versions(self) -> Iterator[tuple[str, Record]]:
        """Every version in every record file, with the path it stands in."""
        for path in self.record_files():
            content = durable.read(self.place(path))
            for version in read_records(path, content, settled=not self.is_being_written()).versions:
                yield path, version.record

    def with_key(self, key: str) -> Record | None:
        """The standing record that carries this content or idempotency key. The caller holds the lock."""
        if not self._keys.holds(key):
            return None
        for path in self._absolute_record_files():
            for raw in self._lines_with(path, key):
                try:
                    record = decode(raw.rstrip(b"\r")).record
                except DamagedLine:
                    continue
                standing = newest(self.versions(record.id))
                if key in _keys_of(record) and key in _keys_of(standing):
                    return standing
        return None

    def _lines_with(self, path: str, key: str) -> Iterator[bytes]:
        found = False
        for raw in find_lines(path, key.encode()):
            found = True
            yield raw
        if not found:  # lines in older shapes do not spell their keys out
            yield from (
                raw for raw in durable.read(path).split(b"\n") if raw.strip() and not raw.startswith(OURS)
            )

    def place_of(self, record: Record) -> Place | None:
        """Where the line of this very version stands."""
        needle = f'"{record.id}"'.encode()
        for path in self.record_files():
            for raw in find_lines(self.place(path), needle):
                try:
                    if decode(raw.rstrip(b"\r")).record != record:
                        continue
                except DamagedLine:
                    continue
                content = durable.read(self.place(path))
                return Place(path=path, line=content[: content.index(raw)].count(b"\n") + 1)
        return None

    # Writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the root's lock; everything that changes truth happens inside."""
        durable.make_folder(os.path.dirname(self.lock_path()))
        with durable.locked(self.lock_path(), timeout=self._lock_timeout):
            self._keys.follow(self._absolute_record_files())
            yield

    def append(self, records: Sequence[Record], *, expected: Mapping[str, int] | None = None) -> list[Place]:
        """Write new versions, make them durable, and say where each stands. The caller holds the lock.

        `expected` names the version each edited record must still have.
        """
        for record_id, version in (expected or {}).items():
            found = newest(self.versions(record_id)).version
            if found != version:
                raise VersionConflict(record_id, expected=version, found=found)
        count = self._settled_count()
        writer = writer_id(self.state_path("writer.json"), self._ids, self._clock())
        batches: dict[str, list[tuple[int, bytes]]] = {}
        for place, record in enumerate(records):
            change = replace(record.change, writer=writer, sequence=count.last + 1 + place)
            line = encode(replace(record, change=change))
            batches.setdefault(self.home_of(record), []).append((place, line))
        places: dict[int, Place] = {}
        tails = dict(count.tails)
        done: list[tuple[str, int]] = []
        try:
            for path, batch in batches.items():
                content = b"".join(line for _, line in batch)
                before = durable.append(self.place(path), content)
                done.append((path, before))
                first = self._lines_before(path, before, tails.get(path)) + 1
                places |= {place: Place(path=path, line=first + i) for i, (place, _) in enumerate(batch)}
                tails[path] = Tail(size=before + len(content), lines=first - 1 + len(batch))
        except StoreProblem:
            for path, before in done:
                durable.cut_back(self.place(path), before)
            raise
        note_count(self.state_path("sequence.json"), Count(last=count.last + len(records), tails=tails))
        return [places[place] for place in range(len(records))]

    def home_of(self, record: Record) -> str:
        """The live file a record's new versions go to."""
        return self.layout[_COLLECTION_OF.get(record.kind, "facts")]

    def damage_in(self, path: str) -> tuple[Damage, ...]:
        """The pieces of a record file that cannot be read."""
        content = durable.read(self.place(path))
        return read_records(path, content, settled=not self.is_being_written()).damage

    def note_use(self, refs: Sequence[str], *, by: str, now: datetime) -> None:
        """Leave a receipt for what was handed over."""
        usage.note_use(self.path("usage", month=write_time(now)[:7]), refs, by=by, now=now)

    def noted_count(self) -> tuple[str, int]:
        """This machine's writer and the last number it noted."""
        writer_path = self.state_path("writer.json")
        if not os.path.exists(writer_path):
            return "", 0
        return writer_id(writer_path, self._ids, self._clock()), read_count(
            self.state_path("sequence.json")
        ).last

    def state_path(self, name: str) -> str:
        """Where this machine keeps something of its own about the root."""
        return inside(self.root, f"{self.layout['state']}/{name}")

    def lock_path(self) -> str:
        """The file whose lock every writer holds."""
        return self.state_path("write.lock")

    def _settled_count(self) -> Count:
        """The running count, checked against the files: other tools may have changed them."""
        count = read_count(self.state_path("sequence.json"))
        live = [self.layout[name] for name in COLLECTIONS]
        sizes = {path: _size(self.place(path)) for path in live}
        if all(sizes[path] == (count.tails[path].size if path in count.tails else 0) for path in live):
            return count
        writer, _ = self.noted_count()
        last = max(count.last, last_in_files(writer, self._absolute_record_files()) if writer else 0)
        return Count(last=last, tails={p: t for p, t in count.tails.items() if sizes.get(p) == t.size})

    def _lines_before(self, path: str, size: int, tail: Tail | None) -> int:
        if tail is not None and tail.size == size:
            return tail.lines
        return durable.read(self.place(path))[:size].count(b"\n")


def _keys_of(record: Record) -> tuple[str, ...]:
    return record.keys or (content_key_of(record.kind, record.statement, record.scope),)


def _size(path: str) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_size
    except FileNotFoundError:
        return 0
