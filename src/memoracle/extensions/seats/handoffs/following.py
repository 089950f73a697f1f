"""Following hand-offs: what stands, what was seen, what was closed, whether a chain works."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoracle.errors import BadInput
from memoracle.extensions.seats import files_desk
from memoracle.extensions.seats import files_handoffs as files
from memoracle.extensions.seats.errors import NotDispatched
from memoracle.extensions.seats.files_registry import read_registry, registered_seats
from memoracle.extensions.seats.handoffs import chain
from memoracle.extensions.seats.handoffs.queue import queue
from memoracle.extensions.seats.model import MEMORY, PLANNER, Chain, Completion, Queued, SeatState
from memoracle.extensions.seats.pages.listing import WantedPages
from memoracle.extensions.seats.pages.reading import list_pages
from memoracle.extensions.seats.scan import lineage
from memoracle.store.roots import repository_here
from memoracle.store.volume import read_document, write_document
from memoracle.times import write_time

if TYPE_CHECKING:
    from memoracle.root import Root

REHEARSAL = "chain-rehearsal-"
"""How the tasks of a rehearsal begin."""
_CONDENSED = "condensed.json"


def handoffs(root: Root, project: str = "") -> Sequence[Queued]:
    """Every task, and whether it is pending, queued or done."""
    return queue_of(root, root.reader.project(project))


def queue_of(root: Root, project: str = "") -> list[Queued]:
    """Every task with where it stands."""
    given = files.dispatches(root.store, project)
    seen = {one.path: when for one in given if (when := files.seen_at(root.store, one))}
    return queue(given, files.completions(root.store, project), seen)


def check_handoff(root: Root, task_id: str, *, project: str = "") -> Chain:
    """The four-step check of one task."""
    project = root.reader.project(project)
    found = next((one for one in queue_of(root, project) if one.dispatch.task_id == task_id), None)
    page = _delivery_of(root, found) if found else ""
    commit = _lineage_of(root, found.completion) if found and found.completion else ""
    return chain.acknowledged(found, task_id=task_id, project=project, delivery=page, commit=commit)


def audit_closeout(root: Root, task_id: str, *, project: str = "") -> Chain:
    """The audit of a planner's close-out."""
    project = root.reader.project(project)
    done = files.completions(root.store, project)
    pages = list_pages(root.store, WantedPages(project=project, kind="delivery"))
    seen = any(
        files.seen_at(root.store, one) for one in done if (one.task_id, one.target) == (task_id, MEMORY)
    )
    note = next(
        (
            files.delivered_in(root.store, one)
            for one in done
            if (one.task_id, one.source) == (task_id, PLANNER)
        ),
        "",
    )
    return chain.closed(task_id, project, done, pages, seen, note)


def rehearsal(root: Root, project: str, name: str = "") -> Chain:
    """What a rehearsal came to: the newest one of a project, or the one named."""
    project = root.reader.project(project)
    stands = queue_of(root, project)
    names = sorted({one.dispatch.task_id for one in stands if one.dispatch.task_id.startswith(REHEARSAL)})
    chosen = name or (names[-1] if names else "")
    if not chosen:
        raise BadInput(f"{project} has never been rehearsed", "`memoracle handoff rehearse` begins one")
    registry, profile = read_registry(root.store), files_desk.profile_seats(root.store, project)
    given = (one for one in stands if one.dispatch.task_id == chosen and one.dispatch.target != PLANNER)
    # Nobody waits for a seat that is retired, or that the project's own profile does not have.
    own = {
        name: one
        for one in given
        if (seat := registry.seat(name := one.dispatch.target))
        and seat.is_active
        and name in (profile or {name})
    }
    reports = {
        page.seat: page
        for page in list_pages(root.store, WantedPages(project=project, task=chosen))
        if page.kind == "observation"
    }
    plan = next(
        (
            one
            for one in files.completions(root.store, project)
            if (one.task_id, one.source) == (chosen, PLANNER)
        ),
        None,
    )
    return chain.rehearsed(chosen, project, sorted(own), own, reports, plan)


def seats_in_use(root: Root, project: str) -> set[str]:
    """The seats that take part in a project: as its profile says, else who wrote, was registered or was given work."""
    if profile := files_desk.profile_seats(root.store, project):
        return profile
    wrote = {page.seat for page in list_pages(root.store, WantedPages(project=project))}
    worked = {
        name
        for one in queue_of(root, project)
        if not one.dispatch.task_id.startswith(REHEARSAL)
        for name in (one.dispatch.source, one.dispatch.target)
    }
    return (wrote | worked | registered_seats(root.store)) - {PLANNER, MEMORY}


def condense(root: Root, project: str, said: str = "", *, after: int | None = None) -> tuple[str, list[str]]:
    """Whether routing state should be condensed now and why; its lines, when it should."""
    project = root.reader.project(project)
    volume, name = root.store.volume, root.store.state_name(_CONDENSED)
    last = str(read_document(volume, name).get(project, ""))
    stands = queue_of(root, project)
    why = is_due(said, stands, last, after=WAVES if after is None else after)
    if not why:
        return "", []
    with root.store.writing():
        write_document(volume, name, {**read_document(volume, name), project: write_time(root.clock())})
    return why, condensed(stands)


def must_be_rehearsed(root: Root, project: str, task_id: str, stands: Sequence[Queued]) -> None:
    """A rehearsal that was begun and has not passed stands before real work."""
    if task_id.startswith(REHEARSAL):
        return
    if not any(one.dispatch.task_id.startswith(REHEARSAL) for one in stands):
        return
    looked = rehearsal(root, project)
    if not looked.ok:
        raise NotDispatched(
            "REHEARSAL_OPEN",
            f"{looked.task_id} has not passed",
            "`memoracle handoff rehearsal` says who is missing",
        )


def _delivery_of(root: Root, found: Queued) -> str:
    """Where the delivery of a task stands: its page, or the note that the design's own script wrote."""
    sent, done = found.dispatch, found.completion
    pages = list_pages(root.store, WantedPages(project=sent.project, kind="delivery", seat=sent.target))
    own = next((page.path for page in pages if page.task_id == sent.task_id), "")
    return own or (files.delivered_in(root.store, done) or done.delivery_path if done else "")


def _lineage_of(root: Root, done: Completion) -> str:
    return (lineage_in(root, done.project, done.commit) or "unknown") if done.commit else ""


def lineage_in(root: Root, project: str, commit: str) -> str:
    """Whether a commit stands in the history of a project's repository."""
    place = repository_here(root.store, project)
    return lineage.lineage_of(place, commit) if place else "unknown"


MARKER = "[memory: compact-me]"
WAVES = 5
"""How many closed waves call for it when nobody asked."""


def condensed(stands: Sequence[Queued]) -> list[str]:
    """One line per task: what it is, where it stands, whose it is, and where its receipts are."""
    lines = []
    for one in stands:
        sent, back = one.dispatch, one.completion
        told = f"{sent.task_id} {one.state.value} {sent.source}→{sent.target} {sent.path}"
        lines.append(f"{told} → {back.path} {back.verdict or back.status}" if back else told)
    return lines


def is_due(said: str, stands: Sequence[Queued], last: str, *, after: int = WAVES) -> str:
    """`marker`, `waves` or empty: whether this text asks for it, or enough was closed since the last time."""
    if any(line.strip() == MARKER for line in said.strip().split("\n")[-3:]):
        return "marker"
    closed = [
        one
        for one in stands
        if one.state is SeatState.DONE and one.completion and write_time(one.completion.completed_at) > last
    ]
    return "waves" if len(closed) >= after else ""
