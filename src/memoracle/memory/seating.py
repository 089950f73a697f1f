"""Verbs of seats: pages, the decision log, the registry, facts by key, questions across roots, synthesis."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Unpack

from memoracle.errors import BeyondScope
from memoracle.memory.tending import Tend
from memoracle.model.query import Filters
from memoracle.model.value import replace

if TYPE_CHECKING:
    from memoracle.acts.federating import Federating
    from memoracle.acts.registering import Registering
    from memoracle.acts.seating import PageFields, Seating
    from memoracle.federation.flatten import Match
    from memoracle.federation.gather import Federation
    from memoracle.federation.lookup import Looked
    from memoracle.federation.synthesis import Synthesis
    from memoracle.model.page import Page, PageWritten
    from memoracle.model.plan import Plan
    from memoracle.model.seat import Project, Registry, Seat
    from memoracle.seats.prose import ProseCheck


class Sit(Tend):
    """Verbs of seats: each writes in its own place, all read everywhere."""

    def write_page(self, *, kind: str, project: str = "", **how: Unpack[PageFields]) -> PageWritten:
        """Write a page in its seat's place; the same page again is the same page."""
        return self._seating().write(kind=kind, project=self._own_project(project), **how)

    def pages(
        self,
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
        from memoracle.seats.listing import Wanted
        from memoracle.seats.reading import list_pages

        wanted = Wanted(
            project=self._own_project(project),
            kind=kind,
            seat=seat,
            status=status,
            severity=severity,
            task=task,
            since=since,
            until=until,
        )
        return [self._shown_page(one) for one in list_pages(self.store, wanted, limit)]

    def page(self, reference: str) -> Page:
        """One page, by its id or its path."""
        from memoracle.errors import UnknownPage
        from memoracle.seats.reading import find_page

        page = find_page(self.store, reference)
        if self._shows_public_alone or self._reader.project not in {"", page.project}:
            raise UnknownPage(reference)  # what is forbidden looks exactly like what is not there
        return self._shown_page(page)

    def _shown_page(self, page: Page) -> Page:
        """A page as it is handed out: without what the policy masks now."""
        hide = self._shield.hide
        return replace(
            page,
            title=hide(page.title),
            detail=hide(page.detail),
            body=hide(page.body),
            history=tuple(map(hide, page.history)),
            fields={
                name: hide(held) if isinstance(held, str) else held for name, held in page.fields.items()
            },
        )

    def close_page(
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
        """Give a page another status; its history grows by a line."""
        return self._seating().close(
            self.page(reference).path,
            status=status,
            author=author,
            operator=operator,
            because=because,
            reason=reason,
            dry_run=dry_run,
        )

    def check_edit(self, old: str, new: str) -> ProseCheck:
        """Whether one text became the other by cleaning up alone: the one edit that needs no ownership."""
        from memoracle.seats.prose import check_edit

        return check_edit(old, new)

    def index_pages(self, project: str = "", *, dry_run: bool = False) -> Plan:
        """Bring the index files that a layout's other tools expect up to date."""
        from memoracle.acts.indexing import publish_page_index
        from memoracle.model.plan import Plan

        self._must_see_all()
        done = publish_page_index(self.store, only=project, dry_run=dry_run)
        return Plan(verb="page index", steps=done.steps)

    def has_pages(self, *, project: str = "", seat: str = "") -> bool:
        """True when a seat or a project has a page here."""
        from memoracle.seats.reading import has_pages

        return has_pages(self.store, project=self._own_project(project), seat=seat)

    def log_decision(
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
        author: str = "",
        operator: bool = False,
        because: str = "",
        dry_run: bool = False,
    ) -> PageWritten:
        """Add a decision to a project's log."""
        return self._seating().append_decision(
            self._own_project(project),
            task_id,
            title,
            detail,
            seat=seat,
            decision_type=decision_type,
            reason=reason,
            manual=manual,
            author=author,
            operator=operator,
            because=because,
            dry_run=dry_run,
        )

    def decisions(self, project: str, *, limit: int = 50) -> Sequence[Page]:
        """The newest decisions of a project, oldest of them first."""
        return self.pages(project=project, kind="decision", limit=limit)

    def seats(self) -> Registry:
        """The seats and projects of this root."""
        from memoracle.seats.reading import counted_registry

        return counted_registry(self.store)

    def add_seat(
        self, name: str, *, projects: Sequence[str] = (), folders: Sequence[str] = (), because: str = ""
    ) -> Seat:
        """Register a seat, or bring one back."""
        self._must_see_all()
        self._must_be_no_secret(name, *projects, *folders)
        return self._registering().add_seat(name, projects=projects, folders=folders, because=because)

    def retire_seat(self, name: str, *, because: str = "") -> Seat:
        """Let a seat write no more; its pages stay."""
        self._must_see_all()
        return self._registering().retire_seat(name, because=because)

    def projects(self) -> Sequence[Project]:
        """The projects of this root, registered or with a page."""
        return self.seats().projects

    def add_project(self, name: str, *, repo_path: str = "", because: str = "") -> Project:
        """Register a project, or bring one back."""
        self._must_see_all()
        self._must_be_no_secret(name)
        return self._registering().add_project(name, repo_path=repo_path, because=because)

    def retire_project(self, name: str, *, because: str = "") -> Project:
        """Let a project rest: its pages stay, and nobody adds to them."""
        self._must_see_all()
        return self._registering().retire_project(name, because=because)

    def get(
        self, key: str, *, project: str = "", seat: str = "", context: Mapping[str, Any] | None = None
    ) -> Looked:
        """The value of a dotted key with the file and path it stands at, or which answer there is not."""
        self._must_be_private()
        own = self._own_project(project)
        found = self._federating().get(key, project=own, seat=seat, context=context)
        if found.status == "not_in_federated_kb" and not (project or seat):
            return self._federating().get(key, context=context)  # nobody asked for that project by name
        return found

    def get_file(self, name: str, *, section: str = "", project: str = "") -> Looked:
        """A whole file of facts, or one section of it."""
        self._must_be_private()
        return self._federating().get_file(name, section=section, project=self._own_project(project))

    def find_facts(self, term: str, *, project: str = "", files: Sequence[str] = ()) -> builtins.list[Match]:
        """Every place in facts that holds a term, in its path or in its value."""
        self._must_be_private()
        return self._federating().find(term, project=self._own_project(project), files=files)

    def holdings(self) -> dict[str, Any]:
        """What there is to ask for by key."""
        self._must_see_all()
        return self._federating().holdings()

    def federate(
        self,
        question: str,
        *,
        seats: Sequence[str] = (),
        projects: Sequence[str] = (),
        roots: Sequence[str] = (),
        filters: Filters | None = None,
        limit: int | None = None,
        recipe: str | None = None,
    ) -> Federation:
        """Evidence of several seats, projects and roots; each hit names its owner, what is missing is said."""
        if any(os.path.realpath(root) != self.store.root for root in roots):
            self._must_see_all()
        mine = tuple(self._own_project(one) for one in projects) or (
            (self._reader.project,) * bool(self._reader.project)
        )
        return self._federating().federate(
            question,
            seats=seats,
            projects=mine,
            roots=roots,
            filters=filters,
            limit=limit or self._limit,
            recipe=recipe,
        )

    def synthesize(
        self,
        project: str,
        topic: str = "",
        *,
        kind: str = "finding",
        seats: Sequence[str] = (),
        dry_run: bool = False,
    ) -> tuple[Synthesis, PageWritten | None]:
        """Pages of several seats as one page of memory's own, which cites them and never copies."""
        return self._federating().synthesise(
            self._own_project(project), topic, kind=kind, seats=seats, dry_run=dry_run
        )

    # Underneath

    def _must_be_private(self) -> None:
        if self._shows_public_alone:
            raise BeyondScope

    def _seating(self) -> Seating:
        from memoracle.acts.seating import Seating

        return Seating(
            self.store,
            shield=self._shield,
            clock=self._clock,
            ids=self._ids,
            session=self._reader.seat or self._session_seat,
            actor=self._actor,
        )

    def _registering(self) -> Registering:
        from memoracle.acts.registering import Registering

        return Registering(self.store, shield=self._shield, clock=self._clock, actor=self._actor)

    def _federating(self) -> Federating:
        from memoracle.acts.federating import Federating

        return Federating(
            self.store,
            seating=self._seating(),
            search=self.search,
            values=self._values_of,
            neighbours=lambda other: type(self)(self._neighbours(other)),
            shown=self._shield.document,
        )

    def _values_of(self, key: str) -> Iterator[tuple[str, str, str]]:
        """Records that are kept under a key: where they stand, the key, the value."""
        self._upkeep.catch_up()
        name = " ".join(key.casefold().split())
        found = self._upkeep.ask(
            lambda: self.index.search_names([name], self._within(Filters()), self._limit, self._clock())
        )
        for item in found:
            if item.passage.key and item.passage.key.casefold() == name:
                yield item.passage.cite, key, item.passage.value or item.passage.text
