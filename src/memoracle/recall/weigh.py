"""Relevance first; activation and importance as bounded factors that settle near ties."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memoracle.index.api import Found
from memoracle.model.activation import Anchor, Law, activation, reinforce
from memoracle.model.hit import Hit, Source
from memoracle.model.record import EVERLASTING

_SWAY = 0.1


def activation_of(found: Found, uses: list[datetime], law: Law, now: datetime) -> float:
    """How alive a passage is now; what never fades counts as fully alive."""
    passage = found.passage
    if passage.source is not Source.RECORD or found.anchor_at is None:
        return 1.0
    half_life = law.half_life(passage.kind, passage.importance)
    anchor = reinforce(Anchor(value=found.anchor_value, at=found.anchor_at), half_life, uses, law)
    return activation(anchor, half_life, now)


def weigh(found: Found, legs: Mapping[str, float], alive: float) -> Hit:
    """A hit with its final score. An exact name can never be outweighed by words alone."""
    passage = found.passage
    relevance = legs.get("name", 0.0) + legs.get("words", 0.0)
    sway = (alive + passage.importance + passage.trust) / 3
    score = relevance * (1 - _SWAY + _SWAY * sway)
    return Hit(passage=passage, score=round(score, 6), activation=round(alive, 6), legs=dict(legs))


def is_faded(hit: Hit, law: Law) -> bool:
    """True for a record too weak for a default answer; exact hits and what never fades are exempt."""
    passage = hit.passage
    return (
        passage.source is Source.RECORD
        and hit.activation < law.search_floor
        and "name" not in hit.legs
        and not passage.pinned
        and passage.kind not in EVERLASTING
    )
