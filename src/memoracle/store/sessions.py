"""Conversations that belong to this memory: which ones, and the copies kept of them.

The hosts' own logs are truth that is only ever read. Where they stand is this machine's own business: it is listed in
its state (`sources.jsonl`, twice), and never among the files that travel, so that no clone can name what is read here.
A compressed copy in `sessions/` outlives the host's own tidying and travels; `sessions/copies.jsonl` lists those, by
their place in the root. A transcript that is away takes nothing with it: its turns stay until the view is rebuilt, and
the kept copy speaks for it from then on.

`sessions/transcripts.json` is how an earlier edition listed both. What it names on this machine is taken over once,
where that edition's state is this machine's own; elsewhere only the copies in it count.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError, OutsideRoot
from memoracle.model.ids import file_digest
from memoracle.model.manifest import FileState, Loaded, Mark, Role
from memoracle.model.report import Finding, Severity
from memoracle.model.search import TOOL
from memoracle.model.value import replace, value
from memoracle.store.forgotten import (
    ChecksummedList,
    counted_list,
    keep_damage,
    level_forgotten,
    list_line,
    look_forgotten,
    may_read,
    read_forgotten,
    read_list,
)
from memoracle.store.machine_state import count_noted, note
from memoracle.store.volume import content_of, pack, read_document, write_document
from memoracle.text import shorten
from memoracle.times import write_time

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.model.claim import Turn
    from memoracle.store.store import Store


FIRST, COPIES, _TOOLS = "transcripts.json", "copies.jsonl", "tools.json"
SOURCES, TWIN = "sources.jsonl", "sources.twin.jsonl"
_SHAPE = re.compile(r"[a-z0-9-]{1,40}")
_LONGEST_PATH = 4096
_REPAIR = "`memoracle repair` writes it again; what cannot be read is kept"
_SQLITE = b"SQLite format 3\0"
_ODD = re.compile(r"[^\w.-]+")
_Row = Mapping[str, Any]


@value
class Transcript:
    """One conversation file: where the host keeps it, in which shape, and our copy of it.

    `here` is false for one that another machine kept a copy of: its path is a name, and nothing is ever read there.
    """

    path: str
    shape: str
    copy: str = ""
    here: bool = True


@value
class Conversations:
    """All that belong to a memory, by path; by path and by copy; and what is wrong with their lists."""

    by_path: Mapping[str, Transcript]
    by_name: Mapping[str, Transcript]
    findings: tuple[Finding, ...] = ()
    lists: tuple[ChecksummedList, ...] = ()
    uneven: bool = False


class Sessions:
    """The conversations of one root: which there are, where each is read, and what they say."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def look(self) -> Conversations:
        """All of them, with what is wrong with their lists; read again only when a list has changed."""
        store = self._store
        own = (store.state_name(SOURCES), store.state_name(TWIN))
        folder = store.layout["sessions"]
        places = (*own, f"{folder}/{COPIES}", f"{folder}/{FIRST}")
        return store.remembered("conversations", places, lambda: _read_all(store))

    def by_path(self) -> Mapping[str, Transcript]:
        """Those that belong to this memory, by the path of the host's file."""
        return self.look().by_path

    def place_of(self, one: Transcript) -> str:
        """Where a conversation is read: the host's file, else our copy; empty when both are away."""
        if one.here and os.path.exists(one.path):
            return one.path
        return place if one.copy and os.path.exists(place := self._store.place(one.copy)) else ""

    def turns(self, one: Transcript) -> Sequence[Turn]:
        """Every turn of a conversation; none of one that is away."""
        place, reader = self.place_of(one), self._store.reader
        return reader.turns(place, one.shape) if place and reader else ()

    def findings(self) -> list[Finding]:
        """What is wrong with the lists of conversations, and of what was forgotten."""
        return [*self.look().findings, *look_forgotten(self._store).findings]

    def states(self) -> Iterator[FileState]:
        """The conversations as the file system describes them; those that are away, too."""
        is_closed = bool(look_forgotten(self._store).lost)
        for one in self.by_path().values():
            state = _state_of(one.path, one.path if one.here else "")
            if state.size < 0 and one.copy:
                state = _state_of(one.copy, self._store.place(one.copy))
            # What must not be read now is looked at again as soon as it may be.
            yield replace(state, changed=-1) if is_closed and state.size >= 0 else state

    def load(self, path: str, after: Mark | None) -> Loaded:
        """What a conversation says; one that is away says nothing, and takes nothing back."""
        store = self._store
        one = self.look().by_name.get(path)
        place = "" if one is None else one.path if one.here and path == one.path else store.place(one.copy)
        never = look_forgotten(store)
        if one is None or store.reader is None or never.lost or not os.path.exists(place):
            found = never.findings[:1] if never.lost else ()
            return Loaded(
                path=path, role=Role.TRANSCRIPT, whole=False, mark=after, absent=True, findings=found
            )
        loaded = store.reader.load(place, one.shape, after.memo if after else "")
        # What was forgotten, and what tools gave long ago, still stands in the host's own file.
        left, names_own = self.tools_left(), self._own_files().search
        passages = tuple(
            passage if passage.path == path else replace(passage, path=path)
            for passage in loaded.passages
            if not (
                passage.kind == TOOL
                and (names_own(passage.text) or (passage.at and write_time(passage.at) < left))
            )
            and not any(
                rule.fits(
                    session=passage.session,
                    channel=passage.channel,
                    where=f"{one.path}#L{passage.first_line}",
                    at=passage.at,
                )
                for rule in never.selections
            )
        )
        return replace(loaded, path=path, passages=passages)

    def _own_files(self) -> re.Pattern[str]:
        """Where a text names files of this memory: what a tool read there would outlive its forgetting."""
        root, home = self._store.root, os.path.expanduser("~/")
        places = {name.partition("/")[::2] for name in self._store.layout.values()}
        own = (re.escape(name) + (r"\b" if "." in name and not below else "/") for name, below in places)
        names = "|".join(sorted(own))
        roots = "|".join(map(re.escape, (root, root.replace(home, "~/"), root.replace(home, "$HOME/"))))
        return re.compile(rf"(?:{roots})(?:/|[\"']?\s(?:.*[\s\"'])?(?:\./)?)(?:{names})", re.DOTALL)

    def tools_left(self, before: datetime | None = None) -> str:
        """From when on tools' results are heard; `before` lets go of older ones. The caller holds the lock."""
        name = self._store.state_name(_TOOLS)
        if before is not None:
            write_document(self._store.volume, name, {"from": write_time(before)})
        return str(read_document(self._store.volume, name).get("from", ""))


