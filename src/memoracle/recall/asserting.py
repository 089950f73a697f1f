"""What of a passage is evidence for a question: what it asserts, never what it asks.

A question that somebody asked before is context for its answer and nothing else, and so is "I don't know". An order to
an agent, or what a question carries by the way, says something only where it says more than is being asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from memoracle.learn.assertions import asserted, is_request, states
from memoracle.text import telling_terms, terms


def is_evidence(text: str, asked: frozenset[str]) -> bool:
    """False for what only asks, only says that nothing is known, or only repeats the question."""
    if states(text):
        return not (is_request(text) and asked.issuperset(telling_terms(text)))
    carried = asserted(text).carried
    return bool(carried) and not asked.issuperset(telling_terms(carried))


def terms_asked(question: str) -> frozenset[str]:
    """The terms of a question, for `is_evidence`."""
    return frozenset(terms(question))


def asserted_share(text: str, worth: Mapping[str, float]) -> float:
    """How much of what a text has in common with the asked terms it asserts, from 0 to 1."""
    said = asserted(text)
    if said.is_whole:
        return 1.0
    whole = _common(text, worth)
    told = said.text
    if said.carried and not worth.keys() >= set(telling_terms(said.carried)):
        told = f"{told}\n{said.carried}"
    if not whole:  # an answer that shares no word with its question; "I don't know, nice weather" is none
        return float(bool(told) and not said.confesses)
    return _common(told, worth) / whole


def _common(text: str, worth: Mapping[str, float]) -> float:
    present = set(terms(text))
    return sum(value for term, value in worth.items() if term in present)
