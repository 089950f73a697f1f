"""The other six phases: what is known ages, is indexed, shown, digested, put away and looked after.

Each begins from the files and can run alone. Running one again changes nothing.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import EmbedderProblem, MissingExtra
from memoracle.learn.unit_of_work import Bench, Outcome
from memoracle.model.record import Change, is_foreign
from memoracle.model.value import replace
from memoracle.upkeep.health import Consolidated, look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.learn.unit_of_work import Work
    from memoracle.model.report import Done, Step
    from memoracle.model.search import Standing

_DERIVED = frozenset({"activation", "rankings", "links"})
"""Places of a layout whose documents upkeep derives, and would put in the place of another program's."""

_ONE_IN, _FEW = 20, 100
"""Files are folded when one line in so many could leave them, or as soon as one could while they are short."""


def age(bench: Bench, work: Work) -> Outcome:
    """Archive what ended, expired or faded, and the weakest beyond the cap; fold what no longer stands.

    What stood in an adopted directory before is only proposed, as one question, until its owner agrees.
    """
    from memoracle.learn import revise
    from memoracle.store.run_log import RunAct, log_run
    from memoracle.upkeep.retention import plan_ageing

    _adopt_late(bench, work)
    found = plan_ageing(standing(bench, work), bench.law, work.started, most_active=bench.settings.max_active)
    proposed = _spared(bench, work, found)
    steps = [step for step in found if step not in proposed]
    _propose(bench, work, len(proposed))
    change = Change(at=work.started, verb="consolidate", by=bench.actor, operation=work.operation)
    if not bench.dry_run:
        with bench.store.writing():
            log_run(bench.store, RunAct.AGE, operation=work.operation, at=work.started)
    written = bench.commit(
        [
            revise.archive(bench.books.standing(step.target), replace(change, because=step.because))
            for step in steps
        ]
    )
    bench.level.ensure()
    bench.alive.left([step.target for step in steps])
    counts = {"archived": written, "folded": _fold(bench)}
    if not proposed:
        return Outcome(work=work, counts=counts, steps=tuple(steps))
    would = [replace(step, act="propose") for step in proposed] if bench.dry_run else []
    return Outcome(work=work, counts=counts | {"proposed": len(proposed)}, steps=(*steps, *would))


def _adopt_late(bench: Bench, work: Work) -> None:
    """Note a directory of another design whose settings somebody wrote by hand, before anything of it ages."""
    from memoracle.store.adopted import adopt

    store = bench.store
    if store.layout_name == "native" or store.adopted() or bench.dry_run:
        return
    if any(map(is_foreign, bench.books.every())):
        with store.writing():
            adopt(store, work.started)
        bench.level.disturb()
        bench.books.forget()


def _spared(bench: Bench, work: Work, steps: Sequence[Step]) -> list[Step]:
    """Those of these steps that the owner of an adopted directory has not agreed to."""
    adopted = bench.store.adopted()
    if adopted is None or adopted.may_tend(work.started):
        return []
    return [step for step in steps if adopted.holds(bench.books.standing(step.target).created)]


def _propose(bench: Bench, work: Work, faded: int) -> None:
    """Ask whether upkeep may tend what was adopted: one question, with the numbers of today."""
    from memoracle.learn.inbox import ask_to_tend
    from memoracle.store.inbox import ask

    store = bench.store
    adopted = store.adopted()
    if adopted is None or adopted.consent or adopted.declined or bench.dry_run:
        return
    old = len(_put_away(bench, work, dry_run=True, tend_all=True).steps)
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


def index(bench: Bench, work: Work) -> Outcome:
    """Bring the view level with the files, and give new passages their vectors where there are any."""
    bench.level.ensure()
    embedded = 0
    if bench.index.has_vectors() and not bench.dry_run:
        with suppress(EmbedderProblem, MissingExtra):
            embedded = bench.upkeep.embed()
    return Outcome(work=work, counts={"vectors": embedded})


def hot(bench: Bench, work: Work) -> Outcome:
    """MEMORY.md's block, the snapshot, and what adopted layouts expect to find."""
    from memoracle.context.hot import Limits
    from memoracle.context.publish import publish_hot, publish_projections
    from memoracle.learn.entity_index import entity_pages
    from memoracle.recall.linked import publish_links
    from memoracle.registry import contributed
    from memoracle.store.inbox import read_inbox

    known = standing(bench, work)
    settings = bench.settings
    limits = Limits(
        tokens=settings.hot_tokens, lines=settings.hot_lines, target_lines=settings.hot_target_lines
    )
    with bench.store.writing():
        shown = publish_hot(
            bench.store,
            known,
            now=work.started,
            zone=bench.zone,
            limits=limits,
            open_items=len(read_inbox(bench.store).open),
            dry_run=bench.dry_run,
        )
        projected = publish_projections(
            bench.store,
            known,
            now=work.started,
            zone=bench.zone,
            pages_of=entity_pages,
            uses_of=bench.index.uses_of,
            dry_run=bench.dry_run,
        )
        others = [make(bench.store, dry_run=bench.dry_run) for make in contributed("after_consolidation")]
        linked = publish_links(bench.store, bench.index, now=work.started, dry_run=bench.dry_run)
    return _outcome(bench, work, "written", shown, projected, *others, linked)


