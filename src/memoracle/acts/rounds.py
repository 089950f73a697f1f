"""The jobs of the table as calls of the memory's own verbs, each with one sentence about what came of it.

Chooses the table from the settings, and says what is known of each job from what it left behind: a verb that
somebody called by hand counts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime, time, tzinfo
from typing import Any

from memoracle.acts.heartbeat import signature_of
from memoracle.acts.tending import Action, Tending
from memoracle.clock import Clock, read_time
from memoracle.errors import InvalidTime
from memoracle.health.report import PROBED, read_health
from memoracle.lifecycle.schedule import Job, table
from memoracle.settings import Settings
from memoracle.store.checkpoint import read_checkpoint
from memoracle.store.documents import read_document
from memoracle.store.store import Store


def tending_of(memory: Any, settings: Settings, *, zone: tzinfo, clock: Clock) -> Tending:
    """The tending of a memory: its table, its verbs, and what is known of them."""
    store: Store = memory.store
    return Tending(
        store.volume,
        store.own_state().folder,
        jobs=jobs_of(settings),
        actions=_actions(memory),
        clock=clock,
        zone=zone,
        signature=signature_of(store.root, os.environ),
        known=lambda: _known(store),
    )


def jobs_of(settings: Settings) -> tuple[Job, ...]:
    """The table of these settings."""
    given = {"digest": settings.digest_at, "consolidate": settings.consolidate_at}
    return table(settings.profile, {name: time.fromisoformat(at) for name, at in given.items() if at})


def _actions(memory: Any) -> dict[str, Action]:
    verbs: Mapping[str, Action] = {
        "digest": lambda: _digested(memory.digest()),
        "consolidate": lambda: _consolidated(memory.consolidate()),
        "review": lambda: _reviewed(memory.hold_review()),
        "probe": lambda: _probed(memory.probe()),
        "health": lambda: _looked(memory.health(read_back=None)),
    }
    return {name: act for name, act in verbs.items() if hasattr(memory, name)}


def _known(store: Store) -> dict[str, datetime | None]:
    probe = read_document(store.volume, store.state_name(PROBED)).get("quality_probe")
    return {
        "consolidate": _moment(read_checkpoint(store).get("last_success")),
        "health": _moment(read_health(store).get("timestamp")),
        "probe": _moment(probe.get("last_run")) if isinstance(probe, dict) else None,
    }


def _digested(found: Any) -> str:
    return f"{len(found.steps)} notes written" if found.steps else "nothing new to tell"


def _reviewed(found: Any) -> str:
    waiting = f"; {len(found.items)} questions wait (`memoracle review`)" if found.items else ""
    return f"{found.message}{waiting}"


def _consolidated(run: Any) -> str:
    if run.skipped:
        return str(run.skipped)
    counts = [f"{number} {name}" for phase in run.phases for name, number in phase.counts.items()]
    return ", ".join(counts) or "nothing to change"


def _probed(found: Any) -> str:
    if not found.asked:
        return "there are no canaries yet"
    return f"{found.passed} of {len(found.asked)} canaries found"


def _looked(found: Any) -> str:
    worried = [check.id for check in found.checks if not check.ok]
    return f"{found.status}: {', '.join(worried)}" if worried else str(found.status)


def _moment(written: Any) -> datetime | None:
    try:
        return read_time(written) if isinstance(written, str) else None
    except InvalidTime:
        return None
