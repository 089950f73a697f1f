"""The arithmetic of a daily budget. Pure: a ledger in, a ledger out.

Tokens are reserved before a call and settled after it. A call that might cost more than the rest of
the day is not made; a call whose process died stays reserved, and so counts as spent. After too many
failures a day ends early: whatever starts the calls, they cannot run away.
"""

from __future__ import annotations

from datetime import date

from memoracle.model.ledger import Ledger, Reservation
from memoracle.model.value import replace

MOST_FAILURES = 24
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
    return 0 if ledger.failures >= MOST_FAILURES else max(0, budget - ledger.tokens)


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
