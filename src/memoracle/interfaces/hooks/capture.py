"""The current turn, from the end of a transcript: which prompt began it, and what the agent said last in it.

Looks at the last megabyte alone. Knows the four hosts' lines by their signs; whatever else stands there is passed over.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from memoracle.interfaces.hooks.entry import HookEvent, HookPlace, Payload
from memoracle.model.value import field, value
from memoracle.store.spool import FOLDER, Spool, SpoolEntry

# What an agent asks for in the last lines of a turn: `[DELIVER:…]`, `[CLEAR-REQUESTED]`.

_MARKER = re.compile(r"\[(DELIVER|CLEAR-REQUESTED)(?::([^\n]*))?\]")
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_KEY = re.compile(r"(?:^|[,;，；\s])([A-Za-z][A-Za-z_-]{0,30})=")
_TASK = re.compile(r"^[ \t]*task[_-]id[ \t]*[:：][ \t]*(\S{1,200})", re.IGNORECASE | re.MULTILINE)
_QUERY = re.compile(r"\bMEMORY-QUERY-[\w-]{1,120}")
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
    given = _attributes(attributes)
    fallbacks = {
        "task": _first(_TASK, said) or _token(said),
        "project": next((environment[one] for one in _PROJECT_VARIABLES if environment.get(one)), "")
        or _first(_PROJECT, said),
    }
    fields = given | {name: text for name, text in fallbacks.items() if text and name not in given}
    return Request(kind="deliver", fields=fields, missing=tuple(n for n in _NEEDED if not fields.get(n)))


def _attributes(text: str) -> dict[str, str]:
    """`seat=planner, summary=it is done` as a dictionary; a value reaches to the next key."""
    keys = list(_KEY.finditer(text))
    ends = [key.start() for key in keys[1:]] + [len(text)]
    return {
        _NAMES.get(key[1].lower(), key[1].lower()): text[key.end() : end].strip(" \t,;，；\"'")
        for key, end in zip(keys, ends, strict=True)
    }


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _token(text: str) -> str:
    found = _QUERY.search(text)
    return found[0] if found else ""


# Writing hooks: a line in the spool, a worker if none is there, and what the agent asked for at the end of its turn.

_LONGEST_ANSWER = 8_000


def note(
    event: HookEvent, payload: Payload, place: HookPlace, environment: Mapping[str, str], now: str
) -> str:
    """Leave what a worker needs; what went wrong is returned, empty when nothing did."""
    if payload.is_subagent:
        return ""  # its words are part of the session that started it
    if environment.get("MEMORACLE_USER"):
        return ""  # one user among several: what is heard has no scope yet, and others would read it
    problem = _hear(payload, place, environment, now) if event is HookEvent.STOP else ""
    if not payload.transcript and not payload.session:
        return problem or "the host named neither a transcript nor a session"
    entry = SpoolEntry(
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


def carry_out(turn: str, payload: Payload, place: HookPlace, environment: Mapping[str, str], now: str) -> str:
    """Do what the agent asked for in this turn, once; what was left undone is returned.

    A request is written down in `state/requests.jsonl`, without its secrets; the worker delivers it from there.
    """
    from memoracle.store.spool import record_once

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


def _masked(row: Mapping[str, str], place: HookPlace) -> dict[str, str]:
    """Each text without its secrets, and without what this memory recognised earlier."""
    from memoracle.guard.known import KnownSecrets
    from memoracle.guard.secrets import mask
    from memoracle.store.privacy import RECOGNISED, SALT, Recognised, salt_at

    kept = Recognised(place.volume, lambda: f"{place.state}/{RECOGNISED}")
    known = KnownSecrets(lambda: salt_at(place.volume, f"{place.state}/{SALT}"), load=kept.load)
    return {name: mask(said, lambda: b"hooks", known=known).text for name, said in row.items()}


def _hear(payload: Payload, place: HookPlace, environment: Mapping[str, str], now: str) -> str:
    """Requests of this turn: from what the host handed over, or from the end of the transcript."""
    from memoracle.model.value import replace

    said, turn = payload.said, payload.turn
    if "[" not in said and said:
        return ""
    if not said or not turn:
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


_LOOK = 1 << 20


@value
class _Spoken:
    """Who said something, what, and the id of the line."""

    is_agent: bool
    text: str
    id: str


@value
class _CurrentTurn:
    """The turn a transcript ends with; empty where nothing is known."""

    prompt: str = ""
    said: str = ""


def current_turn(path: str) -> _CurrentTurn:
    """What the end of a transcript tells."""
    said, group = "", None
    for raw in reversed(_last_lines(path)):
        spoken = _spoken(raw)
        if spoken is None:
            continue
        if not spoken.is_agent:
            return _CurrentTurn(prompt=spoken.id, said=said)
        if not said and spoken.text.strip():
            said, group = spoken.text, spoken.id
        elif group and spoken.id == group:  # one message over several lines
            said = f"{spoken.text}\n{said}"
    return _CurrentTurn(said=said)


def _last_lines(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - _LOOK))
            lines = file.read(_LOOK).split(b"\n")
    except (OSError, ValueError):
        return []
    return lines[1:] if size > _LOOK else lines


def _spoken(raw: bytes) -> _Spoken | None:
    """What a line says; None for tool output, thoughts, side chains and everything unknown."""
    try:
        entry: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or entry.get("isSidechain") or entry.get("isMeta"):
        return None
    payload = entry.get("payload")
    message = entry.get("message")
    if entry.get("type") == "response_item" and isinstance(payload, dict):  # Codex
        entry = message = payload
    if not isinstance(message, dict):  # Gemini, and flat lines
        message = entry
    role = message.get("role") or entry.get("type")
    if role not in {"user", "assistant", "gemini", "model"} or entry.get("isCompactSummary"):
        return None
    text = _words(message.get("content"))
    if text is None:
        return None
    is_agent = role != "user"
    own = message.get("id") if is_agent else None
    name = own or entry.get("uuid") or entry.get("id") or entry.get("timestamp") or ""
    return _Spoken(is_agent=is_agent, text=text, id=str(name))


def _words(content: Any) -> str | None:
    """The text of a message; None when it carries a tool's output."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    blocks = [block for block in content if isinstance(block, dict)]
    if any(block.get("type") in {"tool_result", "toolResult", "function_call_output"} for block in blocks):
        return None
    return "\n".join(str(block["text"]) for block in blocks if isinstance(block.get("text"), str))
