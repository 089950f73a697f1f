"""One run's calls to a model: each is paid before it is made, and three failures in a row end them.

A `Caller` never raises for what a model does: it answers with a reply, or with why there is none. What the privacy
gate stops is not sent.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from memoracle.errors import ModelProblem, StoreProblem
from memoracle.llm.api import Model, Purse, Reply
from memoracle.model.ledger import Reservation
from memoracle.model.pending import Why
from memoracle.text import estimate_tokens

MOST_FAILURES = 3
"""Failures in a row after which a run asks no more."""


class Caller:
    """Asks one model with one purse, for the length of one run."""

    def __init__(
        self, model: Model | None, purse: Purse, *, stops: Callable[[str], object] = lambda _: ()
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

    @property
    def name(self) -> str:
        """The model's name; empty when there is none."""
        return self._model.name if self._model else ""

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

    def ask(self, system: str, prompt: str, *, most_tokens: int) -> Reply | Why:
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
