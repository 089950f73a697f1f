"""Codex: its rollouts, `sessions/YYYY/MM/DD/rollout-<time>-<uuid>.jsonl`, and what is installed into it.

A line is `{timestamp, type, payload}`. Words come from `response_item` messages, tools' calls and their
outputs; `event_msg` repeats them and is used only for rollbacks. Instructions, environment and other
scaffolding sent in the user's name are left out: each piece of a message is marked with what it is, and
only `user.text` was typed. A rollout from before those marks is judged by the shape of the text. A forked
session carries a copy of its parent's words: its turns are named after the parent, so that they count
once. Rollouts from before the envelope (`{type: message, role, content}`) are read too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memoracle.hosts.branches import BranchNode, Rewind, Step
from memoracle.hosts.hygiene import clean, is_said, is_wrapped
from memoracle.hosts.install import plan
from memoracle.hosts.install.plan import ConfigEntry, HostAbsent, Machine, Target, Want, WantKind, Wishes
from memoracle.hosts.known_hosts import CODEX, HookEvent, Shape
from memoracle.hosts.lines import (
    Entry,
    LineReader,
    TranscriptFormat,
    blocks_of,
    folder_named,
    read_moment,
    string,
    table,
    words_of,
)
from memoracle.model.claim import Role, SessionKind

_TYPES = (b'"type":"event_msg"', b'"type":"turn_context"', b'"type":"compacted"', b'"type":"world_state"')
_THOUGHTS = b'"type":"reasoning"'
_HEAD = 400
_REQUEST = "## My request for Codex:"
_MARKS = "internal_chat_message_metadata_passthrough"
_TYPED = "user.text"


class CodexReader(LineReader):
    """Takes the lines of one rollout."""

    host = CODEX.alias

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        super().__init__(path, memo)
        self._lineage = memo.get("lineage", "")
        self._is_headless = "headless" in memo

    def memo(self) -> dict[str, str]:
        """What a later reading of the same file needs to know."""
        headless = {"headless": "1"} if self._is_headless else {}
        return super().memo() | {"lineage": self._lineage} | headless

    def skim(self, raw: bytes) -> tuple[Step, ...] | None:
        """Nothing for a line that surely holds no words; None when it may."""
        head = raw[:_HEAD]
        if b'"type":"message"' in head:
            return None
        if _THOUGHTS in head:
            return ()
        return () if any(kind in head for kind in _TYPES) and b"thread_rolled_back" not in head else None

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The steps of a line; None when it is not a line of this host."""
        kind, payload = entry.get("type"), entry.get("payload")
        if kind == "message":
            return self._message(entry, entry, line)
        if _is_tools(kind):
            return self._tool(entry, entry, line)
        if kind is None and ("id" in entry or "record_type" in entry):
            self._start(entry)
            return ()
        if not isinstance(kind, str) or not isinstance(payload, dict):
            return () if isinstance(kind, str) else None
        if kind == "session_meta":
            self._start(payload)
        elif kind == "response_item" and payload.get("type") == "message":
            return self._message(entry, payload, line)
        elif kind == "response_item" and _is_tools(payload.get("type")):
            return self._tool(entry, payload, line)
        elif kind == "event_msg" and payload.get("type") == "thread_rolled_back":
            turns = payload.get("num_turns")
            return (Rewind(prompts=turns),) if isinstance(turns, int) and turns > 0 else ()
        return ()

    def _start(self, meta: dict[str, Any]) -> None:
        if self._session:  # a fork repeats the headers of its parents below its own
            return
        self._session = string(meta, "id", "session_id") or self._named()
        self._lineage = string(meta, "forked_from_id") or self._session
        self._project = string(meta, "cwd")
        self._is_headless = meta.get("source") == "exec"
        if meta.get("parent_thread_id") or isinstance(meta.get("source"), dict):
            self._kind = SessionKind.SUBAGENT

    def _message(self, entry: Entry, payload: dict[str, Any], line: int) -> tuple[Step, ...]:
        role = payload.get("role")
        if role not in ("user", "assistant") or table(entry, "metadata").get("compaction_output"):
            return ()
        content, typed = self._typed(payload) if role == "user" else (payload.get("content"), False)
        text = _said(content)
        if not is_said(text):
            return ()
        self._session = self._session or self._named()
        by_parent = self._kind is SessionKind.SUBAGENT and role == "user"
        speaker = "agent" if by_parent else str(role)
        channel = Role.OWNER if speaker == "user" else Role.AGENT
        if speaker == "user" and (not typed or is_wrapped(text) or (self._is_headless and "\n" in text)):
            channel, speaker = Role.EXTERNAL, "host"
        key = string(payload, "id") or self._ids.next(self._lineage or self._session, speaker, text)
        turn = self.turn(key, (channel, speaker), text, read_moment(entry.get("timestamp")), line)
        return (BranchNode(key, turn=turn, follows=True, prompt=role == "user" and speaker != "host"),)

    def _tool(self, entry: Entry, payload: dict[str, Any], line: int) -> tuple[Step, ...]:
        """A call waits for its output, which names it; a copy of both in a forked session counts once."""
        given = string(payload, "call_id", "id")
        if not str(payload["type"]).endswith("_output"):
            action = table(payload, "action")
            said = payload.get("arguments") or payload.get("input") or action.get("command") or action
            self.calls.add(given, payload.get("name") or "shell", said, line)
            return ()
        self._session = self._session or self._named()
        call = self.calls.pop(given, None, line)
        key = f"{self._lineage or self._session}:{given}"
        failed = table(payload, "output").get("success") is False
        at = read_moment(entry.get("timestamp"))
        turn = self.tool_turn(key, call, payload.get("output"), at, line, failed=failed)
        return (BranchNode(key, turn=turn, follows=True),) if turn and given else ()

    def _named(self) -> str:
        return self._stem[-36:] if self._stem.startswith("rollout-") else self._stem

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


