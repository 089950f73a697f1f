"""Where a consolidation stands: `state/consolidation.json`, replaced whole after each phase.

This machine's own: the watermarks name transcripts where this machine keeps them. Losing the file
means reading the transcripts again, and what was kept from them is recognised.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memoracle.store.store import Store

_SCHEMA = 1


def read_checkpoint(store: Store) -> dict[str, Any]:
    """What was written last; an absent or unreadable file is an empty one."""
    try:
        held = json.loads(store.volume.read(_name(store)) or b"{}")
    except ValueError:
        return {}
    return held if isinstance(held, dict) else {}


def write_checkpoint(store: Store, fields: Mapping[str, Any]) -> None:
    """Put a new state in place of the old one, durably."""
    text = json.dumps({**fields, "schema": _SCHEMA}, ensure_ascii=False, separators=(",", ":"))
    store.volume.replace(_name(store), text.encode() + b"\n")


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
    return store.state_name("consolidation.lock")


def flush_lock(store: Store) -> str:
    """The file whose lock a running flush holds as well."""
    return store.state_name("flushing.lock")


def _name(store: Store) -> str:
    is_named = "consolidation" in store.layout
    return store.name("consolidation") if is_named else store.state_name("consolidation.json")
