"""`Store`: the one door through which truth is read and written.

Reading takes no lock and never blocks. Every write holds the root's lock, looks at the files as
they are then, and is acknowledged after fsync. Nothing here knows the view.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from threading import get_ident
from typing import TYPE_CHECKING

from memoracle.clock import Clock, write_time
from memoracle.errors import InvalidDraft, NoRoot, OutsideRoot, UnknownRecord, VersionConflict
from memoracle.model.hit import Passage
from memoracle.model.ids import RECORD_PREFIX, IdSource
from memoracle.model.manifest import FileState, Loaded, Mark, Role, Version
from memoracle.model.record import Kind, Record, Status, content_key_of, newest
from memoracle.model.value import replace, value
from memoracle.store import durable, usage
from memoracle.store.contain import inside, walk
from memoracle.store.fact_files import find_facts
from memoracle.store.journal import Damage, find_lines, read_records
from memoracle.store.keybook import OURS, Keybook
from memoracle.store.layouts import NoteRole, layout_named, note_homes, resolve
from memoracle.store.line import DamagedLine, decode, encode, readable
from memoracle.store.notes import find_notes, list_notes
from memoracle.store.sequence import (
    Count,
    Tail,
    known_writer,
    last_in_files,
    new_writer,
    note_count,
    read_count,
)
from memoracle.store.transcripts import FILE as TRANSCRIPTS
from memoracle.store.transcripts import Transcript, read_transcripts, transcript_state
from memoracle.store.tree import Tree

if TYPE_CHECKING:
    from memoracle.model.event import Event
    from memoracle.store.chain import Key
    from memoracle.store.linked import Links

Hear = Callable[[str, str, str], Loaded]
"""Reads a transcript: its path, its shape, and the memo of the last reading."""
Screen = Callable[[Record], Record]
"""Gives a record as it may be written, at the last door before the disk."""
Clean = Callable[[bytes], bytes | None]
"""Gives the content of a transcript as it may be copied; None when it cannot be looked into."""

COLLECTIONS = ("facts", "beliefs", "summaries")
_NO_TAIL = Tail(size=0, lines=0)
_COLLECTION_OF = {Kind.BELIEF: "beliefs", Kind.SUMMARY: "summaries"}


@value
class Place:
    """Where an acknowledged line stands."""

    path: str
    line: int


class Store:
    """The files of one root."""

    def __init__(
        self,
        root: str,
        *,
        layout: str = "native",
        clock: Clock,
        ids: IdSource,
        lock_timeout: float = 20.0,
        hear: Hear | None = None,
        screen: Screen = lambda record: record,
        admit: Screen | None = None,
        hide: Callable[[str], str] = str,
        clean: Clean = bytes,
        links: Callable[[], Links] | None = None,
        suspects: Callable[[str], bool] = lambda _: False,
    ) -> None:
        if not os.path.isdir(root):
            raise NoRoot(root)
        self.root = os.path.realpath(root)
        self.layout_name = layout
        self.layout = layout_named(layout)
        self._clock = clock
        self._ids = ids
        self._lock_timeout = lock_timeout
        self._record_files = [
            self.layout[f"{prefix}{name}"] for prefix in ("", "archived_") for name in COLLECTIONS
        ]
        self._record_places: dict[str, dict[str, str]] = {}
        for path in self._record_files:
            places = self._record_places.setdefault(os.path.dirname(path) or path, {})
            places[path] = f"{self.root}/{path}"
        self._keys = Keybook()
        self._known_writer: tuple[tuple[int, int, int], str] = ((0, 0, 0), "")
        self._hear = hear
        self._screen = screen
        self._admit = admit or screen
        self.hide = hide
        self.clean = clean
        self._links = links
        self._suspects = suspects
        self._salt = b""
        self._audit_key: Key | None = None
        self._holder = 0
        self.untold: list[Event] = []
        self.via, self.by = "", ""

    # Where things are

    def path(self, name: str, /, **parts: str) -> str:
        """The absolute path of a logical file, safely inside the root."""
        return inside(self.root, resolve(self.layout, name, **parts))

    def place(self, relative: str) -> str:
        """The absolute path of a relative one, safely inside the root."""
        return inside(self.root, relative)

    def record_files(self) -> list[str]:
        """The relative paths of all record files, live ones first."""
        return list(self._record_files)

    def plain_record_files(self) -> dict[str, str]:
        """Those that are there as plain files, with their absolute paths; `check` names the others."""
        return {relative: path for relative, path in self._safe_record_files().items() if _is_plain(path)}

    def _safe_record_files(self) -> dict[str, str]:
        """Those in folders that are not links. What stands there is opened only as a plain file."""
        safe: dict[str, str] = {}
        for folder, places in self._record_places.items():
            with suppress(OutsideRoot):
                inside(self.root, folder)
                safe |= places
        return {path: safe[path] for path in self._record_files if path in safe}

    # Reading

    def manifest(self) -> list[FileState]:
        """Every file of truth as the file system describes it: live records, the archive, then the rest.

        A fold writes to the archive before it takes from a live file, so reading in this order
        may meet a line twice but never miss it.
        """
        roles: dict[str, Role] = {}
        usage_folder = os.path.dirname(self.layout["usage"])
        roles |= dict.fromkeys(walk(self.root, usage_folder, usage.ENDINGS), Role.USAGE)
        tree = Tree(self.root)
        homes = note_homes(self.layout_name)
        notes = {
            path: state_of(path, Role.NOTE, found) for path, _, found in find_notes(self.root, tree, homes)
        }
        facts = find_facts(tree, self.layout)
        return [
            *self.record_states(),
            *self._states(roles),
            *(notes[path] for path in sorted(notes)),
            *_states_of_facts(facts),
            *self.transcript_states(),
        ]

    def record_states(self) -> list[FileState]:
        """The record files as the file system describes them, live ones first."""
        return self._states(dict.fromkeys(self.record_files(), Role.RECORDS))

    def _states(self, roles: Mapping[str, Role]) -> list[FileState]:
        states = []
        for path, role in roles.items():
            try:
                found = os.stat(self.place(path), follow_symlinks=False)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OutsideRoot:
                continue  # `check` reports links; reading passes them over
            if not stat.S_ISREG(found.st_mode):
                continue  # nor does it wait for a pipe
            states.append(state_of(path, role, found))
        return states

    def transcripts(self) -> dict[str, Transcript]:
        """The conversations that belong to this memory, by path."""
        return read_transcripts(self.place(f"{self.layout['sessions']}/{TRANSCRIPTS}"))

    def transcript_states(self) -> Iterator[FileState]:
        """The conversations as the file system describes them; those that are away, too."""
        for one in self.transcripts().values():
            state = transcript_state(one.path, one.path)
            if state.size < 0 and one.copy:
                state = transcript_state(one.copy, self.place(one.copy))
            yield state

    def _load_transcript(self, path: str, after: Mark | None) -> Loaded:
        """What a conversation says; one that is away says nothing, and takes nothing back."""
        one = next((t for t in self.transcripts().values() if path in {t.path, t.copy}), None)
        place = path if os.path.isabs(path) else self.place(path)
        if one is None or self._hear is None or not os.path.exists(place):
            return Loaded(path=path, role=Role.TRANSCRIPT, whole=False, mark=after, absent=True)
        heard = self._hear(place, one.shape, after.memo if after else "")
        passages = tuple(replace(passage, path=path) for passage in heard.passages)
        return replace(heard, path=path, passages=self._less_the_forgotten(one.path, passages))

    def _less_the_forgotten(self, name: str, passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
        """The turns of a conversation that were not forgotten; its own file still holds the others."""
        from memoracle.store.never import read_never

        never = read_never(self)
        return tuple(
            one
            for one in passages
            if not any(
                rule.fits(
                    session=one.session, channel=one.channel, where=f"{name}#L{one.first_line}", at=one.at
                )
                for rule in never
            )
        )

    def note_files(self, *roles: NoteRole) -> dict[str, NoteRole]:
        """The relative paths of the Markdown people edit, with the role of each; of some roles alone, if named."""
        homes = note_homes(self.layout_name)
        if roles:
            # The first home that holds a file decides, so those behind the last that counts need no look.
            homes = homes[: max(at for at, home in enumerate(homes, start=1) if home.role in roles)]
        found = list_notes(self.root, homes)
        return {path: role for path, role in found.items() if role in roles} if roles else found

    def is_note(self, path: str) -> bool:
        """True when that is the relative path of a note; no other file is looked at."""
        if not any(home.holds(path) for home in note_homes(self.layout_name)):
            return False
        return bool(self._states({path: Role.NOTE}))

    def load(self, path: str, role: Role, after: Mark | None = None) -> Loaded:
        """What a file says; only what is new when the bytes up to the mark are the same."""
        from memoracle.store import loading

        if role is Role.NOTE:
            links = self._links() if self._links else None
            from memoracle.store.imported import came_from_an_import

            # A note that moved in may hold what nobody here wrote; passages that look so are outside words.
            suspects = self._suspects if came_from_an_import(self, path) else None
            return loading.load_note(
                self.root, self.layout_name, path, hide=self.hide, links=links, suspects=suspects
            )
        if role is Role.TRANSCRIPT:
            return self._load_transcript(path, after)
        if role is Role.FACTS:
            from memoracle.store.facts import load_facts

            return load_facts(self.root, path, hide=self.hide)
        if role is Role.USAGE:
            return loading.load_usage(path, usage.receipts_at(self.place(path)), after=after)
        content, settled = self._read_settled(path)
        links = self._links() if self._links else None
        return loading.load_records(
            path, content, settled=settled, after=after, screen=self._screen, links=links
        )

    def _read_settled(self, path: str) -> tuple[bytes, bool]:
        """A record file, and whether its end is final: False while somebody is writing it."""
        place = self.place(path)
        content = durable.read(place)
        while content and not content.endswith(b"\n"):
            if self.is_being_written():
                return content, False
            # Whoever was writing when we read may have finished since; a real tear stays as it is.
            again = durable.read(place)
            if again == content:
                break
            content = again
        return content, True

    def is_being_written(self) -> bool:
        """True while some process holds the lock."""
        return durable.is_locked(self.lock_path())

    def versions(self, record_id: str) -> list[Record]:
        """Every version of a record in the files, oldest first; equal lines count once."""
        found: dict[bytes, Record] = {}
        for path in self.plain_record_files().values():
            for raw in _lines_of(path, record_id):
                found |= {own: record for own, record in readable(raw) if record.id == record_id}
        # Equal in everything else, the line itself decides: no order of files or lines may.
        return [record for _, record in sorted(found.items(), key=lambda item: (item[1].precedence, item[0]))]

    def histories(self, ids: Collection[str]) -> dict[str, list[Record]]:
        """The same for many records, with every file read once."""
        found: dict[str, dict[bytes, Record]] = {record_id: {} for record_id in ids}
        for path in self.plain_record_files():
            content, _ = self._read_settled(path)
            for raw in content.split(b"\n"):
                for own, record in readable(raw) if raw.strip() else ():
                    if record.id in found:
                        found[record.id][own] = record
        return {
            record_id: [
                record for _, record in sorted(held.items(), key=lambda item: (item[1].precedence, item[0]))
            ]
            for record_id, held in found.items()
        }

    def all_versions(self) -> Iterator[tuple[str, Record]]:
        """Every version in every record file, with the path it stands in."""
        for path in self.plain_record_files():
            content, settled = self._read_settled(path)
            for version in read_records(path, content, settled=settled).versions:
                yield path, version.record

    def versions_in(self, path: str) -> Sequence[Version]:
        """Every version in one record file, with its line."""
        content, settled = self._read_settled(path)
        return read_records(path, content, settled=settled).versions

    def with_key(self, key: str) -> Record | None:
        """The standing record that carries this content or idempotency key. The caller holds the lock.

        An active record comes before an archived one, and that before all others.
        """
        if not self._keys.holds(key):
            return None
        found: dict[str, Record] = {}
        for path in self.plain_record_files().values():
            for raw in _lines_with(path, key):
                for _, record in readable(raw):
                    if record.id not in found and key in _keys_of(record):
                        standing = newest(self.versions(record.id))
                        if key in _keys_of(standing):
                            found[record.id] = standing
                        if standing.status is Status.ACTIVE and record.id in found:
                            return standing
        order = {Status.ACTIVE: 0, Status.ARCHIVED: 1}
        return min(found.values(), key=lambda record: (order.get(record.status, 2), record.id), default=None)

    def place_of(self, record: Record) -> Place | None:
        """Where the line of this very version stands, given as it is or as it is shown."""
        for path, place in self.plain_record_files().items():
            for raw in _lines_of(place, record.id):
                if any(found == record or self._screen(found) == record for _, found in readable(raw)):
                    content = durable.read(place)
                    if (start := content.find(raw)) >= 0:
                        return Place(path=path, line=content.count(b"\n", 0, start) + 1)
        return None

    # Writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the root's lock; everything that changes truth happens inside."""
        lock = self.lock_path()
        durable.make_folder(os.path.dirname(lock))
        with durable.locked(lock, timeout=self._lock_timeout):
            self._holder = get_ident()
            try:
                self._keys.follow(list(self._safe_record_files().values()))
                yield
            finally:
                try:
                    self._tell_the_rest()
                finally:
                    self._holder = 0

    def holds_lock(self) -> bool:
        """True while this thread is inside `writing`."""
        return self._holder == get_ident()

    def tell_later(self, *events: Event) -> None:
        """Have these acts told in the audit trail with the next write, and no later than its lock is let go."""
        self.untold += events

    def wrote(self, act: str, *paths: str) -> None:
        """Have it told that files which are no records were written: their paths, never what they say."""
        from memoracle.model.event import Event

        if not any((one.act, one.about) == (act, paths) for one in self.untold):
            self.tell_later(Event(act=act, at=self._clock(), about=paths))

    def _tell_the_rest(self) -> None:
        if self.untold:
            from memoracle.store.events import tell_if_possible

            told, self.untold = self.untold, []
            tell_if_possible(self, *told, loose=True)

    def append(self, records: Sequence[Record], *, expected: Mapping[str, int] | None = None) -> list[Place]:
        """Write new versions, make them durable, and say where each stands. The caller holds the lock.

        `expected` names the version each edited record must still have.
        """
        from memoracle.store import events

        for record_id, version in (expected or {}).items():
            history = self.versions(record_id)
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
            clean = self._admit(replace(record, change=change))
            fresh.append((clean, _line(clean)))
            batches.setdefault(self.home_of(record), []).append((place, fresh[-1][1]))
        contents = {path: b"".join(line for _, line in batch) for path, batch in batches.items()}
        absolute = {path: self.place(path) for path in batches}
        note = self.state_path("sequence.json")
        told = events.of_writes(fresh, key=self.audit_key(), via=self.via)
        trail = events.prepare(self, count.writer, [*self.untold, *told], last=count.last)
        # The trail first: an act that was told and never done shows, one that was done and never told would not.
        written = durable.append_all(
            {trail.path: trail.content} | {absolute[path]: content for path, content in contents.items()},
            loose=trail.path,
        )
        # From here on the lines are durable: nothing below may fail, because they must be acknowledged.
        places: dict[int, Place] = {}
        tails = dict(count.tails)
        for path, batch in batches.items():
            put, tail = written[absolute[path]], tails.get(path, _NO_TAIL)
            first = tail.lines + (put.begin > tail.size) + 1  # behind a fenced-off tail the count is one more
            places |= {place: Place(path=path, line=first + i) for i, (place, _) in enumerate(batch)}
            tails[path] = Tail(size=put.end, lines=first - 1 + len(batch))
            self._keys.note_append(absolute[path], contents[path], put.last)
        note_count(note, Count(writer=count.writer, last=count.last + len(records), tails=tails))
        self.untold = []
        events.settle(self, trail, written[trail.path].end)
        return [places[place] for place in range(len(records))]

    def home_of(self, record: Record) -> str:
        """The live file a record's new versions go to."""
        return self.layout[_COLLECTION_OF.get(record.kind, "facts")]

    def damage_in(self, path: str) -> tuple[Damage, ...]:
        """The pieces of a record file that cannot be read."""
        content, settled = self._read_settled(path)
        return read_records(path, content, settled=settled).damage

    def note_use(self, refs: Sequence[str], *, by: str, now: datetime) -> None:
        """Leave a receipt for what was handed over."""
        usage.note_use(self.path("usage", month=write_time(now)[:7]), refs, by=by, now=now)

    def noted_count(self) -> tuple[str, int]:
        """This machine's writer and the last number it noted; nothing is written."""
        writer = known_writer(self.state_path("writer.json"))
        noted = read_count(self.state_path("sequence.json"))
        return writer, noted.last if noted.writer == writer else 0

    def state_path(self, name: str) -> str:
        """Where this machine keeps something of its own about the root."""
        return os.path.join(inside(self.root, self.layout["state"]), name)

    def salt(self) -> bytes:
        """What makes the fingerprints of masked secrets this root's own."""
        if not self._salt:
            from memoracle.store.salt import FILE, salt_at

            self._salt = salt_at(self.state_path(FILE))
        return self._salt

    def audit_key(self) -> Key:
        """What seals the entries of the audit trail."""
        if self._audit_key is None:
            from memoracle.store.chain import key_from

            self._audit_key = key_from(self.salt())
        return self._audit_key

    def writer(self) -> str:
        """This machine's writer, made when there is none. The caller holds the lock."""
        return self._writer() or new_writer(self.state_path("writer.json"), self._ids, self._clock())

    def last_count(self) -> int:
        """The last number this machine gave to a record line. The caller holds the lock."""
        return self._settled_count().last

    def now(self) -> datetime:
        """The present moment, by this store's clock."""
        return self._clock()

    def lock_path(self) -> str:
        """The file whose lock every writer holds."""
        return self.state_path("write.lock")

    def _settled_count(self) -> Count:
        """The running count, checked against the files: other tools may have changed them."""
        noted = read_count(self.state_path("sequence.json"))
        writer = self.writer()
        files = self._safe_record_files()
        live = [path for name in COLLECTIONS if (path := self.layout[name]) in files]
        noted_sizes = {path: tail.size for path, tail in noted.tails.items() if tail.size}
        if noted.writer == writer and noted_sizes == {p: n for p in live if (n := _size(files[p]))}:
            return noted
        contents = {path: durable.read(place) for path, place in self.plain_record_files().items()}
        live = [path for path in live if path in contents]
        return Count(
            writer=writer,
            last=max(noted.last if noted.writer == writer else 0, last_in_files(writer, contents.values())),
            tails={p: Tail(size=_size(files[p]), lines=contents[p].count(b"\n")) for p in live},
        )

    def _writer(self) -> str:
        """This machine's writer; read again only when its file has changed."""
        path = self.state_path("writer.json")
        try:
            found = os.stat(path, follow_symlinks=False)
        except OSError:
            return ""
        looks = (found.st_ino, found.st_size, found.st_mtime_ns)
        if self._known_writer[0] != looks:
            self._known_writer = (looks, known_writer(path))
        return self._known_writer[1]


