"""`memoracle undo`: reverse the last change, or a named one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.changed import sentence
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("operation", nargs="?", help="op_… as `history` prints it (default: the last change)")


def run(arguments: Namespace, session: Session) -> int:
    """Write the versions that reverse it."""
    receipts = session.memory.undo(arguments.operation)
    session.show({"items": plain(receipts)}, "\n".join(map(sentence, receipts)))
    return 0
