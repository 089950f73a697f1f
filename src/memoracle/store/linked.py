"""Links read along with a file. A rule that fails keeps nothing from being read: it becomes a finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memoracle.model.link import Link
from memoracle.model.manifest import Sheet, Version
from memoracle.model.report import Finding, Severity
from memoracle.model.value import replace
from memoracle.store.chunks import split_lines
from memoracle.store.generated import generated_lines
from memoracle.store.layouts import layout_named
from memoracle.store.notes import NoteFile
from memoracle.store.ports import Links

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
    note: NoteFile, body: str, project: str, links: Links | None, hide: Callable[[str], str]
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
    path: str, versions: Sequence[Version], links: Links | None
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
