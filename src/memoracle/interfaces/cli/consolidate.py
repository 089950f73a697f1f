"""`memoracle consolidate`: what was said becomes what is known, and what is known is kept in order."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from memoracle.errors import UnreadableSource
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import finding_text
from memoracle.model.run import Phase, Run
from memoracle.text import shorten

_STEPS_SHOWN = 12


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("--force", action="store_true", help="also when nothing is new since the last run")
    parser.add_argument(
        "--ingest",
        metavar="HOST",
        help="first read what is new in conversations: a host by name, a file, a folder",
    )
    parser.add_argument("--phase", metavar="NAME", help="one phase alone, by name or number")
    parser.add_argument("--dry-run", action="store_true", help="print what would be done")


def run(arguments: Namespace, session: Session) -> int:
    """Run the phases, or print what they would do."""
    if arguments.ingest and not arguments.dry_run:
        try:
            for finding in session.memory.ingest(arguments.ingest, embed=False).findings:
                session.say(finding_text(finding))
        except UnreadableSource as problem:  # a host that has said nothing keeps nobody from tidying up
            session.say(str(problem))
    done = session.memory.consolidate(
        force=arguments.force, phase=arguments.phase, dry_run=arguments.dry_run, watch=_watch
    )
    for phase in done.phases:
        for finding in phase.findings:
            session.say(finding_text(finding))
    session.show(done, _told(done))
    return 0


def _watch(phase: str, number: int, total: int) -> None:
    """One line on a terminal that is written over, phase by phase."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{number}/{total} {phase}" + ("\r\x1b[K" if number == total else ""))
        sys.stderr.flush()


def _told(done: Run) -> str:
    if done.skipped:
        return f"skipped: {done.skipped}; --force runs it all the same"
    verb = "would do" if done.dry_run else "done"
    head = f"consolidate: {verb}" + (f", taken up at {done.resumed}" if done.resumed else "")
    return "\n".join([head, *(line for phase in done.phases for line in _lines(phase))])


def _lines(phase: Phase) -> list[str]:
    counts = ", ".join(f"{number:,} {what}" for what, number in phase.counts.items())
    lines = [f"  {phase.name:<10} {counts or 'nothing to do'}"]
    lines += [
        f"             {step.act} {step.target}: {shorten(step.because, 100)}"
        for step in phase.steps[:_STEPS_SHOWN]
    ]
    if (more := len(phase.steps) - _STEPS_SHOWN) > 0:
        lines.append(f"             … and {more:,} more; --json lists them all")
    return lines
