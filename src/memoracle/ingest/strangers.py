"""Files that nobody here reads, by what they look like, so that people are told what they hold in their hands.

The first bytes decide. Inside a JSON text quotation marks are escaped, so a bare key is a key.
"""

from __future__ import annotations

import re

READ_HERE = (
    "sessions of Claude Code, Codex, Gemini CLI and OpenClaw; JSON lines or a JSON list whose entries say who (`role`, "
    "`speaker`) and what (`text`, `content`); Markdown and text with `Name: words` or a heading per turn"
)
"""What `ingest` understands, in a sentence."""

_BYTES = (
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"%PDF-", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xff\xfe", "text in UTF-16; save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16; save it as UTF-8"),
    (b"SQLite format 3\0", "an SQLite database"),
)
_KEYS = (
    (("mapping", "parent", "children"), "an export of ChatGPT"),
    (("chat_messages",), "an export of Claude.ai"),
    (("chat", "history", "currentId"), "an export of Open WebUI"),
    (("header", "products", "titleUrl"), "an export of Google Takeout"),
)


def looks_like(start: bytes) -> str:
    """What a file that begins with `start` seems to be, when it is something known that nobody here reads."""
    if not start.strip():
        return "an empty file"
    for sign, name in _BYTES:
        if start.startswith(sign):
            return name
    if exported := export_of(start):
        return exported
    if b"\0" in start[:4096].strip(b"\0"):
        return "binary data"
    return "a web page" if start.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")) else ""


def export_of(start: bytes) -> str:
    """The program whose export of conversations this is the beginning of; empty for any other file."""
    if start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in {b"[", b"{"}:
        return ""
    return next((name for keys, name in _KEYS if all(_has_key(start, key) for key in keys)), "")


def _has_key(start: bytes, key: str) -> bool:
    return re.search(rb'(?<!\\)"%s"\s*:' % key.encode(), start) is not None
