"""`memoracle reject`: turn down what the inbox proposes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.answered import add_questions, answer
from memoracle.interfaces.cli.session import Session
from memoracle.model.inbox import Matter


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_questions(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask before something is erased")


def run(arguments: Namespace, session: Session) -> int:
    """Turn them down; they are not asked again. What waits in quarantine is erased by that, and needs consent."""
    if not arguments.dry_run:
        named = {step.target for step in session.memory.plan_answer(arguments.id, yes=False).steps}
        apart = [one for one in session.memory.inbox() if one.matter is Matter.QUARANTINE and one.id in named]
        if apart:
            session.ask(f"reject erases {len(apart)} record(s) for good", agreed=arguments.yes)
    return answer(arguments, session, yes=False)
