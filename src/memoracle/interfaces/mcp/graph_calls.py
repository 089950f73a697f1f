"""What the nine tools of the knowledge graph do.

Deleting withdraws, and the owner can bring it back within thirty days; only records of the graph can be deleted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.ingest import graph_server as draft
from memoracle.interfaces.mcp.authority import leaving, let_go
from memoracle.interfaces.mcp.graph import Node, Triple, read, relation_document
from memoracle.interfaces.mcp.tool import Answer, Caller
from memoracle.model.origin import TRUST, Channel, Origin
from memoracle.model.record import Draft
from memoracle.model.value import replace

if TYPE_CHECKING:
    from memoracle.memory import Memory


def create_entities(memory: Memory, given: Mapping[str, Any], caller: Caller) -> Answer:
    """Entities that are not there yet, with their observations."""
    graph, drafts, made = read(memory, caller), _Drafts(memory, caller), []
    for one in given["entities"]:
        fresh = drafts.guard(draft.entity(one["name"], one["entityType"], origin=drafts.origin))
        if (name := fresh.statement.subject) in graph.nodes:
            continue
        node = graph.nodes[name] = Node(name=name, what=fresh.statement.object)
        drafts.keep(fresh)
        drafts.observe(node, name, one["observations"])
        made.append(node.document())
    drafts.write()
    return _answer({"entities": made}, made)


def create_relations(memory: Memory, given: Mapping[str, Any], caller: Caller) -> Answer:
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


def add_observations(memory: Memory, given: Mapping[str, Any], caller: Caller) -> Answer:
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


def delete_entities(memory: Memory, given: Mapping[str, Any], caller: Caller) -> Answer:
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


def delete_observations(memory: Memory, given: Mapping[str, Any], caller: Caller) -> Answer:
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


def delete_relations(memory: Memory, given: Mapping[str, Any], caller: Caller) -> Answer:
    """Withdraw relations."""
    graph = read(memory, caller)
    doomed = [ref for one in given["relations"] if (ref := graph.relations.get(_triple(one)))]
    told = _withdraw(memory, doomed, caller)
    return _deleted("Relations", len(doomed), len(given["relations"]), " The rest matched nothing.", told)


def read_graph(memory: Memory, _given: Mapping[str, Any], caller: Caller) -> Answer:
    """Everything."""
    return _answer(read(memory, caller).among())


def search_nodes(memory: Memory, given: Mapping[str, Any], caller: Caller) -> Answer:
    """Nodes whose name, type or observations hold the query."""
    graph, query = read(memory, caller), given["query"].casefold()
    fits = [
        node.name
        for node in graph.nodes.values()
        if any(query in text.casefold() for text in (node.name, node.what, *node.observations))
    ]
    return _answer(graph.among(fits))


def open_nodes(memory: Memory, given: Mapping[str, Any], caller: Caller) -> Answer:
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

    def observe(self, node: Node, name: str, contents: Sequence[str]) -> list[str]:
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


def _answer(document: Mapping[str, Any], shown: Any = None) -> Answer:
    return Answer(
        document=document, text=json.dumps(document if shown is None else shown, ensure_ascii=False, indent=2)
    )


def _deleted(what: str, number: int, asked: int, rest: str, told: str) -> Answer:
    short = f"Deleted {number} of {asked} {what.lower()}.{rest}"
    message = f"{what} deleted successfully" if number == asked else short
    message += f" ({told})" if told else ""
    return Answer(document={"success": True, "message": message}, text=message)
