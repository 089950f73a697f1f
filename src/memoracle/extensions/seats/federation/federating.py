"""Asking across seats, projects and roots, and one page out of many.

Reads everywhere, writes only memory's own pages.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, MemoracleError, NotFound, Refused, ViewUnavailable
from memoracle.extensions.seats.federation.flatten import Match, matches
from memoracle.extensions.seats.federation.gather import FederatedReply, Federation, FederationMember, gather
from memoracle.extensions.seats.federation.lookup import FactHolder, Fetched, Layer, Looked, look_up
from memoracle.extensions.seats.federation.peers import peer_deliveries
from memoracle.extensions.seats.federation.secrets import STEM, without_values
from memoracle.extensions.seats.federation.shelves import fact_shelves, machine_files, page_shelves
from memoracle.extensions.seats.federation.synthesis import Synthesis, copied, synthesise
from memoracle.extensions.seats.files_registry import read_registry
from memoracle.extensions.seats.model import MEMORY, Page, PageWritten
from memoracle.extensions.seats.pages.listing import WantedPages
from memoracle.extensions.seats.pages.reading import list_pages
from memoracle.extensions.seats.pages.seating import has_pages, write_page
from memoracle.model.record import Scope, check_name
from memoracle.model.report import Finding, Severity
from memoracle.model.search import EvidenceSource, Filters
from memoracle.model.value import replace
from memoracle.recall.answers import search
from memoracle.text import telling_terms, terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memoracle.root import Root

SEATS = ("builder", "patrol", "planner", "reviewer")
"""Seats that a synthesis listens to when nobody names others."""
_MOST_PAGES = 40


def get(
    root: Root,
    key: str,
    *,
    project: str = "",
    seat: str = "",
    context: Mapping[str, Any] | None = None,
) -> Looked:
    """The value of a dotted key with the file and path it stands at, or which answer there is not."""
    found = _get(root, key, project=root.reader.project(project), seat=seat, context=context)
    if found.status == "not_in_federated_kb" and not (project or seat):
        return _get(root, key, context=context)  # nobody asked for that project by name
    return found


def _get(
    root: Root, key: str, *, project: str = "", seat: str = "", context: Mapping[str, Any] | None = None
) -> Looked:
    """The value of a dotted key, with the file and the path it stands at."""
    if not key.strip(". "):
        raise BadInput("which key?", "a.b.c, or the name of a file of facts")
    found = look_up(key, (_clean(root, one) for one in _shelves(root, key, project, seat, context)))
    if found.status is Fetched.NOT_IN_MEMORY and _is_missing(root, project, seat):
        return replace(found, status=Fetched.NOT_FEDERATED)
    return found


def get_file(root: Root, name: str, *, section: str = "", project: str = "") -> Looked:
    """A whole file of facts, or one section of it."""
    project = root.reader.project(project)
    found = [
        one
        for one in (_clean(root, one) for one in fact_shelves(root.store, [project] if project else []))
        if name.removesuffix(".json") in one.names
    ]
    key = f"{name.removesuffix('.json')}.{section}" if section else name.removesuffix(".json")
    return look_up(key, found[:1])


def find_facts(root: Root, term: str, *, project: str = "", files: Sequence[str] = ()) -> list[Match]:
    """Every place in facts that holds a term, in its path or in its value."""
    project = root.reader.project(project)
    if not term.strip():
        raise BadInput("which term?")
    wanted = {name.removesuffix(".json") for name in files}
    return [
        match
        for shelf in (
            _clean(root, one) for one in fact_shelves(root.store, [project] if project else _projects(root))
        )
        if not wanted or wanted.intersection(shelf.names)
        for match in matches(shelf.file, shelf.document, term)
    ]


def holdings(root: Root) -> dict[str, Any]:
    """What there is to ask for by key: files of the machine, projects, and flat files that nobody believes."""
    root.reader.must_see_all()
    flat = [one.name for one in root.store.volume.list("").files if one.name.endswith(".json")]
    return {
        "exists": True,
        "path": root.store.root,
        "machine_files": machine_files(root.store),
        "projects": _projects(root),
        "flat_files": flat,
        "index": _has_index(root),
    }


def _has_index(root: Root) -> bool:
    """True when an index can answer: one that nobody has built yet is there as soon as it is asked."""
    try:
        root.view.ask(root.index.is_whole)
    except ViewUnavailable:
        return False
    return True


def federate(
    root: Root,
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
    if any(os.path.realpath(one) != root.store.root for one in roots):
        root.reader.must_see_all()
    own_project = root.reader.scope.project
    projects = tuple(root.reader.project(one) for one in projects) or ((own_project,) if own_project else ())
    for what, names in (("seat", seats), ("project", projects)):
        for name in names:
            check_name(what, name)
    places = [(project, seat) for project in (projects or ("",)) for seat in (seats or ("",))]
    replies: list[FederatedReply] = []
    findings: list[Finding] = []
    asked = filters or Filters()
    most = limit or root.settings.limit
    for place in dict.fromkeys((root.store.root, *map(os.path.realpath, roots))):
        own = place == root.store.root
        try:
            other = root if own else root.open_other(place)
        except (MemoracleError, OSError) as problem:
            findings.append(_unreadable(place, problem))
            replies.append(
                FederatedReply(member=FederationMember(root=place), because=f"it cannot be read: {problem}")
            )
            continue
        try:
            for project, seat in places:
                member = FederationMember(root=place, project=project, seat=seat)
                replies.append(_asked(other, question, member, asked, limit=most, recipe=recipe))
        finally:
            if not own:
                other.close()
    return gather(question, replies, limit=most, findings=findings)


def synthesize(
    root: Root,
    project: str,
    topic: str = "",
    *,
    kind: str = "finding",
    seats: Sequence[str] = (),
    dry_run: bool = False,
) -> tuple[Synthesis, PageWritten | None]:
    """Pages of several seats as one page of memory's own, which cites them and never copies."""
    project = root.reader.project(project)
    if kind not in {"finding", "decision"}:
        raise BadInput(f"a synthesis is a finding or a decision, not a `{kind}`")
    check_name("project", project)
    wanted = tuple(dict.fromkeys(seats)) or SEATS
    missing = [seat for seat in wanted if not has_pages(root, project=project, seat=seat)]
    pages = _pages_on(root, project, topic, [seat for seat in wanted if seat not in missing])
    made = synthesise(project, topic, pages, missing)
    if not pages:
        return made, None
    if runs := copied(made.body, pages):
        raise Refused(f"the synthesis would copy {len(runs)} runs of words from its sources")
    evidence = [
        {"trust": page.confidence or "medium", "source_url": f"{page.path}#L{page.body_line}"}
        for page in pages
    ]
    tasks = dict.fromkeys(task for page in pages for task in (page.task_id, *page.related_task_ids) if task)
    extra = {"topic": topic, "seats": sorted({page.seat for page in pages})}
    written = write_page(
        root,
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
    )
    return made, written


