"""The hot file, the snapshot and the projections, brought up to date on disk. The caller holds the store's lock.

Each function says what it changed, or would change in a dry run. Running it again changes nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from memoracle.context.choose import Audience, may_be_shown, one_of, weight_of
from memoracle.context.digest import publish_digests
from memoracle.context.hot import BLOCK, Hot, HotLimits, compose_hot, settled, shown_in
from memoracle.errors import InvalidName
from memoracle.model.ids import content_key
from memoracle.model.record import EVERYBODY, Scope, Status, check_name
from memoracle.model.report import Done, Finding, Plan, Severity, Step
from memoracle.model.search import Passage, Standing, cited_in
from memoracle.model.value import replace
from memoracle.store.generated import put_block
from memoracle.store.inbox import read_inbox
from memoracle.store.layouts import NoteRole, resolve
from memoracle.store.notes import read_text
from memoracle.store.projected import put_documents
from memoracle.text import is_unspaced, normalise, shorten, telling_terms
from memoracle.times import day_in, write_time

if TYPE_CHECKING:
    from datetime import date

    from memoracle.learn.entity_index import EntityPage
    from memoracle.root import Root
    from memoracle.settings import Settings
    from memoracle.store.store import Store


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


# Documents that other designs expect beside their records: activations, rankings, indexes, entities.

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


# The hot file, and the snapshot: the hot block as a document of its own, for one audience and one budget.

TITLE = "# Working memory\n"
_FRESH = "# Memory\n\n"
_SEEN_TOGETHER = ("entities", "relations")


def limits_of(settings: Settings, tokens: int | None = None) -> HotLimits:
    """How large a hot file may be, as the settings have it."""
    return HotLimits(
        tokens=tokens or settings.hot_tokens,
        lines=settings.hot_lines,
        target_lines=settings.hot_target_lines,
    )


def _as_snapshot(hot: Hot) -> Hot:
    return replace(hot, text=f"{TITLE}{hot.text}\n" if hot.text else f"{TITLE}\nNothing is kept yet.\n")


def publish_hot(
    store: Store,
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    limits: HotLimits | None = None,
    open_items: int = 0,
    dry_run: bool = False,
    meanwhile: Callable[[], None] = lambda: None,
) -> Done:
    """Bring the block of the hot file up to date, and the snapshot where the layout has one."""
    warnings: list[str] = []

    def composed(before: str, owners: str) -> Hot:
        return compose_hot(
            standing,
            now=now,
            zone=zone,
            present=cited_in(before),
            limits=limits,
            open_items=open_items,
            owners=owners,
        )

    def compose(before: str, owners: str) -> str:
        hot = composed(before, owners)
        warnings[:] = hot.warnings
        return settled(before, hot.text)

    place = hot_place(store)
    put = put_block(store.volume, place, BLOCK, compose, fresh=_FRESH, dry_run=dry_run, meanwhile=meanwhile)
    because = "what should be at hand has changed"
    steps = [Step(act="write", target=place, because=because)] if put.changed else []
    hint = "shorten your own text in it, unpin records, or raise `hot_tokens` and `hot_lines`"
    findings = [
        Finding(code="hot-file-large", severity=Severity.WARNING, path=place, message=says, hint=hint)
        for says in warnings
    ]
    findings += [put.finding] if put.finding else []
    if path := store.layout.get("snapshot"):
        before = store.volume.read(path).decode("utf-8", "replace")
        text = settled(before, _as_snapshot(composed(before, TITLE)).text)
        done = put_documents(store, "snapshot", {path: text.encode()}, dry_run=dry_run)
        steps += done.steps
        findings += done.findings
    return Done(steps=tuple(steps), findings=tuple(findings))


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
    last_used = {ref: max(moments) for ref, moments in used.items() if moments}
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


def hot_place(store: Store) -> str:
    """Where the hot file stands; an owner who has it under its other spelling keeps that."""
    own = store.layout["hot"]
    found = list(store.notes.files(NoteRole.HOT))
    return own if own in found or not found else found[0]


def shown_before(store: Store) -> frozenset[str]:
    """The short names of the records that the hot file shows now."""
    return shown_in(read_text(store.volume, hot_place(store))[0])


def _place_of(store: Store, name: str) -> str:
    kind, _, page = name.partition("/")
    return resolve(store.layout, kind, **({"name": page} if page else {}))


# What memory shows to people on demand: the snapshot and the digests.


def snapshot(root: Root, *, audience: str = "private", budget: int | None = None) -> Hot:
    """What an agent should have before it at the start of a session, of what its reader may see; nothing is written."""
    reader = root.reader.told_to
    hot = compose_hot(
        [one for one in _standing(root, reader) if one.passage.sensitivity not in root.reader.withheld],
        now=root.clock(),
        zone=root.zone,
        audience=Audience.GROUP if root.reader.sees_public_alone else one_of(Audience, "audience", audience),
        limits=limits_of(root.settings, budget),
        present=shown_before(root.store),
        open_items=len(read_inbox(root.store).open) if reader == EVERYBODY else 0,
        owners=TITLE,
        projects=("", reader.project, *reader.also),
    )
    return _as_snapshot(hot)


def digest(root: Root, day: date | None = None, *, dry_run: bool = False) -> Plan:
    """Write the digests of the days that need it into their notes, or of one day."""
    standing = _standing(root)
    with root.store.writing():
        done = publish_digests(root.store, standing, zone=root.zone, only=day, dry_run=dry_run)
    return Plan(verb="digest", steps=done.steps)


def _standing(root: Root, reader: Scope = EVERYBODY) -> Sequence[Standing]:
    root.view.catch_up()
    return root.view.ask(lambda: root.index.standing(root.decay, root.clock(), reader=reader))
