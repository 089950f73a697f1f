"""One look at everything: measures, the ground, the notes, and what `check` reads back. Changes nothing.

The cheap part costs a pass over the view and some file sizes. Reading every file back costs more, so a look
that nobody asked for does it once a day, or when the cheap part saw something.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError, OutsideRoot, StoreProblem
from memoracle.hosts.ingesting import watched
from memoracle.model.ids import made_at
from memoracle.model.record import Status
from memoracle.model.report import Done, Finding, Plan, Report, Severity
from memoracle.model.value import replace, value
from memoracle.recall.answers import search
from memoracle.recall.reading import statement
from memoracle.registry import point
from memoracle.store.layouts import NoteRole
from memoracle.store.notes import date_of, read_note
from memoracle.store.run_log import last_finished, read_checkpoint
from memoracle.store.volume import read_document, write_document
from memoracle.times import day_in, moment_in
from memoracle.upkeep import probe as canaries
from memoracle.upkeep.check import check
from memoracle.upkeep.checks import (
    Check,
    disk_percent,
    ground,
    integrity,
    passed,
    size_below,
    skipped,
    sources,
)
from memoracle.upkeep.probe import Canary, Probe, probe_fields, read_canaries
from memoracle.upkeep.report import (
    PROBED,
    Health,
    HealthLimits,
    HealthMeasures,
    judge,
    read_health,
    read_probed,
    write_health,
)
from memoracle.upkeep.retention import daily_days

if TYPE_CHECKING:
    from memoracle.index.api import Index
    from memoracle.model.search import Hit, Passage, Standing
    from memoracle.root import Root
    from memoracle.store.store import Store


JOBS = "jobs.json"
_READ_BACK_EVERY = timedelta(hours=20)


@value
class Consolidated:
    """When the last consolidation began, and how long each of its phases took."""

    started: datetime | None = None
    durations: Mapping[str, float] | None = None


def wants_reading_back(store: Store, index: Index, now: datetime) -> bool:
    """True when the cheap signs, or the time since the files were last read back, ask for a costly look."""
    last = read_health(store)
    row = _integrity_row(last)
    read_at = moment_in(last.get("read_back"))
    if row is None or row.get("status") != "pass" or read_at is None:
        return True
    return bool(_errors(index)) or not timedelta(0) <= now - read_at < _READ_BACK_EVERY


def _measure(
    root: Root, jobs: Mapping[str, Any], told: Consolidated, standing: Sequence[Standing]
) -> HealthMeasures:
    """The numbers, from the standing records, the file system and the state."""
    store = root.store
    notes = store.notes.files()
    active = [one for one in standing if one.passage.status is Status.ACTIVE]
    # Since when there has been something to fade: activation counts from when a record was made.
    made = (made_at(one.passage.ref) or one.passage.at for one in active)
    durations = dict(told.durations or {})
    try:
        hot_lines = len(read_note(store.volume, store.layout["hot"]).text.splitlines())
    except MemoracleError:
        hot_lines = 0  # `check` names it
    rows = jobs.get("jobs")
    return HealthMeasures(
        at=root.clock(),
        disk_usage_bytes=size_below(store.root),
        disk_usage_percent=disk_percent(store.root),
        active_facts=len(active),
        archived_facts=sum(one.passage.status is Status.ARCHIVED for one in standing),
        avg_activation=sum(one.activation for one in active) / len(active) if active else 0.0,
        oldest=min(filter(None, made), default=None),
        note_files_count=len(notes),
        daily_files_count=sum(bool(date_of(path)) for path, role in notes.items() if role is NoteRole.DAILY),
        session_files_count=len(store.sessions.by_path()),
        embedding_index_size_bytes=_vector_bytes(store),
        memory_md_lines=hot_lines,
        last_consolidation=told.started,
        consolidation_duration_seconds=sum(durations.values()),
        durations=durations,
        quality_probe=read_probed(read_document(store.volume, store.state_name(PROBED)).get("quality_probe")),
        failing_jobs={
            str(name): str(row.get("last_error") or "it did not come to an end")
            for name, row in (rows.items() if isinstance(rows, dict) else ())
            if isinstance(row, dict) and row.get("retry_count", 0) > bool(row.get("running"))
        },
    )


def _last_consolidation(store: Store) -> Consolidated:
    """What the checkpoint tells of the last consolidation that came to its end."""
    state = read_checkpoint(store)
    durations = state.get("durations")
    seconds = {
        str(name): float(one)
        for name, one in (durations.items() if isinstance(durations, dict) else ())
        if isinstance(one, int | float)
    }
    return Consolidated(started=last_finished(store), durations=seconds)


def _last_verdict(store: Store, index: Index) -> tuple[Check, datetime | None]:
    """What the last reading back said, and when; what the view has found since counts against it."""
    if met := _errors(index):
        return integrity(Report(findings=met, counts={})), None
    last = read_health(store)
    row = _integrity_row(last)
    if row is None or row.get("status") != "pass":
        return skipped("integrity", "the files were not read back; `memoracle check` reads them"), None
    return passed("integrity", str(row.get("message", ""))), moment_in(last.get("read_back"))


def _errors(index: Index) -> tuple[Finding, ...]:
    """Damage that the view met when it last read the files."""
    return tuple(one for one in index.findings() if one.severity is Severity.ERROR)


def _integrity_row(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    rows = document.get("checks")
    if not isinstance(rows, list):
        return None
    return next((row for row in rows if isinstance(row, dict) and row.get("id") == "integrity"), None)


def _vector_bytes(store: Store) -> int:
    """The vectors stand in one file of the view, and in another if the layout has a place for them."""
    folder = os.path.join(store.root, store.layout["index"])
    places = [os.path.join(folder, name) for name in ("vectors.db", "vectors.db-wal")]
    return sum(os.path.getsize(place) for place in places if os.path.isfile(place))


# How a memory is, and what keeps it well: health, safe repairs, canaries. Values become writes here.

_NEAR_THE_CAP = 20
_SURELY = 1.1
"""The logit from which one statement is taken to have changed another: three to one."""
_NEEDS_A_PERSON = "accept"
"""Lines that vanished may still be in a copy somewhere: `repair` accepts the loss when its owner says so."""


def health(root: Root, *, fix: bool = False, read_back: bool | None = True) -> Health:
    """How this memory is, in numbers and checks; `fix` mends what can be mended safely."""
    if not fix:
        return look(root, read_back=read_back)
    from memoracle.upkeep.repair import carry_out

    plan = plan_health(root)
    tidied = Done()

    def tidy() -> None:
        nonlocal tidied
        if mend := point("tidy_notes"):
            tidied = mend(root.store, plan.steps, now=root.clock(), zone=root.zone)

    carry_out(root, plan, "health", then=tidy)
    undone = {finding.path for finding in tidied.findings}
    done = tuple(step for step in plan.steps if step.target not in undone)
    return replace(look(root), mended=Done(steps=done, findings=tidied.findings))


def look(
    root: Root,
    *,
    read_back: bool | None = True,
    consolidated: Consolidated | None = None,
    standing: Sequence[Standing] | None = None,
) -> Health:
    """How it is, written down. `read_back` None means: read the files back when there is reason to.

    `consolidated` tells of a consolidation that is about to end, else the last one that ended counts;
    `standing` is what it has just worked out.
    """
    root.view.catch_up()
    found = root.view.ask(lambda: _look(root, read_back, consolidated, standing))
    write_health(root.store, found)
    return found


def plan_health(root: Root) -> Plan:
    """What `health` with `fix` would mend: what can be mended safely."""
    from memoracle.upkeep.repair import plan_repair

    root.view.catch_up()
    broken = plan_repair(check(root.store, root.index, deep=False), adopt=False)
    found = root.view.ask(lambda: _look(root, False))
    steps = [step for step in broken.steps if not step.act.startswith(_NEEDS_A_PERSON)]
    plan_tidying = point("plan_tidying") or (lambda _: ())
    return Plan(verb="health", steps=(*steps, *plan_tidying(found.checks)))


def probe(root: Root) -> Probe:
    """Ask every canary and see whether its answer is still found; leaves every file of truth as it was."""

    def ask(query: str, limit: int) -> Sequence[Hit]:
        return search(root, query, limit=limit).hits

    def changes(old: Passage, new: Passage) -> bool:
        reranker = root.open_reranker()
        said = reranker.changes([(statement(old), statement(new))]) if reranker else ()
        return any(logit >= _SURELY for logit in said)

    found = canaries.probe(read_canaries(root.store), ask, now=root.clock(), changes=changes)
    with suppress(StoreProblem, OutsideRoot):  # a memory that cannot be written can still be asked
        write_document(root.store.volume, root.store.state_name(PROBED), probe_fields(found))
    look(root, read_back=None)
    return found


def add_canary(root: Root, canary: Canary) -> int:
    """Keep a question whose answer is known; how many there are is returned."""
    root.guard.must_be_ready()
    hide = root.guard.hide
    texts = {name: tuple(map(hide, getattr(canary, name))) for name in ("expected", "outdated")}
    clean = replace(canary, query=hide(canary.query), **texts)
    with root.store.writing():
        return canaries.add_canary(root.store, clean)


def _look(
    root: Root,
    read_back: bool | None,
    consolidated: Consolidated | None = None,
    standing: Sequence[Standing] | None = None,
) -> Health:
    """Without reading the files back, the last verdict on them stands."""
    store, index, settings, now = root.store, root.index, root.settings, root.clock()
    jobs = read_document(store.volume, store.state_name(JOBS))
    known = index.standing(root.decay, now) if standing is None else standing
    measures = _measure(root, jobs, consolidated or _last_consolidation(store), known)
    limits = HealthLimits(
        max_active=settings.max_active,
        hot_most=settings.hot_lines,
        hot_warning=max(
            settings.hot_lines - _NEAR_THE_CAP, min(settings.hot_lines, settings.hot_target_lines)
        ),
        young_for=root.decay.half_life("fact", 0.0),
    )
    looked = moment_in(jobs.get("looked"))
    checks = [*judge(measures, limits), *ground(store, looked=looked, now=now), sources(watched(store))]
    if look_at_notes := point("note_checks"):
        checks += look_at_notes(
            store,
            now=now,
            today=day_in(root.zone, now),
            buffer_lines=settings.buffer_lines,
            daily_days=daily_days(store.layout_name, settings.daily_retention_days),
        )
    if look_at_seats := point("seat_checks"):
        checks += look_at_seats(store, now)
    reads = wants_reading_back(store, index, now) if read_back is None else read_back
    read_now = (integrity(check(store, index, deep=False)), now) if reads else None
    first, read_at = read_now or _last_verdict(store, index)
    return Health(measures=measures, checks=(first, *checks), read_back=read_at)