def write_transcripts(store: Store, transcripts: Iterable[Transcript]) -> None:
    """Keep the lists. What could not be read of them goes to quarantine first. The caller holds the lock."""
    ordered = sorted(transcripts, key=lambda one: one.path)
    keep_damage(store, *store.sessions.look().lists)
    rows = [
        {"path": one.path, "shape": one.shape} | ({"copy": one.copy} if one.copy else {})
        for one in ordered
        if one.here
    ]
    content = counted_list("conversations", rows)
    for name in (SOURCES, TWIN):
        store.volume.replace(store.state_name(name), content)
    note(store.root, "conversations", len(rows))
    kept = b"".join(
        list_line({"copy": one.copy, "shape": one.shape, "path": one.path}) for one in ordered if one.copy
    )
    place = f"{store.layout['sessions']}/{COPIES}"
    if kept != store.volume.read(place):
        store.volume.replace(place, kept)


def _read_all(store: Store) -> Conversations:
    findings: list[Finding] = []
    first = _read_first(store)
    lists, rows, uneven = _local(store, first, findings)
    copies = read_list(store, f"{store.layout['sessions']}/{COPIES}", headed=False)
    if copies.damage or copies.strays:
        findings.append(
            _damaged(copies, "the conversations this machine registered are listed elsewhere too")
        )
        uneven = True
    by_path = {one.path: one for one in _entries(store, lists[0].path, rows, findings, here=True)}
    if by_path and not any(one.present for one in lists[:2]):
        uneven = True  # taken over from an earlier edition, and not written down yet
    elif {one.copy for one in by_path.values() if one.copy} - {row.get("copy") for row in copies.rows}:
        if not copies.damage:
            gone = replace(copies, short=1)
            findings.append(
                _damaged(gone, "this machine has them; others would not know how copies are read")
            )
        uneven = True
    elsewhere = [row for row in first if not row.get("copy")] if rows is not first else []
    if elsewhere:
        findings.append(
            Finding(
                code="foreign-list",
                severity=Severity.WARNING,
                path=f"{store.layout['sessions']}/{FIRST}",
                message=f"{len(elsewhere)} conversations are listed here, among the files that travel; "
                "none of them is read",
                hint="`memoracle ingest` registers on this machine what belongs to this memory; then this file may go",
            )
        )
    travelling = [row for row in first if row.get("copy") and store.has_file_safely(str(row["copy"]))]
    for one in _entries(store, copies.path, (*travelling, *copies.rows), findings, here=False):
        if one.copy and one.path not in by_path:
            by_path[one.path] = one
    by_name = {one.copy: one for one in by_path.values() if one.copy}
    by_name |= {path: one for path, one in by_path.items() if one.here}
    return Conversations(
        by_path=by_path, by_name=by_name, findings=tuple(findings), lists=(*lists, copies), uneven=uneven
    )


