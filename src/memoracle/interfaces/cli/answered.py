"""How the verbs that answer the inbox take questions and report."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.changed import sentence
from memoracle.interfaces.cli.parser import add_because
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain


def add_questions(parser: ArgumentParser) -> None:
    """The questions, and why they are answered so."""
    parser.add_argument("id", nargs="+", help="questions of the inbox, or unique beginnings of their ids")
    add_because(parser)
    parser.add_argument("--dry-run", action="store_true", help="print the plan and change nothing")


def answer(arguments: Namespace, session: Session, *, yes: bool) -> int:
    """Answer, and say what became of the records."""
    if arguments.dry_run:
        session.show_plan(session.memory.plan_answer(arguments.id, yes=yes), done=False)
        return 0
    act = session.memory.accept if yes else session.memory.reject
    receipts = act(arguments.id, because=arguments.because)
    said = f"{'accepted' if yes else 'turned down'}: {', '.join(arguments.id)}"
    session.show({"items": plain(receipts)}, "\n".join([said, *map(sentence, receipts)]))
    return 0
