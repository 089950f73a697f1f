"""Is this evidence enough? Confidence is the share of the question's weight that the best hits carry."""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.model.hit import Hit, Verdict
from memoracle.recall.question import Question
from memoracle.text import terms

FOUND = 0.5
WEAK = 0.2
_LOOKED_AT = 3


def judge(question: Question, hits: Sequence[Hit]) -> tuple[Verdict, float]:
    """How the answer ends, and how sure that is."""
    if not hits:
        return Verdict.NOT_IN_MEMORY, 0.0
    best = max(_confidence(question, hit) for hit in hits[:_LOOKED_AT])
    if best >= FOUND:
        return Verdict.FOUND, best
    return (Verdict.WEAK if best >= WEAK else Verdict.NOT_IN_MEMORY), best


def _confidence(question: Question, hit: Hit) -> float:
    if "name" in hit.legs:
        return 1.0
    whole = sum(question.idf.values())
    passage = hit.passage
    present = set(terms(f"{passage.who}\n{passage.title}\n{passage.text}\n{' '.join(passage.tags)}"))
    carried = sum(weight for term, weight in question.idf.items() if term in present)
    return round(carried / whole, 4) if whole else 0.0
