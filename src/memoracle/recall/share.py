"""Nobody outside fills an answer: one session's tool output, pages and agent's records take a third of it at most.

Pure. The bound holds while others have evidence too: what is beyond its share waits behind everybody else, and comes
back where they leave room. The owner's words, and what was said in conversations, are not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memoracle.model.hit import Hit, Source
from memoracle.model.record import OUTSIDE, Channel

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
