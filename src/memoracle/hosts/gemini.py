"""Gemini CLI: its chats, `tmp/<project>/chats/session-*.jsonl` and the older single `.json`; what is installed into it.

The log is replayed: an entry with a known id replaces what it said before, `$rewindTo` takes its target
and everything after it away, `$set` changes the header. `$set.messages` is what the model still sees
after a compression; its new entries are added, and nothing is taken away for it. Where the host adds
something to what was typed (a hook's context, a file), `displayContent` has the typed words alone; where
it adds nothing there is none. So an entry of its own without that mark is judged by the shape of the
text, and what stands in `$set.messages` alone was written by the host and is heard from outside.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memoracle.hosts.branches import BranchNode, Rewind, Step, digest
from memoracle.hosts.hygiene import clean, is_said, is_wrapped
from memoracle.hosts.install import plan
from memoracle.hosts.install.plan import ConfigEntry, HostAbsent, Machine, Target, Want, WantKind, Wishes
from memoracle.hosts.known_hosts import GEMINI, Shape
from memoracle.hosts.lines import (
    Entry,
    LineReader,
    TranscriptFormat,
    blocks_of,
    folder_named,
    read_moment,
    string,
    words_of,
)
from memoracle.hosts.tools import ToolCall, call_text
from memoracle.model.claim import Role, SessionKind

_SPEAKERS = {"user": (Role.OWNER, "user"), "gemini": (Role.AGENT, "assistant")}
_ENDED = ("success", "error", "cancelled", None)
_LONGEST_PATH = 4096
_PIPED = "\n\n\n"  # what comes through a pipe ends its line and is put two lines before the prompt
_MOST_KNOWN = 1000
_REFERENCES = re.compile(r"--- Content from referenced (?:files|context) ---|^Content from @", re.MULTILINE)
"""Where what was typed ends and files, or an editor's context, begin."""


