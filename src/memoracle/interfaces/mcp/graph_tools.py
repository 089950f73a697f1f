"""The nine tools of the reference knowledge-graph server: same names, inputs and outputs. Asked for with `--graph`."""

from __future__ import annotations

from collections.abc import Mapping

from memoracle.interfaces.mcp import graph_calls as calls
from memoracle.interfaces.mcp import schema as a
from memoracle.interfaces.mcp.tool import Lane, Run, Tool

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
        calls.create_entities,
    ),
    _makes(
        "create_relations",
        "Create new relations between entities, in active voice",
        {"relations": a.many(_RELATION)},
        a.record({"relations": a.many(_RELATION)}, needs=("relations",)),
        calls.create_relations,
    ),
    _makes(
        "add_observations",
        "Add new observations to existing entities",
        {"observations": a.many(_CONTENTS)},
        a.record({"results": a.many(_ADDED)}, needs=("results",)),
        calls.add_observations,
    ),
    _deletes(
        "delete_entities",
        "Withdraw entities with their observations and relations; the owner can bring them back for 30 days",
        {"entityNames": a.texts()},
        calls.delete_entities,
    ),
    _deletes(
        "delete_observations",
        "Withdraw observations of entities; the owner can bring them back for 30 days",
        {"deletions": a.many(_DELETION)},
        calls.delete_observations,
    ),
    _deletes(
        "delete_relations",
        "Withdraw relations; the owner can bring them back for 30 days",
        {"relations": a.many(_RELATION)},
        calls.delete_relations,
    ),
    _reads("read_graph", "Read the entire knowledge graph", {}, calls.read_graph),
    _reads(
        "search_nodes",
        "Search nodes by name, type or observation",
        {"query": a.text(maxLength=2048)},
        calls.search_nodes,
    ),
    _reads("open_nodes", "Open nodes by their names", {"names": a.texts()}, calls.open_nodes),
)
