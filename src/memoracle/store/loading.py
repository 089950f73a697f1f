"""What a file of truth says, as a view takes it: all of it, or only what came after a mark."""

from __future__ import annotations

from collections.abc import Callable

from memoracle.model.hit import Passage, Source
from memoracle.model.ids import prefix_digests
from memoracle.model.manifest import Loaded, Mark, Role, Version
from memoracle.model.record import Record
from memoracle.model.value import replace, value
from memoracle.store import usage
from memoracle.store.chunks import chunk
from memoracle.store.generated import blocks_in, generated_lines
from memoracle.store.journal import read_records
from memoracle.store.layouts import NoteRole, note_homes
from memoracle.store.notes import read_note


@value
class Tail:
    """The part of a file that was not read before, and the digest of the whole."""

    content: bytes
    after_line: int
    is_whole: bool
    digest: str


def tail_of(content: bytes, after: Mark | None) -> Tail:
    """What follows the mark, when the bytes before it are the same; otherwise everything."""
    before, digest = prefix_digests(content, after.size if after else 0)
    if after is None or after.size > len(content) or before != after.digest:
        return Tail(content=content, after_line=0, is_whole=True, digest=digest)
    return Tail(content=content[after.size :], after_line=after.lines, is_whole=False, digest=digest)


def load_records(
    path: str,
    content: bytes,
    *,
    settled: bool,
    after: Mark | None,
    screen: Callable[[Record], Record] = lambda record: record,
) -> Loaded:
    """The versions in a record file, and what cannot be read; `screen` sees what others wrote there, too."""
    tail = tail_of(content, after)
    reading = read_records(path, tail.content, after_line=tail.after_line, settled=settled)
    mark = Mark(size=len(content), lines=reading.lines, digest=tail.digest)
    return Loaded(
        path=path,
        role=Role.RECORDS,
        whole=tail.is_whole,
        mark=mark if reading.ends_whole else None,
        versions=tuple(_screened(version, screen) for version in reading.versions),
        findings=(*(piece.finding() for piece in reading.damage), *reading.notices),
    )


def _screened(version: Version, screen: Callable[[Record], Record]) -> Version:
    record = screen(version.record)
    return version if record is version.record else replace(version, record=record)


def load_usage(path: str, content: bytes, *, after: Mark | None) -> Loaded:
    """The receipts in a usage file."""
    tail = tail_of(content, after)
    lines = tail.after_line + tail.content.count(b"\n")
    ends_whole = not content or content.endswith(b"\n")
    return Loaded(
        path=path,
        role=Role.USAGE,
        whole=tail.is_whole,
        mark=Mark(size=len(content), lines=lines, digest=tail.digest) if ends_whole else None,
        uses=tuple(usage.read_uses(tail.content, after_line=tail.after_line)),
    )


def load_note(root: str, layout: str, path: str, *, hide: Callable[[str], str] = str) -> Loaded:
    """The pieces of a note. What memory wrote into it itself stands in records already, and is left out.

    `hide` takes secrets out of what a view is told, every line where it was; the note itself is its owner's.
    """
    note = read_note(root, path)
    body = hide(note.body)
    role = next((home.role for home in note_homes(layout) if home.holds(path)), NoteRole.PAGE)
    passages = tuple(
        Passage(
            ref=f"{path}#L{piece.first_line}",
            source=Source.NOTE,
            kind=role.value,
            text=piece.text,
            title=" > ".join(filter(None, (hide(note.title), piece.heading))),
            path=path,
            first_line=piece.first_line,
            last_line=piece.last_line,
            at=note.at,
            tags=tuple(map(hide, note.tags)),
        )
        for piece in chunk(body, first_line=note.body_line, hidden=generated_lines(body))
    )
    mark = Mark(size=0, lines=0, digest=note.digest)
    findings = (*note.findings, *blocks_in(note.text, path=path)[1])
    return Loaded(path=path, role=Role.NOTE, whole=True, mark=mark, passages=passages, findings=findings)
