"""Pages as their seats write them: guarded, owned, written once, closed by a change of status.

Values become writes here, under the store's lock. Every act is told to the audit trail; an operator's act with its
reason. What an extractor of links does afterwards never stands in the way of a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from memoracle.errors import BadInput, CannotChange, MemoracleError, RefusedByPolicy, UnknownPage
from memoracle.extensions.seats.files_pages import (
    change_page,
    find_twin,
    folder_of,
    project_folders,
    put_page,
    read_page,
    write_moment,
)
from memoracle.extensions.seats.files_reflections import put_reflection
from memoracle.extensions.seats.files_registry import read_registry
from memoracle.extensions.seats.model import (
    KINDS,
    MEMORY,
    REFLECTION,
    SHARED,
    Page,
    PageDraft,
    PageStatus,
    PageWritten,
    Registry,
    Seat,
)
from memoracle.extensions.seats.pages import reading
from memoracle.extensions.seats.pages.draft import make_page
from memoracle.extensions.seats.pages.indexing import follow_page, publish_page_index
from memoracle.extensions.seats.pages.listing import WantedPages
from memoracle.extensions.seats.pages.ownership import Writer, must_differ, must_own, must_sit, writer_of
from memoracle.extensions.seats.pages.reading import find_page, list_pages
from memoracle.guard.screening import ScreeningOutcome
from memoracle.learn.draft import make_draft
from memoracle.model.event import Event
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.record import Channel
from memoracle.model.report import Plan
from memoracle.model.value import replace

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.guard.guard import PolicyGuard
    from memoracle.root import Root

_PIECE = 50_000


class PageFields(TypedDict, total=False):
    """What may be said of a page beside its kind and project."""

    author: str
    seat: str
    operator: bool
    because: str
    among: Sequence[str]
    dry_run: bool
    title: str
    body: str
    task_id: str
    detail: str
    status: str
    confidence: str
    source: str
    supersedes: str
    folder: str
    related: Sequence[str]
    evidence: Sequence[Mapping[str, Any]]
    extra: Mapping[str, Any] | None
    ts: datetime | None


def write_page(root: Root, *, kind: str, project: str = "", **how: Unpack[PageFields]) -> PageWritten:
    """Write a page in its seat's place; the same page again is the same page."""
    return _write(root, kind=kind, project=root.reader.project(project), **how)


def _write(
    root: Root,
    *,
    kind: str,
    project: str,
    author: str = "",
    seat: str = "",
    operator: bool = False,
    because: str = "",
    among: Sequence[str] = (),
    dry_run: bool = False,
    **parts: Any,
) -> PageWritten:
    """Write a page in its seat's place; one that says exactly this already is given back instead."""
    why = guarded_parts(root.guard, {"because": because})[0]["because"]
    writer, place = writer_of(author, seat, root.seat, operator=operator, because=why)
    if among and writer.seat not in among:
        must_sit(writer.seat, project, Registry(seats=tuple(Seat(name=name) for name in among)))
    registry = read_registry(root.store)
    must_differ("project", project, (*project_folders(root.store), *(one.name for one in registry.projects)))
    owner = MEMORY if project == SHARED else place
    own = must_own(writer, owner, project, registry, place=_place_name(project, owner))
    if root.guard.mask(project).types or root.guard.mask(str(parts.get("task_id", ""))).types:
        raise RefusedByPolicy(("secret-in-a-name",))
    clean, warnings = guarded_parts(root.guard, parts)
    used = (
        {page.kind for page in list_pages(root.store, WantedPages(seat=own.name))}
        if kind not in KINDS
        else ()
    )
    draft = _seen_from(root, make_page(kind=kind, project=project, seat=own, used=used, **clean))
    if rules := _why_apart(root, draft, writer):
        draft = replace(draft, status=PageStatus.QUARANTINED)
        warnings = (*warnings, f"set apart, not in use: {', '.join(rules)}; the operator may open it")
    if kind == REFLECTION:
        return _reflect(root, draft, writer, warnings, dry_run=dry_run)
    with nullcontext() if dry_run else root.store.writing():
        if twin := find_twin(root.store, draft):
            made = _seen_again(root, twin, draft, writer, warnings, dry_run=dry_run)
        else:
            made = _put(root, draft, writer, warnings, dry_run=dry_run)
    if not dry_run and (page := read_page(root.store, made.path)) is not None:
        follow_page(root, page)
    return made


def pages(
    root: Root,
    *,
    project: str = "",
    kind: str = "",
    seat: str = "",
    status: str = "",
    severity: str = "",
    task: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int | None = None,
) -> Sequence[Page]:
    """The pages that fit, by time; with a limit the newest of them."""
    wanted = WantedPages(
        project=root.reader.project(project),
        kind=kind,
        seat=seat,
        status=status,
        severity=severity,
        task=task,
        since=since,
        until=until,
    )
    return [_shown_page(root, one) for one in list_pages(root.store, wanted, limit)]


