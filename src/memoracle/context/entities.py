"""Pages of entities as documents: what each says, and the name of its file. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any, Protocol

from memoracle.errors import InvalidName
from memoracle.model.ids import content_key
from memoracle.model.names import check_name
from memoracle.text import normalise, shorten
from memoracle.zone import day_in

_ODD = re.compile(r"[^\w.\-]+")
_LONGEST_NAME = 60
_SHOWN = 200


class Mentioning(Protocol):
    """A record that mentions an entity."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def text(self) -> str:
        """Its words."""


class Page(Protocol):
    """What is known of one entity; a name belongs to one page alone."""

    @property
    def name(self) -> str:
        """What it is called most."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """What else it is called."""

    @property
    def type(self) -> str:
        """Person, place, project and so on."""

    @property
    def facts(self) -> Sequence[Mentioning]:
        """The records that mention it."""

    @property
    def beliefs(self) -> Sequence[Mentioning]:
        """The beliefs that mention it."""

    @property
    def first_seen(self) -> datetime | None:
        """When it was met first."""

    @property
    def related(self) -> tuple[tuple[str, int], ...]:
        """Which other entities are mentioned with it, and how often."""


def entity_id(name: str) -> str:
    """The file name of a page: its name where that can be one, otherwise with a few digits behind it."""
    folded = " ".join(normalise(name).split())
    slug = _ODD.sub("-", folded).strip("-._")[:_LONGEST_NAME]
    digits = content_key(folded).removeprefix("c_")[:6]
    try:
        return check_name("entity", slug if slug == folded else f"{slug}-{digits}")
    except InvalidName:
        return f"entity-{digits}"


def entity_document(page: Page, zone: tzinfo) -> dict[str, Any]:
    """A page with the records it is made of."""
    return {
        "id": entity_id(page.name),
        "name": page.name,
        "aliases": list(page.aliases),
        "type": page.type,
        "first_seen": first_day(page, zone),
        "facts": _mentions(page.facts),
        "beliefs": _mentions(page.beliefs),
        "related": [{"name": name, "memories": number} for name, number in page.related],
    }


def first_day(page: Page, zone: tzinfo) -> str | None:
    """The day an entity was met first."""
    return day_in(zone, page.first_seen).isoformat() if page.first_seen else None


def ids_of(page: Page) -> list[str]:
    """The records that mention it."""
    return sorted(one.id for one in (*page.facts, *page.beliefs))


def _mentions(records: Sequence[Mentioning]) -> list[dict[str, str]]:
    by_id = sorted(records, key=lambda one: one.id)
    return [{"id": one.id, "content": shorten(one.text, _SHOWN)} for one in by_id]
