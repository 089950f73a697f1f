"""`memoracle deliver`: answer a task with a response and its receipt."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli.exits import DONE, NOT_DELIVERED
from memoracle.interfaces.cli.given import parse_json, read_json
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.handoff import Handed


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("--project", default="", metavar="NAME", help="the project")
    parser.add_argument("--task", required=True, metavar="ID", help="the task that is answered")
    parser.add_argument("--to", "--target", required=True, metavar="SEAT", help="who asked")
    parser.add_argument(
        "--from", dest="source", default="memory", metavar="SEAT", help="who answers (default memory)"
    )
    parser.add_argument("--response", metavar="FILE", help="a JSON object in a file, or - for stdin")
    parser.add_argument("--response-inline", metavar="JSON", help="the same in the call itself")
    parser.add_argument("--answer", default="", metavar="TEXT", help="an answer that claims nothing")
    parser.add_argument("--summary", default="", help="one line for the receipt")
    parser.add_argument("--verdict", default="", help="how it ended")
    parser.add_argument("--dry-run", action="store_true", help="check the claims and write nothing")


def run(arguments: Namespace, session: Session) -> int:
    """Deliver, and print what to say."""
    given = [bool(arguments.response), bool(arguments.response_inline), bool(arguments.answer)]
    if sum(given) != 1:
        raise BadInput("give one response", "--response FILE, --response-inline JSON or --answer TEXT")
    if arguments.answer:
        response = {"answer": arguments.answer, "claims": [], "sources": [], "confidence": "medium"}
    elif arguments.response:
        response = read_json(arguments.response)
    else:
        response = parse_json(arguments.response_inline, "--response-inline")
    handed = session.memory.seats.deliver(
        arguments.task,
        response,
        project=arguments.project,
        to=arguments.to,
        source=arguments.source,
        summary=arguments.summary,
        verdict=arguments.verdict,
        dry_run=arguments.dry_run,
    )
    return show_handed(handed, session)


def show_handed(handed: Handed, session: Session) -> int:
    """What was written, and the words to send."""
    for warning in handed.warnings:
        session.say(warning)
    lines = [
        *([f"{'wrote' if handed.created else 'there already'}: {handed.path}"] if handed.path else []),
        *([f"response: {handed.response}"] if handed.response else []),
        *([f"state: {handed.state}"] if handed.state else []),
        *([f"next: {handed.next}"] if handed.next else []),
        *(["", handed.message] if handed.message else []),
    ]
    session.show(plain(handed), "\n".join(lines))
    if handed.unsent:
        session.say("the message was not sent: the command that MEMORACLE_SEND names did not take it")
        return NOT_DELIVERED
    return DONE
