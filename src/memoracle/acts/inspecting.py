"""Everything that is kept of one record, one session or one entity, gathered from where it stands. Reads only.

Composed of what `show`, `why`, `history`, `entity` and `audit` tell one by one, and of what only a look into all files
tells: what was derived from it, which generated pages name it, and whether it is before an agent unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.lifecycle.evidence import AGAINST, FOR
from memoracle.lifecycle.lineage import Ancestor, Lineage, trace_lineage
from memoracle.model.cite import cited_in, short_id
from memoracle.model.record import Record, Status, newest
from memoracle.model.selection import Selection
from memoracle.model.value import value
from memoracle.store.inbox import read_inbox
from memoracle.store.retract import cited_by
from memoracle.store.store import Store

if TYPE_CHECKING:
    from memoracle.index.api import Index
    from memoracle.lifecycle.entities import EntityPage
    from memoracle.model.event import Told

Acts = Callable[[str], "Sequence[Told]"]
"""The audit's acts that name a record."""


@value
class VersionAt:
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
    versions: tuple[VersionAt, ...] = ()
    derived: tuple[Ancestor, ...] = ()
    named_in: tuple[str, ...] = ()
    at_hand: tuple[str, ...] = ()
    uses: tuple[datetime, ...] = ()
    questions: tuple[str, ...] = ()
    acts: tuple[Told, ...] = ()
    records: tuple[Ancestor, ...] = ()
    turns: int = 0
    transcripts: tuple[str, ...] = ()
    pages: tuple[EntityPage, ...] = ()


class Inspecting:
    """Looks into every room of one root."""

    def __init__(
        self,
        store: Store,
        index: Index,
        *,
        acts: Acts,
        snapshot: Callable[[], str],
        versions: Callable[[str], Sequence[Record]],
        show: Callable[[Record], Record],
    ) -> None:
        """`versions` gives those of a record and `show` a record as they may be handed out."""
        self._store = store
        self._index = index
        self._shown_versions = versions
        self._show = show
        self._acts = acts
        self._snapshot = snapshot

    def record(self, record_id: str) -> Inspection:
        """Everything of one record."""
        lineage = trace_lineage(record_id, self._shown_versions, self._store.journal.place_of)
        named = cited_by(self._store, [record_id])
        shown = {"snapshot"} if short_id(record_id) in cited_in(self._snapshot()) else set()
        shown |= {path for path in named if path == self._store.layout["hot"]}
        return Inspection(
            of="record",
            name=record_id,
            lineage=lineage,
            versions=tuple(self._versions(record_id)),
            derived=tuple(self._derived(record_id)),
            named_in=tuple(named),
            at_hand=tuple(sorted(shown)),
            uses=tuple(self._index.uses_of([record_id]).get(record_id, ())),
            questions=tuple(
                f"{entry.item.proposal} ({entry.answer.value})"
                for entry in read_inbox(self._store).entries
                if record_id in entry.item.about
            ),
            acts=tuple(self._acts(record_id)),
        )

    def session(self, session: str, turns: int, transcripts: Sequence[str]) -> Inspection:
        """Everything that a session gave: records, and what it says for or against others."""
        chosen = Selection(session=session)
        given = []
        for record in self._standing():
            if chosen.fits_origin(record.origin, record.created):
                given.append(self._ancestor(record, "learned"))
            elif FOR + session in record.sources:
                given.append(self._ancestor(record, "confirmed"))
            elif AGAINST + session in record.sources:
                given.append(self._ancestor(record, "contradicted"))
        named = cited_by(self._store, [one.id for one in given if one.relation == "learned"])
        return Inspection(
            of="session",
            name=session,
            records=tuple(given),
            named_in=tuple(named),
            turns=turns,
            transcripts=tuple(transcripts),
        )

    def entity(self, name: str, pages: Sequence[EntityPage]) -> Inspection:
        """Everything that an entity's pages rest on."""
        ids = dict.fromkeys(one.id for page in pages for one in (*page.facts, *page.beliefs))
        held = {record.id: record for record in self._standing()}
        return Inspection(
            of="entity",
            name=name,
            pages=tuple(pages),
            records=tuple(self._ancestor(held[one], "mentions") for one in ids if one in held),
            named_in=tuple(cited_by(self._store, ids)),
        )

    def _versions(self, record_id: str) -> list[VersionAt]:
        found = []
        for one in self._shown_versions(record_id):
            place = self._store.journal.place_of(one)
            found.append(
                VersionAt(
                    cite=f"{place.path}#L{place.line}" if place else "",
                    version=one.version,
                    status=one.status.value,
                    at=one.change.at,
                    verb=one.change.verb,
                    by=one.change.by,
                    because=one.change.because,
                )
            )
        return found

    def _derived(self, record_id: str) -> list[Ancestor]:
        found = []
        for record in self._standing():
            if record_id in record.sources:
                found.append(self._ancestor(record, "rests on it"))
            elif record_id in record.validity.supersedes:
                found.append(self._ancestor(record, "replaced it"))
            elif record.validity.superseded_by == record_id:
                found.append(self._ancestor(record, "was replaced by it"))
        return found

    def _standing(self) -> list[Record]:
        held: dict[str, list[Record]] = {}
        for _, record in self._store.journal.all_versions():
            held.setdefault(record.id, []).append(record)
        standing = [newest(versions) for versions in held.values()]
        return sorted(
            (one for one in standing if one.status is not Status.FORGOTTEN), key=lambda one: one.created
        )

    def _ancestor(self, record: Record, relation: str) -> Ancestor:
        place = self._store.journal.place_of(record)
        cite = f"{place.path}#L{place.line}" if place else ""
        return Ancestor(id=record.id, relation=relation, text=self._show(record).text, cite=cite)
