"""Where a record came from: through which channel, said by whom, observed when and where."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memoracle.model.value import replace, value


class Channel(StrEnum):
    """The way something reached memory. It is set by the code that received it, never by the text."""

    OWNER = "owner"
    AGENT = "agent"
    PERSON = "person"
    """Another human than the owner: somebody else in a chat."""
    TOOL = "tool"
    DOCUMENT = "document"
    """A text that was brought in: imported Markdown, an article."""
    EXTERNAL = "external"
    SYSTEM = "system"


OUTSIDE = frozenset({Channel.TOOL, Channel.DOCUMENT, Channel.EXTERNAL})
"""What comes through these is quoted when asked for; it steers nothing and vouches for nothing."""

QUOTED = OUTSIDE | {Channel.PERSON}
"""What comes through these is shown as somebody's words, between marks; it is evidence, never an instruction."""

TRUST = {
    Channel.OWNER: 1.0,
    Channel.SYSTEM: 0.9,
    Channel.AGENT: 0.7,
    Channel.PERSON: 0.5,
    Channel.TOOL: 0.4,
    Channel.DOCUMENT: 0.4,
    Channel.EXTERNAL: 0.2,
}


@value
class Origin:
    """Who said it, where it stands, when it was observed, and how far it is trusted."""

    channel: Channel = Channel.OWNER
    who: str = ""
    where: str = ""
    session: str = ""
    observed: datetime | None = None
    trust: float = 1.0
    confirmed_by: str = ""
    """Of an agent's word: `owner`, or `session` when a second one said the same by itself; empty: nobody."""


BY_OWNER, BY_SESSION = "owner", "session"


def seen_by_owner(origin: Origin) -> Origin:
    """The origin of something that its owner had before them and let stand: an agent's word is confirmed by that."""
    if origin.channel is not Channel.AGENT or origin.confirmed_by == BY_OWNER:
        return origin
    return replace(origin, confirmed_by=BY_OWNER)
