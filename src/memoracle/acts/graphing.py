"""Verbs of the graph of links: what links here, what lies around, the way between two, what leads nowhere.

Reads the view; only `write` writes, and only the files that a layout has for links.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.clock import Clock
from memoracle.errors import BadInput, MemoracleError, UnknownPage
from memoracle.index.api import Index
from memoracle.index.graph import Neighbourhood, Way, walk, way
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.link import ENTITY, PAGE, Backlinks, BrokenLink, Edge, LinksWritten, LinkType
from memoracle.model.plan import Done
from memoracle.model.scope import Scope
from memoracle.recall.freshness import Freshness
from memoracle.store.store import Store

if TYPE_CHECKING:
    from memoracle.index.api import Graph

_FILE = f"{ENTITY}file:"
_NO_ORPHANS = frozenset({"hot", "buffer"})
_DEEPEST = 10


class Graphing:
    """The graph of one store, as far as a reader may see it."""

    def __init__(
        self,
        store: Store,
        index: Index,
        upkeep: Freshness,
        *,
        clock: Clock,
        reader: Scope,
        public: bool = False,
    ) -> None:
        self._store = store
        self._index = index
        self._upkeep = upkeep
        self._clock = clock
        self._reader = reader
        self._public = public

    def backlinks(self, target: str) -> Backlinks:
        """Everything that links to a page, a record or an entity; nothing, where it is not known."""
        with self._links() as links:
            node = self._node(links, target) or self._plain(target)
            return Backlinks(target=node, incoming=tuple(links.incoming(node)))

    def around(self, root: str, depth: int, cap: int) -> Neighbourhood:
        """What lies within so many steps of a node."""
        if not 0 <= depth <= _DEEPEST or cap < 1:
            raise BadInput(f"depth goes from 0 to {_DEEPEST}, and a cap is at least 1")
        with self._links() as links:
            return walk(self._known(links, root), depth, links.near, cap=cap)

    def between(self, start: str, end: str, cap: int) -> Way:
        """A shortest way from one node to another."""
        with self._links() as links:
            return way(self._known(links, start), self._known(links, end), links.near, cap=cap)

    def links(self, page: str) -> list[Edge]:
        """What one page or record links to."""
        with self._links() as links:
            return links.outgoing(self._source(links, page))

    def broken(self) -> list[BrokenLink]:
        """Graph to pages, records and files of this root that are not there."""
        with self._links() as links:
            return [
                BrokenLink(edge=edge, because=because)
                for edge in links.to_places()
                if (because := self._missing(links, edge))
            ]

    def orphans(self) -> list[str]:
        """Pages that link to nothing and that nothing links to."""
        with self._links() as links:
            return [
                slug
                for slug, kind in links.pages()
                if kind not in _NO_ORPHANS and not links.outgoing(slug) and not links.incoming(slug, 1)
            ]

    def write(self, page: str | None = None, *, dry_run: bool = False) -> LinksWritten:
        """Bring the files of links up to date, all in one go; those of targets that are gone go, too."""
        from memoracle.store.link_files import put_links

        with self._links() as links:
            source = self._source(links, page) if page else ""
            edges = {one: links.outgoing(one) for one in links.sources()}
        with self._store.writing():
            return put_links(self._store, edges, source=source, now=self._clock(), dry_run=dry_run)[0]

    @contextmanager
    def _links(self) -> Iterator[Graph]:
        self._upkeep.catch_up()
        with self._index.links(reader=self._reader, public=self._public) as links:
            yield links

    def _plain(self, name: str) -> str:
        """An address as a person writes it: absolute paths below the root become relative, endings go."""
        if name.startswith((ENTITY, PAGE)):
            return name
        if os.path.isabs(name):
            place = os.path.realpath(name)
            if place != self._store.root and not place.startswith(self._store.root + os.sep):
                raise BadInput(f"`{name}` stands outside of this memory")
            name = os.path.relpath(place, self._store.root)
        return name.removesuffix(".md").removesuffix(".json")

    def _node(self, links: Graph, name: str) -> str | None:
        return _first(
            lambda: links.node_of(self._plain(name)),
            lambda: links.node_of(name),
            lambda: self._record(name),
            lambda: _entity_in(links, name),
        )

    def _record(self, name: str) -> str | None:
        if not name.startswith(RECORD_PREFIX):
            return None
        found = self._index.resolve(name, 2)
        return found[0] if len(found) == 1 else None

    def _known(self, links: Graph, name: str) -> str:
        node = self._node(links, name)
        if node is None:
            raise UnknownPage(name)
        return node

    def _source(self, links: Graph, name: str) -> str:
        """A page or a record that links can start from."""
        node = self._node(links, name)
        if node is None or node.startswith((ENTITY, PAGE)):
            raise BadInput(f"no page of this memory stands at `{name}`", "`memoracle page list` prints paths")
        return node

    def _missing(self, links: Graph, edge: Edge) -> str:
        if edge.target.startswith(PAGE):
            return "no page has this name"
        if edge.target.startswith(RECORD_PREFIX):
            return "" if links.is_record(edge.target) else "no such record stands"
        if edge.target.startswith(_FILE) and edge.type in {LinkType.FILE, LinkType.EVIDENCE}:
            path = edge.target[len(_FILE) :]
            return "" if self._is_there(path) else "no such file in this memory"
        return ""

    def _is_there(self, path: str) -> bool:
        """False only for a path that begins like one of this root's own and leads to nothing."""
        first = path.partition("/")[0]
        if not path.partition("/")[1] or first not in _folders(self._store):
            return True
        try:
            return os.path.lexists(self._store.place(path))
        except MemoracleError:
            return False


def publish_links(store: Store, index: Index, *, now: datetime, dry_run: bool = False) -> Done:
    """The files of links, brought up to date where a layout has them. The caller holds the lock."""
    from memoracle.store.link_files import put_links

    if "links" not in store.layout:
        return Done()
    with index.links() as links:
        edges = {one: links.outgoing(one) for one in links.sources()}
    return put_links(store, edges, now=now, dry_run=dry_run)[1]


def _entity_in(links: Graph, name: str) -> str | None:
    """The entity that words name when they are nothing else: `ARENA-228`, a file, a web address."""
    from memoracle.extract.links import find_links

    found = find_links(name)
    return links.node_of(found[0].target) if len(found) == 1 else None


def _folders(store: Store) -> set[str]:
    return {template.partition("/")[0] for template in store.layout.values() if "/" in template}


def _first(*tries: Callable[[], str | None]) -> str | None:
    return next((found for one in tries if (found := one())), None)
