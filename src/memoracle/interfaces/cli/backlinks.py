"""`memoracle backlinks`: what links to a page, a record or an entity."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.drawing import edge_fields, edge_line


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "target", help="a page (path, name or title), a record, or entity:<namespace>:<value>"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Print everything that links there; nothing is an answer, too."""
    found = session.memory.backlinks(arguments.target)
    document = {
        "target": found.target,
        "incoming_count": len(found.incoming),
        "incoming": [edge_fields(edge) for edge in found.incoming],
    }
    lines = [edge_line(edge) for edge in found.incoming]
    session.show(document, "\n".join([f"{found.target}: {len(lines)} incoming", *lines]))
    return 0
