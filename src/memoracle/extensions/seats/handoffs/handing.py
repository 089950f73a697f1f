"""Work between seats: claims, deliveries, hand-offs, decisions for somebody else.

What the rest of this room decides becomes files here, in the order that a crash forgives: every claim can be checked,
every step leaves a file. A response is written before its receipt, and the receipt is what counts; cut off between the
two, the same call again completes it. Nothing is sent unless the owner named a command for it, and then only past the
privacy gate.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, MemoracleError, NotDelivered, NotDispatched, NotYourPlace
from memoracle.extensions.seats import files_handoffs as files
from memoracle.extensions.seats.files_registry import read_registry, repository_here
from memoracle.extensions.seats.handoffs import chain, claims, message
from memoracle.extensions.seats.handoffs import condense as condensing
from memoracle.extensions.seats.handoffs.evidence import Looks
from memoracle.extensions.seats.handoffs.payload import problems_of
from memoracle.extensions.seats.handoffs.queue import next_task, queue
from memoracle.extensions.seats.handoffs.refusals import check_task_name, must_be_possible, seat_for
from memoracle.extensions.seats.handoffs.sending import transport_of
from memoracle.extensions.seats.model import (
    GOOD,
    MEMORY,
    MISSING,
    NEEDS_INTEGRATION,
    PLANNER,
    REVIEWER,
    REVIEWS,
    Chain,
    Completion,
    Dispatch,
    Handed,
    Page,
    Queued,
    State,
    TestPolicy,
)
from memoracle.extensions.seats.pages.listing import Wanted
from memoracle.extensions.seats.pages.reading import list_pages
from memoracle.extensions.seats.pages.seating import write_page
from memoracle.extensions.seats.scan import lineage
from memoracle.learn.records import show
from memoracle.model.ids import OPERATION_PREFIX
from memoracle.model.value import replace, to_plain
from memoracle.store.cited import cited_text, is_of_records
from memoracle.store.documents import read_document, write_document
from memoracle.times import write_time

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.extensions.seats.handoffs.claims import Verification
    from memoracle.root import Root

_LONGEST_SUMMARY = 4_000
_REHEARSAL = "chain-rehearsal-"
_CONDENSED = "condensed.json"


def handoffs(root: Root, project: str = "") -> Sequence[Queued]:
    """Every task, and whether it is pending, queued or done."""
    return _queue(root, root.reader.project(project))


def _queue(root: Root, project: str = "") -> list[Queued]:
    """Every task with where it stands."""
    given = files.dispatches(root.store, project)
    seen = {one.path: when for one in given if (when := files.seen_at(root.store, one.path))}
    return queue(given, files.completions(root.store, project), seen)


def _must_speak_as(root: Root, seat: str) -> None:
    """Refuse an act in another seat's name: the process says which seat it is."""
    transport_of(root.environment)  # one that cannot be right is said before anything is written
    if root.seat and seat != root.seat:
        raise NotYourPlace(root.seat, seat, f"what is done in the name of `{seat}`")


