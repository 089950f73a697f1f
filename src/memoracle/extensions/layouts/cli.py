"""`memoracle leave`: an adopted directory is its own program's again."""

from __future__ import annotations

import os
from argparse import Namespace
from contextlib import suppress

from memoracle.errors import MemoracleError
from memoracle.interfaces.cli.session import Parser, Session, add_consent
from memoracle.interfaces.render import plain
from memoracle.model.adoption import Leaving


def add_to_leave(parser: Parser) -> None:
    parser.add_argument("path", nargs="?", help="the directory (default: the memory that is meant here)")
    parser.word("--to", "FOLDER", "a new folder for what the design has no place for; `init` there reads it")
    add_consent(parser)


def run_leave(arguments: Namespace, session: Session) -> None:
    """Show what would be done, have consent, do it."""
    from memoracle.compose import locate
    from memoracle.interfaces.resident import server as resident
    from memoracle.store.roots import book_path, remove_root

    if arguments.path:
        session.root = locate(arguments.path, os.environ)
    plan = session.memory.leave(to=arguments.to, dry_run=True)
    if arguments.dry_run:
        session.show(plain(plan), _text(plan))
        return
    if not arguments.yes:
        session.say(_text(plan))
    session.ask(f"{plan.root} will be no memory of this program any more", agreed=arguments.yes)
    resident.stop(plan.root)
    done = session.memory.leave(to=arguments.to)
    with suppress(OSError, MemoracleError):  # it has left, whether or not a list can be written
        remove_root(book_path(os.environ, home=os.path.expanduser("~")), done.root)
    session.show(plain(done), _text(done))


def _text(plan: Leaving) -> str:
    lines = [f"{plan.root} (layout {plan.layout}) {'would be' if plan.dry_run else 'is'} given back"]
    lines += [f"  {step.act} {step.target}: {step.because}" for step in plan.steps]
    lines += [f"  differs from when it was adopted: {step.target}: {step.because}" for step in plan.differs]
    if not plan.differs:
        lines.append("  every file is what it was when it was adopted")
    where = f"goes to {plan.kept}" if plan.kept else "has no place there: name a folder with --to"
    lines += [f"  {number:,} {what}: {where}" for what, number in plan.stays.items()]
    return "\n".join(lines)
