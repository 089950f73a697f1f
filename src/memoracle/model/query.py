"""A question and what narrows it."""

from __future__ import annotations

from datetime import datetime

from memoracle.model.record import Channel, Origin, Scope
from memoracle.model.value import field, value


@value
class Filters:
    """What an answer has to fit; part of the query itself, not a sieve afterwards."""

    scope: Scope = field(default_factory=Scope)
    reader: Scope = field(default_factory=Scope)
    """Through whose eyes: what is another user's, agent's, project's or seat's is not there for them."""
    public: bool = False
    """For an audience beyond the owner: public records alone."""
    withheld: tuple[str, ...] = ()
    """Sensitivities that this reader is not handed."""
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    speaker: str = ""
    session: str = ""
    channel: str = ""
    page_status: str = ""
    """Only pages of this status: open, investigating, resolved, completed, superseded."""
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    wide: bool = False
    statuses: tuple[str, ...] = ()
    """Records in one of these states, which else stay unseen: what waits in quarantine, what was taken back."""

    def __post_init__(self) -> None:
        for name in ("scope", "reader"):
            if not isinstance(getattr(self, name), Scope):
                raise TypeError(f'`{name}` of Filters has to be a Scope, such as Scope(user="ann")')


@value
class Query:
    """The words of a question, its filters, and how much answer is wanted."""

    text: str
    filters: Filters = field(default_factory=Filters)
    limit: int = 10


# Which words are meant: of a session, through a channel, from a path, heard between two moments.


@value
class Selection:
    """Some of what was heard, by where it came from."""

    session: str = ""
    channel: str = ""
    path: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def __bool__(self) -> bool:
        return bool(self.session or self.channel or self.path or self.since)

    def fits(self, *, session: str, channel: str, where: str, at: datetime | None) -> bool:
        """True for words with this origin."""
        if not self:
            return False
        if self.session and session != self.session:
            return False
        if self.channel and channel != self.channel:
            return False
        if self.path and not lies_in(where, self.path):
            return False
        if self.since is not None and (at is None or at < self.since):
            return False
        return self.until is None or at is None or at <= self.until

    def fits_origin(self, origin: Origin, at: datetime) -> bool:
        """True for something kept with this origin; `at` is when it was said."""
        return self.fits(session=origin.session, channel=origin.channel.value, where=origin.where, at=at)


def selection_of(
    *,
    session: str = "",
    origin: str = "",
    since: datetime | None = None,
    now: datetime,
) -> Selection:
    """A selection as people name it: `origin` is a channel, or else a path."""
    is_channel = origin in {channel.value for channel in Channel}
    is_lasting = bool(session or (origin and not is_channel))
    return Selection(
        session=session,
        channel=origin if is_channel else "",
        path="" if is_channel else origin,
        since=since,
        # A session or a file that is forgotten stays so; of a channel or some days, only what is there now.
        until=None if is_lasting and since is None else now,
    )


def lies_in(where: str, path: str) -> bool:
    """True for a place (`path#Lx`) in this file, or in a file below this folder."""
    place, asked = where.partition("#")[0], path.rstrip("/") or "/"
    return where == path or place == asked or place.startswith(asked.rstrip("/") + "/")
