"""`memoracle context`: what an agent should see first, for one audience, within a budget."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import above_zero
from memoracle.interfaces.cli.session import Session

NOTHING = "nothing to hand over"


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_pack(parser)
    parser.add_argument(
        "--after",
        choices=("start", "compact", "reset", "prompt"),
        default="start",
        help="what happened before: after a loss, notes and buffer come right behind MEMORY.md; "
        "`prompt` gives what fits the prompt alone",
    )


def add_pack(parser: ArgumentParser) -> None:
    """What every pack takes."""
    parser.add_argument("prompt", nargs="*", help="what was just asked; memories that fit it come along")
    parser.add_argument(
        "--audience",
        choices=("private", "group"),
        default="private",
        help="who reads it; a group is given public records alone",
    )
    parser.add_argument(
        "--budget", type=above_zero, metavar="N", help="at most N tokens (default from the settings)"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Print it; nothing is written."""
    made = session.memory.context(
        " ".join(arguments.prompt),
        audience=arguments.audience,
        budget=arguments.budget,
        after=arguments.after,
    )
    for warning in made.warnings:
        session.say(f"note: {warning}")
    session.show(made, made.text or NOTHING)
    return 0
