"""What a memory's model has cost today, and what was set aside for calls under way."""

from __future__ import annotations

from memoracle.model.value import value


@value
class Ledger:
    """One day of the owner's, as `YYYY-MM-DD`. What is reserved and was never settled counts as spent."""

    day: str = ""
    spent: int = 0
    reserved: int = 0
    calls: int = 0
    failures: int = 0

    @property
    def tokens(self) -> int:
        """What the day has cost at most."""
        return self.spent + self.reserved


@value
class Reservation:
    """Tokens set aside for one call, on the day it was made."""

    day: str
    tokens: int


@value
class Use:
    """What a memory's model did today, and what waits for it. An empty name means that there is none."""

    model: str
    tokens: int
    budget: int
    calls: int
    failures: int
    waiting: int
