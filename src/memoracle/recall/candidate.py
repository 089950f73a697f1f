"""Passages on their way to becoming hits: candidates, what activation and trust add, and how many one source may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from memoracle.index.api import Candidate
from memoracle.model.activation import Anchor, Law, activation, reinforce
from memoracle.model.hit import Fate, Hit, Source
from memoracle.model.record import EVERLASTING, OUTSIDE, Channel, Status
from memoracle.model.value import field, value


@value
class RankedCandidate:
    """A passage with the score of a recipe and the signals behind it; `exact` for a name that fits."""

    found: Candidate
    score: float
    row: int = 0
    legs: Mapping[str, float] = field(default_factory=dict)
    exact: bool = False
    fate: Fate | None = None


@value
class Proposal:
    """What a recipe proposes, best first; how sure it is of the best; and what it has to say."""

    candidates: tuple[RankedCandidate, ...]
    confidence: float
    says: tuple[str, ...] = ()


EXACT = 100.0
"""What an exact name is worth: more than any other evidence together."""


# Nobody outside fills an answer: one session's tool output, pages and agent's records take a third of it at most.

_SHARE = 3


def share(ranked: Sequence[Hit], limit: int) -> list[Hit]:
    """The same hits, those beyond the share of their session behind the others."""
    most = max(1, limit // _SHARE)
    taken: Counter[str] = Counter()
    first: list[Hit] = []
    later: list[Hit] = []
    for hit in ranked:
        source = _counted_as(hit)
        if source:
            taken[source] += 1
        (later if source and taken[source] > most else first).append(hit)
    return [*first, *later]


def _counted_as(hit: Hit) -> str:
    """What a hit counts towards: its session, or the place it came from; empty when it is not counted."""
    passage = hit.passage
    is_outside = passage.channel in OUTSIDE
    is_agents = passage.channel == Channel.AGENT and passage.source is Source.RECORD
    if not (is_outside or is_agents):
        return ""
    return passage.session or passage.where.partition("#")[0] or f"the {passage.channel} channel"


# Activation, importance and trust of records: bounded, so that relevance always comes first.

_SWAY = 0.05


def activation_of(found: Candidate, uses: list[datetime], law: Law, now: datetime) -> float:
    """How alive a passage is now; what never fades counts as fully alive."""
    passage = found.passage
    if passage.source is not Source.RECORD or found.anchor_at is None:
        return 1.0
    half_life = law.half_life(passage.kind, passage.importance)
    anchor = reinforce(Anchor(value=found.anchor_value, at=found.anchor_at), half_life, uses, law)
    return activation(anchor, half_life, now)


def weigh(candidate: RankedCandidate, alive: float, since: datetime | None = None) -> Hit:
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


def unused_since(found: Candidate, alive: float, uses: list[datetime], law: Law) -> datetime | None:
    """Since when a record that has faded was neither used nor said; None for what is alive or never fades."""
    passage = found.passage
    if passage.source is not Source.RECORD or passage.pinned or passage.kind in EVERLASTING:
        return None
    if alive >= law.search_floor and passage.status is not Status.ARCHIVED:
        return None
    return max([*uses, *([found.anchor_at] if found.anchor_at else [])], default=None)
