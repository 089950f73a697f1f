"""Which reader understands a source, and where hosts keep their memories.

Names and the first lines decide; `--from` overrules them. Nothing is written.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from memoracle.errors import BadInput, UnreadableSource
from memoracle.extensions.exchange.graph_file import import_graph
from memoracle.extensions.exchange.imports.item import (
    FOREIGN,
    Holding,
    ImportedItem,
    gathered,
    left_out,
    lost,
    text_at,
)
from memoracle.extensions.exchange.imports.memory_file import read_memory_file
from memoracle.extensions.exchange.imports.rivals import (
    looks_like_it,
    read_basic_memory,
    read_claude,
    read_codex,
    read_mem0,
)
from memoracle.extensions.exchange.imports.roots import read_lines, read_root
from memoracle.hosts.hygiene import export_of, looks_like
from memoracle.model.value import replace
from memoracle.store.disk import not_walked, walk
from memoracle.store.roots import detect

# The `memory.jsonl` of the reference MCP server as pieces; `graph_file.py` reads its lines.


def read_graph(path: str, place: str) -> Holding:
    """Entities, observations and relations."""
    graph = import_graph(path, trust=FOREIGN)
    return Holding(
        pieces=tuple(ImportedItem(draft=draft, place=place) for draft in graph.drafts),
        findings=tuple(replace(finding, path=place) for finding in graph.findings),
    )


_LOOKED_AT = 20
_WORDS = re.compile(
    rb'"(?:memory|text|data|content|relationship|relation)"\s*:\s*"|"(?:results|memories)"\s*:\s*\['
)


class ImportShape(StrEnum):
    """What a source can be."""

    SEED_LAYOUT = "seed-layout"
    OPENCLAW = "openclaw"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    BASIC_MEMORY = "basic-memory"
    MEM0 = "mem0"
    MCP = "mcp"
    MARKDOWN = "markdown"
    MEMORACLE = "memoracle"


def locate(source: str, *, home: str, environment: Mapping[str, str]) -> str:
    """The place that a source names: itself, or where a host of that name keeps its memories."""
    path = os.path.expanduser(source)
    if os.path.exists(path):
        return os.path.realpath(path)
    state = environment.get("OPENCLAW_STATE_DIR") or f"{home}/.openclaw"
    homes = {
        ImportShape.CLAUDE_CODE: environment.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude",
        ImportShape.CODEX: environment.get("CODEX_HOME") or f"{home}/.codex",
        ImportShape.OPENCLAW: environment.get("OPENCLAW_WORKSPACE_DIR") or f"{state}/workspace",
    }
    place = homes.get(ImportShape(source)) if source in ImportShape.__members__.values() else None
    if place and os.path.isdir(place):
        return os.path.realpath(place)
    looked = f" ({place})" if place else ""
    raise BadInput(
        f"there is nothing at {source}{looked}", "name a file, a folder, or claude-code, codex, openclaw"
    )


def recognise(path: str) -> ImportShape:
    """What stands at a place."""
    _must_be_readable(path)
    try:
        shape = _folder(path) if os.path.isdir(path) else _file(path)
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem}") from None
    if shape is None:
        known = ", ".join(ImportShape)
        seems = _seems(path)
        because = f"; it looks like {seems}" if seems else ""
        hint = f"say what it is with --from: {known}"
        if seems.startswith("an export of"):
            hint = f"it holds conversations, and no reader for them is here; memories are read from: {known}"
        raise UnreadableSource(f"nobody here reads what {path} holds{because}", hint)
    return shape


def read_source(path: str, shape: ImportShape) -> Holding:
    """All that a source holds."""
    _must_be_readable(path)
    try:
        held = _read(path, shape)
        if not os.path.isdir(path):
            return held
        unread = tuple(
            lost(place, None, why) if os.path.islink(f"{path}/{place}") else left_out(place, why)
            for place, why in not_walked(path)
        )
        return replace(held, findings=(*held.findings, *unread))
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem}") from None


def _read(path: str, shape: ImportShape) -> Holding:
    is_folder = os.path.isdir(path)
    place = os.path.basename(path)
    if shape in _FILES and is_folder:
        raise BadInput(f"{shape} is a file, and {path} is a folder")
    if shape is ImportShape.MEM0:
        return read_mem0(path, place)
    if shape is ImportShape.MCP:
        return read_graph(path, place)
    if shape is ImportShape.MARKDOWN:
        return _markdown(path, place, is_folder=is_folder)
    if not is_folder:
        if shape in _ROOTS and place.endswith(".md"):
            return read_memory_file(path, place)
        if shape in _ROOTS:
            return read_lines(path, place)
        raise BadInput(f"{shape} is a folder, and {path} is a file")
    if shape is ImportShape.CLAUDE_CODE:
        return read_claude(path)
    if shape is ImportShape.CODEX:
        return read_codex(path)
    if shape is ImportShape.BASIC_MEMORY:
        return read_basic_memory(path)
    return read_root(path, layout_at(path, shape))


def layout_at(path: str, shape: ImportShape) -> str:
    """The layout of a directory: what its settings say, what it looks like, or what it was called."""
    named = _settled(path)
    if named:
        return named
    found = detect(path)
    if shape is ImportShape.OPENCLAW and found not in {"openclaw", "v4"}:
        return "openclaw"
    if found is None:
        raise BadInput(
            f"{path} looks like none of the known layouts", "name the folder that holds the memory"
        )
    return found


_FILES = frozenset({ImportShape.MEM0, ImportShape.MCP})
_ROOTS = frozenset({ImportShape.SEED_LAYOUT, ImportShape.OPENCLAW, ImportShape.MEMORACLE})


def _must_be_readable(path: str) -> None:
    """A plain file or a folder: a pipe or a device could make a reader wait for ever."""
    if not (os.path.isdir(path) or os.path.isfile(path)):
        raise BadInput(f"{path} is neither a file nor a folder")


def _markdown(path: str, place: str, *, is_folder: bool) -> Holding:
    if not is_folder:
        return read_memory_file(path, place)
    return gathered(read_memory_file(f"{path}/{name}", name) for name in walk(path, "", (".md",)))


def _folder(path: str) -> ImportShape | None:
    if os.path.isfile(f"{path}/memoracle.toml"):
        return ImportShape.MEMORACLE
    names = set(os.listdir(path))
    if os.path.basename(path) == ".claude" or _is_auto_memory(path) or _has_auto_memory(path):
        return ImportShape.CLAUDE_CODE
    if "memory_summary.md" in names or os.path.isfile(f"{path}/memories/memory_summary.md"):
        return ImportShape.CODEX
    found = detect(path)
    if found:
        return {"native": ImportShape.MEMORACLE, "openclaw": ImportShape.OPENCLAW}.get(
            found, ImportShape.SEED_LAYOUT
        )
    for name in list(walk(path, "", (".md",)))[:_LOOKED_AT]:
        if looks_like_it(text_at(f"{path}/{name}", name)[0]):
            return ImportShape.BASIC_MEMORY
    return ImportShape.MARKDOWN if any(walk(path, "", (".md",))) else None


def _is_auto_memory(path: str) -> bool:
    if os.path.basename(path) != "memory":
        return False
    files = [name for name in walk(path, "", (".md",)) if name != "MEMORY.md"][:_LOOKED_AT]
    return any(name.startswith(("user_", "feedback_", "project_", "reference_")) for name in files)


def _has_auto_memory(path: str) -> bool:
    projects = f"{path}/projects" if os.path.isdir(f"{path}/projects") else path
    return any(_is_auto_memory(f"{projects}/{slug}/memory") for slug in sorted(os.listdir(projects)))


def _seems(path: str) -> str:
    """What a place looks like that no reader here understands."""
    if os.path.isdir(path):
        return "an empty folder" if not os.listdir(path) else ""
    with open(path, "rb") as file:
        return looks_like(file.read(1 << 20))


def _holds_memories(head: bytes) -> bool:
    """True for the beginning of a JSON document whose entries carry words as mem0 writes them, or relations."""
    return _WORDS.search(head) is not None and not export_of(head)


def _file(path: str) -> ImportShape | None:
    if path.endswith(".md"):
        return ImportShape.MARKDOWN
    with open(path, "rb") as file:
        head = file.read(1 << 20)
    first = next((line for line in head.split(b"\n") if line.strip()), b"")
    try:
        fields: Any = json.loads(first)
    except (ValueError, RecursionError):
        is_document = path.endswith(".json") and head.lstrip()[:1] in {b"[", b"{"}
        return ImportShape.MEM0 if is_document and _holds_memories(head) else None
    if isinstance(fields, dict):
        if fields.get("type") in {"entity", "relation"}:
            return ImportShape.MCP
        if "schema" in fields:
            return ImportShape.MEMORACLE
        older = (
            frozenset({"schema_version", "kind"}),
            frozenset({"memory_id"}),
            frozenset({"subject", "predicate"}),
        )
        if any(fields.keys() >= marks for marks in older) or {"content", "created"} <= fields.keys():
            return ImportShape.SEED_LAYOUT
        if {"memory", "results", "memories"} & fields.keys():
            return ImportShape.MEM0
        return None
    return ImportShape.MEM0 if isinstance(fields, list) and _holds_memories(head) else None


def _settled(path: str) -> str:
    """The layout that the settings of a root name."""
    import tomllib

    try:
        with open(f"{path}/memoracle.toml", "rb") as file:
            named = tomllib.load(file).get("layout", "native")
    except (OSError, ValueError):
        return ""
    return named if isinstance(named, str) else ""
