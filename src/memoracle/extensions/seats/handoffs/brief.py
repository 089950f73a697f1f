"""What a seat has before it, and what lies: its open tasks, what came back to it, decisions, its own last pages.

Read off the files and told unasked, so each line is looked at like anything from outside: what reads like an order to
whoever reads it is left out. Without a seat, whoever asks is told of all of them. Nothing is written.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memoracle.context.hot import reads_like_an_order
from memoracle.errors import MemoracleError
from memoracle.extensions.seats import files_handoffs as files
from memoracle.extensions.seats.federation.peers import peer_deliveries
from memoracle.extensions.seats.federation.secrets import left_in_clear
from memoracle.extensions.seats.files_desk import desks
from memoracle.extensions.seats.files_pages import project_folders
from memoracle.extensions.seats.handoffs.following import queue_of
from memoracle.extensions.seats.handoffs.queue import queue
from memoracle.extensions.seats.model import CLOSED, MEMORY, Page, PageStatus, Queued, SeatState
from memoracle.extensions.seats.pages.listing import WantedPages
from memoracle.extensions.seats.pages.reading import list_pages
from memoracle.model.record import TRUST, Channel
from memoracle.model.search import EvidenceSource, Passage
from memoracle.project import OUTSIDE
from memoracle.text import shorten
from memoracle.times import day_in
from memoracle.upkeep.checks import Check, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memoracle.root import Root
    from memoracle.store.store import Store

UNSEEN_AFTER = timedelta(hours=24)
"""How long a task may stand before its target before somebody is told that it was not seen."""
OVERDUE_AFTER = timedelta(days=7)
"""How long a task may be open."""
_MOST_TASKS, _MOST_PAGES = 6, 5
_LONGEST = 160


def seat_brief(root: Root, now: datetime) -> list[tuple[str, str]]:
    """Lines for the beginning of a session, each with where it stands; none where seats are not in use."""
    if not _in_use(root.store):
        return []
    seat, project = root.seat, _project(root)
    if project == OUTSIDE:
        return []
    lines = [*_tasks(root, seat, project, now), *_came_back(root, seat, project)]
    if seat in {"", MEMORY}:
        lines += _from_peers(root, project)
    lines += _pages(root, seat, project)
    hide = root.guard.hide
    told = ((" ".join(hide(words).split()), place) for words, place in lines)
    return [(words, place) for words, place in told if not reads_like_an_order(words, to_a_fellow=True)]


def seat_checks(store: Store, now: datetime) -> list[Check]:
    """What lies between seats, and what another program's scanner left in clear."""
    return [*_handoff_checks(store, now), *_secret_checks(store)]


def _handoff_checks(store: Store, now: datetime) -> list[Check]:
    """Whether every task was seen, and none lies for too long; nothing to say where none was ever given."""
    given = files.dispatches(store)
    if not given:
        return []
    seen = {one.path: when for one in given if (when := files.seen_at(store, one))}
    late = _late(queue(given, files.completions(store), seen), now)
    if not late:
        return [passed("handoffs", f"{len(given)} tasks, none lies")]
    first, more = late[0], f", and {len(late) - 1} more" if len(late) > 1 else ""
    hint = "`memoracle handoff list` names them; the seat says `handoff ack` and `handoff complete`"
    return [warned("handoffs", f"{_lying(first, now)}{more}", hint)]


def _secret_checks(store: Store) -> list[Check]:
    """Whether another program's scanner left values of secrets in the folder of the machine."""
    names = left_in_clear(store)
    if not names:
        return []
    says = f"machine/credentials.json holds {len(names)} secrets in clear; they are never shown here"
    hint = (
        "`memoracle scan machine` puts names and fingerprints in their place; whoever may read this folder has the "
        "values: make new ones where that was somebody else"
    )
    return [warned("scanned secrets", says, hint)]


def day_pages(store: Store) -> list[Passage]:
    """Decisions, findings, tasks and plans that stand as pages, for the digest of their day."""
    hide = store.guard.hide
    return [
        Passage(
            ref=f"{page.path}#L{page.body_line}",
            source=EvidenceSource.NOTE,
            kind=page.kind,
            text=hide(f"{page.owner}: {page.title}"),
            path=page.path,
            first_line=page.body_line,
            last_line=page.body_line,
            at=page.ts,
            channel=Channel.AGENT.value,
            trust=TRUST[Channel.AGENT],
        )
        for page in list_pages(store, WantedPages())
        if page.kind in _TOLD and page.ts is not None and page.status != PageStatus.SUPERSEDED
        if not reads_like_an_order(page.title, to_a_fellow=True)
    ]


_TOLD = frozenset({"decision", "finding", "task", "plan"})


def handoff_notices(root: Root) -> list[str]:
    """What lies, in a sentence each, for the week's review."""
    now = root.clock()
    late = _late(queue_of(root, root.reader.scope.project), now)
    return [root.guard.hide(_lying(one, now)) for one in late]


def _in_use(store: Store) -> bool:
    return bool(project_folders(store)) or len(desks(store)) > 1


