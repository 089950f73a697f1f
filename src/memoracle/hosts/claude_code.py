"""Claude Code's transcripts: `projects/<slug>/<session>.jsonl`.

Lines form a tree by `uuid` and `parentUuid`; a compaction starts a new root and names what came before
in `logicalParentUuid`, which is followed, because memory wants the words from before it too. Tool
output, thoughts, side chains, summaries and everything the host injected are left out. The format is
internal to its host and changes: unknown types are passed over. A user's line is the owner's when the
host marks it as typed (`promptSource`); a host that marks its lines is believed line by line, one from
before the marks by the shape of the text. What is not known to be typed is heard from outside.
"""

from __future__ import annotations

import re
from typing import Any

from memoracle.hosts.branches import BranchNode, Step
from memoracle.hosts.hygiene import clean, is_said, is_wrapped
from memoracle.hosts.lines import Entry, read_moment, string, table, words_of
from memoracle.model.claim import Role, SessionKind, Turn

HOST = "claude"
_SPEECH = frozenset({"user", "assistant"})
_NOT_SAID = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage", "teamName")
_TYPED = frozenset({"typed", "queued", "suggestion_accepted", "sdk"})
_HEADLESS = "sdk"
_MARKS = frozenset({"promptSource", "turnOrigin", "turnPosition", "turnCompanion"})
_UUID = b'"uuid":"'
_TOOL_LINE = re.compile(
    rb'\{"parentUuid":(?:"(?P<parent>[^"\\]{1,80})"|null),(?:"logicalParentUuid":null,)?'
    rb'"isSidechain":(?P<side>true|false),(?:"[A-Za-z]{1,30}":(?:"[^"\\]{0,400}"|true|false|null),){0,12}'
    rb'"type":"user","message":\{"role":"user","content":\[\{(?:"tool_use_id":"[^"\\]{1,80}",)?"type":"tool_result"'
)


class ClaudeCodeReader:
    """Takes the lines of one transcript."""

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        self._path = path
        self._project = memo.get("project")
        name = path.replace("\\", "/").rsplit("/", 1)[-1]
        self._is_subagent = name.startswith("agent-")
        self._session = memo.get("session") or name.split(".", 1)[0]
        self._has_marks = "marks" in memo

    def memo(self) -> dict[str, str]:
        """What a later reading of the same file needs to know."""
        facts = {"session": self._session} | ({"marks": "1"} if self._has_marks else {})
        return facts | ({"project": self._project} if self._project else {})

    def skim(self, raw: bytes) -> tuple[Step, ...] | None:
        """The node of a line that surely holds a tool's output, found without parsing it; None otherwise."""
        found = _TOOL_LINE.match(raw)
        if found is None or (found["side"] == b"true" and not self._is_subagent):
            return None
        # Inside strings quotes are escaped, so this key is structure; twice means somebody nested one.
        place = raw.find(_UUID)
        if place < 0 or raw.find(_UUID, place + 1) >= 0:
            return None
        start = place + len(_UUID)
        uuid, parent = raw[start : raw.find(b'"', start)], found["parent"]
        return (BranchNode(uuid.decode("latin-1"), parent.decode("latin-1") if parent else None),)

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The steps of a line; None when it is not a line of this host."""
        kind, uuid = entry.get("type"), string(entry, "uuid")
        if not isinstance(kind, str):
            return None
        if uuid is None or (entry.get("isSidechain") is True and not self._is_subagent):
            return ()
        self._session = string(entry, "sessionId") or self._session
        self._project = string(entry, "cwd") or self._project
        self._has_marks = self._has_marks or not _MARKS.isdisjoint(entry)
        parent = string(entry, "parentUuid", "logicalParentUuid")
        message = table(entry, "message")
        return (
            BranchNode(
                uuid,
                parent,
                self._turn(entry, message, uuid, parent, line),
                leaf=kind in _SPEECH and not entry.get("isMeta"),
                group=string(message, "id"),
            ),
        )

    def _turn(
        self, entry: Entry, message: dict[str, Any], uuid: str, parent: str | None, line: int
    ) -> Turn | None:
        words = _words(entry, message)
        if words is None:
            return None
        text = clean(words)
        if not is_said(text):
            return None
        role, speaker = self._speaker(entry, text)
        return Turn(
            session=self._session,
            id=uuid,
            speaker=speaker,
            role=role,
            at=read_moment(entry.get("timestamp")),
            text=text,
            path=self._path,
            line=line,
            session_kind=SessionKind.SUBAGENT if self._is_subagent else SessionKind.INTERACTIVE,
            host=HOST,
            project=self._project,
            parent=parent,
        )

    def _speaker(self, entry: Entry, text: str) -> tuple[Role, str]:
        if entry.get("type") == "assistant":
            return Role.AGENT, "assistant"
        if self._is_subagent:  # its prompt was written by the agent that started it
            return Role.AGENT, "agent"
        typed = self._is_typed(entry, text) and not is_wrapped(text)
        return (Role.OWNER, "user") if typed else (Role.EXTERNAL, "host")

    def _is_typed(self, entry: Entry, text: str) -> bool:
        if entry.get("textNotTyped"):
            return False
        if entry.get("type") == "attachment":
            return not self._has_marks or "origin" in entry or "origin" in table(entry, "attachment")
        if "promptSource" not in entry:
            return not self._has_marks
        source = entry["promptSource"]
        # A prompt without a terminal is somebody's one line, or what a program put together.
        return source in _TYPED and not (source == _HEADLESS and "\n" in text)


def _words(entry: Entry, message: dict[str, Any]) -> str | None:
    kind = entry.get("type")
    if any(entry.get(flag) for flag in _NOT_SAID) or not _is_human(entry):
        return None
    if kind == "attachment":
        return _queued(table(entry, "attachment"))
    if kind not in _SPEECH or message.get("model") == "<synthetic>":
        return None
    content = message.get("content")
    if kind == "user" and isinstance(content, list) and any(_is_tool_result(block) for block in content):
        return None
    return words_of(content)


def _queued(attachment: dict[str, Any]) -> str | None:
    """A prompt typed while the agent was busy; it never becomes a line of its own."""
    if attachment.get("type") != "queued_command" or attachment.get("commandMode", "prompt") != "prompt":
        return None
    return words_of(attachment.get("prompt")) if _is_human(attachment) else None


def _is_human(entry: dict[str, Any]) -> bool:
    return bool(table(entry, "origin").get("kind", "human") == "human")


def _is_tool_result(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"
