"""Links and pages in, rows out. Everything here runs inside the caller's transaction, and touches one file's rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from memoracle.index.sqlite.rows import fold
from memoracle.model.link import Link
from memoracle.model.manifest import Loaded, Sheet, Version

_INSERT = (
    "INSERT INTO links (source, target, type, passage, path, line, snippet, project, doubt) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def put_page(connection: sqlite3.Connection, loaded: Loaded) -> None:
    """Take in a note as a page: what it is called and what it links to, in place of what was there."""
    drop_page(connection, loaded.path)
    sheet = loaded.sheet
    if sheet is None:
        return
    slug = slug_of(loaded.path)
    connection.execute(
        "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)", (slug, loaded.path, sheet.kind, sheet.project)
    )
    connection.executemany(
        "INSERT OR IGNORE INTO page_names VALUES (?, ?)", [(name, slug) for name in _names(slug, sheet)]
    )
    connection.executemany(
        _INSERT, [_row(slug, link, 0, loaded.path, link.line, sheet.project) for link in loaded.links]
    )


def drop_page(connection: sqlite3.Connection, path: str) -> None:
    """Forget a note as a page."""
    connection.execute("DELETE FROM links WHERE path = ? AND passage = 0", (path,))
    for table in ("page_names", "pages"):
        connection.execute(f"DELETE FROM {table} WHERE slug = ?", (slug_of(path),))  # noqa: S608


def put_record_links(
    connection: sqlite3.Connection, rows: Sequence[int], versions: Sequence[Version]
) -> None:
    """Take in what versions of records link to; `rows` are theirs."""
    connection.executemany(
        _INSERT,
        [
            _row(version.record.id, link, row, "", 0, version.record.scope.project)
            for row, version in zip(rows, versions, strict=True)
            for link in version.links
        ],
    )


def drop_record_links(connection: sqlite3.Connection, row: int) -> None:
    """Forget what the version at a row links to."""
    connection.execute("DELETE FROM links WHERE passage = ? AND passage > 0", (row,))


def slug_of(path: str) -> str:
    """The address of a page: its path without the ending."""
    return path.removesuffix(".md")


def _names(slug: str, sheet: Sheet) -> set[str]:
    """What leads to a page: its path from any folder down, and what it calls itself."""
    steps = slug.split("/")
    return {fold("/".join(steps[at:])) for at in range(len(steps))} | set(map(fold, sheet.names))


def _row(
    source: str, link: Link, passage: int, path: str, line: int, project: str
) -> tuple[str, str, str, int, str, int, str, str, str]:
    return (
        source,
        link.target,
        link.type.value,
        passage,
        path,
        line,
        link.snippet,
        project,
        link.doubt,
    )
