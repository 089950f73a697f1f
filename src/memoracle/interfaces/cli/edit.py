"""`memoracle edit`: put a record differently."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.changed import show_receipt
from memoracle.interfaces.cli.parser import add_because, listed
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", help="an id, or a unique beginning of one")
    parser.add_argument("text", nargs="*", help="the new words")
    parser.add_argument("--text", dest="words", metavar="TEXT", help="the new words, as one argument")
    parser.add_argument("--type", "--kind", dest="kind", help="another kind")
    parser.add_argument("--importance", type=float, metavar="0-1", help="how much it matters")
    parser.add_argument("--confidence", type=float, metavar="0-1", help="how sure it is")
    parser.add_argument("--entities", type=listed, metavar="A,B", help="its entities")
    parser.add_argument("--tags", type=listed, metavar="A,B", help="its tags")
    parser.add_argument("--expect", type=int, metavar="VERSION", help="only if it is still at this version")
    add_because(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Change it, unless it has moved on."""
    receipt = session.memory.edit(
        arguments.id,
        expected=arguments.expect,
        because=arguments.because,
        text=arguments.words or " ".join(arguments.text) or None,
        kind=arguments.kind,
        importance=arguments.importance,
        confidence=arguments.confidence,
        entities=arguments.entities,
        tags=arguments.tags,
    )
    return show_receipt(receipt, session)
