"""`Store`: the one door through which truth is read and written.

It has its parts: `journal` (records), `notes`, `sessions` (conversations), `audit` (the trail). Reading takes no lock
and never blocks. Every write holds the root's lock, looks at the files as they are then, and is acknowledged after
fsync. Nothing here knows the view.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cached_property
from threading import get_ident
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from memoracle.errors import InvalidDraft, NoRoot, OutsideRoot, UnknownRecord, VersionConflict
from memoracle.model.ids import IdSource
from memoracle.model.manifest import FileState, Loaded, Mark, Role
from memoracle.model.record import Record, newest
from memoracle.model.value import replace
from memoracle.registry import needed, point
from memoracle.store import loading
from memoracle.store.disk import DiskVolume, inside
from memoracle.store.layouts import (
    COLLECTIONS,
    NoteFiles,
    NoteTree,
    find_facts,
    find_notes,
    layout_named,
    note_homes,
    record_files,
    resolve,
)
from memoracle.store.line import (
    Count,
    DamagedLine,
    beside,
    decode,
    encode,
    known_writer,
    last_in_files,
    new_writer,
    note_count,
    read_count,
)
from memoracle.store.machine_state import OwnState, digest_of_salt, note, own_state, word_noted
from memoracle.store.records import Journal, RecordPlace
from memoracle.store.sessions import Sessions
from memoracle.store.volume import Stat, Volume
from memoracle.times import Clock, write_time

if TYPE_CHECKING:
    from memoracle.model.claim import Turn
    from memoracle.model.link import Link
    from memoracle.store.adopted import Adopted
    from memoracle.store.audit_trail import Audit


# What the store asks of others: what may be written, what a conversation says, and what a text links to.


class _Guard(Protocol):
    """Decides what may stand in the files and what the view is told. Asked for every record, so it has to be quick."""

    def admit(self, record: Record) -> Record:
        """A record as it may be written, at the last door before the disk; raises while nobody can tell."""

    def screen(self, record: Record) -> Record:
        """A record as the view may know it; itself where nothing has to be masked. Never raises."""

    def hide(self, text: str) -> str:
        """A text without its secrets, every line where it was."""

    def clean_copy(self, content: bytes) -> bytes | None:
        """A transcript as it may be copied; None when nobody can look into it."""

    def is_suspect(self, text: str) -> bool:
        """True for words from outside that hold hidden text or an injected order."""


class _TranscriptReader(Protocol):
    """Reads the conversations of hosts: files that belong to others, in shapes this room does not know."""

    def load(self, path: str, shape: str, memo: str) -> Loaded:
        """What is new in a transcript since the reading that left this memo."""

    def turns(self, path: str, shape: str) -> Sequence[Turn]:
        """Every turn of a transcript; none of a shape nobody knows."""


class LinkExtractor(Protocol):
    """Reads what a note or a record links to."""

    def of_note(
        self, path: str, project: str, header: Mapping[str, Any], body: str, *, first_line: int
    ) -> tuple[Link, ...]:
        """The links of a note."""

    def of_record(self, record: Record) -> tuple[Link, ...]:
        """The links of one version of a record."""


class Unguarded:
    """A guard that lets everything pass: for a caller that has looked already, and says so."""

    def admit(self, record: Record) -> Record:
        """The record."""
        return record

    screen = admit

    def hide(self, text: str) -> str:
        """The text."""
        return text

    def clean_copy(self, content: bytes) -> bytes | None:
        """The content."""
        return content

    def is_suspect(self, text: str) -> bool:  # noqa: ARG002 - nothing is
        """Nothing is."""
        return False


__all__ = ["COLLECTIONS", "RecordPlace", "Store"]
_Read = TypeVar("_Read")


class Store:
    """The files of one root: read by anybody, written by whoever holds the lock."""

    def __init__(
        self,
        root: str,
        *,
        layout: str = "native",
        clock: Clock,
        ids: IdSource,
        guard: _Guard,
        lock_timeout: float = 20.0,
    ) -> None:
        if not os.path.isdir(root):
            raise NoRoot(root)
        self.root = os.path.realpath(root)
        self.volume: Volume = DiskVolume(self.root)
        self.layout_name = layout
        self.layout = layout_named(layout)
        self.guard = guard
        self.open_reader: Callable[[], _TranscriptReader] | None = None
        self.open_links: Callable[[str, Mapping[str, Mapping[str, Any]]], LinkExtractor] | None = None
        self._link_files: dict[str, bytes] = {}
        self._links: LinkExtractor | None = None
        self._clock = clock
        self._ids = ids
        self._lock_timeout = lock_timeout
        self.via, self.by = "", ""
        self._holder = 0
        self._own: OwnState | None = None
        self._salt = b""
        self._noted_writer = ""
        self._remembered: dict[str, tuple[object, object]] = {}

    # Its parts, each made when it is wanted: most processes need one or two.

    @cached_property
    def journal(self) -> Journal:
        """The records."""
        return Journal(self)

    @cached_property
    def notes(self) -> NoteFiles:
        """The Markdown people edit."""
        return NoteFiles(self.volume, self.layout_name)

    @cached_property
    def sessions(self) -> Sessions:
        """The conversations."""
        return Sessions(self)

    @cached_property
    def audit(self) -> Audit:
        """The audit trail."""
        from memoracle.store.audit_trail import Audit

        return Audit(self)

    # Places

    def path(self, name: str, /, **parts: str) -> str:
        """The absolute path of a logical file, safely inside the root."""
        return inside(self.root, resolve(self.layout, name, **parts))

    def name(self, name: str, /, **parts: str) -> str:
        """The name of a logical file in the volume."""
        return resolve(self.layout, name, **parts)

    def place(self, relative: str) -> str:
        """The absolute path of a relative one, safely inside the root."""
        return inside(self.root, relative)

    def state_path(self, name: str) -> str:
        """Where this machine keeps something of its own about the root."""
        return os.path.join(inside(self.root, self.own_state().folder), name)

    def state_name(self, name: str) -> str:
        """The same, relative to the root."""
        return f"{self.own_state().folder}/{name}"

    def own_state(self) -> OwnState:
        """The folder of what this machine notes of the root, and whether it is the usual one."""
        if self._own is None:
            usual = self.layout["state"]
            inside(self.root, usual)
            self._own = own_state(self.root, usual, first_list=f"{self.layout['sessions']}/transcripts.json")
        return self._own

    def has_file_safely(self, relative: str) -> bool:
        """True when something stands there; somebody else may have chosen the name."""
        try:
            return self.volume.has(relative)
        except OutsideRoot:
            return False

    def remembered(self, name: str, paths: Sequence[str], read: Callable[[], _Read]) -> _Read:
        """What was read from these files; read again only when one of them has changed."""
        looks = tuple(map(self.volume.looks, paths))
        held = self._remembered.get(name)
        if held is None or held[0] != looks:
            held = self._remembered[name] = (looks, read())
        return cast("_Read", held[1])

    def now(self) -> datetime:
        """The present moment, by this store's clock."""
        return self._clock()

    @cached_property
    def reader(self) -> _TranscriptReader | None:
        """What reads conversations of hosts; None when nobody does."""
        return self.open_reader() if self.open_reader else None

    def link_rules(self) -> str:
        """A digest of the rules that this root has for links now; empty when nobody wrote any."""
        files = loading.link_files(self.volume, self.layout)
        if files != self._link_files:
            self._link_files, self._links = files, None
        return loading.digest_of_tables(files)

    def link_reader(self) -> LinkExtractor | None:
        """What reads the links of notes and records by the rules last looked at; None when nobody does."""
        if self._links is None and self.open_links:
            self._links = self.open_links(
                self.root, loading.tables_of(self._link_files) if self._link_files else {}
            )
        return self._links

    def adopted(self) -> Adopted | None:
        """What stood here before it became a memory; None for a directory that was made as one."""
        if self.layout_name == "native":
            return None
        from memoracle.store.adopted import read_adopted

        name = self.name("adopted")
        return self.remembered("adopted", [name], lambda: read_adopted(self.volume, name))

    def salt(self) -> bytes:
        """What makes the fingerprints of masked secrets this root's own."""
        if not self._salt:
            from memoracle.store.privacy import SALT, salt_at

            self._salt = salt_at(self.volume, self.state_name(SALT))
            note(self.root, "salt", digest_of_salt(self._salt))
        return self._salt

    # What a view takes in

    def manifest(self) -> list[FileState]:
        """Every file of truth as the file system describes it: live records, the archive, then the rest.

        A fold writes to the archive before it takes from a live file, so reading in this order
        may meet a line twice but never miss it.
        """
        usage_folder = os.path.dirname(self.layout["usage"])
        receipts = dict.fromkeys(self.volume.walk(usage_folder, loading.RECEIPTS), Role.USAGE)
        tree = NoteTree(self.volume)
        notes = {
            path: state_of(path, Role.NOTE, found)
            for path, _, found in find_notes(self.volume, tree, note_homes(self.layout_name))
        }
        facts = find_facts(tree, self.layout)
        return [
            *self.states(dict.fromkeys(record_files(self.layout), Role.RECORDS)),
            *self.states(receipts),
            *(notes[path] for path in sorted(notes)),
            *(
                state_of(path, Role.FACTS, found)
                for path in (sorted(facts) if facts and point("load_facts") else ())
                if (found := facts[path].stat())
            ),
            *self.sessions.states(),
        ]

    def states(self, roles: Mapping[str, Role]) -> list[FileState]:
        """These files, those of them that are there as plain ones."""
        states = []
        for path, role in roles.items():
            with suppress(OutsideRoot):  # `check` reports links; reading passes them over
                found = self.volume.stat(path)
                if found is not None and found.is_plain:  # nor does it wait for a pipe
                    states.append(state_of(path, role, found))
        return states

    def load(self, path: str, role: Role, after: Mark | None = None, *, most: int | None = None) -> Loaded:
        """What a file says; only what is new when the bytes up to the mark are the same.

        Of records no more than `most` lines, if named: the rest is read behind the mark of these.
        """
        if role is Role.RECORDS:
            return self.journal.load(path, after, most=most)
        if role is Role.TRANSCRIPT:
            return self.sessions.load(path, after)
        if role is Role.USAGE:
            return loading.load_usage(self.volume, path, after)
        if role is Role.FACTS:
            loaded: Loaded = needed("load_facts")(self, path)
            return loaded
        return loading.load_note(self, path)

    # Writing

    def lock_name(self) -> str:
        """The lock that every writer holds, whichever state is its own."""
        return f"{self.layout['state']}/write.lock"

    def is_being_written(self) -> bool:
        """True while some process holds the lock."""
        return self.volume.is_locked(self.lock_name())

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the root's lock; everything that changes truth happens inside."""
        with self.volume.locked(self.lock_name(), timeout=self._lock_timeout):
            self._holder = get_ident()
            try:
                self.journal.keys.follow(self.journal.files())
                yield
            finally:
                try:
                    if "audit" in self.__dict__:
                        self.audit.flush()
                finally:
                    self._holder = 0

    def holds_lock(self) -> bool:
        """True while this thread is inside `writing`."""
        return self._holder == get_ident()

    def forget_locks(self) -> None:
        """Hold nothing: in a forked process the lock stays with the parent."""
        self._holder = 0
        if "journal" in self.__dict__:
            self.journal.forget_keys()

    def close(self) -> None:
        """Let go of what is kept open between writes."""
        if "journal" in self.__dict__:
            self.journal.keys.close()

    def append(
        self, records: Sequence[Record], *, expected: Mapping[str, int] | None = None
    ) -> list[RecordPlace]:
        """Write new versions, make them durable, and say where each stands. The caller holds the lock.

        `expected` names the version each edited record must still have.
        """
        for record_id, version in (expected or {}).items():
            history = self.journal.versions(record_id)
            if not history:
                raise UnknownRecord(record_id)
            found = newest(history).version
            if found != version:
                raise VersionConflict(record_id, expected=version, found=found)
        if not records:
            return []
        count = self._settled_count()
        batches: dict[str, list[tuple[int, bytes]]] = {}
        fresh: list[tuple[Record, bytes]] = []
        for place, record in enumerate(records):
            change = replace(record.change, writer=count.writer, sequence=count.last + 1 + place)
            clean = self.guard.admit(replace(record, change=change))
            fresh.append((clean, _line(clean)))
            home = self.journal.home_of(record)
            batches.setdefault(home, []).append((place, self._beside(home, *fresh[-1])))
        contents = {path: b"".join(line for _, line in batch) for path, batch in batches.items()}
        trail = self.audit.prepare_writes(count.writer, fresh, last=count.last)
        # The trail first: an act that was told and never done shows, one that was done and never told would not.
        written = self.volume.append({trail.path: trail.content} | contents, loose=trail.path)
        # From here on the lines are durable: nothing below may fail, because they must be acknowledged.
        places: dict[int, RecordPlace] = {}
        tails = dict(count.tails)
        for path, batch in batches.items():
            put, (size, lines) = written[path], tails.get(path, (0, 0))
            first = lines + (put.begin > size) + 1  # behind a fenced-off tail the count is one more
            places |= {place: RecordPlace(path=path, line=first + i) for i, (place, _) in enumerate(batch)}
            tails[path] = (put.end, first - 1 + len(batch))
            self.journal.keys.note_append(path, contents[path], put.last)
        after = Count(writer=count.writer, last=count.last + len(records), tails=tails)
        note_count(self.volume, self.state_name("sequence.json"), after)
        self.audit.pending.clear()
        self.audit.settle(trail, written[trail.path].end)
        return [places[place] for place in range(len(records))]

    def _beside(self, home: str, record: Record, line: bytes) -> bytes:
        """The line with what another program looks for in this file, where it reads there too."""
        if "history" not in self.layout or home.startswith("."):
            return line
        fields: Mapping[str, Any] = needed("design_fields")(self.layout_name, record)
        return beside(line, fields)

    def note_use(self, refs: Sequence[str], *, by: str, now: datetime) -> None:
        """Leave a receipt for what was handed over."""
        at = write_time(now)
        loading.note_use(self.volume, self.name("usage", month=at[:7]), refs, by=by, at=at)

    def writer(self) -> str:
        """This machine's writer, made when there is none. The caller holds the lock."""
        name = self.state_name("writer.json")
        known = self.remembered("writer", [name], lambda: known_writer(self.volume, name))
        writer = known or new_writer(self.volume, name, self._ids, self._clock())
        if writer != self._noted_writer:
            note(self.root, "writers", " ".join({*word_noted(self.root, "writers").split(), writer}))
            self._noted_writer = writer
        return writer

    def last_count(self) -> int:
        """The last number this machine gave to a record line. The caller holds the lock."""
        return self._settled_count().last

    def noted_count(self) -> tuple[str, int]:
        """This machine's writer and the last number it noted; nothing is written."""
        writer = known_writer(self.volume, self.state_name("writer.json"))
        noted = read_count(self.volume, self.state_name("sequence.json"))
        return writer, noted.last if noted.writer == writer else 0

    def _settled_count(self) -> Count:
        """The running count, checked against the files: other tools may have changed them."""
        noted = read_count(self.volume, self.state_name("sequence.json"))
        writer = self.writer()
        live = [self.layout[name] for name in COLLECTIONS]
        noted_sizes = {path: size for path, (size, _) in noted.tails.items() if size}
        if noted.writer == writer and noted_sizes == {p: n for p in live if (n := self.volume.looks(p)[1])}:
            return noted
        last = noted.last if noted.writer == writer else 0
        lines = {}
        for path in self.journal.plain_files():
            lines[path] = 0
            for piece in self.volume.pieces(path):
                lines[path] += piece.count(b"\n")
                last = max(last, last_in_files(writer, [piece]))
        tails = {path: (self.volume.looks(path)[1], lines[path]) for path in live if path in lines}
        return Count(writer=writer, last=last, tails=tails)


def _line(record: Record) -> bytes:
    """The line of a record, once it has been read back: what could not be read is never written."""
    try:
        line = encode(record)
        decode(line[:-1])
    except (DamagedLine, TypeError, ValueError, RecursionError) as problem:
        raise InvalidDraft(f"{record.id} cannot be written as a record: {problem}") from None
    return line


def state_of(path: str, role: Role, found: Stat) -> FileState:
    """A file as the file system describes it."""
    return FileState(
        path=path,
        role=role,
        size=found.size,
        modified=found.modified,
        changed=found.changed,
        inode=found.inode,
    )
