"""The words that a transport outside would send about a task: a prefix, a few lines, a footer that can be read back.

Wording says nothing about who asked or which way it goes. Prefix and footer name the same seat; a message without a
footer that fits is routed nowhere.
"""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum

from memoracle.clock import write_time
from memoracle.model.value import value

MOST_LINES = 4
_LONGEST_LINE = 300
UNKNOWN = "unknown"
_PREFIX = re.compile(r"\[([A-Z][\w-]{0,60})\] ")
_FOOTER = re.compile(
    r"_via ([A-Z][\w-]{0,60}) @ (\S{1,40}) \| project=(\S{1,200}) \| session=(\S{1,200})"
    r" \| task_id=(\S{1,200}) \| verdict=(PASS|FAIL|BLOCKED)_"
)


class About(StrEnum):
    """What a message tells."""

    SUCCESS = "success"
    BLOCKED = "BLOCKED"
    DISPATCHED = "dispatched"


@value
class Footer:
    """Where a message belongs, as its last line says."""

    seat: str
    at: str
    project: str
    session: str
    task_id: str
    verdict: str


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


def read_footer(message: str) -> Footer | None:
    """Where a message belongs; None when prefix and footer do not fit together: it is routed nowhere."""
    lines = message.strip().split("\n")
    head, last = _PREFIX.match(lines[0]), _FOOTER.fullmatch(lines[-1].strip())
    if not head or not last or head[1] != last[1] or len(lines) > MOST_LINES + 2:
        return None
    seat, at, project, session, task, verdict = last.groups()
    return Footer(
        seat=seat[:1].lower() + seat[1:],
        at=at,
        project=project,
        session=session,
        task_id=task,
        verdict=verdict,
    )


def _line(text: str) -> str:
    """One line that cannot be taken for a footer or a marker."""
    words = " ".join(text.split())[:_LONGEST_LINE]
    return f" {words}" if words.startswith(("_via ", "[")) else words


def _field(text: str) -> str:
    return re.sub(r"[\s|]+", "-", text.strip()) or UNKNOWN