def show_page(root: Root, reference: str) -> Page:
    """One page, by its id or its path."""
    page = find_page(root.store, reference)
    if root.reader.sees_public_alone or root.reader.scope.project not in {"", page.project}:
        raise UnknownPage(reference)  # what is forbidden looks exactly like what is not there
    return _shown_page(root, page)


def _shown_page(root: Root, page: Page) -> Page:
    """A page as it is handed out: without what the policy masks now."""
    hide = root.guard.hide
    return replace(
        page,
        title=hide(page.title),
        detail=hide(page.detail),
        body=hide(page.body),
        history=tuple(map(hide, page.history)),
        fields={name: hide(held) if isinstance(held, str) else held for name, held in page.fields.items()},
    )


def decisions(root: Root, project: str, *, limit: int = 50) -> Sequence[Page]:
    """The newest decisions of a project, oldest of them first."""
    return pages(root, project=project, kind="decision", limit=limit)


def index_pages(root: Root, project: str = "", *, dry_run: bool = False) -> Plan:
    """Bring the index files that a layout's other tools expect up to date."""
    root.reader.must_see_all()
    done = publish_page_index(root.store, only=project, dry_run=dry_run)
    return Plan(verb="page index", steps=done.steps)


def has_pages(root: Root, *, project: str = "", seat: str = "") -> bool:
    """True when a seat or a project has a page here."""
    return reading.has_pages(root.store, project=root.reader.project(project), seat=seat)


def close_page(
    root: Root,
    reference: str,
    *,
    status: str = "resolved",
    author: str = "",
    operator: bool = False,
    because: str = "",
    reason: str = "",
    dry_run: bool = False,
) -> PageWritten:
    """Give a page another status; its history grows by a line that says who, when and why. Nothing is deleted."""
    if status not in set(PageStatus) - {PageStatus.QUARANTINED}:
        raise BadInput(f"`{status}` is no status of a page")
    page = find_page(root.store, show_page(root, reference).path)
    why = guarded_parts(root.guard, {"because": because})[0]["because"]
    writer, _ = writer_of(author, "", root.seat, operator=operator, because=why)
    must_own(writer, page.seat, page.project, read_registry(root.store), place=page.path)
    if page.status == PageStatus.QUARANTINED and not writer.operator:
        raise CannotChange(page.id, "close", "it is set apart; only the operator takes it back")
    told, warnings = guarded_parts(root.guard, {"reason": reason or writer.because})
    if page.status == status:
        return _written(page, created=False, warnings=warnings)
    now = root.clock()
    changes: dict[str, Any] = {"status": status}
    if "first_seen" in page.fields and status == PageStatus.RESOLVED:
        changes["resolved_at"] = write_moment(now)
    if dry_run:
        return _written(replace(page, status=status), created=False, warnings=warnings)
    said = _line(now, f"{page.status} → {status}", writer, told["reason"])
    with root.store.writing():
        changed = change_page(root.store, page, changes, said=said)
        _tell(root, "page-close", changed, writer, {"from": page.status, "to": status})
    follow_page(root, changed)
    return _written(changed, created=False, warnings=warnings)


def log_decision(
    root: Root,
    project: str,
    task_id: str,
    title: str,
    detail: str,
    *,
    seat: str = "planner",
    decision_type: str = "auto",
    reason: str = "",
    manual: bool = False,
    author: str = "",
    operator: bool = False,
    because: str = "",
    dry_run: bool = False,
) -> PageWritten:
    """Add a decision to a project's log: a page of kind decision in the seat's own place."""
    project = root.reader.project(project)
    for name, said in (("project", project), ("task", task_id), ("title", title), ("detail", detail)):
        if not said.strip():
            raise BadInput(f"a decision needs its {name}")
    why = reason.strip() or detail.strip()
    extra = {"decision_type": decision_type, "auto_mode": not manual, "reason": why}
    body = f"# {' '.join(title.split())}\n\n{detail.strip()}\n"
    body += f"\nReason: {why}\n" if why != detail.strip() else ""
    return _write(
        root,
        kind="decision",
        project=project,
        seat=seat,
        title=title,
        detail=detail,
        body=body,
        task_id=task_id,
        extra=extra,
        author=author,
        operator=operator,
        because=because,
        dry_run=dry_run,
    )


def _put(
    root: Root, draft: PageDraft, writer: Writer, warnings: tuple[str, ...], *, dry_run: bool
) -> PageWritten:
    now = root.clock()
    page_id = root.ids.next(RECORD_PREFIX, now)
    if dry_run:
        return PageWritten(
            id=page_id,
            path=folder_of(root.store, draft) + "/",
            created=False,
            status=draft.status,
            owner=f"{draft.seat}@{draft.project}",
            warnings=warnings,
        )
    supersedes, cited = _superseded(root, draft, writer)
    said = _line(now, draft.status, writer, writer.because)
    page = put_page(root.store, draft, page_id=page_id, now=now, said=said)
    if supersedes is not None and supersedes.status != PageStatus.SUPERSEDED:
        line = _line(now, f"{supersedes.status} → superseded", writer, f"by {page.id}")
        change_page(root.store, supersedes, {"status": PageStatus.SUPERSEDED.value}, said=line)
    _tell(root, "page-write", page, writer, {"kind": page.kind})
    return _written(page, created=True, warnings=(*warnings, *cited))


