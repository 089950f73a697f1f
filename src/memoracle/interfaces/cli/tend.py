"""`memoracle tend`: run the upkeep that is due. Any trigger may call it, as often as it likes."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memoracle.health.tending import Tended
    from memoracle.lifecycle.schedule import Due

_NOT_NOW = "another process is at it already"


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--heartbeat",
        action="store_true",
        help="answer from one small file when nothing is due, and say little",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what is due, and when the rest will be")
    parser.add_argument(
        "--job",
        default="",
        metavar="NAME",
        help="run this one now: digest, consolidate, review, probe or health",
    )


def run(arguments: Namespace, session: Session) -> int:
    """Run what is due; the exit status is 1 when a job failed."""
    if arguments.heartbeat and not arguments.job and not arguments.dry_run:
        from memoracle.health.heartbeat import quiet_here

        if until := quiet_here(session.root, os.environ):
            session.show(
                {"status": "nothing_due", "quiet_until": until}, f"nothing is due until {until[:16]}Z"
            )
            return DONE
    tended = session.memory.tend(job=arguments.job, dry_run=arguments.dry_run)
    session.show(tended, _told(tended, brief=arguments.heartbeat))
    return DONE if tended.ok else FAILED


def _told(tended: Tended, *, brief: bool) -> str:
    if tended.status == "already_running":
        return _NOT_NOW
    if tended.status == "planned":
        lines = [f"due now   {one.job:<12} {one.because}" for one in tended.due] or ["nothing is due"]
        due = {one.job for one in tended.due}
        return "\n".join([*lines, *_coming([one for one in tended.next if one.job not in due])])
    lines = [
        f"{one.outcome:<9} {one.job:<12} {one.says} ({one.seconds:.1f} s; {one.because})"
        for one in tended.ran
    ] or ["nothing is due"]
    return "\n".join(lines if brief else [*lines, *_coming(tended.next)])


def _coming(dues: Sequence[Due]) -> list[str]:
    return [f"next      {one.job:<12} {_clock(one.since)}  {one.because}" for one in dues]


def _clock(moment: datetime) -> str:
    return moment.strftime("%a %Y-%m-%d %H:%M")