def digest(bench: Bench, work: Work) -> Outcome:
    """One digest for every day that something new is known of."""
    from memoracle.context.digest import publish_digests

    known = standing(bench, work)
    with bench.store.writing():
        return _outcome(
            bench,
            work,
            "digests",
            publish_digests(bench.store, known, zone=bench.zone, dry_run=bench.dry_run),
        )


def retain(bench: Bench, work: Work) -> Outcome:
    """Sessions and notes that have grown old, and were read to their end, move to the archive."""
    with bench.store.writing():
        done = _put_away(bench, work, dry_run=bench.dry_run)
    gone = expire(bench, work)
    moved = _outcome(bench, work, "moved", done)
    return replace(moved, counts={**moved.counts, "erased": len(gone)}, steps=(*moved.steps, *gone))


def _put_away(bench: Bench, work: Work, *, dry_run: bool, tend_all: bool = False) -> Done:
    from memoracle.hosts.collect import is_finished
    from memoracle.upkeep.retention import Retention, daily_days
    from memoracle.upkeep.retention import retain as put_away

    settings = bench.settings
    return put_away(
        bench.store,
        now=work.started,
        zone=bench.zone,
        retention=Retention(
            sessions=settings.session_retention_days,
            daily=daily_days(bench.store.layout_name, settings.daily_retention_days),
        ),
        finished=lambda path: is_finished(path, bench.watermarks),
        dry_run=dry_run,
        tend_all=tend_all,
    )


def expire(bench: Bench, work: Work) -> Sequence[Step]:
    """Erase what was withdrawn long ago, and what is past the time set for its sensitivity; what went, or would."""
    from memoracle.learn.revise import made_of, past_retention
    from memoracle.model.record import AGAIN, Sensitivity
    from memoracle.store.erase import erase, tombstone

    days = {one: int(getattr(bench.settings, f"retention_{one.value}_days")) for one in Sensitivity}
    bench.books.refresh()
    steps = past_retention(bench.books.every(), days, work.started)
    if not steps or bench.dry_run:
        return steps
    change = Change(at=work.started, verb="forget", by=bench.actor, operation=work.operation)
    ids = [step.target for step in steps]
    with bench.store.writing():
        made = made_of((record for _, record in bench.store.journal.all_versions()), ids)
        doomed = {step.target: bench.books.standing(step.target) for step in steps}
        stones = [
            tombstone(
                doomed[step.target],
                replace(change, because=step.because),
                again=bool(doomed[step.target].extra.get(AGAIN)),
            )
            for step in steps
        ]
        erase(bench.store, [*stones, *(tombstone(one, change, again=True) for one in made)])
    bench.level.disturb()
    bench.upkeep.forget([*ids, *(one.id for one in made)])
    return steps


def health(bench: Bench, work: Work) -> Outcome:
    """Look at everything once more and write down how it is."""
    if bench.dry_run:
        return Outcome(work=work)
    told = Consolidated(started=work.started, durations=bench.durations)
    found = look(bench.root, read_back=False, consolidated=told, standing=standing(bench, work))
    return Outcome(work=work, counts={"checks": len(found.checks), "warnings": len(found.warnings)})


def standing(bench: Bench, work: Work) -> Sequence[Standing]:
    """Every standing record with its activation at the moment the run counts from."""
    bench.level.ensure()
    return bench.alive.at(work.started)


def _fold(bench: Bench) -> int:
    """Move what no longer stands to the archive files, when it is worth rewriting a file for."""
    from memoracle.store.archive import fold

    could_leave, lines = bench.books.could_leave()
    if bench.dry_run or not could_leave or (lines > _FEW and could_leave * _ONE_IN < lines):
        return 0
    bench.level.disturb()
    with bench.store.writing():
        return sum(len(one.lines) for one in fold(bench.store))


def _outcome(bench: Bench, work: Work, what: str, *done: Done) -> Outcome:
    steps = tuple(step for one in done for step in one.steps)
    if steps:
        bench.level.disturb()
    findings = tuple(finding for one in done for finding in one.findings)
    return Outcome(work=work, counts={what: len(steps)}, steps=steps, findings=findings)
