"""Seats and projects, as the registry names them: who may write, and what is being worked on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from memoracle.model.value import field, value

# A dotted path into a document of objects and lists: `proxy.ports.0`.

MISSING = object()
"""What a look-up gives for a place that is not there."""


def parts_of(path: str) -> list[str]:
    """The parts of a path; empty ones do not count."""
    return [part for part in path.strip().split(".") if part]


def walk(held: Any, parts: Sequence[str]) -> tuple[str, Any]:
    """The path that was walked and the value at its end, or `MISSING`. A list is counted from 0, or from its end."""
    walked: list[str] = []
    rest = list(parts)
    while rest:
        if isinstance(held, Mapping):
            # A name may hold dots itself: the longest that fits wins.
            fits = next((n for n in range(len(rest), 0, -1) if ".".join(rest[:n]) in held), 0)
            if not fits:
                return "", MISSING
            name, rest = ".".join(rest[:fits]), rest[fits:]
            held = held[name]
        elif isinstance(held, list) and _is_place(rest[0], len(held)):
            name, rest = rest[0], rest[1:]
            held = held[int(name)]
        else:
            return "", MISSING
        walked.append(name)
    return ".".join(walked), held


def _is_place(text: str, length: int) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(text) < 10 and -length <= int(text) < length


# Work that goes from one seat to another: what was asked, that it was seen, and what came back.

PLANNER, BUILDER, REVIEWER = "planner", "builder", "reviewer"


class TestPolicy(StrEnum):
    """What may happen to tests in a task."""

    __test__ = False  # not a case of pytest

    UPDATE = "UPDATE"
    FREEZE = "FREEZE"
    EXTEND = "EXTEND"
    NOT_APPLICABLE = "N/A"


REVIEWS = ("APPROVED", "APPROVED_WITH_NITS", "CHANGES_REQUESTED", "BLOCKED", "DECISION_NEEDED")
"""What a reviewer may conclude."""
NEEDS_INTEGRATION = "PASS_NEEDS_INTEGRATION"
GOOD = frozenset({"PASS", NEEDS_INTEGRATION, "APPROVED", "APPROVED_WITH_NITS"})


class SeatState(StrEnum):
    """Where a task stands in its target's queue."""

    PENDING = "pending"
    QUEUED = "queued"
    DONE = "done"


@value
class Dispatch:
    """A task that was given to a seat."""

    task_id: str
    project: str
    source: str
    target: str
    title: str
    objective: str
    test_policy: TestPolicy
    assigned_at: datetime
    reply_to: str
    correlation_id: str
    docs_consulted: tuple[str, ...] = ()
    docs_skip_reason: str = ""
    notified_at: datetime | None = None
    notify_message: str = ""
    path: str = ""


@value
class Completion:
    """A task that was given back: how it ended, and where the delivery stands."""

    task_id: str
    project: str
    source: str
    target: str
    status: str
    completed_at: datetime
    verdict: str = ""
    summary: str = ""
    delivery_path: str = ""
    response_path: str = ""
    response_digest: str = ""
    commit: str = ""
    lineage_status: str = "unknown"
    notify_skipped: bool = False
    path: str = ""


@value
class Queued:
    """A dispatch and where it stands."""

    dispatch: Dispatch
    state: SeatState
    seen: str = ""
    """When its target acknowledged it; empty when nobody did."""
    completion: Completion | None = None


@value
class PageCheck:
    """One thing that was looked at: `ok`, `missing`, `warning`, or `unknown` where it cannot be seen from here."""

    name: str
    result: str
    says: str = ""


@value
class Chain:
    """What a look at a chain of hand-offs gave."""

    task_id: str
    project: str
    checks: tuple[PageCheck, ...]
    message: str = ""

    @property
    def ok(self) -> bool:
        """True when nothing that must be there is missing."""
        return all(check.result != "missing" for check in self.checks)


@value
class Handed:
    """What a hand-off wrote, what to say about it, and which task comes next."""

    path: str
    created: bool = True
    message: str = ""
    state: str = ""
    delivery: str = ""
    response: str = ""
    next: str = ""
    sent: bool = False
    unsent: bool = False
    """A command was named to carry the message, and did not take it. What was written stands."""
    warnings: tuple[str, ...] = ()
    verified: Mapping[str, Any] | None = None


