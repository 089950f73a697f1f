"""`memoracle review`: the questions that wait for you, and what the last seven days suggest."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.inbox import question_text
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--accept", nargs="+", default=[], metavar="ID", help="make these proposals true; `all` for every one"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would happen and change nothing")


def run(arguments: Namespace, session: Session) -> int:
    """Do the week's upkeep, then show what is asked, or answer it."""
    found = session.memory.review(accept=arguments.accept, dry_run=arguments.dry_run)
    steps = [f"{step.act} {step.target}: {step.because}" for step in found.steps]
    items = [question_text(item) for item in found.items]
    hint = ["answer with: memoracle review --accept ID… (or all), memoracle reject ID…"] if items else []
    document = {
        "message": found.message,
        "dry_run": arguments.dry_run,
        "items": plain(found.items),
        "steps": plain(found.steps),
        "accepted": list(found.accepted),
    }
    session.show(document, "\n".join([found.message, *steps, *items, *hint]))
    return 0
