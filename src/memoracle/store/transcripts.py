"""Conversations that belong to this memory: which ones, and the copies kept of them.

The hosts' own logs are truth that is only ever read. `sessions/transcripts.json` lists the ones that
were ingested; a compressed copy in `sessions/` outlives the host's own tidying. A transcript that
is away takes nothing with it: its turns stay until the view is rebuilt, and the kept copy speaks
for it from then on.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from memoracle.model.ids import file_digest
from memoracle.model.manifest import FileState, Role
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value
from memoracle.store import durable

if TYPE_CHECKING:
    from memoracle.store.ground import Clean
    from memoracle.store.store import Store

FILE = "transcripts.json"
_SQLITE = b"SQLite format 3\0"
_ODD = re.compile(r"[^\w.-]+")


@value
class Transcript:
    """One conversation file: where the host keeps it, in which shape, and our copy of it."""

    path: str
    shape: str
    copy: str = ""


def read_transcripts(register: str) -> dict[str, Transcript]:
    """The transcripts of a memory, by path; an unreadable list is an empty one."""
    try:
        kept = json.loads(durable.read(register) or b"[]")
        return {
            one["path"]: Transcript(path=one["path"], shape=one["shape"], copy=one.get("copy", ""))
            for one in kept
        }
    except (ValueError, TypeError, LookupError):
        return {}


def write_transcripts(register: str, transcripts: Iterable[Transcript]) -> None:
    """Keep the list."""
    rows = [
        {"path": one.path, "shape": one.shape} | ({"copy": one.copy} if one.copy else {})
        for one in sorted(transcripts, key=lambda one: one.path)
    ]
    durable.make_folder(os.path.dirname(register))
    durable.replace(register, json.dumps(rows, ensure_ascii=False, indent=1).encode() + b"\n")


def transcript_state(name: str, place: str) -> FileState:
    """How a conversation file looks; every number is -1 for one that is away."""
    try:
        found = os.stat(place)
    except OSError:
        return FileState(path=name, role=Role.TRANSCRIPT, size=-1, modified=-1, changed=-1, inode=-1)
    return FileState(
        path=name,
        role=Role.TRANSCRIPT,
        size=found.st_size,
        modified=max(found.st_mtime_ns, _log_time(place)),
        changed=found.st_ctime_ns,
        inode=found.st_ino,
    )


def _log_time(path: str) -> int:
    """When the log of a database changed last: news may stand there alone."""
    try:
        return os.stat(f"{path}-wal").st_mtime_ns
    except OSError:
        return 0


def copy_name(path: str) -> str:
    """The file name of the copy of a transcript: readable, and different for different places."""
    name = _ODD.sub("-", os.path.basename(path))[:80]
    stem, dot, ending = name.partition(".")
    return f"{stem}-{file_digest(path.encode())[:8]}{dot}{ending}.gz"


def keep_copy(source: str, target: str, clean: Clean = bytes) -> bool:
    """Write a compressed copy of a transcript; the original is only read. False when it may not be copied."""
    import gzip

    content = clean(_content_of(source))
    if content is None:
        return False
    # A fixed time in the header: the same transcript gives the same bytes.
    packed = gzip.compress(content, compresslevel=6, mtime=0)
    durable.make_folder(os.path.dirname(target))
    if durable.read(target) != packed:
        durable.replace(target, packed)
    return True


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
        message="no copy was kept: the file cannot be looked into, so secrets in it could not be masked",
        hint="unpack or mend it, then `memoracle ingest --keep` again",
    )


@value
class Registered:
    """How many copies were written, and of which transcripts none could be."""

    kept: int
    without_copy: tuple[str, ...] = ()


def register(store: Store, found: Sequence[tuple[str, str]], *, keep: bool) -> Registered:
    """Add transcripts (path and shape). The caller holds the lock."""
    known = store.transcripts()
    copies = 0
    without: list[str] = []
    for path, shape in found:
        copy = known[path].copy if path in known else ""
        if keep or copy:
            copy = copy or f"{store.layout['sessions']}/{copy_name(path)}"
            if keep_copy(path, store.place(copy), store.clean):
                copies += 1
            else:
                without.append(path)
                copy = known[path].copy if path in known else ""
        known[path] = Transcript(path=path, shape=shape, copy=copy)
    if known != store.transcripts():
        write_transcripts(store.place(f"{store.layout['sessions']}/{FILE}"), known.values())
    return Registered(kept=copies, without_copy=tuple(without))
