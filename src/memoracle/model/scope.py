"""Whose memory a record is."""

from __future__ import annotations

from memoracle.model.names import check_name
from memoracle.model.value import value


@value
class Scope:
    """User, agent, project and seat; an empty one means "everybody's"."""

    user: str = ""
    agent: str = ""
    project: str = ""
    seat: str = ""

    def __post_init__(self) -> None:
        for what in ("user", "agent", "project", "seat"):
            name = getattr(self, what)
            if name:
                check_name(what, name)
