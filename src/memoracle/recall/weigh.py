"""Activation, importance and trust of records: bounded, so that relevance always comes first."""

from __future__ import annotations

from datetime import datetime

from memoracle.index.api import Found
from memoracle.model.activation import Anchor, Law, activation, reinforce
from memoracle.model.hit import Hit, Source
from memoracle.model.record import EVERLASTING
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


def weigh(candidate: Candidate, alive: float) -> Hit:
    """A hit with its final score: at most a twentieth of it depends on anything but relevance."""
    passage = candidate.found.passage
    score = candidate.score
    if passage.source is Source.RECORD:
        # From -1 to 1: of two that say the same, a living, trusted record stands before a note or a turn.
        sway = 2 * (alive + passage.importance + passage.trust) / 3 - 1
        score += abs(score) * _SWAY * sway
    return Hit(passage=passage, score=round(score, 6), activation=round(alive, 6), legs=dict(candidate.legs))


def is_faded(hit: Hit, law: Law, *, exact: bool) -> bool:
    """True for a record too weak for a default answer; exact hits and what never fades are exempt."""
    passage = hit.passage
    return (
        passage.source is Source.RECORD
        and hit.activation < law.search_floor
        and not exact
        and not passage.pinned
        and passage.kind not in EVERLASTING
    )
