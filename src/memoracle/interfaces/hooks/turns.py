"""The current turn, from the end of a transcript: which prompt began it, and what the agent said last in it.

Looks at the last megabyte alone. Knows the four hosts' lines by their signs; whatever else stands there is passed over.
"""

from __future__ import annotations

import json
import os
from typing import Any

from memoracle.model.value import value

_LOOK = 1 << 20


@value
class Spoken:
    """Who said something, what, and the id of the line."""

    is_agent: bool
    text: str
    id: str


@value
class CurrentTurn:
    """The turn a transcript ends with; empty where nothing is known."""

    prompt: str = ""
    said: str = ""


def current_turn(path: str) -> CurrentTurn:
    """What the end of a transcript tells."""
    said, group = "", None
    for raw in reversed(_last_lines(path)):
        spoken = _spoken(raw)
        if spoken is None:
            continue
        if not spoken.is_agent:
            return CurrentTurn(prompt=spoken.id, said=said)
        if not said and spoken.text.strip():
            said, group = spoken.text, spoken.id
        elif group and spoken.id == group:  # one message over several lines
            said = f"{spoken.text}\n{said}"
    return CurrentTurn(said=said)


def _last_lines(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - _LOOK))
            lines = file.read(_LOOK).split(b"\n")
    except (OSError, ValueError):
        return []
    return lines[1:] if size > _LOOK else lines


def _spoken(raw: bytes) -> Spoken | None:
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
    return Spoken(is_agent=is_agent, text=text, id=str(name))


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
