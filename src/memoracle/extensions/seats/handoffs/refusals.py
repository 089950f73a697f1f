"""Why a task cannot be given to a seat now. Asked before anything is written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memoracle.errors import BadInput
from memoracle.extensions.seats.errors import NoSuchSeat, NotDispatched, UnknownSeat
from memoracle.extensions.seats.handoffs.queue import open_tasks
from memoracle.extensions.seats.model import BUILDER, MEMORY, PLANNER, Dispatch, Queued, Registry, SeatState
from memoracle.model.record import check_name

_EXTERNAL = re.compile(
    r"\b(?:integrat\w{0,8} with|third[- ]party|external (?:api|service)|sdk"
    r"|(?:rest|graphql|oauth|webhook) (?:api|endpoint))\b"
    r"|对接|接入第三方|外部接口",
    re.IGNORECASE,
)


def seat_for(role: str, project: str, registry: Registry) -> str:
    """The active seat of a role: its own name, or one that begins with it (`builder-2`)."""
    live = [one.name for one in registry.seats if one.is_active and one.sits_in(project)]
    named = [name for name in live if name == role or name.startswith(f"{role}-")]
    if not named:
        raise NoSuchSeat(role, project)
    return min(named)


def check_task_name(task_id: str) -> str:
    """A task's id as it may become part of a file's name."""
    check_name("task", task_id)
    if "__" in task_id:
        raise BadInput("a task's id has no `__`: it divides the parts of a hand-off's name")
    return task_id


def must_be_possible(
    wish: Dispatch, registry: Registry, stands: Sequence[Queued], *, queue: bool, is_external: bool
) -> None:
    """Refuse a dispatch that has no place to go, doubles another, or lacks what its target needs."""
    check_task_name(wish.task_id)
    if wish.target == MEMORY:
        raise NotDispatched(
            "memory-is-asked",
            "memory is asked, not given tasks",
            "`memoracle recall QUESTION`, `memoracle get KEY`",
        )
    project = registry.project(wish.project)
    if project is None or not project.is_active:
        raise NotDispatched(
            "no-project",
            f"`{wish.project}` is not an active project",
            f"`memoracle project add {wish.project}` first; nothing was written",
        )
    for name in (wish.source, wish.target):
        seat = registry.seat(name)
        if seat is None or not seat.is_active or not seat.sits_in(wish.project):
            raise UnknownSeat(name)
    _must_have_a_planner(wish, registry)
    _must_be_new(wish, stands, queue=queue)
    if (is_external or _EXTERNAL.search(f"{wish.title}\n{wish.objective}")) and not (
        wish.docs_consulted or wish.docs_skip_reason.strip()
    ):
        raise NotDispatched(
            "no-documentation",
            "a task about somebody else's interface names the documentation that was read",
            "--docs PATH,URL or --docs-skip REASON",
        )


def _must_have_a_planner(wish: Dispatch, registry: Registry) -> None:
    planner = registry.seat(PLANNER)
    is_there = planner is not None and planner.is_active and planner.sits_in(wish.project)
    if wish.source == MEMORY and wish.target.split("-")[0] == BUILDER and not is_there:
        raise NotDispatched(
            "no-planner",
            "memory gives no work straight to a builder while there is no planner",
            "tell the operator: the planner's seat is retired, its session ended, or the project was never set up",
        )


def _must_be_new(wish: Dispatch, stands: Sequence[Queued], *, queue: bool) -> None:
    for one in stands:
        if one.state is not SeatState.DONE and (
            one.dispatch.project,
            one.dispatch.task_id,
            one.dispatch.target,
        ) == (
            wish.project,
            wish.task_id,
            wish.target,
        ):
            raise NotDispatched(
                "TASK_ALREADY_QUEUED",
                f"{wish.task_id} is {one.state.value} at {wish.target} already",
                "`memoracle handoff list` shows it",
            )
    if wish.target.split("-")[0] == BUILDER and not queue:
        busy = open_tasks(stands, project=wish.project, target=wish.target)
        if busy:
            raise NotDispatched(
                "BUILDER_BUSY",
                f"{wish.target} has {busy[0].dispatch.task_id} before it",
                "--queue puts this one behind it",
            )
