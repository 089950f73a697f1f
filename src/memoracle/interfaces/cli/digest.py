"""`memoracle digest`: what was learned, decided, preferred and left to do, written into the notes of its days."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from datetime import date

from memoracle.errors import InvalidTime
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "date", nargs="?", metavar="DATE", help="this day alone (default: every day that needs it)"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the plan and change nothing")


def run(arguments: Namespace, session: Session) -> int:
    """Bring the digests up to date, or say which ones would be."""
    day = _day(arguments.date) if arguments.date else None
    session.show_plan(session.memory.digest(day, dry_run=arguments.dry_run), done=not arguments.dry_run)
    return 0


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidTime(text) from None
