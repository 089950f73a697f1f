"""`reflections.jsonl`: what a seat thought over, one line each. Lines are added, never changed."""

from __future__ import annotations

import json
from datetime import datetime

from memoracle.extensions.seats.files_pages import key_of, write_moment
from memoracle.extensions.seats.model import PageDraft, PageStatus, PageWritten
from memoracle.model.ids import RECORD_PREFIX, content_key
from memoracle.store.layouts import resolve
from memoracle.store.store import Store


def put_reflection(store: Store, draft: PageDraft, *, now: datetime, dry_run: bool = False) -> PageWritten:
    """Add a reflection; one that says exactly this already stays the only one. The caller holds the lock."""
    path = resolve(store.layout, "reflections", project=draft.project)
    key = key_of(draft)
    entry = {
        "schema_version": 1,
        "kind": draft.kind,
        "id": RECORD_PREFIX + content_key(key)[2:28].upper(),
        "project": draft.project,
        "author": draft.seat,
        "ts": write_moment(draft.ts or now),
        "title": draft.title,
        "body": draft.body,
        "related_task_ids": list(draft.related_task_ids),
        "evidence": [dict(one) for one in draft.evidence],
        "supersedes": draft.supersedes,
        "confidence": draft.confidence,
        "source": draft.source,
        "key": key,
    }
    place = path
    is_known = f'"key": "{key}"'.encode() in store.volume.read(place)
    if not is_known and not dry_run:
        store.volume.append({place: json.dumps(entry, ensure_ascii=False).encode() + b"\n"})
    return PageWritten(
        id=str(entry["id"]),
        path=path,
        created=not is_known and not dry_run,
        status=PageStatus.OPEN,
        owner=f"{draft.seat}@{draft.project}",
    )
