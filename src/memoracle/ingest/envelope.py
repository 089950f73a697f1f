"""OpenClaw's wrapping around what somebody wrote in a chat.

The gateway puts a stamp such as `[Telegram Ada Mon 2026-02-23 16:05 GMT+8]` and blocks of untrusted
metadata before a message, and sometimes context after it. Here they come off; only the sender's
name is kept, because it says who speaks.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

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


class Envelope(NamedTuple):
    """What was written, by whom if that is told, and whether it was said to a group."""

    text: str
    sender: str | None = None
    group: bool = False
    cron: bool = False


def unwrap(text: str) -> Envelope:
    """The message inside its wrapping."""
    if not _looks_wrapped(text):
        return Envelope(text)
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
    text = _CRON.sub("", text, count=1) if cron else text
    trailer = _TRAILER.search(text)
    if trailer is not None:
        text = text[: trailer.start()]
    return Envelope(_MESSAGE_ID.sub("", text).strip(), sender, group, cron)


def _looks_wrapped(text: str) -> bool:
    return "(untrusted" in text or "[message_id:" in text or text.lstrip().startswith(("[", "System"))


def _open_block(text: str) -> tuple[str, dict[str, Any], str] | None:
    """The first piece of wrapping, its facts, and the text behind it; None when there is none."""
    header = _HEADER.match(text) or _WINDOW.match(text)
    if header is not None:
        body = _fenced(text[header.end() :])
        if body is not None:
            return header.groupdict().get("block", ""), *body
        return None
    stamp = _STAMP.match(text)
    if stamp is not None and _INSIDE.match(stamp["inside"]):
        return "stamp", {}, text[stamp.end() :]
    line = _SYSTEM_LINE.match(text)
    if line is not None:
        return "system", {}, text[line.end() :].lstrip()
    return None


def _fenced(body: str) -> tuple[dict[str, Any], str] | None:
    body = body.lstrip()
    if body.startswith("```"):
        start = body.find("\n") + 1
        end = body.find("\n```", max(start - 1, 0))
        if not start or end < 0:
            return None
        behind = body.find("\n", end + 1)
        return _facts(body[start:end]), "" if behind < 0 else body[behind:].lstrip()
    try:
        facts, end = _DECODER.raw_decode(body)
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else {}, body[end:].lstrip()


def _facts(text: str) -> dict[str, Any]:
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _name(facts: dict[str, Any]) -> str | None:
    for key in ("name", "sender", "label", "username"):
        value = facts.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()[:100]
    return None
