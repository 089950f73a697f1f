"""Seats and projects as their owner registers them.

Values become writes here; every change is told to the audit trail.
"""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.acts.seating import guarded_parts
from memoracle.clock import Clock
from memoracle.errors import BadInput
from memoracle.model.event import Event
from memoracle.model.names import check_name
from memoracle.model.page import MEMORY
from memoracle.model.seat import RETIRED, Project, Seat
from memoracle.model.value import replace
from memoracle.policy.shield import Shield
from memoracle.seats.ownership import must_be_free, must_differ, must_sit
from memoracle.store.layouts import resolve
from memoracle.store.pages import project_folders
from memoracle.store.registry import note_repository, put_project, put_seat, read_registry
from memoracle.store.store import Store


class Registering:
    """The registry of one store."""

    def __init__(self, store: Store, *, shield: Shield, clock: Clock, actor: str) -> None:
        self._store = store
        self._shield = shield
        self._clock = clock
        self._actor = actor

    def add_seat(self, name: str, *, projects: Sequence[str], folders: Sequence[str], because: str) -> Seat:
        """Register a seat, or bring one back."""
        check_name("seat", must_be_free(name))
        for one in projects:
            check_name("project", one)
        for one in folders:
            check_name("folder", one)
        registry = read_registry(self._store)
        must_differ("seat", name, (one.name for one in registry.seats))
        before = registry.seat(name)
        seat = Seat(
            name=name,
            projects=tuple(projects) or (before.projects if before else ()),
            folders=tuple(folders) or (before.folders if before else ()),
            because=self._said(because),
        )
        return self._put_seat(seat)

    def retire_seat(self, name: str, *, because: str) -> Seat:
        """Let a seat write no more; its pages stay."""
        if name == MEMORY:
            raise BadInput("the memory seat cannot be retired", "it holds what no other seat can hold")
        seat = must_sit(name, "", read_registry(self._store))
        return self._put_seat(replace(seat, status=RETIRED, because=self._said(because)))

    def add_project(self, name: str, *, repo_path: str, because: str) -> Project:
        """Register a project, or bring one back."""
        check_name("project", name)
        must_differ("project", name, project_folders(self._store))
        registry = read_registry(self._store)
        must_differ("project", name, (one.name for one in registry.projects))
        before = registry.project(name)
        path = self._said(repo_path) or (before.repo_path if before else "")
        if repo_path:
            with self._store.writing():
                note_repository(self._store, name, path)
        return self._put_project(Project(name=name, repo_path=path, because=self._said(because)))

    def retire_project(self, name: str, *, because: str) -> Project:
        """Let a project rest: its pages stay, and nobody adds to them."""
        before = read_registry(self._store).project(name)
        if before is None:
            raise BadInput(f"no project is called `{name}`", "`memoracle project list` names them")
        return self._put_project(replace(before, status=RETIRED, because=self._said(because)))

    def _put_seat(self, seat: Seat) -> Seat:
        with self._store.writing():
            put_seat(self._store, seat)
            self._tell("seat", seat.name, seat.status)
        return seat

    def _put_project(self, project: Project) -> Project:
        with self._store.writing():
            put_project(self._store, project)
            self._tell("project", project.name, project.status)
        return project

    def _said(self, text: str) -> str:
        return str(guarded_parts(self._shield, {"text": text})[0]["text"])

    def _tell(self, what: str, name: str, status: str) -> None:
        path = resolve(self._store.layout, "registry")
        facts = {what: name, "status": status}
        self._store.audit.log(Event(act=what, at=self._clock(), by=self._actor, about=(path,), facts=facts))
