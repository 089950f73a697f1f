"""What happened to make one version of a record: who changed it, when, how and why."""

from __future__ import annotations

from datetime import datetime

from memoracle.model.value import value


@value
class Change:
    """One step in a record's history.

    `operation` is shared by all versions that one act wrote, so `undo` can reverse the act.
    `writer` and `sequence` are the writing machine and its running count: a gap in the count
    reveals a line that vanished. `heard` is when the words behind it were said, if that was earlier
    than the writing: memory could have known from then on.
    """

    at: datetime
    verb: str
    by: str = ""
    because: str = ""
    operation: str = ""
    undoes: str = ""
    writer: str = ""
    sequence: int = 0
    heard: datetime | None = None

    @property
    def known(self) -> datetime:
        """From when on this could be known."""
        return min(self.heard, self.at) if self.heard else self.at
