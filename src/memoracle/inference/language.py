"""The arithmetic of a daily budget. Pure: a ledger in, a ledger out.

Tokens are reserved before a call and settled after it. A call that might cost more than the rest of
the day is not made; a call whose process died stays reserved, and so counts as spent. After too many
failures a day ends early: whatever starts the calls, they cannot run away.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Protocol

from memoracle.errors import ModelProblem, StoreProblem
from memoracle.model.inbox import Why
from memoracle.model.report import Ledger, Reservation
from memoracle.model.value import replace, value
from memoracle.text import estimate_tokens

# What a model is, and who pays for it, to whoever asks one.


@value
class ModelReply:
    """What a model said, and what it cost: as the model counted, or as we estimate."""

    text: str
    tokens_in: int
    tokens_out: int

    @property
    def tokens(self) -> int:
        """Both ways together."""
        return self.tokens_in + self.tokens_out


class Model(Protocol):
    """A question in, an answer out.

    *Repetition.* Two equal questions may get different answers.
    *Length.* The answer is asked to stay within `most_tokens`; it may end in the middle of a word.
    *Failure.* `ModelUnavailable`, after whatever patience the implementation has.
    """

    @property
    def name(self) -> str:
        """What the owner calls it."""
        ...

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> ModelReply:
        """The model's answer to `prompt`, under the instructions of `system`."""
        ...


class _Purse(Protocol):
    """The day's tokens. Several processes may hold it; together they never reserve more than there is.

    `reserve` gives None when the rest of the day does not cover a call; `settle` puts what it really cost in the place
    of what was set aside.
    """

    def rest(self) -> int: ...
    def reserve(self, tokens: int) -> Reservation | None: ...
    def settle(self, reservation: Reservation, *, spent: int, failed: bool) -> None: ...


# One run's calls to a model: each is paid before it is made, and three failures in a row end them.

MOST_FAILURES = 3
"""Failures in a row after which a run asks no more."""


class ModelCaller:
    """Asks one model with one purse, for the length of one run."""

    def __init__(
        self, model: Model | None, purse: _Purse, *, stops: Callable[[str], object] = lambda _: ()
    ) -> None:
        """`stops` is the privacy gate: anything but nothing keeps a text here."""
        self._stops = stops
        self._model = model
        self._purse = purse
        self._failures = 0
        self.spent = 0
        self.calls = 0
        self.because = ""
        """What the last failure said."""

    def closed(self) -> Why | None:
        """Why nothing can be asked any more; None while something can."""
        if self._model is None:
            return Why.OFF
        if self._failures >= MOST_FAILURES:
            return Why.DOWN
        return None

    def rest(self) -> int:
        """How many tokens the day has left."""
        return self._purse.rest() if self._model else 0

    def keeps(self, text: str) -> bool:
        """True for what must not be sent; ask for each thing alone, so that one keeps no other back."""
        return self._model is not None and bool(self._stops(text))

    def ask(self, system: str, prompt: str, *, most_tokens: int) -> ModelReply | Why:
        """The model's reply, or why there is none."""
        if (why := self.closed()) is not None or self._model is None:
            return why or Why.OFF
        if self.keeps(prompt):
            return Why.PRIVATE
        reservation = self._purse.reserve(most_cost(system, prompt, most_tokens))
        if reservation is None:
            return Why.OVER_BUDGET
        self.calls += 1
        try:
            reply = self._model.complete(system, prompt, most_tokens=most_tokens)
        except ModelProblem as problem:
            self.fail(str(problem))
            cost = reservation.tokens if getattr(problem, "may_have_cost", False) else 0
            self._settle(reservation, cost, failed=True)
            return Why.DOWN
        self._settle(reservation, reply.tokens, failed=False)
        return reply

    def fail(self, because: str) -> None:
        """Count a failure: no answer, or one that could not be used."""
        self._failures += 1
        self.because = because

    def succeed(self) -> None:
        """Note that an answer could be used."""
        self._failures = 0

    def _settle(self, reservation: Reservation, spent: int, *, failed: bool) -> None:
        self.spent += spent
        # A ledger that cannot be written now keeps the reservation, which counts as spent.
        with suppress(StoreProblem):
            self._purse.settle(reservation, spent=spent, failed=failed)


def most_cost(system: str, prompt: str, most_tokens: int) -> int:
    """What a call costs at most: models count a little differently, and wrap what they are given."""
    return (estimate_tokens(system) + estimate_tokens(prompt)) * 5 // 4 + 24 + most_tokens


LEDGER_MOST_FAILURES = 24
"""Failed calls after which a day is over."""


def on_day(ledger: Ledger, day: date) -> Ledger:
    """The ledger of that day: a new one when the day has changed.

    A clock that went back by a day, as a journey west can make it, gets no second budget.
    """
    if ledger.day:
        ahead = (date.fromisoformat(ledger.day) - day).days
        if ahead in {0, 1}:
            return ledger
    return Ledger(day=day.isoformat())


def rest_of(ledger: Ledger, budget: int) -> int:
    """How many tokens are left."""
    return 0 if ledger.failures >= LEDGER_MOST_FAILURES else max(0, budget - ledger.tokens)


def reserve(ledger: Ledger, tokens: int, budget: int) -> tuple[Ledger, Reservation | None]:
    """Set tokens aside, unless the rest of the day does not cover them."""
    if tokens < 1 or tokens > rest_of(ledger, budget):
        return ledger, None
    held = replace(ledger, reserved=ledger.reserved + tokens, calls=ledger.calls + 1)
    return held, Reservation(day=ledger.day, tokens=tokens)


def settle(ledger: Ledger, reservation: Reservation, *, spent: int, failed: bool) -> Ledger:
    """Put what a call cost in the place of what was set aside; a call of another day was paid by that day."""
    if ledger.day != reservation.day:
        return ledger
    return replace(
        ledger,
        reserved=max(0, ledger.reserved - reservation.tokens),
        spent=ledger.spent + max(0, spent),
        failures=ledger.failures + failed,
    )
