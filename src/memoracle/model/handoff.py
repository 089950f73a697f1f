"""Work that goes from one seat to another: what was asked, that it was seen, and what came back.

A dispatch, an acknowledgement and a completion are three files; nothing else says how far a task is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from memoracle.model.value import value

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


class State(StrEnum):
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
    state: State
    seen: str = ""
    """When its target acknowledged it; empty when nobody did."""
    completion: Completion | None = None


@value
class Check:
    """One thing that was looked at: `ok`, `missing`, `warning`, or `unknown` where it cannot be seen from here."""

    name: str
    result: str
    says: str = ""


@value
class Chain:
    """What a look at a chain of hand-offs gave."""

    task_id: str
    project: str
    checks: tuple[Check, ...]
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
