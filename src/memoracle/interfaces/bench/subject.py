"""What is measured: Memoracle, or a peer, behind one small port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memoracle.interfaces.bench.packs import Asked, Said
from memoracle.model.value import value


@value
class Answer:
    """What a subject said to one question.

    `chunks` are ranked, best first; each is the turns it contains. `confidence` and `abstained` are None for
    a subject that has no such notion. `context` is the text packed for a model, with `packed` the turns whose
    whole text it claims to hold; None when the subject packs nothing. `seconds` is set by whoever times it.
    """

    chunks: tuple[tuple[str, ...], ...] = ()
    confidence: float | None = None
    abstained: bool | None = None
    context: str | None = None
    packed: tuple[str, ...] = ()
    seconds: float = 0.0


class Subject(Protocol):
    """One memory at a time.

    *Order.* `build` comes before `search`; a second `build` begins a new, empty memory in another folder and
    forgets the first. *Files* go under `folder`, which exists and is empty; the caller deletes it.
    *Failure.* Anything raised ends the measurement of this subject on this pack.
    """

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Keep the turns; seconds to add to the measured time for work that a cache made unnecessary."""
        ...

    def search(self, asked: Asked, k: int) -> Answer:
        """At least k places of evidence, best first, where there are so many."""
        ...

    def pack(self, asked: Asked, k: int, budget: int) -> Answer | None:
        """The same with a context of at most `budget` tokens; None when the subject packs nothing."""
        ...
