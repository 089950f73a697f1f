"""The snapshot: the hot block as a document of its own, for one audience and one budget. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, tzinfo

from memoracle.context.choose import Audience
from memoracle.context.fill import Limits
from memoracle.context.hot import Hot, compose_hot
from memoracle.model.standing import Standing
from memoracle.model.value import replace

TITLE = "# Working memory\n"


def compose_snapshot(
    standing: Sequence[Standing],
    *,
    now: datetime,
    zone: tzinfo,
    audience: Audience = Audience.PRIVATE,
    limits: Limits | None = None,
    present: frozenset[str] = frozenset(),
    open_items: int = 0,
    projects: Collection[str] = ("",),
) -> Hot:
    """What to hand to an agent at the start of a session. A group is given public records alone."""
    hot = compose_hot(
        standing,
        now=now,
        zone=zone,
        present=present,
        limits=limits,
        open_items=open_items,
        owners=TITLE,
        audience=audience,
        projects=projects,
    )
    return replace(hot, text=f"{TITLE}{hot.text}\n" if hot.text else f"{TITLE}\nNothing is kept yet.\n")
