"""Evidence that is linked to strong evidence, or to a task, file or commit that the question names.

What nobody would find by its words is found by the way that leads there: a page that says `ARENA-228: see
[[retry-policy]]` brings the retry policy along. A linked passage scores a share of what it hangs on, so it follows it
and never overtakes it. A view without links pays one look-up.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, MemoracleError, UnknownPage
from memoracle.index.api import Index
from memoracle.index.graph import Neighbourhood, Way, walk, way
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.link import ENTITY, PAGE, Backlinks, BrokenLink, Edge, LinksWritten, LinkType
from memoracle.model.report import Done
from memoracle.model.search import EvidenceSource, Passage, Query
from memoracle.model.value import replace
from memoracle.recall.evidence import EXACT, Proposal, RankedCandidate
from memoracle.recall.question import Question
from memoracle.recall.verdict import is_evidence
from memoracle.text import telling_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memoracle.index.api import LinkGraph
    from memoracle.root import Root
    from memoracle.store.store import Store


SHARE = 0.6
"""What is left of a score after one step."""
_STRONG = 3
_BROUGHT = 5
_AT_ONCE = 8
_PIECES = 40
_LEADING = frozenset({LinkType.WIKILINK, LinkType.SUPERSEDES, LinkType.EVIDENCE})
_SHARED = frozenset({LinkType.TASK, LinkType.COMMIT, LinkType.KEY})
_MAY_NAME = re.compile(r"\d|://|\[\[|\w\.\w|KEY")


def with_linked(
    question: Question, query: Query, proposal: Proposal, index: Index, now: datetime
) -> Proposal:
    """The proposal, with what is linked to its best and to what the question names."""
    with index.links(reader=query.filters.reader, public=query.filters.public) as links:
        reached = _reached(question, proposal.candidates, links)
        brought = []
        for node, (score, steps) in sorted(reached.items(), key=lambda one: (-one[1][0], one[0]))[:_BROUGHT]:
            if found := _passage_of(node, question, query, proposal.candidates, links, index, now):
                brought.append((found, score, SHARE**steps))
    return _joined(proposal, brought) if brought else proposal


def _reached(
    question: Question, candidates: tuple[RankedCandidate, ...], links: LinkGraph
) -> dict[str, tuple[float, int]]:
    """Pages and records within two steps, with the score they come to and how far away they are."""
    best = max((_own_score(one) for one in candidates), default=1.0)
    starts: dict[str, float] = {}
    for one in candidates[:_STRONG]:
        if node := _node_of(one.found.passage):
            starts[node] = best if one.exact else _own_score(one)
    reached: dict[str, tuple[float, int]] = {}

    def reach(node: str, score: float, steps: int) -> None:
        known = reached.get(node)
        if node not in starts and not node.startswith((ENTITY, PAGE)) and (not known or known[0] < score):
            reached[node] = (score, steps)

    for named in _named(question.text, links):
        sources = links.incoming(named, _AT_ONCE)
        for edge in sources:
            reach(edge.source, _share(best, 1), 1)
            starts.setdefault(edge.source, best)
    for node, score in list(starts.items())[: _STRONG + _AT_ONCE]:
        for edge in links.near(node, 4 * _AT_ONCE).edges:
            other = edge.target if edge.source == node else edge.source
            if edge.type in _LEADING:
                reach(other, _share(score, 1), 1)
            elif edge.type in _SHARED and edge.source == node:
                sharing = links.incoming(other, _AT_ONCE + 1)
                for mention in sharing if len(sharing) <= _AT_ONCE else ():
                    reach(mention.source, _share(score, 2), 2)
    return reached


def _named(text: str, links: LinkGraph) -> Iterable[str]:
    """The tasks, commits, files and the like that a question names."""
    if not _MAY_NAME.search(text):
        return []
    from memoracle.recall.links import find_links

    return dict.fromkeys(links.leads_to(link.target) for link in find_links(text) if not link.doubt)


def _passage_of(
    node: str,
    question: Question,
    query: Query,
    candidates: tuple[RankedCandidate, ...],
    links: LinkGraph,
    index: Index,
    now: datetime,
) -> RankedCandidate | None:
    """The piece of a page or the record that fits the question best; the page's first where none does."""
    rows = links.rows(node, _PIECES)
    known = [one for one in candidates if one.row in set(rows) or _node_of(one.found.passage) == node]
    if known:
        return max(known, key=lambda one: one.score)
    asked = set(telling_terms(question.text))
    found = {
        row: one
        for row, one in index.fetch(rows, query.filters, now).items()
        if is_evidence(one.passage.text, frozenset(asked))
    }
    if not found:
        return None
    row = max(found, key=lambda row: (len(asked.intersection(telling_terms(found[row].passage.text))), -row))
    return RankedCandidate(found=found[row], row=row, score=float("-inf"))


def _joined(proposal: Proposal, brought: list[tuple[RankedCandidate, float, float]]) -> Proposal:
    joined = {id(one): one for one in proposal.candidates}
    for candidate, score, leg in brought:
        lifted = max(candidate.score, score)
        joined[id(candidate)] = replace(
            candidate, score=lifted, legs={**candidate.legs, "linked": round(leg, 4)}
        )
    ordered = sorted(
        joined.values(),
        key=lambda one: (-one.score, one.found.passage.path, one.found.passage.first_line),
    )
    return replace(
        proposal, candidates=tuple(ordered), says=(*proposal.says, f"{len(brought)} brought along by links")
    )


def _node_of(passage: Passage) -> str:
    if passage.source is EvidenceSource.RECORD:
        return passage.ref
    return passage.path.removesuffix(".md") if passage.source is EvidenceSource.NOTE else ""


def _own_score(candidate: RankedCandidate) -> float:
    return candidate.score - (EXACT if candidate.exact else 0.0)


def _share(score: float, steps: int) -> float:
    return score * SHARE**steps if score > 0 else score - steps


# Verbs of the graph of links: what links here, what lies around, the way between two, what leads nowhere.

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
    from memoracle.store.projected import put_links

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
    from memoracle.store.projected import put_links

    if "links" not in store.layout:
        return Done()
    with index.links() as links:
        edges = {one: links.outgoing(one) for one in links.sources()}
    return put_links(store, edges, now=now, dry_run=dry_run)[1]


def _entity_in(links: LinkGraph, name: str) -> str | None:
    """The entity that words name when they are nothing else: `ARENA-228`, a file, a web address."""
    from memoracle.recall.links import find_links

    found = find_links(name)
    return links.node_of(found[0].target) if len(found) == 1 else None


def _folders(store: Store) -> set[str]:
    return {template.partition("/")[0] for template in store.layout.values() if "/" in template}


def _first(*tries: Callable[[], str | None]) -> str | None:
    return next((found for one in tries if (found := one())), None)
