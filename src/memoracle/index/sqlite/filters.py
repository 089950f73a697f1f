"""Filters as part of the query itself."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from memoracle.model.query import Filters
from memoracle.model.record import Scope
from memoracle.times import write_time

_HIDDEN = "p.status NOT IN ('retracted', 'quarantined', 'withdrawn', 'forgotten')"
FINDABLE = (
    "(p.status = 'active' OR (p.status = 'archived' AND p.verb IN ('consolidate', 'import') AND p.kind != 'summary' "
    "AND p.confidence >= 0.2))"
)
"""Part of a default answer: what is active, and what a night put away for its age alone.

What the owner archived waits to be asked for widely; so do a summary whose sources are gone, and a belief of which
nobody is sure.
"""


def where(filters: Filters, now: datetime) -> tuple[str, list[Any]]:
    """A condition on `passages p`, and its parameters."""
    conditions, values = _in_force(filters, now)
    for column in ("user", "agent", "project", "seat"):
        if name := getattr(filters.scope, column):
            conditions.append(f"p.{column} = ?")
            values.append(name)
    seen, eyes = open_to(filters.reader, public=filters.public)
    conditions += seen
    values += eyes
    if filters.withheld:
        conditions.append(f"p.sensitivity NOT IN ({', '.join('?' * len(filters.withheld))})")
        values += filters.withheld
    for column in ("session", "channel"):
        if name := getattr(filters, column):
            conditions.append(f"p.{column} = ?")
            values.append(name)
    if filters.page_status:
        conditions.append("p.key = 'page-status' AND p.value = ?")
        values.append(filters.page_status)
    if filters.kinds:
        conditions.append(f"p.kind IN ({', '.join('?' * len(filters.kinds))})")
        values += filters.kinds
    for tag in filters.tags:
        conditions.append("p.tags LIKE ? ESCAPE '\\'")
        values.append(f"%{_literal(json.dumps(tag, ensure_ascii=False))}%")
    if filters.speaker:
        conditions.append("p.who = ? COLLATE NOCASE")
        values.append(filters.speaker)
    if filters.since:
        conditions.append("p.at >= ?")
        values.append(write_time(filters.since))
    if filters.until:
        conditions.append("p.at <= ?")
        values.append(write_time(filters.until))
    return " AND ".join(conditions), values


def open_to(reader: Scope, *, public: bool = False) -> tuple[list[str], list[str]]:
    """Conditions on `passages p` that leave out what is somebody else's, and their parameters."""
    conditions, values = [], []
    for column in ("user", "agent", "project", "seat"):
        if name := getattr(reader, column):
            # Seats read each other's pages; what one of them keeps as records is its own.
            others = "p.source != 'record' OR " if column == "seat" else ""
            names = [name, *(reader.also if column == "project" else ())]
            conditions.append(f"({others}p.{column} IN ('', {', '.join('?' * len(names))}))")
            values += names
    if public:
        conditions.append("p.sensitivity = 'public'")
    return conditions, values


def _in_force(filters: Filters, now: datetime) -> tuple[list[str], list[Any]]:
    if filters.statuses:
        places = ", ".join("?" * len(filters.statuses))
        return ["p.live = 1", "p.source = 'record'", f"p.status IN ({places})"], [*filters.statuses]
    if filters.as_of:
        then = write_time(filters.as_of)
        return (
            [
                "p.live >= 0",
                "p.known_from <= ? AND (p.known_until IS NULL OR p.known_until > ?)",
                "(p.source = 'record' OR p.at IS NULL OR p.at <= ?)",
                "(p.since IS NULL OR p.since <= ?) AND (p.until IS NULL OR p.until > ?)",
                "(p.expires IS NULL OR p.expires > ?)",
                "p.status IN ('active', 'archived')",
            ],
            [then] * 6,
        )
    if filters.wide:
        return ["p.live = 1", _HIDDEN], []
    today = write_time(now)
    return (
        [
            "p.live = 1",
            FINDABLE,
            "(p.since IS NULL OR p.since <= ?) AND (p.until IS NULL OR p.until > ?)",
            "(p.expires IS NULL OR p.expires > ?)",
        ],
        [today] * 3,
    )


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
