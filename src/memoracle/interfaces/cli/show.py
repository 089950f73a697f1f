"""`memoracle show`: one record as it stands."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import record_fields, record_text


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", help="an id, or a unique beginning of one")


def run(arguments: Namespace, session: Session) -> int:
    """Print it."""
    record = session.memory.show(arguments.id)
    place = session.memory.store.journal.place_of(record)
    where = {"path": place.path, "line": place.line} if place else {}
    cite = f"{place.path}#L{place.line}\n" if place else ""
    session.show(record_fields(record) | where, cite + record_text(record))
    return 0
