"""A passage on its way to becoming a hit, and how the stages hand it on."""

from __future__ import annotations

from collections.abc import Mapping

from memoracle.index.api import Found
from memoracle.model.hit import Fate
from memoracle.model.value import field, value


@value
class Candidate:
    """A passage with the score of a recipe and the signals behind it; `exact` for a name that fits."""

    found: Found
    score: float
    row: int = 0
    legs: Mapping[str, float] = field(default_factory=dict)
    exact: bool = False
    fate: Fate | None = None


@value
class Proposal:
    """What a recipe proposes, best first; how sure it is of the best; and what it has to say."""

    candidates: tuple[Candidate, ...]
    confidence: float
    says: tuple[str, ...] = ()


EXACT = 100.0
"""What an exact name is worth: more than any other evidence together."""
