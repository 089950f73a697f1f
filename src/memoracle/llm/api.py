"""What a model is, and who pays for it, to whoever asks one."""

from __future__ import annotations

from typing import Protocol

from memoracle.model.ledger import Reservation
from memoracle.model.value import value


@value
class Reply:
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

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Reply:
        """The model's answer to `prompt`, under the instructions of `system`."""
        ...


class Purse(Protocol):
    """The day's tokens. Several processes may hold it; together they never reserve more than there is."""

    def rest(self) -> int:
        """How many tokens the day has left."""
        ...

    def reserve(self, tokens: int) -> Reservation | None:
        """Set tokens aside before a call; None when the rest of the day does not cover them."""
        ...

    def settle(self, reservation: Reservation, *, spent: int, failed: bool) -> None:
        """Put what a call really cost in the place of what was set aside for it."""
        ...
