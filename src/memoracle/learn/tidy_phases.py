"""The other six phases: what is known ages, is indexed, shown, digested, put away and looked after.

Each begins from the files and can run alone. Running one again changes nothing.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from memoracle.errors import EmbedderProblem, MissingExtra
from memoracle.learn.unit_of_work import PhaseOutcome, UnitOfWork
from memoracle.model.record import is_foreign
from memoracle.model.search import TOOL
from memoracle.model.value import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.learn.unit_of_work import Work
    from memoracle.model.report import Done, Step

_DERIVED = frozenset({"activation", "rankings", "links"})
"""Places of a layout whose documents upkeep derives, and would put in the place of another program's."""

_ONE_IN, _FEW = 20, 100
"""Files are folded when one line in so many could leave them, or as soon as one could while they are short."""


def age(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """Archive what ended, expired or faded, and the weakest beyond the cap; fold what no longer stands.

    What stood in an adopted directory before is only proposed, as one question, until its owner agrees.
    """
    from memoracle.learn.revise import archive_aged
    from memoracle.store.archive import fold
    from memoracle.store.run_log import RunAct, log_run
    from memoracle.upkeep.retention import plan_ageing

    _adopt_late(unit, work)
    found = plan_ageing(
        unit.view.standing(work.started),
        unit.root.decay,
        work.started,
        most_active=unit.root.settings.max_active,
    )
    adopted = unit.root.store.adopted()
    versions, proposed = archive_aged(found, unit.records.standing, adopted, unit.change(work))
    steps = [step for step in found if step not in proposed]
    _propose(unit, work, len(proposed))
    if not unit.dry_run:
        with unit.root.store.writing():
            log_run(unit.root.store, RunAct.AGE, operation=work.operation, at=work.started)
    written = unit.commit(versions)
    unit.view.archived([step.target for step in steps])
    could_leave, lines = unit.records.could_leave()
    folded = 0
    # Where another program reads the same files it takes every line for a memory.
    shared = "history" in unit.root.store.layout
    soon = could_leave and (lines <= _FEW or could_leave * _ONE_IN >= lines)
    if not unit.dry_run and (shared or soon):
        unit.view.disturb()
        with unit.root.store.writing():
            folded = sum(len(one.lines) for one in fold(unit.root.store))
    counts = {"archived": written, "folded": folded}
    if not proposed:
        return PhaseOutcome(work=work, counts=counts, steps=tuple(steps))
    would = [replace(step, act="propose") for step in proposed] if unit.dry_run else []
    return PhaseOutcome(work=work, counts=counts | {"proposed": len(proposed)}, steps=(*steps, *would))


def _adopt_late(unit: UnitOfWork, work: Work) -> None:
    """Note a directory of another design whose settings somebody wrote by hand, before anything of it ages."""
    from memoracle.store.adopted import adopt

    store = unit.root.store
    if store.layout_name == "native" or store.adopted() or unit.dry_run:
        return
    if any(map(is_foreign, unit.records.every())):
        with store.writing():
            adopt(store, work.started)
        unit.view.disturb()
        unit.records.forget()


def _propose(unit: UnitOfWork, work: Work, faded: int) -> None:
    """Ask whether upkeep may tend what was adopted: one question, with the numbers of today."""
    from memoracle.learn.inbox import ask_to_tend
    from memoracle.store.inbox import ask

    store = unit.root.store
    adopted = store.adopted()
    if adopted is None or adopted.consent or adopted.declined or unit.dry_run:
        return
    old = len(_put_away(unit, work, dry_run=True, tend_all=True).steps)
    if not faded and not old and not _DERIVED & store.layout.keys():
        return
    item = ask_to_tend(
        store.layout["adopted"],
        adopted.layout,
        found=adopted.records,
        faded=faded,
        old=old,
        since=work.started,
    )
    with store.writing():
        ask(store, [item], now=work.started)


def index(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """Bring the view level with the files, and give new passages their vectors where there are any."""
    unit.view.ensure()
    embedded = 0
    if unit.root.view.wants_vectors() and not unit.dry_run:
        with suppress(EmbedderProblem, MissingExtra):
            embedded = unit.root.view.embed()
    return PhaseOutcome(work=work, counts={"vectors": embedded})


def hot(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """MEMORY.md's block, the snapshot, and what adopted layouts expect to find."""
    from memoracle.context.publish import changes_among, limits_of, publish_hot
    from memoracle.recall.linked import publish_links
    from memoracle.registry import contributed, point
    from memoracle.store.inbox import read_inbox

    known = unit.view.standing(work.started)
    with unit.root.store.writing():
        shown = publish_hot(
            unit.root.store,
            known,
            now=work.started,
            zone=unit.root.zone,
            limits=limits_of(unit.root.settings),
            open_items=len(read_inbox(unit.root.store).open),
            changed={} if unit.dry_run else changes_among(unit.root, known, work.started),
            dry_run=unit.dry_run,
        )
        others = [make(unit.root.store, dry_run=unit.dry_run) for make in contributed("after_consolidation")]
        if project := point("publish_projections"):
            others.insert(
                0,
                project(
                    unit.root.store,
                    known,
                    now=work.started,
                    zone=unit.root.zone,
                    uses_of=unit.root.index.uses_of,
                    dry_run=unit.dry_run,
                ),
            )
        linked = publish_links(unit.root.store, unit.root.index, now=work.started, dry_run=unit.dry_run)
    return _outcome(unit, work, "written", shown, *others, linked)


def digest(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """One digest for every day that something new is known of."""
    from memoracle.context.digest import publish_digests

    known = unit.view.standing(work.started)
    with unit.root.store.writing():
        done = publish_digests(unit.root.store, known, zone=unit.root.zone, dry_run=unit.dry_run)
        return _outcome(unit, work, "digests", done)


def retain(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """Sessions and notes that have grown old, and were read to their end, move to the archive."""
    with unit.root.store.writing():
        done = _put_away(unit, work, dry_run=unit.dry_run)
    gone = expire(unit, work)
    moved = _outcome(unit, work, "moved", done)
    old = 0 if unit.dry_run else _let_go_of_tools(unit, work)
    counts = {**moved.counts, "erased": len(gone)} | ({"tool results": old} if old else {})
    return replace(moved, counts=counts, steps=(*moved.steps, *gone))


def _let_go_of_tools(unit: UnitOfWork, work: Work) -> int:
    """Have what tools gave long ago leave the view; it stands where it stood, in the hosts' transcripts."""
    root = unit.root
    days = root.settings.tool_retention_days
    if not 0 < days < work.started.toordinal():  # for ever, or from before the calendar begins
        return 0
    before = work.started - timedelta(days=days)
    root.view.catch_up()
    with root.index.changing(wait=20.0) as mine:
        gone = root.index.prune(TOOL, before) if mine else 0
    if gone:  # a view that is built anew does not bring them back
        with root.store.writing():
            root.store.sessions.tools_left(before)
    return gone


def _put_away(unit: UnitOfWork, work: Work, *, dry_run: bool, tend_all: bool = False) -> Done:
    from memoracle.hosts.collect import is_finished
    from memoracle.upkeep.retention import Retention, daily_days
    from memoracle.upkeep.retention import retain as put_away

    settings = unit.root.settings
    return put_away(
        unit.root.store,
        now=work.started,
        zone=unit.root.zone,
        retention=Retention(
            sessions=settings.session_retention_days,
            daily=daily_days(unit.root.store.layout_name, settings.daily_retention_days),
        ),
        finished=lambda path: is_finished(path, unit.watermarks),
        dry_run=dry_run,
        tend_all=tend_all,
    )


def expire(unit: UnitOfWork, work: Work) -> Sequence[Step]:
    """Erase what was withdrawn long ago, and what is past the time set for its sensitivity; what went, or would."""
    from memoracle.learn.revise import made_of, past_retention
    from memoracle.model.record import AGAIN
    from memoracle.store.erase import erase, tombstone

    unit.records.refresh()
    steps = past_retention(unit.records.every(), unit.root.settings, work.started)
    if not steps or unit.dry_run:
        return steps
    change = replace(unit.change(work), verb="forget")
    ids = [step.target for step in steps]
    with unit.root.store.writing():
        made = made_of((record for _, record in unit.root.store.journal.all_versions()), ids)
        doomed = [(unit.records.standing(step.target), step.because) for step in steps]
        stones = [
            tombstone(one, replace(change, because=because), again=bool(one.extra.get(AGAIN)))
            for one, because in doomed
        ]
        erase(unit.root.store, [*stones, *(tombstone(one, change, again=True) for one in made)])
    unit.view.disturb()
    unit.root.view.forget([*ids, *(one.id for one in made)])
    return steps


def health(unit: UnitOfWork, work: Work) -> PhaseOutcome:
    """Look at everything once more and write down how it is."""
    from memoracle.upkeep.health import Consolidated, look

    if unit.dry_run:
        return PhaseOutcome(work=work)
    told = Consolidated(started=work.started, durations=unit.durations)
    found = look(unit.root, read_back=False, consolidated=told, standing=unit.view.standing(work.started))
    return PhaseOutcome(work=work, counts={"checks": len(found.checks), "warnings": len(found.warnings)})


def _outcome(unit: UnitOfWork, work: Work, what: str, *done: Done) -> PhaseOutcome:
    steps = tuple(step for one in done for step in one.steps)
    if steps:
        unit.view.disturb()
    findings = tuple(finding for one in done for finding in one.findings)
    return PhaseOutcome(work=work, counts={what: len(steps)}, steps=steps, findings=findings)
