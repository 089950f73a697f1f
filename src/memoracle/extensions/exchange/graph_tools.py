"""The knowledge graph: the records that carry its tag, seen as nodes and relations. Pure reading.

It has the shape of the reference knowledge-graph server, and everything else finds its records too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.errors import NotFound
from memoracle.extensions.exchange import graph_file as draft
from memoracle.interfaces.mcp import tool as a
from memoracle.interfaces.mcp.changing import leaving, let_go
from memoracle.interfaces.mcp.tool import Caller, Lane, Run, Tool, ToolAnswer, as_data
from memoracle.model.record import TRUST, Channel, Draft, Origin, Status
from memoracle.model.search import Filters, Passage
from memoracle.model.value import field, replace, value

if TYPE_CHECKING:
    from memoracle.memory import Memory


_EVERYTHING = 1_000_000
_KEPT = frozenset({Status.ACTIVE, Status.ARCHIVED})

Triple = tuple[str, str, str]


@value
class GraphNode:
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

    nodes: dict[str, GraphNode] = field(default_factory=dict)
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
            graph.nodes.setdefault(one.subject, GraphNode(name=one.subject, what=one.object)).ids.append(
                one.ref
            )
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


# What the nine tools of the knowledge graph do.


def create_entities(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Entities that are not there yet, with their observations."""
    graph, drafts, made = read(memory, caller), _Drafts(memory, caller), []
    for one in given["entities"]:
        fresh = drafts.guard(draft.entity(one["name"], one["entityType"], origin=drafts.origin))
        if (name := fresh.statement.subject) in graph.nodes:
            continue
        node = graph.nodes[name] = GraphNode(name=name, what=fresh.statement.object)
        drafts.keep(fresh)
        drafts.observe(node, name, one["observations"])
        made.append(node.document())
    drafts.write()
    return _answer({"entities": made}, made)


