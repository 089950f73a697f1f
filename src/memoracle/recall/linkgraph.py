"""Verbs of the graph of links: what links here, what lies around, the way between two, what leads nowhere.

Reads the view; only `write` writes, and only the files that a layout has for links.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, MemoracleError, UnknownPage
from memoracle.index.graph import Neighbourhood, Way, walk, way
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.link import ENTITY, PAGE, Backlinks, BrokenLink, Edge, LinksWritten, LinkType
from memoracle.model.report import Done

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from memoracle.index.api import Index, LinkGraph
    from memoracle.root import Root
    from memoracle.store.store import Store

_FILE = f"{ENTITY}file:"
_NO_ORPHANS = frozenset({"hot", "buffer"})
_DEEPEST = 10


def backlinks(root: Root, target: str) -> Backlinks:
    """Everything that links to a page, a record or an entity; nothing, where it is not known."""
    with _open_links(root) as links:
        node = _node(root, links, target) or _plain(root, target)
        return Backlinks(target=node, incoming=tuple(links.incoming(node)))


def graph(root: Root, node: str, *, depth: int = 1, cap: int = 50) -> Neighbourhood:
    """What lies within so many steps of a page, a record or an entity, along links in both directions."""
    if not 0 <= depth <= _DEEPEST or cap < 1:
        raise BadInput(f"depth goes from 0 to {_DEEPEST}, and a cap is at least 1")
    with _open_links(root) as links:
        return walk(_known(root, links, node), depth, links.near, cap=cap)


def path(root: Root, start: str, end: str, *, cap: int = 50) -> Way:
    """A shortest way along links, edge by edge."""
    with _open_links(root) as links:
        return way(_known(root, links, start), _known(root, links, end), links.near, cap=cap)


def links(root: Root, page: str) -> list[Edge]:
    """What one page or record links to."""
    with _open_links(root) as links:
        return links.outgoing(_source(root, links, page))


def broken_links(root: Root) -> list[BrokenLink]:
    """Links to pages, records and files of this root that are not there."""
    with _open_links(root) as links:
        return [
            BrokenLink(edge=edge, because=because)
            for edge in links.to_places()
            if (because := _missing(root, links, edge))
        ]


def orphans(root: Root) -> list[str]:
    """Pages that link to nothing and that nothing links to."""
    with _open_links(root) as links:
        return [
            slug
            for slug, kind in links.pages()
            if kind not in _NO_ORPHANS and not links.outgoing(slug) and not links.incoming(slug, 1)
        ]


def write_links(root: Root, page: str | None = None, *, dry_run: bool = False) -> LinksWritten:
    """Bring the files of links up to date, all in one go; those of targets that are gone go, too."""
    from memoracle.store.link_files import put_links

    with _open_links(root) as links:
        source = _source(root, links, page) if page else ""
        edges = {one: links.outgoing(one) for one in links.sources()}
    with root.store.writing():
        return put_links(root.store, edges, source=source, now=root.clock(), dry_run=dry_run)[0]


@contextmanager
def _open_links(root: Root) -> Iterator[LinkGraph]:
    root.view.catch_up()
    with root.index.links(reader=root.reader.scope, public=root.reader.sees_public_alone) as links:
        yield links


def _plain(root: Root, name: str) -> str:
    """An address as a person writes it: absolute paths below the root become relative, endings go."""
    if name.startswith((ENTITY, PAGE)):
        return name
    if os.path.isabs(name):
        place = os.path.realpath(name)
        if place != root.store.root and not place.startswith(root.store.root + os.sep):
            raise BadInput(f"`{name}` stands outside of this memory")
        name = os.path.relpath(place, root.store.root)
    return name.removesuffix(".md").removesuffix(".json")


def _node(root: Root, links: LinkGraph, name: str) -> str | None:
    return _first(
        lambda: links.node_of(_plain(root, name)),
        lambda: links.node_of(name),
        lambda: _record(root, name),
        lambda: _entity_in(links, name),
    )


def _record(root: Root, name: str) -> str | None:
    if not name.startswith(RECORD_PREFIX):
        return None
    found = root.index.resolve(name, 2)
    return found[0] if len(found) == 1 else None


def _known(root: Root, links: LinkGraph, name: str) -> str:
    node = _node(root, links, name)
    if node is None:
        raise UnknownPage(name)
    return node


def _source(root: Root, links: LinkGraph, name: str) -> str:
    """A page or a record that links can start from."""
    node = _node(root, links, name)
    if node is None or node.startswith((ENTITY, PAGE)):
        raise BadInput(f"no page of this memory stands at `{name}`", "`memoracle page list` prints paths")
    return node


def _missing(root: Root, links: LinkGraph, edge: Edge) -> str:
    if edge.target.startswith(PAGE):
        return "no page has this name"
    if edge.target.startswith(RECORD_PREFIX):
        return "" if links.is_record(edge.target) else "no such record stands"
    if edge.target.startswith(_FILE) and edge.type in {LinkType.FILE, LinkType.EVIDENCE}:
        path = edge.target[len(_FILE) :]
        return "" if _is_there(root, path) else "no such file in this memory"
    return ""


def _is_there(root: Root, path: str) -> bool:
    """False only for a path that begins like one of this root's own and leads to nothing."""
    first = path.partition("/")[0]
    if not path.partition("/")[1] or first not in _folders(root.store):
        return True
    try:
        return os.path.lexists(root.store.place(path))
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


def _entity_in(links: LinkGraph, name: str) -> str | None:
    """The entity that words name when they are nothing else: `ARENA-228`, a file, a web address."""
    from memoracle.learn.links import find_links

    found = find_links(name)
    return links.node_of(found[0].target) if len(found) == 1 else None


def _folders(store: Store) -> set[str]:
    return {template.partition("/")[0] for template in store.layout.values() if "/" in template}


def _first(*tries: Callable[[], str | None]) -> str | None:
    return next((found for one in tries if (found := one())), None)
