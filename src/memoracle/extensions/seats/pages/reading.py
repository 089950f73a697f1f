"""Pages found on disk: by what they have to fit, or by name. Only folders that can hold an answer are opened."""

from __future__ import annotations

from memoracle.errors import AmbiguousReference, MemoracleError, UnknownPage
from memoracle.extensions.seats.files_facets import owner_of_path
from memoracle.extensions.seats.files_pages import (
    page_files,
    page_files_named,
    read_page,
    record_files,
    write_moment,
)
from memoracle.extensions.seats.files_registry import read_registry
from memoracle.extensions.seats.model import SHARED, Page, Registry
from memoracle.extensions.seats.pages.listing import WantedPages, fitting
from memoracle.model.ids import RECORD_PREFIX, made_at
from memoracle.model.value import replace
from memoracle.store.layouts import note_homes
from memoracle.store.store import Store

_SHORTEST = 8
_HEAD = 600


def list_pages(store: Store, wanted: WantedPages, limit: int | None = None) -> list[Page]:
    """The pages that fit, by time; with a limit the newest of them, none below 1."""
    pages = []
    for path in page_files(store):
        if not _may_fit(store, path, wanted):
            continue
        try:
            if (page := read_page(store, path)) is not None:
                pages.append(page)
        except MemoracleError:
            continue  # `check` names it
    found = fitting(pages, wanted)
    return found if limit is None else found[len(found) - max(0, min(limit, len(found))) :]


def find_page(store: Store, reference: str) -> Page:
    """The page that answers to an id, a unique beginning of one, or a path."""
    if "/" in reference:
        return _at(store, reference)
    if len(reference.removeprefix(RECORD_PREFIX)) < _SHORTEST:
        raise UnknownPage(reference)
    # An id holds the moment it was made, and most pages carry that moment in their name.
    stamp = write_moment(made).replace(":", "-") if (made := made_at(reference)) else ""
    likely = page_files_named(store, stamp) if stamp else []
    for page in (_named(store, path, reference) for path in likely):
        if page is not None and page.id == reference:
            return page
    found = {page.id: page for path in page_files(store) if (page := _named(store, path, reference))}
    if reference in found or len(found) == 1:
        return found.get(reference) or next(iter(found.values()))
    if found:
        raise AmbiguousReference(reference, sorted(found))
    raise UnknownPage(reference)


def _at(store: Store, reference: str) -> Page:
    """The page at a path."""
    path = reference if reference.endswith((".md", ".json")) else f"{reference}.md"
    homes = note_homes(store.layout_name)
    is_one = owner_of_path(store.layout, path)[1] and (
        any(home.holds(path) for home in homes) or path in record_files(store)
    )
    page = read_page(store, path) if is_one else None
    if page is None:
        raise UnknownPage(reference)
    return page


def has_pages(store: Store, *, project: str = "", seat: str = "") -> bool:
    """True when anything stands in that place."""
    return any(_may_fit(store, path, WantedPages(project=project, seat=seat)) for path in page_files(store))


def counted_registry(store: Store) -> Registry:
    """The seats and projects of a root, with how many pages each project has."""
    counted: dict[str, int] = {}
    for path in page_files(store):
        project = owner_of_path(store.layout, path)[0]
        counted[project] = counted.get(project, 0) + 1
    known = read_registry(store)
    projects = tuple(replace(one, pages=counted.get(one.name, 0)) for one in known.projects)
    return replace(known, projects=projects)


def _may_fit(store: Store, path: str, wanted: WantedPages) -> bool:
    project, seat, _ = owner_of_path(store.layout, path)
    asked = "" if wanted.project == SHARED else wanted.project
    return (not wanted.project or project == asked) and (not wanted.seat or seat == wanted.seat)


def _named(store: Store, path: str, reference: str) -> Page | None:
    """The page at a path when its id begins so; its header is only read when its first bytes hold the id."""
    try:
        if reference.encode() not in store.volume.read(path)[:_HEAD]:
            return None
        page = read_page(store, path)
    except MemoracleError:
        return None
    bare = page.id.removeprefix(RECORD_PREFIX) if page else ""
    return page if page and bare.startswith(reference.removeprefix(RECORD_PREFIX)) else None
