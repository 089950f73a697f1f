"""What coding agents keep by themselves: Claude Code's auto-memory, and Codex's memories.

Agents wrote these, so agents are their origin. Claude Code keeps one fact per file, `type` says which sort; its
MEMORY.md is an index, and only lines that lead nowhere are read there. Codex keeps a MEMORY.md and a summary of
it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from memoracle.errors import InvalidDraft
from memoracle.ingest.imports.blocks import cut
from memoracle.ingest.imports.memory_file import pieces_in, read_memory_file
from memoracle.ingest.imports.piece import (
    Holding,
    Piece,
    drafted,
    gathered,
    lost,
    moment,
    name_for,
    passed_over,
    text_at,
)
from memoracle.model.origin import Channel
from memoracle.model.record import Kind
from memoracle.model.scope import Scope
from memoracle.model.value import replace
from memoracle.store import frontmatter
from memoracle.store.contain import walk

_TYPES = {"feedback": (Kind.LESSON, 0.8), "user": (Kind.FACT, 0.8), "project": (Kind.FACT, 0.5)}
_LINK = re.compile(r"\[[^\]]{0,300}\]\(([^)\s]{1,300})\)")
_CODEX = {"MEMORY.md": (), "memory_summary.md": ("summary",)}
_CODEX_ELSE = {
    "raw_memories.md": "what Codex made MEMORY.md of",
    "rollout_summaries": "summaries of single sessions; `memoracle ingest codex` reads the sessions themselves",
    "skills": "skills, not memories",
}


def read_claude(folder: str) -> Holding:
    """Every memory folder below a Claude Code home, its `projects`, or one memory folder."""
    folders = list(_memory_folders(folder))
    if not folders:
        return Holding(findings=(lost(folder, None, "there is no auto-memory in it"),))
    return gathered(_claude_folder(path, slug) for path, slug in folders)


def read_codex(folder: str) -> Holding:
    """The memories of a Codex home, or of its `memories` folder."""
    home = os.path.join(folder, "memories") if os.path.isdir(os.path.join(folder, "memories")) else folder
    parts = [
        read_memory_file(os.path.join(home, name), name, channel=Channel.AGENT, tags=("codex", *tags))
        for name, tags in _CODEX.items()
        if os.path.isfile(os.path.join(home, name))
    ]
    left = [
        passed_over(name, because)
        for name, because in _CODEX_ELSE.items()
        if os.path.exists(os.path.join(home, name))
    ]
    if not parts:
        left.append(lost(home, None, "neither MEMORY.md nor memory_summary.md is there"))
    return gathered([*parts, Holding(findings=tuple(left))])


def _memory_folders(folder: str) -> Iterator[tuple[str, str]]:
    """Memory folders and the project each belongs to."""
    if os.path.basename(os.path.normpath(folder)) == "memory":
        parent = os.path.dirname(os.path.normpath(os.path.abspath(folder)))
        slug = os.path.basename(parent)
        yield folder, slug if os.path.basename(os.path.dirname(parent)) == "projects" else ""
        return
    inner = os.path.join(folder, "projects")
    projects = inner if os.path.isdir(inner) else folder
    for slug in sorted(os.listdir(projects)):
        memory = os.path.join(projects, slug, "memory")
        if os.path.isdir(memory) and not os.path.islink(memory):
            yield memory, slug


def _claude_folder(folder: str, slug: str) -> Holding:
    scope = Scope(project=name_for("project", slug.strip("-"))) if slug.strip("-") else Scope()
    held = [
        _claude_file(os.path.join(folder, name), f"{slug}/memory/{name}" if slug else name, scope)
        for name in walk(folder, "", (".md",))
        if name != "MEMORY.md"
    ]
    index = os.path.join(folder, "MEMORY.md")
    if os.path.isfile(index):
        held.append(_claude_index(folder, f"{slug}/memory/MEMORY.md" if slug else "MEMORY.md", scope))
    return gathered(held)


def _claude_file(path: str, place: str, scope: Scope) -> Holding:
    text, findings = text_at(path, place)
    note = frontmatter.parse(text, path=place)
    if note.finding:
        findings.append(note.finding)
    header, body = note.fields, note.body.strip()
    named, says = _word(header, "name"), _word(header, "description")
    type_ = _word(header, "type") or _word(_inner(header), "type")
    kind, importance = _TYPES.get(type_, (Kind.FACT, 0.5))
    words = [one for one in (named, says) if one and one not in body]
    observed = moment(header.get("modified")) or moment(_inner(header).get("modified")) or _changed(path)
    try:
        draft = drafted(
            "\n".join([*words, body]).strip(),
            channel=Channel.AGENT,
            where=f"{place}#L{note.body_line}",
            kind=kind,
            importance=importance,
            observed=observed,
            tags=("claude-code", type_),
            scope=scope,
        )
    except InvalidDraft as problem:
        return Holding(findings=(*findings, lost(place, None, str(problem))))
    piece = Piece(draft=draft, place=place, line=note.body_line, foreign=f"claude-code:{place}")
    return Holding(pieces=(piece,), findings=tuple(findings))


def _claude_index(folder: str, place: str, scope: Scope) -> Holding:
    """Lines of the index that are no links to a file that is there."""
    text, findings = text_at(os.path.join(folder, "MEMORY.md"), place)
    page = cut(text)
    rest = [
        block
        for block in page.blocks
        if not any(
            os.path.isfile(os.path.join(folder, os.path.basename(to))) for to in _LINK.findall(block.text)
        )
    ]
    held = pieces_in(
        replace(page, blocks=tuple(rest)), place, channel=Channel.AGENT, tags=("claude-code",), scope=scope
    )
    return replace(held, findings=(*findings, *held.findings))


def _inner(header: Any) -> dict[str, Any]:
    inner = header.get("metadata")
    return inner if isinstance(inner, dict) else {}


def _word(header: Any, name: str) -> str:
    said = header.get(name)
    return " ".join(said.split()) if isinstance(said, str) else ""


def _changed(path: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(os.path.getmtime(path)), UTC)
    except (OSError, OverflowError, ValueError):
        return None
