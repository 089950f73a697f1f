"""`memoracle stats`: counts by kind and by importance, and when it was last put in order."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from datetime import datetime

from memoracle.interfaces.cli.session import Session

_BANDS = {"critical": "0.9–1.0", "high": "0.7–0.9", "medium": "0.4–0.7", "low": "0.0–0.4"}


def add_to(_: ArgumentParser) -> None:
    """It has no arguments of its own."""


def run(_: Namespace, session: Session) -> int:
    """Print the counts."""
    counts = session.memory.stats()
    lines = [f"total {counts.total} | active {counts.active} | archive {counts.archive}", "", "by kind"]
    lines += _rows(counts.by_kind, counts.active)
    lines += ["", "by importance"]
    lines += _rows({f"{name:<9}{_BANDS[name]}": n for name, n in counts.by_importance.items()}, counts.active)
    lines += [
        "",
        f"consolidated  last {_when(counts.last_consolidation)}, next {_when(counts.next_consolidation)}",
    ]
    session.show(counts, "\n".join(lines))
    return 0


def _rows(counts: Mapping[str, int], total: int) -> list[str]:
    return [f"  {name:<18}{number:>7}  {number / max(1, total):6.1%}" for name, number in counts.items()]


def _when(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M") if moment else "never"
