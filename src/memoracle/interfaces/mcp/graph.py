"""The knowledge graph: the records that carry its tag, seen as nodes and relations. Pure reading.

It has the shape of the reference knowledge-graph server, and everything else finds its records too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memoracle.errors import NotFound
from memoracle.ingest import graph_server as draft
from memoracle.interfaces.mcp.quoting import as_data
from memoracle.interfaces.mcp.tool import Caller
from memoracle.model.hit import Passage
from memoracle.model.query import Filters
from memoracle.model.record import Status
from memoracle.model.value import field, value

if TYPE_CHECKING:
    from memoracle.memory import Memory

_EVERYTHING = 1_000_000
_KEPT = frozenset({Status.ACTIVE, Status.ARCHIVED})

Triple = tuple[str, str, str]


@value
class Node:
    """An entity, its observations in order, and the records that say so."""

    name: str
    what: str
    ids: list[str] = field(default_factory=list)
    observations: dict[str, str] = field(default_factory=dict)
    """The id of the record of each observation."""

    def document(self) -> dict[str, Any]:
        """As the reference server writes it."""
        return {"name": self.name, "entityType": self.what, "observations": [*self.observations]}


@value
class Graph:
    """Nodes by name, and relations with the ids of their records."""

    nodes: dict[str, Node] = field(default_factory=dict)
    relations: dict[Triple, str] = field(default_factory=dict)

    def among(self, names: Iterable[str] | None = None) -> dict[str, Any]:
        """These nodes and every relation that touches one of them; all of them without names."""
        chosen = self.nodes.keys() if names is None else set(names)
        return {
            "entities": [node.document() for name, node in self.nodes.items() if name in chosen],
            "relations": [
                relation_document(one)
                for one in self.relations
                if names is None or ({one[0], one[2]} & (self.nodes.keys() & chosen))
            ],
        }

    def must_hold(self, names: Iterable[str]) -> None:
        """Raise for a name that no entity has."""
        for name in names:
            if name not in self.nodes:
                raise NotFound(f"Entity with name {name} not found")


def read(memory: Memory, caller: Caller) -> Graph:
    """The graph as its records tell it, oldest first; however faint they have become."""
    listed = memory.list(limit=_EVERYTHING, filters=Filters(tags=(draft.TAG,), scope=caller.scope, wide=True))
    passages = [hit.passage for hit in reversed(listed) if hit.passage.status in _KEPT]
    graph = Graph()
    for one in passages:
        if draft.ENTITY in one.tags:
            graph.nodes.setdefault(one.subject, Node(name=one.subject, what=one.object)).ids.append(one.ref)
    for one in passages:
        _place(graph, one)
    return graph


def _place(graph: Graph, one: Passage) -> None:
    if draft.OBSERVATION in one.tags and one.subject in graph.nodes:
        content = as_data(draft.observed_text(one.text, one.subject), one.channel)
        graph.nodes[one.subject].observations.setdefault(content, one.ref)
    elif draft.RELATION in one.tags:
        graph.relations.setdefault((one.subject, one.predicate, one.object), one.ref)


def relation_document(one: Triple) -> dict[str, str]:
    """As the reference server writes it."""
    return {"from": one[0], "to": one[2], "relationType": one[1]}
