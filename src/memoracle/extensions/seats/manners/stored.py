"""Whether memory says the same: a fact is stored when one passage carries nearly all of its telling words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memoracle.text import telling_terms

_NEARLY = 0.8
_EXACT = re.compile(r"\d[\d.:,/-]*\d|\d|#\d+|\b[A-Z]{2,10}-\d+\b", re.ASCII)


def is_stored(fact: str, passages: Iterable[str]) -> bool:
    """True when one of these passages says it. Every number of the fact must stand there as it is."""
    terms = set(telling_terms(fact))
    exact = set(_EXACT.findall(fact))
    if not terms:
        return True  # it says nothing that could be lost
    return any(
        len(terms & set(telling_terms(text))) >= _NEARLY * len(terms) and exact <= set(_EXACT.findall(text))
        for text in passages
    )
