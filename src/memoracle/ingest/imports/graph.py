"""The `memory.jsonl` of the reference MCP server as pieces; `ingest/graph_server.py` reads its lines."""

from __future__ import annotations

from memoracle.ingest.graph_server import import_graph
from memoracle.ingest.imports.piece import FOREIGN, Holding, Piece
from memoracle.model.value import replace


def read_graph(path: str, place: str) -> Holding:
    """Entities, observations and relations."""
    graph = import_graph(path, trust=FOREIGN)
    return Holding(
        pieces=tuple(Piece(draft=draft, place=place) for draft in graph.drafts),
        findings=tuple(replace(finding, path=place) for finding in graph.findings),
    )
