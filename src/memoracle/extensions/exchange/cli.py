"""`memoracle import`: move in what another program kept."""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from memoracle.errors import NeedsConsent
from memoracle.interfaces.cli.session import DONE, FAILED, Parser, Session, add_consent
from memoracle.interfaces.render import finding_text
from memoracle.model.report import Exported, Imported, Severity

# `memoracle export`: write memories out in another shape.

_SHAPES = ["markdown", "jsonl", "json", "vm-oracle", "memory-system", "v4", "clawseat", "openclaw"]


_ENDINGS = {"jsonl": ".jsonl", "json": ".json"}


def add_to_export(parser: Parser) -> None:
    parser.add_argument(
        "target",
        nargs="?",
        help="a new or empty folder outside the memory, with --to jsonl or json a file (memoracle-export)",
    )
    parser.add_argument(
        "--to", dest="shape", choices=_SHAPES, default="markdown", help="the shape (markdown)"
    )
    parser.word("--entity", "NAME", "only what is about this entity, under all its names")
    parser.word("--project", "NAME", "only of this project")
    parser.flag("--include-archived", "also what was archived")
    parser.flag("--include-secret", "also records of sensitivity secret")
    add_consent(parser)


def run_export(arguments: Namespace, session: Session) -> None:
    """Write it out, then say what is there and what stayed at home.

    A new place that the call names is consent enough; a place nobody named, or one that holds something, is not.
    """
    target = arguments.target or f"memoracle-export{_ENDINGS.get(arguments.shape, '')}"
    if not arguments.target and not arguments.dry_run:
        session.ask(f"export writes to {target} in the folder you are in", agreed=arguments.yes)
    try:
        done = _export(arguments, session, target, overwrite=arguments.yes)
    except NeedsConsent as unasked:
        session.ask(unasked.act, agreed=False)
        done = _export(arguments, session, target, overwrite=True)
    session.say(*map(finding_text, done.findings))
    session.show(done, _sentence(done))


def _export(arguments: Namespace, session: Session, target: str, *, overwrite: bool) -> Exported:
    return session.memory.export(
        target,
        shape=arguments.shape,
        entity=arguments.entity,
        project=arguments.project,
        include_archived=arguments.include_archived,
        include_secret=arguments.include_secret,
        dry_run=arguments.dry_run,
        overwrite=overwrite,
    )


def _sentence(done: Exported) -> str:
    act = "would export" if done.dry_run else "exported"
    held = f"{done.records} records and {done.notes} notes in {len(done.files)} files"
    if done.shape == "json":
        held = f"{done.records} records, {done.notes} passages of notes and {done.turns} turns"
    rows = [f"{act} to {done.target} ({done.shape}): {held}"]
    rows += [f"  {many} left out: {why}" for why, many in sorted(done.left_out.items())]
    return "\n".join(rows)


_IMPORT_SHAPES = [
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


def add_to_import(parser: Parser) -> None:
    parser.add_argument("source", help="a file, a folder, or claude-code, codex, openclaw")
    parser.add_argument("--from", dest="shape", choices=_IMPORT_SHAPES, default="", help="what the source is")
    parser.word("--project", "NAME", "for what belongs to no project there")
    parser.flag("--dry-run", "say what would come in and change nothing")


def run_import(arguments: Namespace, session: Session) -> int:
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
    session.show(done, _sentence_import(done))
    came = done.created or done.updated or done.already or done.notes or done.notes_already
    unread = any(one.severity is Severity.ERROR for one in done.findings)
    return FAILED if unread or (_lost(done) and not came) else DONE


def _lost(done: Imported) -> int:
    return sum(one.code == "not-imported" and one.severity is not Severity.INFO for one in done.findings)


def _sentence_import(done: Imported) -> str:
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
