"""Everything that is kept of one record, one session or one entity, gathered from where it stands. Reads only.

Composed of what `show`, `why`, `history`, `entity` and `audit` tell one by one, and of what only a look into all files
tells: what was derived from it, which generated pages name it, and whether it is before an agent unasked.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memoracle.context.publish import snapshot
from memoracle.learn.evidence import AGAINST, FOR
from memoracle.learn.records import entity as entity_pages
from memoracle.learn.records import show, shown_versions
from memoracle.learn.revise import Ancestor, Lineage, trace_lineage
from memoracle.model.event import Event, LoggedEvent, Verified
from memoracle.model.record import Record, Status, newest
from memoracle.model.search import Selection, cited_in, short_id
from memoracle.model.value import replace, value
from memoracle.store.audit_proof import verify
from memoracle.store.erase import cited_by
from memoracle.store.inbox import read_inbox

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memoracle.learn.entity_index import EntityPage
    from memoracle.root import Root


# The audit trail as a verb: prove it, or read it.


def verify_audit(root: Root, *, heads: Sequence[str] = ()) -> Verified:
    """Whether the audit trail is whole and the records are what it says; `heads` were noted elsewhere."""
    return verify(root.store, heads=heads)


def audit(
    root: Root,
    *,
    record: str = "",
    act: str = "",
    who: str = "",
    since: datetime | None = None,
    session: str = "",
    limit: int | None = None,
) -> Sequence[LoggedEvent]:
    """Who did what, when and why as far as the records still say: the latest acts that fit, oldest first."""
    root.reader.must_see_all()
    most = limit or root.settings.limit
    events = sorted(
        root.store.audit.read(since=since, act=act, target=record, by=who),
        key=lambda event: (event.at, event.writer, event.number),
    )
    if not session:
        events = events[-most:]
    known = root.store.journal.histories({one.id for event in events for one in event.records})
    told = [_joined(event, known) for event in events]
    if session:
        told = [one for one in told if session in one.sessions]
    hide = root.guard.hide
    return [replace(one, because=tuple(map(hide, one.because))) for one in told[-most:]]


def _joined(event: Event, known: dict[str, list[Record]]) -> LoggedEvent:
    """An act with the reasons and the sessions that its records still give."""
    versions = [
        version
        for one in event.records
        for version in known.get(one.id, ())
        if version.version == one.version and version.change.sequence == one.sequence
    ]
    return LoggedEvent(
        event=event,
        because=tuple(dict.fromkeys(one.change.because for one in versions if one.change.because)),
        sessions=tuple(dict.fromkeys(one.origin.session for one in versions if one.origin.session)),
    )


@value
class _VersionAt:
    """One version of a record: where its line stands, and how it came to be."""

    cite: str
    version: int
    status: str
    at: datetime
    verb: str
    by: str
    because: str


@value
class Inspection:
    """What is kept of something. `of` is `record`, `session` or `entity`.

    `derived` rest on it; `named_in` are generated pages that name it; `at_hand` says which of them an agent is handed
    unasked. `records` and `turns` are what a session gave, or what an entity's pages rest on.
    """

    of: str
    name: str
    lineage: Lineage | None = None
    versions: tuple[_VersionAt, ...] = ()
    derived: tuple[Ancestor, ...] = ()
    named_in: tuple[str, ...] = ()
    at_hand: tuple[str, ...] = ()
    uses: tuple[datetime, ...] = ()
    questions: tuple[str, ...] = ()
    acts: tuple[LoggedEvent, ...] = ()
    records: tuple[Ancestor, ...] = ()
    turns: int = 0
    transcripts: tuple[str, ...] = ()
    pages: tuple[EntityPage, ...] = ()


def inspect(root: Root, reference: str = "", *, session: str = "", entity: str = "") -> Inspection:
    """Everything that is kept of one record, of a session or of an entity; nothing is reinforced."""
    root.reader.must_see_all()
    root.view.catch_up()
    if session:
        return _session(root, session)
    return _entity(root, entity) if entity else _record(root, show(root, reference).id)


def _record(root: Root, record_id: str) -> Inspection:
    """Everything of one record."""
    lineage = trace_lineage(record_id, partial(shown_versions, root), root.store.journal.place_of)
    named = cited_by(root.store, [record_id])
    shown = {"snapshot"} if short_id(record_id) in cited_in(snapshot(root).text) else set()
    shown |= {path for path in named if path == root.store.layout["hot"]}
    return Inspection(
        of="record",
        name=record_id,
        lineage=lineage,
        versions=tuple(
            _VersionAt(
                cite=_cite(root, one),
                version=one.version,
                status=one.status.value,
                at=one.change.at,
                verb=one.change.verb,
                by=one.change.by,
                because=one.change.because,
            )
            for one in shown_versions(root, record_id)
        ),
        derived=tuple(_derived(root, record_id)),
        named_in=tuple(named),
        at_hand=tuple(sorted(shown)),
        uses=tuple(root.index.uses_of([record_id]).get(record_id, ())),
        questions=tuple(
            f"{entry.item.proposal} ({entry.answer.value})"
            for entry in read_inbox(root.store).entries
            if record_id in entry.item.about
        ),
        acts=tuple(audit(root, record=record_id, limit=50)),
    )


def _session(root: Root, session: str) -> Inspection:
    """Everything that a session gave: records, and what it says for or against others."""
    from memoracle.learn.forgetting import affected_transcripts

    chosen = Selection(session=session)
    heard = affected_transcripts(root, chosen)
    given = []
    for record in _standing(root):
        if chosen.fits_origin(record.origin, record.created):
            given.append(_ancestor(root, record, "learned"))
        elif FOR + session in record.sources:
            given.append(_ancestor(root, record, "confirmed"))
        elif AGAINST + session in record.sources:
            given.append(_ancestor(root, record, "contradicted"))
    named = cited_by(root.store, [one.id for one in given if one.relation == "learned"])
    return Inspection(
        of="session",
        name=session,
        records=tuple(given),
        named_in=tuple(named),
        turns=sum(one.turns for one in heard),
        transcripts=tuple(one.transcript.path for one in heard),
    )


def _entity(root: Root, name: str) -> Inspection:
    """Everything that an entity's pages rest on."""
    pages = entity_pages(root, name)
    ids = dict.fromkeys(one.id for page in pages for one in (*page.facts, *page.beliefs))
    held = {record.id: record for record in _standing(root)}
    return Inspection(
        of="entity",
        name=name,
        pages=tuple(pages),
        records=tuple(_ancestor(root, held[one], "mentions") for one in ids if one in held),
        named_in=tuple(cited_by(root.store, ids)),
    )


def _cite(root: Root, record: Record) -> str:
    place = root.store.journal.place_of(record)
    return f"{place.path}#L{place.line}" if place else ""


def _derived(root: Root, record_id: str) -> list[Ancestor]:
    found = []
    for record in _standing(root):
        if record_id in record.sources:
            found.append(_ancestor(root, record, "rests on it"))
        elif record_id in record.validity.supersedes:
            found.append(_ancestor(root, record, "replaced it"))
        elif record.validity.superseded_by == record_id:
            found.append(_ancestor(root, record, "was replaced by it"))
    return found


def _standing(root: Root) -> list[Record]:
    held: dict[str, list[Record]] = {}
    for _, record in root.store.journal.all_versions():
        held.setdefault(record.id, []).append(record)
    standing = [newest(versions) for versions in held.values()]
    return sorted(
        (one for one in standing if one.status is not Status.FORGOTTEN), key=lambda one: one.created
    )


def _ancestor(root: Root, record: Record, relation: str) -> Ancestor:
    text = root.guard.screen(record).text
    return Ancestor(id=record.id, relation=relation, text=text, cite=_cite(root, record))
