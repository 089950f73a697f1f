"""Whose a file is by where it stands, and what a view is told of a page beside its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.extensions.seats.model import (
    KINDS,
    LEARNING,
    MEMORY,
    OPERATOR,
    OWN_KINDS,
    SHARED_FOLDERS,
    PageStatus,
)
from memoracle.model.record import TRUST, Channel, Kind, Status
from memoracle.store.notes import NoteFile, channel_facets
from memoracle.times import read_time

STATUS_KEY = "page-status"
"""The name under which a view keeps the status of a page."""
_KINDS_OF_FOLDERS = {folder: kind for kind, folder in SHARED_FOLDERS.items()}
_OWN_FOLDERS = {
    **{kind: kind for kind in OWN_KINDS},
    "decisions": "decision",
    "deliveries": "delivery",
    "issues": "issue",
    "findings": "finding",
}
"""The folders of a project that are memory's own; a published design has its documents under their plural."""
_NOBODYS = frozenset({OPERATOR, "owner", "user"})
_HIDDEN = {PageStatus.SUPERSEDED: Status.SUPERSEDED, PageStatus.QUARANTINED: Status.QUARANTINED}


def owner_of_path(layout: Mapping[str, str], path: str) -> tuple[str, str, str]:
    """Project, seat and kind that a place stands for; empty words where it stands for none."""
    for name in ("page", "learnings", "shared_page"):
        prefix = layout[name].partition("{")[0]
        if not path.startswith(prefix):
            continue
        rest = path.removeprefix(prefix).split("/")
        if name == "learnings":
            return "", MEMORY, LEARNING
        if name == "shared_page":
            return "", MEMORY, _KINDS_OF_FOLDERS.get(rest[0], "")
        if len(rest) == 2 and rest[1].endswith((".json", ".jsonl")):
            return rest[0], MEMORY, ""
        if len(rest) > 2:
            own = _OWN_FOLDERS.get(rest[1], "")
            return rest[0], MEMORY if own else rest[1], own
    return "", "", ""


def facets_of(note: NoteFile, layout: Mapping[str, str], hide: Callable[[str], str]) -> dict[str, Any]:
    """What a passage of this note carries beside its words. A page is its seat's own word, so an agent's."""
    project, seat, kind = owner_of_path(layout, note.path)
    if not seat:
        return channel_facets(note.header)
    held = note.header
    named = held.get("kind")
    status = str(held.get("status") or PageStatus.OPEN) if held else ""
    known = named if isinstance(named, str) and (named in KINDS or is_own_kind(named)) else kind
    found: dict[str, Any] = {
        "project": project,
        "seat": seat,
        "who": author_of(held, seat),
        "kind": known or "page",
        "at": moment_of(held) or note.at,
    }
    if held:
        found |= {"channel": Channel.AGENT.value, "trust": TRUST[Channel.AGENT]}
        found |= {"key": STATUS_KEY, "value": hide(status)}
    if status in set(PageStatus):
        found["status"] = _HIDDEN.get(PageStatus(status), Status.ACTIVE)
    return found


def is_own_kind(named: str) -> bool:
    """True for a word that seats may have as a kind of their own, and that no record's kind is."""
    return re.fullmatch(r"[a-z][a-z0-9_]{2,40}", named) is not None and named not in set(Kind)


def author_of(held: Mapping[str, Any], seat: str) -> str:
    """Who wrote it: in memory's own places the seat that its header names, elsewhere the seat whose place it is."""
    author = held.get("author")
    if seat != MEMORY or not isinstance(author, str) or author in _NOBODYS:
        return seat
    return author if re.fullmatch(r"[a-z][a-z0-9_\-]{0,40}", author) else seat


def moment_of(held: Mapping[str, Any]) -> Any:
    """The instant a header names; None when it names none that can be read."""
    for name in ("ts", "created_at", "scanned_at"):
        try:
            return read_time(str(held.get(name) or ""))
        except MemoracleError:
            continue
    return None
