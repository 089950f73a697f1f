"""What a host said, in one shape: Claude Code, Codex, Gemini CLI and OpenClaw name things differently.

Everything here is data from outside: a field that is missing or of another type counts as empty.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from memoracle.model.value import value


class Host(StrEnum):
    """Who calls."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    OPENCLAW = "openclaw"


class Event(StrEnum):
    """What happens."""

    SESSION_START = "session-start"
    PROMPT = "prompt"
    STOP = "stop"
    PRE_COMPACT = "pre-compact"
    POST_COMPACT = "post-compact"
    SESSION_END = "session-end"


READING = frozenset({Event.SESSION_START, Event.PROMPT})
# What the hosts call these moments; `hookEventName` has to come back as it was sent.
NAMES: Mapping[Host, Mapping[Event, str]] = {
    Host.CLAUDE_CODE: {Event.SESSION_START: "SessionStart", Event.PROMPT: "UserPromptSubmit"},
    Host.CODEX: {Event.SESSION_START: "SessionStart", Event.PROMPT: "UserPromptSubmit"},
    Host.GEMINI: {Event.SESSION_START: "SessionStart", Event.PROMPT: "BeforeAgent"},
}
_GEMINI_EVENTS = frozenset({"BeforeAgent", "AfterAgent", "PreCompress"})
_PATHS = (
    ("/.claude/", Host.CLAUDE_CODE),
    ("/.codex/", Host.CODEX),
    ("/rollout-", Host.CODEX),
    ("/.gemini/", Host.GEMINI),
    ("/.openclaw", Host.OPENCLAW),
)
_GROUPS = frozenset({"group", "channel", "room"})


@value
class Payload:
    """One call of a hook."""

    host: Host = Host.CLAUDE_CODE
    session: str = ""
    transcript: str = ""
    prompt: str = ""
    source: str = ""
    said: str = ""
    """The last thing the agent said, when the host hands it over."""
    turn: str = ""
    folder: str = ""
    """Where the agent works."""
    is_subagent: bool = False
    is_group: bool = False


def read_payload(raw: bytes, host: str = "") -> Payload | None:
    """The call that a host's JSON describes; None when it is no JSON object. Nothing at all is an empty call."""
    if not raw.strip():
        return Payload(host=Host(host) if host else Host.CLAUDE_CODE)
    try:
        given: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict):
        return None
    inner = given.get("context")
    fields = {**inner, **given} if isinstance(inner, dict) else given
    transcript = _text(fields, "transcript_path", "transcriptPath", "sessionFile")
    key = _text(fields, "sessionKey", "session_key")
    return Payload(
        host=Host(host) if host else guess_host(fields, transcript),
        session=_text(fields, "session_id", "sessionId") or key,
        transcript=os.path.expanduser(transcript),
        prompt=_text(fields, "prompt", "user_prompt", "message"),
        source=_text(fields, "source", "trigger", "reason"),
        said=_text(fields, "last_assistant_message", "prompt_response", "lastAssistantMessage"),
        turn=_text(fields, "turn_id", "prompt_id", "turnId", "runId"),
        folder=_text(fields, "cwd", "workspaceDir", "workspace_dir"),
        is_subagent=bool(_text(fields, "agent_id", "agent_transcript_path")),
        is_group=_text(fields, "chat_type", "chatType") in _GROUPS or bool(_GROUPS & set(key.split(":"))),
    )


def guess_host(fields: Mapping[str, Any], transcript: str) -> Host:
    """Who calls, by what only one of them says."""
    if _text(fields, "hook_event_name") in _GEMINI_EVENTS:
        return Host.GEMINI
    path = transcript.replace("\\", "/")
    for sign, host in _PATHS:
        if sign in path:
            return host
    if "sessionKey" in fields or "sessionFile" in fields:
        return Host.OPENCLAW
    if "turn_id" in fields:
        return Host.CODEX
    if "timestamp" in fields and "permission_mode" not in fields:
        return Host.GEMINI
    return Host.CLAUDE_CODE


def _text(fields: Mapping[str, Any], *names: str) -> str:
    for name in names:
        found = fields.get(name)
        if isinstance(found, str) and found:
            return found
    return ""
