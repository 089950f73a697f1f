"""`memoracle restore`: bring back what was archived, superseded or retracted."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.changed import add_record, show_receipt
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_record(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Do it; nothing is lost."""
    return show_receipt(session.memory.restore(arguments.id, because=arguments.because), session)
