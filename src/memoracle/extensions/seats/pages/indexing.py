"""The index files of pages, brought up to date on disk where a layout's other tools expect them.

Derived from pages alone, written through the book of projections: one owner per file, nothing of another program is
overwritten before it was kept.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError
from memoracle.extensions.seats.files_pages import read_pages
from memoracle.extensions.seats.pages.documents import index_documents, root_index
from memoracle.extensions.seats.pages.listing import WantedPages
from memoracle.extensions.seats.pages.reading import list_pages
from memoracle.model.report import Done
from memoracle.store.projected import put_documents, put_links_of
from memoracle.store.volume import read_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memoracle.extensions.seats.model import Page
    from memoracle.model.link import Edge
    from memoracle.root import Root
    from memoracle.store.store import Store

GROUP = "pages"


def publish_page_index(store: Store, *, only: str = "", dry_run: bool = False) -> Done:
    """Write what has changed among the index files of all projects, or of one."""
    if "project_index" not in store.layout:
        return Done()
    pages = [
        page for page in read_pages(store) if page.path.endswith(".md") and (not only or page.project == only)
    ]

    def stat(path: str) -> tuple[int, int]:
        found = store.volume.stat(path)
        return (found.size, found.modified // 10**9) if found else (0, 0)

    if store.holds_lock():
        return _put(store, index_documents(store.layout, pages, stat, only=only), only, dry_run)
    with store.writing():
        return _put(store, index_documents(store.layout, pages, stat, only=only), only, dry_run)


def _put(store: Store, documents: dict[str, bytes], only: str, dry_run: bool) -> Done:
    root, made = store.layout["root_index"], dict(documents)
    present = read_document(store.volume, root)
    if root in made:
        made[root] = _with_others(present, json.loads(made[root]))
    return put_documents(store, GROUP, made, dry_run=dry_run, is_part=bool(only))


def _with_others(present: Mapping[str, Any], ours: Mapping[str, Any]) -> bytes:
    """The index of a root with what other programs keep in it: the notes that they wrote, by name."""
    return json.dumps({**present, **ours}, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"


def follow_page(root: Root, page: Page) -> None:
    """Bring links, index files and counts up to date behind a page that was written or changed.

    The page stands already: what cannot follow now follows at the next upkeep.
    """
    store = root.store
    if "links" not in store.layout:
        return
    with suppress(MemoracleError, OSError):
        root.view.catch_up()
        slug = page.path.removesuffix(".md")

        def outgoing() -> Sequence[Edge]:
            with root.index.links() as links:
                return links.outgoing(slug)

        edges = root.view.ask(outgoing)
        with store.writing():
            put_links_of(store, slug, edges, now=root.clock())
            if page.project:
                publish_page_index(store, only=page.project)
                _count_project(store, page.project)


def _count_project(store: Store, project: str) -> None:
    """The counts of one project in the index of the root; those of the others stay."""
    place = store.layout["root_index"]
    present = read_document(store.volume, place)
    own = [page for page in list_pages(store, WantedPages(project=project)) if page.path.endswith(".md")]
    counted = root_index({project: own})
    rows = present.get("projects")
    if isinstance(rows, list):  # as the design's own program writes it
        held = counted["projects"][project]
        kept = [one for one in rows if not (isinstance(one, dict) and one.get("project") == project)]
        projects: Any = [*kept, {"project": project, **held}]
    else:
        projects = {**(rows if isinstance(rows, dict) else {}), **counted["projects"]}
    content = _with_others(present, {**counted, "projects": projects})
    put_documents(store, GROUP, {place: content}, is_part=True)