class GeminiReader(LineReader):
    """Takes the lines, or the one document, of a chat."""

    host = GEMINI.alias

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        super().__init__(path, memo)
        self._session = self._session or self._stem
        self._last = memo.get("last", "")
        self._typed = memo.get("typed", "").split()
        self._answered = memo.get("answered", "").split()

    def memo(self) -> dict[str, str]:
        """What a later reading of the same file needs to know."""
        typed = {"typed": " ".join(self._typed[-_MOST_KNOWN:])} if self._typed else {}
        answered = {"answered": " ".join(self._answered)} if self._answered else {}
        return super().memo() | {"last": self._last} | typed | answered

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The steps of a line; None when it is not a line of this host."""
        target = entry.get("$rewindTo")
        if isinstance(target, str):
            return (Rewind(target, beyond=True),)
        patch = entry.get("$set")
        if isinstance(patch, dict):
            return self._header(patch, line)
        if "sessionId" in entry or "messages" in entry:
            return self._header(entry, line)
        return self._message(entry, line) if isinstance(entry.get("type"), str) else None

    def _header(self, header: dict[str, Any], line: int) -> tuple[Step, ...]:
        self._session = string(header, "sessionId") or self._session
        self._project = (
            _folder(header) or self._project or _beside(self._path) or string(header, "projectHash")
        )
        if header.get("kind") == "subagent":
            self._kind = SessionKind.SUBAGENT
        messages = header.get("messages")
        if not isinstance(messages, list):
            return ()
        return tuple(
            step
            for message in messages
            if isinstance(message, dict)
            for step in self._message(message, line, is_listed=True)
        )

    def _message(self, message: dict[str, Any], line: int, *, is_listed: bool = False) -> tuple[Step, ...]:
        speaker = _SPEAKERS.get(str(message.get("type")))
        if speaker is None:
            return ()
        role, name = speaker
        shown = words_of(message.get("displayContent"))
        words = shown or words_of(message.get("content"))
        text = clean(_REFERENCES.split(words, 1)[0])
        given = string(message, "id")
        is_typed = bool(shown or not is_listed) and not is_wrapped(text) and _PIPED not in words.strip()
        if name == "user" and given:
            known = digest(given.encode())[:12]
            if known in self._typed and not shown:
                return ()  # what the model is shown of it again, a command's expansion for instance
            if is_typed and known not in self._typed:
                self._typed.append(known)
        # An entry is written again whenever its tools or its token count change.
        last = digest(f"{given}\0{text}".encode())
        tools = self._tools(message, given, line) if given and not is_listed else ()
        if given and last == self._last:
            return tools
        self._last = last
        key = f"{self._session}:{given}" if given else self._ids.next(self._session, name, text)
        if self._kind is SessionKind.SUBAGENT and name == "user":
            role, name = Role.AGENT, "agent"
        elif name == "user" and not is_typed:
            role, name = Role.EXTERNAL, "host"
        turn = self.turn(key, (role, name), text, read_moment(message.get("timestamp")), line)
        # The node carries the host's own id: that is what `$rewindTo` names.
        said = turn if is_said(text) else None
        return (BranchNode(given or key, turn=said, follows=True, prompt=name == "user"), *tools)

    def _tools(self, message: dict[str, Any], given: str, line: int) -> tuple[Step, ...]:
        """The calls of an entry that have ended since it was last written."""
        nodes, self._answered = [], [one for one in self._answered if one.startswith(f"{given}:")]
        for place, called in enumerate(blocks_of(message.get("toolCalls"))):
            name, status = f"{given}:{string(called, 'id') or place}".replace(" ", "_"), called.get("status")
            content = called.get("result") or called.get("resultDisplay")
            if name in self._answered or status not in _ENDED or (status is None and content is None):
                continue
            self._answered.append(name)
            call = ToolCall(call_text(str(called.get("name")), called.get("args")), line)
            at = read_moment(called.get("timestamp")) or read_moment(message.get("timestamp"))
            key, failed = f"{self._session}:{name}", status == "error"
            if turn := self.tool_turn(key, call, content, at, line, failed=failed):
                nodes.append(BranchNode(key, turn=turn, follows=True))
        return tuple(nodes)


def _folder(header: dict[str, Any]) -> str | None:
    folders = header.get("directories")
    if isinstance(folders, list) and folders and isinstance(folders[0], str):
        return folders[0]
    return None


def _beside(path: str) -> str | None:
    """The folder of the project whose chats these are, as the host notes it beside them."""
    folder = os.path.dirname(os.path.dirname(path))
    try:
        with open(os.path.join(folder, ".project_root"), encoding="utf-8") as file:
            named = file.read(_LONGEST_PATH).strip()
    except (OSError, ValueError):
        return None
    return named if os.path.isabs(named) else None


def document_entries(document: object) -> list[Entry]:
    """The entries of the older single-file form: its header, then its messages."""
    if not isinstance(document, dict) or not isinstance(document.get("messages"), list):
        return []
    header = {key: value for key, value in document.items() if key != "messages"}
    return [{"$set": header}, *(entry for entry in document["messages"] if isinstance(entry, dict))]


def _folders(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    return ((folder_named(environment, "GEMINI_CLI_HOME", home) or home) / ".gemini",)


def _shape(entry: Entry) -> Shape | None:
    if "$set" in entry or "$rewindTo" in entry or ("sessionId" in entry and "startTime" in entry):
        return Shape.GEMINI_FILE if entry.get("messages") else Shape.GEMINI
    is_said = entry.get("type") in ("user", "gemini") and "content" in entry
    return Shape.GEMINI if is_said and "id" in entry and "role" not in entry else None


FORMAT = TranscriptFormat(
    host=GEMINI,
    reader=GeminiReader,
    folders=_folders,
    names=(
        (r"tmp/[^/]+/chats/(?:[^/]+/)?[^/]+\.jsonl", Shape.GEMINI),
        (r"tmp/[^/]+/chats/[^/]+\.json", Shape.GEMINI_FILE),
    ),
    path=r"/chats/(?:[^/]+/)?[^/]+\.jsonl",
    shape=_shape,
    signs=(b'"projectHash"',),
)


def wishes(entry: ConfigEntry, machine: Machine, *, insist: bool) -> Wishes:
    """The server and hooks in its settings, a section in the file that it always reads, which they may name."""
    from memoracle.hosts.install import config_text

    folder = os.path.join(machine.folder("GEMINI_CLI_HOME", ""), ".gemini")
    if insist and not os.path.isdir(folder):
        raise HostAbsent("Gemini CLI", folder, "GEMINI_CLI_HOME")
    path = os.path.join(folder, "settings.json")
    settings = plan.read_settings(path)
    notes = ["sessions that are open take it up when they are started again"]
    if config_text.at(settings, ("mcpServers", "memoracle", "trust")) is not True:
        notes.append(
            "it asks before it calls a tool, and without a terminal offers none; to let it call ours unasked, "
            f'add "trust": true to `mcpServers.memoracle` in {path}'
        )
    switches = (("hooksConfig", "enabled"), ("hooks", "enabled"))
    if any(config_text.at(settings, switch) is False for switch in switches):
        notes.append("hooks are switched off in its settings; the memory is reached by its tools alone")
    listed = Want(kind=WantKind.MEMBER, path=("mcpServers", "memoracle"), value=plan.server(entry))
    hooks = plan.hooks_of(
        GEMINI,
        lambda event, seconds: {
            "name": f"memoracle-{event}",
            "type": "command",
            "command": plan.hook_line(entry, event, GEMINI.name),
            "timeout": seconds * 1000,
        },
    )
    named = config_text.at(settings, ("context", "fileName")) or config_text.at(
        settings, ("contextFileName",)
    )
    named = named[0] if isinstance(named, list) and named else named
    is_plain = isinstance(named, str) and named and os.path.basename(named) == named
    rules = os.path.join(folder, str(named) if is_plain else "GEMINI.md")
    return Wishes(
        targets=(Target(path=path, wants=(listed, *hooks)), plan.section_in(rules, entry)),
        notes=tuple(notes),
        plugin="memoracle" if os.path.isdir(os.path.join(folder, "extensions", "memoracle")) else "",
    )
