"""The audit trail as a verb: prove it, or read it.

`why` is not in the trail, which holds no words: it is joined from the record's own change when somebody asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.model.event import Event, Told, Verified
from memoracle.model.value import replace
from memoracle.store.audit import verify

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memoracle.model.record import Record
    from memoracle.root import Root


def verify_audit(root: Root, *, heads: Sequence[str] = ()) -> Verified:
    """Whether the audit trail is whole and the records are what it says; `heads` were noted elsewhere."""
    return verify(root.store, heads=heads)


def audit(
    root: Root,
    *,
    record: str = "",
    act: str = "",
    who: str = "",
    since: datetime | None = None,
    session: str = "",
    limit: int | None = None,
) -> Sequence[Told]:
    """Who did what, when and why as far as the records still say: the latest acts that fit, oldest first."""
    root.reader.must_see_all()
    most = limit or root.settings.limit
    events = sorted(
        root.store.audit.read(since=since, act=act, target=record, by=who),
        key=lambda event: (event.at, event.writer, event.number),
    )
    if not session:
        events = events[-most:]
    known = root.store.journal.histories({one.id for event in events for one in event.records})
    told = [_joined(event, known) for event in events]
    if session:
        told = [one for one in told if session in one.sessions]
    hide = root.guard.hide
    return [replace(one, because=tuple(map(hide, one.because))) for one in told[-most:]]


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
