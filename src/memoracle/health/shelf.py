"""The notes of a root as the checks of hygiene look at them. Reads, changes nothing.

The conventions (a tags line, `last_verified`, closing lines) are those of the native layout and of v4; the
notes of other designs follow their own, and are left alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from memoracle.errors import MemoracleError
from memoracle.model.value import value
from memoracle.store.buffer import parse
from memoracle.store.chunks import headings, split_lines
from memoracle.store.generated import owners_text
from memoracle.store.layouts import NoteRole
from memoracle.store.notes import NoteFile, date_of, read_note
from memoracle.store.store import Store
from memoracle.store.vocabulary import read_vocabulary


@value
class Buffer:
    """The working buffer: how long it is, what was written into it, and when it was last touched."""

    note: NoteFile
    lines: int
    entries: tuple[str, ...]
    active: datetime


@value
class Shelf:
    """All notes, by what they are for. `vocabulary` is None while nobody keeps one."""

    follows_conventions: bool
    hot: NoteFile
    warm: tuple[NoteFile, ...] = ()
    daily: tuple[NoteFile, ...] = ()
    buffer: Buffer | None = None
    leftovers: tuple[str, ...] = ()
    vocabulary: frozenset[str] | None = None
    vocabulary_problem: str = ""


def read_shelf(store: Store) -> Shelf:
    """Everything the checks look at; a note that cannot be opened is `check`'s to report."""
    roles = store.notes.files()
    words, problem = read_vocabulary(store)
    return Shelf(
        follows_conventions=store.layout_name in {"native", "v4"},
        hot=_read(store, store.layout["hot"]) or _nothing(store.layout["hot"]),
        warm=_all(
            store, [path for path, role in roles.items() if role in {NoteRole.SEMANTIC, NoteRole.PROCEDURAL}]
        ),
        daily=_all(store, [path for path, role in roles.items() if role is NoteRole.DAILY and date_of(path)]),
        buffer=_buffer(store),
        leftovers=_leftovers(store),
        vocabulary=words,
        vocabulary_problem=problem,
    )


def section(note: NoteFile, is_wanted: re.Pattern[str]) -> list[tuple[int, str]]:
    """The lines under every heading of that sort, with their numbers in the file."""
    lines = split_lines(note.body)
    starts = headings(lines)
    found: dict[int, str] = {}
    for at, start in enumerate(starts):
        if is_wanted.search(start.title):
            end = next((later.line for later in starts[at + 1 :] if later.level <= start.level), len(lines))
            found |= {note.body_line + number: lines[number] for number in range(start.line + 1, end)}
    return sorted(found.items())


def owners_lines(note: NoteFile) -> list[str]:
    """The lines of a note that its owner wrote and that say something: no generated block, no title."""
    lines = [line for line in split_lines(owners_text(note.body)) if line.strip()]
    return lines[1:] if lines and lines[0].startswith("# ") else lines


def modified_at(root: str, relative: str) -> datetime:
    """When a file was last written, as the file system tells it."""
    try:
        return datetime.fromtimestamp(os.stat(os.path.join(root, relative)).st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return datetime.fromtimestamp(0, UTC)


def _all(store: Store, paths: Sequence[str]) -> tuple[NoteFile, ...]:
    return tuple(note for path in sorted(paths) if (note := _read(store, path)))


def _read(store: Store, path: str) -> NoteFile | None:
    try:
        return read_note(store.volume, path)
    except MemoracleError:
        return None


def _nothing(path: str) -> NoteFile:
    return NoteFile(path=path, digest="", text="", header={}, body="", body_line=1, title="")


def _buffer(store: Store) -> Buffer | None:
    note = _read(store, store.layout["buffer"])
    if note is None or not note.text:
        return None
    held = parse(note.path, note.text)
    return Buffer(
        note=note,
        lines=held.lines,
        entries=tuple(line for _, line in held.entries if line.strip()),
        active=held.active or modified_at(store.root, note.path),
    )


def _leftovers(store: Store) -> tuple[str, ...]:
    """What an interrupted rotation of another program left beside the buffer."""
    buffer = store.layout["buffer"]
    folder, _, name = buffer.rpartition("/")
    stem = name.removesuffix(".md")
    try:
        names = sorted(os.listdir(os.path.join(store.root, folder)))
    except OSError:
        return ()
    suffixes = (".pending", ".lock")
    return tuple(
        f"{folder}/{one}" if folder else one
        for one in names
        if one.lstrip(".").startswith(stem) and one.endswith(suffixes)
    )
