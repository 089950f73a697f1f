"""Documents that other designs expect beside their records: activations, rankings, indexes, entities.

Pure, derived, and the same bytes for the same records; deleting them loses nothing. Each layout has its own,
and a layout that has no place for one goes without it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from memoracle.clock import write_time
from memoracle.context.choose import may_be_shown, weight_of
from memoracle.context.entities import Page, entity_document, entity_id, first_day, ids_of
from memoracle.model.hit import Passage
from memoracle.model.record import Status
from memoracle.model.standing import Standing
from memoracle.text import is_unspaced, shorten, telling_terms
from memoracle.zone import day_in

MOST_RANKED = 50
_SHOWN = 200
ABOUT_ENTITIES = frozenset({"entities", "relations", "entity_index", "entity"})
"""Places of a layout whose documents are made of pages."""


def project(
    layout: Mapping[str, str],
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    last_used: Mapping[str, datetime],
    pages: Sequence[Page],
) -> dict[str, bytes]:
    """The documents of a layout, by the name of their place; the pages of entities by `entity/<id>`."""
    active = [one for one in standing if one.passage.status is Status.ACTIVE]
    passages = [one.passage for one in active]
    by_name = sorted(pages, key=lambda page: page.name)
    makers: dict[str, Callable[[], bytes]] = {
        "activation": lambda: _document(activations(active, last_used)),
        "entities": lambda: _lines(entity_lines(by_name, zone)),
        "relations": lambda: _relations(layout["relations"], passages, by_name),
        "rankings": lambda: _document(rankings(active, now)),
        "keywords": lambda: _document(keywords(passages)),
        "timeline": lambda: _document(timeline(passages, zone)),
        "entity_index": lambda: _document(entity_index(by_name)),
    }
    made = {name: make() for name, make in makers.items() if name in layout}
    if "entity" in layout:
        made |= {f"entity/{entity_id(one.name)}": _document(entity_document(one, zone)) for one in pages}
    return made


def activations(active: Sequence[Standing], last_used: Mapping[str, datetime]) -> dict[str, Any]:
    """How alive each record is, and when it was used last."""
    return {
        one.passage.ref: {
            "activation": round(one.activation, 4),
            "last_accessed": _moment(last_used.get(one.passage.ref) or one.passage.at),
        }
        for one in sorted(active, key=lambda one: one.passage.ref)
    }


def rankings(active: Sequence[Standing], now: datetime) -> dict[str, Any]:
    """The fifty memories that weigh most."""
    ranked = [one for one in active if may_be_shown(one.passage, now)]
    ranked.sort(key=lambda one: (-weight_of(one), one.passage.ref))
    rows = [
        {
            "rank": rank,
            "id": one.passage.ref,
            "type": one.passage.kind,
            "score": round(weight_of(one), 4),
            "importance": one.passage.importance,
            "content": shorten(one.passage.text, _SHOWN),
        }
        for rank, one in enumerate(ranked[:MOST_RANKED], start=1)
    ]
    return {"rankings": rows}


def keywords(passages: Iterable[Passage]) -> dict[str, list[str]]:
    """Each word, and the records that hold it."""
    found: dict[str, set[str]] = {}
    for passage in passages:
        for term in telling_terms(passage.text):
            if len(term) > 1 or not is_unspaced(term):
                found.setdefault(term, set()).add(passage.ref)
    return {term: sorted(refs) for term, refs in sorted(found.items())}


def timeline(passages: Iterable[Passage], zone: tzinfo) -> dict[str, list[str]]:
    """Each day, and the records of that day."""
    days: dict[str, list[str]] = {}
    for passage in passages:
        if passage.at:
            days.setdefault(day_in(zone, passage.at).isoformat(), []).append(passage.ref)
    return {day: sorted(refs) for day, refs in sorted(days.items())}


def by_entity(pages: Iterable[Page]) -> dict[str, list[str]]:
    """Each name, and the records that mention it."""
    return {page.name: ids_of(page) for page in pages}


def entity_lines(pages: Iterable[Page], zone: tzinfo) -> list[dict[str, Any]]:
    """Each name, what it is, and the day it was met."""
    return [{"entity": page.name, "type": page.type, "first_seen": first_day(page, zone)} for page in pages]


def relation_lines(passages: Iterable[Passage]) -> list[dict[str, Any]]:
    """Each sort of relation, and how often it is stated."""
    counted = Counter(passage.predicate for passage in passages if passage.predicate)
    return [{"relation": name, "count": number} for name, number in sorted(counted.items())]


def entity_index(pages: Iterable[Page]) -> dict[str, Any]:
    """The pages of all entities."""
    rows = [
        {"id": entity_id(page.name), "name": page.name, "type": page.type, "memories": len(ids_of(page))}
        for page in pages
    ]
    return {"entities": rows}


def names_in(lines: bytes) -> frozenset[str]:
    """The entities or relations that a file of lines names; what cannot be read names nothing."""
    names = set()
    for raw in lines.splitlines():
        try:
            row = json.loads(raw)
            names.add(str(row.get("entity") or row.get("relation")))
        except (ValueError, AttributeError, RecursionError):
            names.add("")
    return frozenset(names)


def _relations(place: str, passages: Sequence[Passage], pages: Sequence[Page]) -> bytes:
    """Two designs have a file of this name: sorts of relations in lines, or the records of each entity."""
    return _lines(relation_lines(passages)) if place.endswith(".jsonl") else _document(by_entity(pages))


def _moment(moment: datetime | None) -> str | None:
    return write_time(moment) if moment else None


def _document(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for row in rows)
