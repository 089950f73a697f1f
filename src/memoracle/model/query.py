"""A question and what narrows it."""

from __future__ import annotations

from datetime import datetime

from memoracle.model.scope import Scope
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
