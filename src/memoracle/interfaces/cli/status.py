"""`memoracle status`: what this memory holds and how it is doing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.health.status import JobState
from memoracle.interfaces.cli.session import Session
from memoracle.model.ledger import Use


def add_to(_: ArgumentParser) -> None:
    """It has no arguments of its own."""


def run(_: Namespace, session: Session) -> int:
    """Print the state in a glance."""
    summary = session.memory.status()
    lines = [
        f"memory      {summary.root} (layout {summary.layout})",
        f"records     {summary.active} active, {summary.archived} archived, {summary.superseded} superseded",
        f"notes       {summary.notes} passages",
        f"talk        {summary.turns} turns",
        f"vectors     {_vectors(summary.without_vector)}",
        f"index       {summary.view}",
        f"model       {_model(summary.asking)}",
        f"on disk     {summary.disk_bytes / 1e6:.1f} MB",
        f"findings    {summary.findings}" + ("  (`memoracle check` names them)" if summary.findings else ""),
        f"health      {summary.health or 'never looked at (`memoracle health`)'}",
        *(f"{name:<11} {_job(job)}" for name, job in summary.jobs.items() if name != "health"),
    ]
    session.show(summary, "\n".join([*lines, *(f"note: {warning}" for warning in summary.warnings)]))
    return 0


def _job(job: JobState) -> str:
    last = job.last_success.strftime("%Y-%m-%d %H:%M") if job.last_success else "never"
    return f"last {last}, next {job.next_due:%Y-%m-%d %H:%M}"


def _model(use: Use) -> str:
    waits = f"{use.waiting} fragments wait" + (" (`memoracle pending`)" if use.waiting else "")
    if not use.model:
        return f"off; {waits}"
    failed = f", {use.failures} failed" if use.failures else ""
    return f"{use.model}: {use.tokens:,} of {use.budget:,} tokens today, {use.calls} calls{failed}; {waits}"


def _vectors(missing: int) -> str:
    return f"{missing} passages have none yet (`memoracle embed`)" if missing else "complete"
