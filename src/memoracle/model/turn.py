"""One thing said in a conversation, as every host's transcript gives it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memoracle.model.origin import Channel
from memoracle.model.value import replace, value

Role = Channel
"""Who speaks is told by the channel the words came through."""


class SessionKind(StrEnum):
    """What started the session; only people's own sessions may teach memory anything lasting."""

    INTERACTIVE = "interactive"
    GROUP = "group"
    CRON = "cron"
    HEARTBEAT = "heartbeat"
    HOOK = "hook"
    SUBAGENT = "subagent"
    INTERNAL = "internal"

    @property
    def has_people(self) -> bool:
        """A person takes part: the session is not a machine talking to itself."""
        return self in {SessionKind.INTERACTIVE, SessionKind.GROUP}


@value
class Turn:
    """One thing said by one speaker in one session.

    `id` is the same wherever the turn is met again: the host's uuid, or one made from the session
    and what was said. `line` is the first line in `path`, from 1; in a database it is the row.
    """

    session: str
    id: str
    speaker: str
    role: Role
    at: datetime | None
    text: str
    path: str
    line: int
    session_kind: SessionKind = SessionKind.INTERACTIVE
    host: str = ""
    project: str | None = None
    agent: str | None = None
    parent: str | None = None

    @property
    def place(self) -> str:
        """Where it stands: `path#Lx`."""
        return f"{self.path}#L{self.line}"


def owned(turn: Turn, names: frozenset[str]) -> Turn:
    """The turn as the owner's own when its speaker is a person who goes by one of these names."""
    is_owners = turn.role is Role.PERSON and turn.speaker.strip().casefold() in names
    return replace(turn, role=Role.OWNER) if is_owners else turn
