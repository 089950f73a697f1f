"""Pages as their seats write them: guarded, owned, written once, closed by a change of status.

Values become writes here, under the store's lock. Every act is told to the audit trail; an operator's act with its
reason. What an extractor of links does afterwards never stands in the way of a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import Any, TypedDict

from memoracle.clock import Clock
from memoracle.errors import BadInput, CannotChange, MemoracleError, RefusedByPolicy
from memoracle.lifecycle.draft import make_draft
from memoracle.model.event import Event
from memoracle.model.ids import RECORD_PREFIX, IdSource
from memoracle.model.origin import Channel
from memoracle.model.page import MEMORY, REFLECTION, SHARED, Page, PageDraft, PageStatus, PageWritten
from memoracle.model.seat import Registry, Seat
from memoracle.model.value import replace
from memoracle.policy.screening import Outcome
from memoracle.policy.shield import Shield
from memoracle.seats.draft import make_page
from memoracle.seats.ownership import Writer, must_differ, must_own, must_sit, writer_of
from memoracle.seats.reading import find_page
from memoracle.store.pages import (
    change_page,
    find_twin,
    folder_of,
    project_folders,
    put_page,
    write_moment,
)
from memoracle.store.reflections import put_reflection
from memoracle.store.registry import read_registry
from memoracle.store.store import Store

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


class Seating:
    """The pages of one store, and who may write them. `session` is the seat of this process, when it has one."""

    def __init__(
        self, store: Store, *, shield: Shield, clock: Clock, ids: IdSource, session: str = "", actor: str = ""
    ) -> None:
        self._store = store
        self._shield = shield
        self._clock = clock
        self._ids = ids
        self._session = session
        self._actor = actor

    # Writing

    def write(
        self,
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
        why = guarded_parts(self._shield, {"because": because})[0]["because"]
        writer, place = writer_of(author, seat, self._session, operator=operator, because=why)
        if among and writer.seat not in among:
            must_sit(writer.seat, project, Registry(seats=tuple(Seat(name=name) for name in among)))
        registry = read_registry(self._store)
        must_differ(
            "project", project, (*project_folders(self._store), *(one.name for one in registry.projects))
        )
        owner = MEMORY if project == SHARED else place
        own = must_own(writer, owner, project, registry, place=_place_name(project, owner))
        if self._shield.mask(project).types or self._shield.mask(str(parts.get("task_id", ""))).types:
            raise RefusedByPolicy(("secret-in-a-name",))
        clean, warnings = guarded_parts(self._shield, parts)
        draft = self._seen_from(make_page(kind=kind, project=project, seat=own, **clean))
        if rules := self._why_apart(draft, writer):
            draft = replace(draft, status=PageStatus.QUARANTINED)
            warnings = (*warnings, f"set apart, not in use: {', '.join(rules)}; the operator may open it")
        if kind == REFLECTION:
            return self._reflect(draft, writer, warnings, dry_run=dry_run)
        with nullcontext() if dry_run else self._store.writing():
            if twin := find_twin(self._store, draft):
                return self._seen_again(twin, draft, writer, warnings, dry_run=dry_run)
            return self._put(draft, writer, warnings, dry_run=dry_run)

    def close(
        self,
        reference: str,
        *,
        status: str = "resolved",
        author: str = "",
        operator: bool = False,
        because: str = "",
        reason: str = "",
        dry_run: bool = False,
    ) -> PageWritten:
        """Give a page another status; a line of history says who, when and why. Nothing is deleted."""
        if status not in set(PageStatus) - {PageStatus.QUARANTINED}:
            raise BadInput(f"`{status}` is no status of a page")
        page = find_page(self._store, reference)
        why = guarded_parts(self._shield, {"because": because})[0]["because"]
        writer, _ = writer_of(author, "", self._session, operator=operator, because=why)
        must_own(writer, page.seat, page.project, read_registry(self._store), place=page.path)
        if page.status == PageStatus.QUARANTINED and not writer.operator:
            raise CannotChange(page.id, "close", "it is set apart; only the operator takes it back")
        told, warnings = guarded_parts(self._shield, {"reason": reason or writer.because})
        if page.status == status:
            return _written(page, created=False, warnings=warnings)
        now = self._clock()
        changes: dict[str, Any] = {"status": status}
        if "first_seen" in page.fields and status == PageStatus.RESOLVED:
            changes["resolved_at"] = write_moment(now)
        if dry_run:
            return _written(replace(page, status=status), created=False, warnings=warnings)
        said = _line(now, f"{page.status} → {status}", writer, told["reason"])
        with self._store.writing():
            changed = change_page(self._store, page, changes, said=said)
            self._tell("page-close", changed, writer, {"from": page.status, "to": status})
        return _written(changed, created=False, warnings=warnings)

    def append_decision(
        self,
        project: str,
        task_id: str,
        title: str,
        detail: str,
        *,
        seat: str = "planner",
        decision_type: str = "auto",
        reason: str = "",
        manual: bool = False,
        **how: Any,
    ) -> PageWritten:
        """Add a decision to a project's log: a page of kind decision in the seat's own place."""
        for name, said in (("project", project), ("task", task_id), ("title", title), ("detail", detail)):
            if not said.strip():
                raise BadInput(f"a decision needs its {name}")
        why = reason.strip() or detail.strip()
        extra = {"decision_type": decision_type, "auto_mode": not manual, "reason": why}
        body = f"# {' '.join(title.split())}\n\n{detail.strip()}\n"
        body += f"\nReason: {why}\n" if why != detail.strip() else ""
        return self.write(
            kind="decision",
            project=project,
            seat=seat,
            title=title,
            detail=detail,
            body=body,
            task_id=task_id,
            extra=extra,
            **how,
        )

    # Underneath

    def _put(
        self, draft: PageDraft, writer: Writer, warnings: tuple[str, ...], *, dry_run: bool
    ) -> PageWritten:
        now = self._clock()
        page_id = self._ids.next(RECORD_PREFIX, now)
        if dry_run:
            return PageWritten(
                id=page_id,
                path=folder_of(self._store, draft) + "/",
                created=False,
                status=draft.status,
                owner=f"{draft.seat}@{draft.project}",
                warnings=warnings,
            )
        supersedes, cited = self._superseded(draft, writer)
        said = _line(now, draft.status, writer, writer.because)
        page = put_page(self._store, draft, page_id=page_id, now=now, said=said)
        if supersedes is not None and supersedes.status != PageStatus.SUPERSEDED:
            line = _line(now, f"{supersedes.status} → superseded", writer, f"by {page.id}")
            change_page(self._store, supersedes, {"status": PageStatus.SUPERSEDED.value}, said=line)
        self._tell("page-write", page, writer, {"kind": page.kind})
        return _written(page, created=True, warnings=(*warnings, *cited))

    def _why_apart(self, draft: PageDraft, writer: Writer) -> tuple[str, ...]:
        """The rules by which these words are set apart instead of being used; none for most."""
        channel = Channel.OWNER if writer.operator else Channel.AGENT
        text = f"{draft.title}\n\n{draft.body}\n\n{draft.detail}"
        pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
        drafts = [make_draft(piece, channel=channel.value).draft for piece in pieces if piece.strip()]
        looked = [self._shield.guard(one) for one in drafts]
        apart = [one for one in looked if one.outcome in {Outcome.QUARANTINED, Outcome.REFUSED}]
        return tuple(dict.fromkeys(rule for one in apart for rule in one.rules))

    def _superseded(self, draft: PageDraft, writer: Writer) -> tuple[Page | None, tuple[str, ...]]:
        """The page that this one takes the place of; what is not there or another seat's is only cited, and said."""
        if not draft.supersedes:
            return None, ()
        try:
            page = find_page(self._store, draft.supersedes)
        except MemoracleError:  # perhaps an id of another program
            return None, (
                f"no page here is called `{draft.supersedes}`: it is cited, nothing was superseded",
            )
        if page.seat == draft.seat or writer.operator:
            return page, ()
        return None, (f"{page.id} is {page.seat}'s: it is cited, and stays {page.status}",)

    def _seen_from(self, draft: PageDraft) -> PageDraft:
        """A page of patrol says when its matter was first and last seen."""
        if draft.seat != "patrol":
            return draft
        at = write_moment(draft.ts or self._clock())
        return replace(draft, extra={"first_seen": at, "last_seen": at, **draft.extra})

    def _seen_again(
        self, twin: Page, draft: PageDraft, writer: Writer, warnings: tuple[str, ...], *, dry_run: bool
    ) -> PageWritten:
        """The page that is there; where it tells when it was seen, it was seen again and keeps its first time."""
        now = self._clock()
        last = str(draft.extra.get("last_seen") or "")
        if "first_seen" not in twin.fields or twin.fields.get("last_seen") == last or dry_run:
            return _written(twin, created=False, warnings=warnings)
        changes: dict[str, Any] = {"last_seen": last}
        if twin.status in {PageStatus.RESOLVED, PageStatus.COMPLETED}:
            changes["status"] = PageStatus.OPEN.value
        said = _line(now, "seen again", writer, "")
        changed = change_page(self._store, twin, changes, said=said)
        self._tell("page-seen", changed, writer, {})
        return _written(changed, created=False, warnings=warnings)

    def _reflect(
        self, draft: PageDraft, writer: Writer, warnings: tuple[str, ...], *, dry_run: bool
    ) -> PageWritten:
        """A reflection is a line of its own file."""
        with nullcontext() if dry_run else self._store.writing():
            line = put_reflection(self._store, draft, now=self._clock(), dry_run=dry_run)
            if line.created:
                facts = {"kind": draft.kind, "seat": draft.seat, "project": draft.project}
                event = Event(
                    act="page-write", at=self._clock(), by=writer.name, about=(line.path,), facts=facts
                )
                self._store.audit.log(event)
        return replace(line, warnings=warnings)

    def _tell(self, act: str, page: Page, writer: Writer, facts: Mapping[str, int | str]) -> None:
        told = {"seat": page.seat, "project": page.project, **facts}
        if writer.operator and self._session:
            told["session"] = self._session  # a process that sits as a seat said it was the operator
        event = Event(act=act, at=self._clock(), by=writer.name, about=(page.path, page.id), facts=told)
        events = [event]
        if writer.operator:
            events.append(replace(event, act="override", rules=(writer.because,)))
        self._store.audit.log(*events)


def guarded_parts(shield: Shield, parts: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Every text among these without its secrets, and what a receipt says about it."""
    warnings: list[str] = []

    def clean(held: Any) -> Any:
        if isinstance(held, str):
            warnings.extend(shield.warnings(held))
            return shield.words({"text": held}).fields["text"] if held else held
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
