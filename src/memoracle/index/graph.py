"""Neighbourhoods and shortest ways over links, in both directions. Pure: neighbours come in as a callable.

A hub is not walked through whole: of more neighbours than the cap, the first are taken, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memoracle.model.link import Edge
from memoracle.model.value import value

CAP = 50
"""How many neighbours of one node are followed."""
MOST = 20_000
"""How many nodes a search for a way looks at."""


@value
class Near:
    """The edges of a node in a fixed order; `more` when there are others beyond the cap."""

    edges: tuple[Edge, ...]
    more: bool = False


Neighbours = Callable[[str, int], Near]
"""The edges of a node, in and out, at most so many."""


@value
class _Reached:
    """An edge, and how many steps from the root it was found."""

    edge: Edge
    depth: int


@value
class Neighbourhood:
    """What lies around a node: every node with its distance, the edges between them, and the hubs that were cut."""

    root: str
    depth: int
    nodes: Mapping[str, int]
    edges: tuple[_Reached, ...]
    capped: tuple[str, ...] = ()


@value
class Way:
    """The edges of a shortest way from one node to another; `found` is False when there is none."""

    start: str
    end: str
    found: bool
    edges: tuple[Edge, ...] = ()
    searched: int = 0
    capped: tuple[str, ...] = ()


def walk(root: str, depth: int, neighbours: Neighbours, *, cap: int = CAP) -> Neighbourhood:
    """Everything within so many steps, nearest first."""
    nodes = {root: 0}
    edges: dict[tuple[str, str, str], _Reached] = {}
    capped: list[str] = []
    frontier = [root]
    for step in range(1, depth + 1):
        following: list[str] = []
        for node in frontier:
            near = neighbours(node, cap)
            if near.more:
                capped.append(node)
            for edge in near.edges:
                edges.setdefault((edge.source, edge.target, edge.type), _Reached(edge=edge, depth=step))
                other = _other(edge, node)
                if other not in nodes:
                    nodes[other] = step
                    following.append(other)
        frontier = following
    return Neighbourhood(
        root=root, depth=depth, nodes=nodes, edges=tuple(edges.values()), capped=tuple(capped)
    )


def way(start: str, end: str, neighbours: Neighbours, *, cap: int = CAP, most: int = MOST) -> Way:
    """A shortest way, searched from both ends; of several, always the same one."""
    if start == end:
        return Way(start=start, end=end, found=True)
    sides: tuple[dict[str, Edge | None], dict[str, Edge | None]] = ({start: None}, {end: None})
    frontiers = [[start], [end]]
    capped: list[str] = []
    while all(frontiers) and len(sides[0]) + len(sides[1]) < most:
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        seen, others = sides[side], sides[1 - side]
        following: list[str] = []
        met = ""
        for node in frontiers[side]:
            near = neighbours(node, cap)
            if near.more:
                capped.append(node)
            for edge in near.edges:
                other = _other(edge, node)
                if other not in seen:
                    seen[other] = edge
                    following.append(other)
                    if other in others and not met:
                        met = other
        if met:
            edges = (*reversed(_back(met, sides[0], start)), *_back(met, sides[1], end))
            return Way(
                start=start,
                end=end,
                found=True,
                edges=edges,
                searched=len(sides[0]) + len(sides[1]),
                capped=tuple(capped),
            )
        frontiers[side] = following
    return Way(
        start=start, end=end, found=False, searched=len(sides[0]) + len(sides[1]), capped=tuple(capped)
    )


def _back(node: str, seen: Mapping[str, Edge | None], home: str) -> list[Edge]:
    """The edges from a node back to where its side began."""
    edges: list[Edge] = []
    while node != home and (edge := seen[node]) is not None:
        edges.append(edge)
        node = _other(edge, node)
    return edges


def _other(edge: Edge, node: str) -> str:
    return edge.target if edge.source == node else edge.source
