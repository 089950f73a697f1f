"""Upkeep by hand: how it is in a glance, what is wrong, and mending it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, tzinfo
from datetime import time as time_of_day
from typing import TYPE_CHECKING, Any

from memoracle.context.publish import digest
from memoracle.errors import (
    AlreadyRunning,
    BadInput,
    EmbedderProblem,
    MemoracleError,
    RootLocked,
    WeightsMismatch,
)
from memoracle.hosts.ingesting import look_again, watched
from memoracle.learn.asking import asking_of
from memoracle.learn.flush import flush
from memoracle.learn.policies import privacy_lines_lost
from memoracle.learn.records import seen_standing
from memoracle.learn.review import hold_review
from memoracle.learn.run import consolidate
from memoracle.model.record import Status
from memoracle.model.report import Done, Finding, Plan, Report, Severity, Step
from memoracle.model.value import replace, value
from memoracle.registry import point
from memoracle.store.run_log import critical_now, last_finished
from memoracle.store.volume import Volume, read_document, write_document
from memoracle.times import Clock, moment_in, write_time
from memoracle.upkeep.alerts import tell
from memoracle.upkeep.backup import back_up_daily, daily_folder
from memoracle.upkeep.checks import size_below
from memoracle.upkeep.health import health, probe
from memoracle.upkeep.report import PROBED, JobState, Stats, Summary, read_health
from memoracle.upkeep.schedule import FILE, Due, Job, Past, believed, due, next_due, signature_of, table

if TYPE_CHECKING:
    from memoracle.index.api import Synced
    from memoracle.model.report import ModelUse
    from memoracle.model.search import Standing
    from memoracle.root import Root
    from memoracle.settings import Settings
    from memoracle.store.archive import Fold
    from memoracle.store.store import Store


# Upkeep that runs when it is due, from any trigger, in one process at a time.

LOCK = "tend.lock"
_SCHEMA = 1
_LONGEST_ERROR = 500
_COUNTED = ("active", "archived", "superseded")
_BANDS = (("critical", 0.9), ("high", 0.7), ("medium", 0.4), ("low", 0.0))

Action = Callable[[], str]
"""Does one job; what it returns is one sentence about it."""


@value
class _Ran:
    """What came of one job: `done`, `failed`, or `busy` when somebody else is at it."""

    job: str
    because: str
    outcome: str
    seconds: float
    says: str


@value
class Tended:
    """What a trigger did: `done`, `nothing_due`, `already_running`, or `planned` for a dry run."""

    status: str
    ran: tuple[_Ran, ...] = ()
    due: tuple[Due, ...] = ()
    next: tuple[Due, ...] = ()
    alert: str = ""
    """What was told of it just now."""
    critical: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """No job failed, and nothing is critical."""
        return not self.critical and all(one.outcome != "failed" for one in self.ran)


class Tending:
    """The jobs of one root."""

    def __init__(
        self,
        volume: Volume,
        folder: str,
        *,
        jobs: Sequence[Job],
        actions: Mapping[str, Action],
        clock: Clock,
        zone: tzinfo,
        signature: Sequence[Any] = (),
        known: Callable[[], Mapping[str, datetime | None]] = dict,
    ) -> None:
        """`known` says of what else is known to have succeeded when; `signature` is what a heartbeat compares."""
        self._volume = volume
        self._name = f"{folder}/{FILE}"
        self._lock = f"{folder}/{LOCK}"
        self._jobs = [job for job in jobs if job.name in actions]
        self._actions = actions
        self._clock = clock
        self._zone = zone
        self._signature = list(signature)
        self._known = known

    def plan(self) -> Tended:
        """What is due, and when everything will be; nothing is written."""
        now, past = self._clock(), self.past()
        return Tended(
            status="planned",
            due=self._local(due(self._jobs, past, now, self._zone)),
            next=self._local(next_due(self._jobs, past, now, self._zone)),
        )

    def tend(self, only: str = "") -> Tended:
        """Run what is due, or the one job that is named; says so at once when another process is at it."""
        if only and only not in self._actions:
            raise BadInput(f"there is no job called `{only}`", f"there are: {', '.join(self._actions)}")
        try:
            with self._volume.locked(self._lock, timeout=0):
                now = self._clock()
                wanted = (
                    [Due(job=only, since=now, because="it was asked for")]
                    if only
                    else due(self._jobs, self.past(), now, self._zone)
                )
                ran = tuple(self._run(one) for one in wanted)
                coming = self._look_ahead()
        except RootLocked:
            return Tended(status="already_running")
        return Tended(status="done" if ran else "nothing_due", ran=ran, next=coming)

    def glance(self) -> dict[str, tuple[datetime | None, datetime]]:
        """Of each job, when it last succeeded and when it is due next."""
        past = self.past()
        coming = {
            one.job: one.since for one in self._local(next_due(self._jobs, past, self._clock(), self._zone))
        }
        last = {name: one.success.astimezone(self._zone) for name, one in past.items() if one.success}
        return {job.name: (last.get(job.name), coming[job.name]) for job in self._jobs}

    def past(self) -> dict[str, Past]:
        """What is known of each job, from here and from elsewhere."""
        kept, elsewhere, now = _jobs_in(read_document(self._volume, self._name)), self._known(), self._clock()
        past = {}
        for name in {*kept, *elsewhere}:
            one = kept.get(name, {})
            own = believed(moment_in(one.get("last_success")), now)
            other = believed(elsewhere.get(name), now)
            success = max((moment for moment in (own, other) if moment), default=None)
            is_newer = other is not None and (own is None or other > own)
            past[name] = Past(
                success=success,
                start=moment_in(one.get("last_start")),
                retries=0 if is_newer else _number(one.get("retry_count")),
            )
        return past

    def _run(self, one: Due) -> _Ran:
        before = _jobs_in(read_document(self._volume, self._name)).get(one.job, {})
        start, began = self._clock(), time.perf_counter()
        failures, retries = _number(before.get("failures")), _number(before.get("retry_count"))
        entry = before | {
            "last_start": write_time(start),
            "failures": failures + 1,
            "retry_count": retries + 1,
            "last_error": "it did not come to an end",
            "running": True,
        }
        self._note(one.job, entry)
        outcome, says = self._try(one.job)
        seconds = round(time.perf_counter() - began, 3)
        entry |= {"running": False, "duration_seconds": seconds, "last_error": says[:_LONGEST_ERROR]}
        if outcome == "done":
            entry |= {"last_success": write_time(start), "retry_count": 0, "last_error": ""}
        if outcome != "failed":
            entry["failures"] = failures
        if outcome == "busy":
            entry["retry_count"] = retries
        self._note(one.job, entry)
        return _Ran(job=one.job, because=one.because, outcome=outcome, seconds=seconds, says=says)

    def _try(self, name: str) -> tuple[str, str]:
        try:
            return "done", self._actions[name]()
        except AlreadyRunning as problem:
            return "busy", str(problem)
        except MemoracleError as problem:
            return "failed", str(problem)
        except Exception as problem:  # noqa: BLE001 - whatever is wrong with one job, the others still run
            return "failed", f"{type(problem).__name__}: {problem}"

    def _note(self, name: str, entry: Mapping[str, Any]) -> None:
        held = read_document(self._volume, self._name)
        kept = _jobs_in(held) | {name: dict(entry)}
        # Without `quiet_until` a heartbeat looks properly, and finds the lock.
        write_document(
            self._volume, self._name, {"schema": _SCHEMA, "looked": held.get("looked"), "jobs": kept}
        )

    def _look_ahead(self) -> tuple[Due, ...]:
        """Note until when nothing is due, for the next heartbeat."""
        now = self._clock()
        coming = tuple(next_due(self._jobs, self.past(), now, self._zone))
        document = {
            "schema": _SCHEMA,
            "looked": write_time(now),
            "quiet_until": write_time(coming[0].since if coming else now),
            "seen": self._signature,
            "jobs": _jobs_in(read_document(self._volume, self._name)),
        }
        write_document(self._volume, self._name, document)
        return self._local(coming)

    def _local(self, dues: Sequence[Due]) -> tuple[Due, ...]:
        """As the owner's clock shows them."""
        return tuple(replace(one, since=one.since.astimezone(self._zone)) for one in dues)


