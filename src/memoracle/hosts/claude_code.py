"""Claude Code: its transcripts, `projects/<slug>/<session>.jsonl`, and what is installed into it.

Lines form a tree by `uuid` and `parentUuid`; a compaction starts a new root and names what came before
in `logicalParentUuid`, which is followed, because memory wants the words from before it too. A tool's
call and its result are one turn of the tool's; thoughts, side chains, summaries and everything the host
injected are left out. The format is internal to its host and changes: unknown types are passed over. A
user's line is the owner's when the host marks it as typed (`promptSource`); a host that marks its lines
is believed line by line, one from before the marks by the shape of the text. What is not known to be
typed is heard from outside.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memoracle.hosts.branches import BranchNode, Step
from memoracle.hosts.hygiene import clean, is_said, is_wrapped
from memoracle.hosts.install import plan
from memoracle.hosts.install.plan import ConfigEntry, HostAbsent, Machine, Target, Want, WantKind, Wishes
from memoracle.hosts.known_hosts import CLAUDE_CODE, HookEvent, Shape
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
from memoracle.model.claim import Role, SessionKind, Turn

_SPEECH = frozenset({"user", "assistant"})
_NOT_SAID = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage", "teamName")
_TYPED = ("typed", "queued", "suggestion_accepted", "sdk")
_HEADLESS = "sdk"
_MARKS = frozenset({"promptSource", "turnOrigin", "turnPosition", "turnCompanion"})
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


class ClaudeCodeReader(LineReader):
    """Takes the lines of one transcript."""

    host = CLAUDE_CODE.alias

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        super().__init__(path, memo)
        self._session = self._session or self._stem
        self._is_subagent = self._stem.startswith("agent-")
        self._kind = SessionKind.SUBAGENT if self._is_subagent else SessionKind.INTERACTIVE

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
        blocks = blocks_of(message.get("content"))
        for block in blocks if kind == "assistant" else ():
            if block.get("type") in _CALLS:
                given = block.get("input")
                self.calls.add(block.get("id"), block.get("name"), given, line, string(message, "id"))
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if kind == "user" and results and _words(entry, message) is not None:
            return self._results(results, entry, uuid, parent, line)
        return (
            BranchNode(
                uuid,
                parent,
                self._turn(entry, message, uuid, parent, line),
                leaf=kind in _SPEECH and not entry.get("isMeta"),
                group=string(message, "id"),
            ),
        )

    def _results(
        self, results: list[Entry], entry: Entry, uuid: str, parent: str | None, line: int
    ) -> tuple[Step, ...]:
        """A node for each result on a line, the line's own last; they belong to the message that made the calls."""
        at, nodes = read_moment(entry.get("timestamp")), []
        for left, block in enumerate(reversed(results)):
            call = self.calls.pop(block.get("tool_use_id"), None, line)
            key, failed = f"{uuid}:{left}" if left else uuid, block.get("is_error") is True
            turn = self.tool_turn(key, call, block.get("content"), at, line, failed=failed)
            nodes.append(BranchNode(key, parent, turn, group=call.group or uuid))
        return tuple(reversed(nodes))

    def _turn(
        self, entry: Entry, message: dict[str, Any], uuid: str, parent: str | None, line: int
    ) -> Turn | None:
        words = _words(entry, message)
        if words is None or not is_said(text := clean(words)):
            return None
        who = self._speaker(entry, text)
        return self.turn(uuid, who, text, read_moment(entry.get("timestamp")), line, parent=parent)

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
    return words_of(message.get("content"))


def _queued(attachment: dict[str, Any]) -> str | None:
    """A prompt typed while the agent was busy; it never becomes a line of its own."""
    if attachment.get("type") != "queued_command" or attachment.get("commandMode", "prompt") != "prompt":
        return None
    return words_of(attachment.get("prompt")) if _is_human(attachment) else None


def _is_human(entry: dict[str, Any]) -> bool:
    return bool(table(entry, "origin").get("kind", "human") == "human")


def _folders(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    named = folder_named(environment, "CLAUDE_CONFIG_DIR", home)
    return (named,) if named else (home / ".claude", home / ".config" / "claude")


_TYPES = """summary file-history-snapshot queue-operation custom-title ai-title last-prompt agent-name
    content-replacement pr-link permission-mode""".split()


def _shape(entry: Entry) -> Shape | None:
    is_ours = (
        "parentUuid" in entry or ("uuid" in entry and "sessionId" in entry) or entry.get("type") in _TYPES
    )
    return Shape.CLAUDE if is_ours else None


_NAME = r"projects/[^/]+/(?:[^/]+/subagents/)?[^/]+\.jsonl"
FORMAT = TranscriptFormat(
    host=CLAUDE_CODE,
    reader=ClaudeCodeReader,
    folders=_folders,
    names=((_NAME, Shape.CLAUDE),),
    path="/" + _NAME,
    shape=_shape,
    signs=(b'"parentUuid"',),
)


# Hooks in its settings, the server in its list, the skill.

_READING = ("memory_search", "memory_get", "memory_context")
"""Tools that change nothing, so that a person may allow them once and for all."""


def wishes(entry: ConfigEntry, machine: Machine, *, insist: bool) -> Wishes:
    """What Claude Code should have."""
    folder = machine.folder("CLAUDE_CONFIG_DIR", ".claude")
    is_named = bool(machine.environment.get("CLAUDE_CONFIG_DIR"))
    listing = os.path.join(folder if is_named else machine.home, ".claude.json")
    if insist and not os.path.isdir(folder) and not os.path.exists(listing):
        raise HostAbsent("Claude Code", folder, "CLAUDE_CONFIG_DIR")

    def hook(event: HookEvent, seconds: int) -> dict[str, Any]:
        # In the exec form words go to the program as they are, and no shell sees them.
        command, *rest = entry.calling("hook", event.value, "--host", CLAUDE_CODE.name)
        called = {"type": "command", "command": command, "args": rest, "timeout": seconds}
        return called | ({"async": True} if event is HookEvent.STOP else {})

    served = {"type": "stdio", **plan.server(entry)}
    listed = Want(kind=WantKind.MEMBER, path=("mcpServers", "memoracle"), value=served)
    path = os.path.join(folder, "settings.json")
    settings = plan.read_settings(path)
    enabled = plan.table_at(settings, "enabledPlugins")
    plugins = [name for name, on in enabled.items() if on is True and name.startswith(plan.PLUGIN)]
    # A plugin's server is named after both.
    server = "plugin_memoracle_memoracle" if plugins else "memoracle"
    names = [f"mcp__{server}__{tool}" for tool in _READING]
    rules = plan.table_at(settings, "permissions").get("allow")
    allowed = {f"{rule}" for rule in rules} if isinstance(rules, list) else set()
    asks = [name for name in names if not {name, f"mcp__{server}", f"mcp__{server}__*"} & allowed]
    notes = ["sessions that are open take it up when they are started again; `/hooks` and `/mcp` show it"]
    if asks:
        unasked = ", ".join(f'"{name}"' for name in asks)
        notes.append(
            f"it asks before it calls a tool; to let it recall unasked, add to `permissions.allow` in {path}: {unasked}"
        )
    return Wishes(
        targets=(
            Target(path=path, wants=plan.hooks_of(CLAUDE_CODE, hook)),
            Target(path=listing, wants=(listed,)),
            plan.skill_file(folder, entry),
        ),
        notes=tuple(notes),
        plugin="".join(plugins[:1]),
    )
