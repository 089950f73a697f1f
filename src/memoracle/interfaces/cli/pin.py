"""`memoracle pin`: keep a record in the live set however old it grows."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.changed import add_record, show_receipt
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_record(parser)
    parser.add_argument("--off", action="store_true", help="let it fade again")


def run(arguments: Namespace, session: Session) -> int:
    """Pin it, or let it go."""
    receipt = session.memory.pin(arguments.id, pinned=not arguments.off, because=arguments.because)
    return show_receipt(receipt, session)
