"""What every verb works with: the store, the view, and the parts that are made when they are asked for.

A verb imports what it alone needs: start-up is a feature, and most processes use one verb.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self, TypeVar

from memoracle.errors import (
    AlreadyRunning,
    AmbiguousReference,
    EmbedderProblem,
    MissingExtra,
    UnknownRecord,
)
from memoracle.memory.eyes import Eyes
from memoracle.memory.threads import Shared
from memoracle.model.change import Change
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.record import Record, Status, newest
from memoracle.store.store import Place

if TYPE_CHECKING:
    from memoracle.acts.act import Act
    from memoracle.acts.asking import Asking
    from memoracle.acts.jotting import Jotting
    from memoracle.acts.publishing import Publishing
    from memoracle.acts.tending import Tending
    from memoracle.acts.wellbeing import Wellbeing
    from memoracle.consolidation.run import Consolidation, Watch
    from memoracle.consolidation.tools import Bench
    from memoracle.index.api import Index
    from memoracle.ingest.sources import Source
    from memoracle.model.plan import Step
    from memoracle.model.receipt import Receipt
    from memoracle.model.report import Finding
    from memoracle.model.selection import Selection
    from memoracle.root import Root

_Act = TypeVar("_Act", bound="Act")
_SHORTEST_REFERENCE = 4
_WEEKLY = ("digest", "retain", "hot")


class Base(Eyes, Shared):
    """One root: what its verbs share."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.store = root.store
        self._clock = root.clock
        self._ids = root.ids
        self._law = root.decay
        self._actor = root.actor
        self._limit = root.settings.limit
        self._recipe = root.settings.recipe
        self._shield = root.guard
        self._settings = root.settings
        self._zone = root.find_zone
        Shared.__init__(self)
        self._session_seat = root.seat
        self._neighbours = root.open_other
        self._model = root.open_model
        self._upkeep = root.view

    @property
    def index(self) -> Index:
        """The view."""
        return self.root.index

    def _find_sources(self, target: str) -> tuple[list[Source], list[Finding]]:
        from pathlib import Path

        from memoracle.ingest.targets import sources_at

        return sources_at(target, home=Path.home(), environment=self.root.environment)

    def close(self) -> None:
        """Let go of the view."""
        self.root.close()

    def _reopen(self) -> None:
        self.root.reopen()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Underneath

    def _consolidation(self, watch: Watch | None) -> Consolidation:
        from memoracle.consolidation.run import Consolidation

        return Consolidation(
            self._bench(), clock=self._clock, ids=self._ids, watch=watch or (lambda *_: None)
        )

    def _bench(self) -> Bench:
        from memoracle.consolidation.books import Books
        from memoracle.consolidation.tools import Alive, Bench, Level

        return Bench(
            store=self.store,
            index=self.index,
            upkeep=self._upkeep,
            books=Books(self.store),
            level=Level(self._upkeep),
            alive=Alive(self.store, self.index, self._upkeep, self._law),
            settings=self._settings,
            law=self._law,
            zone=self._zone(),
            actor=self._actor,
            shield=self._shield,
            asking=self._asking(),
            wellbeing=self._wellbeing(),
        )

    def _transcripts_of(self, paths: Sequence[str], session: str) -> Sequence[str]:
        """The names under which transcripts are registered; those that are not known yet become so."""
        from memoracle.store.transcripts import register

        sources = [source for path in paths for source in self._find_sources(path)[0]]
        found = [(str(source.path), source.shape.value) for source in sources]
        if not {path for path, _ in found} <= self.store.sessions.by_path().keys():
            with self.store.writing():
                register(self.store, found, keep=False)
        if found:
            return [path for path, _ in found]
        known = self.store.sessions.by_path()
        return [path for path in known if session in os.path.basename(path)] if not paths else []

    def _act(self, kind: type[_Act], **more: Any) -> _Act:
        """An act of this kind, with what every act works with."""
        return kind(
            self.store,
            self.index,
            self._upkeep,
            law=self._law,
            settings=self._settings,
            zone=self._zone(),
            clock=self._clock,
            **more,
        )

    def _publishing(self) -> Publishing:
        from memoracle.acts.publishing import Publishing

        return self._act(Publishing)

    def _jotting(self) -> Jotting:
        from memoracle.acts.jotting import Jotting

        return Jotting(self.store, shield=self._shield, zone=self._zone(), clock=self._clock)

    def _weekly(self, dry_run: bool) -> Sequence[Step]:
        """The upkeep of a review; one that runs elsewhere does the same work."""
        consolidation = self._consolidation(None)
        with suppress(AlreadyRunning):
            if dry_run:
                phases = [one for one in consolidation.plan().phases if one.name in _WEEKLY]
            else:
                phases = [one for name in _WEEKLY for one in consolidation.run_phase(name).phases]
            return [step for phase in phases for step in phase.steps]
        return []

    def _wellbeing(self) -> Wellbeing:
        from memoracle.acts.wellbeing import Wellbeing

        return self._act(Wellbeing)

    def _tending(self) -> Tending:
        from memoracle.acts.rounds import tending_of

        return tending_of(self, self._settings, zone=self._zone(), clock=self._clock)

    def _asking(self) -> Asking:
        from memoracle.acts.asking import Asking

        tokens = self._settings.llm_daily_tokens
        return Asking(
            self.store,
            model=self._model,
            tokens=tokens,
            zone=self._zone(),
            clock=self._clock,
            stops=self._shield.stops,
        )

    def _embed_what_is_new(self) -> int:
        """Vectors for what was read; a model that cannot be used keeps nobody from reading."""
        with suppress(EmbedderProblem, MissingExtra):
            return self._upkeep.embed()
        return 0

    def _must_be_no_secret(self, *names: str) -> None:
        self.root.must_hold_no_secret(*names)

    def _resolve(self, reference: str) -> str:
        found = self._resolve_anything(reference)
        # What is forbidden looks exactly like what is not there.
        if not self.sees(newest(self.store.journal.versions(found))):
            raise UnknownRecord(reference)
        return found

    def _resolve_anything(self, reference: str) -> str:
        if self.store.journal.versions(reference):
            return reference
        if len(reference.removeprefix(RECORD_PREFIX)) < _SHORTEST_REFERENCE:
            raise UnknownRecord(reference)
        self._upkeep.catch_up()
        candidates = self._upkeep.ask(lambda: self.index.resolve(reference, 20))
        if not candidates:
            raise UnknownRecord(reference)
        if len(candidates) > 1:
            raise AmbiguousReference(reference, candidates)
        return candidates[0]

    def _shown_versions(self, record_id: str) -> Sequence[Record]:
        """The versions of a record as they are handed out; none where its reader may not see it.

        Every verb that tells what record files say reads here: what the policy masks now is masked, whenever it was
        written.
        """
        versions = self.store.journal.versions(record_id)
        if not versions or not self.sees(newest(versions)):
            return ()
        return [self._shield.screen(one) for one in versions]

    @contextmanager
    def _editing(self, reference: str) -> Iterator[tuple[Record, str]]:
        record_id = self._resolve(reference)
        with self.store.writing():
            yield newest(self.store.journal.versions(record_id)), record_id

    def _revise(
        self,
        verb: str,
        reference: str,
        expected: int | None,
        because: str,
        make: Callable[[Record, Change], Record],
        *,
        warnings: tuple[str, ...] = (),
    ) -> Receipt:
        with self._editing(reference) as (record, record_id):
            wanted = record.version if expected is None else expected
            revised = make(record, self._change(verb, because))
            place = self.store.append([revised], expected={record_id: wanted})[0]
        told = (*warnings, *self._shield.warnings(because))
        return receipt_of(revised, place, created=False, warnings=told)

    def _doomed(self, references: Sequence[str], selection: Selection | None) -> Sequence[Record]:
        """The records of these names that can still be erased; with a selection, only those that fit it too."""
        ids = [self._resolve(reference) for reference in references]
        records = [newest(self.store.journal.versions(record_id)) for record_id in dict.fromkeys(ids)]
        gone = [record.id for record in records if record.status is Status.FORGOTTEN]
        if gone and len(gone) == len(records):
            raise UnknownRecord(gone[0])
        for record in records:
            self._must_be_theirs(record)
        return [
            record
            for record in records
            if record.status is not Status.FORGOTTEN
            and (
                not selection
                or selection.fits_origin(record.origin, record.origin.observed or record.created)
            )
        ]

    def _as_it_stands(self, record_id: str) -> Record:
        versions = self.store.journal.versions(record_id)
        if not versions:
            raise UnknownRecord(record_id)
        return newest(versions)

    def _told(
        self, act: str, *, about: Sequence[str] = (), rules: Sequence[str] = (), operation: str = ""
    ) -> None:
        self.root.log(act, about=about, rules=rules, operation=operation)

    def _told_reading(self, verb: str, seen: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Have it in the audit trail that secret records were handed out; what to say where that cannot be written."""
        secret = tuple(dict.fromkeys(ref for ref, sensitivity in seen if sensitivity == "secret"))
        if not secret:
            return ()
        from memoracle.model.event import Event

        event = Event(act="read", at=self._clock(), about=secret, facts={"verb": verb})
        if self.store.audit.try_log(event):
            return ()
        return ("that secret records were read could not be written into the audit trail",)

    def _change(self, verb: str, because: str = "", *, undoes: str = "") -> Change:
        return self.root.change(verb, because, undoes=undoes)


def receipt_of(
    record: Record,
    place: Place | None,
    *,
    created: bool,
    warnings: tuple[str, ...] = (),
    outcome: str = "accepted",
    rules: tuple[str, ...] = (),
) -> Receipt:
    from memoracle.model.receipt import Receipt

    return Receipt(
        id=record.id,
        version=record.version,
        created=created,
        status=record.status,
        path=place.path if place else "",
        line=place.line if place else None,
        operation=record.change.operation if place else "",
        warnings=warnings,
        outcome=outcome,
        rules=rules,
    )
