"""Writing hooks: a line in the spool, a worker if none is there, and what the agent asked for at the end of its turn.

Nothing here opens a memory or waits for its lock: the host stands still meanwhile.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress

from memoracle.interfaces.hooks.payload import Event, Payload
from memoracle.interfaces.hooks.place import Place
from memoracle.store.spool import FOLDER, Entry, Spool

_LONGEST_ANSWER = 8_000


def note(event: Event, payload: Payload, place: Place, environment: Mapping[str, str], now: str) -> str:
    """Leave what a worker needs; what went wrong is returned, empty when nothing did."""
    if payload.is_subagent:
        return ""  # its words are part of the session that started it
    if environment.get("MEMORACLE_USER"):
        return ""  # one user among several: what is heard has no scope yet, and others would read it
    problem = _hear(payload, place, environment, now) if event is Event.STOP else ""
    if not payload.transcript and not payload.session:
        return problem or "the host named neither a transcript nor a session"
    entry = Entry(
        event=event.value,
        at=now,
        host=payload.host.value,
        session=payload.session,
        transcript=payload.transcript,
        size=_size(payload.transcript),
    )
    spool = Spool(os.path.join(place.state_place, FOLDER))
    spool.add(entry)
    if not spool.has_worker():
        start_worker(place.root, environment)
    return problem


def start_worker(root: str, environment: Mapping[str, str]) -> None:
    """Begin a worker that belongs to nobody: a session of its own, no streams, none of our handles.

    Its parent, this hook, ends at once, so nobody has to wait for it.
    """
    for handle in _open_handles():  # a host's pipe that stayed open here would keep the host waiting
        with suppress(OSError):
            os.set_inheritable(handle, False)
    quiet = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in range(3)]
    words = [sys.executable, "-m", "memoracle", "--root", os.path.abspath(root), "hook", "work"]
    try:
        os.posix_spawn(sys.executable, words, dict(environment), file_actions=quiet, setsid=True)
    except NotImplementedError:  # older systems; the worker leaves our session by itself
        os.posix_spawn(sys.executable, words, dict(environment), file_actions=quiet)


def _open_handles() -> list[int]:
    try:
        names = os.listdir("/dev/fd")
    except OSError:
        return []
    return [int(name) for name in names if name.isdecimal() and int(name) > 2]


def carry_out(turn: str, payload: Payload, place: Place, environment: Mapping[str, str], now: str) -> str:
    """Do what the agent asked for in this turn, once; what was left undone is returned.

    A request is written down in `state/requests.jsonl`, without its secrets; the worker delivers it from there.
    """
    from memoracle.interfaces.hooks.markers import requests_in
    from memoracle.store.requests import record_once

    asked = requests_in(payload.said, environment)
    if not asked:
        return ""
    whole = [one for one in asked if not one.missing]
    common = {"at": now, "host": payload.host.value, "session": payload.session}
    answer = _without_markers(payload.said)
    rows = [
        _masked(
            {**common, "kind": one.kind, **one.fields}
            | ({"answer": answer} if one.kind == "deliver" else {}),
            place,
        )
        for one in whole
    ]
    if not record_once(place.volume, place.state, turn, rows):
        return ""
    lacking = sorted({name for one in asked for name in one.missing})
    return f"deliver_skipped: {', '.join(lacking)} not given" if lacking else ""


def _without_markers(said: str) -> str:
    """What was said before the markers, its last part when it is long."""
    lines = said.rstrip().split("\n")
    while lines and lines[-1].strip().startswith(("[DELIVER", "[CLEAR-REQUESTED")):
        lines.pop()
    return "\n".join(lines).strip()[-_LONGEST_ANSWER:]


def _masked(row: Mapping[str, str], place: Place) -> dict[str, str]:
    """Each text without its secrets, and without what this memory recognised earlier."""
    from memoracle.policy.known import Known
    from memoracle.policy.secrets import mask
    from memoracle.store.recognised import FILE, Recognised
    from memoracle.store.salt import FILE as SALT
    from memoracle.store.salt import salt_at

    kept = Recognised(place.volume, lambda: f"{place.state}/{FILE}")
    known = Known(lambda: salt_at(place.volume, f"{place.state}/{SALT}"), load=kept.load)
    return {name: mask(said, lambda: b"hooks", known=known).text for name, said in row.items()}


def _hear(payload: Payload, place: Place, environment: Mapping[str, str], now: str) -> str:
    """Requests of this turn: from what the host handed over, or from the end of the transcript."""
    from memoracle.model.value import replace

    said, turn = payload.said, payload.turn
    if "[" not in said and said:
        return ""
    if not said or not turn:
        from memoracle.interfaces.hooks.turns import current_turn

        current = current_turn(payload.transcript) if payload.transcript else None
        said = said or (current.said if current else "")
        turn = turn or (current.prompt if current else "") or _digest(said)
    if not said.rstrip().endswith("]"):
        return ""
    key = f"{payload.host.value}:{payload.session}:{turn}:{_digest(said)[:8]}"
    return carry_out(key, replace(payload, said=said), place, environment, now)


def _digest(text: str) -> str:
    from hashlib import sha256

    return sha256(text.strip().encode("utf-8", "replace")).hexdigest()[:24]


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size if path else -1
    except (OSError, ValueError):
        return -1
