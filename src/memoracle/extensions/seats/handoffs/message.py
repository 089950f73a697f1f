"""The words that a transport outside would send about a task: a prefix, a few lines, a footer with its place.

Wording says nothing about who asked or which way it goes. Prefix and footer name the same seat. Nothing here routes
messages: whoever carries them reads the footer.
"""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum

from memoracle.times import write_time

MOST_LINES = 4
_LONGEST_LINE = 300
UNKNOWN = "unknown"


class About(StrEnum):
    """What a message tells."""

    SUCCESS = "success"
    BLOCKED = "BLOCKED"
    DISPATCHED = "dispatched"


def compose(
    about: About,
    lines: list[str],
    *,
    seat: str,
    now: datetime,
    project: str,
    task_id: str,
    session: str = "",
    verdict: str = "PASS",
) -> str:
    """A message of a seat: `[Seat] about`, at most four lines, the footer."""
    name = seat[:1].upper() + seat[1:]
    body = [_line(one) for one in lines if one.strip()][:MOST_LINES]
    # Names are cut at blanks and bars, so that nothing in them can pose as another field.
    footer = (
        f"_via {name} @ {write_time(now)} | project={_field(project)} | session={_field(session)}"
        f" | task_id={_field(task_id)} | verdict={verdict}_"
    )
    head = f"[{name}] {about.value} {_field(task_id)}"
    return "\n".join([head, *body, footer])


def _line(text: str) -> str:
    """One line that cannot be taken for a footer or a marker."""
    words = " ".join(text.split())[:_LONGEST_LINE]
    return f" {words}" if words.startswith(("_via ", "[")) else words


def _field(text: str) -> str:
    return re.sub(r"[\s|]+", "-", text.strip()) or UNKNOWN
