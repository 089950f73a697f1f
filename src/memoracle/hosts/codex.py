"""Codex's rollouts: `sessions/YYYY/MM/DD/rollout-<time>-<uuid>.jsonl`.

A line is `{timestamp, type, payload}`. Words come from `response_item` messages; `event_msg` repeats
them and is used only for rollbacks. Instructions, environment and other scaffolding sent in the user's
name are left out: each piece of a message is marked with what it is, and only `user.text` was typed. A
rollout from before those marks is judged by the shape of the text. A forked session carries a copy of
its parent's words: its turns are named after the parent, so that they count once. Rollouts from before
the envelope (`{type: message, role, content}`) are read too.
"""

from __future__ import annotations

from typing import Any

from memoracle.hosts.branches import BranchNode, RewindTurns, Step
from memoracle.hosts.hygiene import clean, is_said, is_wrapped
from memoracle.hosts.lines import Entry, Ids, kind_in, read_moment, string, table, words_of
from memoracle.model.claim import Role, SessionKind, Turn

HOST = "codex"
_TYPES = (b'"type":"event_msg"', b'"type":"turn_context"', b'"type":"compacted"', b'"type":"world_state"')
_SILENT_ITEMS = (
    b'"type":"function_call_output"',
    b'"type":"function_call"',
    b'"type":"custom_tool_call',
    b'"type":"local_shell_call"',
    b'"type":"reasoning"',
)
_HEAD = 400
_REQUEST = "## My request for Codex:"
_MARKS = "internal_chat_message_metadata_passthrough"
_TYPED = "user.text"


class CodexReader:
    """Takes the lines of one rollout."""

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        self._path = path
        self._session = memo.get("session", "")
        self._lineage = memo.get("lineage", "")
        self._project = memo.get("project")
        self._kind = kind_in(memo) or SessionKind.INTERACTIVE
        self._ids = Ids(memo.get("said", ""))
        self._has_marks = "marks" in memo
        self._is_headless = "headless" in memo

    def memo(self) -> dict[str, str]:
        """What a later reading of the same file needs to know."""
        facts = {"session": self._session, "lineage": self._lineage, "kind": self._kind.value}
        facts["said"] = self._ids.memo()
        facts |= {"marks": "1"} if self._has_marks else {}
        facts |= {"headless": "1"} if self._is_headless else {}
        return facts | ({"project": self._project} if self._project else {})

    def skim(self, raw: bytes) -> tuple[Step, ...] | None:
        """Nothing for a line that surely holds no words; None when it may."""
        head = raw[:_HEAD]
        if b'"type":"message"' in head:
            return None
        if any(kind in head for kind in _SILENT_ITEMS):
            return ()
        return () if any(kind in head for kind in _TYPES) and b"thread_rolled_back" not in head else None

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The steps of a line; None when it is not a line of this host."""
        kind, payload = entry.get("type"), entry.get("payload")
        if kind == "message":
            return self._message(entry, entry, line)
        if kind is None and ("id" in entry or "record_type" in entry):
            self._start(entry)
            return ()
        if not isinstance(kind, str) or not isinstance(payload, dict):
            return () if isinstance(kind, str) else None
        if kind == "session_meta":
            self._start(payload)
        elif kind == "response_item" and payload.get("type") == "message":
            return self._message(entry, payload, line)
        elif kind == "event_msg" and payload.get("type") == "thread_rolled_back":
            turns = payload.get("num_turns")
            return (RewindTurns(turns),) if isinstance(turns, int) and turns > 0 else ()
        return ()

    def _start(self, meta: dict[str, Any]) -> None:
        if self._session:  # a fork repeats the headers of its parents below its own
            return
        self._session = string(meta, "id", "session_id") or _session_in(self._path)
        self._lineage = string(meta, "forked_from_id") or self._session
        self._project = string(meta, "cwd")
        self._is_headless = meta.get("source") == "exec"
        if meta.get("parent_thread_id") or isinstance(meta.get("source"), dict):
            self._kind = SessionKind.SUBAGENT

    def _message(self, entry: Entry, payload: dict[str, Any], line: int) -> tuple[Step, ...]:
        role = payload.get("role")
        if role not in {"user", "assistant"} or table(entry, "metadata").get("compaction_output"):
            return ()
        content, typed = self._typed(payload) if role == "user" else (payload.get("content"), False)
        text = _said(content)
        if not is_said(text):
            return ()
        self._session = self._session or _session_in(self._path)
        by_parent = self._kind is SessionKind.SUBAGENT and role == "user"
        speaker = "agent" if by_parent else str(role)
        channel = Role.OWNER if speaker == "user" else Role.AGENT
        if speaker == "user" and (not typed or is_wrapped(text) or (self._is_headless and "\n" in text)):
            channel, speaker = Role.EXTERNAL, "host"
        turn = Turn(
            session=self._session,
            id=string(payload, "id") or self._ids.next(self._lineage or self._session, speaker, text),
            speaker=speaker,
            role=channel,
            at=read_moment(entry.get("timestamp")),
            text=text,
            path=self._path,
            line=line,
            session_kind=self._kind,
            host=HOST,
            project=self._project,
        )
        return (BranchNode(turn.id, turn=turn, follows=True, prompt=role == "user" and speaker != "host"),)

    def _typed(self, payload: dict[str, Any]) -> tuple[object, bool]:
        """What of a user's message was typed, and whether it was: all of it when nothing tells them apart."""
        content, kinds = payload.get("content"), table(payload, _MARKS).get("content_item_kinds")
        if not isinstance(kinds, list):
            return content, not self._has_marks
        self._has_marks = True
        if not isinstance(content, list) or len(kinds) != len(content):
            return content, False
        typed = [item for item, kind in zip(content, kinds, strict=True) if kind == _TYPED]
        return typed or content, bool(typed)


def _said(content: object) -> str:
    words = words_of(content)
    # The editor puts its own context before the request and marks where the request begins.
    _, marker, request = words.partition(_REQUEST)
    return clean(request if marker and words.startswith("# Context from my IDE") else words)


def _session_in(path: str) -> str:
    name = path.replace("\\", "/").rsplit("/", 1)[-1].split(".", 1)[0]
    return name[-36:] if name.startswith("rollout-") else name