def _clean(root: Root, shelf: FactHolder) -> FactHolder:
    """A shelf as it may be shown: what its names and its words give away is masked before anybody looks."""
    names = (shelf.file.rpartition("/")[2].partition(".")[0], *shelf.names[:1])
    document = root.guard.document(shelf.document, *names)
    return replace(shelf, document=without_values(document) if STEM in shelf.names else document)


def _pages_on(root: Root, project: str, topic: str, seats: Sequence[str]) -> list[Page]:
    """Pages of these seats: those a question about the topic finds, or all that are not settled."""
    pages = [
        page for seat in seats for page in list_pages(root.store, WantedPages(project=project, seat=seat))
    ]
    peers = peer_deliveries(root.store, project)
    if not topic:
        return [
            page for page in (*pages, *peers) if page.status not in {"superseded", "resolved", "completed"}
        ]
    hits = [
        hit
        for seat in seats
        for hit in search(
            root, topic, filters=Filters(scope=Scope(project=project, seat=seat)), limit=_MOST_PAGES
        ).hits
    ]
    named = {hit.passage.path for hit in hits if hit.passage.source is EvidenceSource.NOTE}
    named |= {page.path for page in peers if _is_about(page, topic)}
    named |= {page.path for page in (*pages, *peers) if topic in {page.task_id, *page.related_task_ids}}
    return [page for page in (*pages, *peers) if page.path in named]


def _is_about(page: Page, topic: str) -> bool:
    """True when a delivery, which no view holds, has the words of a topic."""
    asked = set(telling_terms(topic))
    return bool(asked) and asked <= set(terms(f"{page.title}\n{page.body}"))


def _shelves(
    root: Root, key: str, project: str, seat: str, context: Mapping[str, Any] | None
) -> Iterator[FactHolder]:
    if context is not None:
        yield FactHolder(
            layer=Layer.CONTEXT, file="context", document=context, names=("context",), whole=True
        )
    if not seat:
        yield from fact_shelves(root.store, [project] if project else [])
    yield from page_shelves(key, list_pages(root.store, WantedPages(project=project, seat=seat)))
    for path, name, said in _values_of(root, key):
        yield FactHolder(layer=Layer.RECORD, file=path, document=said, names=(name,))


def _values_of(root: Root, key: str) -> Iterator[tuple[str, str, str]]:
    """Records that are kept under a key: where they stand, the key, the value."""
    root.view.catch_up()
    name = " ".join(key.casefold().split())
    found = root.view.ask(
        lambda: root.index.search_names(
            [name], root.reader.narrowed(Filters()), root.settings.limit, root.clock()
        )
    )
    for item in found:
        if item.passage.key and item.passage.key.casefold() == name:
            yield item.passage.cite, key, item.passage.value or item.passage.text


def _projects(root: Root) -> list[str]:
    return [one.name for one in read_registry(root.store).projects]


def _is_missing(root: Root, project: str, seat: str) -> bool:
    """True when the project or the seat that was asked has nothing here at all."""
    if seat and not has_pages(root, project=project, seat=seat):
        return True
    return bool(project) and read_registry(root.store).project(project) is None


def _asked(
    root: Root, question: str, member: FederationMember, filters: Filters, *, limit: int, recipe: str | None
) -> FederatedReply:
    """What one member says; a seat or project without a page is missing, never empty."""
    if (member.seat or member.project) and not has_pages(root, project=member.project, seat=member.seat):
        return FederatedReply(member=member, because="it has no pages there")
    scope = replace(
        filters.scope,
        project=member.project or filters.scope.project,
        seat=member.seat or filters.scope.seat,
    )
    try:
        through = replace(filters, scope=scope)
        return FederatedReply(
            member=member, found=search(root, question, filters=through, limit=limit, recipe=recipe)
        )
    except NotFound:
        raise
    except (MemoracleError, OSError) as problem:
        return FederatedReply(member=member, because=f"it cannot be asked: {problem}")


def _unreadable(root: str, problem: Exception) -> Finding:
    return Finding(
        code="root-unreadable",
        severity=Severity.WARNING,
        path=root,
        message=f"this root cannot be asked: {problem}",
        hint="`memoracle roots` lists the roots; `memoracle roots remove PATH` takes one off the list",
    )
