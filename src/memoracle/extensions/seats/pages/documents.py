"""Index files that clawseat's tools expect beside pages: derived, the same bytes for the same pages.

Each file has one owner, which is this module: nothing else writes them, and they hold nothing but pages. Deleting
them loses nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from memoracle.extensions.seats.model import Page
from memoracle.text import normalise

VERSION = 1
_WIKILINK = re.compile(r"\[\[([^\[\]|#\n]{1,200})(?:#[^\[\]|\n]{0,200})?(?:\|[^\[\]\n]{0,200})?\]\]")
_SEARCHED = ("title", "detail", "kind", "status", "seat", "task_id")

Stat = Callable[[str], tuple[int, int]]
"""The size and the modification time of a file."""


def index_documents(
    layout: Mapping[str, str], pages: Sequence[Page], stat: Stat, *, only: str = ""
) -> dict[str, bytes]:
    """The documents of all projects, or of one, by relative path; none where a layout has no place for them."""
    if "project_index" not in layout:
        return {}
    by_project: dict[str, list[Page]] = {}
    for page in sorted(pages, key=lambda page: page.path):
        if page.project:
            by_project.setdefault(page.project, []).append(page)
    made: dict[str, bytes] = {}
    for project, own in sorted(by_project.items()):
        if only and project != only:
            continue
        for name, content in (("files", files(own, stat)), ("search", search(own)), ("links", links(own))):
            made[layout["project_index"].format(project=project, name=name)] = _document(content)
        made[layout["project_timeline"].format(project=project)] = _lines(timeline(own))
    if not only:
        made[layout["root_index"]] = _document(root_index(by_project))
    return made


def files(pages: Iterable[Page], stat: Stat) -> dict[str, Any]:
    """Every page's header, with where it stands."""
    rows = []
    for page in pages:
        size, modified = stat(page.path)
        rows.append({**_plain(page.fields), "path": page.path, "size": size, "mtime": modified})
    return {"version": VERSION, "files": rows}


def search(pages: Iterable[Page]) -> dict[str, Any]:
    """Pairs of neighbouring characters in headers, and the pages that hold them."""
    found: dict[str, set[str]] = {}
    for page in pages:
        text = normalise(" ".join(str(page.fields.get(name) or "") for name in _SEARCHED))
        for word in text.split():
            for at in range(len(word) - 1):
                found.setdefault(word[at : at + 2], set()).add(page.path)
    return {"version": VERSION, "bigrams": {pair: sorted(found[pair]) for pair in sorted(found)}}


def links(pages: Sequence[Page]) -> dict[str, Any]:
    """What pages link to by `[[name]]`."""
    edges = {
        (page.path, target)
        for page in pages
        for found in _WIKILINK.finditer(page.body)
        if (target := found[1].strip())
    }
    nodes = {page.path for page in pages} | {target for _, target in edges}
    return {
        "version": VERSION,
        "nodes": sorted(nodes),
        "edges": [{"from": source, "to": target} for source, target in sorted(edges)],
    }


def timeline(pages: Iterable[Page]) -> list[dict[str, Any]]:
    """Pages by time."""
    return [
        {"ts": str(page.fields.get("ts") or ""), "path": page.path, "kind": page.kind}
        for page in sorted(pages, key=lambda page: (page.ts.timestamp() if page.ts else 0.0, page.path))
    ]


def root_index(by_project: Mapping[str, Sequence[Page]]) -> dict[str, Any]:
    """How much each project holds."""
    projects = {}
    for project, pages in sorted(by_project.items()):
        kinds: dict[str, int] = {}
        for page in pages:
            kinds[page.kind] = kinds.get(page.kind, 0) + 1
        last = max((str(page.fields.get("ts") or "") for page in pages), default="")
        projects[project] = {"file_count": len(pages), "kinds": dict(sorted(kinds.items())), "last_ts": last}
    return {"version": VERSION, "projects": projects}


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: held for name, held in fields.items() if name not in {"path", "size", "mtime"}}


def _document(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for row in rows)
