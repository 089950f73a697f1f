"""The audit trail as a verb: prove it, or read it.

`why` is not in the trail, which holds no words: it is joined from the record's own change when somebody asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoracle.model.event import Event, Told, Verified
from memoracle.model.record import Record
from memoracle.store.audit import verify
from memoracle.store.store import Store


class Auditing:
    """The trail of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def verify(self, heads: Sequence[str] = ()) -> Verified:
        """What is wrong with the trail, or with the records beside it."""
        return verify(self._store, heads=heads)

    def show(
        self,
        *,
        record: str = "",
        act: str = "",
        who: str = "",
        since: datetime | None = None,
        session: str = "",
        limit: int = 20,
    ) -> list[Told]:
        """The latest acts that fit, oldest first: who, what, when, and why as far as the records still say."""
        events = sorted(
            self._store.audit.read(since=since, act=act, target=record, by=who),
            key=lambda event: (event.at, event.writer, event.number),
        )
        if not session:
            events = events[-limit:]
        known = self._store.journal.histories({one.id for event in events for one in event.records})
        told = [_joined(event, known) for event in events]
        if session:
            told = [one for one in told if session in one.sessions]
        return told[-limit:]


def _joined(event: Event, known: dict[str, list[Record]]) -> Told:
    """An act with the reasons and the sessions that its records still give."""
    versions = [
        version
        for one in event.records
        for version in known.get(one.id, ())
        if version.version == one.version and version.change.sequence == one.sequence
    ]
    return Told(
        event=event,
        because=tuple(dict.fromkeys(one.change.because for one in versions if one.change.because)),
        sessions=tuple(dict.fromkeys(one.origin.session for one in versions if one.origin.session)),
    )
