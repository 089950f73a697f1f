"""`memoracle archive-hot`: finished entries of MEMORY.md move to the month's archive."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("--commit", action="store_true", help="do it; without it the plan is printed")
    parser.add_argument("--dry-run", action="store_true", help="print the plan, which is the default")


def run(arguments: Namespace, session: Session) -> int:
    """Print what was moved, or would be."""
    done = session.memory.archive_hot(dry_run=arguments.dry_run or not arguments.commit)
    act = "would move" if done.dry_run else "moved"
    lines = [f"{act} {len(done.archived)} finished entries" + (f" to {done.archive}" if done.archive else "")]
    lines += [f"  {title}" for title in done.archived]
    lines.append(f"MEMORY.md: {done.lines_before} lines, then {done.lines_after}")
    if done.backup:
        lines.append(f"backup: {done.backup}")
    session.show(
        {**plain(done), "archived": len(done.archived), "items": list(done.archived)}, "\n".join(lines)
    )
    return 0
