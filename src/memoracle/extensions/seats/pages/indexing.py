"""The index files of pages, brought up to date on disk where a layout's other tools expect them.

Derived from pages alone, written through the book of projections: one owner per file, nothing of another program is
overwritten before it was kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.extensions.seats.files_pages import read_pages
from memoracle.extensions.seats.pages.documents import index_documents
from memoracle.model.report import Done
from memoracle.store.projected import put_documents

if TYPE_CHECKING:
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
    # Documents of one project are a group of their own, so that the others are not withdrawn.
    return put_documents(store, f"{GROUP}/{only}" if only else GROUP, documents, dry_run=dry_run)
