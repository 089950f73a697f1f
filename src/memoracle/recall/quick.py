"""Words alone, without numpy: for hooks, and for stores that have no vectors.

Confidence is the share of the question's weight that the best passage carries.
"""

from __future__ import annotations

import math
from datetime import datetime

from memoracle.index.api import Found, Index
from memoracle.model.query import Query
from memoracle.recall.ask import Question
from memoracle.recall.asserting import asserted_share, is_evidence, terms_asked
from memoracle.recall.candidate import EXACT, Candidate, Proposal
from memoracle.text import telling_terms, terms

_COMMON = 0.01
_SMALL_STORE = 5000
_MOST_TERMS = 12
_POOL = 4


def propose(question: Question, query: Query, index: Index, now: datetime) -> Proposal:
    """Passages that share rare words with the question, and those that answer to a name in it."""
    telling = list(dict.fromkeys(telling_terms(question.text)))
    counts, total = index.frequencies(telling)
    idf = {term: math.log(1 + (total - counts[term] + 0.5) / (counts[term] + 0.5)) for term in telling}
    present = sorted((term for term in telling if counts[term]), key=lambda term: (counts[term], term))
    rare = [term for term in present if total < _SMALL_STORE or counts[term] <= total * _COMMON]
    chosen = (rare or present[:2])[:_MOST_TERMS]
    size = query.limit * _POOL
    asked = terms_asked(question.text)
    candidates = {
        _key(found): Candidate(found=found, score=EXACT, legs={"name": 1.0}, exact=True)
        for found in index.search_names(question.names, query.filters, size, now)
        if found.passage.ref in question.names or is_evidence(found.passage.text, asked)
    }
    whole = sum(idf.values()) or 1.0
    for found in index.search_words(
        chosen, query.filters, size, now, only=lambda text: is_evidence(text, asked)
    ):
        before = candidates.get(_key(found))
        legs = {"words": found.score / whole}
        candidates[_key(found)] = Candidate(
            found=found,
            score=found.score / whole + (before.score if before else 0.0),
            legs=legs | dict(before.legs if before else {}),
            exact=before is not None,
        )
    ranked = sorted(
        candidates.values(),
        key=lambda one: (-one.score, one.found.passage.path, one.found.passage.first_line),
    )
    return Proposal(
        candidates=tuple(ranked),
        confidence=_confidence(ranked, idf),
        says=(f"words: {' '.join(chosen) or '(none known)'}", f"{len(ranked)} candidates"),
    )


def _confidence(ranked: list[Candidate], idf: dict[str, float]) -> float:
    if not ranked:
        return 0.0
    if ranked[0].exact:
        return 1.0
    whole = sum(idf.values())
    best = 0.0
    for candidate in ranked[:3]:
        passage = candidate.found.passage
        present = set(terms(f"{passage.who}\n{passage.title}\n{passage.text}\n{' '.join(passage.tags)}"))
        held = sum(weight for term, weight in idf.items() if term in present)
        best = max(best, held / whole * asserted_share(passage.text, idf) if whole else 0.0)
    return best


def _key(found: Found) -> tuple[str, int]:
    return found.passage.ref, found.passage.version
