"""`memoracle stats`: counts by kind and by importance."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session


def add_to(_: ArgumentParser) -> None:
    """It has no arguments of its own."""


def run(_: Namespace, session: Session) -> int:
    """Print the counts."""
    counts = session.memory.stats()
    lines = [f"total {counts.total} | active {counts.active} | archive {counts.archive}", "", "by kind"]
    lines += [
        f"  {name:<14}{number:>7}  {number / max(1, counts.active):6.1%}"
        for name, number in counts.by_kind.items()
    ]
    lines += ["", "by importance"]
    lines += [f"  {name:<14}{number:>7}" for name, number in counts.by_importance.items()]
    session.show(counts, "\n".join(lines))
    return 0
