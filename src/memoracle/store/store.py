"""`Store`: the one door through which truth is read and written.

Reading takes no lock and never blocks. Every write holds the root's lock, looks at the files as
they are then, and is acknowledged after fsync. Nothing here knows the view.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from threading import get_ident
from typing import TYPE_CHECKING

from memoracle.clock import write_time
from memoracle.errors import InvalidDraft, UnknownRecord, VersionConflict
from memoracle.model.record import Kind, Record, newest
from memoracle.model.value import replace
from memoracle.store import durable, usage
from memoracle.store.ground import COLLECTIONS
from memoracle.store.holdings import Holdings, Place
from memoracle.store.keybook import Keybook
from memoracle.store.line import DamagedLine, decode, encode
from memoracle.store.own_state import note, word_noted
from memoracle.store.sequence import (
    Count,
    Tail,
    known_writer,
    last_in_files,
    new_writer,
    note_count,
    read_count,
)

if TYPE_CHECKING:
    from memoracle.model.event import Event

__all__ = ["COLLECTIONS", "Place", "Store"]
_NO_TAIL = Tail(size=0, lines=0)
_LEFT_TO_THE_PARENT: list[Keybook] = []
_COLLECTION_OF = {Kind.BELIEF: "beliefs", Kind.SUMMARY: "summaries"}


class Store(Holdings):
    """The files of one root: read by anybody, written by whoever holds the lock."""

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

    def forget_locks(self) -> None:
        """Hold nothing: in a forked process the lock stays with the parent."""
        self._holder = 0
        _LEFT_TO_THE_PARENT.append(self._keys)
        self._keys = Keybook(self._place_of_keys)

    def close(self) -> None:
        """Let go of what is kept open between writes."""
        self._keys.close()

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

    def note_use(self, refs: Sequence[str], *, by: str, now: datetime) -> None:
        """Leave a receipt for what was handed over."""
        usage.note_use(self.path("usage", month=write_time(now)[:7]), refs, by=by, now=now)

    def writer(self) -> str:
        """This machine's writer, made when there is none. The caller holds the lock."""
        writer = self._writer() or new_writer(self.state_path("writer.json"), self._ids, self._clock())
        if writer != self._noted_writer:
            note(self.root, "writers", " ".join({*word_noted(self.root, "writers").split(), writer}))
            self._noted_writer = writer
        return writer

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

    def last_count(self) -> int:
        """The last number this machine gave to a record line. The caller holds the lock."""
        return self._settled_count().last

    def noted_count(self) -> tuple[str, int]:
        """This machine's writer and the last number it noted; nothing is written."""
        writer = known_writer(self.state_path("writer.json"))
        noted = read_count(self.state_path("sequence.json"))
        return writer, noted.last if noted.writer == writer else 0

    def _settled_count(self) -> Count:
        """The running count, checked against the files: other tools may have changed them."""
        noted = read_count(self.state_path("sequence.json"))
        writer = self.writer()
        files = self._safe_record_files()
        live = [path for name in COLLECTIONS if (path := self.layout[name]) in files]
        noted_sizes = {path: tail.size for path, tail in noted.tails.items() if tail.size}
        if noted.writer == writer and noted_sizes == {p: n for p in live if (n := _size(files[p]))}:
            return noted
        last = noted.last if noted.writer == writer else 0
        lines = {}
        for path, place in self.plain_record_files().items():
            lines[path] = 0
            for piece in durable.pieces(place):
                lines[path] += piece.count(b"\n")
                last = max(last, last_in_files(writer, [piece]))
        tails = {path: Tail(size=_size(files[path]), lines=lines[path]) for path in live if path in lines}
        return Count(writer=writer, last=last, tails=tails)


def _line(record: Record) -> bytes:
    """The line of a record, once it has been read back: what could not be read is never written."""
    try:
        line = encode(record)
        decode(line[:-1])
    except (DamagedLine, TypeError, ValueError, RecursionError) as problem:
        raise InvalidDraft(f"{record.id} cannot be written as a record: {problem}") from None
    return line


def _size(path: str) -> int:
    try:
        found = os.stat(path, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0
