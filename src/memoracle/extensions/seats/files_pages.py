"""Pages of seats on disk: where they stand, how they read, how one is written and how its status changes.

Every value of a header that is more than a word is quoted, so that no title can add a field or end the header; what
is read is held against the place it stands in. A page is written once. Afterwards its header gains a line of history
and a new status; every other byte stays. The caller holds the store's lock to write, and tells the audit who wrote.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from memoracle.errors import BadInput, ChangedUnderneath, MemoracleError
from memoracle.extensions.seats.files_facets import moment_of, owner_of_path
from memoracle.extensions.seats.files_facts import read_lines
from memoracle.extensions.seats.files_records import record_note
from memoracle.extensions.seats.model import COMMON, LEARNING, MEMORY, SHARED, SHARED_FOLDERS, Page, PageDraft
from memoracle.model.ids import content_key, file_digest
from memoracle.store import frontmatter
from memoracle.store.frontmatter import read_quickly
from memoracle.store.layouts import PROJECT_KINDS, NoteRole, NoteTree, find_facts, note_homes, resolve
from memoracle.store.notes import NoteFile, date_of, read_note
from memoracle.store.store import Store

SCHEMA = 1
_HISTORY = re.compile(r"^history:[ \t]*\n(?:^  - .*\n)*", re.MULTILINE)
_LONGEST_SLUG = 64


def write_moment(moment: datetime) -> str:
    """A moment as headers and names carry it: UTC, whole seconds."""
    return moment.astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")


def slug_of(title: str, fallback: str = "decision") -> str:
    """A title as part of a file name: plain lower-case letters and digits, `-` between them."""
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-")[:_LONGEST_SLUG].strip("-") or fallback


def key_of(draft: PageDraft) -> str:
    """What makes two submissions the same page: everything it says, not when it was said."""
    return content_key("page", draft.kind, draft.project, draft.seat, draft.task_id, draft.title, draft.body)


def folder_of(store: Store, draft: PageDraft) -> str:
    """The folder a page belongs in; every part of its name is checked."""
    if draft.kind == LEARNING:
        return os.path.dirname(resolve(store.layout, "learnings", name="x"))
    if draft.project == SHARED:
        kind = SHARED_FOLDERS[draft.kind]
        return os.path.dirname(resolve(store.layout, "shared_page", kind=kind, name="x"))
    own = draft.kind if draft.seat == MEMORY else draft.seat
    folder = os.path.dirname(resolve(store.layout, "page", project=draft.project, seat=own, name="x"))
    return f"{folder}/{draft.folder}" if draft.folder else folder


def project_folders(store: Store) -> list[str]:
    """The names of the folders that projects have."""
    return list(store.volume.list(store.layout["page"].partition("/{")[0]).folders)


def find_twin(store: Store, draft: PageDraft) -> Page | None:
    """The page that says exactly this already; only names with its title are opened."""
    key = key_of(draft)
    ending = f"-{_name_of(draft, key)}"
    folder = folder_of(store, draft)
    for name in (one.name for one in store.volume.list(folder).files):
        stem = name.removesuffix(".md")
        if stem != name and re.sub(r"~\d+$", "", stem).endswith(ending):
            page = read_page(store, f"{folder}/{name}")
            if page is not None and page.fields.get("key") == key:
                return page
    return None


def put_page(store: Store, draft: PageDraft, *, page_id: str, now: datetime, said: str) -> Page:
    """Write a new page; one that stands under its name already is left alone."""
    at = draft.ts or now
    stamp = write_moment(at)
    key = key_of(draft)
    text = _composed(draft, page_id, stamp, key, said)
    folder, stem = folder_of(store, draft), f"{stamp.replace(':', '-')}-{_name_of(draft, key)}"
    for turn in range(1, 1000):
        path = f"{folder}/{stem}.md" if turn == 1 else f"{folder}/{stem}~{turn}.md"
        place = path
        if store.volume.has(place):
            continue
        try:
            store.volume.replace(place, text.encode("utf-8"), expected=file_digest(b""))
        except ChangedUnderneath:
            continue
        page = read_page(store, path)
        assert page is not None, "what was composed can be read"
        return page
    raise BadInput("too many pages of this title at this moment")


def change_page(store: Store, page: Page, changes: Mapping[str, Any], *, said: str) -> Page:
    """The page with these header fields and one more line of history; its body and all else stay."""
    place = page.path
    raw = store.volume.read(place)
    if page.digest and file_digest(raw) != page.digest:
        raise ChangedUnderneath(page.path, expected=page.digest, found=file_digest(raw))
    text = raw.decode("utf-8")
    before = frontmatter.parse(text)
    if not before.head:
        raise BadInput(f"{page.path} has no header that can be changed")
    for name, held in changes.items():
        text = frontmatter.set_field(text, name, held)
    text = _with_history(text, said)
    after = frontmatter.parse(text)
    told = [*_texts(before.fields.get("history")), said]
    if after.fields != {**before.fields, **changes, "history": told} or after.body != before.body:
        raise BadInput(f"the history of {page.path} cannot be added to safely")
    store.volume.replace(place, text.encode("utf-8"), expected=page.digest or file_digest(raw))
    changed = read_page(store, page.path)
    assert changed is not None, "only its header changed"
    return changed


def page_files(store: Store) -> list[str]:
    """The relative paths of everything that stands in a place for pages; derived files are none."""
    shared = _shared_folders(store)
    own = (
        path for path, role in store.notes.files().items() if role is NoteRole.PAGE or path.startswith(shared)
    )
    return sorted({*own, *record_files(store)})


def record_files(store: Store) -> list[str]:
    """Where a published design may have a record as a document of its own."""
    scanned = frozenset(f"{kind}.json" for kind in PROJECT_KINDS)
    machine = os.path.dirname(store.layout["machine"])
    found = find_facts(NoteTree(store.volume), store.layout)
    return [
        path
        for path in found
        if path.endswith(".json")
        and os.path.basename(path) not in scanned
        and os.path.dirname(path) != machine
    ]


def page_files_named(store: Store, beginning: str) -> list[str]:
    """Those whose names begin so: names are compared before anything else is asked of a file."""
    tree, shared = NoteTree(store.volume), _shared_folders(store)
    return sorted(
        {
            path
            for home in note_homes(store.layout_name)
            if home.role is NoteRole.PAGE or f"{home.folder}/".startswith(shared)
            for folder, files in tree.below(home.folder, home.enters)
            for entry in files
            if entry.name.startswith(beginning) and home.holds(path := f"{folder}/{entry.name}")
        }
    )


def _shared_folders(store: Store) -> tuple[str, ...]:
    return tuple(
        f"{os.path.dirname(store.layout[name].partition('{')[0])}/" for name in ("learnings", "shared_page")
    )


def read_pages(store: Store) -> Iterator[Page]:
    """Every page of a root; what has no header is a note, not a page."""
    for path in page_files(store):
        try:
            page = read_page(store, path)
        except MemoracleError:
            continue  # `check` names it
        if page is not None:
            yield page


def read_page(store: Store, path: str) -> Page | None:
    """The page at a place; None for a note without a header."""
    raw = store.volume.read(path)
    if path.endswith(".json"):
        with suppress(ValueError, RecursionError):
            if (held := record_note(path, raw, read_lines(raw.decode("utf-8-sig")))) is not None:
                return page_of(held, *owner_of_path(store.layout, path))
        return None
    with suppress(UnicodeDecodeError):
        text = raw.decode("utf-8")
        if (quick := read_quickly(text)) and isinstance(quick[0].get("title"), str):
            head = text[: quick[1]]
            note = NoteFile(
                path=path,
                digest=file_digest(raw),
                text=text,
                header=quick[0],
                body=text[quick[1] :],
                body_line=head.count("\n") + 1,
                title=" ".join(quick[0]["title"].split()) or path,
                date=date_of(path),
            )
            return page_of(note, *owner_of_path(store.layout, path))
    note = read_note(store.volume, path)
    return page_of(note, *owner_of_path(store.layout, path)) if note.header else None


def page_of(note: NoteFile, project: str, seat: str, kind: str) -> Page:
    """A note with a header as the page it is; its place says whose it is."""
    held = note.header
    return Page(
        id=_text(held.get("issue_id") or held.get("id")) or note.path,
        path=note.path,
        ts=moment_of(held) or note.at,
        project=project,
        seat=seat,
        kind=_text(held.get("kind")) or kind or "page",
        title=note.title,
        status=_text(held.get("status")) or "open",
        task_id=_text(held.get("task_id")),
        detail=_text(held.get("detail")),
        confidence=_text(held.get("confidence")),
        supersedes=_text(held.get("supersedes")),
        related_task_ids=tuple(_texts(held.get("related_task_ids"))),
        evidence=tuple(one for one in held.get("evidence") or () if isinstance(one, dict))
        if isinstance(held.get("evidence"), list)
        else (),
        fields=held,
        history=tuple(_texts(held.get("history"))),
        body=note.body,
        body_line=note.body_line,
        digest=note.digest,
    )


def _name_of(draft: PageDraft, key: str) -> str:
    # A title without Latin letters leaves no slug; its key then keeps a twin findable by name.
    slug = slug_of(draft.title, "")
    return slug or f"{draft.kind.replace('_', '-')}-{key[2:10]}"


def _composed(draft: PageDraft, page_id: str, stamp: str, key: str, said: str) -> str:
    common: dict[str, Any] = {
        "issue_id": page_id,
        "ts": stamp,
        "task_id": draft.task_id,
        "project": draft.project,
        "seat": draft.seat,
        "kind": draft.kind,
        "title": draft.title,
        "status": draft.status.value,
        "detail": draft.detail,
    }
    assert tuple(common) == COMMON
    further: dict[str, Any] = {
        "confidence": draft.confidence,
        "source": draft.source,
        "supersedes": draft.supersedes or None,
        "related_task_ids": list(draft.related_task_ids),
        "evidence": [dict(one) for one in draft.evidence],
        **draft.extra,
        "schema_version": SCHEMA,
        "key": key,
    }
    lines = [
        f"{name}: {_written(name, held)}" for name, held in (common | further).items() if held is not None
    ]
    body = draft.body if draft.body.endswith("\n") or not draft.body else f"{draft.body}\n"
    head = "\n".join(["---", *lines, "history:", f"  - {frontmatter.quoted(said)}", "---"])
    text = f"{head}\n{body}"
    parts = frontmatter.parse(text)
    if parts.finding or parts.body != body or parts.fields.get("title") != draft.title:
        raise BadInput("this cannot be written as a page")
    return text


def _written(name: str, held: Any) -> str:
    """A value of a header: in quotes, which not every reader takes off, unless it is one plain word or our moment."""
    if name == "ts":
        return str(held)
    return (
        frontmatter.field_line(name, held).partition(": ")[2] if name in _WORDS else frontmatter.quoted(held)
    )


_WORDS = frozenset({"issue_id", "task_id", "project", "seat", "kind", "status", "confidence", "source"})


def _with_history(text: str, said: str) -> str:
    line = f"  - {frontmatter.quoted(said)}\n"
    head = frontmatter.parse(text).head
    found = _HISTORY.search(head)
    if found:
        return f"{text[: found.end()]}{line}{text[found.end() :]}"
    told = _texts(frontmatter.parse(text).fields.get("history"))
    if told:
        return frontmatter.set_field(text, "history", [*told, said])
    closing = head.rstrip("\r\n").rindex("\n") + 1
    return f"{text[:closing]}history:\n{line}{text[closing:]}"


def _text(held: Any) -> str:
    return "" if held is None or isinstance(held, dict | list) else str(held)


def _texts(held: Any) -> Sequence[str]:
    return [_text(one) for one in held] if isinstance(held, list) else []
