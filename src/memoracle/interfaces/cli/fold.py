"""`memoracle fold`: move versions that no longer stand to the archive."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import add_consent
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_consent(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Carry the plan out, or print it."""
    plan = session.memory.plan_fold() if arguments.dry_run else session.memory.fold()
    session.show_plan(plan, done=not arguments.dry_run)
    return 0
