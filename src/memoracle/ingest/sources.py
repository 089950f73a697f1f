"""Which reader understands which file.

The first lines decide; the name of the file helps only where they leave it open. Looking reads at most
256 KiB and never more than the beginning.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Any

from memoracle.ingest import markdown, plain
from memoracle.ingest.lines import UNPACK_ERRORS, parse, read_start
from memoracle.ingest.strangers import READ_HERE, export_of, looks_like
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value

_LOOK = 256 * 1024
_MOST_LINES = 40
_SQLITE = b"SQLite format 3\0"


class Shape(StrEnum):
    """The forms in which conversations come."""

    OPENCLAW = "openclaw"
    OPENCLAW_DB = "openclaw-db"
    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"
    GEMINI_FILE = "gemini-file"
    PLAIN = "plain"
    PLAIN_FILE = "plain-file"
    MARKDOWN = "markdown"
    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    PACK = "pack"


@value
class Source:
    """A file and the form it has."""

    path: Path
    shape: Shape


_CLAUDE_TYPES = frozenset(
    """summary file-history-snapshot queue-operation custom-title ai-title last-prompt agent-name
    content-replacement pr-link permission-mode""".split()
)
_OPENCLAW_TYPES = frozenset(
    """session compaction custom custom_message branch_summary model_change thinking_level_change label
    session_info leaf reset""".split()
)
_CODEX_TYPES = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"}
)
# For a first line too long to be parsed: keys that only one host writes.
_SIGNS = (
    (b'"parentUuid"', Shape.CLAUDE),
    (b'"type":"session_meta"', Shape.CODEX),
    (b'"payload":{', Shape.CODEX),
    (b'"parentId"', Shape.OPENCLAW),
    (b'"type":"session","', Shape.OPENCLAW),
    (b'"projectHash"', Shape.GEMINI),
    (b'"haystack_sessions"', Shape.LONGMEMEVAL),
    (b'"dia_id"', Shape.LOCOMO),
    (b'"spaces"', Shape.PACK),
)
_DOCUMENTS = (
    (b'"haystack_session', Shape.LONGMEMEVAL),
    (b'"conversation"', Shape.LOCOMO),
    (b'"spaces"', Shape.PACK),
    (b'"projectHash"', Shape.GEMINI_FILE),
    (b'"sessionId"', Shape.GEMINI_FILE),
)
_NAMES = (
    (re.compile(r"(?:^|/)rollout-[^/]*\.jsonl"), Shape.CODEX),
    (re.compile(r"/agents/[^/]+/sessions/(?:[^/]+/)?[^/]+\.jsonl"), Shape.OPENCLAW),
    (re.compile(r"/projects/[^/]+/(?:[^/]+/subagents/)?[^/]+\.jsonl"), Shape.CLAUDE),
    (re.compile(r"/chats/(?:[^/]+/)?[^/]+\.jsonl"), Shape.GEMINI),
)


def recognise(path: Path) -> Source | Finding:
    """The source at `path`, or the finding that says why it is none."""
    try:
        start = read_start(path, _LOOK)
    except UNPACK_ERRORS as error:
        return _finding("unreadable-file", path, f"could not be read: {error}")
    shape = shape_of(path, start)
    if shape is None:
        stranger = looks_like(start)
        because = f"it looks like {stranger}" if stranger else "no conversation was recognised in it"
        return _finding("unread-export" if export_of(start) else "unknown-shape", path, because)
    return Source(path=path, shape=shape)


def shape_of(path: Path, start: bytes) -> Shape | None:
    """The form of a file that begins with `start`."""
    if start.startswith(_SQLITE):
        return Shape.OPENCLAW_DB
    start = start.lstrip(b"\0").removeprefix(b"\xef\xbb\xbf")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if ".md" in suffixes or ".markdown" in suffixes or ".txt" in suffixes:
        return Shape.MARKDOWN if markdown.looks_like_chat(start.decode("utf-8", "replace")) else None
    shape = _shape_of_lines(start)
    if shape in {None, Shape.PLAIN}:
        if export_of(start):
            return None  # its words would be read as somebody else's, or not at all
        if ".jsonl" not in suffixes:
            shape = _shape_of_document(start) or shape
    return shape or _shape_by_name(path)


def _shape_of_lines(start: bytes) -> Shape | None:
    votes: Counter[Shape] = Counter()
    for raw in start.split(b"\n")[:_MOST_LINES]:
        entry, _ = parse(raw)
        vote = None if entry is None else _shape_of_entry(entry)
        if vote is not None:
            votes[vote] += 1
    # One line of a known host outweighs any number that could be anybody's.
    hosts = Counter({shape: count for shape, count in votes.items() if shape is not Shape.PLAIN})
    if hosts or votes:
        return (hosts or votes).most_common(1)[0][0]
    if not start.lstrip().startswith(b"{"):
        return None
    first = start.split(b"\n", 1)[0]
    return next((shape for sign, shape in _SIGNS if sign in first), None)


def _shape_of_entry(entry: dict[str, Any]) -> Shape | None:
    kind = entry.get("type")
    if "parentUuid" in entry or ("uuid" in entry and "sessionId" in entry) or kind in _CLAUDE_TYPES:
        return Shape.CLAUDE
    if kind in _CODEX_TYPES and isinstance(entry.get("payload"), dict):
        return Shape.CODEX
    if "$set" in entry or "$rewindTo" in entry or ("sessionId" in entry and "startTime" in entry):
        return Shape.GEMINI_FILE if entry.get("messages") else Shape.GEMINI
    if kind in _OPENCLAW_TYPES and ("id" in entry or "timestamp" in entry):
        return Shape.OPENCLAW
    if kind == "message":
        return _shape_of_message(entry)
    if kind in {"user", "gemini"} and "content" in entry and "id" in entry and "role" not in entry:
        return Shape.GEMINI
    if isinstance(entry.get("spaces"), list):
        return Shape.PACK
    if isinstance(entry.get("messages"), list) or _speaks(entry):
        return Shape.PLAIN
    return None


def _shape_of_message(entry: dict[str, Any]) -> Shape | None:
    if isinstance(entry.get("message"), dict) or "parentId" in entry:
        return Shape.OPENCLAW
    content = entry.get("content")
    blocks = content if isinstance(content, list) else []
    kinds = {block.get("type") for block in blocks if isinstance(block, dict)}
    if kinds & {"input_text", "output_text"}:
        return Shape.CODEX
    return Shape.OPENCLAW if "role" in entry else None


def _speaks(entry: dict[str, Any]) -> bool:
    return any(key in entry for key in plain.WHO) and any(key in entry for key in plain.WHAT)


def _shape_of_document(start: bytes) -> Shape | None:
    stripped = start.lstrip()
    if stripped[:1] not in {b"[", b"{"}:
        return None
    for sign, shape in _DOCUMENTS:
        if sign in start:
            return shape
    names = {json.dumps(key).encode() for key in (*plain.WHO, *plain.WHAT, "messages")}
    return Shape.PLAIN_FILE if any(name in start for name in names) else None


def _shape_by_name(path: Path) -> Shape | None:
    name = path.as_posix()
    return next((shape for pattern, shape in _NAMES if pattern.search(name)), None)


def _finding(code: str, path: Path, message: str) -> Finding:
    return Finding(
        code=code,
        severity=Severity.WARNING,
        path=str(path),
        message=message,
        hint=f"what can be read: {READ_HERE}" if code != "unreadable-file" else None,
    )