def _local(
    store: Store, first: Sequence[_Row], findings: list[Finding]
) -> tuple[tuple[ChecksummedList, ...], Sequence[_Row], bool]:
    """The lists in this machine's own state, the rows that count, and whether they should be written again."""
    main = read_list(store, store.state_name(SOURCES), headed=True)
    if main.is_whole:
        return (main,), main.rows, False
    twin = read_list(store, store.state_name(TWIN), headed=True)
    if main.present or twin.present:
        saved = "its second copy has all of them" if twin.is_whole else "both copies are damaged"
        findings.append(_damaged(main, saved))
        return (main, twin), (*main.rows, *twin.rows), True
    if first and store.own_state().first_list == file_digest(
        store.volume.raw.read(f"{store.layout['sessions']}/{FIRST}")
    ):
        return (main, twin), first, True
    if noted := count_noted(store.root, "conversations"):
        findings.append(
            Finding(
                code="lost-list",
                severity=Severity.ERROR,
                path=main.path,
                message=f"{noted} conversations were registered here, and the list of them is gone",
                hint="`memoracle ingest` registers them again; `memoracle repair` accepts that they are not known",
            )
        )
    return (main, twin), (), False


def _entries(
    store: Store, listed: str, rows: Iterable[_Row], findings: list[Finding], *, here: bool
) -> Iterator[Transcript]:
    for row in rows:
        path, shape, copy = row.get("path"), row.get("shape"), row.get("copy", "")
        if (
            isinstance(path, str)
            and isinstance(shape, str)
            and isinstance(copy, str)
            and path.startswith("/")
            and "\0" not in path
            and len(path) <= _LONGEST_PATH
            and _SHAPE.fullmatch(shape)
            and (not copy or _may_be_copy(store, copy))
        ):
            yield Transcript(path=path, shape=shape, copy=copy, here=here)
        else:
            findings.append(
                Finding(
                    code="bad-entry",
                    severity=Severity.ERROR,
                    path=listed,
                    message=f"an entry names no conversation that can be read: {shorten(str(dict(row)), 120)}",
                    hint="`memoracle ingest` registers it again; `memoracle repair` leaves it out",
                )
            )


def _may_be_copy(store: Store, copy: str) -> bool:
    """True for a packed file in the folders of copies, and nothing else of the root or outside it."""
    folders = (store.layout["sessions"], f"{store.layout['archive']}/sessions")
    if os.path.dirname(copy) not in folders or not copy.endswith(".gz"):
        return False
    try:
        store.place(copy)
    except OutsideRoot:
        return False
    return True


def _read_first(store: Store) -> list[dict[str, Any]]:
    """The list of an earlier edition, entry by entry: one that cannot be read costs itself alone."""
    try:
        content = store.volume.read(f"{store.layout['sessions']}/{FIRST}")
    except MemoracleError:
        return []
    found = []
    for piece in re.findall(rb"\{[^{}]*\}", content):
        try:
            row = json.loads(piece)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict) and isinstance(row.get("path"), str):
            found.append(row)
    return found


def _damaged(listed: ChecksummedList, saved: str) -> Finding:
    bad = len(listed.damage) + listed.strays + listed.short
    lines = f"{bad} lines of this list of conversations cannot be read or are gone"
    says = f"{lines if listed.present else 'this list of conversations is gone'}; {saved}"
    return Finding(code="damaged-list", severity=Severity.ERROR, path=listed.path, message=says, hint=_REPAIR)


def _state_of(name: str, place: str) -> FileState:
    """How a conversation file looks; every number is -1 for one that is away."""
    try:
        found = os.stat(place)
    except OSError:
        return FileState(path=name, role=Role.TRANSCRIPT, size=-1, modified=-1, changed=-1, inode=-1)
    modified = found.st_mtime_ns
    with suppress(OSError):  # news of a database may stand in its log alone
        modified = max(modified, os.stat(f"{place}-wal").st_mtime_ns)
    return FileState(
        path=name,
        role=Role.TRANSCRIPT,
        size=found.st_size,
        modified=modified,
        changed=found.st_ctime_ns,
        inode=found.st_ino,
    )


def copy_name(path: str) -> str:
    """The file name of the copy of a transcript: readable, and different for different places."""
    name = _ODD.sub("-", os.path.basename(path))[:80]
    stem, dot, ending = name.partition(".")
    return f"{stem}-{file_digest(path.encode())[:8]}{dot}{ending}.gz"


def keep_copy(store: Store, source: str, shape: str, target: str) -> bool:
    """Write a compressed copy of a transcript; the original is only read. False when it may not be copied.

    What was forgotten is not in it: a conversation that was forgotten whole is not copied at all.
    """
    content = _content_of(source)
    forgotten = _forgotten_lines(store, source, shape, content)
    if forgotten is None:
        return False
    if forgotten:
        rows = content.split(b"\n")
        if not stands_by_lines(rows):
            return False
        content = b"\n".join(b"" if number in forgotten else row for number, row in enumerate(rows, start=1))
    clean = store.guard.clean_copy(content)
    if clean is None:
        return False
    if store.volume.read(target) != (packed := pack(clean)):
        store.volume.replace(target, packed)
    return True


