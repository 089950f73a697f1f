"""What a pure step of upkeep proposes: the versions to write, and why."""

from __future__ import annotations

from memoracle.model.plan import Step
from memoracle.model.record import Record
from memoracle.model.value import value


@value
class Planned:
    """Versions in the order they are to be written, and a reason for each change."""

    versions: tuple[Record, ...] = ()
    steps: tuple[Step, ...] = ()
