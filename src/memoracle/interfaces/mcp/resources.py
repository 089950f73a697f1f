"""What a client can attach: MEMORY.md, records by id, daily notes. Reading them changes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoracle.errors import NotFound
from memoracle.interfaces.mcp.fetching import NOT_SHOWN, may_read, note_text, record_document

if TYPE_CHECKING:
    from memoracle.memory import Memory

HOT = "memoracle://MEMORY.md"
_MARKDOWN = "text/markdown"
_TEMPLATES: Mapping[str, tuple[str, str, str]] = {
    "memoracle://record/{id}": (
        "record",
        "One record, with its origin and its history's neighbours",
        "application/json",
    ),
    "memoracle://daily/{date}": ("daily note", "What happened on a day, as YYYY-MM-DD", _MARKDOWN),
}
TEMPLATES = [
    {"uriTemplate": uri, "name": name, "description": says, "mimeType": kind}
    for uri, (name, says, kind) in _TEMPLATES.items()
]
_DAYS = 14
_URI = re.compile(r"memoracle://(record|daily)/([^/?#]{1,200})")


def listed(memory: Memory) -> list[dict[str, Any]]:
    """MEMORY.md and the newest daily notes."""
    rows = [(HOT, "MEMORY.md", "What should be at hand without asking")]
    newest = sorted(_days(memory), reverse=True)[:_DAYS]
    rows += [(f"memoracle://daily/{day}", f"{day}.md", f"Daily note of {day}") for day in newest]
    return [
        {"uri": uri, "name": name, "description": says, "mimeType": _MARKDOWN} for uri, name, says in rows
    ]


def completed(memory: Memory, params: Mapping[str, Any]) -> dict[str, Any]:
    """The days that go on as somebody has begun to type one, newest first; other arguments are their own words."""
    ref, argument = params.get("ref"), params.get("argument")
    known: list[str] = []
    if isinstance(ref, dict) and isinstance(argument, dict) and ref.get("uri") == "memoracle://daily/{date}":
        begun = str(argument.get("value", ""))
        known = [day for day in sorted(_days(memory), reverse=True) if day.startswith(begun)]
    most = 100  # of the protocol
    return {"completion": {"values": known[:most], "total": len(known), "hasMore": len(known) > most}}


def read(memory: Memory, uri: str) -> tuple[str, str]:
    """The text of a resource and what sort of text it is."""
    from urllib.parse import unquote

    if uri == HOT and may_read(memory, memory.store.layout["hot"]):
        return note_text(memory, memory.store.layout["hot"]), _MARKDOWN
    found = _URI.fullmatch(uri)
    if found and found[1] == "record":
        record = memory.show(unquote(found[2]))
        if record.status not in NOT_SHOWN:
            return json.dumps(
                record_document(memory, record), ensure_ascii=False, indent=1
            ), "application/json"
    if found and found[1] == "daily":
        path = _days(memory).get(unquote(found[2]))
        if path and may_read(memory, path):
            return note_text(memory, path), _MARKDOWN
    raise NotFound("there is no such resource")


def _days(memory: Memory) -> dict[str, str]:
    from memoracle.store.layouts import NoteRole
    from memoracle.store.notes import date_of

    return {
        day.isoformat(): path
        for path, role in memory.store.notes.files().items()
        if role is NoteRole.DAILY and (day := date_of(path))
    }
