"""Is this evidence enough? A calibrated confidence, and what it means.

The confidence is a logistic of how strong the best passage is, without what speaks for any
passage whatever is asked, and of whether the speaker the question names says it or somebody else
does. It was fitted on answerable questions against unanswerable ones, and against answerable
ones whose answer was taken out of the store.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from memoracle.model.hit import Verdict

if TYPE_CHECKING:
    from memoracle.recall.rank import Ranking, Setting

FOUND = 0.5
WEAK = 0.25
_PRIORS = ("owner", "opens", "asks", "follows_question", "agent_asked", "agent_addressed")
_BASE, _STRENGTH, _OTHER_SPEAKER, _OTHER_SPACE = -6.0, 0.7, 3.0, 0.0


def judge(confidence: float) -> Verdict:
    """How an answer with this confidence ends."""
    if confidence >= FOUND:
        return Verdict.FOUND
    return Verdict.WEAK if confidence >= WEAK else Verdict.NOT_IN_MEMORY


def confidence_of(ranking: Ranking, setting: Setting) -> float:
    """How likely it is that the store answers the ask."""
    from memoracle.recall.rank import WEIGHTS

    if not len(ranking.rows):
        return 0.0
    prior = sum(
        WEIGHTS[name] * float(ranking.signals[name][0]) for name in _PRIORS if name in ranking.signals
    )
    strength = float(ranking.scores[0]) - prior
    zero = 0.0
    other = ranking.signals.get("vector_other")
    in_other = 1.0 if other is not None and float(other[0]) > 0 else 0.0
    logit = _BASE + _STRENGTH * strength + _OTHER_SPEAKER * _lead(ranking) + _OTHER_SPACE * in_other + zero
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def _lead(ranking: Ranking) -> float:
    """By how much the named speaker's best falls short of the others' best, from -1 to 0."""
    named, others = ranking.signals.get("speaker_named"), ranking.signals.get("speaker_other")
    if named is None or others is None:
        return 0.0
    own = 2 * ranking.signals["stretch"] + ranking.own_coverage
    for name in ("vector", "vector_other"):
        if name in ranking.signals:
            own = own + 3 * ranking.signals[name]
    mine, theirs = own[named > 0], own[others > 0]
    if not len(mine) or not len(theirs):
        return 0.0
    return max(-1.0, min(0.0, float(mine.max() - theirs.max())))
