"""OpenClaw's transcripts of the file era: `agents/<agent>/sessions/<session>.jsonl`.

Entries form a tree by `id` and `parentId`. Both shapes are read: the host's own, with the message
nested and its content in blocks, and the flat one with role and content beside the id. A tool's call and
its result are one turn; hidden entries, summaries, heartbeats and messages between sessions are left
out; a `leaf` entry moves the live branch. What kind of session it was comes from `sessions.json` beside the transcript.

The host says of a message whether its sender is the owner (`senderIsOwner`): then that counts, in groups
too. Where it says nothing, a user in a chat with the assistant alone is the owner, as long as one person
writes there; somebody else is a person, and a text in a wrapper that is not known is heard from outside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from memoracle.hosts.branches import BranchNode, Rewind, Step
from memoracle.hosts.hygiene import clean, is_said, is_wrapped
from memoracle.hosts.known_hosts import OPENCLAW, Shape
from memoracle.hosts.lines import (
    Entry,
    LineReader,
    TranscriptFormat,
    blocks_of,
    folder_named,
    parse,
    read_moment,
    string,
    table,
    words_of,
)
from memoracle.hosts.tools import ToolCall, call_text
from memoracle.model.claim import Role, SessionKind, Turn

# OpenClaw's wrapping around what somebody wrote in a chat.

_BLOCKS = (
    "Conversation info",
    "Sender",
    "Thread starter",
    "Replied message",
    "Reply target of current user message",
    "Forwarded message context",
    "Chat history since last reply",
    "Location",
)
_HEADER = re.compile(
    r"(?:\[[^\]\n]{1,200}\] ?)?(?P<block>" + "|".join(_BLOCKS) + r") \(untrusted[^)\n]{0,80}\):?[ \t]*\n"
)
_WINDOW = re.compile(r"[^\n]{1,200} \(untrusted, chronological[^)\n]{0,80}\):[ \t]*\n")
_TRAILER = re.compile(r"^Untrusted context \(", re.MULTILINE)
_STAMP = re.compile(r"\[(?P<inside>[^\[\]\n]{3,300})\][ \t]*")
_INSIDE = re.compile(r"(?:[A-Z][A-Za-z]{2,20} )[^\n]{0,280}?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
_MESSAGE_ID = re.compile(r"^\[message_id: [^\]\n]{1,200}\][ \t]*\n?", re.MULTILINE)
_SYSTEM_LINE = re.compile(r"System(?: \(untrusted\))?: \[[^\]\n]{1,100}\][^\n]*(?:\n|$)")
_CRON = re.compile(r"\[cron:[^\]\n]{1,200}\][ \t]*")
_MOST_BLOCKS = 32
_DECODER = json.JSONDecoder()


class _Envelope(NamedTuple):
    """What was written, by whom if that is told, and whether it was said to a group."""

    text: str
    sender: str | None = None
    group: bool = False
    cron: bool = False


def unwrap(text: str) -> _Envelope:
    """The message inside its wrapping."""
    is_plain = "(untrusted" not in text and "[message_id:" not in text
    if is_plain and not text.lstrip().startswith(("[", "System")):
        return _Envelope(text)
    sender: str | None = None
    group = False
    text = text.lstrip()
    for _ in range(_MOST_BLOCKS):
        opened = _open_block(text)
        if opened is None:
            break
        block, facts, text = opened
        if block in {"Conversation info", "Sender"}:
            sender = _name(facts) or sender
            group = group or facts.get("is_group_chat") is True
    cron = _CRON.match(text) is not None
    # Behind the task the host says what time it is, and how a run that nobody attends goes.
    text = _CRON.sub("", text, count=1).partition("\nCurrent time: ")[0] if cron else text
    trailer = _TRAILER.search(text)
    if trailer is not None:
        text = text[: trailer.start()]
    return _Envelope(_MESSAGE_ID.sub("", text).strip(), sender, group, cron)


def _open_block(text: str) -> tuple[str, dict[str, Any], str] | None:
    """The first piece of wrapping, its facts, and the text behind it; None when there is none."""
    if header := _HEADER.match(text) or _WINDOW.match(text):
        body = _fenced(text[header.end() :])
        return None if body is None else (header.groupdict().get("block", ""), *body)
    stamp = _STAMP.match(text)
    if stamp is not None and _INSIDE.match(stamp["inside"]):
        return "stamp", {}, text[stamp.end() :]
    line = _SYSTEM_LINE.match(text)
    return ("system", {}, text[line.end() :].lstrip()) if line else None


def _fenced(body: str) -> tuple[dict[str, Any], str] | None:
    body = body.lstrip()
    if body.startswith("```"):
        start = body.find("\n") + 1
        end = body.find("\n```", max(start - 1, 0))
        if not start or end < 0:
            return None
        behind = body.find("\n", end + 1)
        facts, _ = parse(body[start:end].encode("utf-8", "replace"))
        return facts or {}, "" if behind < 0 else body[behind:].lstrip()
    try:
        said, end = _DECODER.raw_decode(body)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else {}, body[end:].lstrip()


def _name(facts: dict[str, Any]) -> str:
    found = (facts.get(key) for key in ("name", "sender", "label", "username"))
    return next((one.strip()[:100] for one in found if isinstance(one, str) and one.strip()), "")


_ROLES = {
    SessionKind.INTERACTIVE: (Role.OWNER, "user"),
    SessionKind.GROUP: (Role.PERSON, ""),
    SessionKind.CRON: (Role.SYSTEM, "cron"),
    SessionKind.HEARTBEAT: (Role.SYSTEM, "heartbeat"),
    SessionKind.HOOK: (Role.EXTERNAL, "hook"),
    SessionKind.SUBAGENT: (Role.AGENT, "agent"),
    SessionKind.INTERNAL: (Role.SYSTEM, "system"),
}
_TOOLS = ("toolResult", "bashExecution")
_GROUPS = frozenset({"group", "channel", "room"})
_BETWEEN = frozenset({"inter_session", "inter-session", "internal_system", "internal-system"})
_MARKS = "__openclaw"
_FRAMED = re.compile(r"\[[^\]\n]{1,200}\]|System\b[^\n]{0,40}:|[^\n]{1,200} \(untrusted\b")
_LARGEST_INDEX = 64 * 1024 * 1024


class OpenClawReader(LineReader):
    """Takes the entries of one session, from a file or from a database."""

    host = OPENCLAW.alias

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        super().__init__(path, memo)
        place = Path(path)
        self._session = self._session or self._stem
        self._agent = memo.get("agent") or _agent_in(place)
        if "kind" not in memo:
            self._kind = kind_beside(place, self._session)
        self._sender = memo.get("sender", "")

    def memo(self) -> dict[str, str]:
        """What a later reading of the same session needs to know."""
        agent = {"agent": self._agent} if self._agent else {}
        return super().memo() | agent | ({"sender": self._sender} if self._sender else {})

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The steps of an entry; None when it is not an entry of this host."""
        kind = entry.get("type")
        if not isinstance(kind, str):
            return None
        if kind == "session":
            self._session = string(entry, "id") or self._session
            self._project = string(entry, "cwd") or self._project
            return ()
        key = string(entry, "id")
        if kind == "leaf":
            target = string(entry, "targetId")
            after = () if key is None else (BranchNode(key, target, leaf=False),)
            return () if target is None else (Rewind(target), *after)
        if kind == "custom" and str(table(entry, "data").get("runId")).startswith("dreaming-narrative-"):
            self._kind = SessionKind.INTERNAL
        turn = self._turn(entry, key, line) if kind == "message" else None
        if key is None and turn is None:
            return ()
        # Other tools append lines without a parent; such a line continues what came last.
        follows = "parentId" not in entry
        name = key or (turn.id if turn else "")
        return (BranchNode(name, string(entry, "parentId"), turn, follows=follows),)

    def _turn(self, entry: Entry, key: str | None, line: int) -> Turn | None:
        message = table(entry, "message") or entry
        role = message.get("role")
        for block in blocks_of(message.get("content")) if role == "assistant" else ():
            if block.get("type") == "toolCall":
                name, given = block.get("name"), block.get("arguments")
                if name == "tool_call" and isinstance(
                    given, dict
                ):  # its door to tools that it lists by name alone
                    name, given = str(given.get("id") or name).rpartition(":")[2], given.get("args")
                self.calls.add(block.get("id"), name, given, line)
        if _is_hidden(entry) or _is_hidden(message):
            return None
        if role in _TOOLS:
            return self._tool(entry, message, key, line)
        if role not in ("user", "assistant"):
            return None
        words = clean(words_of(message.get("content")))
        envelope = unwrap(words) if role == "user" else _Envelope(words)
        if not is_said(envelope.text):
            return None
        kind = self._kind
        if kind is SessionKind.INTERACTIVE and (envelope.cron or envelope.group):
            kind = SessionKind.CRON if envelope.cron else SessionKind.GROUP
        channel, speaker = (Role.AGENT, "assistant") if role == "assistant" else _ROLES[kind]
        if role == "user" and kind.has_people:
            channel, speaker = self._said_by(message, envelope, channel)
        parent = string(entry, "parentId")
        said = f"{self._session}:{key}" if key else self._ids.next(self._session, speaker, envelope.text)
        return self.turn(
            said,
            (channel, speaker),
            envelope.text,
            read_moment(entry.get("timestamp")) or read_moment(message.get("timestamp")),
            line,
            kind=kind,
            agent=self._agent,
            parent=f"{self._session}:{parent}" if parent else None,
        )

    def _tool(self, entry: Entry, message: dict[str, Any], key: str | None, line: int) -> Turn | None:
        """A result with its call; a command that a person ran stands there whole."""
        call = self.calls.pop(message.get("toolCallId"), message.get("toolName"), line)
        if command := message.get("command"):
            call = ToolCall(call_text("bash", command), line)
        said = (
            f"{self._session}:{key}" if key else self._ids.next(self._session, "tool", call.text, str(line))
        )
        content = message.get("content") or message.get("output")
        at = read_moment(entry.get("timestamp")) or read_moment(message.get("timestamp"))
        code = message.get("exitCode", table(message, "details").get("exitCode"))
        failed = message.get("isError") is True
        return self.tool_turn(said, call, content, at, line, failed=failed, code=code)

    def _said_by(self, message: dict[str, Any], envelope: _Envelope, channel: Role) -> tuple[Role, str]:
        """Whose words a message in a chat with people is."""
        owns = table(message, _MARKS).get("senderIsOwner")
        self._has_marks = self._has_marks or isinstance(owns, bool)
        sender = envelope.sender or ""
        if channel is Role.OWNER and not self._has_marks:
            self._sender = self._sender or sender
        is_owner = channel is Role.OWNER and sender in {"", self._sender} if owns is None else owns is True
        if (owns is None and self._has_marks) or is_wrapped(envelope.text) or _FRAMED.match(envelope.text):
            return Role.EXTERNAL, sender or "host"
        if is_owner:
            return Role.OWNER, sender or "user"
        return (Role.PERSON, sender) if sender else (Role.EXTERNAL, "somebody")