def _project(root: Root) -> str:
    """The project that is worked on; empty for all of them, `OUTSIDE` where it is none that has pages here."""
    here = root.reader.here
    if root.reader.scope.project or here is None:
        return root.reader.scope.project
    known = set(project_folders(root.store))
    named = next((one for one in (here.project, *here.also) if one in known), "")
    return named or ("" if root.seat else OUTSIDE)


def _late(stands: Sequence[Queued], now: datetime) -> list[Queued]:
    """Tasks that nobody has seen for a day, or that are open for a week; the oldest first."""
    waits = ((one, now - one.dispatch.assigned_at) for one in stands if one.state is not SeatState.DONE)
    return [one for one, age in waits if age >= OVERDUE_AFTER or (not one.seen and age >= UNSEEN_AFTER)]


def _lying(one: Queued, now: datetime) -> str:
    sent = one.dispatch
    age = now - sent.assigned_at
    said = f"{age.days} day{'s' * (age.days != 1)}"
    state = "not seen" if not one.seen else "overdue"
    return f"{sent.task_id} ({sent.project}) lies before {sent.target} for {said}, {state}: {shorten(sent.title, 80)}"


def _tasks(root: Root, seat: str, project: str, now: datetime) -> Iterator[tuple[str, str]]:
    found = [
        one
        for one in queue_of(root, project)
        if one.state is not SeatState.DONE and (not seat or one.dispatch.target == seat)
    ]
    late = {one.dispatch.path for one in _late(found, now)}
    found.sort(key=lambda one: (one.dispatch.path not in late, one.state is not SeatState.PENDING))
    for one in found[:_MOST_TASKS]:
        sent = one.dispatch
        whose = "" if seat else f" for {sent.target}"
        day = day_in(root.zone, sent.assigned_at).isoformat()
        notes = [f"given {day} by {sent.source}", *([] if one.seen else ["not seen yet"])]
        if sent.path in late:
            notes.append(f"waits for {(now - sent.assigned_at).days} days")
        objective = f": {sent.objective}" if sent.objective not in {"", sent.title} else ""
        words = shorten(f"{sent.title}{objective}", _LONGEST)
        yield (
            f"task {sent.task_id} ({sent.project}, {one.state}{whose}): {words} ({', '.join(notes)})",
            sent.path,
        )
    if left := len(found) - _MOST_TASKS:
        yield from [(f"{left} more tasks wait", found[-1].dispatch.path)] if left > 0 else []


def _came_back(root: Root, seat: str, project: str) -> Iterator[tuple[str, str]]:
    done = [one for one in files.completions(root.store, project) if seat and one.target == seat]
    fresh = [one for one in done if not files.seen_at(root.store, one)]
    for one in sorted(fresh, key=lambda one: one.completed_at, reverse=True)[:_MOST_TASKS]:
        verdict = f", {one.verdict}" if one.verdict else ""
        words = shorten(one.summary or one.status, _LONGEST)
        yield f"{one.source} gave {one.task_id} ({one.project}) back{verdict}: {words}", one.path


def _from_peers(root: Root, project: str) -> Iterator[tuple[str, str]]:
    """Deliveries of peers that no page of memory cites yet."""
    for one in [project] if project else project_folders(root.store):
        try:
            found = peer_deliveries(root.store, one)
        except MemoracleError:
            continue
        pages = list_pages(root.store, WantedPages(project=one, seat=MEMORY)) if found else []
        cited = {
            str(proof.get("source_url", "")).partition("#")[0] for page in pages for proof in page.evidence
        }
        for delivery in [each for each in found if each.path not in cited][:_MOST_PAGES]:
            words = shorten(delivery.title, _LONGEST)
            yield f"{delivery.seat} delivered {delivery.task_id} ({one}): {words}", delivery.path


def _pages(root: Root, seat: str, project: str) -> Iterator[tuple[str, str]]:
    """The newest decisions, then what the seat itself wrote last; without a seat what memory did."""
    every = list_pages(root.store, WantedPages(project=project))
    open_ = [page for page in every if page.status not in set(CLOSED) and page.ts is not None]
    decided = [page for page in open_ if page.kind == "decision"]
    names = dict.fromkeys(page.project for page in decided)
    each = max(2, _MOST_PAGES // max(1, len(names)))
    newest = [page for name in names for page in [one for one in decided if one.project == name][-each:]]
    own = [page for page in open_ if page.seat == (seat or MEMORY) and page.kind != "decision"][-_MOST_PAGES:]
    for page in (*reversed(newest), *reversed(own)):
        yield _line(root, page), f"{page.path}#L{page.body_line}"


def _line(root: Root, page: Page) -> str:
    day = day_in(root.zone, page.ts).isoformat() if page.ts else ""
    title = shorten(page.title, _LONGEST)
    said = page.detail or page.body.strip()
    more = f": {shorten(said, _LONGEST)}" if said and not said.startswith(title) else ""
    return f"{page.kind} of {page.owner}, {day}: {title}{more}"
