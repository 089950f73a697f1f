"""The model a memory may ask: what it may spend, what waits for it, and what came of asking.

Puts the model, the ledger and the queue of one root together. The root's lock is held for moments
only, never during a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.inference import language as arithmetic
from memoracle.model.inbox import Queue, Waiting, Why
from memoracle.model.predicates import OWNER
from memoracle.model.report import Finding, Ledger, ModelUse, Reservation, Severity
from memoracle.model.value import replace
from memoracle.store.inbox import (
    PENDING,
    add_pending,
    change_ledger,
    clear_pending,
    count_pending,
    read_ledger,
    read_pending,
    settle_pending,
)
from memoracle.times import day_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime, tzinfo

    from memoracle.inference.language import Model, ModelCaller
    from memoracle.learn.ask_model import Settled
    from memoracle.model.claim import Fragment
    from memoracle.root import Root
    from memoracle.store.store import Store
    from memoracle.times import Clock


class Budget:
    """The day's tokens of one root, as a purse; every process that opens the root shares it."""

    def __init__(self, store: Store, *, tokens: int, zone: tzinfo, clock: Clock) -> None:
        self._store = store
        self._tokens = tokens
        self._zone = zone
        self._clock = clock

    def today(self) -> Ledger:
        """The ledger of this day."""
        return self._on_day(read_ledger(self._store))

    def rest(self) -> int:
        """How many tokens the day has left."""
        return arithmetic.rest_of(self.today(), self._tokens)

    def reserve(self, tokens: int) -> Reservation | None:
        """Set tokens aside before a call; None when the rest of the day does not cover them."""
        return change_ledger(
            self._store, lambda held: arithmetic.reserve(self._on_day(held), tokens, self._tokens)
        )

    def settle(self, reservation: Reservation, *, spent: int, failed: bool) -> None:
        """Put what a call really cost in the place of what was set aside for it."""
        change_ledger(
            self._store,
            lambda held: (
                arithmetic.settle(self._on_day(held), reservation, spent=spent, failed=failed),
                None,
            ),
        )

    def _on_day(self, held: Ledger) -> Ledger:
        return arithmetic.on_day(held, day_in(self._zone, self._clock()))


class Asking:
    """What one root asks of its model."""

    def __init__(
        self,
        store: Store,
        *,
        model: Callable[[], Model | None],
        tokens: int,
        zone: tzinfo,
        clock: Clock,
        stops: Callable[[str], tuple[str, ...]] = lambda _: (),
    ) -> None:
        """`stops` is the privacy gate: what it names keeps a text here."""
        self._store = store
        self._model = model
        self._stops = stops
        self._tokens = tokens
        self._budget = Budget(store, tokens=tokens, zone=zone, clock=clock)
        self._clock = clock

    def caller(self) -> ModelCaller:
        """A new run of calls."""
        from memoracle.inference.language import ModelCaller

        return ModelCaller(self._model(), self._budget, stops=self._stops)

    def settle(
        self,
        fragments: Iterable[Fragment] = (),
        *,
        now: datetime | None = None,
        caller: ModelCaller | None = None,
        speaker: Callable[[Fragment], str] = lambda _: OWNER,
    ) -> Settled:
        """Let fragments wait, from `now` on, then ask about everything that waits. Fragments come masked.

        What was settled waits on until `finish` is called: make the claims durable first.
        """
        from memoracle.learn.ask_model import settle

        calls, since = caller or self.caller(), now or self._clock()
        why = calls.closed() or Why.NEW
        with self._store.writing():
            queue = add_pending(
                self._store, [Waiting(fragment=one, since=since, why=why) for one in fragments]
            )
        settled = settle(queue.waiting, calls, speaker=speaker, path=self._path())
        known = {one.fragment.id: one for one in queue.waiting}
        changed = [one for one in settled.waiting if known[one.fragment.id] != one]
        if changed:
            with self._store.writing():
                add_pending(self._store, changed)
        return replace(settled, problems=(*settled.problems, *self._lost(queue)))

    def finish(self, ids: Sequence[str]) -> None:
        """Take decided fragments from what waits, once what they say is in the files."""
        if ids:
            with self._store.writing():
                settle_pending(self._store, ids)

    def pending(self) -> Queue:
        """What waits, oldest first."""
        return read_pending(self._store)

    def clear(self) -> int:
        """Let nothing wait any longer; how many fragments did is returned."""
        with self._store.writing():
            return clear_pending(self._store)

    def use(self) -> ModelUse:
        """What the model did today, and what waits for it."""
        today, model = self._budget.today(), self._model()
        return ModelUse(
            model=model.name if model else "",
            tokens=today.tokens,
            budget=self._tokens,
            calls=today.calls,
            failures=today.failures,
            waiting=count_pending(self._store),
        )

    def _lost(self, queue: Queue) -> list[Finding]:
        if not queue.compacted:
            return []
        message = f"{queue.compacted} undecided fragments were too many and wait no longer"
        hint = "their turns still stand in the transcripts; `memoracle pending --clear` takes the count away"
        return [
            Finding(
                code="pending-compacted",
                severity=Severity.WARNING,
                path=self._path(),
                message=message,
                hint=hint,
            )
        ]

    def _path(self) -> str:
        return self._store.state_name(PENDING)


def asking_of(root: Root) -> Asking:
    """The model of one root, behind its day's budget and the privacy gate."""
    return Asking(
        root.store,
        model=root.open_model,
        tokens=root.settings.llm_daily_tokens,
        zone=root.zone,
        clock=root.clock,
        stops=root.guard.stops,
    )


def pending(root: Root, *, clear: bool = False) -> Queue:
    """What waits for a model, oldest first, and why; `clear` lets none of it wait any longer."""
    root.reader.must_see_all()
    asking = asking_of(root)
    waiting = asking.pending()
    if clear:
        asking.clear()
    return waiting
