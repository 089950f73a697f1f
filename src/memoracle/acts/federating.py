"""Asking across seats, projects and roots, and one page out of many.

Reads everywhere, writes only memory's own pages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from memoracle.acts.seating import Seating
from memoracle.errors import BadInput, MemoracleError, NotFound, Refused
from memoracle.federation.flatten import Match, matches
from memoracle.federation.gather import Federation, Member, Reply, gather
from memoracle.federation.lookup import Fetched, Layer, Looked, Shelf, look_up
from memoracle.federation.peers import peer_deliveries
from memoracle.federation.shelves import fact_shelves, machine_files, page_shelves
from memoracle.federation.synthesis import Synthesis, copied, synthesise
from memoracle.model.hit import Recollection, Source
from memoracle.model.names import check_name
from memoracle.model.page import MEMORY, Page, PageWritten
from memoracle.model.query import Filters
from memoracle.model.report import Finding, Severity
from memoracle.model.scope import Scope
from memoracle.model.value import replace
from memoracle.seats.listing import Wanted
from memoracle.seats.reading import has_pages, list_pages
from memoracle.store.registry import read_registry
from memoracle.store.store import Store

SEATS = ("builder", "patrol", "planner", "reviewer")
"""Seats that a synthesis listens to when nobody names others."""
_MOST_PAGES = 40


class Neighbour(Protocol):
    """A memory at another root, as far as a question across roots needs it."""

    @property
    def search(self) -> Callable[..., Recollection]: ...
    def has_pages(self, *, project: str = "", seat: str = "") -> bool: ...
    def close(self) -> None: ...


class Federating:
    """One store among others."""

    def __init__(
        self,
        store: Store,
        *,
        seating: Seating,
        search: Callable[..., Recollection],
        values: Callable[[str], Iterator[tuple[str, str, str]]],
        neighbours: Callable[[str], Neighbour],
        shown: Callable[..., Any],
    ) -> None:
        """`shown` gives a document as it may be shown: other programs keep secrets in theirs."""
        self._shown = shown
        self._store = store
        self._seating = seating
        self._search = search
        self._values = values
        self._neighbours = neighbours

    # Facts

    def get(
        self, key: str, *, project: str = "", seat: str = "", context: Mapping[str, Any] | None = None
    ) -> Looked:
        """The value of a dotted key, with the file and the path it stands at."""
        if not key.strip(". "):
            raise BadInput("which key?", "a.b.c, or the name of a file of facts")
        found = look_up(key, map(self._clean, self._shelves(key, project, seat, context)))
        if found.status is Fetched.NOT_IN_MEMORY and self._is_missing(project, seat):
            return replace(found, status=Fetched.NOT_FEDERATED)
        return found

    def get_file(self, name: str, *, section: str = "", project: str = "") -> Looked:
        """A whole file of facts, or one section of it."""
        found = [
            one
            for one in map(self._clean, fact_shelves(self._store, [project] if project else []))
            if name.removesuffix(".json") in one.names
        ]
        key = f"{name.removesuffix('.json')}.{section}" if section else name.removesuffix(".json")
        return look_up(key, found[:1])

    def find(self, term: str, *, project: str = "", files: Sequence[str] = ()) -> list[Match]:
        """Every place in facts that holds a term, in its path or in its value."""
        if not term.strip():
            raise BadInput("which term?")
        wanted = {name.removesuffix(".json") for name in files}
        return [
            match
            for shelf in map(
                self._clean, fact_shelves(self._store, [project] if project else self._projects())
            )
            if not wanted or wanted.intersection(shelf.names)
            for match in matches(shelf.file, shelf.document, term)
        ]

    def holdings(self) -> dict[str, Any]:
        """What there is to ask: files of the machine, projects, and flat files that nobody believes."""
        flat = [name for name in sorted(os.listdir(self._store.root)) if name.endswith(".json")]
        return {
            "exists": True,
            "path": self._store.root,
            "machine_files": machine_files(self._store),
            "projects": self._projects(),
            "flat_files": flat,
            "index": os.path.isdir(os.path.join(self._store.root, self._store.layout["index"])),
        }

    # Questions

    def federate(
        self,
        question: str,
        *,
        seats: Sequence[str] = (),
        projects: Sequence[str] = (),
        roots: Sequence[str] = (),
        filters: Filters | None = None,
        limit: int = 10,
        recipe: str | None = None,
    ) -> Federation:
        """The evidence of several seats, projects and roots, each hit with its owner."""
        for what, names in (("seat", seats), ("project", projects)):
            for name in names:
                check_name(what, name)
        places = [(project, seat) for project in (projects or ("",)) for seat in (seats or ("",))]
        replies: list[Reply] = []
        findings: list[Finding] = []
        how = {"limit": limit, "recipe": recipe}
        asked = filters or Filters()
        for root in dict.fromkeys((self._store.root, *map(os.path.realpath, roots))):
            own = root == self._store.root
            try:
                memory: Any = self if own else self._neighbours(root)
            except (MemoracleError, OSError) as problem:
                findings.append(_unreadable(root, problem))
                replies.append(Reply(member=Member(root=root), because=f"it cannot be read: {problem}"))
                continue
            try:
                for project, seat in places:
                    replies.append(
                        _asked(memory, question, Member(root=root, project=project, seat=seat), asked, how)
                    )
            finally:
                if not own:
                    memory.close()
        return gather(question, replies, limit=limit, findings=findings)

    def search(self, question: str, **how: Any) -> Recollection:
        """The evidence of this root alone."""
        return self._search(question, **how)

    def has_pages(self, *, project: str = "", seat: str = "") -> bool:
        """True when a seat or a project has a place here."""
        return has_pages(self._store, project=project, seat=seat)

    # One page out of many

    def synthesise(
        self,
        project: str,
        topic: str = "",
        *,
        kind: str = "finding",
        seats: Sequence[str] = (),
        dry_run: bool = False,
        **how: Any,
    ) -> tuple[Synthesis, PageWritten | None]:
        """Pages of seats on a topic as one page of memory's own, which cites them and never copies."""
        if kind not in {"finding", "decision"}:
            raise BadInput(f"a synthesis is a finding or a decision, not a `{kind}`")
        check_name("project", project)
        wanted = tuple(dict.fromkeys(seats)) or SEATS
        missing = [seat for seat in wanted if not self.has_pages(project=project, seat=seat)]
        pages = self._pages_on(project, topic, [seat for seat in wanted if seat not in missing])
        made = synthesise(project, topic, pages, missing)
        if not pages:
            return made, None
        if runs := copied(made.body, pages):
            raise Refused(f"the synthesis would copy {len(runs)} runs of words from its sources")
        evidence = [
            {"trust": page.confidence or "medium", "source_url": f"{page.path}#L{page.body_line}"}
            for page in pages
        ]
        tasks = dict.fromkeys(
            task for page in pages for task in (page.task_id, *page.related_task_ids) if task
        )
        extra = {"topic": topic, "seats": sorted({page.seat for page in pages})}
        written = self._seating.write(
            kind=kind,
            project=project,
            seat=MEMORY,
            title=made.title,
            body=made.body,
            detail=made.body.split("\n")[2],
            evidence=evidence,
            related=list(tasks),
            source="event_derived",
            extra=extra,
            dry_run=dry_run,
            **how,
        )
        return made, written

    # Underneath

    def _clean(self, shelf: Shelf) -> Shelf:
        """A shelf as it may be shown: what its names and its words give away is masked before anybody looks."""
        names = (shelf.file.rpartition("/")[2].partition(".")[0], *shelf.names[:1])
        return replace(shelf, document=self._shown(shelf.document, *names))

    def _pages_on(self, project: str, topic: str, seats: Sequence[str]) -> list[Page]:
        """Pages of these seats: those a question about the topic finds, or all that are not settled."""
        pages = [
            page for seat in seats for page in list_pages(self._store, Wanted(project=project, seat=seat))
        ]
        if not topic:
            return [page for page in pages if page.status not in {"superseded", "resolved", "completed"}]
        hits = [
            hit
            for seat in seats
            for hit in self._search(
                topic, filters=Filters(scope=Scope(project=project, seat=seat)), limit=_MOST_PAGES
            ).hits
        ]
        named = {hit.passage.path for hit in hits if hit.passage.source is Source.NOTE}
        peers = peer_deliveries(self._store, project)
        named |= {page.path for page in (*pages, *peers) if topic in {page.task_id, *page.related_task_ids}}
        return [page for page in (*pages, *peers) if page.path in named]

    def _shelves(
        self, key: str, project: str, seat: str, context: Mapping[str, Any] | None
    ) -> Iterator[Shelf]:
        if context is not None:
            yield Shelf(layer=Layer.CONTEXT, file="context", document=context, names=("context",), whole=True)
        if not seat:
            yield from fact_shelves(self._store, [project] if project else [])
        yield from page_shelves(key, list_pages(self._store, Wanted(project=project, seat=seat)))
        for path, name, said in self._values(key):
            yield Shelf(layer=Layer.RECORD, file=path, document=said, names=(name,))

    def _projects(self) -> list[str]:
        return [one.name for one in read_registry(self._store).projects]

    def _is_missing(self, project: str, seat: str) -> bool:
        """True when the project or the seat that was asked has nothing here at all."""
        if seat and not self.has_pages(project=project, seat=seat):
            return True
        return bool(project) and read_registry(self._store).project(project) is None


def _asked(memory: Any, question: str, member: Member, filters: Filters, how: Mapping[str, Any]) -> Reply:
    """What one member says; a seat or project without a page is missing, never empty."""
    if (member.seat or member.project) and not memory.has_pages(project=member.project, seat=member.seat):
        return Reply(member=member, because="it has no pages there")
    scope = replace(
        filters.scope,
        project=member.project or filters.scope.project,
        seat=member.seat or filters.scope.seat,
    )
    try:
        return Reply(
            member=member, found=memory.search(question, filters=replace(filters, scope=scope), **how)
        )
    except NotFound:
        raise
    except (MemoracleError, OSError) as problem:
        return Reply(member=member, because=f"it cannot be asked: {problem}")


def _unreadable(root: str, problem: Exception) -> Finding:
    return Finding(
        code="root-unreadable",
        severity=Severity.WARNING,
        path=root,
        message=f"this root cannot be asked: {problem}",
        hint="`memoracle roots` lists the roots; `memoracle roots remove PATH` takes one off the list",
    )
