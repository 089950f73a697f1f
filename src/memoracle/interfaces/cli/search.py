"""`memoracle search`: the same evidence, leaving every file untouched."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.answer import add_question, answer
from memoracle.interfaces.cli.parser import filters_of
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_question(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Answer, and leave no receipt."""
    question = " ".join(arguments.question)
    found = session.memory.search(question, limit=arguments.limit, filters=filters_of(arguments))
    return answer(found, arguments, session)
