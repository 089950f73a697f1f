"""What the best passages say besides the words of the question, and who else says it.

The three best passages lend their rarest other words. A passage is never lifted by its own words:
it is judged by what the others lend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memoracle.index.api import Passages, Ranking
from memoracle.recall import signals

if TYPE_CHECKING:
    from memoracle.index.api import Numbers, Rows

_PASSAGES, _TERMS = 3, 8
_SHORTEST = 8
_COMMON = 0.1
_SHARPNESS = 0.5


def feedback(
    terms: signals.AskTerms, scores: Numbers, rows: Rows, arrays: Ranking, passages: Passages
) -> dict[str, Numbers]:
    """The signals `feedback` and `feedback_own` of every candidate."""
    nothing = np.zeros(len(rows), dtype=np.float32)
    top = np.argsort(-scores, kind="stable")[:_PASSAGES]
    if not len(top):
        return {"feedback": nothing, "feedback_own": nothing}
    lent = _lent(rows[top].tolist(), np.exp((scores[top] - scores[top[0]]) * _SHARPNESS), arrays)
    total: dict[int, float] = {}
    for own in lent:
        for term, share in own.items():
            total[term] = total.get(term, 0.0) + share
    known = arrays.words([term for term in total if term not in set(terms.ids)])
    limit = max(3.0, _COMMON * passages.count)
    value = {
        term: signals.idf(frequency, passages.count)
        for term, (_, frequency) in known.items()
        if 2 <= frequency < limit
    }
    chosen = sorted(value, key=lambda term: (-total[term] * value[term], term))[:_TERMS]
    if not chosen:
        return {"feedback": nothing, "feedback_own": nothing}
    worth = np.array([total[term] * value[term] for term in chosen], dtype=np.float32)
    said = np.stack([_said(term, rows, arrays, passages) for term in chosen])
    others = worth @ said / worth.sum()
    own_part = nothing.copy()
    for place, own in zip(top.tolist(), lent, strict=True):
        rest = np.array([max(0.0, total[t] - own.get(t, 0.0)) * value[t] for t in chosen], dtype=np.float32)
        from_others = float(rest @ said[:, place] / worth.sum())
        own_part[place] = others[place] - from_others
        others[place] = from_others
    return {"feedback": others.astype(np.float32), "feedback_own": own_part}


def _lent(rows: list[int], weights: Numbers, arrays: Ranking) -> list[dict[int, float]]:
    """The share each passage gives to each of its terms."""
    held = arrays.tokens(rows)
    shares = (weights / weights.sum()).tolist()
    lent = []
    for row, share in zip(rows, shares, strict=True):
        ids = held[row][held[row] > 0].tolist()
        own: dict[int, float] = {}
        for term in ids:
            own[term] = own.get(term, 0.0) + share / max(_SHORTEST, len(ids))
        lent.append(own)
    return lent


def _said(term: int, rows: Rows, arrays: Ranking, passages: Passages) -> Numbers:
    found, counts = arrays.postings(term)
    scratch = np.zeros(len(passages.flags), dtype=np.float32)
    scratch[found] = counts
    return signals.saturated(scratch[rows], passages.length[rows] / passages.average)
