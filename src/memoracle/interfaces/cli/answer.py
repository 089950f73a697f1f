"""How `recall` and `search` take a question and print an answer."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from memoracle.interfaces.cli.exits import DONE, NOT_IN_MEMORY, NOT_READY
from memoracle.interfaces.cli.parser import above_zero, add_filters, add_limit, filters_of
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import recollection_fields, recollection_text
from memoracle.model.hit import Recollection, Verdict

_EXITS = {Verdict.NOT_IN_MEMORY: NOT_IN_MEMORY, Verdict.NOT_READY: NOT_READY}


def add_question(parser: ArgumentParser) -> None:
    """The question, its filters, and how much to say about the answer."""
    parser.add_argument("question", nargs="+", help="words, a question, a name, an id")
    parser.add_argument("--explain", action="store_true", help="show what every stage did, and near misses")
    parser.add_argument("--recipe", metavar="NAME", help="quick, balanced, deep or openclaw")
    parser.add_argument(
        "--budget", type=above_zero, metavar="TOKENS", help="also a context pack of at most so many"
    )
    parser.add_argument(
        "--all-roots", action="store_true", help="ask every listed root; each hit names its owner"
    )
    add_limit(parser)
    add_filters(parser)


def how(arguments: Namespace) -> dict[str, Any]:
    """How the question is to be answered, as `Memory` takes it."""
    return {
        "limit": arguments.limit,
        "filters": filters_of(arguments),
        "recipe": arguments.recipe,
        "budget": arguments.budget,
    }


def federated(arguments: Namespace, session: Session) -> int:
    """The same question to every root of this machine; nothing is reinforced there."""
    from memoracle.interfaces.cli.federate import answer as answer_all
    from memoracle.interfaces.cli.federate import roots_of

    found = session.memory.seats.federate(
        " ".join(arguments.question),
        roots=roots_of([], every=True),
        filters=filters_of(arguments),
        limit=arguments.limit,
        recipe=arguments.recipe,
    )
    return answer_all(found, session)


def answer(found: Recollection, arguments: Namespace, session: Session) -> int:
    """Print the answer; "not in memory" has an exit status of its own."""
    for warning in found.warnings:
        session.say(f"note: {warning}")
    session.show(
        recollection_fields(found, explain=arguments.explain) if session.json else {},
        "" if session.json else recollection_text(found, explain=arguments.explain),
    )
    return _EXITS.get(found.verdict, DONE)
