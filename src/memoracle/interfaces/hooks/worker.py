"""The worker: drains the spool in a process of its own, one at a time, and ends when there is nothing left.

It ingests the transcripts that hooks named, and takes from them what is worth keeping before a compaction, at the end
of a session, and after every turn of a host whose sessions have no end. What fails waits for the next worker, and is
set aside after some tries. It lives ten minutes at most.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress

from memoracle.errors import AlreadyRunning, MemoracleError, NotDelivered, UnreadableSource
from memoracle.hosts.known_hosts import CALLERS, DATABASES, ENDLESS, HookEvent
from memoracle.interfaces.hooks.entry import HookPlace, complain, find_place
from memoracle.learn.flush import begin_cycle
from memoracle.memory import Memory
from memoracle.model.value import replace
from memoracle.store import sealed
from memoracle.store.spool import MOST_TRIES, Spool, SpoolEntry
from memoracle.times import system_clock

_LIFETIME = 600
_FLUSHING = frozenset({HookEvent.PRE_COMPACT.value, HookEvent.SESSION_END.value})
_TRANSCRIPTS = _FLUSHING | {HookEvent.STOP.value, HookEvent.POST_COMPACT.value}


def work(root: str | None, environment: Mapping[str, str]) -> int:
    """Drain the spool of a root; always 0."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_LIFETIME)
    with suppress(OSError):
        os.setsid()
    with suppress(OSError):
        os.nice(10)
    place = find_place(root, environment)
    if place is None or sealed.is_locked(os.path.realpath(place.root)):
        return 0  # what hooks left waits until the root is unlocked
    os.chdir("/")
    spool = place.spool
    first = True
    while True:
        with spool.working() as mine:
            if not mine:
                return 0
            while entries := spool.take(first=first):
                drain(entries, spool, place, environment)
                first = False
            spool.settle()  # files in which no line could be read
        first = False
        # A hook may have looked for a worker while this one was about to go.
        if not spool.is_waiting():
            return 0


def drain(
    entries: Sequence[SpoolEntry], spool: Spool, place: HookPlace, environment: Mapping[str, str]
) -> None:
    """Do what these entries ask for; what cannot be done now goes back."""
    from memoracle.compose import open_memory

    hopeless = [entry for entry in entries if entry.tries >= MOST_TRIES]  # each of them ended a worker
    hopeful = [entry for entry in entries if entry.tries < MOST_TRIES]
    failed: list[SpoolEntry] = []
    problems: list[str] = []
    try:
        with open_memory(place.root, environment=environment, via="hook") as memory:
            for group in _grouped(hopeful).values():
                try:
                    _do(group, memory)
                except AlreadyRunning:  # somebody else does the same: no fault of these entries
                    failed += [replace(entry, tries=entry.tries - 1) for entry in group]
                except FileNotFoundError as problem:
                    # It may come. A host's own command (`claude mcp list`) ends a session that never has one.
                    failed += group
                    if any(entry.tries + 1 >= MOST_TRIES for entry in group):
                        problems.append(f"{group[0].event} {group[0].transcript}: {problem}")
                except Exception as problem:  # noqa: BLE001 - one transcript keeps no other from being read
                    failed += group
                    problems.append(f"{group[0].event} {group[0].transcript}: {problem}")
            problems += _deliver(memory, place)
    except (MemoracleError, OSError) as problem:
        failed = hopeful
        problems.append(str(problem))
    tried = [replace(entry, tries=entry.tries + 1) for entry in failed]
    given_up = [entry for entry in tried if entry.tries >= MOST_TRIES]
    spool.settle([entry for entry in tried if entry.tries < MOST_TRIES], [*given_up, *hopeless])
    for said in problems:
        with suppress(MemoracleError, OSError):
            complain(place, "worker", said)


def _grouped(entries: Sequence[SpoolEntry]) -> dict[tuple[str, str], list[SpoolEntry]]:
    """Entries that are one piece of work: of one transcript, or of one kind."""
    groups: dict[tuple[str, str], list[SpoolEntry]] = {}
    for entry in entries:
        named = entry.transcript or f"{entry.host}:{entry.session}"
        key = ("transcript", named) if entry.event in _TRANSCRIPTS else (entry.event, "")
        groups.setdefault(key, []).append(entry)
    return groups


def _do(group: Sequence[SpoolEntry], memory: Memory) -> None:
    events = {entry.event for entry in group}
    if events == {"used"}:
        refs = list(dict.fromkeys(ref for entry in group for ref in entry.refs))
        memory.store.note_use(refs, by="hook", now=system_clock())
    elif events & _TRANSCRIPTS:
        _hear(group, events, memory)
    else:
        memory.list(limit=1)  # brings the view level


def _hear(group: Sequence[SpoolEntry], events: set[str], memory: Memory) -> None:
    path = group[-1].transcript or _find(group[-1])
    if path:
        if not os.path.isfile(path):
            raise FileNotFoundError("there is no such file")
        try:
            memory.ingest(path, embed=False)
        except UnreadableSource:
            if os.path.getsize(path):
                raise
            return  # nothing has been said yet
        if events & _FLUSHING or group[-1].host in ENDLESS:
            memory.flush([path])
    if HookEvent.POST_COMPACT.value in events:
        begin_cycle(memory.store, group[-1].session)


def _deliver(memory: Memory, place: HookPlace) -> list[str]:
    """Carry out what agents asked for at the end of their turns, each once; what could not be is told."""
    from memoracle.store.spool import settle, waiting

    problems, done = [], []
    for name, asked in waiting(place.volume, place.state):
        if asked.get("kind") == "deliver":
            try:
                response = {"claims": [], "sources": [], "confidence": "medium"}
                memory.seats.deliver(
                    str(asked["task"]),
                    {"answer": str(asked.get("answer", "")), **response},
                    project=str(asked["project"]),
                    to=str(asked["target"]),
                    summary=str(asked.get("summary", "")),
                    verdict=str(asked.get("verdict", "")),
                )
            except NotDelivered as problem:
                # The response stands, its receipt does not: the next worker tries again.
                problems.append(f"deliver: {problem}")
                continue
            except (MemoracleError, KeyError) as problem:
                problems.append(f"deliver_skipped: {problem}")
        done.append(name)
    settle(place.volume, place.state, done)
    return problems


def _find(entry: SpoolEntry) -> str:
    """The transcript of a session whose host named none: by the name of its file, or in a host's database."""
    from pathlib import Path

    from memoracle.hosts.known_hosts import Shape
    from memoracle.hosts.openclaw.database import holds
    from memoracle.hosts.sources import discover

    if not entry.session or entry.host not in CALLERS:
        return ""
    kept, _ = discover(CALLERS[entry.host], Path.home(), os.environ)
    databases = [one for one in kept if one.shape in DATABASES]
    named = [one for one in kept if one not in databases and entry.session in one.path.name]
    held = (one for one in databases if one.shape is Shape.OPENCODE_DB or holds(one.path, entry.session))
    found = [*held, *named]
    return str(found[-1].path) if found else ""
