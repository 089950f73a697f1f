"""Writing hooks: a line in the spool, a worker if none is there, and what an agent asks for at the end of its turn."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress

from memoracle.hosts.known_hosts import GEMINI, HookEvent
from memoracle.interfaces.hooks.entry import HookCall, HookPlace, end_of, hold
from memoracle.model.value import field, value
from memoracle.store.spool import SpoolEntry, record_once

# What an agent asks for in the last lines of a turn: `[DELIVER:…]`, `[CLEAR-REQUESTED]`.

_MARKER = re.compile(r"\[(DELIVER|CLEAR-REQUESTED)(?::([^\n]*))?\]")
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_KEY = re.compile(r"(?:^|[,;，；\s])([A-Za-z][A-Za-z_-]{0,30})=")
_TASK = re.compile(r"^[ \t]*task[_-]id[ \t]*[:：][ \t]*(\S{1,200})", re.IGNORECASE | re.MULTILINE)
_QUERY = re.compile(r"\b(MEMORY-QUERY-[\w-]{1,120})")
_PROJECT = re.compile(r"^[ \t]*project[ \t]*[:：][ \t]*(\S{1,200})", re.IGNORECASE | re.MULTILINE)
_PROJECT_VARIABLES = ("MEMORACLE_PROJECT", "CLAWSEAT_PROJECT")
_NAMES = {"seat": "target", "target": "target", "to": "target"} | dict.fromkeys(
    ("task_id", "task-id", "task", "query_id"), "task"
)
_NEEDED = ("target", "task", "project")
_LONGEST = 2_000
_MOST = 8


@value
class Request:
    """One thing asked for; `missing` names what it lacks to be carried out."""

    kind: str
    fields: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


def requests_in(said: str, environment: Mapping[str, str]) -> list[Request]:
    """What the last lines of a message ask for, in their order."""
    lines = said.rstrip().split("\n")
    found: list[Request] = []
    while lines and len(found) < _MOST:
        line = lines[-1].strip()
        marker = _MARKER.fullmatch(line) if len(line) <= _LONGEST else None
        if marker is None:
            break
        lines.pop()
        found.append(
            _delivery(marker[2] or "", said, environment) if marker[1] == "DELIVER" else Request(kind="clear")
        )
    if not found or sum(_FENCE.match(line) is not None for line in lines) % 2:
        return []
    return found[::-1]


def _delivery(attributes: str, said: str, environment: Mapping[str, str]) -> Request:
    """`seat=planner, summary=it is done`, a value reaches to the next key; what it lacks may stand in what was said."""
    keys = list(_KEY.finditer(attributes))
    ends = [key.start() for key in keys[1:]] + [len(attributes)]
    given = {
        _NAMES.get(key[1].lower(), key[1].lower()): attributes[key.end() : end].strip(" \t,;，；\"'")
        for key, end in zip(keys, ends, strict=True)
    }
    task = _TASK.search(said) or _QUERY.search(said)
    project = next((environment[one] for one in _PROJECT_VARIABLES if environment.get(one)), "")
    named = None if project else _PROJECT.search(said)
    fallbacks = {"task": task[1] if task else "", "project": named[1] if named else project}
    fields = {name: text for name, text in fallbacks.items() if text} | given
    return Request(kind="deliver", fields=fields, missing=tuple(n for n in _NEEDED if not fields.get(n)))


_LONGEST_ANSWER = 8_000
_SMALLEST_FULL = 256 << 10
"""Bytes of a transcript that no context is full of; what is missed in a smaller one, the end of the session brings."""


def note(call: HookCall) -> str:
    """Leave what a worker needs; what went wrong is returned, empty when nothing did."""
    payload = call.payload
    if payload.is_subagent:
        return ""  # its words are part of the session that started it
    if call.environment.get("MEMORACLE_USER"):
        return ""  # one user among several: what is heard has no scope yet, and others would read it
    problem = _hear(call) if call.event is HookEvent.STOP else ""
    if not payload.transcript and not payload.session:
        return problem or "the host named neither a transcript nor a session"
    size = -1
    with suppress(OSError, ValueError):
        size = os.stat(payload.transcript).st_size
    if _asks_whether_full(call) and size < _SMALLEST_FULL:
        return problem
    if call.event is HookEvent.PRE_COMPACT:
        hold(call, "")  # what was told is folded away
    entry = SpoolEntry(
        event=call.event.value,
        at=call.now,
        host=payload.host.name,
        session=payload.session,
        transcript=payload.transcript,
        size=size,
    )
    spool = call.place.spool
    spool.add(entry)
    if not spool.has_worker():
        start_worker(call.place.root, call.environment)
    return problem


def _asks_whether_full(call: HookCall) -> bool:
    """Gemini CLI announces a compression before every turn, and finds out only then whether the context is full."""
    is_automatic = call.payload.host is GEMINI and call.payload.source == "auto"
    return is_automatic and call.event is HookEvent.PRE_COMPACT


def start_worker(root: str, environment: Mapping[str, str]) -> None:
    """Begin a worker. Its parent, this hook, ends at once, so nobody has to wait for it."""
    start_process(root, "hook", "work", environment=environment)


def start_process(root: str, *command: str, environment: Mapping[str, str]) -> None:
    """Begin a process that belongs to nobody: a session of its own, no streams, none of our handles."""
    handles: list[str] = []
    with suppress(OSError):
        handles = os.listdir("/dev/fd")
    for handle in map(int, filter(str.isdecimal, handles)):
        if handle > 2:  # a host's pipe that stayed open here would keep the host waiting
            with suppress(OSError):
                os.set_inheritable(handle, False)
    quiet = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in range(3)]
    words = [sys.executable, "-m", "memoracle", "--root", os.path.abspath(root), *command]
    try:
        os.posix_spawn(sys.executable, words, dict(environment), file_actions=quiet, setsid=True)
    except NotImplementedError:  # older systems; the worker leaves our session by itself
        os.posix_spawn(sys.executable, words, dict(environment), file_actions=quiet)


def _masked(row: Mapping[str, str], place: HookPlace) -> dict[str, str]:
    """Each text without its secrets, and without what this memory recognised earlier."""
    from memoracle.guard.secrets import KnownSecrets, mask
    from memoracle.store.privacy import RECOGNISED, SALT, Recognised, salt_at

    kept = Recognised(place.volume, lambda: f"{place.state}/{RECOGNISED}")
    known = KnownSecrets(lambda: salt_at(place.volume, f"{place.state}/{SALT}"), load=kept.load)
    return {name: mask(said, lambda: b"hooks", known=known).text for name, said in row.items()}


def _hear(call: HookCall) -> str:
    """Do what the agent asked for at the end of this turn, once; what was left undone is returned.

    Its words are what the host handed over, or stand at the end of the transcript. A request is written down in
    `state/requests.jsonl`, without its secrets; the worker delivers it from there.
    """
    payload, place = call.payload, call.place
    said, turn = payload.said, payload.turn
    if "[" not in said and said:
        return ""
    if not said or not turn:
        prompt, last = _current_turn(payload.transcript)
        said = said or last
        turn = turn or prompt or _digest(said)
    asked = requests_in(said, call.environment) if said.rstrip().endswith("]") else []
    if not asked:
        return ""
    lines = said.rstrip().split("\n")
    while lines and lines[-1].strip().startswith(("[DELIVER", "[CLEAR-REQUESTED")):
        lines.pop()
    # What was said before the markers, its last part when it is long.
    answer = {"answer": "\n".join(lines).strip()[-_LONGEST_ANSWER:]}
    common = {"at": call.now, "host": payload.host.name, "session": payload.session}
    rows = [
        _masked({**common, "kind": one.kind, **one.fields} | (answer if one.kind == "deliver" else {}), place)
        for one in asked
        if not one.missing
    ]
    key = f"{payload.host.name}:{payload.session}:{turn}:{_digest(said)[:8]}"
    if not record_once(place.volume, place.state, key, rows):
        return ""
    lacking = sorted({name for one in asked for name in one.missing})
    return f"deliver_skipped: {', '.join(lacking)} not given" if lacking else ""


def _digest(text: str) -> str:
    from hashlib import sha256

    return sha256(text.strip().encode("utf-8", "replace")).hexdigest()[:24]


# The current turn, from the last megabyte of a transcript; lines that are not known are passed over.

_LOOK = 1 << 20
_SPEAKERS = frozenset({"user", "assistant", "gemini", "model"})
_TOOL_BLOCKS = frozenset({"tool_result", "toolResult", "function_call_output"})


def _current_turn(path: str) -> tuple[str, str]:
    """The id of the prompt that began it, and what the agent said last in it; empty where nothing is known."""
    said, group = "", ""
    for raw in reversed(end_of(path, _LOOK).split(b"\n")):
        spoken = _spoken(raw)
        if spoken is None:
            continue
        is_agent, key, text = spoken
        if not is_agent:
            return key, said
        if not said and text.strip():
            said, group = text, key
        elif group and key == group:  # one message over several lines
            said = f"{text}\n{said}"
    return "", said


def _spoken(raw: bytes) -> tuple[bool, str, str] | None:
    """Whether the agent speaks, the id and the words; None for tool output, thoughts, side chains, the unknown."""
    from memoracle.hosts.lines import blocks_of, parse, table, words_of

    entry, _ = parse(raw)
    if entry is None or any(entry.get(sign) for sign in ("isSidechain", "isMeta", "isCompactSummary")):
        return None
    entry = (table(entry, "payload") if entry.get("type") == "response_item" else {}) or entry  # Codex
    message = table(entry, "message") or entry  # Gemini, and flat lines
    role, content = message.get("role") or entry.get("type"), message.get("content")
    is_tool = any(block.get("type") in _TOOL_BLOCKS for block in blocks_of(content))
    if role not in _SPEAKERS or not isinstance(content, str | list) or is_tool:
        return None
    is_agent = role != "user"
    own = message.get("id") if is_agent else None
    key = own or entry.get("uuid") or entry.get("id") or entry.get("timestamp") or ""
    return is_agent, str(key), words_of(content)