def create_relations(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Relations that are not there yet, between entities that are."""
    graph, drafts, made = read(memory, caller), _Drafts(memory, caller), []
    graph.must_hold(name for one in given["relations"] for name in (one["from"], one["to"]))
    for one in given["relations"]:
        fresh = drafts.guard(draft.relation(*_triple(one), origin=drafts.origin))
        said = (fresh.statement.subject, fresh.statement.predicate, fresh.statement.object)
        if said not in graph.relations:
            graph.relations[said] = ""
            drafts.keep(fresh)
            made.append(relation_document(said))
    drafts.write()
    return _answer({"relations": made}, made)


def add_observations(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Observations that are not there yet, of entities that are."""
    graph, drafts = read(memory, caller), _Drafts(memory, caller)
    graph.must_hold(one["entityName"] for one in given["observations"])
    results = [
        {"entityName": name, "addedObservations": drafts.observe(graph.nodes[name], name, one["contents"])}
        for one in given["observations"]
        if (name := one["entityName"])
    ]
    drafts.write()
    return _answer({"results": results}, results)


def delete_entities(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Withdraw entities with their observations and relations."""
    graph, names = read(memory, caller), given["entityNames"]
    there = [name for name in names if name in graph.nodes]
    doomed = [
        ref for name in there for ref in (*graph.nodes[name].ids, *graph.nodes[name].observations.values())
    ]
    doomed += [ref for one, ref in graph.relations.items() if {one[0], one[2]} & set(there)]
    told = _withdraw(memory, doomed, caller)
    missing = ", ".join(name for name in names if name not in graph.nodes)
    return _deleted("Entities", len(there), len(names), f" Not found: {missing}" if missing else "", told)


def delete_observations(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Withdraw observations."""
    graph = read(memory, caller)
    doomed, asked, missing = [], 0, []
    for one in given["deletions"]:
        asked += len(one["observations"])
        if (node := graph.nodes.get(one["entityName"])) is None:
            missing.append(one["entityName"])
            continue
        doomed += [ref for content in one["observations"] if (ref := node.observations.get(content))]
    told = _withdraw(memory, doomed, caller)
    said = f" Entities not found: {', '.join(missing)}" if missing else ""
    return _deleted("Observations", len(doomed), asked, said, told)


def delete_relations(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Withdraw relations."""
    graph = read(memory, caller)
    doomed = [ref for one in given["relations"] if (ref := graph.relations.get(_triple(one)))]
    told = _withdraw(memory, doomed, caller)
    return _deleted("Relations", len(doomed), len(given["relations"]), " The rest matched nothing.", told)


def read_graph(memory: Memory, _given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Everything."""
    return _answer(read(memory, caller).among())


def search_nodes(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Nodes whose name, type or observations hold the query."""
    graph, query = read(memory, caller), given["query"].casefold()
    fits = [
        node.name
        for node in graph.nodes.values()
        if any(query in text.casefold() for text in (node.name, node.what, *node.observations))
    ]
    return _answer(graph.among(fits))


def open_nodes(memory: Memory, given: Mapping[str, Any], caller: Caller) -> ToolAnswer:
    """Nodes by name."""
    return _answer(read(memory, caller).among(given["names"]))


class _Drafts:
    """What one call wants to keep, written with one acknowledgement."""

    def __init__(self, memory: Memory, caller: Caller) -> None:
        self._memory = memory
        self._scope = caller.scope
        self._kept: list[Draft] = []
        self.origin = Origin(channel=Channel.AGENT, who=caller.name, trust=TRUST[Channel.AGENT])

    def guard(self, wish: Draft) -> Draft:
        """The draft as it may be written."""
        return self._memory.guard(replace(wish, scope=self._scope)).draft

    def keep(self, fresh: Draft) -> None:
        """Write it with the others."""
        self._kept.append(fresh)

    def observe(self, node: GraphNode, name: str, contents: Sequence[str]) -> list[str]:
        """Keep what was not yet observed of a node; what is new is returned."""
        added = []
        for content in contents:
            fresh = self.guard(draft.observation(name, content, origin=self.origin))
            said = draft.observed_text(fresh.statement.text, name)
            if said not in node.observations:
                node.observations[said] = ""
                self.keep(fresh)
                added.append(said)
        return added

    def write(self) -> None:
        if self._kept:
            self._memory.remember_many(self._kept)


def _withdraw(memory: Memory, ids: Sequence[str], caller: Caller) -> str:
    """Take these out of memory, as far as an agent may; what is to be said of it."""
    if not ids:
        return ""
    leaves = leaving(memory, list(dict.fromkeys(ids)), caller)
    return str(let_go(memory, leaves, caller, because="deleted with the graph tools")["message"])


def _triple(one: Mapping[str, str]) -> Triple:
    return one["from"], one["relationType"], one["to"]


def _answer(document: Mapping[str, Any], shown: Any = None) -> ToolAnswer:
    return ToolAnswer(
        document=document, text=json.dumps(document if shown is None else shown, ensure_ascii=False, indent=2)
    )


def _deleted(what: str, number: int, asked: int, rest: str, told: str) -> ToolAnswer:
    short = f"Deleted {number} of {asked} {what.lower()}.{rest}"
    message = f"{what} deleted successfully" if number == asked else short
    message += f" ({told})" if told else ""
    return ToolAnswer(document={"success": True, "message": message}, text=message)


# The nine tools of the reference knowledge-graph server: same names, inputs and outputs. Asked for with `--graph`.

_ENTITY = a.record(
    {"name": a.text(), "entityType": a.text(), "observations": a.texts()},
    needs=("name", "entityType", "observations"),
    is_open=True,
)
_RELATION = a.record(
    {"from": a.text(), "to": a.text(), "relationType": a.text("in active voice")},
    needs=("from", "to", "relationType"),
    is_open=True,
)
_CONTENTS = a.record(
    {"entityName": a.text(), "contents": a.texts()}, needs=("entityName", "contents"), is_open=True
)
_DELETION = a.record(
    {"entityName": a.text(), "observations": a.texts()}, needs=("entityName", "observations"), is_open=True
)
_ADDED = a.record({"entityName": a.text(), "addedObservations": a.texts()})
_DONE = a.record({"success": a.flag(), "message": a.text()}, needs=("success", "message"))
_GRAPH = a.record(
    {"entities": a.many(_ENTITY), "relations": a.many(_RELATION)}, needs=("entities", "relations")
)


def _tool(
    name: str,
    description: str,
    takes: Mapping[str, a.Schema],
    gives: a.Schema,
    run: Run,
    *,
    lane: Lane,
    destructive: bool,
) -> Tool:
    return Tool(
        name=name,
        title=name.replace("_", " ").title(),
        description=description,
        takes=a.record(takes, needs=tuple(takes), is_open=True),
        gives=gives,
        run=run,
        lane=lane,
        destructive=destructive,
        idempotent=destructive or lane is Lane.READ,
    )


def _makes(name: str, description: str, takes: Mapping[str, a.Schema], gives: a.Schema, run: Run) -> Tool:
    return _tool(name, description, takes, gives, run, lane=Lane.WRITE, destructive=False)


def _deletes(name: str, description: str, takes: Mapping[str, a.Schema], run: Run) -> Tool:
    return _tool(name, description, takes, _DONE, run, lane=Lane.WRITE, destructive=True)


def _reads(name: str, description: str, takes: Mapping[str, a.Schema], run: Run) -> Tool:
    return _tool(name, description, takes, _GRAPH, run, lane=Lane.READ, destructive=False)


GRAPH_TOOLS = (
    _makes(
        "create_entities",
        "Create new entities in the knowledge graph",
        {"entities": a.many(_ENTITY)},
        a.record({"entities": a.many(_ENTITY)}, needs=("entities",)),
        create_entities,
    ),
    _makes(
        "create_relations",
        "Create new relations between entities, in active voice",
        {"relations": a.many(_RELATION)},
        a.record({"relations": a.many(_RELATION)}, needs=("relations",)),
        create_relations,
    ),
    _makes(
        "add_observations",
        "Add new observations to existing entities",
        {"observations": a.many(_CONTENTS)},
        a.record({"results": a.many(_ADDED)}, needs=("results",)),
        add_observations,
    ),
    _deletes(
        "delete_entities",
        "Withdraw entities with their observations and relations; the owner can bring them back for 30 days",
        {"entityNames": a.texts()},
        delete_entities,
    ),
    _deletes(
        "delete_observations",
        "Withdraw observations of entities; the owner can bring them back for 30 days",
        {"deletions": a.many(_DELETION)},
        delete_observations,
    ),
    _deletes(
        "delete_relations",
        "Withdraw relations; the owner can bring them back for 30 days",
        {"relations": a.many(_RELATION)},
        delete_relations,
    ),
    _reads("read_graph", "Read the entire knowledge graph", {}, read_graph),
    _reads(
        "search_nodes",
        "Search nodes by name, type or observation",
        {"query": a.text(maxLength=2048)},
        search_nodes,
    ),
    _reads("open_nodes", "Open nodes by their names", {"names": a.texts()}, open_nodes),
)
