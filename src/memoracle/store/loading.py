"""What a file of truth says, as a view takes it: all of it, or only what came after a mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memoracle.model.link import Link
from memoracle.model.manifest import Loaded, Mark, Role, Sheet, Version
from memoracle.model.record import TRUST, Channel, Record
from memoracle.model.report import Finding, Severity
from memoracle.model.search import Passage, Source
from memoracle.model.value import replace
from memoracle.store import usage
from memoracle.store.chunks import chunk, split_lines
from memoracle.store.extension_points import facets_of_note
from memoracle.store.generated import blocks_in, generated_lines
from memoracle.store.journal import read_records
from memoracle.store.layouts import NoteRole, layout_named, note_homes
from memoracle.store.notes import NoteFile, conflicts_in, read_note
from memoracle.store.ports import LinkExtractor
from memoracle.store.records import Portion, tail_of
from memoracle.store.volume import Volume

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
        uses=tuple(usage.read_uses(tail.content, after_line=tail.after_line)),
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
    facets = {"kind": role.value, "at": note.at} | facets_of_note(note, layout_named(layout), hide)
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


# Links read along with a file. A rule that fails keeps nothing from being read: it becomes a finding.


_LINKING = ("task_id", "related_task_ids", "supersedes", "evidence")
_CALLED = ("title", "issue_id", "id", "aliases")


def sheet_of(note: NoteFile, layout: str, kind: str, hide: Callable[[str], str]) -> Sheet:
    """What a note is called besides its path, and the project it stands in."""
    fields = [note.title, *(one for name in _CALLED for one in _words(note.header.get(name)))]
    names = tuple(dict.fromkeys(hide(name) for name in fields if name.strip()))
    return Sheet(names=names, kind=kind, project=project_of(layout, note.path))


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
