"""Where a consolidation stands: `state/consolidation.json`, replaced whole after each phase.

This machine's own: the watermarks name transcripts where this machine keeps them. Losing the file
means reading the transcripts again, and what was kept from them is recognised.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from memoracle.store import durable
from memoracle.store.store import Store

_SCHEMA = 1


def read_checkpoint(store: Store) -> dict[str, Any]:
    """What was written last; an absent or unreadable file is an empty one."""
    try:
        held = json.loads(durable.read(_path(store)) or b"{}")
    except ValueError:
        return {}
    return held if isinstance(held, dict) else {}


def write_checkpoint(store: Store, fields: Mapping[str, Any]) -> None:
    """Put a new state in place of the old one, durably."""
    path = _path(store)
    durable.make_folder(os.path.dirname(path))
    text = json.dumps({**fields, "schema": _SCHEMA}, ensure_ascii=False, separators=(",", ":"))
    durable.replace(path, text.encode() + b"\n")


def drop_work(store: Store) -> int:
    """Forget what an interrupted run held: its sentences may be the ones that must not be kept. Nothing is lost.

    The watermarks have not moved, so the next run reads them again; how many lines changed is returned.
    """
    held = read_checkpoint(store)
    if not held.get("phase_data"):
        return 0
    write_checkpoint(store, held | {"current_phase": None, "phase_data": {}})
    return 1


def run_lock(store: Store) -> str:
    """The file whose lock a running consolidation holds."""
    return store.state_path("consolidation.lock")


def flush_lock(store: Store) -> str:
    """The file whose lock a running flush holds as well."""
    return store.state_path("flushing.lock")


def _path(store: Store) -> str:
    return (
        store.path("consolidation")
        if "consolidation" in store.layout
        else store.state_path("consolidation.json")
    )