def _forgotten_lines(store: Store, source: str, shape: str, content: bytes) -> Collection[int] | None:
    """The lines of a transcript that were forgotten; None when nothing of it may be copied."""
    never = read_forgotten(store)
    if not never:
        return ()
    passes = may_read(never, path=source)
    turns = store.reader.turns(source, shape) if store.reader else ()
    kept, gone = [turn for turn in turns if passes(turn)], [turn for turn in turns if not passes(turn)]
    if gone and not kept:
        return None
    # What a program did in a session that was forgotten stands on lines of its own, which name the session.
    sessions = {turn.session.encode() for turn in gone if turn.session}
    sessions -= {turn.session.encode() for turn in kept}
    rows = content.split(b"\n") if sessions else []
    named = {n for n, row in enumerate(rows, start=1) if any(session in row for session in sessions)}
    lines = {line for turn in gone for line in turn.lines}
    return (lines | named) - {line for turn in kept for line in turn.lines}


def stands_by_lines(rows: Sequence[bytes]) -> bool:
    """True for a transcript whose lines are JSON objects: one can be taken out and the others stay."""
    return all(row.lstrip().startswith(b"{") and row.rstrip().endswith(b"}") for row in rows if row.strip())


def _content_of(source: str) -> bytes:
    """The bytes of a transcript; of a database, with what stands in its log alone."""
    with open(source, "rb") as file:
        content = file.read()
    if not content.startswith(_SQLITE) or not os.path.exists(f"{source}-wal"):
        return content
    import shutil
    import sqlite3
    import tempfile

    with tempfile.TemporaryDirectory() as folder, suppress(OSError, sqlite3.Error):
        copy = os.path.join(folder, "copy")
        for ending in ("", "-wal"):
            shutil.copyfile(source + ending, copy + ending)
        with closing(sqlite3.connect(copy)) as database:
            database.execute("PRAGMA journal_mode = DELETE")
        with open(copy, "rb") as file:
            return file.read()
    return content


def without_copy(path: str) -> Finding:
    """What is told of a transcript that could not be copied."""
    return Finding(
        code="no-copy",
        severity=Severity.WARNING,
        path=path,
        message="no copy was kept: it was forgotten, or cannot be looked into, so that secrets could not be masked",
        hint="what was forgotten stays so; else unpack or mend it, then `memoracle ingest --keep` again",
    )


@value
class _Registered:
    """How many copies were written, and of which transcripts none could be."""

    kept: int
    without_copy: tuple[str, ...] = ()


def register(store: Store, found: Sequence[tuple[str, str]], *, keep: bool) -> _Registered:
    """Add transcripts (path and shape). The caller holds the lock.

    Raises `NeverListDamaged` when it is not known what must not be read again.
    """
    level_forgotten(store)
    before = store.sessions.look()
    known = dict(before.by_path)
    copies = 0
    without: list[str] = []
    for path, shape in found:
        held = known.get(path)
        copy = held.copy if held else ""
        if keep or copy:
            copy = copy or f"{store.layout['sessions']}/{copy_name(path)}"
            if keep_copy(store, path, shape, copy):
                copies += 1
            else:
                without.append(path)
                copy = held.copy if held else ""
        known[path] = Transcript(path=path, shape=shape, copy=copy)
    if before.uneven or known != before.by_path:
        write_transcripts(store, known.values())
    return _Registered(kept=copies, without_copy=tuple(without))


# Copies of conversations without some of their turns.
#
# Copies stand line by line where the host's own file does; those that do not (databases, whole documents) are left
# alone unless nothing of them is to stay, and are named.


def unregister(store: Store, paths: Collection[str]) -> None:
    """These conversations belong to this memory no more; their copies go. The caller holds the lock."""
    known = store.sessions.by_path()
    gone = [known[path] for path in paths if path in known]
    for one in gone:
        if one.copy:
            store.volume.remove(one.copy)
    if gone:
        staying = [one for path, one in known.items() if path not in paths]
        write_transcripts(store, staying)


def without_lines(store: Store, transcript: Transcript, lines: Collection[int]) -> bool:
    """Take lines out of a copy; False when it does not stand line by line. The caller holds the lock."""
    content = content_of(store.volume, transcript.copy)
    rows = content.split(b"\n")
    if not stands_by_lines(rows):
        return False
    # The lines stay, empty: what else is cited by its line is still found there.
    kept = [b"" if number in lines else row for number, row in enumerate(rows, start=1)]
    store.volume.replace(transcript.copy, pack(b"\n".join(kept)))
    return True
