"""Documents that other designs expect beside their records: activations, rankings, indexes, entities.

They are made anew from the records and brought up to date on disk; the caller holds the store's lock. Running it again
changes nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from memoracle.context.choose import may_be_shown, weight_of
from memoracle.errors import InvalidName
from memoracle.model.ids import content_key
from memoracle.model.record import Status, check_name
from memoracle.model.report import Done
from memoracle.model.search import Passage, Standing
from memoracle.store.layouts import resolve
from memoracle.store.projected import put_documents
from memoracle.text import is_unspaced, normalise, shorten, telling_terms
from memoracle.times import day_in, write_time

if TYPE_CHECKING:
    from memoracle.learn.entity_index import EntityPage
    from memoracle.store.store import Store

_SEEN_TOGETHER = ("entities", "relations")

# Pages of entities as documents: what each says, and the name of its file. Pure.

_ODD = re.compile(r"[^\w.\-]+")
_LONGEST_NAME = 60
_SHOWN = 200


def entity_id(name: str) -> str:
    """The file name of a page: its name where that can be one, otherwise with a few digits behind it."""
    folded = " ".join(normalise(name).split())
    slug = _ODD.sub("-", folded).strip("-._")[:_LONGEST_NAME]
    digits = content_key(folded).removeprefix("c_")[:6]
    try:
        return check_name("entity", slug if slug == folded else f"{slug}-{digits}")
    except InvalidName:
        return f"entity-{digits}"


def entity_document(page: EntityPage, zone: tzinfo) -> dict[str, Any]:
    """A page with the records it is made of."""
    return {
        "id": entity_id(page.name),
        "name": page.name,
        "aliases": list(page.aliases),
        "type": page.type,
        "first_seen": first_day(page, zone),
        **{
            name: [
                {"id": one.id, "content": shorten(one.text, _SHOWN)}
                for one in sorted(records, key=lambda one: one.id)
            ]
            for name, records in (("facts", page.facts), ("beliefs", page.beliefs))
        },
        "related": [{"name": name, "memories": number} for name, number in page.related],
    }


def first_day(page: EntityPage, zone: tzinfo) -> str | None:
    """The day an entity was met first."""
    return day_in(zone, page.first_seen).isoformat() if page.first_seen else None


def ids_of(page: EntityPage) -> list[str]:
    """The records that mention it."""
    return sorted(one.id for one in (*page.facts, *page.beliefs))


# The documents of a layout. Pure.

MOST_RANKED = 50
_PROJECTIONS_SHOWN = 200
ABOUT_ENTITIES = frozenset({"entities", "relations", "entity_index", "entity"})
"""Places of a layout whose documents are made of pages."""


def project(
    layout: Mapping[str, str],
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    last_used: Mapping[str, datetime],
    pages: Sequence[EntityPage],
) -> dict[str, bytes]:
    """The documents of a layout, by the name of their place; the pages of entities by `entity/<id>`."""
    active = [one for one in standing if one.passage.status is Status.ACTIVE]
    passages = [one.passage for one in active]
    by_name = sorted(pages, key=lambda page: page.name)
    makers: dict[str, Callable[[], bytes]] = {
        "activation": lambda: _document(activations(active, last_used)),
        "entities": lambda: _lines(entity_lines(by_name, zone)),
        # Two designs have a file of this name: sorts of relations in lines, or the records of each entity.
        "relations": lambda: (
            _lines(relation_lines(passages))
            if layout["relations"].endswith(".jsonl")
            else _document(by_entity(by_name))
        ),
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
            "last_accessed": write_time(used) if used else None,
        }
        for one in sorted(active, key=lambda one: one.passage.ref)
        for used in [last_used.get(one.passage.ref) or one.passage.at]
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
            "content": shorten(one.passage.text, _PROJECTIONS_SHOWN),
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


def by_entity(pages: Iterable[EntityPage]) -> dict[str, list[str]]:
    """Each name, and the records that mention it."""
    return {page.name: ids_of(page) for page in pages}


def entity_lines(pages: Iterable[EntityPage], zone: tzinfo) -> list[dict[str, Any]]:
    """Each name, what it is, and the day it was met."""
    return [{"entity": page.name, "type": page.type, "first_seen": first_day(page, zone)} for page in pages]


def relation_lines(passages: Iterable[Passage]) -> list[dict[str, Any]]:
    """Each sort of relation, and how often it is stated."""
    counted = Counter(passage.predicate for passage in passages if passage.predicate)
    return [{"relation": name, "count": number} for name, number in sorted(counted.items())]


def entity_index(pages: Iterable[EntityPage]) -> dict[str, Any]:
    """The pages of all entities."""
    rows = [
        {"id": entity_id(page.name), "name": page.name, "type": page.type, "memories": len(ids_of(page))}
        for page in pages
    ]
    return {"entities": rows}


def _names_in(lines: bytes) -> frozenset[str]:
    """The entities or relations that a file of lines names; what cannot be read names nothing."""
    names = set()
    for raw in lines.splitlines():
        try:
            row = json.loads(raw)
            names.add(str(row.get("entity") or row.get("relation")))
        except (ValueError, AttributeError, RecursionError):
            names.add("")
    return frozenset(names)


def _document(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for row in rows)


# Writing them.


def publish_projections(
    store: Store,
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    uses_of: Callable[[Sequence[str]], Mapping[str, Sequence[datetime]]] = lambda _: {},
    dry_run: bool = False,
) -> Done:
    """Bring the documents that this layout's other tools read up to date; `uses_of` tells when records were used."""
    from memoracle.learn.entity_index import entity_pages

    used = uses_of([one.passage.ref for one in standing]) if "activation" in store.layout else {}
    adopted = store.adopted()
    # Its own program fades a record from this moment on: never from the day on which it was made.
    last_used: dict[str, datetime] = {}
    if adopted:
        before = (one.passage for one in standing if one.passage.at and adopted.holds(one.passage.at))
        last_used = {one.ref: adopted.at for one in before}
        last_used |= {ref: anchor.at for ref, anchor in adopted.anchors.items()}
    last_used |= {ref: max(moments) for ref, moments in used.items() if moments}
    pages = entity_pages(standing) if ABOUT_ENTITIES & store.layout.keys() else ()
    made = project(store.layout, standing, now=now, zone=zone, last_used=last_used, pages=pages)
    documents = {_place_of(store, name): content for name, content in made.items()}
    lines = {_place_of(store, name) for name in _SEEN_TOGETHER if name in made}
    lines = {path for path in lines if path.endswith(".jsonl")}
    present = {path: store.volume.read(path) for path in lines}
    # Both change when a new entity or relation appears, and then the counts move too.
    if lines and all(_names_in(present[path]) == _names_in(documents[path]) for path in lines):
        documents |= present
    return put_documents(store, "projections", documents, dry_run=dry_run)


def _place_of(store: Store, name: str) -> str:
    kind, _, page = name.partition("/")
    return resolve(store.layout, kind, **({"name": page} if page else {}))
