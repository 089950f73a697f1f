"""Writing what scanners saw, and the history of what changed: fact by fact, a file of lines per month.

A document is replaced whole and is its owner's alone. A history line says when, in which file, and what was before and
after; it never holds more than the documents did. The caller holds the lock.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from memoracle.errors import InvalidTime
from memoracle.store.layouts import INDEX, resolve
from memoracle.store.store import Store
from memoracle.store.volume import read_document
from memoracle.times import read_time, write_time


def machine_path(store: Store, name: str) -> str:
    """The relative path of a document of the machine."""
    return resolve(store.layout, "machine", name=name)


def project_path(store: Store, project: str, kind: str) -> str:
    """The relative path of a document of a project."""
    return resolve(store.layout, "project_fact", project=project, name=kind)


def read_facts(store: Store, path: str) -> dict[str, Any]:
    """The document that is there; empty when there is none."""
    return read_document(store.volume, path)


def write_facts(store: Store, path: str, document: Mapping[str, Any]) -> None:
    """Put a document in its place: whole, durable, its owner's alone."""
    text = json.dumps(document, ensure_ascii=False, indent=1)
    store.volume.replace(path, text.encode("utf-8", "replace") + b"\n", private=True)


def keep_previous(store: Store, path: str, hide: Callable[[str], str], now: datetime) -> str:
    """Copy the document that is about to be replaced to the archive, without secrets; where it went is returned."""
    stamp = write_time(now).replace(":", "").replace("-", "")
    kept = f"{store.layout['archive']}/{path.removesuffix('.json')}.{stamp}.json"
    place = kept
    content = store.volume.read(path).decode("utf-8", "replace")
    store.volume.replace(place, hide(content).encode("utf-8", "replace"))
    return kept


def note_scan(store: Store, summary: Mapping[str, Any]) -> None:
    """Keep when each scanner of the machine last looked, and how that ended."""
    write_facts(store, machine_path(store, INDEX), summary)


def note_changes(
    store: Store,
    path: str,
    changes: list[dict[str, Any]],
    *,
    project: str,
    now: datetime,
    first: bool,
    facts: int,
) -> None:
    """Add a line to the history; the first look at something says only how much there was."""
    line: dict[str, Any] = {"at": write_time(now), "file": path}
    line |= {"first": True, "facts": facts} if first else {"changes": changes}
    text = json.dumps(line, ensure_ascii=False) + "\n"
    store.volume.append({_history(store, project, now): text.encode("utf-8", "replace")})


def read_changes(store: Store, *, project: str, since: datetime) -> Iterator[dict[str, Any]]:
    """The history lines from a moment on, oldest first; lines that cannot be read are passed over."""
    folder = os.path.dirname(_history(store, project, since))
    for path in store.volume.walk(folder, (".jsonl",)):
        if os.path.basename(path)[:7] < write_time(since)[:7]:
            continue
        for raw in store.volume.read(path).split(b"\n"):
            try:
                line = json.loads(raw) if raw.strip() else {}
                if read_time(line["at"]) >= since:
                    yield line
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError, InvalidTime):
                continue


def _history(store: Store, project: str, now: datetime) -> str:
    month = write_time(now)[:7]
    if project:
        return resolve(store.layout, "project_scans", project=project, month=month)
    return resolve(store.layout, "machine_scans", month=month)
