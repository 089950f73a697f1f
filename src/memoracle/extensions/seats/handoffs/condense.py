"""Routing state in a few lines: task ids, receipts and owners, and nothing else of a plan."""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.extensions.seats.model import Queued, SeatState
from memoracle.times import write_time

MARKER = "[memory: compact-me]"
WAVES = 5
"""How many closed waves call for it when nobody asked."""


def condensed(stands: Sequence[Queued]) -> list[str]:
    """One line per task: what it is, where it stands, whose it is, and where its receipts are."""
    lines = []
    for one in stands:
        sent, back = one.dispatch, one.completion
        told = f"{sent.task_id} {one.state.value} {sent.source}→{sent.target} {sent.path}"
        lines.append(f"{told} → {back.path} {back.verdict or back.status}" if back else told)
    return lines


def is_due(said: str, stands: Sequence[Queued], last: str, *, after: int = WAVES) -> str:
    """`marker`, `waves` or empty: whether this text asks for it, or enough was closed since the last time."""
    if any(line.strip() == MARKER for line in said.strip().split("\n")[-3:]):
        return "marker"
    closed = [
        one
        for one in stands
        if one.state is SeatState.DONE and one.completion and write_time(one.completion.completed_at) > last
    ]
    return "waves" if len(closed) >= after else ""
