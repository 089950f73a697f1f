"""The named recipes. Each proposes candidates in its own way; the rest of the pipeline is the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.errors import BadInput
from memoracle.index.api import Candidate, Index
from memoracle.model.query import Query
from memoracle.recall.candidate import EXACT, Proposal, RankedCandidate
from memoracle.recall.question import Question
from memoracle.recall.verdict import asserted_share, is_evidence, terms_asked
from memoracle.text import telling_terms, terms

if TYPE_CHECKING:
    from memoracle.inference.api import Embedder
    from memoracle.inference.script import Space


Models = Callable[[], "Mapping[Space, Embedder]"]
Recipe = Callable[[Question, Query, Index, datetime, Models], Proposal]
_COMMON = 0.01
_SMALL_STORE = 5000
_MOST_TERMS = 12
_POOL = 4


def quick(question: Question, query: Query, index: Index, now: datetime, _: Models) -> Proposal:
    """Words and names alone, without numpy: passages that share rare words with the question, or have a name in it.

    Confidence is the share of the question's weight that the best passage carries.
    """
    telling = list(dict.fromkeys(telling_terms(question.text)))
    counts, total = index.frequencies(telling)
    idf = {term: math.log(1 + (total - counts[term] + 0.5) / (counts[term] + 0.5)) for term in telling}
    present = sorted((term for term in telling if counts[term]), key=lambda term: (counts[term], term))
    rare = [term for term in present if total < _SMALL_STORE or counts[term] <= total * _COMMON]
    chosen = (rare or present[:2])[:_MOST_TERMS]
    size = query.limit * _POOL
    asked = terms_asked(question.text)
    candidates = {
        _key(found): RankedCandidate(found=found, score=EXACT, legs={"name": 1.0}, exact=True)
        for found in index.search_names(question.names, query.filters, size, now)
        if found.passage.ref in question.names or is_evidence(found.passage.text, asked)
    }
    whole = sum(idf.values()) or 1.0
    for found in index.search_words(
        chosen, query.filters, size, now, only=lambda text: is_evidence(text, asked)
    ):
        before = candidates.get(_key(found))
        legs = {"words": found.score / whole}
        candidates[_key(found)] = RankedCandidate(
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


def _confidence(ranked: list[RankedCandidate], idf: dict[str, float]) -> float:
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


def _key(found: Candidate) -> tuple[str, int]:
    return found.passage.ref, found.passage.version


def balanced(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """Every signal; vectors where there are any."""
    from memoracle.recall.balanced import propose
    from memoracle.recall.rank import Effort

    return propose(question, query, index, now, models() if index.has_vectors() else {}, Effort())


def deep(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """The same signals over several times as many candidates: slower, for large stores and hard questions."""
    from memoracle.recall.balanced import propose
    from memoracle.recall.rank import Effort

    effort = Effort(
        ranked_whole=20_000,
        from_words=2000,
        from_vectors=1500,
        with_neighbours=600,
        closely_read=3000,
        rescored=600,
    )
    return propose(question, query, index, now, models() if index.has_vectors() else {}, effort)


def openclaw(question: Question, query: Query, index: Index, now: datetime, models: Models) -> Proposal:
    """The published hybrid formula: 0.7 vector, 0.3 words, decay by age, MMR."""
    from memoracle.recall.openclaw import propose

    return propose(question, query, index, now, models() if index.has_vectors() else {})


RECIPES: Mapping[str, Recipe] = {"quick": quick, "balanced": balanced, "deep": deep, "openclaw": openclaw}


def recipe_named(name: str) -> Recipe:
    """The recipe of that name."""
    try:
        return RECIPES[name]
    except KeyError:
        raise BadInput(f"no recipe is called `{name}`", f"known recipes: {', '.join(RECIPES)}") from None
