"""The words of a question: its terms, rarest first, the names in it, its quoted phrases."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from memoracle.text import identifiers, normalise, telling_terms

Frequencies = Callable[[Iterable[str]], tuple[Mapping[str, int], int]]

_QUOTED = re.compile("[\"“「『']([^\"“”「」『』']{2,80})[\"”」』']")
_COMMON = 0.01
_SMALL_STORE = 5000
_MOST_TERMS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, ready to be asked."""

    text: str
    terms: tuple[str, ...]
    names: tuple[str, ...]
    phrases: tuple[str, ...]
    idf: Mapping[str, float]


def read_question(text: str, frequencies: Frequencies) -> Question:
    """What to look for. Common terms are left out: each costs the whole list and says little."""
    telling = list(dict.fromkeys(telling_terms(text)))
    counts, total = frequencies(telling)
    idf = {term: math.log(1 + (total - counts[term] + 0.5) / (counts[term] + 0.5)) for term in telling}
    present = sorted((term for term in telling if counts[term]), key=lambda term: counts[term])
    rare = [term for term in present if total < _SMALL_STORE or counts[term] <= total * _COMMON]
    phrases = tuple(normalise(phrase) for phrase in _QUOTED.findall(text))
    return Question(
        text=text,
        terms=tuple((rare or present[:2])[:_MOST_TERMS]),
        names=(text.strip(), *phrases, *identifiers(text)),
        phrases=phrases,
        idf=idf,
    )
