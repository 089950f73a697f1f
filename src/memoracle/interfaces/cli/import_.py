"""`memoracle import`: move in what another program kept."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import finding_text
from memoracle.model.migration import Imported
from memoracle.model.report import Severity

_SHAPES = [
    "seed-layout",
    "openclaw",
    "claude-code",
    "codex",
    "basic-memory",
    "mem0",
    "mcp",
    "markdown",
    "memoracle",
]
_SHOWN = 50


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("source", help="a file, a folder, or claude-code, codex, openclaw")
    parser.add_argument("--from", dest="shape", choices=_SHAPES, default="", help="what the source is")
    parser.add_argument("--project", default="", metavar="NAME", help="for what belongs to no project there")
    parser.add_argument("--dry-run", action="store_true", help="say what would come in and change nothing")


def run(arguments: Namespace, session: Session) -> int:
    """Move in, then say what came, what was here already and what was left behind."""
    done = session.memory.import_(
        arguments.source,
        shape=arguments.shape,
        project=arguments.project,
        dry_run=arguments.dry_run,
        progress=partial(session.progress, "importing"),
    )
    for finding in done.findings[:_SHOWN]:
        session.say(finding_text(finding))
    if len(done.findings) > _SHOWN:
        session.say(f"… and {len(done.findings) - _SHOWN} more; --json lists them all")
    session.show(done, _sentence(done))
    came = done.created or done.updated or done.already or done.notes or done.notes_already
    unread = any(one.severity is Severity.ERROR for one in done.findings)
    return FAILED if unread or (_lost(done) and not came) else DONE


def _lost(done: Imported) -> int:
    return sum(one.code == "not-imported" and one.severity is not Severity.INFO for one in done.findings)


def _sentence(done: Imported) -> str:
    lost = _lost(done)
    records = f"{done.created} new records ({done.archived} of them archived), {done.updated} changed"
    rows = [
        f"{'would import' if done.dry_run else 'imported'} from {done.source} ({done.shape}):",
        f"  {records}, {done.already} here already",
        f"  {len(done.notes)} notes, {done.notes_already} here already",
        f"  {lost} left behind",
    ]
    if done.operation:
        rows.append(f"  `memoracle undo {done.operation}` takes it back")
    return "\n".join(rows)
