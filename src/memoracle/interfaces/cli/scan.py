"""`memoracle scan`: look at this machine or at a repository, and what changed since the last look."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memoracle.clock import read_span, read_time, system_clock, write_time
from memoracle.errors import BadInput, InvalidTime
from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.text import shorten

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.scan.scanning import Difference, Filed, Scanned

_SHOWN = 8
_WEEK = "7d"


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("what", choices=("machine", "project", "diff"), help="what to look at")
    parser.add_argument(
        "of", nargs="*", metavar="OF", help="with diff: `machine` (default) or `project NAME`"
    )
    parser.add_argument("--only", default="", metavar="A,B", help="machine: these scanners alone")
    parser.add_argument(
        "--home", action="append", default=[], metavar="PATH", help="machine: this home, no other"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="machine: print what would change, keep nothing"
    )
    parser.add_argument("--project", default="", metavar="NAME", help="project, diff: its name")
    parser.add_argument("--repo", default="", metavar="PATH", help="project: where it lies")
    parser.add_argument("--depth", default="shallow", metavar="HOW", help="project: shallow, medium or deep")
    parser.add_argument(
        "--commit", action="store_true", help="project: keep it; other facts there are a failure"
    )
    parser.add_argument(
        "--force", "--force-commit", action="store_true", help="project: keep it in place of what is there"
    )
    parser.add_argument("--since", default=_WEEK, metavar="WHEN", help="diff: a time or a span (default 7d)")


def run(arguments: Namespace, session: Session) -> int:
    """Look, and say what was seen."""
    if arguments.what == "diff":
        return _diff(arguments, session)
    if arguments.of:
        raise BadInput(
            f"`{arguments.of[0]}` is one word too many", "`memoracle scan --help` explains the call"
        )
    if arguments.what == "project":
        return _project(arguments, session)
    only = [name.strip() for name in arguments.only.replace("，", ",").split(",") if name.strip()]
    done = session.memory.scan_machine(only=only, homes=arguments.home, dry_run=arguments.dry_run)
    for path, why in done.unread.items():
        session.say(f"note: not read: {path}: {why}")
    document = {
        "dry_run": done.dry_run,
        "homes": list(done.homes),
        "files": [_file(one) for one in done.files],
        "errors": dict(done.errors),
        "unread": dict(done.unread),
    }
    session.show(document, "\n".join(_lines(done)))
    return FAILED if done.errors else DONE


def _project(arguments: Namespace, session: Session) -> int:
    if not arguments.project or not arguments.repo:
        raise BadInput("a project needs --project NAME and --repo PATH")
    if arguments.dry_run and (arguments.commit or arguments.force):
        raise BadInput("--dry-run keeps nothing, --commit and --force do", "leave one of them out")
    done = session.memory.scan_project(
        arguments.project,
        arguments.repo,
        depth=arguments.depth,
        commit=arguments.commit,
        force=arguments.force,
    )
    for path, why in done.unread.items():
        session.say(f"note: not read: {path}: {why}")
    document = {
        "dry_run": done.dry_run,
        "project": done.project,
        "repo": done.repo,
        "depth": done.depth,
        "files": [
            _file(one) | ({"record": plain(one.document)} if done.dry_run else {}) for one in done.files
        ],
        "unread": dict(done.unread),
    }
    session.show(document, "\n".join(_lines(done)))
    return DONE


def _diff(arguments: Namespace, session: Session) -> int:
    whose, *names = arguments.of or ["project" if arguments.project else "machine"]
    if whose not in {"machine", "project"} or len(names) > (whose == "project"):
        raise BadInput("write `scan diff machine` or `scan diff project NAME`")
    project = (names[0] if names else arguments.project) if whose == "project" else ""
    if whose == "project" and not project:
        raise BadInput("which project?", "`memoracle scan diff project NAME`")
    found = session.memory.scan_diff(project=project, since=_since(arguments.since))
    items = [
        {"file": file, "path": change.path, "before": change.before, "after": change.after, "at": at}
        for file, at, change in found.changes
    ]
    document = {"since": write_time(found.since), "items": items, "first": list(found.first)}
    session.show(document, "\n".join(_changes(found)))
    return DONE


def _since(text: str) -> datetime:
    try:
        return system_clock() - read_span(text)
    except InvalidTime:
        return read_time(text)


def _file(one: Filed) -> dict[str, Any]:
    told = {
        "path": one.path,
        "kind": one.kind,
        "created": one.created,
        "written": one.written,
        "facts": one.facts,
    }
    told |= {"changes": plain(one.changes)}
    return told | ({"previous": one.previous} if one.previous else {})


def _lines(done: Scanned) -> Iterator[str]:
    yield "would keep:" if done.dry_run else "kept:"
    for one in done.files:
        news = "new" if one.created else f"{len(one.changes)} changed" if one.changes else "unchanged"
        yield f"  {one.path:<34} {one.facts:>4} facts, {news}"
        yield from (
            f"      {_told(change.path, change.before, change.after)}" for change in one.changes[:_SHOWN]
        )
        if len(one.changes) > _SHOWN:
            yield f"      … and {len(one.changes) - _SHOWN} more"
    yield from (f"  {name}: {why}" for name, why in done.errors.items())
    if done.homes:
        yield f"looked at {', '.join(done.homes)}"
    if done.dry_run and done.project:
        yield "nothing was written; `--commit` keeps it"


def _changes(found: Difference) -> Iterator[str]:
    since = found.since.date().isoformat()
    yield (
        f"since {since}: {len(found.changes)} changes" if found.changes else f"since {since}: nothing changed"
    )
    for file, at, change in found.changes:
        yield f"  {at[:10]}  {file}  {_told(change.path, change.before, change.after)}"
    yield from (f"  seen for the first time: {path}" for path in found.first)


def _told(path: str, before: object, after: object) -> str:
    if before is None:
        return f"+ {path}: {shorten(str(after), 80)}" if after is not True else f"+ {path}"
    if after is None:
        return f"- {path}: {shorten(str(before), 80)}" if before is not True else f"- {path}"
    return f"  {path}: {shorten(str(before), 60)} → {shorten(str(after), 60)}"
