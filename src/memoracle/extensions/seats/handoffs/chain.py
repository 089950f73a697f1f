"""Looks at a chain of hand-offs: whether a task was seen, a plan closed properly, a whole chain works.

Each look gives checks with a result and a sentence. What cannot be seen from files is `unknown`, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memoracle.extensions.seats.model import (
    MEMORY,
    PLANNER,
    Chain,
    Completion,
    Dispatch,
    Page,
    PageCheck,
    Queued,
)

OK, MISSING, WARNING, UNKNOWN = "ok", "missing", "warning", "unknown"
REPORTED = ("role", "boundary", "closeout", "fan_out", "relay")
"""What every seat says of itself in a rehearsal."""


def acknowledged(found: Queued | None, *, task_id: str, project: str, delivery: str, commit: str) -> Chain:
    """The four-step check after a dispatch: file, seen, delivery, commit; any that is missing leaves it open."""
    if found is None:
        return Chain(
            task_id=task_id,
            project=project,
            checks=(PageCheck(name="handoff", result=MISSING, says="no such file"),),
        )
    return Chain(
        task_id=task_id,
        project=project,
        checks=(
            PageCheck(name="handoff", result=OK, says=found.dispatch.path),
            PageCheck(
                name="seen",
                result=OK if found.seen else MISSING,
                says=found.seen or "its target has not acknowledged it",
            ),
            PageCheck(
                name="delivery",
                result=OK if delivery else MISSING,
                says=delivery or "no delivery page of its target",
            ),
            PageCheck(
                name="commit",
                result={"in-lineage": OK, "divergent": MISSING, "": MISSING}.get(commit, UNKNOWN),
                says=commit or "the completion names no commit",
            ),
        ),
    )


def closed(
    task_id: str,
    project: str,
    completions: Sequence[Completion],
    pages: Sequence[Page],
    seen: bool,
    note: str = "",
) -> Chain:
    """The audit of a planner's close-out: its receipt to memory and a delivery of the same task.

    `note` is where the planner's own note says that it delivered this task.
    """
    receipt = next(
        (one for one in completions if (one.source, one.target, one.task_id) == (PLANNER, MEMORY, task_id)),
        None,
    )
    own = next((page.path for page in pages if page.seat == PLANNER and page.task_id == task_id), "")
    delivery = own or note
    other = next((page for page in pages if page.seat == PLANNER), None)
    told = f"the planner's delivery is of {other.task_id}" if other else "the planner has no delivery"
    return Chain(
        task_id=task_id,
        project=project,
        checks=(
            PageCheck(
                name="receipt",
                result=OK if receipt else MISSING,
                says=receipt.path if receipt else "no receipt from planner to memory",
            ),
            PageCheck(name="delivery", result=OK if delivery else MISSING, says=delivery or told),
            PageCheck(
                name="consumed",
                result=OK if seen else WARNING,
                says="" if seen else "memory has not acknowledged it",
            ),
        ),
    )


def rehearsed(
    rehearsal: str,
    project: str,
    seats: Sequence[str],
    stands: Mapping[str, Queued],
    reports: Mapping[str, Page],
    plan: Completion | None,
) -> Chain:
    """Whether every seat of a chain was there: one acknowledged step each, a report of itself, the planner's PASS."""
    checks = []
    for seat in seats:
        found = stands.get(seat)
        is_seen = found is not None and bool(found.seen)
        checks.append(
            PageCheck(
                name=f"{seat}: seen", result=OK if is_seen else MISSING, says=found.seen if found else ""
            )
        )
        lacking = _lacking(reports.get(seat), seat)
        checks.append(
            PageCheck(
                name=f"{seat}: report",
                result=MISSING if lacking else OK,
                says=f"it says nothing of {', '.join(lacking)}" if lacking else "",
            )
        )
    passed = plan is not None and plan.verdict == "PASS"
    checks.append(
        PageCheck(
            name=f"{PLANNER}: delivery",
            result=OK if passed else MISSING,
            says=plan.path if plan and passed else "no delivery of the planner with verdict PASS",
        )
    )
    good = all(check.result == OK for check in checks)
    said = f"[{rehearsal}] all-seats-online — verdict PASS" if good else f"[{rehearsal}] verdict FAIL"
    return Chain(task_id=rehearsal, project=project, checks=tuple(checks), message=said)


def routed(weight: str, before: Sequence[Dispatch]) -> str:
    """Who integrates what passed but needs integration: one way only, and never twice to the builder."""
    routes = {"light": MEMORY, "medium": "builder", "heavy": "operator"}
    chosen = routes[weight]
    if chosen == "builder" and sum(one.target.split("-")[0] == "builder" for one in before) > 1:
        return "operator"
    return chosen


def _lacking(report: Page | None, seat: str) -> list[str]:
    if report is None:
        return list(REPORTED)
    said = report.body.casefold().replace("-", "_").replace("fan out", "fan_out")
    return [name for name in REPORTED if f"{name}:" not in said] or ([] if seat in said else ["its own name"])
