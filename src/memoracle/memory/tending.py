"""Verbs that keep a memory in order."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import TYPE_CHECKING

from memoracle.index.sync import Synced
from memoracle.memory.changing import Alter
from memoracle.model.ids import OPERATION_PREFIX
from memoracle.model.value import replace

if TYPE_CHECKING:
    from memoracle.acts.inspecting import Inspection
    from memoracle.acts.tending import Tended
    from memoracle.consolidation.run import Watch
    from memoracle.context.hot import Hot
    from memoracle.health.probe import Canary, Probe
    from memoracle.health.report import Health
    from memoracle.health.status import Stats, Summary
    from memoracle.lifecycle.flush import FlushCheck
    from memoracle.lifecycle.review import Review
    from memoracle.model.event import Told, Verified
    from memoracle.model.migration import Exchanged
    from memoracle.model.pending import Queue
    from memoracle.model.plan import Plan
    from memoracle.model.report import Finding, Report
    from memoracle.model.run import Run
    from memoracle.store.fold import Fold


class Tend(Alter):
    """Verbs that keep a memory in order."""

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
        self._shield.must_be_ready()
        done = consolidation.run_phase(phase) if phase else consolidation.run(force=force)
        self._privacy_lines_lost()
        if done.phases:
            self._told("consolidate", about=[one.name for one in done.phases], operation=done.operation)
            with self.store.writing():
                self.store.audit.rotate(self._clock())
        return done

    def flush(self, paths: Sequence[str] = (), *, session: str = "") -> Run:
        """Take from transcripts what is worth keeping, now: these, those of a session, or all that are known."""
        from memoracle.consolidation.flush import flush
        from memoracle.lifecycle.work import Work

        self._must_not_overhear()
        self._shield.must_be_ready()
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
        from memoracle.acts import flushing

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
        audience = "group" if self._shows_public_alone else audience
        return self._publishing().snapshot(audience, budget, reader=self._told_to, withheld=self._withheld)

    def digest(self, day: date | None = None, *, dry_run: bool = False) -> Plan:
        """Write the digests of the days that need it into their notes, or of one day."""
        return self._publishing().digest(day, dry_run=dry_run)

    def review(self, *, accept: Sequence[str] = (), dry_run: bool = False) -> Review:
        """Do the week's upkeep and show what waits for an answer; `accept` makes proposals true, `all` every one."""
        self._must_see_all()
        found = self.hold_review(accept=accept, dry_run=dry_run)
        return replace(found, items=self._with_sentences(found.items))

    def hold_review(self, *, accept: Sequence[str] = (), dry_run: bool = False) -> Review:
        """The same, as upkeep does it: whoever it runs for, nobody is shown what it found."""
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
        from memoracle.health.status import count_by_status, summarise

        warnings = (*self._upkeep.catch_up(), *self._policy_warning())
        asking, tended = self._asking().use(), self._tending().glance()
        found = self._upkeep.ask(
            lambda: summarise(self.store, self.index, warnings=warnings, asking=asking, tended=tended)
        )
        if self.is_whole:
            return found
        return replace(found, **count_by_status(self._seen()))

    def pending(self, *, clear: bool = False) -> Queue:
        """What waits for a model, oldest first, and why; `clear` lets none of it wait any longer."""
        self._must_see_all()
        waiting = self._asking().pending()
        if clear:
            self._asking().clear()
        return waiting

    def stats(self) -> Stats:
        """How many records there are, by kind and by importance."""
        from memoracle.health.status import stats

        self._upkeep.catch_up()
        last, coming = self._tending().moments_of("consolidate")
        return replace(stats(self._seen()), last_consolidation=last, next_consolidation=coming)

    def tend(self, *, job: str = "", dry_run: bool = False) -> Tended:
        """Run the upkeep that is due, or one job by name; one process at a time does it."""
        if dry_run:
            return self._tending().plan()
        done = self._tending().tend(job)
        if done.ran:
            self._told("tend", about=[one.job for one in done.ran], rules=[one.outcome for one in done.ran])
        return done

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
        self._shield.must_be_ready()
        hide = self._shield.hide
        clean = replace(canary, query=hide(canary.query), expected=tuple(map(hide, canary.expected)))
        return self._wellbeing().add_canary(clean)

    def check(self, *, deep: bool = False) -> Report:
        """Read everything back and say what is wrong; `deep` also proves the view equal to a rebuild."""
        from memoracle.health.check import check

        self._upkeep.catch_up()
        lost = self._privacy_lines_lost(note=False)
        report = check(self.store, self.index, deep=deep, privacy_lines_lost=lost)
        return replace(report, findings=(*report.findings, *self._secrets_in_clear()))

    def _secrets_in_clear(self) -> Iterator[Finding]:
        """Where secrets stand in files that somebody else wrote here: the place and the type, never the value."""
        from memoracle.model.manifest import Role
        from memoracle.model.report import Finding, Severity
        from memoracle.moving.secrets import secrets_in

        roles = {Role.RECORDS, Role.NOTE, Role.FACTS}
        paths = [state.path for state in self.store.manifest() if state.role in roles]
        for path in paths:
            for place in secrets_in(self.store, self._shield, path):
                where, _, kind = place.partition(" (")
                yield Finding(
                    code="secret-in-clear",
                    severity=Severity.WARNING,
                    path=where,
                    message=f"a secret stands here in clear ({kind.rstrip(')')}); whatever is shown of it is masked",
                    hint="take it out of the file, and make the secret anew where others could read it",
                )

    def verify_audit(self, *, heads: Sequence[str] = ()) -> Verified:
        """Whether the audit trail is whole and the records are what it says; `heads` were noted elsewhere."""
        from memoracle.acts.auditing import Auditing

        return Auditing(self.store).verify(heads)

    def audit(
        self,
        *,
        record: str = "",
        act: str = "",
        who: str = "",
        since: datetime | None = None,
        session: str = "",
        limit: int | None = None,
    ) -> Sequence[Told]:
        """Who did what, when and why: the latest acts that fit, oldest first."""
        self._must_see_all()
        from memoracle.acts.auditing import Auditing

        found = Auditing(self.store).show(
            record=record, act=act, who=who, since=since, session=session, limit=limit or self._limit
        )
        return [replace(one, because=tuple(map(self._shield.hide, one.because))) for one in found]

    def inspect(self, reference: str = "", *, session: str = "", entity: str = "") -> Inspection:
        """Everything that is kept of one record, of a session or of an entity; nothing is reinforced."""
        self._must_see_all()
        from memoracle.acts.inspecting import Inspecting

        self._upkeep.catch_up()
        inspecting = Inspecting(
            self.store,
            self.index,
            acts=lambda record: self.audit(record=record, limit=50),
            snapshot=lambda: self.snapshot().text,
            versions=self._shown_versions,
            show=self._shield.screen,
        )
        if session:
            outlook = self._forgetting().hearings_of(session)
            turns = sum(one.turns for one in outlook)
            return inspecting.session(session, turns, [one.transcript.path for one in outlook])
        if entity:
            return inspecting.entity(entity, self.entity(entity))
        record = self.show(reference)
        return inspecting.record(record.id)

    def plan_repair(self, *, adopt: bool = False, take_state: bool = False) -> Plan:
        """What `repair` would do."""
        from memoracle.health.repair import plan_repair

        self._upkeep.catch_up()
        return plan_repair(self.check(), adopt=adopt, take_state=take_state)

    def repair(self, *, adopt: bool = False, take_state: bool = False) -> Plan:
        """Mend what `check` found: damage is set aside, never dropped."""
        from memoracle.health.repair import repair

        plan = self.plan_repair(adopt=adopt, take_state=take_state)
        if plan:
            with self.store.writing():
                repair(self.store, plan, change=self._change("repair"))
                self._told("repair", about=[s.target for s in plan.steps], rules=[s.act for s in plan.steps])
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
            plan = _fold_plan(fold(self.store))
            self._told("fold", about=[step.target for step in plan.steps])
            self.store.audit.rotate(self._clock())
            return plan

    def rebuild_index(self) -> Synced:
        """Throw the view away and build it again from the files."""
        return self._upkeep.rebuild()

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
