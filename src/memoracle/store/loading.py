"""What a file of truth says, as a view takes it: all of it, or only what came after a mark."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memoracle.errors import InvalidTime, MemoracleError, UnreadableFile
from memoracle.model.ids import file_digest
from memoracle.model.link import Link
from memoracle.model.manifest import Loaded, Mark, NoteSheet, RecallUse, Role, Version
from memoracle.model.record import TRUST, Channel, Record
from memoracle.model.report import Finding, Severity
from memoracle.model.search import EvidenceSource, Passage
from memoracle.model.value import replace
from memoracle.registry import point
from memoracle.store.chunks import chunk, split_lines
from memoracle.store.generated import blocks_in, generated_lines
from memoracle.store.journal import read_records
from memoracle.store.layouts import NoteRole, layout_named, note_homes
from memoracle.store.notes import NoteFile, channel_facets, conflicts_in, read_note
from memoracle.store.records import Portion, tail_of
from memoracle.store.volume import NO_LOOKS, Volume, content_of
from memoracle.times import read_time, write_time

if TYPE_CHECKING:
    from memoracle.store.store import LinkExtractor

# `component-patterns.toml` of a root and of its projects: what people say about links. Read, never written.

LINK_TABLES = "component-patterns.toml"


def link_files(volume: Volume, layout: Mapping[str, str]) -> dict[str, bytes]:
    """The files by project; that of the whole root under the empty name. What cannot be read counts as absent."""
    folder = layout["page"].partition("/{")[0]
    projects = volume.list(folder).folders
    places = {"": LINK_TABLES} | {project: f"{folder}/{project}/{LINK_TABLES}" for project in projects}
    held: dict[str, bytes] = {}
    for project, place in places.items():
        with suppress(MemoracleError):
            if volume.looks(place) != NO_LOOKS:
                held[project] = volume.read(place)
    return held


def digest_of_tables(files: Mapping[str, bytes]) -> str:
    """What changes when one of the files does; empty without any."""
    return file_digest(repr(sorted(files.items())).encode()) if files else ""


def tables_of(files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """The files, parsed; one that is no TOML counts as empty."""
    import tomllib

    tables: dict[str, dict[str, Any]] = {}
    for project, content in files.items():
        try:
            tables[project] = tomllib.loads(content.decode("utf-8", "replace"))
        except (tomllib.TOMLDecodeError, RecursionError):
            tables[project] = {}
    return tables


# Receipts: which records were handed to an agent, and when. Deleting them loses no fact.
#
# One line per recall in `usage/YYYY-MM.jsonl`, appended in one write without fsync: a receipt that
# a power cut takes away costs a little activation, nothing else.

RECEIPTS = (".jsonl", ".jsonl.gz")
"""Receipts of months long past are packed, and count as before."""


def note_use(volume: Volume, name: str, refs: Sequence[str], *, by: str, now: datetime) -> None:
    """Leave one receipt for all the records of one answer."""
    line = json.dumps({"at": write_time(now), "by": by, "used": list(refs)}, ensure_ascii=False) + "\n"
    volume.append({name: line.encode()}, loose=name)


def receipts_at(volume: Volume, name: str) -> bytes:
    """The lines of a receipt file, packed or plain; one that cannot be unpacked is worth nothing."""
    try:
        return content_of(volume, name)
    except UnreadableFile:
        return b""


def read_uses(content: bytes, *, after_line: int = 0) -> list[RecallUse]:
    """The uses in a receipt file; unreadable lines are passed over, they are worth nothing."""
    uses = []
    for number, raw in enumerate(content.split(b"\n"), start=after_line + 1):
        try:
            receipt = json.loads(raw) if raw.strip() else {}
            at = read_time(receipt["at"])
            uses += [RecallUse(line=number, ref=str(ref), at=at) for ref in receipt["used"]]
        except (ValueError, TypeError, LookupError, RecursionError, InvalidTime):
            continue
    return uses


def without_uses(content: bytes, refs: frozenset[str]) -> bytes:
    """The same receipts with these records taken out of them."""
    if not any(ref.encode() in content for ref in refs):
        return content
    kept = []
    for raw in content.split(b"\n"):
        try:
            receipt = json.loads(raw) if raw.strip() else {}
            remaining = [ref for ref in receipt["used"] if ref not in refs]
        except (ValueError, TypeError, LookupError, RecursionError):
            if raw.strip():
                kept.append(raw)
            continue
        if remaining:
            receipt["used"] = remaining
            kept.append(json.dumps(receipt, ensure_ascii=False).encode())
    return b"\n".join(kept) + b"\n" if kept else b""


_OUTSIDE = {"channel": Channel.EXTERNAL.value, "trust": TRUST[Channel.EXTERNAL]}


def load_records(
    path: str,
    tail: Portion,
    *,
    settled: bool,
    screen: Callable[[Record], Record] = lambda record: record,
    links: LinkExtractor | None = None,
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
        uses=tuple(read_uses(tail.content, after_line=tail.after_line)),
    )


def load_note(
    volume: Volume,
    layout: str,
    path: str,
    *,
    hide: Callable[[str], str] = str,
    links: LinkExtractor | None = None,
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
    facets = {"kind": role.value, "at": note.at} | _facets_of(note, layout_named(layout), hide)
    passages = tuple(
        Passage(
            ref=f"{path}#L{piece.first_line}",
            source=EvidenceSource.NOTE,
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


_PAGES = ("page", "learnings", "shared_page")


def _facets_of(note: NoteFile, layout: Mapping[str, str], hide: Callable[[str], str]) -> dict[str, Any]:
    """What a passage of a note carries beside its words; of the pages of seats their extension knows it."""
    if note.path.startswith(tuple(layout[name].partition("{")[0] for name in _PAGES)) and (
        facets := point("page_facets")
    ):
        found: dict[str, Any] = facets(note, layout, hide)
        return found
    return channel_facets(note.header)


# Links read along with a file. A rule that fails keeps nothing from being read: it becomes a finding.


_LINKING = ("task_id", "related_task_ids", "supersedes", "evidence")
_CALLED = ("title", "issue_id", "id", "aliases")


def sheet_of(note: NoteFile, layout: str, kind: str, hide: Callable[[str], str]) -> NoteSheet:
    """What a note is called besides its path, and the project it stands in."""
    fields = [note.title, *(one for name in _CALLED for one in _words(note.header.get(name)))]
    names = tuple(dict.fromkeys(hide(name) for name in fields if name.strip()))
    return NoteSheet(names=names, kind=kind, project=project_of(layout, note.path))


def project_of(layout: str, path: str) -> str:
    """The project in whose folder a file stands; empty outside of any."""
    folder = layout_named(layout)["page"].partition("{")[0]
    rest = path.removeprefix(folder)
    return rest.partition("/")[0] if path.startswith(folder) and "/" in rest else ""


def link_note(
    note: NoteFile, body: str, project: str, links: LinkExtractor | None, hide: Callable[[str], str]
) -> tuple[tuple[Link, ...], list[Finding]]:
    """The links of a note, without those in blocks that memory wrote itself."""
    if links is None:
        return (), []
    hidden = generated_lines(body)
    if hidden:
        body = "\n".join("" if at in hidden else line for at, line in enumerate(split_lines(body)))
    header = {name: _shown(note.header[name], hide) for name in _LINKING if name in note.header}
    try:
        return links.of_note(note.path, project, header, body, first_line=note.body_line), []
    except Exception as problem:  # noqa: BLE001 - links are a view of the words, which are read in any case
        return (), [_unread(note.path, None, problem)]


def link_versions(
    path: str, versions: Sequence[Version], links: LinkExtractor | None
) -> tuple[tuple[Version, ...], list[Finding]]:
    """The versions of a record file with their links."""
    if links is None:
        return tuple(versions), []
    linked, findings = [], []
    for version in versions:
        try:
            own = links.of_record(version.record)
        except Exception as problem:  # noqa: BLE001 - as above
            own = ()
            findings.append(_unread(path, version.line, problem))
        linked.append(replace(version, links=own) if own else version)
    return tuple(linked), findings


def _shown(field: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(field, str):
        return hide(field)
    if isinstance(field, Mapping):
        return {name: _shown(one, hide) for name, one in field.items()}
    return [_shown(one, hide) for one in field] if isinstance(field, list | tuple) else field


def _words(field: Any) -> list[str]:
    if isinstance(field, str):
        return [field]
    return [one for one in field if isinstance(one, str)] if isinstance(field, list | tuple) else []


def _unread(path: str, line: int | None, problem: Exception) -> Finding:
    return Finding(
        code="links-unread",
        severity=Severity.WARNING,
        path=path,
        line=line,
        message=f"its links could not be read: {type(problem).__name__}",
        hint="what it says is kept and found; only the graph goes without it",
    )
