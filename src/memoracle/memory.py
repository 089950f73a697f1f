"""`Memory`: one root's memory. One short method per verb; the only place where values become writes.

A verb imports what it alone needs: start-up is a feature, and most processes use one verb.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, tzinfo
from typing import TYPE_CHECKING, Any, Self

from memoracle.clock import Clock
from memoracle.errors import (
    AlreadyRunning,
    AmbiguousReference,
    EmbedderProblem,
    MissingExtra,
    OutsideRoot,
    StoreProblem,
    UnknownRecord,
)
from memoracle.index.sqlite.view import SqliteIndex
from memoracle.index.sync import Synced, silent
from memoracle.model import hit as answers
from memoracle.model.activation import Law
from memoracle.model.change import Change
from memoracle.model.hit import Hit, Recollection
from memoracle.model.ids import OPERATION_PREFIX, RECORD_PREFIX, IdSource
from memoracle.model.query import Filters, Query
from memoracle.model.record import Draft, Record, Status, newest
from memoracle.model.value import replace
from memoracle.recall.pipeline import recollect
from memoracle.recall.weigh import activation_of
from memoracle.settings import Settings
from memoracle.store.store import Place, Store
from memoracle.upkeep import Progress, Upkeep

if TYPE_CHECKING:
    from memoracle.asking import Asking, OpenModel
    from memoracle.briefing import Briefing, Recovered
    from memoracle.consolidation.run import Consolidation, Watch
    from memoracle.consolidation.tools import Bench
    from memoracle.context.hot import Hot
    from memoracle.context.pack import Context
    from memoracle.health.probe import Canary, Probe
    from memoracle.health.report import Health
    from memoracle.health.status import Stats, Summary
    from memoracle.ingest.sources import Source
    from memoracle.jotting import Jotting
    from memoracle.lifecycle.draft import Drafted
    from memoracle.lifecycle.entities import EntityPage
    from memoracle.lifecycle.flush import FlushCheck
    from memoracle.lifecycle.homes import Duplicate
    from memoracle.lifecycle.lineage import Lineage
    from memoracle.lifecycle.review import Review
    from memoracle.model.inbox import Item
    from memoracle.model.migration import Exchanged, Exported, Imported
    from memoracle.model.pending import Queue
    from memoracle.model.plan import Plan, Step
    from memoracle.model.receipt import Buffered, Erased, Ingested, Receipt, Tag, Written
    from memoracle.model.report import Finding, Report
    from memoracle.model.run import Run
    from memoracle.policy.shield import Shield
    from memoracle.publishing import Publishing
    from memoracle.recall.embedding import Embedders
    from memoracle.store.fold import Fold
    from memoracle.tending import Tended, Tending
    from memoracle.wellbeing import Wellbeing

FindSources = Callable[[str], "tuple[list[Source], list[Finding]]"]
_SHORTEST_REFERENCE = 4
_WEEKLY = ("digest", "retain", "hot")


class Memory:
    """One root's memory: keep things, find them again, tend them."""

    def __init__(
        self,
        store: Store,
        index: SqliteIndex,
        *,
        clock: Clock,
        ids: IdSource,
        law: Law,
        actor: str,
        limit: int = 10,
        recipe: str = "balanced",
        embedders: Embedders = dict,
        find_sources: FindSources,
        shield: Shield,
        settings: Settings | None = None,
        zone: Callable[[], tzinfo] = lambda: UTC,
        model: OpenModel = lambda: None,
        progress: Progress = silent,
        hurry: bool = False,
    ) -> None:
        self.store = store
        self.index = index
        self._clock = clock
        self._ids = ids
        self._law = law
        self._actor = actor
        self._limit = limit
        self._recipe = recipe
        self._find_sources = find_sources
        self._shield = shield
        self._settings = settings or Settings()
        self._zone = zone
        self._model = model
        self._upkeep = Upkeep(store, index, embedders=embedders, progress=progress, hurry=hurry)

    # Keeping

    def remember(self, what: str | Draft | Drafted, **fields: Any) -> Receipt:
        """Keep something. The same thing kept again is the same record, with `created` False."""
        from memoracle.lifecycle.draft import make_draft

        return self.remember_many([make_draft(what, **fields) if isinstance(what, str) else what])[0]

    def remember_many(self, drafts: Sequence[Draft | Drafted]) -> Sequence[Receipt]:
        """Keep several things with one acknowledgement."""
        from memoracle.lifecycle import revise
        from memoracle.lifecycle.admit import admit, already_kept, keys_of

        drafted = [self.guard(draft) for draft in drafts]
        with self.store.writing():
            change = self._change("remember")
            fresh: list[Record] = []
            known: dict[str, Record] = {}
            outcome: list[tuple[Record, bool]] = []

            def find(key: str) -> Record | None:
                return known.get(key) or self.store.with_key(key)

            for wish in drafted:
                held = already_kept(wish.draft, find, change.at)
                if held is None:
                    record = admit(
                        wish.draft, record_id=self._ids.next(RECORD_PREFIX, change.at), change=change
                    )
                elif held.status is Status.ARCHIVED:
                    record = revise.restore(held, change)
                else:
                    outcome.append((held, False))
                    continue
                fresh.append(record)
                outcome.append((record, held is None))
                known |= dict.fromkeys(record.keys or keys_of(wish.draft), record)
            places = dict(zip((r.id for r in fresh), self.store.append(fresh), strict=True)) if fresh else {}
        return [
            _receipt(
                record,
                places.get(record.id) or self.store.place_of(record),
                created=new,
                warnings=wish.warnings,
            )
            for (record, new), wish in zip(outcome, drafted, strict=True)
        ]

    def guard(self, wish: Draft | Drafted) -> Drafted:
        """A draft as it may be written: without secrets, with no more weight than its channel gives it."""
        from memoracle.lifecycle.draft import Drafted

        given = wish if isinstance(wish, Drafted) else Drafted(draft=wish)
        guarded = self._shield.must_pass(given.draft)
        return Drafted(draft=guarded.draft, warnings=(*given.warnings, *guarded.warnings))

    def ingest(self, target: str, *, keep: bool = False, embed: bool = True) -> Ingested:
        """Read conversations: a file, a folder, or a host by name. Transcripts are never changed.

        `keep` stores a compressed copy that outlives the host's own tidying.
        """
        from memoracle.model.receipt import Ingested
        from memoracle.store.transcripts import register, without_copy

        sources, findings = self._find_sources(target)
        with self.store.writing():
            registered = register(
                self.store, [(str(source.path), source.shape.value) for source in sources], keep=keep
            )
        before = self.index.counts().get("turns", 0)
        self._upkeep.catch_up()
        paths = {str(source.path) for source in sources}
        findings += [finding for finding in self.index.findings() if finding.path in paths]
        findings += [without_copy(path) for path in registered.without_copy]
        return Ingested(
            files=len(sources),
            turns=self.index.counts().get("turns", 0) - before,
            embedded=self._embed_what_is_new() if embed else 0,
            kept=registered.kept,
            findings=tuple(findings),
        )

    def import_(
        self,
        source: str,
        *,
        shape: str = "",
        project: str = "",
        dry_run: bool = False,
        progress: Progress = silent,
    ) -> Imported:
        """Move in what another program kept, once; one act that `undo` reverses. Notes stay notes."""
        import os

        from memoracle.ingest.imports.recognise import Shape, locate, read_source, recognise
        from memoracle.moving.importing import Importing

        place = locate(source, home=os.path.expanduser("~"), environment=os.environ)
        chosen = Shape(shape) if shape else recognise(place)
        importing = Importing(self.store, guard=self.guard, hide=self._shield.hide)
        return importing.run(
            read_source(place, chosen),
            self._change("import", f"from {chosen}"),
            source=place,
            shape=chosen.value,
            project=project,
            dry_run=dry_run,
            progress=progress,
        )

    def export(
        self,
        target: str,
        *,
        shape: str = "markdown",
        entity: str = "",
        project: str = "",
        include_archived: bool = False,
        include_secret: bool = False,
        dry_run: bool = False,
        overwrite: bool = False,
    ) -> Exported:
        """Write the standing records and the notes out, in another design's shape or as plain Markdown."""
        from memoracle.model.migration import Wanted
        from memoracle.moving.exporting import Exporting

        wanted = Wanted(
            entity=entity, project=project, include_archived=include_archived, include_secret=include_secret
        )
        exporting = Exporting(self.store, hide=self._shield.hide, now=self._clock())
        return exporting.run(target, shape, wanted, dry_run=dry_run, overwrite=overwrite)

    def sync(
        self, *, remote: str = "", push: bool = False, init: bool = False, dry_run: bool = False
    ) -> Exchanged:
        """Commit what changed, merge what others wrote, and push only when asked."""
        from memoracle.moving.syncing import Syncing

        syncing = Syncing(
            self.store,
            shield=self._shield,
            check=self.check,
            forget=self._upkeep.forget,
            change=lambda: self._change("sync"),
        )
        if dry_run:
            return syncing.plan(remote, push=push, init=init)
        done = syncing.run(remote, push=push, init=init)
        if done.merged:
            self._upkeep.catch_up()
        return done

    def embed(self) -> int:
        """Compute the vectors that are missing; how many passages got theirs is returned."""
        self._upkeep.catch_up()
        return self._upkeep.embed()

    # Finding

    def recall(self, question: str, **how: Any) -> Recollection:
        """Evidence for a question, or a plain "not in memory". What is handed over is reinforced."""
        found = self.search(question, **how)
        now = self._clock()
        used = [hit.passage.ref for hit in found.hits if _can_be_reinforced(hit, now)]
        if used:
            # A memory that cannot be written still answers; it only learns nothing from it.
            with suppress(StoreProblem, OutsideRoot, OSError):
                self.store.note_use(used, by=self._actor, now=now)
        if self._upkeep.ask(self.index.has_errors):
            from memoracle.store.mend import keep_damage_safe

            keep_damage_safe(self.store)
        return found

    def search(
        self,
        question: str,
        *,
        limit: int | None = None,
        filters: Filters | None = None,
        now: datetime | None = None,
        recipe: str | None = None,
        budget: int | None = None,
    ) -> Recollection:
        """The same evidence, leaving every file exactly as it was."""
        query = Query(text=question, filters=filters or Filters(), limit=limit or self._limit)
        chosen = recipe or self._recipe

        def answer() -> Recollection:
            if chosen != "quick":
                self._upkeep.embed_a_few()
            with self.index.snapshot():
                return recollect(
                    query,
                    self.index,
                    law=self._law,
                    now=now or self._clock(),
                    recipe=chosen,
                    models=self._upkeep.models,
                    budget=budget,
                )

        warnings = self._upkeep.catch_up()
        found = self._upkeep.ask(answer)
        return replace(found, warnings=(*found.warnings, *warnings, *self._upkeep.complaints()))

    def show(self, reference: str) -> Record:
        """One record as it stands."""
        return newest(self._history(reference))

    def list(self, *, limit: int | None = None, filters: Filters | None = None) -> Sequence[Hit]:
        """Records that fit, newest first."""
        self._upkeep.catch_up()
        now = self._clock()
        found = self._upkeep.ask(
            lambda: self.index.list_records(filters or Filters(), limit or self._limit, now)
        )
        uses = self.index.uses_of([item.passage.ref for item in found])
        return [
            Hit(
                passage=item.passage,
                score=0.0,
                activation=round(activation_of(item, uses.get(item.passage.ref, []), self._law, now), 6),
            )
            for item in found
        ]

    def entity(self, name: str | None = None) -> Sequence[EntityPage]:
        """A page for every entity, the best known first; or the one that answers to a name."""
        from memoracle.lifecycle.entities import entity_pages, pages_named

        self._upkeep.catch_up()
        pages = entity_pages(self._upkeep.ask(lambda: self.index.standing(self._law, self._clock())))
        return pages if name is None else pages_named(pages, name)

    def history(self, reference: str) -> Sequence[Record]:
        """Every version of a record, oldest first: who changed what, when and why."""
        return self._history(reference)

    def why(self, reference: str) -> Lineage:
        """Where a memory came from, what it replaced, and what became of it."""
        from memoracle.lifecycle.lineage import trace_lineage

        record_id = self._resolve(reference)
        return trace_lineage(record_id, self.store.versions, self.store.place_of)

    def context(
        self,
        prompt: str | None = None,
        *,
        audience: str = "private",
        budget: int | None = None,
        after: str = "start",
    ) -> Context:
        """What an agent should see first: at hand, today, the buffer, what is open, what fits the prompt.

        Nothing is written and nothing reinforced. `after` is `start`, `compact`, `reset` or `prompt`: that alone.
        """
        return self._briefing().context(prompt or "", audience=audience, budget=budget, after=after)

    def recover(
        self, prompt: str | None = None, *, audience: str = "private", budget: int | None = None
    ) -> Recovered:
        """What to go on from after a reset, once what was interrupted is finished."""
        return self._briefing().recover(prompt or "", audience=audience, budget=budget)

    # Writing down

    def note(
        self,
        text: str,
        *,
        type: str = "",  # noqa: A002 - the word people know
        confidence: float | None = None,
        entity: str = "",
        heading: str = "",
        day: date | None = None,
        to: str = "",
        tags: Sequence[str] = (),
        verified: bool = False,
    ) -> Written:
        """Add a line to the note of today, or `to` its home: infrastructure, decisions and so on."""
        if to:
            return self._jotting().keep(text, to, heading=heading, tags=tags, verified=verified)
        return self._jotting().note(
            text, type_=type, confidence=confidence, entity=entity, heading=heading, day=day
        )

    def close_day(
        self, day: date | None = None, *, decisions: str = "", signal: str = "", left_open: str = ""
    ) -> Written:
        """Write or renew the four closing lines of today's note, or of another day's."""
        return self._jotting().close(day, decisions=decisions, signal=signal, left_open=left_open)

    def duplicates(self) -> Sequence[Duplicate]:
        """The facts that stand in more than one note."""
        return self._jotting().duplicates()

    def buffer(self, act: str = "show", text: str = "", *, defer: bool = False) -> Buffered:
        """The working buffer: `show`, `add`, `rotate` or `clear`. What is added is on disk when this returns."""
        from memoracle.buffering import Buffering

        buffering = Buffering(
            self.store, shield=self._shield, settings=self._settings, zone=self._zone(), clock=self._clock
        )
        return buffering.act(act, text, defer=defer)

    def tags(self) -> tuple[Sequence[Tag], str]:
        """The vocabulary and every tag in use; and what is wrong with its file."""
        return self._jotting().tags()

    def add_tag(self, tag: str, *, because: str) -> Tag:
        """Put a tag into the vocabulary, with its reason."""
        return self._jotting().add_tag(tag, because)

    # Changing

    def edit(
        self, reference: str, *, expected: int | None = None, because: str = "", **fields: Any
    ) -> Receipt:
        """Put a record differently. With `expected`, only if it is still at that version."""
        from memoracle.lifecycle import revise

        words = self._shield.words(fields)

        def make(record: Record, change: Change) -> Record:
            self._shield.must_allow(record.origin.channel, fields.get("kind") or record.kind, was=record.kind)
            return revise.edit(record, change, **words.fields)

        return self._revise("edit", reference, expected, because, make, warnings=words.warnings)

    def pin(self, reference: str, *, pinned: bool = True, because: str = "") -> Receipt:
        """Keep a record in the live set however old it grows."""
        from memoracle.lifecycle import revise

        verb = "pin" if pinned else "unpin"
        return self._revise(verb, reference, None, because, lambda r, c: revise.pin(r, c, pinned=pinned))

    def archive(self, reference: str, *, because: str = "") -> Receipt:
        """Take a record out of default answers; nothing is lost."""
        from memoracle.lifecycle import revise

        return self._revise("archive", reference, None, because, revise.archive)

    def restore(self, reference: str, *, because: str = "") -> Receipt:
        """Bring back what was archived, superseded or retracted."""
        from memoracle.lifecycle import revise

        return self._revise("restore", reference, None, because, revise.restore)

    def supersede(
        self, reference: str, text: str, *, expected: int | None = None, because: str = "", **fields: Any
    ) -> Receipt:
        """Put a new record in place of an old one; both stay in the history. `expected` as in `edit`."""
        from memoracle.lifecycle import revise
        from memoracle.lifecycle.admit import admit
        from memoracle.lifecycle.draft import make_draft

        with self._editing(reference) as (old, _):
            change = self._change("supersede", because)
            inherited: dict[str, Any] = {"kind": old.kind, "importance": old.weight.importance}
            wish = self.guard(make_draft(text, **inherited | fields))
            new = admit(wish.draft, record_id=self._ids.next(RECORD_PREFIX, change.at), change=change)
            successor, ended = revise.supersede(old, new, change)
            wanted = old.version if expected is None else expected
            place = self.store.append([successor, ended], expected={old.id: wanted})[0]
        told = (*wish.warnings, *self._shield.warnings(because))
        return _receipt(successor, place, created=True, warnings=told)

    def undo(self, operation: str | None = None) -> Sequence[Receipt]:
        """Reverse one act, the last one unless another is named. Erased is erased."""
        from memoracle.lifecycle.undo import last_operation, undo
        from memoracle.store.imported import take_back

        with self.store.writing():
            versions = [record for _, record in self.store.all_versions()]
            chosen = operation or last_operation(versions)
            touched = {record.id for record in versions if record.change.operation == chosen}
            notes = take_back(self.store, chosen)
            if notes and not touched:
                return []
            histories = self.store.histories(touched)
            reversed_ = undo(chosen, histories, self._change("undo", undoes=chosen))
            places = self.store.append(reversed_)
        return [
            _receipt(record, place, created=False) for record, place in zip(reversed_, places, strict=True)
        ]

    def inbox(self) -> Sequence[Item]:
        """The questions that wait for their owner, oldest first."""
        from memoracle.lifecycle.inbox import is_moot
        from memoracle.store.inbox import read_inbox

        return [item for item in read_inbox(self.store).open if not is_moot(item, self._as_it_stands)]

    def plan_answer(self, references: Sequence[str], *, yes: bool) -> Plan:
        """What accepting these questions, or turning them down, would do."""
        from memoracle.lifecycle.inbox import plan_answer

        return plan_answer(self.inbox(), references, self._as_it_stands, self._change("accept"), yes=yes)

    def accept(self, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
        """Make what was proposed true, as one act that `undo` reverses."""
        return self._answer(references, because, yes=True)

    def reject(self, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
        """Turn proposals down; they are not asked again."""
        return self._answer(references, because, yes=False)

    def plan_forget(self, references: Sequence[str] = (), *, filters: Filters | None = None) -> Plan:
        """What `forget` would erase."""
        from memoracle.model.plan import Plan, Step

        records = self._doomed(references, filters)
        return Plan(
            verb="forget",
            steps=tuple(
                Step(
                    act="erase",
                    target=record.id,
                    because=f"version 1 to {record.version} of `{record.text[:60]}`",
                )
                for record in records
            ),
        )

    def forget(
        self, references: Sequence[str] = (), *, filters: Filters | None = None, because: str = ""
    ) -> Erased:
        """Erase records everywhere: every version, the archive, the receipts, the view."""
        from memoracle.store.erase import erase, tombstone

        records = self._doomed(references, filters)
        with self.store.writing():
            change = self._change("forget", because)
            erasure = erase(self.store, [tombstone(record, change) for record in records])
        self._upkeep.forget([record.id for record in records])
        from memoracle.model.receipt import Erased

        return Erased(
            ids=tuple(record.id for record in records),
            operation=change.operation,
            lines=sum(erasure.removed.values()),
            remaining=erasure.remaining,
        )

    # Tending

    def consolidate(
        self,
        *,
        force: bool = False,
        phase: str | None = None,
        dry_run: bool = False,
        watch: Watch | None = None,
    ) -> Run:
        """Make what was said into what is known and keep it in order: ten phases, resumed where one was killed."""
        consolidation = self._consolidation(watch)
        if dry_run:
            return consolidation.plan()
        return consolidation.run_phase(phase) if phase else consolidation.run(force=force)

    def flush(self, paths: Sequence[str] = (), *, session: str = "") -> Run:
        """Take from transcripts what is worth keeping, now: these, those of a session, or all that are known."""
        from memoracle.consolidation.flush import flush
        from memoracle.lifecycle.work import Work

        names = self._transcripts_of(paths, session)
        now = self._clock()
        begun = Work(operation=self._ids.next(OPERATION_PREFIX, now), started=now)
        return flush(self._bench(), names, begun)

    def flush_check(
        self,
        tokens: int,
        *,
        window: int | None = None,
        reserve: int | None = None,
        soft: int | None = None,
        cycle: int | None = None,
        transcript: str = "",
        session: str = "",
    ) -> FlushCheck:
        """Whether a host at this many tokens should flush before it compacts; yes once per compaction cycle."""
        from memoracle import flushing

        limits = flushing.limits_of(self._settings, window=window, reserve=reserve, soft=soft)
        size = 0
        if transcript:
            with suppress(OSError):
                size = os.stat(os.path.expanduser(transcript)).st_size
        return flushing.check(
            self.store, tokens, limits, session=session or transcript, size=size, cycle=cycle
        )

    def snapshot(self, *, audience: str = "private", budget: int | None = None) -> Hot:
        """What an agent should have before it at the start of a session; nothing is written."""
        return self._publishing().snapshot(audience, budget)

    def digest(self, day: date | None = None, *, dry_run: bool = False) -> Plan:
        """Write the digests of the days that need it into their notes, or of one day."""
        return self._publishing().digest(day, dry_run=dry_run)

    def review(self, *, accept: Sequence[str] = (), dry_run: bool = False) -> Review:
        """Do the week's upkeep and show what waits for an answer; `accept` makes proposals true, `all` every one."""
        publishing = self._publishing()
        if not accept:
            return publishing.review(lambda: self._weekly(dry_run), dry_run=dry_run)
        chosen = publishing.answerable() if [*accept] == ["all"] else accept
        if dry_run:
            return publishing.answered((), self.plan_answer(chosen, yes=True).steps)
        if chosen:
            self.accept(chosen)
        return publishing.answered(chosen)

    def status(self) -> Summary:
        """What this memory holds and how it is doing, in a glance."""
        from memoracle.health.status import summarise

        warnings = self._upkeep.catch_up()
        asking, tended = self._asking().use(), self._tending().glance()
        return self._upkeep.ask(
            lambda: summarise(self.store, self.index, warnings=warnings, asking=asking, tended=tended)
        )

    def pending(self, *, clear: bool = False) -> Queue:
        """What waits for a model, oldest first, and why; `clear` lets none of it wait any longer."""
        waiting = self._asking().pending()
        if clear:
            self._asking().clear()
        return waiting

    def stats(self) -> Stats:
        """How many records there are, by kind and by importance."""
        from memoracle.health.status import stats

        self._upkeep.catch_up()
        last, coming = self._tending().moments_of("consolidate")
        counted = self._upkeep.ask(lambda: stats(self.index, now=self._clock()))
        return replace(counted, last_consolidation=last, next_consolidation=coming)

    def tend(self, *, job: str = "", dry_run: bool = False) -> Tended:
        """Run the upkeep that is due, or one job by name; one process at a time does it."""
        return self._tending().plan() if dry_run else self._tending().tend(job)

    def health(self, *, fix: bool = False, read_back: bool | None = True) -> Health:
        """How this memory is, in numbers and checks; `fix` mends what can be mended safely."""
        if fix:
            return self._wellbeing().mend(lambda: self._change("health"))
        return self._wellbeing().look(read_back=read_back)

    def plan_health(self) -> Plan:
        """What `health` with `fix` would mend."""
        return self._wellbeing().plan()

    def probe(self) -> Probe:
        """Ask every canary and see whether its answer is still found; leaves every file of truth as it was."""
        return self._wellbeing().probe(lambda query, limit: self.search(query, limit=limit).hits)

    def add_canary(self, canary: Canary) -> int:
        """Keep a question whose answer is known; how many there are is returned."""
        return self._wellbeing().add_canary(canary)

    def check(self, *, deep: bool = False) -> Report:
        """Read everything back and say what is wrong; `deep` also proves the view equal to a rebuild."""
        from memoracle.health.check import check

        self._upkeep.catch_up()
        return check(self.store, self.index, deep=deep)

    def plan_repair(self, *, adopt: bool = False) -> Plan:
        """What `repair` would do."""
        from memoracle.health.repair import plan_repair

        self._upkeep.catch_up()
        return plan_repair(self.check(), adopt=adopt)

    def repair(self, *, adopt: bool = False) -> Plan:
        """Mend what `check` found: damage is set aside, never dropped."""
        from memoracle.health.repair import repair

        plan = self.plan_repair(adopt=adopt)
        if plan:
            with self.store.writing():
                repair(self.store, plan, change=self._change("repair"))
            self._upkeep.catch_up()
            if erased := [step.target for step in plan.steps if step.act == "erase"]:
                self._upkeep.forget(erased)
        return plan

    def plan_fold(self) -> Plan:
        """What `fold` would move."""
        from memoracle.store.fold import fold

        return _fold_plan(fold(self.store, dry_run=True))

    def fold(self) -> Plan:
        """Move versions that no longer stand, and archived records, to the archive files."""
        from memoracle.store.fold import fold

        with self.store.writing():
            return _fold_plan(fold(self.store))

    def rebuild_index(self) -> Synced:
        """Throw the view away and build it again from the files."""
        return self._upkeep.rebuild()

    def close(self) -> None:
        """Let go of the view."""
        self.index.close()

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
        if not {path for path, _ in found} <= self.store.transcripts().keys():
            with self.store.writing():
                register(self.store, found, keep=False)
        if found:
            return [path for path, _ in found]
        known = self.store.transcripts()
        return [path for path in known if session in os.path.basename(path)] if not paths else []

    def _publishing(self) -> Publishing:
        from memoracle.publishing import Publishing

        return Publishing(
            self.store,
            self.index,
            self._upkeep,
            law=self._law,
            settings=self._settings,
            zone=self._zone(),
            clock=self._clock,
        )

    def _briefing(self) -> Briefing:
        from memoracle.briefing import Briefing

        return Briefing(
            self.store,
            self.index,
            self._upkeep,
            law=self._law,
            settings=self._settings,
            zone=self._zone(),
            clock=self._clock,
            search=self.search,
        )

    def _jotting(self) -> Jotting:
        from memoracle.jotting import Jotting

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
        from memoracle.wellbeing import Wellbeing

        return Wellbeing(
            self.store,
            self.index,
            self._upkeep,
            law=self._law,
            settings=self._settings,
            zone=self._zone(),
            clock=self._clock,
        )

    def _tending(self) -> Tending:
        from memoracle.rounds import tending_of

        return tending_of(self, self._settings, zone=self._zone(), clock=self._clock)

    def _asking(self) -> Asking:
        from memoracle.asking import Asking

        tokens = self._settings.llm_daily_tokens
        return Asking(self.store, model=self._model, tokens=tokens, zone=self._zone(), clock=self._clock)

    def _embed_what_is_new(self) -> int:
        """Vectors for what was read; a model that cannot be used keeps nobody from reading."""
        with suppress(EmbedderProblem, MissingExtra):
            return self._upkeep.embed()
        return 0

    def _resolve(self, reference: str) -> str:
        if self.store.versions(reference):
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

    def _history(self, reference: str) -> Sequence[Record]:
        return self.store.versions(self._resolve(reference))

    @contextmanager
    def _editing(self, reference: str) -> Iterator[tuple[Record, str]]:
        record_id = self._resolve(reference)
        with self.store.writing():
            yield newest(self.store.versions(record_id)), record_id

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
        return _receipt(revised, place, created=False, warnings=told)

    def _doomed(self, references: Sequence[str], filters: Filters | None) -> Sequence[Record]:
        ids = [self._resolve(reference) for reference in references]
        if filters is not None:
            self._upkeep.catch_up()
            ids += [item.passage.ref for item in self.index.list_records(filters, 1_000_000, self._clock())]
        records = [newest(self.store.versions(record_id)) for record_id in dict.fromkeys(ids)]
        gone = [record.id for record in records if record.status is Status.FORGOTTEN]
        if gone and len(gone) == len(records):
            raise UnknownRecord(gone[0])
        return [record for record in records if record.status is not Status.FORGOTTEN]

    def _as_it_stands(self, record_id: str) -> Record:
        versions = self.store.versions(record_id)
        if not versions:
            raise UnknownRecord(record_id)
        return newest(versions)

    def _answer(self, references: Sequence[str], because: str, *, yes: bool) -> Sequence[Receipt]:
        from memoracle.lifecycle.inbox import answer_all, choose
        from memoracle.store.inbox import Answer, answer

        with self.store.writing():
            chosen = choose(self.inbox(), references)
            change = self._change("accept" if yes else "reject", because)
            versions = answer_all(chosen, self._as_it_stands, change, yes=yes)
            places = self.store.append(versions) if versions else []
            # The records first: should this be cut off here, a question whose records moved on is moot.
            given = Answer.ACCEPTED if yes else Answer.REJECTED
            answer(self.store, [item.id for item in chosen], given, now=change.at)
        return [
            _receipt(record, place, created=record.version == 1)
            for record, place in zip(versions, places, strict=True)
        ]

    def _change(self, verb: str, because: str = "", *, undoes: str = "") -> Change:
        now = self._clock()
        operation = self._ids.next(OPERATION_PREFIX, now)
        reason = self._shield.mask(because).text if because else ""
        return Change(at=now, verb=verb, by=self._actor, because=reason, operation=operation, undoes=undoes)


def _receipt(
    record: Record, place: Place | None, *, created: bool, warnings: tuple[str, ...] = ()
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
    )


def _can_be_reinforced(hit: Hit, now: datetime) -> bool:
    passage = hit.passage
    is_record = passage.source is answers.Source.RECORD
    return is_record and passage.status is Status.ACTIVE and passage.validity.holds_at(now)


def _fold_plan(folds: Sequence[Fold]) -> Plan:
    from memoracle.model.plan import Plan, Step

    return Plan(
        verb="fold",
        steps=tuple(
            Step(
                act="move",
                target=fold.live,
                because=f"{len(fold.lines)} lines no longer stand; to {fold.archive}",
            )
            for fold in folds
        ),
    )
