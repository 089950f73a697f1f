"""The ways to propose candidates. Each leg is a ranking with scores between 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from types import MappingProxyType

from memoracle.index.api import Found, Index
from memoracle.model.query import Query
from memoracle.recall.question import Question

POOL = 4
"""Each leg proposes this many times the wanted number."""

Leg = Callable[[Question, Query, Index, datetime], list[tuple[Found, float]]]


def by_name(question: Question, query: Query, index: Index, now: datetime) -> list[tuple[Found, float]]:
    """Passages that answer to a name, key or id in the question; an exact hit is worth 1."""
    return [
        (found, 1.0) for found in index.search_names(question.names, query.filters, query.limit * POOL, now)
    ]


def by_words(question: Question, query: Query, index: Index, now: datetime) -> list[tuple[Found, float]]:
    """Passages that share words with the question: r / (1 + r) of the BM25 rank."""
    hits = index.search_words(question.terms, query.filters, query.limit * POOL, now)
    return [(found, found.score / (1 + found.score)) for found in hits]


LEGS = MappingProxyType({"name": by_name, "words": by_words})
