"""Activation, importance and trust of records: bounded, so that relevance always comes first."""

from __future__ import annotations

from datetime import datetime

from memoracle.index.api import Found
from memoracle.model.activation import Anchor, Law, activation, reinforce
from memoracle.model.hit import Hit, Source
from memoracle.model.record import EVERLASTING, Status
from memoracle.recall.candidate import Candidate

_SWAY = 0.05


def activation_of(found: Found, uses: list[datetime], law: Law, now: datetime) -> float:
    """How alive a passage is now; what never fades counts as fully alive."""
    passage = found.passage
    if passage.source is not Source.RECORD or found.anchor_at is None:
        return 1.0
    half_life = law.half_life(passage.kind, passage.importance)
    anchor = reinforce(Anchor(value=found.anchor_value, at=found.anchor_at), half_life, uses, law)
    return activation(anchor, half_life, now)


def weigh(candidate: Candidate, alive: float, since: datetime | None = None) -> Hit:
    """A hit with its final score: at most a twentieth of it depends on anything but relevance.

    So what is long unused stands behind living evidence of the same strength, and before everything weaker.
    """
    passage = candidate.found.passage
    score = candidate.score
    if passage.source is Source.RECORD:
        # From -1 to 1: of two that say the same, a living, trusted record stands before a note or a turn.
        sway = 2 * (alive + passage.importance + passage.trust) / 3 - 1
        score += abs(score) * _SWAY * sway
    return Hit(
        passage=passage,
        score=round(score, 6),
        activation=round(alive, 6),
        legs=dict(candidate.legs),
        fate=candidate.fate,
        unused_since=since,
    )


def unused_since(found: Found, alive: float, uses: list[datetime], law: Law) -> datetime | None:
    """Since when a record that has faded was neither used nor said; None for what is alive or never fades."""
    passage = found.passage
    if passage.source is not Source.RECORD or passage.pinned or passage.kind in EVERLASTING:
        return None
    if alive >= law.search_floor and passage.status is not Status.ARCHIVED:
        return None
    return max([*uses, *([found.anchor_at] if found.anchor_at else [])], default=None)