def _task(root: Root, task_id: str, project: str, seat: str) -> Queued:
    found = [
        one for one in _queue(root, project) if (one.dispatch.task_id, one.dispatch.target) == (task_id, seat)
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


def verify(root: Root, response: Any) -> Verification:
    """Hold the claims of a response against evidence anywhere in this memory."""
    return claims.verify(
        response,
        Looks(
            document=partial(_document, root),
            record=partial(_plain_record, root),
            lines=partial(_lines, root),
        ),
    )


def _document(root: Root, path: str) -> Any:
    try:
        content = _lines(root, path)
        return MISSING if content is MISSING else json.loads(content)
    except (ValueError, RecursionError):
        return MISSING


def _plain_record(root: Root, reference: str) -> Any:
    try:
        record = show(root, reference)
    except MemoracleError:
        return MISSING
    return {**to_plain(record), "text": record.text, "status": record.status.value}


def _lines(root: Root, cited: str) -> Any:
    found = cited_text(root.store, cited)
    if found is None or (is_of_records(root.store, cited) and not _stands(root, found)):
        return MISSING
    return found


def _stands(root: Root, lines: str) -> bool:
    """True when each of these lines of a record file is the version of its record that stands."""
    for line in lines.splitlines():
        try:
            held = json.loads(line)
            record = _plain_record(root, str(held["id"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            return False
        if record is MISSING or record["status"] not in {"active", "archived"}:
            return False
        if held.get("version", record["version"]) != record["version"]:
            return False
    return True


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
        stands = _queue(root, project)
        _must_be_rehearsed(root, project, task_id, stands)
        must_be_possible(wish, registry, stands, queue=queue_it, is_external=external)
        said = _announcement(wish)
        wish = replace(wish, notify_message=said if notify else "")
        if dry_run:
            return Handed(
                path="", created=False, message=said, state="would be given", warnings=words.warnings
            )
        made = files.put_dispatch(root.store, wish)
    stands = _queue(root, project)
    state = next(one.state for one in stands if one.dispatch.path == made.path)
    tried = notify and state is State.PENDING
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
            root.store, last.path, task_id=task_id, source=last.source, now=root.clock()
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
        stands = _queue(root, sent.project)
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
                lineage_status=_lineage(root, sent.project, commit) if commit else "unknown",
                completed_at=now,
                notify_skipped=not is_seat,
            ),
        )
        files.acknowledge(root.store, sent.path, task_id=sent.task_id, source=sent.source, now=now)
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


def check_handoff(root: Root, task_id: str, *, project: str = "") -> Chain:
    """The four-step check of one task."""
    project = root.reader.project(project)
    found = next((one for one in _queue(root, project) if one.dispatch.task_id == task_id), None)
    page = _delivery_of(root, task_id, project, found.dispatch.target) if found else None
    commit = _lineage_of(root, found.completion) if found and found.completion else ""
    return chain.acknowledged(found, task_id=task_id, project=project, delivery=page, commit=commit)


def audit_closeout(root: Root, task_id: str, *, project: str = "") -> Chain:
    """The audit of a planner's close-out."""
    project = root.reader.project(project)
    done = files.completions(root.store, project)
    pages = list_pages(root.store, Wanted(project=project, kind="delivery"))
    seen = any(
        files.seen_at(root.store, one.path) for one in done if (one.task_id, one.target) == (task_id, MEMORY)
    )
    return chain.closed(task_id, project, done, pages, seen)


def rehearse(root: Root, project: str) -> Sequence[Handed]:
    """Begin a rehearsal: the planner gives one step to every seat of the project."""
    project = root.reader.project(project)
    registry = read_registry(root.store)
    stamp = f"{root.clock():%Y%m%dt%H%M%Sz}"
    name = f"{_REHEARSAL}{stamp}"
    seats = [one for one in registry.seats if one.is_active and one.sits_in(project)]
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
        for seat in seats
        if seat.name not in {PLANNER, MEMORY}
    ]


def rehearsal(root: Root, project: str, name: str = "") -> Chain:
    """What a rehearsal came to: the newest one of a project, or the one named."""
    project = root.reader.project(project)
    stands = _queue(root, project)
    names = sorted({one.dispatch.task_id for one in stands if one.dispatch.task_id.startswith(_REHEARSAL)})
    chosen = name or (names[-1] if names else "")
    if not chosen:
        raise BadInput(f"{project} has never been rehearsed", "`memoracle handoff rehearse` begins one")
    own = {
        one.dispatch.target: one
        for one in stands
        if one.dispatch.task_id == chosen and one.dispatch.target != PLANNER
    }
    reports = {
        page.seat: page
        for page in list_pages(root.store, Wanted(project=project, task=chosen))
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


def condense(root: Root, project: str, said: str = "", *, after: int | None = None) -> tuple[str, list[str]]:
    """Whether routing state should be condensed now and why; its lines, when it should."""
    project = root.reader.project(project)
    volume, name = root.store.volume, root.store.state_name(_CONDENSED)
    last = str(read_document(volume, name).get(project, ""))
    stands = _queue(root, project)
    why = condensing.is_due(said, stands, last, after=condensing.WAVES if after is None else after)
    if not why:
        return "", []
    with root.store.writing():
        write_document(volume, name, {**read_document(volume, name), project: write_time(root.clock())})
    return why, condensing.condensed(stands)


def _must_be_rehearsed(root: Root, project: str, task_id: str, stands: Sequence[Queued]) -> None:
    """A rehearsal that was begun and has not passed stands before real work."""
    if task_id.startswith(_REHEARSAL):
        return
    if not any(one.dispatch.task_id.startswith(_REHEARSAL) for one in stands):
        return
    looked = rehearsal(root, project)
    if not looked.ok:
        raise NotDispatched(
            "REHEARSAL_OPEN",
            f"{looked.task_id} has not passed",
            "`memoracle handoff rehearsal` says who is missing",
        )


def _delivery_of(root: Root, task_id: str, project: str, seat: str) -> Page | None:
    pages = list_pages(root.store, Wanted(project=project, kind="delivery", seat=seat))
    return next((page for page in pages if page.task_id == task_id), None)


def _lineage_of(root: Root, done: Completion) -> str:
    return (_lineage(root, done.project, done.commit) or "unknown") if done.commit else ""


def _lineage(root: Root, project: str, commit: str) -> str:
    """Whether a commit stands in the history of a project's repository."""
    place = repository_here(root.store, project)
    return lineage.lineage_of(place, commit) if place else "unknown"