def kind_of(key: str, *, chat: str = "", spawned: bool = False) -> SessionKind:
    """What kind of session a key such as `agent:main:telegram:group:-100` names."""
    parts = key.split(":")
    if parts[-1] == "heartbeat":
        return SessionKind.HEARTBEAT
    if spawned or "subagent" in parts:
        return SessionKind.SUBAGENT
    if "cron" in parts:
        return SessionKind.CRON
    if "hook" in parts:
        return SessionKind.HOOK
    if chat in _GROUPS or not _GROUPS.isdisjoint(parts):
        return SessionKind.GROUP
    return SessionKind.INTERACTIVE


def kind_beside(transcript: Path, session: str) -> SessionKind:
    """The kind of a session as `sessions.json` beside its transcript tells it, or else interactive."""
    index = transcript.parent / "sessions.json"
    try:
        seen = index.stat()
    except OSError:
        return SessionKind.INTERACTIVE
    # Topic files are called `<session>-topic-2`; the index names the session.
    kinds = _kinds(index, seen.st_mtime_ns, seen.st_size)
    return kinds.get(session) or kinds.get(session.partition("-topic-")[0], SessionKind.INTERACTIVE)


@lru_cache(maxsize=4)
def _kinds(index: Path, _mtime: int, size: int) -> dict[str, SessionKind]:
    try:
        entries = json.loads(index.read_bytes()) if size <= _LARGEST_INDEX else {}
    except (OSError, ValueError, RecursionError):
        entries = {}
    return {
        session: kind_of(key, chat=str(entry.get("chatType", "")), spawned=bool(entry.get("spawnedBy")))
        for key, entry in (entries if isinstance(entries, dict) else {}).items()
        if isinstance(entry, dict) and (session := string(entry, "sessionId")) is not None
    }


