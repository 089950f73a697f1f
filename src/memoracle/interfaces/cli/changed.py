"""How verbs that change one record take it and report it."""

from __future__ import annotations

from argparse import ArgumentParser

from memoracle.interfaces.cli.parser import add_because
from memoracle.interfaces.cli.session import Session
from memoracle.model.receipt import Receipt


def add_record(parser: ArgumentParser) -> None:
    """The record, and why it is changed."""
    parser.add_argument("id", help="an id, or a unique beginning of one")
    add_because(parser)


def show_receipt(receipt: Receipt, session: Session) -> int:
    """Print what became of it."""
    for warning in receipt.warnings:
        session.say(f"note: {warning}")
    session.show(receipt, sentence(receipt))
    return 0


def sentence(receipt: Receipt) -> str:
    """What became of a record, for a person."""
    state = f"{receipt.id} is now version {receipt.version}, {receipt.status.value}"
    return f"{state}\n  {receipt.path}#L{receipt.line}"
