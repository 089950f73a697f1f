"""The ground a memory stands on: its folders, its small files, whether it can be written, whether it is tended.

Looks at names and sizes, reads small JSON files, writes nothing that stays.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.health.checks import Check, Grade, graded, passed, skipped, warned
from memoracle.model.report import Finding, Severity
from memoracle.store import durable
from memoracle.store.store import Store

_FOLDERS = ("facts", "archived_facts", "daily", "semantic", "procedural", "usage")
_FILES = ("hot", "settings")
_JSON = ("health", "canaries", "activation", "configuration")


def ground(store: Store, *, looked: datetime | None, now: datetime) -> list[Check]:
    """Four checks: folders, core-files, writable, tended."""
    return [_folders(store), _core_files(store), _writable(store), _tended(looked, now)]


def _folders(store: Store) -> Check:
    wanted = sorted({os.path.dirname(store.layout[name].partition("{")[0]) for name in _FOLDERS} - {""})
    missing = [folder for folder in wanted if not os.path.isdir(os.path.join(store.root, folder))]
    if missing:
        says = f"folders are missing: {', '.join(missing)}"
        return warned("folders", says, "`memoracle init` makes them; so does the first write")
    return passed("folders", f"{len(wanted)} folders")


def _core_files(store: Store) -> Check:
    found = [
        _finding(
            "core-files", path, f"it is not JSON: {problem}", "mend it, or delete it: it is written anew"
        )
        for path, problem in _unreadable_json(store)
    ]
    found += [
        _finding("core-files", store.layout[name], "it is not there", "`memoracle init` makes it")
        for name in _FILES
        if not os.path.isfile(os.path.join(store.root, store.layout[name]))
    ]
    return graded("core-files", found, fine="all there")


def _unreadable_json(store: Store) -> Iterator[tuple[str, str]]:
    folder = store.own_state().folder
    try:
        own = [
            f"{folder}/{name}" for name in sorted(os.listdir(store.place(folder))) if name.endswith(".json")
        ]
    except (OSError, MemoracleError):
        own = []
    for path in [*own, *(store.layout[name] for name in _JSON if name in store.layout)]:
        if path.endswith("/sequence.json"):
            continue  # it closes with a checksum, and is passed over when that does not fit
        try:
            raw = durable.read(store.place(path))
            if raw:
                json.loads(raw)
        except (ValueError, RecursionError, MemoracleError) as problem:
            yield path, str(problem)[:120]


def _writable(store: Store) -> Check:
    for folder in (store.root, store.place(os.path.dirname(store.lock_name()))):
        if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK):
            says = f"{folder} cannot be written: nothing new can be kept"
            return Check(
                id="writable", grade=Grade.CRITICAL, says=says, hint="give yourself write permission"
            )
    return passed("writable", "the memory can be written")


def _tended(looked: datetime | None, now: datetime) -> Check:
    hint = "`memoracle install cron` or `memoracle install systemd` has it called by itself"
    if looked is None:
        return skipped("tended", f"nobody has called `memoracle tend` yet; {hint}")
    if now - looked > timedelta(hours=48):
        days = (now - looked) / timedelta(days=1)
        return warned("tended", f"`memoracle tend` was last called {days:.1f} days ago", hint)
    return passed("tended", "it is called regularly")


def disk_percent(folder: str) -> float:
    """How full the disk is for this person, as `df` tells it."""
    try:
        found: Any = os.statvfs(folder)
    except OSError:
        return 0.0
    used = found.f_blocks - found.f_bfree
    return float(100 * used / (used + found.f_bavail)) if used + found.f_bavail else 0.0


def size_below(folder: str) -> int:
    """How many bytes the files below a folder take; what vanishes meanwhile counts nothing."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(where, name)).st_size
            except OSError:
                continue
    return total


def _finding(code: str, path: str, says: str, hint: str) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, path=path, message=says, hint=hint)