# A page: what one seat writes down about a project, in a place that only this seat writes to.

MEMORY = "memory"
SHARED = "_shared"

OWN_KINDS = ("decision", "finding", "task", "plan", "delivery", "issue")
"""Kinds that stand in folders of their own, which are the memory seat's: what no other seat can own."""
SHARED_FOLDERS: Mapping[str, str] = {
    "library_knowledge": "library_knowledge",
    "pattern": "patterns",
    "example": "examples",
}
"""Kinds that belong to no project, and where they stand under `shared/`."""
LEARNING = "learning"
REFLECTION = "reflection"
SEAT_KINDS = (*OWN_KINDS, "alignment", "test_result", "observation")
SCANNED = ("runtime", "tests", "deploy", "ci", "lint", "structure", "env_templates", "dev_env")
KINDS = (*SEAT_KINDS, REFLECTION, LEARNING, *SHARED_FOLDERS)
NEED_EVIDENCE = frozenset({"finding", "library_knowledge"})
TRUSTS = ("high", "medium", "low")
SOURCES = ("scanner", "write_api", "reflection", "event_derived", "research")
SEVERITIES = ("HIGH", "MEDIUM", "LOW")

COMMON = ("issue_id", "ts", "task_id", "project", "seat", "kind", "title", "status", "detail")
"""The fields that every page has, in their order."""
EXTRA: Mapping[str, tuple[str, ...]] = {
    "builder": ("decision_type", "files_affected", "constraints"),
    "planner": ("decision_type", "alternatives_considered", "priority_reason", "auto_mode", "reason"),
    "reviewer": ("risk_type", "severity", "url", "repro", "screenshot_path"),
    "patrol": (
        "doc_file", "code_file", "issue_type", "severity", "first_seen", "last_seen", "resolved_at", "model",
    ),
    MEMORY: ("decision_type", "auto_mode", "reason", "severity", "topic", "seats"),
}  # fmt: skip
"""Further fields that a seat's pages may have; a seat of one's own may have any of them."""
LISTS = frozenset({"files_affected", "constraints", "alternatives_considered", "seats"})


class PageStatus(StrEnum):
    """How far the matter of a page is."""

    OPEN = "open"
    INVESTIGATING = "investigating"
    RESOLVED = "resolved"
    COMPLETED = "completed"
    SUPERSEDED = "superseded"
    QUARANTINED = "quarantined"


CLOSED = (PageStatus.RESOLVED, PageStatus.COMPLETED, PageStatus.SUPERSEDED)


@value
class PageDraft:
    """A page that somebody wants to write: checked in its parts, not yet owned by anybody."""

    kind: str
    project: str
    seat: str
    title: str
    body: str
    task_id: str = ""
    detail: str = ""
    status: PageStatus = PageStatus.OPEN
    confidence: str = "medium"
    source: str = "write_api"
    supersedes: str = ""
    folder: str = ""
    related_task_ids: tuple[str, ...] = ()
    evidence: tuple[Mapping[str, Any], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    ts: datetime | None = None


@value
class Page:
    """A page as it stands on disk. Its place says whose it is, whatever its header says."""

    id: str
    path: str
    ts: datetime | None
    project: str
    seat: str
    kind: str
    title: str
    status: str
    task_id: str = ""
    detail: str = ""
    confidence: str = ""
    supersedes: str = ""
    related_task_ids: tuple[str, ...] = ()
    evidence: tuple[Mapping[str, Any], ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    history: tuple[str, ...] = ()
    body: str = ""
    body_line: int = 1
    digest: str = ""

    @property
    def owner(self) -> str:
        """Who answers for it: `seat@project`, or the seat alone."""
        return f"{self.seat}@{self.project}" if self.project else self.seat


@value
class PageWritten:
    """What became of a page. `created` is False when it stood there already."""

    id: str
    path: str
    created: bool
    status: str
    owner: str
    aliases: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


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