def _is_hidden(entry: dict[str, Any]) -> bool:
    if entry.get("hidden") is True or entry.get("display") is False:
        return True
    provenance = entry.get("provenance")
    kind = provenance.get("kind") if isinstance(provenance, dict) else provenance
    return isinstance(kind, str) and kind in _BETWEEN


def _agent_in(path: Path) -> str | None:
    parts = path.parts
    return parts[parts.index("agents") + 1] if "agents" in parts[:-2] else None


def _folders(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    named = folder_named(environment, "OPENCLAW_STATE_DIR", home)
    return (named,) if named else (home / ".openclaw", *sorted(home.glob(".openclaw-*")), home / ".clawdbot")


_TYPES = """session compaction custom custom_message branch_summary model_change thinking_level_change label
    session_info leaf reset""".split()


def _shape(entry: Entry) -> Shape | None:
    if entry.get("type") in _TYPES:
        return Shape.OPENCLAW if "id" in entry or "timestamp" in entry else None
    is_message = isinstance(entry.get("message"), dict) or "parentId" in entry or "role" in entry
    return Shape.OPENCLAW if entry.get("type") == "message" and is_message else None


_NAME = r"agents/[^/]+/sessions/(?:[^/]+/)?[^/]+\.jsonl"
FORMAT = TranscriptFormat(
    host=OPENCLAW,
    reader=OpenClawReader,
    folders=_folders,
    names=(
        # `.reset.<time>`, `.deleted.<time>` and `.bak.<time>` are what it leaves of finished sessions.
        (_NAME + r"(?:\.(?:reset|deleted|bak)\.[^/]{1,60})?", Shape.OPENCLAW),
        (r"agents/[^/]+/agent/openclaw-agent\.sqlite$", Shape.OPENCLAW_DB),
    ),
    path="/" + _NAME,
    shape=_shape,
    signs=(b'"parentId"', b'"type":"session","'),
)