def state_of(path: str, role: Role, found: os.stat_result) -> FileState:
    """A file as the file system describes it."""
    return FileState(
        path=path,
        role=role,
        size=found.st_size,
        modified=found.st_mtime_ns,
        changed=found.st_ctime_ns,
        inode=found.st_ino,
    )


def _states_of_facts(facts: Mapping[str, os.DirEntry[str]]) -> Iterator[FileState]:
    for path in sorted(facts):
        with suppress(FileNotFoundError, NotADirectoryError):
            yield state_of(path, Role.FACTS, facts[path].stat(follow_symlinks=False))


def _line(record: Record) -> bytes:
    """The line of a record, once it has been read back: what could not be read is never written."""
    try:
        line = encode(record)
        decode(line[:-1])
    except (DamagedLine, TypeError, ValueError, RecursionError) as problem:
        raise InvalidDraft(f"{record.id} cannot be written as a record: {problem}") from None
    return line


def _lines_of(path: str, record_id: str) -> Iterator[bytes]:
    """The raw lines that may hold versions of a record."""
    if record_id.startswith(RECORD_PREFIX):
        return find_lines(path, f'"{record_id}"'.encode())
    # An id of another program may be spelled in several ways.
    return (
        raw
        for raw in durable.read(path).split(b"\n")
        if not raw.startswith(OURS) or record_id.encode() in raw
    )


def _lines_with(path: str, key: str) -> Iterator[bytes]:
    found = False
    for raw in find_lines(path, key.encode()):
        found = True
        yield raw
    if not found:  # lines in older shapes do not spell their keys out
        yield from (
            raw for raw in durable.read(path).split(b"\n") if raw.strip() and not raw.startswith(OURS)
        )


def _keys_of(record: Record) -> tuple[str, ...]:
    return record.keys or (content_key_of(record.kind, record.statement, record.scope),)


def _size(path: str) -> int:
    try:
        found = os.stat(path, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def _is_plain(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path, follow_symlinks=False).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
