"""What links to what, in both directions, and what a name leads to.

A node is a page (its path without `.md`), a record (its id), an entity (`entity:taskid:ARENA-228`), or the name of a
page that nobody has written (`page:…`). Every answer is a handful of look-ups, whatever the size of the store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from memoracle.index.graph import Near
from memoracle.index.sqlite.passages import fold, open_to
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.link import ENTITY, PAGE, Edge, Link, LinkType
from memoracle.model.manifest import Loaded, NoteSheet, Version
from memoracle.model.record import EVERYBODY, Scope

# Links and pages in, rows out. Everything here runs inside the caller's transaction, and touches one file's rows.

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
    return path.removesuffix(".md").removesuffix(".json")


def _names(slug: str, sheet: NoteSheet) -> set[str]:
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


_FILE = f"{ENTITY}file:"
_COMMIT = f"{ENTITY}commit:"
_SHORTEST_COMMIT, _LONGEST_COMMIT = 7, 40
_SELECTED = (
    "SELECT l.source, l.target, l.type, l.snippet, l.project, l.doubt, coalesce(p.path, l.path), "
    "coalesce(p.first_line, l.line) FROM links l LEFT JOIN passages p ON p.rowid = l.passage "
)
# Of a record only the version that stands, and not what was taken back or set aside.
_IN_FORCE = "p.live = 1 AND p.status NOT IN ('retracted', 'forgotten', 'quarantined', 'withdrawn')"
_MANY = 5000
"""As many links as are looked at to find those that mean one of several pages of a name."""
_Row = tuple[str, str, str, str, str, str, str, int]


class Links:
    """The links of a view at one moment; what was looked up is remembered as long as it lives.

    Records of others are left out for a `reader`, and all that is not public with `public`.
    """

    def __init__(
        self, connection: sqlite3.Connection, *, reader: Scope = EVERYBODY, public: bool = False
    ) -> None:
        self._connection = connection
        conditions, self._values = open_to(reader, public=public)
        record = " AND ".join((_IN_FORCE, *conditions))
        page = "l.passage = 0 AND l.project IN ('', ?)" if reader.project else "l.passage = 0"
        self._values = [reader.project, *self._values] if reader.project and not public else self._values
        self._open = f"(p.rowid IS NOT NULL AND {record})" if public else f"({page} OR ({record}))"
        self._leads: dict[tuple[str, str], str] = {}
        self._commits: dict[str, str] = {}
        self._doubts: dict[tuple[str, str, str], bool] = {}

    def outgoing(self, node: str, limit: int = -1) -> list[Edge]:
        """What a page or a record links to, by type and target."""
        rows = self._connection.execute(
            f"{_SELECTED} WHERE l.source = ? AND {self._open} ORDER BY l.type, l.target LIMIT ?",
            (node, *self._values, limit),
        )
        return _distinct(self._edge(row, self.leads_to(row[1], row[0])) for row in rows if self._counts(row))

    def incoming(self, node: str, limit: int = -1) -> list[Edge]:
        """What links to a node, by source."""
        found: list[Edge] = []
        spellings = self._spellings(node)
        most = _MANY if limit >= 0 and len(spellings) > 1 else limit
        for target in spellings:
            rows = self._connection.execute(
                f"{_SELECTED} WHERE l.target = ? AND {self._open} ORDER BY l.source, l.type LIMIT ?",
                (target, *self._values, most),
            )
            found += [
                self._edge(row, node)
                for row in rows
                if self._counts(row) and self.leads_to(row[1], row[0]) == node and row[0] != node
            ]
        ordered = sorted(_distinct(found), key=lambda edge: (edge.source, edge.type))
        return ordered[:limit] if limit >= 0 else ordered

    def near(self, node: str, cap: int) -> Near:
        """The edges of a node in both directions: those out of it first."""
        out = [] if node.startswith((ENTITY, PAGE)) else self.outgoing(node, cap + 1)
        edges = _distinct([*out, *self.incoming(node, cap + 1)])
        return Near(edges=tuple(edges[:cap]), more=len(edges) > cap)

    def leads_to(self, target: str, source: str = "") -> str:
        """The node that a target means: the page of a name, the longest spelling of a commit, or itself."""
        if target.startswith(_COMMIT):
            return self._commit(target)
        if target.startswith(_FILE):
            slug = target[len(_FILE) :].removesuffix(".md")
            is_page = target.endswith(".md") and self.is_page(slug)
            return slug if is_page else target
        if not target.startswith(PAGE):
            return target
        folder = source.rpartition("/")[0]
        if (target, folder) not in self._leads:
            self._leads[target, folder] = self._page_called(target[len(PAGE) :], folder) or target
        return self._leads[target, folder]

    def node_of(self, name: str) -> str | None:
        """The node that somebody names: an address, a page's name, a record; None when there is none."""
        if name.startswith((ENTITY, PAGE)):
            node = self.leads_to(name)
            return node if self._is_target(node) else None
        plain = name.removesuffix(".md").removesuffix(".json")
        if self.is_page(plain):
            return plain
        if name.startswith(RECORD_PREFIX) and self.is_record(name):
            return name
        return self._page_called(fold(plain), "")

    def is_page(self, slug: str) -> bool:
        """True when a page stands there."""
        return self._one("SELECT 1 FROM pages WHERE slug = ?", slug)

    def is_record(self, ref: str) -> bool:
        """True when a record of that id stands."""
        return self._one(
            "SELECT 1 FROM passages WHERE ref = ? AND source = 'record' AND live = 1 "
            "AND status NOT IN ('retracted', 'forgotten', 'quarantined', 'withdrawn')",
            ref,
        )

    def pages(self) -> list[tuple[str, str]]:
        """Every page, and what sort of note it is."""
        return list(self._connection.execute("SELECT slug, kind FROM pages ORDER BY slug"))

    def sources(self) -> list[str]:
        """Everything that links to something."""
        return [
            source for (source,) in self._connection.execute("SELECT DISTINCT source FROM links ORDER BY 1")
        ]

    def rows(self, node: str, limit: int) -> list[int]:
        """The passages of a page in their order, or the standing version of a record."""
        found = self._connection.execute(
            "SELECT p.rowid FROM pages g JOIN passages p ON p.path = g.path WHERE g.slug = ? "
            "ORDER BY p.ordinal LIMIT ?",
            (node, limit),
        ).fetchall() or self._connection.execute(
            "SELECT rowid FROM passages WHERE ref = ? AND live = 1 LIMIT ?", (node, limit)
        )
        return [row for (row,) in found]

    def to_places(self) -> Iterator[Edge]:
        """Every edge to a page, a file or a record, as it was written."""
        rows = self._connection.execute(
            f"{_SELECTED} WHERE {self._open} AND (l.target GLOB 'page:*' OR l.target GLOB 'entity:file:*' "
            f"OR l.target GLOB '{RECORD_PREFIX}*') ORDER BY l.source, l.target, l.type",
            self._values,
        )
        for row in rows:
            yield self._edge(row, self.leads_to(row[1], row[0]))

    def _page_called(self, name: str, folder: str) -> str:
        """The page of a name; of several the one nearest to who asks: same folder, same project, shortest."""
        found = self._connection.execute(
            "SELECT n.slug, g.project FROM page_names n JOIN pages g ON g.slug = n.slug WHERE n.name = ?",
            (fold(name),),
        ).fetchall()
        if len(found) <= 1:
            return found[0][0] if found else ""

        def distance(page: tuple[str, str]) -> tuple[bool, bool, int, str]:
            slug, project = page
            ours = bool(project) and f"/{project}/" in f"/{folder}/"
            return slug.rpartition("/")[0] != folder, not ours, slug.count("/"), slug

        return str(min(found, key=distance)[0])

    def _spellings(self, node: str) -> list[str]:
        """The targets that may mean a node."""
        if node.startswith(_COMMIT):
            return self._abbreviations(node)
        if node.startswith((ENTITY, PAGE, RECORD_PREFIX)):
            return [node]
        names = self._connection.execute("SELECT name FROM page_names WHERE slug = ? ORDER BY name", (node,))
        return [*(f"{PAGE}{name}" for (name,) in names), f"{_FILE}{node}.md"]

    def _commit(self, target: str) -> str:
        """The longest known hash that begins so; the target itself when two differ beyond it."""
        if target not in self._commits:
            longer = [
                one
                for (one,) in self._connection.execute(
                    "SELECT DISTINCT target FROM links WHERE target >= ? AND target < ? LIMIT 50",
                    (target, target + "g"),
                )
            ]
            longest = max(longer, key=len, default=target)
            self._commits[target] = longest if all(map(longest.startswith, longer)) else target
        return self._commits[target]

    def _abbreviations(self, node: str) -> list[str]:
        plain = node[len(_COMMIT) :]
        lengths = range(_SHORTEST_COMMIT, min(len(plain), _LONGEST_COMMIT) + 1)
        shorter = [f"{_COMMIT}{plain[:length]}" for length in lengths]
        marks = ", ".join("?" * len(shorter))
        rows = self._connection.execute(
            f"SELECT DISTINCT target FROM links WHERE target IN ({marks}) ORDER BY target",  # noqa: S608
            shorter,
        )
        return [target for (target,) in rows]

    def _counts(self, row: _Row) -> bool:
        """False for a doubtful task whose prefix stands before no other number in the same project."""
        _, target, _, _, project, doubt, _, _ = row
        if not doubt:
            return True
        if (project, doubt, target) not in self._doubts:
            first, last = f"{ENTITY}taskid:{doubt}-", f"{ENTITY}taskid:{doubt}."
            self._doubts[project, doubt, target] = self._one(
                "SELECT 1 FROM links WHERE target >= ? AND target < ? AND target != ? AND project = ? LIMIT 1",
                first,
                last,
                target,
                project,
            )
        return self._doubts[project, doubt, target]

    def _is_target(self, node: str) -> bool:
        if self.is_page(node):
            return True
        return any(
            self._one("SELECT 1 FROM links WHERE target = ? LIMIT 1", one) for one in self._spellings(node)
        )

    def _one(self, query: str, *values: str) -> bool:
        return self._connection.execute(query, values).fetchone() is not None

    def _edge(self, row: Sequence[object], node: str) -> Edge:
        source, _, kind, snippet, _, _, path, line = row
        return Edge(
            source=str(source),
            target=node,
            type=LinkType(str(kind)),
            snippet=str(snippet),
            path=str(path),
            line=int(str(line)),
        )


def _distinct(edges: Iterator[Edge] | Sequence[Edge]) -> list[Edge]:
    """One edge for each source, target and type; nothing links to itself."""
    kept: dict[tuple[str, str, str], Edge] = {}
    for edge in edges:
        if edge.source != edge.target:
            kept.setdefault((edge.source, edge.target, edge.type), edge)
    return list(kept.values())
