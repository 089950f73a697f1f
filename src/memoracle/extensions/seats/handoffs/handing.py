"""Work between seats: claims, deliveries, hand-offs, decisions for somebody else.

What the rest of this room decides becomes files here, in the order that a crash forgives: every claim can be checked,
every step leaves a file. A response is written before its receipt, and the receipt is what counts; cut off between the
two, the same call again completes it. Nothing is sent unless the owner named a command for it, and then only past the
privacy gate.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, MemoracleError, NotDelivered
from memoracle.extensions.seats import files_handoffs as files
from memoracle.extensions.seats.errors import NotYourPlace
from memoracle.extensions.seats.files_registry import read_registry
from memoracle.extensions.seats.handoffs import chain, message
from memoracle.extensions.seats.handoffs.following import (
    REHEARSAL,
    lineage_in,
    must_be_rehearsed,
    queue_of,
    seats_in_use,
)
from memoracle.extensions.seats.handoffs.payload import problems_of
from memoracle.extensions.seats.handoffs.proving import verify
from memoracle.extensions.seats.handoffs.queue import next_task
from memoracle.extensions.seats.handoffs.refusals import check_task_name, must_be_possible, seat_for
from memoracle.extensions.seats.handoffs.sending import transport_of
from memoracle.extensions.seats.model import (
    GOOD,
    MEMORY,
    NEEDS_INTEGRATION,
    PLANNER,
    REVIEWER,
    REVIEWS,
    Completion,
    Dispatch,
    Handed,
    Queued,
    SeatState,
    TestPolicy,
)
from memoracle.extensions.seats.pages.ownership import must_sit
from memoracle.extensions.seats.pages.seating import write_page
from memoracle.model.ids import OPERATION_PREFIX
from memoracle.model.value import replace, to_plain
from memoracle.times import write_time

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.root import Root

_LONGEST_SUMMARY = 4_000


def _must_speak_as(root: Root, seat: str) -> None:
    """Refuse an act in another seat's name: the process says which seat it is."""
    transport_of(root.environment)  # one that cannot be right is said before anything is written
    if root.seat and seat != root.seat:
        raise NotYourPlace(root.seat, seat, f"what is done in the name of `{seat}`")


def _task(root: Root, task_id: str, project: str, seat: str) -> Queued:
    found = [
        one
        for one in queue_of(root, project)
        if (one.dispatch.task_id, one.dispatch.target) == (task_id, seat)
    ]
    if not found:
        raise BadInput(f"{seat} was never given {task_id}", "`memoracle handoff list` shows what was given")
    return found[-1]


def _tell(root: Root, words: str, *, action: str) -> bool:
    """Hand a message to the owner's transport, past the gate; False when there is none or it did not take it."""
    send = transport_of(root.environment)
    if send is None:
        return False
    root.guard.must_go(words, action=action, outgoing=True)
    return send(words)


def _is_unsent(root: Root, sent: bool, *, tried: bool) -> bool:
    """True when there is a transport that should have taken a message and did not."""
    return tried and not sent and transport_of(root.environment) is not None


