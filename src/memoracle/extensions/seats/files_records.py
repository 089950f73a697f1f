"""Records that a published design keeps as documents, one JSON object each, read where they stand.

`projects/<project>/decisions/<id>.json`, `shared/patterns/<id>.json`: what a page says in its header and its body, such
a document says in its members. They belong to the program that wrote them: they are read, cited and never changed.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memoracle.extensions.seats.files_facets import facets_of, owner_of_path
from memoracle.extensions.seats.model import KINDS, SCANNED
from memoracle.model.ids import file_digest
from memoracle.model.manifest import Loaded, Mark, NoteSheet, Role
from memoracle.model.search import EvidenceSource, Passage
from memoracle.store.loading import link_note
from memoracle.store.notes import NoteFile, date_of

if TYPE_CHECKING:
    from memoracle.extensions.seats.files_facts import JsonNode
    from memoracle.store.store import Store

_FIELDS = frozenset({"kind", "id", "title", "ts"})


def record_note(path: str, content: bytes, held: JsonNode) -> NoteFile | None:
    """Such a document as a note whose header holds its members; None for any other."""
    at = next((node.first_line for name, node in held.members if name == "body"), 1)
    return _note(path, content, held.says, at)


def _note(path: str, content: bytes, said: Any, at: int) -> NoteFile | None:
    if (
        not isinstance(said, dict)
        or said.get("schema_version") != 1
        or not said.keys() >= _FIELDS
        or not all(isinstance(said[name], str) for name in _FIELDS)
        or said["kind"] in SCANNED
    ):
        return None
    body = said.get("body")
    return NoteFile(
        path=path,
        digest=file_digest(content),
        text=content.decode("utf-8-sig", "replace"),
        header={name: one for name, one in said.items() if name != "body"},
        body=body if isinstance(body, str) else "",
        body_line=at,
        title=" ".join(said["title"].split()) or os.path.basename(path),
        date=date_of(path),
    )


def load_record(store: Store, note: NoteFile) -> Loaded:
    """What a view takes in of it: one passage, which cites the whole document."""
    hide = store.guard.hide
    project, _, _ = owner_of_path(store.layout, note.path)
    links, unread = link_note(note, hide(note.body), project, store.link_reader(), hide)
    kind = note.header["kind"] if note.header["kind"] in KINDS else "page"
    return Loaded(
        path=note.path,
        role=Role.FACTS,
        whole=True,
        mark=Mark(size=0, lines=0, digest=note.digest),
        passages=(_passage(store, note, 1, max(1, len(note.text.splitlines()))),),
        sheet=NoteSheet(names=(hide(note.title), str(note.header["id"])), kind=kind, project=project),
        links=links,
        findings=tuple(unread),
    )


def load_reflections(store: Store, path: str) -> Loaded:
    """What was thought over, each line a passage; `check` has nothing to say of a line that is none."""
    content = store.volume.read(path)
    passages = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        with suppress(ValueError, RecursionError):
            said = json.loads(line) if line.strip() else None
            if isinstance(said, dict) and (note := _note(path, line, said, 1)) is not None:
                passages.append(_passage(store, note, number, number))
    mark = Mark(size=0, lines=0, digest=file_digest(content))
    return Loaded(path=path, role=Role.FACTS, whole=True, mark=mark, passages=tuple(passages))


def _passage(store: Store, note: NoteFile, first: int, last: int) -> Passage:
    hide = store.guard.hide
    title = hide(note.title)
    return Passage(
        ref=f"{note.path}#L{first}",
        source=EvidenceSource.NOTE,
        text=f"{title}\n\n{hide(note.body)}".strip(),
        title=title,
        path=note.path,
        first_line=first,
        last_line=last,
        **facets_of(note, store.layout, hide),
    )
