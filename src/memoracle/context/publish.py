"""The hot file, the snapshot and the projections, brought up to date on disk. The caller holds the store's lock.

Each function says what it changed, or would change in a dry run. Running it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo

from memoracle.context.entities import Page
from memoracle.context.fill import Limits
from memoracle.context.hot import compose_hot, settled
from memoracle.context.projections import ABOUT_ENTITIES, names_in, project
from memoracle.context.snapshot import compose_snapshot
from memoracle.model.cite import cited_in
from memoracle.model.plan import Done, Step
from memoracle.model.report import Finding, Severity
from memoracle.model.standing import Standing
from memoracle.store import durable
from memoracle.store.generated import blocks_in, put_block
from memoracle.store.layouts import NoteRole, resolve
from memoracle.store.packed import read_text
from memoracle.store.projected import put_documents
from memoracle.store.store import Store

UsesOf = Callable[[Sequence[str]], Mapping[str, Sequence[datetime]]]
"""When records were handed over, by id."""

PagesOf = Callable[[Sequence[Standing]], Sequence[Page]]
"""The pages of all entities that records mention."""

BLOCK = "hot"
_FRESH = "# Memory\n\n"
_SEEN_TOGETHER = ("entities", "relations")


def publish_hot(
    store: Store,
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    limits: Limits | None = None,
    open_items: int = 0,
    dry_run: bool = False,
    meanwhile: Callable[[], None] = lambda: None,
) -> Done:
    """Bring the block of the hot file up to date, and the snapshot where the layout has one."""
    warnings: list[str] = []

    def compose(before: str, owners: str) -> str:
        hot = compose_hot(
            standing,
            now=now,
            zone=zone,
            present=cited_in(before),
            limits=limits,
            open_items=open_items,
            owners=owners,
        )
        warnings[:] = hot.warnings
        return settled(before, hot.text)

    place = hot_place(store)
    put = put_block(store.volume, place, BLOCK, compose, fresh=_FRESH, dry_run=dry_run, meanwhile=meanwhile)
    steps = (
        [Step(act="write", target=place, because="what should be at hand has changed")] if put.changed else []
    )
    findings = [_large(place, says) for says in warnings] + ([put.finding] if put.finding else [])
    if "snapshot" in store.layout:
        done = _publish_snapshot(
            store, standing, now=now, zone=zone, limits=limits, open_items=open_items, dry_run=dry_run
        )
        steps += done.steps
        findings += done.findings
    return Done(steps=tuple(steps), findings=tuple(findings))


def publish_projections(
    store: Store,
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    pages_of: PagesOf,
    uses_of: UsesOf = lambda _: {},
    dry_run: bool = False,
) -> Done:
    """Bring the documents that this layout's other tools read up to date."""
    used = uses_of([one.passage.ref for one in standing]) if "activation" in store.layout else {}
    last_used = {ref: max(moments) for ref, moments in used.items() if moments}
    pages = pages_of(standing) if ABOUT_ENTITIES & store.layout.keys() else ()
    made = project(store.layout, standing, now=now, zone=zone, last_used=last_used, pages=pages)
    documents = {_place_of(store, name): content for name, content in made.items()}
    lines = {_place_of(store, name) for name in _SEEN_TOGETHER if name in made}
    lines = {path for path in lines if path.endswith(".jsonl")}
    present = {path: durable.read(store.place(path)) for path in lines}
    # Both change when a new entity or relation appears, and then the counts move too.
    if lines and all(names_in(present[path]) == names_in(documents[path]) for path in lines):
        documents |= present
    return put_documents(store, "projections", documents, dry_run=dry_run)


def hot_place(store: Store) -> str:
    """Where the hot file stands; an owner who has it under its other spelling keeps that."""
    own = store.layout["hot"]
    found = list(store.notes.files(NoteRole.HOT))
    return own if own in found or not found else found[0]


def shown_before(store: Store) -> frozenset[str]:
    """The short names of the records that the hot file shows now."""
    text, _ = read_text(store.volume, hot_place(store))
    return frozenset().union(*(cited_in(one.inside) for one in blocks_in(text)[0] if one.name == BLOCK))


def _publish_snapshot(
    store: Store,
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    limits: Limits | None,
    open_items: int,
    dry_run: bool,
) -> Done:
    path = store.layout["snapshot"]
    before = durable.read(store.place(path)).decode("utf-8", "replace")
    snapshot = compose_snapshot(
        standing, now=now, zone=zone, limits=limits, present=cited_in(before), open_items=open_items
    )
    text = settled(before, snapshot.text)
    return put_documents(store, "snapshot", {path: text.encode()}, dry_run=dry_run)


def _place_of(store: Store, name: str) -> str:
    kind, _, page = name.partition("/")
    return resolve(store.layout, kind, **({"name": page} if page else {}))


def _large(path: str, says: str) -> Finding:
    return Finding(
        code="hot-file-large",
        severity=Severity.WARNING,
        path=path,
        message=says,
        hint="shorten your own text in it, unpin records, or raise `hot_tokens` and `hot_lines`",
    )
