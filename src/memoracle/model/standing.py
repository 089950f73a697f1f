"""A record that stands, and how alive it is now."""

from __future__ import annotations

from memoracle.model.hit import Passage
from memoracle.model.value import value


@value
class Standing:
    """A standing record of any status but erased, and its activation at the moment of asking."""

    passage: Passage
    activation: float