def _jobs_in(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    jobs = document.get("jobs")
    if not isinstance(jobs, dict):
        return {}
    return {name: entry for name, entry in jobs.items() if isinstance(entry, dict)}


def _number(written: Any) -> int:
    return written if isinstance(written, int) and 0 <= written < 1_000_000 else 0


def tend(root: Root, *, job: str = "", dry_run: bool = False) -> Tended:
    """Run the upkeep that is due, or one job by name; one process at a time does it."""
    tending = tending_of(root)
    if dry_run:
        return tending.plan()
    done = tending.tend(job)
    if not done.ran:
        return done
    root.log("tend", about=[one.job for one in done.ran], rules=[one.outcome for one in done.ran])
    before = critical_now(root.store)
    alert, critical = tell(root, _jobs_in(read_document(root.store.volume, root.store.state_name(FILE))))
    if critical_now(root.store) != before:
        with suppress(MemoracleError):  # the hot file says it, or says it no more
            consolidate(root, phase="hot")
    if root.settings.commit != "never" and (commit := point("commit_changes")):
        commit(root)
    return replace(done, alert=alert, critical=critical)


def tending_of(root: Root) -> Tending:
    """The tending of a root: its table, its verbs, and what is known of them; a verb called by hand counts."""
    return Tending(
        root.store.volume,
        root.store.own_state().folder,
        jobs=jobs_of(root.settings),
        actions=_actions(root),
        clock=root.clock,
        zone=root.zone,
        signature=signature_of(root.store.root, os.environ),
        known=lambda: _known(root.store),
    )


def jobs_of(settings: Settings) -> tuple[Job, ...]:
    """The table of these settings."""
    night = settings.consolidate_at
    given = {"digest": settings.digest_at, "backup": night, "consolidate": night}
    return table(settings.profile, {name: time_of_day.fromisoformat(at) for name, at in given.items() if at})


def _actions(root: Root) -> dict[str, Action]:
    """The jobs of the table as calls of verbs, each with one sentence about what came of it."""

    def do_ingest() -> str:
        read = look_again(root)
        unread = f"; {read.unread} could not be read (`memoracle health`)" if read.unread else ""
        return f"{read.turns} new turns from {read.files} conversations{unread}"

    def do_digest() -> str:
        look_again(root)
        flush(root)  # what was said today becomes records now: consolidation comes at night
        steps = digest(root).steps
        return f"{len(steps)} notes written" if steps else "nothing new to tell"

    def do_backup() -> str:
        done = back_up_daily(root)
        return (
            f"{done.files} files, {done.bytes:,} bytes in {done.path}; {len(done.removed)} older ones removed"
        )

    def do_consolidate() -> str:
        run = consolidate(root)
        counts = [f"{number} {name}" for phase in run.phases for name, number in phase.counts.items()]
        return run.skipped or ", ".join(counts) or "nothing to change"

    def do_review() -> str:
        found = hold_review(root)
        return f"{found.message} (`memoracle review`)" if found.items or found.left else found.message

    def do_probe() -> str:
        found = probe(root)
        told = f"{found.passed} of {len(found.asked)} canaries found"
        return told if found.asked else "there are no canaries yet"

    def do_health() -> str:
        mended = _tended(root)
        found = health(root, read_back=None)
        worried = [check.id for check in found.checks if not check.ok]
        return mended + (f"{found.status}: {', '.join(worried)}" if worried else found.status)

    # Where nothing is watched there is no such job, and a heartbeat has nothing to wake for.
    wanted = {
        "ingest": do_ingest if watched(root.store) else None,
        "backup": do_backup if daily_folder(root.store.root, root.environment) else None,
    }
    return {name: act for name, act in wanted.items() if act} | {
        "digest": do_digest,
        "consolidate": do_consolidate,
        "review": do_review,
        "probe": do_probe,
        "health": do_health,
    }


def _tended(root: Root) -> str:
    """What was mended in the notes before they are looked at, as the beginning of a sentence."""
    tend_notes = point("tend_notes")
    done: Done = tend_notes(root) if tend_notes else Done()
    return f"{len(done.steps)} notes mended; " if done.steps else ""


def _known(store: Store) -> dict[str, datetime | None]:
    probe = read_document(store.volume, store.state_name(PROBED)).get("quality_probe")
    return {
        "consolidate": last_finished(store),
        "health": moment_in(read_health(store).get("timestamp")),
        "probe": moment_in(probe.get("last_run")) if isinstance(probe, dict) else None,
    }


def status(root: Root) -> Summary:
    """What this memory holds and how it is doing, in a glance."""
    warnings = (*root.view.catch_up(), *root.reader.warnings)
    asking, tended = asking_of(root).use(), tending_of(root).glance()
    found = root.view.ask(lambda: _glance(root, warnings, asking, tended))
    return found if root.reader.sees_all else replace(found, **_count_by_status(seen_standing(root)))


def _glance(
    root: Root,
    warnings: tuple[str, ...],
    asking: ModelUse,
    tended: Mapping[str, tuple[datetime | None, datetime]],
) -> Summary:
    store, index = root.store, root.index
    counts = index.counts()
    return Summary(
        root=store.root,
        layout=store.layout_name,
        **{name: counts.get(f"status:{name}", 0) for name in _COUNTED},
        notes=counts.get("notes", 0),
        turns=counts.get("turns", 0),
        without_vector=index.count_pending(root.view.space()),
        findings=len(index.findings()),
        view="whole" if index.is_whole() else "being rebuilt",
        disk_bytes=size_below(store.root),
        asking=asking,
        health=str(read_health(store).get("status", "")),
        jobs={name: JobState(last_success=last, next_due=coming) for name, (last, coming) in tended.items()},
        warnings=warnings,
    )


def _count_by_status(seen: Sequence[Standing]) -> dict[str, int]:
    return {name: sum(one.passage.status == name for one in seen) for name in _COUNTED}


def stats(root: Root) -> Stats:
    """How many records there are, by kind and by importance."""
    root.view.catch_up()
    last, coming = tending_of(root).glance()["consolidate"]
    seen = seen_standing(root)
    counted = _count_by_status(seen)
    active, archived = counted["active"], counted["archived"]
    bands = dict.fromkeys((name for name, _ in _BANDS), 0)
    by_kind: dict[str, int] = {}
    for passage in sorted((one.passage for one in seen), key=lambda one: one.kind):
        if passage.status is Status.ACTIVE:
            bands[next(name for name, least in _BANDS if passage.importance >= least)] += 1
            by_kind[passage.kind] = by_kind.get(passage.kind, 0) + 1
    return Stats(
        total=active + archived,
        active=active,
        archive=archived,
        by_kind=by_kind,
        by_importance=bands,
        by_kind_percent={name: round(100 * number / max(1, active), 1) for name, number in by_kind.items()},
        last_consolidation=last,
        next_consolidation=coming,
    )


def check(root: Root, *, deep: bool = False) -> Report:
    """Read everything back and say what is wrong; `deep` also proves the view equal to a rebuild."""
    from memoracle.upkeep.check import check
    from memoracle.upkeep.clear_secrets import secrets_in_clear

    root.view.catch_up()
    lost = privacy_lines_lost(root, note=False)
    report = check(root.store, root.index, deep=deep, privacy_lines_lost=lost)
    return replace(report, findings=(*report.findings, *secrets_in_clear(root), *_weights(root)))


def _weights(root: Root) -> Iterator[Finding]:
    """What is wrong with the bundled model, where it is used: every byte is read."""
    if "bundled" not in [getattr(root.settings, use) for use in ("embedder", "reranker", "tagger")]:
        return
    from memoracle.inference.bundled import WEIGHTS, verify

    try:
        verify()
    except EmbedderProblem as problem:
        yield Finding(
            code="damaged-weights",
            severity=Severity.WARNING,
            path=WEIGHTS,
            message=f"{problem}; recall may go by words alone, learning by rules",
            hint=WeightsMismatch.hint,
        )


def plan_repair(root: Root, *, adopt: bool = False, take_state: bool = False) -> Plan:
    """What `repair` would do."""
    from memoracle.upkeep.repair import plan_repair

    root.view.catch_up()
    return plan_repair(check(root), adopt=adopt, take_state=take_state)


def repair(root: Root, *, adopt: bool = False, take_state: bool = False) -> Plan:
    """Mend what `check` found: damage is set aside, never dropped."""
    from memoracle.upkeep.repair import carry_out

    plan = plan_repair(root, adopt=adopt, take_state=take_state)
    targets, acts = [step.target for step in plan.steps], [step.act for step in plan.steps]
    carry_out(root, plan, "repair", then=lambda: root.log("repair", about=targets, rules=acts))
    return plan


def plan_fold(root: Root) -> Plan:
    """What `fold` would move."""
    from memoracle.store.archive import fold

    return _fold_plan(fold(root.store, dry_run=True))


def fold(root: Root) -> Plan:
    """Move versions that no longer stand, and archived records, to the archive files."""
    from memoracle.store.archive import fold

    with root.store.writing():
        plan = _fold_plan(fold(root.store))
        root.log("fold", about=[step.target for step in plan.steps])
        root.store.audit.rotate(root.clock())
        return plan


def rebuild_index(root: Root) -> Synced:
    """Throw the view away and build it again from the files."""
    return root.view.rebuild()


def _fold_plan(folds: Sequence[Fold]) -> Plan:
    says = "{} lines no longer stand; to {}"
    steps = [
        Step(act="move", target=one.live, because=says.format(len(one.lines), one.archive)) for one in folds
    ]
    return Plan(verb="fold", steps=tuple(steps))
