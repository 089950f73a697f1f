"""What of a seat's tasks is pending, queued or done: read off the files, kept nowhere.

The oldest task that was not given back is pending, later ones wait. Giving one back promotes the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memoracle.extensions.seats.model import Completion, Dispatch, Queued, SeatState
from memoracle.times import write_time

Key = tuple[str, str, str]
"""Project, task, and the seat it was given to."""


def queue(
    dispatches: Iterable[Dispatch], completions: Iterable[Completion], seen: Mapping[str, str]
) -> list[Queued]:
    """Every dispatch with where it stands, oldest first; `seen` is when each path was acknowledged."""
    done: dict[Key, Completion] = {}
    for one in sorted(completions, key=lambda one: one.completed_at):
        done[(one.project, one.task_id, one.source)] = one
    taken: set[tuple[str, str]] = set()
    stands = []
    for dispatch in sorted(dispatches, key=lambda one: (one.assigned_at, one.path)):
        completion = done.get((dispatch.project, dispatch.task_id, dispatch.target))
        if completion is not None and completion.completed_at < dispatch.assigned_at:
            completion = None  # given again after it came back
        place = (dispatch.project, dispatch.target)
        if completion is not None:
            state = SeatState.DONE
        elif place in taken:
            state = SeatState.QUEUED
        else:
            state = SeatState.PENDING
            taken.add(place)
        # Whoever gave a task back has seen it.
        known = seen.get(dispatch.path, "") or (write_time(completion.completed_at) if completion else "")
        stands.append(Queued(dispatch=dispatch, state=state, seen=known, completion=completion))
    return stands


def open_tasks(stands: Sequence[Queued], *, project: str, target: str) -> list[Queued]:
    """What a seat still has before it, in order."""
    return [
        one
        for one in stands
        if one.state is not SeatState.DONE
        and (one.dispatch.project, one.dispatch.target) == (project, target)
    ]


def next_task(stands: Sequence[Queued], *, project: str, target: str, after: str) -> str:
    """The task that becomes pending when this one is given back; empty when none waits."""
    waiting = [
        one.dispatch.task_id
        for one in open_tasks(stands, project=project, target=target)
        if one.dispatch.task_id != after
    ]
    return waiting[0] if waiting else ""
