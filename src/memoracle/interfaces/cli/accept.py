"""`memoracle accept`: make what the inbox proposes true."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.answered import add_questions, answer
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_questions(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Accept them."""
    return answer(arguments, session, yes=True)
