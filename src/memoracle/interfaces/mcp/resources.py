"""What a client can attach: MEMORY.md, records by id, daily notes. Reading them changes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import unquote

from memoracle.errors import InvalidTime, NotFound
from memoracle.interfaces.mcp.fetching import may_read, note_text, record_document
from memoracle.model.record import Status
from memoracle.model.value import value
from memoracle.store.layouts import NoteRole

if TYPE_CHECKING:
    from memoracle.memory import Memory

HOT = "memoracle://MEMORY.md"
TEMPLATES: Mapping[str, tuple[str, str, str]] = {
    "memoracle://record/{id}": (
        "record",
        "One record, with its origin and its history's neighbours",
        "application/json",
    ),
    "memoracle://daily/{date}": ("daily note", "What happened on a day, as YYYY-MM-DD", "text/markdown"),
}
_DAYS = 14
_URI = re.compile(r"memoracle://(record|daily)/([^/?#]{1,200})")


@value
class Listed:
    """A resource that is there now."""

    uri: str
    name: str
    description: str


def listed(memory: Memory) -> list[Listed]:
    """MEMORY.md and the newest daily notes."""
    hot = Listed(uri=HOT, name="MEMORY.md", description="What should be at hand without asking")
    return [
        hot,
        *(
            Listed(uri=f"memoracle://daily/{day}", name=f"{day}.md", description=f"Daily note of {day}")
            for day in sorted(_days(memory), reverse=True)[:_DAYS]
        ),
    ]


def read(memory: Memory, uri: str) -> tuple[str, str]:
    """The text of a resource and what sort of text it is."""
    if uri == HOT and may_read(memory, memory.store.layout["hot"]):
        return note_text(memory, memory.store.layout["hot"]), "text/markdown"
    found = _URI.fullmatch(uri)
    if found and found[1] == "record":
        record = memory.show(unquote(found[2]))
        if record.status not in {Status.FORGOTTEN, Status.QUARANTINED, Status.WITHDRAWN}:
            return json.dumps(
                record_document(memory, record), ensure_ascii=False, indent=1
            ), "application/json"
    if found and found[1] == "daily":
        day = unquote(found[2])
        try:
            path = _days(memory).get(date.fromisoformat(day).isoformat())
        except ValueError:
            raise InvalidTime(day) from None
        if path and may_read(memory, path):
            return note_text(memory, path), "text/markdown"
    raise NotFound("there is no such resource")


def _days(memory: Memory) -> dict[str, str]:
    from memoracle.store.notes import date_of

    return {
        day.isoformat(): path
        for path, role in memory.store.notes.files().items()
        if role is NoteRole.DAILY and (day := date_of(path))
    }
