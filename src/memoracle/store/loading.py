"""What a file of truth says, as a view takes it: all of it, or only what came after a mark."""

from __future__ import annotations

from collections.abc import Callable

from memoracle.model.hit import Passage, Source
from memoracle.model.manifest import Loaded, Mark, Role, Version
from memoracle.model.record import TRUST, Channel, Record
from memoracle.model.value import replace
from memoracle.store import usage
from memoracle.store.chunks import chunk
from memoracle.store.facets import facets_of
from memoracle.store.generated import blocks_in, generated_lines
from memoracle.store.journal import read_records
from memoracle.store.layouts import NoteRole, layout_named, note_homes
from memoracle.store.linked import link_note, link_versions, sheet_of
from memoracle.store.notes import conflicts_in, read_note
from memoracle.store.portions import Tail, tail_of
from memoracle.store.ports import Links
from memoracle.store.volume import Volume

_OUTSIDE = {"channel": Channel.EXTERNAL.value, "trust": TRUST[Channel.EXTERNAL]}


def load_records(
    path: str,
    tail: Tail,
    *,
    settled: bool,
    screen: Callable[[Record], Record] = lambda record: record,
    links: Links | None = None,
) -> Loaded:
    """The versions in a record file, and what cannot be read; `screen` sees what others wrote there, too."""
    reading = read_records(path, tail.content, after_line=tail.after_line, settled=settled)
    mark = Mark(size=tail.size, lines=reading.lines, digest=tail.digest)
    screened = [_screened(version, screen) for version in reading.versions]
    versions, unlinked = link_versions(path, screened, links)
    return Loaded(
        path=path,
        role=Role.RECORDS,
        whole=tail.is_whole,
        mark=mark if reading.ends_whole else None,
        versions=versions,
        more=tail.more,
        findings=(*(piece.finding() for piece in reading.damage), *reading.notices, *unlinked),
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


def load_note(
    volume: Volume,
    layout: str,
    path: str,
    *,
    hide: Callable[[str], str] = str,
    links: Links | None = None,
    suspects: Callable[[str], bool] | None = None,
) -> Loaded:
    """The pieces of a note. What memory wrote into it itself stands in records already, and is left out.

    `hide` takes secrets out of what a view is told, every line where it was; the note itself is its owner's. Pieces
    that `suspects` sees something in are told as words from outside.
    """
    note = read_note(volume, path)
    body, title = hide(note.body), hide(note.title)
    tags = tuple(map(hide, note.tags))
    role = next((home.role for home in note_homes(layout) if home.holds(path)), NoteRole.PAGE)
    facets = {"kind": role.value, "at": note.at} | facets_of(note, layout_named(layout), hide)
    passages = tuple(
        Passage(
            ref=f"{path}#L{piece.first_line}",
            source=Source.NOTE,
            text=piece.text,
            title=" > ".join(filter(None, (title, piece.heading))),
            path=path,
            first_line=piece.first_line,
            last_line=piece.last_line,
            tags=tags,
            **(facets | _OUTSIDE if suspects and suspects(piece.text) else facets),
        )
        for piece in chunk(body, first_line=note.body_line, hidden=generated_lines(body))
    )
    mark = Mark(size=0, lines=0, digest=note.digest)
    sheet = sheet_of(note, layout, role.value, hide)
    linked, unlinked = link_note(note, body, sheet.project, links, hide)
    return Loaded(
        path=path,
        role=Role.NOTE,
        whole=True,
        mark=mark,
        passages=passages,
        sheet=sheet,
        links=linked,
        findings=(
            *note.findings,
            *blocks_in(note.text, path=path)[1],
            *conflicts_in(note.text, path),
            *unlinked,
        ),
    )
