"""Hand-offs and responses as files: one JSON document per dispatch and per completion, one mark that it was seen.

    handoffs/<project>/<task>__<source>__<target>.json            a task that was given
    handoffs/<project>/<task>__<source>__<target>.json.consumed   that its target has seen it, and when
    handoffs/<project>/<task>__<source>__<target>.done.json       a task that was given back
    responses/<task>.json                                         what was answered

A file that cannot be read is passed over here; `check` names it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from memoracle.errors import BadInput, InvalidTime, MemoracleError
from memoracle.extensions.seats.model import Completion, Dispatch, TestPolicy
from memoracle.model.ids import file_digest
from memoracle.model.value import replace
from memoracle.store.layouts import resolve
from memoracle.store.store import Store
from memoracle.times import read_time, write_time

DONE = ".done"
CONSUMED = ".consumed"
_SUFFIX = ".json"
_SCHEMA = 1


def put_dispatch(store: Store, wish: Dispatch) -> Dispatch:
    """Write a task that was given. The caller holds the lock."""
    name = f"{wish.task_id}__{wish.source}__{wish.target}"
    path = resolve(store.layout, "handoffs", project=wish.project, name=name)
    todo = f"{os.path.dirname(path)}#{wish.target}"
    document = {
        "schema_version": _SCHEMA,
        "kind": "dispatch",
        "task_id": wish.task_id,
        "correlation_id": wish.correlation_id,
        "project": wish.project,
        "source": wish.source,
        "target": wish.target,
        "title": wish.title,
        "objective": wish.objective,
        "test_policy": wish.test_policy.value,
        "todo_path": todo,
        "reply_to": wish.reply_to,
        "docs_consulted": list(wish.docs_consulted),
        "docs_skip_reason": wish.docs_skip_reason,
        "assigned_at": write_time(wish.assigned_at),
        "notified_at": write_time(wish.notified_at) if wish.notified_at else None,
        "notify_message": wish.notify_message,
    }
    _put(store, path, document)
    # What an earlier round of the same task left behind says nothing about this one.
    for old in (f"{path}{CONSUMED}",):
        with suppress(FileNotFoundError):
            store.volume.remove(old)
    return replace(wish, path=path)


def put_completion(store: Store, done: Completion) -> Completion:
    """Write a task that was given back. The caller holds the lock."""
    name = f"{done.task_id}__{done.source}__{done.target}{DONE}"
    path = resolve(store.layout, "handoffs", project=done.project, name=name)
    document = {
        "schema_version": _SCHEMA,
        "kind": "completion",
        "task_id": done.task_id,
        "project": done.project,
        "source": done.source,
        "target": done.target,
        "status": done.status,
        "verdict": done.verdict,
        "summary": done.summary,
        "delivery_path": done.delivery_path,
        "response_path": done.response_path,
        "response_digest": done.response_digest,
        "builder_commit": done.commit,
        "lineage_status": done.lineage_status,
        "notify_skipped": done.notify_skipped,
        "completed_at": write_time(done.completed_at),
    }
    _keep_earlier(store, path)
    _put(store, path, document)
    return replace(done, path=path)


def acknowledge(store: Store, path: str, *, task_id: str, source: str, now: datetime) -> bool:
    """Mark a task as seen, once; False when it was before."""
    place = path + CONSUMED
    if store.volume.has(place):
        return False
    store.volume.replace(place, f"Consumed: {task_id} from {source} at {write_time(now)}\n".encode())
    store.audit.log_files("handoff-ack", path)
    return True


def seen_at(store: Store, path: str) -> str:
    """When a task was seen; empty when it was not."""
    try:
        said = store.volume.read(path + CONSUMED).decode("utf-8", "replace")
    except (OSError, MemoracleError):
        return ""
    return said.strip().rpartition(" at ")[2] if said.startswith("Consumed: ") else ""


def put_response(store: Store, task_id: str, response: Mapping[str, Any]) -> tuple[str, str]:
    """Write what was answered to a task; its relative path and its digest. The caller holds the lock."""
    path = resolve(store.layout, "responses", name=task_id)
    content = _packed({**response, "query_id": task_id})
    place = path
    if store.volume.read(place) != content:
        _keep_earlier(store, path)
        store.volume.replace(place, content)
        store.audit.log_files("response", path)
    return path, file_digest(content)


def _keep_earlier(store: Store, path: str) -> None:
    """Copy what is about to be replaced to the archive: it was acknowledged once. The same twice is kept once."""
    content = store.volume.read(path)
    if content:
        name = f"{path.removesuffix(_SUFFIX)}.{file_digest(content)[:12]}{_SUFFIX}"
        place = f"{store.layout['archive']}/{name}"
        store.volume.replace(place, content)


def read_response(store: Store, task_id: str) -> dict[str, Any] | None:
    """What was answered to a task; None when nothing was."""
    return _read(store, resolve(store.layout, "responses", name=task_id))


def dispatches(store: Store, project: str = "") -> list[Dispatch]:
    """Every task that was given, of one project or of all."""
    return [made for path in _files(store, project) if (made := _dispatch_of(store, path))]


def completions(store: Store, project: str = "") -> list[Completion]:
    """Every task that was given back."""
    return [made for path in _files(store, project) if (made := _completion_of(store, path))]


def _files(store: Store, project: str) -> Iterator[str]:
    template = store.layout["handoffs"]
    top = template.partition("{project}")[0].rstrip("/")
    for one in [project] if project else store.volume.list(top).folders:
        with suppress(MemoracleError):
            folder = os.path.dirname(resolve(store.layout, "handoffs", project=one, name="x"))
            names = (entry.name for entry in store.volume.list(folder).files)
            yield from (f"{folder}/{name}" for name in names if name.endswith(_SUFFIX))


def _dispatch_of(store: Store, path: str) -> Dispatch | None:
    held = _read(store, path) or {}
    if held.get("kind") != "dispatch":
        return None
    try:
        notified = held.get("notified_at")
        return Dispatch(
            task_id=str(held["task_id"]),
            project=str(held["project"]),
            source=str(held["source"]),
            target=str(held["target"]),
            title=str(held.get("title", "")),
            objective=str(held.get("objective", "")),
            test_policy=TestPolicy(held.get("test_policy", TestPolicy.NOT_APPLICABLE)),
            assigned_at=read_time(str(held["assigned_at"])),
            reply_to=str(held.get("reply_to", "")),
            correlation_id=str(held.get("correlation_id", "")),
            docs_consulted=tuple(map(str, held.get("docs_consulted") or ())),
            docs_skip_reason=str(held.get("docs_skip_reason") or ""),
            notified_at=read_time(str(notified)) if notified else None,
            notify_message=str(held.get("notify_message") or ""),
            path=path,
        )
    except (KeyError, TypeError, ValueError, InvalidTime):
        return None


def _completion_of(store: Store, path: str) -> Completion | None:
    held = _read(store, path) or {}
    if held.get("kind") != "completion":
        return None
    try:
        return Completion(
            task_id=str(held["task_id"]),
            project=str(held["project"]),
            source=str(held["source"]),
            target=str(held["target"]),
            status=str(held.get("status", "")),
            completed_at=read_time(str(held["completed_at"])),
            verdict=str(held.get("verdict") or ""),
            summary=str(held.get("summary") or ""),
            delivery_path=str(held.get("delivery_path") or ""),
            response_path=str(held.get("response_path") or ""),
            response_digest=str(held.get("response_digest") or ""),
            commit=str(held.get("builder_commit") or ""),
            lineage_status=str(held.get("lineage_status") or "unknown"),
            notify_skipped=bool(held.get("notify_skipped")),
            path=path,
        )
    except (KeyError, TypeError, ValueError, InvalidTime):
        return None


def _read(store: Store, path: str) -> dict[str, Any] | None:
    try:
        held = json.loads(store.volume.read(path) or b"null")
    except (OSError, ValueError, RecursionError, MemoracleError):
        return None
    return held if isinstance(held, dict) else None


def _put(store: Store, path: str, document: Mapping[str, Any]) -> None:
    place = path
    store.volume.replace(place, _packed(document))
    store.audit.log_files("handoff", path)


def _packed(document: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False).encode("utf-8") + b"\n"
    except (ValueError, TypeError, RecursionError) as problem:
        raise BadInput(f"that cannot be written as JSON: {problem}") from None
