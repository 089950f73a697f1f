"""When a record holds, and what it replaces."""

from __future__ import annotations

from datetime import datetime

from memoracle.model.value import value


@value
class Validity:
    """From when, until when, last confirmed, expiring when; what it replaced and what replaced it."""

    since: datetime | None = None
    until: datetime | None = None
    confirmed: datetime | None = None
    expires: datetime | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None

    def holds_at(self, moment: datetime) -> bool:
        """True when the record was in force at that moment."""
        return (
            (self.since is None or self.since <= moment)
            and (self.until is None or moment < self.until)
            and (self.expires is None or moment < self.expires)
        )
