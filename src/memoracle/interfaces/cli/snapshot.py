"""`memoracle snapshot`: what an agent should have before it at the start of a session."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import above_zero
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--audience",
        choices=("private", "group"),
        default="private",
        help="who reads it; a group is given public records alone",
    )
    parser.add_argument("--budget", type=above_zero, metavar="N", help="at most N tokens (default 2000)")


def run(arguments: Namespace, session: Session) -> int:
    """Print it; nothing is written."""
    hot = session.memory.snapshot(audience=arguments.audience, budget=arguments.budget)
    for warning in hot.warnings:
        session.say(f"note: {warning}")
    session.show({"audience": arguments.audience, **_fields(hot)}, hot.text.rstrip("\n"))
    return 0


def _fields(hot: object) -> dict[str, object]:
    from memoracle.model.value import as_fields

    return as_fields(hot)
