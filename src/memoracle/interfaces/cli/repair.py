"""`memoracle repair`: mend what `check` found. Damage is set aside, never dropped."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import add_consent
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("--adopt", action="store_true", help="turn lines changed by hand into new versions")
    parser.add_argument(
        "--take-state",
        action="store_true",
        help="use a `state/` that another machine or place wrote: it is mine",
    )
    add_consent(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Carry the plan out, or print it."""
    how = {"adopt": arguments.adopt, "take_state": arguments.take_state}
    if arguments.dry_run:
        session.show_plan(session.memory.plan_repair(**how), done=False)
        return 0
    session.show_plan(session.memory.repair(**how), done=True)
    return 0
