"""A page: what one seat writes down about a project, in a place that only this seat writes to.

Plain values and the closed sets they are made of. A page is never deleted: closing it is a change of status that
adds a line to its history.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from memoracle.model.value import field, value

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
