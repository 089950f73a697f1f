"""`memoracle supersede`: put a new record in place of an old one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.changed import add_record, show_receipt
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_record(parser)
    parser.add_argument("text", nargs="+", help="what holds now")


def run(arguments: Namespace, session: Session) -> int:
    """Write the new one; the old one keeps its place in the history."""
    receipt = session.memory.supersede(arguments.id, " ".join(arguments.text), because=arguments.because)
    return show_receipt(receipt, session)