def _why_apart(root: Root, draft: PageDraft, writer: Writer) -> tuple[str, ...]:
    """The rules by which these words are set apart instead of being used; none for most."""
    channel = Channel.OWNER if writer.operator else Channel.AGENT
    text = f"{draft.title}\n\n{draft.body}\n\n{draft.detail}"
    pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    drafts = [make_draft(piece, channel=channel.value).draft for piece in pieces if piece.strip()]
    looked = [root.guard.guard(one) for one in drafts]
    apart = [one for one in looked if one.outcome in {ScreeningOutcome.QUARANTINED, ScreeningOutcome.REFUSED}]
    return tuple(dict.fromkeys(rule for one in apart for rule in one.rules))


def _superseded(root: Root, draft: PageDraft, writer: Writer) -> tuple[Page | None, tuple[str, ...]]:
    """The page that this one takes the place of; what is not there or another seat's is only cited, and said."""
    if not draft.supersedes:
        return None, ()
    try:
        page = find_page(root.store, draft.supersedes)
    except MemoracleError:  # perhaps an id of another program
        return None, (f"no page here is called `{draft.supersedes}`: it is cited, nothing was superseded",)
    if page.seat == draft.seat or writer.operator:
        return page, ()
    return None, (f"{page.id} is {page.seat}'s: it is cited, and stays {page.status}",)


def _seen_from(root: Root, draft: PageDraft) -> PageDraft:
    """A page of patrol says when its matter was first and last seen."""
    if draft.seat != "patrol":
        return draft
    at = write_moment(draft.ts or root.clock())
    return replace(draft, extra={"first_seen": at, "last_seen": at, **draft.extra})


def _seen_again(
    root: Root, twin: Page, draft: PageDraft, writer: Writer, warnings: tuple[str, ...], *, dry_run: bool
) -> PageWritten:
    """The page that is there; where it tells when it was seen, it was seen again and keeps its first time."""
    now = root.clock()
    last = str(draft.extra.get("last_seen") or "")
    if "first_seen" not in twin.fields or twin.fields.get("last_seen") == last or dry_run:
        return _written(twin, created=False, warnings=warnings)
    changes: dict[str, Any] = {"last_seen": last}
    if twin.status in {PageStatus.RESOLVED, PageStatus.COMPLETED}:
        changes["status"] = PageStatus.OPEN.value
    said = _line(now, "seen again", writer, "")
    changed = change_page(root.store, twin, changes, said=said)
    _tell(root, "page-seen", changed, writer, {})
    return _written(changed, created=False, warnings=warnings)


def _reflect(
    root: Root, draft: PageDraft, writer: Writer, warnings: tuple[str, ...], *, dry_run: bool
) -> PageWritten:
    """A reflection is a line of its own file."""
    with nullcontext() if dry_run else root.store.writing():
        line = put_reflection(root.store, draft, now=root.clock(), dry_run=dry_run)
        if line.created:
            facts = {"kind": draft.kind, "seat": draft.seat, "project": draft.project}
            event = Event(act="page-write", at=root.clock(), by=writer.name, about=(line.path,), facts=facts)
            root.store.audit.log(event)
    return replace(line, warnings=warnings)


def _tell(root: Root, act: str, page: Page, writer: Writer, facts: Mapping[str, int | str]) -> None:
    told = {"seat": page.seat, "project": page.project, **facts}
    if writer.operator and root.seat:
        told["session"] = root.seat  # a process that sits as a seat said it was the operator
    event = Event(act=act, at=root.clock(), by=writer.name, about=(page.path, page.id), facts=told)
    events = [event]
    if writer.operator:
        events.append(replace(event, act="override", rules=(writer.because,)))
    root.store.audit.log(*events)


def guarded_parts(guard: PolicyGuard, parts: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Every text among these without its secrets, and what a receipt says about it."""
    warnings: list[str] = []

    def clean(held: Any) -> Any:
        if isinstance(held, str):
            warnings.extend(guard.warnings(held))
            return guard.words({"text": held}).fields["text"] if held else held
        if isinstance(held, Mapping):
            return {name: clean(one) for name, one in held.items()}
        return [clean(one) for one in held] if isinstance(held, list | tuple) else held

    return {name: clean(held) for name, held in parts.items()}, tuple(dict.fromkeys(warnings))


def _place_name(project: str, owner: str) -> str:
    return f"{project}/{owner}" if project not in {"", SHARED} else owner


def _line(now: datetime, what: str, writer: Writer, why: str) -> str:
    by = f"{writer.name} for {writer.seat}" if writer.operator else writer.name
    reason = " ".join(why.split())
    return f"{write_moment(now)} {what} by {by}" + (f": {reason}" if reason else "")


def _written(page: Page, *, created: bool, warnings: tuple[str, ...]) -> PageWritten:
    return PageWritten(
        id=page.id, path=page.path, created=created, status=page.status, owner=page.owner, warnings=warnings
    )
