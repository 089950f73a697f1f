"""A page as the record that other tools read: the thirteen fields of clawseat's writer, and ours beside them."""

from __future__ import annotations

from typing import Any

from memoracle.extensions.seats.model import SHARED, Page

LABELS = ((0.8, "high"), (0.5, "medium"), (0.0, "low"))


def record_of(page: Page) -> dict[str, Any]:
    """The record of a page."""
    return {
        "schema_version": 1,
        "kind": page.kind,
        "id": page.id,
        "project": page.project or SHARED,
        "author": page.seat,
        "ts": page.fields.get("ts") or (page.ts.isoformat() if page.ts else ""),
        "title": page.title,
        "body": page.body,
        "related_task_ids": list(page.related_task_ids),
        "evidence": [dict(one) for one in page.evidence],
        "supersedes": page.supersedes,
        "confidence": page.confidence,
        "source": page.fields.get("source", ""),
        "status": page.status,
        "task_id": page.task_id,
        "detail": page.detail,
        "seat": page.seat,
        "owner": page.owner,
        "path": page.path,
        "severity": page.fields.get("severity", ""),
        "history": list(page.history),
    }


def row_of(page: Page) -> dict[str, Any]:
    """The same without what fills a screen."""
    return {name: held for name, held in record_of(page).items() if name not in {"body", "history"}}


def label_of(confidence: float) -> str:
    """The word for a confidence from 0 to 1."""
    return next(label for least, label in LABELS if confidence >= least)
