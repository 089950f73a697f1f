"""`projects/registry.json`: the seats and projects of a root, as its owner registered them.

One file with one owner: nothing but the verbs `seat` and `project` writes it. What it does not name are the seats
that every root has, and projects that have pages. A registry that cannot be read stops writing, never reading.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memoracle.errors import UnreadableFile
from memoracle.extensions.seats.model import ACTIVE, DEFAULT_SEATS, FOLDERS, Project, Registry, Seat
from memoracle.store.store import Store
from memoracle.store.volume import write_document

SCHEMA = 1


def read_registry(store: Store) -> Registry:
    """The seats and projects of a root; a file that is damaged is an error, because it says who may write."""
    held = _held(store)
    seats = {name: Seat(name=name, folders=FOLDERS.get(name, ())) for name in DEFAULT_SEATS}
    seats |= {name: _seat(name, entry) for name, entry in _entries(held, "seats").items()}
    projects = {name: _project(name, entry) for name, entry in _entries(held, "projects").items()}
    for name in _folders(store):
        projects.setdefault(name, Project(name=name))
    return Registry(
        seats=tuple(seats[name] for name in sorted(seats)),
        projects=tuple(projects[name] for name in sorted(projects)),
    )


def registered_seats(store: Store) -> set[str]:
    """The seats that somebody registered here, beside those that every root has."""
    return set(_entries(_held(store), "seats"))


def put_seat(store: Store, seat: Seat) -> None:
    """Register a seat, or put its entry differently. The caller holds the lock."""
    entry = {
        "status": seat.status,
        "projects": list(seat.projects),
        "folders": list(seat.folders),
        "because": seat.because,
    }
    _put(store, "seats", seat.name, entry)


def put_project(store: Store, project: Project) -> None:
    """Register a project, or put its entry differently. The caller holds the lock."""
    entry = {"repo_path": project.repo_path, "status": project.status, "because": project.because}
    _put(store, "projects", project.name, entry)


def _put(store: Store, group: str, name: str, entry: Mapping[str, Any]) -> None:
    held = _held(store)
    entries = dict(_entries(held, group))
    entries[name] = {**entries.get(name, {}), **entry}  # fields of other programs stay
    document = {"schema_version": SCHEMA, **held, group: dict(sorted(entries.items()))}
    write_document(store.volume, store.name("registry"), document)


def _held(store: Store) -> dict[str, Any]:
    raw = store.volume.read(store.name("registry"))
    if not raw.strip():
        return {}
    try:
        held = json.loads(raw)
    except (ValueError, RecursionError):
        raise UnreadableFile(store.path("registry"), "it is not JSON; mend it or put it aside") from None
    if not isinstance(held, dict):
        raise UnreadableFile(store.path("registry"), "it is not a registry; mend it or put it aside")
    return held


def _entries(held: Mapping[str, Any], group: str) -> dict[str, dict[str, Any]]:
    entries = held.get(group)
    named = entries.items() if isinstance(entries, dict) else ()
    return {name: entry if isinstance(entry, dict) else {} for name, entry in named}


def _seat(name: str, entry: Mapping[str, Any]) -> Seat:
    return Seat(
        name=name,
        status=str(entry.get("status") or ACTIVE),
        projects=_texts(entry.get("projects")),
        folders=_texts(entry.get("folders")) or FOLDERS.get(name, ()),
        because=str(entry.get("because") or ""),
    )


def _project(name: str, entry: Mapping[str, Any]) -> Project:
    return Project(
        name=name,
        status=str(entry.get("status") or ACTIVE),
        repo_path=str(entry.get("repo_path") or ""),
        because=str(entry.get("because") or ""),
    )


def _texts(held: Any) -> tuple[str, ...]:
    return tuple(map(str, held)) if isinstance(held, list) else ()


def _folders(store: Store) -> list[str]:
    """The projects that have a folder, whether or not anybody registered them."""
    top = store.volume.list(store.layout["page"].partition("/{")[0])
    return [name for name in top.folders if name[:1] not in "._"]