def dispatch(
    root: Root,
    task_id: str,
    *,
    project: str = "",
    source: str,
    target: str = "",
    role: str = "",
    title: str,
    objective: str,
    test_policy: str,
    reply_to: str = "",
    docs: Sequence[str] = (),
    docs_skip: str = "",
    external: bool = False,
    queue_it: bool = False,
    notify: bool = True,
    dry_run: bool = False,
) -> Handed:
    """Give a task to a seat; the file first, then what to say about it."""
    root.must_hold_no_secret(task_id, project)
    project = root.reader.project(project)
    if bool(target) == bool(role):
        raise BadInput("name the target or its role", "--to SEAT or --to-role ROLE")
    for what, said in (("title", title), ("objective", objective)):
        if not said.strip():
            raise BadInput(f"a task needs its {what}")
    _must_speak_as(root, source)
    registry = read_registry(root.store)
    seat = target or seat_for(role, project, registry)
    now = root.clock()
    words = root.guard.words({"title": title, "objective": objective, "skip": docs_skip, "docs": list(docs)})
    wish = Dispatch(
        task_id=task_id,
        project=project,
        source=source,
        target=seat,
        title=words.fields["title"],
        objective=words.fields["objective"],
        test_policy=_policy(test_policy),
        assigned_at=now,
        reply_to=reply_to or source,
        correlation_id=root.ids.next(OPERATION_PREFIX, now),
        docs_consulted=tuple(words.fields["docs"]),
        docs_skip_reason=words.fields["skip"],
    )
    with root.store.writing():
        stands = queue_of(root, project)
        must_be_rehearsed(root, project, task_id, stands)
        must_be_possible(wish, registry, stands, queue=queue_it, is_external=external)
        said = _announcement(wish)
        wish = replace(wish, notify_message=said if notify else "")
        if dry_run:
            return Handed(
                path="", created=False, message=said, state="would be given", warnings=words.warnings
            )
        made = files.put_dispatch(root.store, wish)
    stands = queue_of(root, project)
    state = next(one.state for one in stands if one.dispatch.path == made.path)
    tried = notify and state is SeatState.PENDING
    sent = _tell(root, said, action="notify") if tried else False
    if sent:
        with root.store.writing():
            files.put_dispatch(root.store, replace(made, notified_at=root.clock()))
    unsent = _is_unsent(root, sent, tried=tried)
    return Handed(
        path=made.path, message=said, state=state.value, sent=sent, unsent=unsent, warnings=words.warnings
    )


def _announcement(wish: Dispatch) -> str:
    return message.compose(
        message.About.DISPATCHED,
        [wish.title, wish.objective, f"tests: {wish.test_policy.value}; reply to {wish.reply_to}"],
        seat=wish.source,
        now=wish.assigned_at,
        project=wish.project,
        task_id=wish.task_id,
    )


def acknowledge(root: Root, task_id: str, *, project: str = "", seat: str) -> Handed:
    """Say that a seat has seen its task; once is enough."""
    root.must_hold_no_secret(task_id, project)
    project = root.reader.project(project)
    _must_speak_as(root, seat)
    found = _task(root, task_id, project, seat)
    with root.store.writing():
        fresh = files.acknowledge(
            root.store,
            found.dispatch.path,
            task_id=task_id,
            source=found.dispatch.source,
            seat=seat,
            now=root.clock(),
        )
    return Handed(path=found.dispatch.path + files.CONSUMED, created=fresh, state=found.state.value)


def consume(root: Root, task_id: str, *, project: str = "", seat: str) -> Handed:
    """Say that a seat has seen what was given back to it."""
    root.must_hold_no_secret(task_id, project)
    project = root.reader.project(project)
    _must_speak_as(root, seat)
    done = [
        one for one in files.completions(root.store, project) if (one.task_id, one.target) == (task_id, seat)
    ]
    if not done:
        raise BadInput(f"nothing of {task_id} was given back to {seat}")
    last = max(done, key=lambda one: one.completed_at)
    with root.store.writing():
        fresh = files.acknowledge(
            root.store, last.path, task_id=task_id, source=last.source, seat=seat, now=root.clock()
        )
    return Handed(path=last.path + files.CONSUMED, created=fresh)


def _policy(said: str) -> TestPolicy:
    try:
        return TestPolicy(said)
    except ValueError:
        raise BadInput(f"`{said}` is no test policy", f"one of: {', '.join(TestPolicy)}") from None


def complete(
    root: Root,
    task_id: str,
    *,
    project: str = "",
    seat: str,
    to: str = "",
    status: str = "completed",
    verdict: str = "",
    summary: str = "",
    commit: str = "",
    weight: str = "",
    dry_run: bool = False,
) -> Handed:
    """Give a task back: a delivery page of the seat, then the receipt; the next one is promoted."""
    root.must_hold_no_secret(task_id, project)
    project = root.reader.project(project)
    _must_speak_as(root, seat)
    found = _task(root, task_id, project, seat)
    _check_verdict(seat, verdict, weight)
    words = root.guard.words({"summary": summary})
    target = to or found.dispatch.reply_to
    if dry_run:
        return Handed(path="", created=False, state="would be given back", warnings=words.warnings)
    page = write_page(
        root,
        kind="delivery",
        project=project,
        author=seat,
        title=f"Delivery of {task_id}",
        body=_delivery(found, target, status, verdict, words.fields["summary"], write_time(root.clock())),
        task_id=task_id,
        status="completed",
    )
    return _give_back(
        root, found, target, status, verdict, words.fields["summary"], commit, page.path, weight
    )


