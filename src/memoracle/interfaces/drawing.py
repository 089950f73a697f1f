"""A neighbourhood of the graph as JSON fields, text, Mermaid and DOT.

Names and snippets come from outside: in a drawing they are labels between quotes, with every character that could end
one spelled out, and nodes are numbered.
"""

from __future__ import annotations

from typing import Any

from memoracle.index.graph import Neighbourhood, Way
from memoracle.interfaces.render import some
from memoracle.model.link import Edge
from memoracle.text import shorten, visible

_LABEL = 80


def edge_fields(edge: Edge) -> dict[str, Any]:
    """An edge as scripts read it."""
    return {"from": edge.source, "to": edge.target, **some(edge, "type", "snippet", "path", "line")}


def graph_fields(near: Neighbourhood) -> dict[str, Any]:
    """A neighbourhood as scripts read it."""
    return {
        "root": near.root,
        "depth": near.depth,
        "node_count": len(near.nodes),
        "edge_count": len(near.edges),
        "nodes": list(near.nodes),
        "edges": [{**edge_fields(one.edge), "depth": one.depth} for one in near.edges],
        "capped": list(near.capped),
    }


def way_fields(way: Way) -> dict[str, Any]:
    """A way as scripts read it."""
    return {
        "from": way.start,
        "to": way.end,
        "found": way.found,
        "steps": len(way.edges),
        "edges": [edge_fields(edge) for edge in way.edges],
        "capped": list(way.capped),
    }


def graph_text(near: Neighbourhood) -> str:
    """A neighbourhood for a person: one line for every edge, nearest first."""
    head = f"{near.root}: {len(near.nodes)} nodes, {len(near.edges)} edges within {near.depth}"
    lines = [f"{one.depth}  {edge_line(one.edge)}" for one in near.edges]
    return "\n".join([head, *lines, *cut(near.capped)])


def edge_line(edge: Edge) -> str:
    """One edge on one line."""
    said = f"  “{shorten(edge.snippet, 100)}”" if edge.snippet else ""
    return visible(f"{edge.source} -{edge.type.value}-> {edge.target}{said}")


def cut(capped: tuple[str, ...]) -> list[str]:
    """What is said of hubs that were not followed whole."""
    says = f"not all neighbours of {', '.join(capped)} were followed; --cap takes more"
    return [visible(says)] if capped else []


def mermaid(near: Neighbourhood) -> str:
    """A flowchart for Mermaid."""
    numbers = {node: f"n{at}" for at, node in enumerate(near.nodes)}
    lines = ["graph LR", *(f'  {number}["{_in_mermaid(node)}"]' for node, number in numbers.items())]
    lines += [
        f"  {numbers[one.edge.source]} -->|{one.edge.type.value}| {numbers[one.edge.target]}"
        for one in near.edges
    ]
    return "\n".join(lines)


def dot(near: Neighbourhood) -> str:
    """A digraph for Graphviz."""
    numbers = {node: f"n{at}" for at, node in enumerate(near.nodes)}
    lines = [f'  {number} [label="{_in_dot(node)}"];' for node, number in numbers.items()]
    lines += [
        f'  {numbers[one.edge.source]} -> {numbers[one.edge.target]} [label="{one.edge.type.value}"];'
        for one in near.edges
    ]
    return "\n".join(["digraph links {", *lines, "}"])


def _in_mermaid(name: str) -> str:
    """A label: what is no letter, digit or plain mark is written as its code, as Mermaid reads it."""
    plain = shorten(visible(" ".join(name.split())), _LABEL)
    return "".join(ch if ch.isalnum() or ch in " -_./:+@…" else f"#{ord(ch)};" for ch in plain)


def _in_dot(name: str) -> str:
    plain = shorten(visible(" ".join(name.split())), _LABEL)
    return plain.replace("\\", "\\\\").replace('"', '\\"')
