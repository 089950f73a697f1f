"""Seats and projects, as the registry names them: who may write, and what is being worked on."""

from __future__ import annotations

from memoracle.model.value import value

DEFAULT_SEATS = ("builder", "designer", "koder", "memory", "patrol", "planner", "reviewer")
FOLDERS = {
    "reviewer": ("findings",),
    "patrol": ("doc-code-alignment", "test-results", "task-commit-gaps"),
}
"""Folders inside a seat's place."""
ACTIVE = "active"
RETIRED = "retired"
OPERATOR = "operator"


@value
class Seat:
    """A role that writes pages. `projects` is empty for a seat that sits in all of them."""

    name: str
    status: str = ACTIVE
    projects: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    because: str = ""

    @property
    def is_active(self) -> bool:
        """Only an active seat may write."""
        return self.status == ACTIVE

    def sits_in(self, project: str) -> bool:
        """True when this seat has a place in a project."""
        return not self.projects or project in self.projects


@value
class Project:
    """Something that is worked on: where its repository stands, and whether it is still worked on."""

    name: str
    status: str = ACTIVE
    repo_path: str = ""
    because: str = ""
    pages: int = 0

    @property
    def is_active(self) -> bool:
        """A project without a status counts as active."""
        return self.status in {"", ACTIVE}


@value
class Registry:
    """The seats and projects of a root."""

    seats: tuple[Seat, ...]
    projects: tuple[Project, ...] = ()

    def seat(self, name: str) -> Seat | None:
        """The seat of that name."""
        return next((one for one in self.seats if one.name == name), None)

    def project(self, name: str) -> Project | None:
        """The project of that name, when it is registered."""
        return next((one for one in self.projects if one.name == name), None)
