"""The text behind a citation: a file of this memory, or the lines `path#Lx-Ly` of it. Read only, secrets masked."""

from __future__ import annotations

import re

from memoracle.errors import MemoracleError
from memoracle.store.store import Store

_CITED = re.compile(r"(?P<path>[^#]{1,1000})(?:#L(?P<first>\d{1,9})(?:-L(?P<last>\d{1,9}))?)?")
_LARGEST = 8 << 20


def cited_text(store: Store, cited: str) -> str | None:
    """What stands there; None for what is no file of this memory, or has no such lines."""
    found = _CITED.fullmatch(cited.strip())
    if found is None or _is_inner(store, found["path"]):
        return None
    try:
        content = store.volume.read(found["path"])
    except (OSError, MemoracleError):
        return None
    if not content or len(content) > _LARGEST:
        return None
    text = store.guard.hide(content.decode("utf-8", "replace"))
    if not found["first"]:
        return text
    lines = text.split("\n")
    first, last = int(found["first"]), int(found["last"] or found["first"])
    if not 1 <= first <= last <= len(lines):
        return None
    return "\n".join(lines[first - 1 : last])


def _is_inner(store: Store, path: str) -> bool:
    """True for what a memory keeps for itself: nobody cites it."""
    own = (store.layout[name] for name in ("state", "index", "quarantine", "trash", "settings", "events"))
    first = path.replace("\\", "/")
    return any(first == folder or first.startswith(f"{folder}/") for folder in (*own, "keys", "usage"))


def is_of_records(store: Store, cited: str) -> bool:
    """True for a place in a file of records, where old versions stand beside the new."""
    kept = (
        store.layout[f"{age}{name}"]
        for age in ("", "archived_")
        for name in ("facts", "beliefs", "summaries")
    )
    return cited.strip().partition("#")[0] in kept