def deliver(
    root: Root,
    task_id: str,
    response: Mapping[str, Any],
    *,
    project: str = "",
    to: str,
    source: str = "",
    summary: str = "",
    verdict: str = "",
    dry_run: bool = False,
) -> Handed:
    """Answer a task: the response, then its receipt. Claims are checked, and the result goes along."""
    root.must_hold_no_secret(task_id, project, to)
    project = root.reader.project(project)
    source = source or MEMORY
    check_task_name(task_id)
    _must_speak_as(root, source)
    if not isinstance(response, Mapping):
        raise BadInput("a response is a JSON object", 'such as {"answer": "…", "claims": []}')
    held = root.guard.words({"text": json.dumps(response, ensure_ascii=False), "summary": summary})
    clean = json.loads(held.fields["text"])
    checked = verify(root, clean)
    proof = to_plain(checked)
    if dry_run:
        return Handed(path="", created=False, verified=proof, warnings=held.warnings)
    registry = read_registry(root.store)
    is_seat = registry.seat(to) is not None
    now = root.clock()
    with root.store.writing():
        path, digest = files.put_response(root.store, task_id, {**clean, "verification": proof})
        try:
            done = _receipt(root, task_id, project, source, to, path, digest, summary=held.fields["summary"],
                                 verdict=verdict, now=now, is_seat=is_seat)  # fmt: skip
        except (OSError, MemoracleError) as problem:
            again = f"memoracle deliver --project {project} --task {task_id} --to {to}"
            raise NotDelivered(path, str(problem), again) from problem
    holds = checked.all_verified is not False
    said = message.compose(
        message.About.SUCCESS if holds else message.About.BLOCKED,
        [str(clean.get("answer", "")) or held.fields["summary"], f"response: {path}"],
        seat=source,
        now=now,
        project=project,
        task_id=task_id,
        verdict="PASS" if holds else "FAIL",
    )
    sent = _tell(root, said, action="deliver") if is_seat else False
    unsent = _is_unsent(root, sent, tried=is_seat)
    return Handed(
        path=done.path, message=said, response=path, sent=sent, unsent=unsent, verified=proof,
        warnings=held.warnings,
    )  # fmt: skip


def send_decision(root: Root, payload: Mapping[str, Any]) -> Handed:
    """A decision for somebody else, checked and past the privacy gate; sent where a command is set."""
    if problems := problems_of(payload):
        raise BadInput(
            f"the payload is not valid: {'; '.join(problems)}", "`decision payload schema` prints the schema"
        )
    words = json.dumps(payload, ensure_ascii=False, indent=1)
    root.guard.must_go(words, action="decision", outgoing=True)
    sent = _tell(root, words, action="decision")
    unsent = _is_unsent(root, sent, tried=True)
    return Handed(path="", created=False, message=words, sent=sent, unsent=unsent)


