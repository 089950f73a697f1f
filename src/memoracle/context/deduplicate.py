"""One sentence stands once in what is told, whether it was kept, kept twice, said or saved again. Pure.

Words are compared without small ones and without who says them (“my sister”, “the user's sister”), in their order, with
their numbers and negations. What adds something to a told sentence is another sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from memoracle.model.value import value
from memoracle.text import is_unspaced, normalise, telling_terms

_SENTENCE = re.compile(r"(?<=[.!?])\s+|[。！？；\n]+")
_NOT = re.compile(
    r"\b(?:not|no|never|cannot|without|nobody|none|nothing)\b|n['’]t\b|[不没别无未莫]", re.IGNORECASE
)
_SPEAKERS = frozenset({"user", "owner", "用", "户", "主", "人", "remember", "note"})
_FEWEST = 2


@value
class _Sentence:
    words: tuple[str, ...]
    denials: int
    plain: str


class Deduplicator:
    """What was told so far."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._plain: set[str] = set()
        self._by_word: dict[str, list[_Sentence]] = {}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Note that this is told."""
        for one in _sentences(text):
            self._plain.add(one.plain)
            for word in set(one.words):
                self._by_word.setdefault(word, []).append(one)

    def knows(self, text: str) -> bool:
        """True when every sentence of a text is told already, in these words or as part of a told sentence."""
        found = _sentences(text)
        return bool(found) and all(map(self._is_told, found))

    def _is_told(self, one: _Sentence) -> bool:
        if one.plain in self._plain:
            return True
        if len(one.words) < _FEWEST:
            return False
        rarest = min(one.words, key=lambda word: len(self._by_word.get(word, ())))
        return any(
            other.denials == one.denials and _stands_in(one.words, other.words)
            for other in self._by_word.get(rarest, ())
        )


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[_Sentence, ...]:
    found = []
    for part in _SENTENCE.split(text):
        plain = "".join(ch for ch in normalise(part) if ch.isalnum())
        if plain:
            words = tuple(
                term
                for term in telling_terms(part)
                if term not in _SPEAKERS and (len(term) == 1 or not is_unspaced(term))
            )
            found.append(_Sentence(words=words, denials=len(_NOT.findall(part)), plain=plain))
    return tuple(found)


def _stands_in(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """True when words stand in other words, in their order and close together."""
    most = 2 * len(words) + 2
    for start, word in enumerate(other):
        if word != words[0]:
            continue
        at = 0
        for place in other[start : start + most]:
            at += at < len(words) and place == words[at]
        if at == len(words):
            return True
    return False
