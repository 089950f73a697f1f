"""Hand-offs and responses as files: one JSON document per dispatch and per completion, one mark that it was seen.

    handoffs/<project>/<task>__<source>__<target>.json            a task that was given
    handoffs/<project>/<task>__<source>__<target>.json.consumed   that its target has seen it, and when
    handoffs/<project>/<task>__<source>__<target>.done.json       a task that was given back
    responses/<task>.json                                         what was answered

A published design has them beside the root (`files_desk`), a completion without `.done`, and times under other names;
its own are read as they are. A file that cannot be read is passed over here; `check` names it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from memoracle.errors import BadInput, InvalidTime, MemoracleError
from memoracle.extensions.seats.files_desk import (
    absolute,
    close,
    delivery_of,
    desk_of,
    desks,
    enqueue,
    note_seen,
    read_text,
    seen_in,
    todo_of,
)
from memoracle.extensions.seats.model import Completion, Dispatch, TestPolicy
from memoracle.model.ids import file_digest
from memoracle.model.value import replace
from memoracle.store.layouts import resolve
from memoracle.store.store import Store
from memoracle.store.volume import Volume
from memoracle.times import read_time, write_time

DONE = ".done"
CONSUMED = ".consumed"
_SUFFIX = ".json"
_SCHEMA = 1


def put_dispatch(store: Store, wish: Dispatch) -> Dispatch:
    """Write a task that was given. The caller holds the lock."""
    name = f"{wish.task_id}__{wish.source}__{wish.target}"
    above, _ = desks(store)[0]
    path = above + resolve(store.layout, "handoffs", project=wish.project, name=name)
    todo = todo_of(path, wish.target)
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
        "todo_path": absolute(store, todo) if todo else f"{os.path.dirname(path)}#{wish.target}",
        "reply_to": wish.reply_to,
        "docs_consulted": list(wish.docs_consulted),
        "docs_skip_reason": wish.docs_skip_reason,
        "assigned_at": write_time(wish.assigned_at),
        "notified_at": write_time(wish.notified_at) if wish.notified_at else None,
        "notify_message": wish.notify_message,
    }
    _put(store, path, document)
    # What an earlier round of the same task left behind says nothing about this one.
    volume, name = desk_of(store, path)
    with suppress(FileNotFoundError):
        volume.remove(f"{name}{CONSUMED}")
    made = replace(wish, path=path)
    enqueue(store, made)
    return made


def put_completion(store: Store, done: Completion) -> Completion:
    """Write a task that was given back. The caller holds the lock."""
    above, volume = desks(store)[0]
    name = f"{done.task_id}__{done.source}__{done.target}"
    plain = resolve(store.layout, "handoffs", project=done.project, name=name)
    is_plain = bool(above) and (_read(volume, plain) or {}).get("kind") in {None, "completion"}
    path = above + (
        plain if is_plain else resolve(store.layout, "handoffs", project=done.project, name=f"{name}{DONE}")
    )
    given = delivery_of(path, done.source)
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
        "delivery_path": absolute(store, given) if given else done.delivery_path,
        **(
            {"delivery_page": done.delivery_path, "delivered_at": write_time(done.completed_at)}
            if given
            else {}
        ),
        "response_path": done.response_path,
        "response_digest": done.response_digest,
        "builder_commit": done.commit,
        "lineage_status": done.lineage_status,
        "notify_skipped": done.notify_skipped,
        "completed_at": write_time(done.completed_at),
    }
    for earlier in filter(None, (path, given)):
        _keep_earlier(store, earlier)
    _put(store, path, document)
    made = replace(done, path=path)
    close(store, made)
    return made


def acknowledge(store: Store, path: str, *, task_id: str, source: str, seat: str, now: datetime) -> bool:
    """Mark a task as seen by a seat, once; False when it was before."""
    volume, name = desk_of(store, path)
    if volume.has(name + CONSUMED):
        return False
    volume.replace(name + CONSUMED, f"Consumed: {task_id} from {source} at {write_time(now)}\n".encode())
    note_seen(store, path, seat, task_id=task_id, source=source, now=now)
    store.audit.log_files("handoff-ack", path)
    return True


def seen_at(store: Store, sent: Dispatch | Completion) -> str:
    """When a task was seen by whom it was given to; empty when it was not."""
    volume, name = desk_of(store, sent.path)
    try:
        said = volume.read(name + CONSUMED).decode("utf-8", "replace")
    except (OSError, MemoracleError):
        return ""
    if said.startswith("Consumed: "):
        return said.strip().rpartition(" at ")[2]
    if said.strip():  # the design's script renames what it has seen, or leaves a word
        return _changed(volume, name + CONSUMED)
    noted = str((_read(volume, name) or {}).get("consumed_at") or "")
    return noted or seen_in(store, sent.path, sent.target, task_id=sent.task_id, source=sent.source)


def delivered_in(store: Store, done: Completion) -> str:
    """The note in which a seat says that it delivered this task; empty when it says something else by now."""
    place = delivery_of(done.path, done.source)
    said = read_text(store, place) if place else ""
    return place if f"task_id: {done.task_id}" in said.splitlines() else ""


def _changed(volume: Volume, name: str) -> str:
    found = volume.stat(name)
    return write_time(datetime.fromtimestamp(found.modified / 1e9, UTC)) if found else ""


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
    volume, own = desk_of(store, path)
    content = volume.read(own)
    if content:
        stem, ending = os.path.splitext(own)
        name = f"{stem}.{file_digest(content)[:12]}{ending}"
        place = f"{store.layout['archive']}/{name}"
        store.volume.replace(place, content)


def read_response(store: Store, task_id: str) -> dict[str, Any] | None:
    """What was answered to a task; None when nothing was."""
    return _read(store.volume, resolve(store.layout, "responses", name=task_id))


def dispatches(store: Store, project: str = "") -> list[Dispatch]:
    """Every task that was given, of one project or of all."""
    return [made for one, path in _files(store, project) if (made := _dispatch_of(store, one, path))]


def completions(store: Store, project: str = "") -> list[Completion]:
    """Every task that was given back."""
    return [made for one, path in _files(store, project) if (made := _completion_of(store, one, path))]


def _files(store: Store, project: str) -> Iterator[tuple[str, str]]:
    """The hand-offs of each project, wherever they may stand; one that its reader renamed keeps its name here."""
    top = store.layout["handoffs"].partition("{project}")[0].rstrip("/")
    for above, volume in desks(store):
        for one in [project] if project else volume.list(top).folders:
            with suppress(MemoracleError):
                folder = os.path.dirname(resolve(store.layout, "handoffs", project=one, name="x"))
                names = {entry.name.removesuffix(CONSUMED) for entry in volume.list(folder).files}
                yield from (
                    (one, f"{above}{folder}/{name}") for name in sorted(names) if name.endswith(_SUFFIX)
                )


def _held(store: Store, path: str) -> dict[str, Any]:
    volume, name = desk_of(store, path)
    return _read(volume, name) or _read(volume, name + CONSUMED) or {}


def _dispatch_of(store: Store, project: str, path: str) -> Dispatch | None:
    held = _held(store, path)
    if held.get("kind") != "dispatch":
        return None
    try:
        notified = held.get("notified_at")
        return Dispatch(
            task_id=str(held["task_id"]),
            project=project,
            source=str(held["source"]),
            target=str(held["target"]),
            title=str(held.get("title", "")),
            objective=str(held.get("objective") or held.get("title") or ""),
            test_policy=TestPolicy(held.get("test_policy") or TestPolicy.NOT_APPLICABLE),
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


def _completion_of(store: Store, project: str, path: str) -> Completion | None:
    held = _held(store, path)
    if held.get("kind") != "completion":
        return None
    try:
        return Completion(
            task_id=str(held["task_id"]),
            project=project,
            source=str(held["source"]),
            target=str(held["target"]),
            status=str(held.get("status", "")),
            completed_at=read_time(
                str(held.get("completed_at") or held.get("delivered_at") or held["consumed_at"])
            ),
            verdict=str(held.get("verdict") or ""),
            summary=str(held.get("summary") or ""),
            delivery_path=str(held.get("delivery_page") or held.get("delivery_path") or ""),
            response_path=str(held.get("response_path") or ""),
            response_digest=str(held.get("response_digest") or ""),
            commit=str(held.get("builder_commit") or ""),
            lineage_status=str(held.get("lineage_status") or "unknown"),
            notify_skipped=bool(held.get("notify_skipped")),
            path=path,
        )
    except (KeyError, TypeError, ValueError, InvalidTime):
        return None


def _read(volume: Volume, path: str) -> dict[str, Any] | None:
    try:
        held = json.loads(volume.read(path) or b"null")
    except (OSError, ValueError, RecursionError, MemoracleError):
        return None
    return held if isinstance(held, dict) else None


def _put(store: Store, path: str, document: Mapping[str, Any]) -> None:
    volume, name = desk_of(store, path)
    volume.replace(name, _packed(document))
    store.audit.log_files("handoff", path)


def _packed(document: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False).encode("utf-8") + b"\n"
    except (ValueError, TypeError, RecursionError) as problem:
        raise BadInput(f"that cannot be written as JSON: {problem}") from None
