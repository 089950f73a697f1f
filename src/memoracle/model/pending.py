"""What waits for a model: fragments that no rule could decide, and why each of them waits."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memoracle.model.fragment import Fragment
from memoracle.model.value import value


class Why(StrEnum):
    """Why a fragment waits."""

    NEW = "new"
    """It was not asked about yet."""
    OFF = "off"
    """No model is configured."""
    OVER_BUDGET = "over-budget"
    """The rest of the day's tokens does not cover the question."""
    DOWN = "down"
    """The model gave no answer."""
    NONSENSE = "nonsense"
    """The model's answer could not be used."""
    PRIVATE = "private"
    """The privacy gate keeps it from leaving."""


@value
class Waiting:
    """A fragment that waits. `tries` counts the answers about it that could not be used."""

    fragment: Fragment
    since: datetime
    why: Why = Why.NEW
    tries: int = 0


@value
class Queue:
    """Everything that waits, oldest first. `compacted` fragments were too many and wait no longer."""

    waiting: tuple[Waiting, ...] = ()
    compacted: int = 0
