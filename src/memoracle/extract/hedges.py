"""Fact or belief: how sure the speaker is of what they say (S2.021, S2.025)."""

from __future__ import annotations

from memoracle.extract.lexicon import lexicons_for, lowest

CERTAIN = 1.0
LEAST, MOST = 0.3, 0.8


def confidence(text: str) -> float:
    """1.0 for a plain statement; 0.3 to 0.8 for a hedged one, the weakest hedge deciding."""
    found = [number for lexicon in lexicons_for(text) if (number := lowest(text, lexicon, lexicon.hedges))]
    return min(MOST, max(LEAST, min(found))) if found else CERTAIN
