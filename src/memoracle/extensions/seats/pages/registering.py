"""Seats and projects as their owner registers them.

Values become writes here; every change is told to the audit trail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.errors import BadInput
from memoracle.extensions.seats.files_pages import project_folders
from memoracle.extensions.seats.files_registry import put_project, put_seat, read_registry
from memoracle.extensions.seats.model import MEMORY, RETIRED, Project, Registry, Seat
from memoracle.extensions.seats.pages.ownership import must_be_free, must_differ, must_sit
from memoracle.extensions.seats.pages.reading import counted_registry
from memoracle.extensions.seats.pages.seating import guarded_parts
from memoracle.model.event import Event
from memoracle.model.record import check_name
from memoracle.model.value import replace
from memoracle.store.layouts import resolve
from memoracle.store.roots import note_repository

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.root import Root


def registry(root: Root) -> Registry:
    """The seats and projects of this root, registered or with a page."""
    return counted_registry(root.store)


def add_seat(
    root: Root, name: str, *, projects: Sequence[str] = (), folders: Sequence[str] = (), because: str = ""
) -> Seat:
    """Register a seat, or bring one back."""
    root.reader.must_see_all()
    root.must_hold_no_secret(name, *projects, *folders)
    check_name("seat", must_be_free(name))
    for one in projects:
        check_name("project", one)
    for one in folders:
        check_name("folder", one)
    known = read_registry(root.store)
    must_differ("seat", name, (one.name for one in known.seats))
    before = known.seat(name)
    seat = Seat(
        name=name,
        projects=tuple(projects) or (before.projects if before else ()),
        folders=tuple(folders) or (before.folders if before else ()),
        because=_said(root, because),
    )
    return _put_seat(root, seat)


def retire_seat(root: Root, name: str, *, because: str = "") -> Seat:
    """Let a seat write no more; its pages stay."""
    root.reader.must_see_all()
    if name == MEMORY:
        raise BadInput("the memory seat cannot be retired", "it holds what no other seat can hold")
    seat = must_sit(name, "", read_registry(root.store))
    return _put_seat(root, replace(seat, status=RETIRED, because=_said(root, because)))


def add_project(root: Root, name: str, *, repo_path: str = "", because: str = "") -> Project:
    """Register a project, or bring one back."""
    root.reader.must_see_all()
    root.must_hold_no_secret(name)
    check_name("project", name)
    must_differ("project", name, project_folders(root.store))
    known = read_registry(root.store)
    must_differ("project", name, (one.name for one in known.projects))
    before = known.project(name)
    path = _said(root, repo_path) or (before.repo_path if before else "")
    if repo_path:
        with root.store.writing():
            note_repository(root.store, name, path)
    return _put_project(root, Project(name=name, repo_path=path, because=_said(root, because)))


def retire_project(root: Root, name: str, *, because: str = "") -> Project:
    """Let a project rest: its pages stay, and nobody adds to them."""
    root.reader.must_see_all()
    before = read_registry(root.store).project(name)
    if before is None:
        raise BadInput(f"no project is called `{name}`", "`memoracle project list` names them")
    return _put_project(root, replace(before, status=RETIRED, because=_said(root, because)))


def _put_seat(root: Root, seat: Seat) -> Seat:
    with root.store.writing():
        put_seat(root.store, seat)
        _tell(root, "seat", seat.name, seat.status)
    return seat


def _put_project(root: Root, project: Project) -> Project:
    with root.store.writing():
        put_project(root.store, project)
        _tell(root, "project", project.name, project.status)
    return project


def _said(root: Root, text: str) -> str:
    return str(guarded_parts(root.guard, {"text": text})[0]["text"])


def _tell(root: Root, what: str, name: str, status: str) -> None:
    path = resolve(root.store.layout, "registry")
    facts = {what: name, "status": status}
    root.store.audit.log(Event(act=what, at=root.clock(), by=root.actor, about=(path,), facts=facts))
