"""Upkeep by hand: how it is in a glance, what is wrong, and mending it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.learn.asking import asking_of
from memoracle.learn.policies import privacy_lines_lost
from memoracle.learn.records import seen_standing
from memoracle.model.report import Finding, Plan, Report, Severity, Step
from memoracle.model.value import replace
from memoracle.upkeep.tending import tending_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memoracle.index.sync import Synced
    from memoracle.root import Root
    from memoracle.store.fold import Fold
    from memoracle.upkeep.report import Stats, Summary


def status(root: Root) -> Summary:
    """What this memory holds and how it is doing, in a glance."""
    from memoracle.upkeep.report import count_by_status, summarise

    warnings = (*root.view.catch_up(), *root.reader.warnings)
    asking, tended = asking_of(root).use(), tending_of(root).glance()
    found = root.view.ask(
        lambda: summarise(root.store, root.index, warnings=warnings, asking=asking, tended=tended)
    )
    if root.reader.sees_all:
        return found
    return replace(found, **count_by_status(seen_standing(root)))


def stats(root: Root) -> Stats:
    """How many records there are, by kind and by importance."""
    from memoracle.upkeep.report import stats

    root.view.catch_up()
    last, coming = tending_of(root).moments_of("consolidate")
    return replace(stats(seen_standing(root)), last_consolidation=last, next_consolidation=coming)


def check(root: Root, *, deep: bool = False) -> Report:
    """Read everything back and say what is wrong; `deep` also proves the view equal to a rebuild."""
    from memoracle.upkeep.check import check

    root.view.catch_up()
    lost = privacy_lines_lost(root, note=False)
    report = check(root.store, root.index, deep=deep, privacy_lines_lost=lost)
    return replace(report, findings=(*report.findings, *_secrets_in_clear(root)))


def _secrets_in_clear(root: Root) -> Iterator[Finding]:
    """Where secrets stand in files that somebody else wrote here: the place and the type, never the value."""
    from memoracle.extensions.sync.git import secrets_in
    from memoracle.model.manifest import Role
    from memoracle.model.report import Finding

    roles = {Role.RECORDS, Role.NOTE, Role.FACTS}
    paths = [state.path for state in root.store.manifest() if state.role in roles]
    for path in paths:
        for place in secrets_in(root.store, root.guard, path):
            where, _, kind = place.partition(" (")
            yield Finding(
                code="secret-in-clear",
                severity=Severity.WARNING,
                path=where,
                message=f"a secret stands here in clear ({kind.rstrip(')')}); whatever is shown of it is masked",
                hint="take it out of the file, and make the secret anew where others could read it",
            )


def plan_repair(root: Root, *, adopt: bool = False, take_state: bool = False) -> Plan:
    """What `repair` would do."""
    from memoracle.upkeep.repair import plan_repair

    root.view.catch_up()
    return plan_repair(check(root), adopt=adopt, take_state=take_state)


def repair(root: Root, *, adopt: bool = False, take_state: bool = False) -> Plan:
    """Mend what `check` found: damage is set aside, never dropped."""
    from memoracle.upkeep.repair import repair

    plan = plan_repair(root, adopt=adopt, take_state=take_state)
    if plan:
        with root.store.writing():
            repair(root.store, plan, change=root.change("repair"))
            root.log("repair", about=[s.target for s in plan.steps], rules=[s.act for s in plan.steps])
        root.view.catch_up()
        if erased := [step.target for step in plan.steps if step.act == "erase"]:
            root.view.forget(erased)
    return plan


def plan_fold(root: Root) -> Plan:
    """What `fold` would move."""
    from memoracle.store.fold import fold

    return _fold_plan(fold(root.store, dry_run=True))


def fold(root: Root) -> Plan:
    """Move versions that no longer stand, and archived records, to the archive files."""
    from memoracle.store.fold import fold

    with root.store.writing():
        plan = _fold_plan(fold(root.store))
        root.log("fold", about=[step.target for step in plan.steps])
        root.store.audit.rotate(root.clock())
        return plan


def rebuild_index(root: Root) -> Synced:
    """Throw the view away and build it again from the files."""
    return root.view.rebuild()


def _fold_plan(folds: Sequence[Fold]) -> Plan:
    from memoracle.model.report import Plan

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
