"""`memoracle history`: every version of a record."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain, version_text


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", help="an id, or a unique beginning of one")


def run(arguments: Namespace, session: Session) -> int:
    """Print who changed what, when and why."""
    versions = session.memory.history(arguments.id)
    session.show({"items": plain(versions)}, "\n".join(map(version_text, versions)))
    return 0
