"""The model a memory may ask: what it may spend, what waits for it, and what came of asking.

Puts the model, the ledger, the queue and what stands beside a fragment together. The root's lock is held for moments
only, never during a call.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from memoracle.errors import BeyondScope
from memoracle.inference import language as arithmetic
from memoracle.model.inbox import Queue, Waiting, Why
from memoracle.model.record import QUOTED, Kind, Status
from memoracle.model.report import Ledger, ModelUse, Reservation
from memoracle.model.search import Filters
from memoracle.model.value import replace, value
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

    from memoracle.inference.language import Model
    from memoracle.learn.ask_model import Case, Cases, Settled
    from memoracle.model.claim import Claim, Fragment
    from memoracle.model.search import Passage
    from memoracle.root import Root
    from memoracle.store.store import Store
    from memoracle.times import Clock


WAITS = timedelta(days=30)
"""What nobody has settled by then waits no longer; its turn stands in the transcript."""


@value
class Budget:
    """The day's tokens of one root, as a purse; every process that opens the root shares it."""

    store: Store
    tokens: int
    zone: tzinfo
    clock: Clock

    def today(self) -> Ledger:
        """The ledger of this day."""
        return self._on_day(read_ledger(self.store))

    def rest(self) -> int:
        """How many tokens the day has left."""
        return arithmetic.rest_of(self.today(), self.tokens)

    def reserve(self, tokens: int) -> Reservation | None:
        """Set tokens aside before a call; None when the rest of the day does not cover them."""
        return change_ledger(
            self.store, lambda held: arithmetic.reserve(self._on_day(held), tokens, self.tokens)
        )

    def settle(self, reservation: Reservation, *, spent: int, failed: bool) -> None:
        """Put what a call really cost in the place of what was set aside for it."""

        def settled(held: Ledger) -> tuple[Ledger, None]:
            return arithmetic.settle(self._on_day(held), reservation, spent=spent, failed=failed), None

        change_ledger(self.store, settled)

    def _on_day(self, held: Ledger) -> Ledger:
        return arithmetic.on_day(held, day_in(self.zone, self.clock()))


@value
class Asking:
    """What one root asks of its model. `stops` is the privacy gate: what it names keeps a text here."""

    budget: Budget
    model: Callable[[], Model | None]
    stops: Callable[[str], tuple[str, ...]]
    cases: Cases | None = None

    def settle(
        self,
        fragments: Iterable[Fragment] = (),
        *,
        now: datetime | None = None,
        kept: Sequence[tuple[Fragment, Sequence[Claim]]] = (),
    ) -> Settled:
        """Let fragments wait, from `now` on, then ask about everything that waits. Fragments come masked.

        `kept` is asked about too: whether it says what it was taken for. What was settled waits on until `finish` is
        called: make the claims durable first.
        """
        from memoracle.inference.language import ModelCaller
        from memoracle.learn.ask_model import settle

        store = self.budget.store
        caller, path = ModelCaller(self.model(), self.budget, stops=self.stops), store.state_name(PENDING)
        why, since = caller.closed() or Why.NEW, now or self.budget.clock()
        with store.writing():
            queue = add_pending(store, [Waiting(fragment=one, since=since, why=why) for one in fragments])
            if late := [one.fragment.id for one in queue.waiting if since - one.since > WAITS]:
                queue = settle_pending(store, late)
        settled = settle(queue.waiting, caller, cases=self.cases, kept=kept, path=path)
        known = {one.fragment.id: one for one in queue.waiting}
        changed = [one for one in settled.waiting if known[one.fragment.id] != one]
        if changed:
            with store.writing():
                add_pending(store, changed)
        return settled

    def finish(self, ids: Sequence[str]) -> None:
        """Take decided fragments from what waits, once what they say is in the files."""
        if ids:
            with self.budget.store.writing():
                settle_pending(self.budget.store, ids)

    def use(self) -> ModelUse:
        """What the model did today, and what waits for it."""
        today, model = self.budget.today(), self.model()
        return ModelUse(
            model=model.name if model else "",
            tokens=today.tokens,
            budget=self.budget.tokens,
            calls=today.calls,
            failures=today.failures,
            waiting=count_pending(self.budget.store),
        )


def asking_of(root: Root) -> Asking:
    """The model of one root, behind its day's budget and the privacy gate."""
    budget = Budget(store=root.store, tokens=root.settings.llm_daily_tokens, zone=root.zone, clock=root.clock)
    return Asking(budget=budget, model=root.open_model, stops=root.guard.stops, cases=partial(cases_of, root))


_BESIDE, _NEAR, _LAST_WORDS = 3, 12, 130
_RECORDS = Filters(kinds=tuple(one.value for one in Kind if one is not Kind.SUMMARY), withheld=("secret",))


def cases_of(
    root: Root, fragments: Sequence[Fragment], *, name: Callable[[str], str] | None = None
) -> list[Case]:
    """Fragments as they are asked about: with the end of the turn before, and up to three records they may change.

    Nothing from outside, no secret, and nothing that the privacy gate keeps here stands beside them. Records go by
    their places, r1 and so on, or by the `name` of their id.
    """
    from memoracle.learn.ask_model import Case
    from memoracle.recall.answers import search

    root.view.catch_up()
    guard, refs = root.guard, [one.ref for one in fragments]
    earlier = root.view.ask(lambda: root.index.turns_before(refs))

    def masked(one: Passage) -> str:
        return "" if one.channel in QUOTED or guard.stops(one.text) else guard.hide(one.text)

    def known(fragment: Fragment) -> dict[str, Passage]:
        found = search(root, fragment.text, limit=_NEAR, filters=_RECORDS)
        near = [hit.passage for hit in (*found.hits, *found.near)]
        near = [one for one in near if one.status is Status.ACTIVE and one.project in {"", fragment.project}]
        shown = [replace(one, text=masked(one)) for one in near]
        chosen = [one for one in shown if one.text][:_BESIDE]
        return {name(one.ref) if name else f"r{at}": one for at, one in enumerate(chosen, start=1)}

    def before(fragment: Fragment) -> str:
        said = earlier.get(fragment.ref)
        words = masked(said)[-_LAST_WORDS:] if said else ""
        return f"{said.who}: {words}" if said and words and not guard.is_suspect(words) else ""

    return [Case(fragment=one, before=before(one), known=known(one), zone=root.zone) for one in fragments]


def waiting_here(root: Root) -> list[Fragment]:
    """What waits and may be told here, newest first: nothing of another project than the one worked on."""
    if not root.reader.sees_all:
        raise BeyondScope
    here = root.reader.here
    found = [one.fragment for one in reversed(read_pending(root.store).waiting)]
    return [one for one in found if not here or one.project in {"", root.reader.works_in, *here.also}]


def pending(root: Root, *, clear: bool = False) -> Queue:
    """What waits for a model, oldest first, and why; `clear` lets none of it wait any longer."""
    root.reader.must_see_all()
    waiting = read_pending(root.store)
    if clear:
        with root.store.writing():
            clear_pending(root.store)
    return waiting
