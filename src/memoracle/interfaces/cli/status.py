"""`memoracle status`: what this memory holds and how it is doing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session


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
        f"on disk     {summary.disk_bytes / 1e6:.1f} MB",
        f"findings    {summary.findings}" + ("  (`memoracle check` names them)" if summary.findings else ""),
    ]
    session.show(summary, "\n".join([*lines, *(f"note: {warning}" for warning in summary.warnings)]))
    return 0


def _vectors(missing: int) -> str:
    return f"{missing} passages have none yet (`memoracle embed`)" if missing else "complete"
