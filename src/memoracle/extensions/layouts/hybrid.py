"""The hybrid formula of a published design, with its arithmetic corrected, as a recipe of its own.

0.7 vector + 0.3 words; r/(1+r) of the BM25 rank; half-life of thirty days for dated text; then
maximal marginal relevance with λ 0.7. Weights are renormalised when one side is missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

from memoracle.index.api import Candidate, Index
from memoracle.inference.api import Embedder, EmbeddingKind
from memoracle.model.search import EvidenceSource, Query
from memoracle.recall.evidence import EXACT, Proposal, RankedCandidate
from memoracle.recall.question import Question
from memoracle.recall.verdict import CONSIDERED, asserted_share, is_evidence, terms_asked
from memoracle.text import telling_terms

VECTOR, WORDS = 0.7, 0.3
POOL = 4
HALF_LIFE_DAYS = 30.0
DIVERSITY = 0.7


def word_score(rank: float) -> float:
    """A BM25 rank (SQLite's sign: the best is the most negative) as a score from 0 to 1."""
    relevance = max(0.0, -rank)
    return relevance / (1 + relevance)


def hybrid(vector: float | None, words: float | None) -> float:
    """Both scores as one; the weights are renormalised when one side is missing."""
    parts = [(VECTOR, vector), (WORDS, words)]
    present = [(weight, score) for weight, score in parts if score is not None]
    return sum(weight * score for weight, score in present) / (sum(weight for weight, _ in present) or 1.0)


def decay(score: float, age_days: float) -> float:
    """A score that halves every thirty days; the future counts as today."""
    return score * math.exp(-math.log(2) / HALF_LIFE_DAYS * max(0.0, age_days))


def diversify(
    items: Sequence[tuple[float, frozenset[str]]], wanted: int, diversity: float = DIVERSITY
) -> list[int]:
    """The places of the chosen items, in order: relevant, and unlike what was chosen before."""
    scores = [score for score, _ in items]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    relevance = [(score - low) / (high - low) if high > low else 1.0 for score in scores]
    chosen: list[int] = []
    rest = list(range(len(items)))
    closest = [0.0] * len(items)
    while rest and len(chosen) < wanted:
        best = max(
            rest, key=lambda n: (diversity * relevance[n] - (1 - diversity) * closest[n], scores[n], -n)
        )
        rest.remove(best)
        chosen.append(best)
        for other in rest:
            closest[other] = max(closest[other], _jaccard(items[best][1], items[other][1]))
    return chosen


def propose(
    question: Question, query: Query, index: Index, now: datetime, model: Embedder | None
) -> Proposal:
    """Candidates of both sides, mixed, aged, and diversified."""
    size = query.limit * POOL
    arrays = index.ranking()
    asked = terms_asked(question.text)
    telling = list(dict.fromkeys(telling_terms(question.text)))
    words = {
        (hit.passage.ref, hit.passage.version): (hit, word_score(-hit.score))
        for hit in index.search_words(
            telling, query.filters, size, now, only=lambda text: is_evidence(text, asked)
        )
    }
    vectors: dict[tuple[str, int], tuple[Candidate, float]] = {}
    allowed = arrays.allowed(query.filters, now)
    if model is not None and model.name in arrays.spaces():
        vector = model.embed([question.text], EmbeddingKind.QUERY)[0]
        near, _ = arrays.nearness(model.name, vector)
        near[~allowed[: len(near)]] = -2
        best = [int(row) for row in (-near).argsort(kind="stable")[:size] if near[row] > -2]
        exact = arrays.cosines(model.name, vector, best)
        for row, hit in index.fetch(best, query.filters, now).items():
            if not is_evidence(hit.passage.text, asked):
                continue
            vectors[hit.passage.ref, hit.passage.version] = (hit, exact.get(row, 0.0))
    mixed = []
    for key in dict.fromkeys([*words, *vectors]):
        found = (words.get(key) or vectors[key])[0]
        vector_score = vectors.get(key, (found, 0.0))[1] if vectors else None
        score = hybrid(vector_score, words.get(key, (found, 0.0))[1])
        mixed.append((found, _aged(found, score, now)))
    mixed.sort(key=lambda pair: (-pair[1], pair[0].passage.path, pair[0].passage.first_line))
    order = diversify([(score, frozenset(telling_terms(f.passage.text))) for f, score in mixed], len(mixed))
    ranked = tuple(
        RankedCandidate(found=mixed[n][0], score=1 / (1 + place), legs={"hybrid": round(mixed[n][1], 4)})
        for place, n in enumerate(order)
    )
    named = [
        one
        for one in index.search_names(question.names, query.filters, size, now)
        if one.passage.ref in question.names or is_evidence(one.passage.text, asked)
    ]
    exact_hits = tuple(RankedCandidate(found=f, score=EXACT, legs={"name": 1.0}, exact=True) for f in named)
    refs = {f.passage.ref for f in named}
    candidates = (*exact_hits, *(one for one in ranked if one.found.passage.ref not in refs))
    worth = dict.fromkeys(telling, 1.0)
    best_score = max(
        (score * asserted_share(found.passage.text, worth) for found, score in mixed[:CONSIDERED]),
        default=0.0,
    )
    return Proposal(
        candidates=candidates,
        confidence=1.0 if exact_hits else best_score,
        says=(f"{len(words)} by words, {len(vectors)} by vectors",),
    )


def _aged(found: Candidate, score: float, now: datetime) -> float:
    at = found.passage.at
    if found.passage.source is not EvidenceSource.NOTE or at is None:
        return score
    return decay(score, (now - at).total_seconds() / 86_400)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