def _is_tools(kind: object) -> bool:
    return isinstance(kind, str) and kind.endswith(("_call", "_call_output"))


def _said(content: object) -> str:
    words = words_of(content)
    # The editor puts its own context before the request and marks where the request begins.
    _, marker, request = words.partition(_REQUEST)
    return clean(request if marker and words.startswith("# Context from my IDE") else words)


def _folders(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    return (folder_named(environment, "CODEX_HOME", home) or home / ".codex",)


_LINE_TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state")


def _shape(entry: Entry) -> Shape | None:
    if entry.get("type") in _LINE_TYPES and isinstance(entry.get("payload"), dict):
        return Shape.CODEX
    if entry.get("type") != "message" or isinstance(entry.get("message"), dict) or "parentId" in entry:
        return None
    kinds = [block.get("type") for block in blocks_of(entry.get("content"))]
    return Shape.CODEX if "input_text" in kinds or "output_text" in kinds else None


FORMAT = TranscriptFormat(
    host=CODEX,
    reader=CodexReader,
    folders=_folders,
    names=((r"(?:archived_)?sessions/(?:.*/)?[^/]+\.jsonl", Shape.CODEX),),
    path=r"(?:^|/)rollout-[^/]*\.jsonl",
    shape=_shape,
    signs=(b'"type":"session_meta"', b'"payload":{'),
)


_TRUST = (HookEvent.SESSION_START, HookEvent.STOP, HookEvent.SESSION_END)
_UNTRUSTED = (
    "Codex runs new hooks once you have trusted them: open it and answer, or use `/hooks`; "
    "`codex exec` never asks"
)


def wishes(entry: ConfigEntry, machine: Machine, *, insist: bool) -> Wishes:
    """The server in config.toml, hooks in hooks.json, a section in its AGENTS.md, the skill."""
    folder = machine.folder("CODEX_HOME", ".codex")
    if insist and not os.path.isdir(folder):
        raise HostAbsent("Codex", folder, "CODEX_HOME")
    override = os.path.join(folder, "AGENTS.override.md")
    rules = override if os.path.exists(override) else os.path.join(folder, "AGENTS.md")
    listed = Want(kind=WantKind.TABLE, path=("mcp_servers", "memoracle"), value=plan.server(entry))
    config, hooks = os.path.join(folder, "config.toml"), os.path.join(folder, "hooks.json")
    settings = plan.read_settings(config)
    plugins = plan.table_at(settings, "plugins")
    ours = (name for name in plugins if name.startswith(plan.PLUGIN))
    plugin = next((name for name in ours if plan.table_at(plugins, name).get("enabled")), "")
    # What it was told to trust is named after the file or the plugin, and the moment; whether the line is still the
    # same only Codex can say.
    trusted = " ".join(plan.table_at(settings, "hooks", "state"))
    where = f"{plugin}:hooks/hooks.json" if plugin else hooks
    asked = [f"{where}:{event.value.replace('-', '_')}:" for event in _TRUST]
    notes = [] if all(name in trusted for name in asked) else [_UNTRUSTED]
    return Wishes(
        targets=(
            Target(path=config, wants=(listed,)),
            Target(path=hooks, wants=plan.line_hooks(CODEX, entry, CODEX.name)),
            plan.section_in(rules, entry),
            plan.skill_file(folder, entry),
        ),
        notes=tuple(notes),
        plugin=plugin,
    )
