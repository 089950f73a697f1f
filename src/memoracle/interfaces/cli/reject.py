"""`memoracle reject`: turn down what the inbox proposes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.answered import add_questions, answer
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_questions(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Turn them down; they are not asked again."""
    return answer(arguments, session, yes=False)
