"""`memoracle path`: the shortest way along links between two things."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.exits import NOT_IN_MEMORY
from memoracle.interfaces.cli.parser import above_zero
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.drawing import cut, edge_line, way_fields


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("start", metavar="A", help="a page, a record, or entity:<namespace>:<value>")
    parser.add_argument("end", metavar="B", help="another one")
    parser.add_argument(
        "--cap", type=above_zero, default=50, metavar="N", help="neighbours of one hub that are followed (50)"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Print the way, edge by edge; 3 when there is none."""
    way = session.memory.path(arguments.start, arguments.end, cap=arguments.cap)
    lines = [edge_line(edge) for edge in way.edges]
    head = (
        f"{way.start} to {way.end}: {len(lines)} steps"
        if way.found
        else f"no way from {way.start} to {way.end}"
    )
    session.show(way_fields(way), "\n".join([head, *lines, *cut(way.capped)]))
    return 0 if way.found else NOT_IN_MEMORY
