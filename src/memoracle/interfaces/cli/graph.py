"""`memoracle graph`: what lies around a page, a record or an entity."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces import drawing
from memoracle.interfaces.cli.parser import above_zero
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import to_json


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("start", metavar="ROOT", help="a page, a record, or entity:<namespace>:<value>")
    parser.add_argument("--depth", type=int, default=1, metavar="N", help="how many steps (default 1)")
    parser.add_argument(
        "--cap", type=above_zero, default=50, metavar="N", help="neighbours of one hub that are followed (50)"
    )
    parser.add_argument(
        "--format", choices=("text", "json", "mermaid", "dot"), default="text", help="how to draw it"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Print nodes and edges, nearest first."""
    near = session.memory.graph(arguments.start, depth=arguments.depth, cap=arguments.cap)
    fields = drawing.graph_fields(near)
    drawn = {"text": drawing.graph_text, "mermaid": drawing.mermaid, "dot": drawing.dot}.get(arguments.format)
    session.show(fields, drawn(near) if drawn else to_json(fields))
    if drawn is not drawing.graph_text and not session.json:
        for line in drawing.cut(near.capped):
            session.say(line)
    return 0
