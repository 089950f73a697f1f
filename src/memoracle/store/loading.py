"""What a file of truth says, as a view takes it: all of it, or only what came after a mark."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from memoracle.errors import InvalidTime, MemoracleError, UnreadableFile
from memoracle.model.ids import file_digest
from memoracle.model.link import Link
from memoracle.model.manifest import Loaded, Mark, NoteSheet, RecallUse, Role, Version
from memoracle.model.record import TRUST, Channel
from memoracle.model.report import Finding, Severity
from memoracle.model.search import EvidenceSource, Passage
from memoracle.model.value import replace, value
from memoracle.registry import point
from memoracle.store.chunks import chunk, split_lines
from memoracle.store.generated import blocks_in, generated_lines
from memoracle.store.layouts import NoteRole, note_homes
from memoracle.store.notes import NoteFile, came_from_an_import, channel_facets, conflicts_in, read_note
from memoracle.store.volume import NO_LOOKS, PACKED, Volume, unpack
from memoracle.times import read_time

if TYPE_CHECKING:
    from memoracle.store.store import LinkExtractor, Store

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
    tables: dict[str, dict[str, Any]] = {}
    if not files:
        return tables
    import tomllib

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


def note_use(volume: Volume, name: str, refs: Sequence[str], *, by: str, at: str) -> None:
    """Leave one receipt for all the records of one answer."""
    line = json.dumps({"at": at, "by": by, "used": list(refs)}, ensure_ascii=False) + "\n"
    volume.append({name: line.encode()}, loose=name)


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


def load_usage(volume: Volume, path: str, after: Mark | None) -> Loaded:
    """The receipts in a usage file, packed or plain; lines and files that cannot be read are worth nothing."""
    try:
        raw = volume.read(path)
        content = unpack(path, raw) if path.endswith(PACKED) else raw
    except UnreadableFile:
        content = b""
    tail = tail_of(content, after)
    uses: list[RecallUse] = []
    for number, line in enumerate(tail.content.split(b"\n"), start=tail.after_line + 1):
        with suppress(ValueError, TypeError, LookupError, RecursionError, InvalidTime):
            receipt = json.loads(line) if line.strip() else {}
            at = read_time(receipt["at"])
            uses += [RecallUse(line=number, ref=str(ref), at=at) for ref in receipt["used"]]
    lines = tail.after_line + tail.content.count(b"\n")
    ends_whole = not content or content.endswith(b"\n")
    return Loaded(
        path=path,
        role=Role.USAGE,
        whole=tail.is_whole,
        mark=Mark(size=len(content), lines=lines, digest=tail.digest) if ends_whole else None,
        uses=tuple(uses),
    )


def load_note(store: Store, path: str) -> Loaded:
    """The pieces of a note. What memory wrote into it itself stands in records already, and is left out.

    Secrets are taken out of what a view is told, every line where it was; the note itself is its owner's. A note that
    moved in may hold what nobody here wrote: pieces that look so are told as words from outside.
    """
    layout, hide = store.layout_name, store.guard.hide
    suspects = store.guard.is_suspect if came_from_an_import(store, path) else None
    note = read_note(store.volume, path)
    body, title = hide(note.body), hide(note.title)
    tags = tuple(map(hide, note.tags))
    role = next((home.role for home in note_homes(layout) if home.holds(path)), NoteRole.PAGE)
    facets = {"kind": role.value, "at": note.at} | _facets_of(note, store.layout, hide)
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
    called = [note.title, *(one for name in _CALLED for one in _words(note.header.get(name)))]
    names = tuple(dict.fromkeys(hide(name) for name in called if name.strip()))
    # Under the pages of a project its folder names it.
    folder = store.layout["page"].partition("{")[0]
    rest = path.removeprefix(folder)
    project = rest.partition("/")[0] if path.startswith(folder) and "/" in rest else ""
    linked, unlinked = link_note(note, body, project, store.link_reader(), hide)
    return Loaded(
        path=path,
        role=Role.NOTE,
        whole=True,
        mark=mark,
        passages=passages,
        sheet=NoteSheet(names=names, kind=role.value, project=project),
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
    says = f"its links could not be read: {type(problem).__name__}"
    hint = "what it says is kept and found; only the graph goes without it"
    return Finding(
        code="links-unread", severity=Severity.WARNING, path=path, line=line, message=says, hint=hint
    )


# Record files in portions: of a file of any length only so much is in memory as is being taken in.
#
# What is read goes on behind a mark when the bytes before it are the same; for that they are hashed in passing, not
# kept.

LINES = 16_384
"""Lines of a portion, as many as a view takes in at once."""
_BYTES = 32 * 1024 * 1024
_CHUNK = 1024 * 1024


@value
class Portion:
    """A part of a file that was not read before: its words, where it stands, and the digest of all up to its end."""

    content: bytes
    after_line: int
    size: int
    is_whole: bool
    digest: str
    more: bool = False


class Portions:
    """Reads what follows a mark. The hash of what was read last is at hand, so that the next portion needs no other."""

    def __init__(self) -> None:
        self._reached: tuple[object, ...] = ()
        self._state: Any = None

    def read(self, volume: Volume, place: str, after: Mark | None, most: int | None) -> Portion:
        """What follows the mark, at most so many lines of it; everything where the bytes before it are others."""
        if volume.is_sealed():
            return tail_of(volume.read(place), after)
        looks = volume.looks(
            place
        )  # before it is opened: what is replaced in between looks different next time
        with volume.opened(place) as file:
            if file is None:
                return tail_of(b"", after)
            begin, lines, limit, running = 0, 0, most, blake2b(digest_size=16)
            if after is not None:
                if state := self._state_at(place, looks, after, file):
                    begin, lines, running = after.size, after.lines, state
                else:
                    # A file whose beginning changed is compared line by line with what is known: it has to come whole.
                    limit = None
                    file.seek(0)
            pieces = []
            for piece in _lines(file, limit):
                pieces.append(piece)
                running.update(piece)
            content = b"".join(pieces)
            size, digest = begin + len(content), running.hexdigest()
            self._reached, self._state = (place, looks, size, digest), running
            more = limit is not None and bool(file.read(1))
            return Portion(
                content=content, after_line=lines, size=size, is_whole=not begin, digest=digest, more=more
            )

    def _state_at(self, place: str, looks: tuple[int, int, int], after: Mark, file: IO[bytes]) -> Any | None:
        """The hash of everything before the mark, the file standing behind it; None when these are other bytes."""
        if self._reached == (place, looks, after.size, after.digest):
            file.seek(after.size)
            return self._state.copy()
        state = blake2b(digest_size=16)
        left = after.size
        while left and (piece := file.read(min(left, _CHUNK))):
            state.update(piece)
            left -= len(piece)
        return state if not left and state.hexdigest() == after.digest else None


def tail_of(content: bytes, after: Mark | None) -> Portion:
    """The same for words that are at hand."""
    view = memoryview(content)
    running = blake2b(view[: after.size if after else 0], digest_size=16)
    before = running.hexdigest()
    running.update(view[after.size if after else 0 :])
    is_whole = after is None or after.size > len(content) or before != after.digest
    begin, lines = (0, 0) if is_whole or after is None else (after.size, after.lines)
    return Portion(
        content=content[begin:] if begin else content,
        after_line=lines,
        size=len(content),
        is_whole=is_whole,
        digest=running.hexdigest(),
    )


def _lines(file: IO[bytes], most: int | None) -> Iterator[bytes]:
    if most is None:
        while piece := file.read(_CHUNK):
            yield piece
        return
    read = 0
    for line in islice(file, most):
        yield line
        read += len(line)
        if read >= _BYTES:
            return