def _give_back(
    root: Root,
    found: Queued,
    target: str,
    status: str,
    verdict: str,
    summary: str,
    commit: str,
    delivery: str,
    weight: str,
) -> Handed:
    sent = found.dispatch
    now = root.clock()
    with root.store.writing():
        stands = queue_of(root, sent.project)
        if weight:
            target = chain.routed(
                weight, [one.dispatch for one in stands if one.dispatch.task_id == sent.task_id]
            )
        is_seat = read_registry(root.store).seat(target) is not None
        done = files.put_completion(
            root.store,
            Completion(
                task_id=sent.task_id,
                project=sent.project,
                source=sent.target,
                target=target,
                status=status,
                verdict=verdict,
                summary=summary,
                delivery_path=delivery,
                commit=commit,
                lineage_status=lineage_in(root, sent.project, commit) if commit else "unknown",
                completed_at=now,
                notify_skipped=not is_seat,
            ),
        )
        files.acknowledge(
            root.store, sent.path, task_id=sent.task_id, source=sent.source, seat=sent.target, now=now
        )
    said = message.compose(
        message.About.BLOCKED if verdict == "BLOCKED" else message.About.SUCCESS,
        [summary or f"{sent.title}: {status}", f"delivery: {delivery}"],
        seat=sent.target,
        now=now,
        project=sent.project,
        task_id=sent.task_id,
        verdict=_ending(verdict),
    )
    is_sent = _tell(root, said, action="notify") if is_seat else False
    following = next_task(stands, project=sent.project, target=sent.target, after=sent.task_id)
    unsent = _is_unsent(root, is_sent, tried=is_seat)
    return Handed(
        path=done.path,
        message=said,
        delivery=delivery,
        next=following,
        sent=is_sent,
        unsent=unsent,
        state="done",
    )


def _receipt(
    root: Root,
    task_id: str,
    project: str,
    source: str,
    to: str,
    path: str,
    digest: str,
    *,
    summary: str,
    verdict: str,
    now: datetime,
    is_seat: bool,
) -> Completion:
    for one in files.completions(root.store, project):
        if (one.task_id, one.source, one.target, one.response_digest) == (task_id, source, to, digest):
            return one
    return files.put_completion(
        root.store,
        Completion(
            task_id=task_id,
            project=project,
            source=source,
            target=to,
            status="delivered",
            verdict=verdict,
            summary=summary,
            response_path=path,
            response_digest=digest,
            completed_at=now,
            notify_skipped=not is_seat,
        ),
    )


def _check_verdict(seat: str, verdict: str, weight: str) -> None:
    if seat.split("-", maxsplit=1)[0] == REVIEWER and verdict not in REVIEWS:
        raise BadInput("a reviewer gives a verdict", f"one of: {', '.join(REVIEWS)}")
    if (verdict == NEEDS_INTEGRATION) is not bool(weight):
        raise BadInput(f"{NEEDS_INTEGRATION} and --weight belong together", "--weight light, medium or heavy")


def _ending(verdict: str) -> str:
    if not verdict or verdict in GOOD:
        return "PASS"
    return "BLOCKED" if verdict in {"BLOCKED", "DECISION_NEEDED"} else "FAIL"


def _delivery(found: Queued, target: str, status: str, verdict: str, summary: str, at: str) -> str:
    sent = found.dispatch
    rows = [
        f"task_id: {sent.task_id}",
        f"owner: {sent.target}",
        f"target: {target}",
        f"status: {status}",
        f"date: {at}",
        *([f"verdict: {verdict}"] if verdict else []),
    ]
    return "\n".join([f"# Delivery of {sent.task_id}", "", *rows, "", summary[:_LONGEST_SUMMARY], ""])


def rehearse(root: Root, project: str, *, seats: Sequence[str] = ()) -> Sequence[Handed]:
    """Begin a rehearsal: the planner gives one step to every seat that takes part in the project, or to these."""
    project = root.reader.project(project)
    registry = read_registry(root.store)
    chosen = set(seats) or seats_in_use(root, project)
    for name in sorted(set(seats)):
        must_sit(name, project, registry)
    stamp = f"{root.clock():%Y%m%dt%H%M%Sz}"
    name = f"{REHEARSAL}{stamp}"
    taking = [
        one
        for one in registry.seats
        if one.is_active and one.sits_in(project) and (not chosen or one.name in chosen)
    ]
    return [
        dispatch(
            root,
            name,
            project=project,
            source=PLANNER,
            target=seat.name,
            title=f"Rehearsal: report as {seat.name}",
            objective=f"Say your {', '.join(chain.REPORTED)}; acknowledge this step; give it back to {PLANNER}.",
            test_policy=TestPolicy.NOT_APPLICABLE,
            reply_to=PLANNER,
            queue_it=True,
            notify=False,
        )
        for seat in taking
        if seat.name not in {PLANNER, MEMORY}
    ]
