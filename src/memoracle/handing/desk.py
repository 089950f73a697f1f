"""What every act of handing over works with: the queue, the transport behind the gate, who is speaking."""

from __future__ import annotations

from collections.abc import Callable

from memoracle.acts.seating import Seating
from memoracle.clock import Clock
from memoracle.errors import BadInput, NotYourPlace
from memoracle.handoffs.queue import queue
from memoracle.model.handoff import Queued
from memoracle.model.ids import IdSource
from memoracle.model.record import Record
from memoracle.policy.shield import Shield
from memoracle.store import handoffs as files
from memoracle.store.store import Store

Send = Callable[[str], bool]
"""Hands a message to the owner's own transport; True when that took it."""


class Desk:
    """The hand-offs of one store. `seat` is the seat of this process, when it has one."""

    def __init__(
        self,
        store: Store,
        *,
        seating: Seating,
        shield: Shield,
        clock: Clock,
        ids: IdSource,
        record: Callable[[str], Record],
        lineage: Callable[[str, str], str] = lambda _repo, _commit: "unknown",
        send: Send | None = None,
        seat: str = "",
        session: str = "",
    ) -> None:
        self._store = store
        self._seating = seating
        self._shield = shield
        self._clock = clock
        self._ids = ids
        self._record = record
        self._lineage = lineage
        self._send = send
        self._seat = seat
        self._session = session

    def queue(self, project: str = "") -> list[Queued]:
        """Every task with where it stands."""
        given = files.dispatches(self._store, project)
        seen = {one.path: when for one in given if (when := files.seen_at(self._store, one.path))}
        return queue(given, files.completions(self._store, project), seen)

    def _must_speak_as(self, seat: str) -> None:
        """Refuse an act in another seat's name: the process says which seat it is."""
        if self._seat and seat != self._seat:
            raise NotYourPlace(self._seat, seat, f"what is done in the name of `{seat}`")

    def _task(self, task_id: str, project: str, seat: str) -> Queued:
        found = [
            one
            for one in self.queue(project)
            if (one.dispatch.task_id, one.dispatch.target) == (task_id, seat)
        ]
        if not found:
            raise BadInput(
                f"{seat} was never given {task_id}", "`memoracle handoff list` shows what was given"
            )
        return found[-1]

    def _tell(self, words: str, *, action: str) -> bool:
        """Hand a message to the owner's transport, past the gate; False when there is none or it did not take it."""
        if self._send is None:
            return False
        self._shield.must_go(words, action=action, outgoing=True)
        return self._send(words)

    def _is_unsent(self, sent: bool, *, tried: bool) -> bool:
        """True when there is a transport that should have taken a message and did not."""
        return tried and not sent and self._send is not None
