"""`memoracle recall`: answer a question with evidence."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.answer import add_question, answer, federated, how
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_question(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Answer, and let what was handed over grow stronger."""
    if arguments.all_roots:
        return federated(arguments, session)
    question = " ".join(arguments.question)
    found = session.memory.recall(question, **how(arguments))
    return answer(found, arguments, session)
