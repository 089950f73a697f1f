"""What of a passage is evidence, and whether it is enough (answerability): a calibrated confidence.

Evidence for a question is what a passage asserts, never what it asks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memoracle.model.search import Verdict
from memoracle.recall.assertions import asserted, is_request, states
from memoracle.text import telling_terms, terms

if TYPE_CHECKING:
    from memoracle.recall.rank import RankedRows


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


FOUND = 0.45
WEAK = 0.25
CONSIDERED = 3
"""How many of the best passages are considered."""
_PRIORS = ("owner", "agent_asked", "agent_addressed", "asks", "follows_question", "opens")
_AROUND = ("window", "coverage", "feedback", "session_vector", "session_vector_other")
_WITH_VECTORS = (-3.15, 0.36, 3.25, 1.69)
_WORDS_ONLY = (-2.46, 0.34, 3.97, 1.24)
_USUAL_LEAD, _MOST_LEAD = 0.15, 0.6


def judge(confidence: float) -> Verdict:
    """How an answer with this confidence ends."""
    if confidence >= FOUND:
        return Verdict.FOUND
    return Verdict.WEAK if confidence >= WEAK else Verdict.NOT_IN_MEMORY


def confidence_of(
    ranking: RankedRows, shares: Sequence[float] = (1.0,) * CONSIDERED, *, is_small: bool, of_record: bool
) -> float:
    """How likely it is that the store answers the ask; `shares` says how much the best passages assert of it.

    In a store of a few dozen passages there is no background to stand out from, and a record or a
    note says by itself what a conversation says in many turns: there, the share of the ask that
    the best passages carry is evidence enough.
    """
    if not len(ranking.rows):
        return 0.0
    best = [share * float(own) for share, own in zip(shares, ranking.own_coverage, strict=False)]
    carried = max(best) if is_small or of_record else 0.0
    return max(carried, _fitted(ranking, shares))


def _fitted(ranking: RankedRows, shares: Sequence[float]) -> float:
    # Fitted on the best passage; where that one asks for a part of what it shares with the ask, the next may say more.
    asserting = next((place for place, share in enumerate(shares) if share == 1.0), len(shares) - 1)
    evidence = max(shares[place] * _strength(ranking, place) for place in range(asserting + 1))
    has_vectors = "vector" in ranking.signals or "vector_other" in ranking.signals
    base, strength, speaker, unspaced = _WITH_VECTORS if has_vectors else _WORDS_ONLY
    logit = base + strength * evidence + speaker * _lead(ranking) + unspaced * ranking.is_unspaced
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def _strength(ranking: RankedRows, place: int) -> float:
    """The score of a passage without what says nothing about this ask.

    That somebody says it, or how; and, where it shares no word with the ask and answers no question, what others said
    around it: the turn after an unanswered question would else pass for its answer.
    """
    stands_alone = not ranking.own_coverage[place] and not _at(ranking, "follows_question", place)
    names = (*_PRIORS, *_AROUND) if stands_alone else _PRIORS
    return float(ranking.scores[place]) - sum(
        ranking.weights[name] * _at(ranking, name, place) for name in names
    )


def _at(ranking: RankedRows, name: str, place: int) -> float:
    return float(ranking.signals[name][place]) if name in ranking.signals else 0.0


def _lead(ranking: RankedRows) -> float:
    """By how much the named speaker covers the question better than the others do, beyond the usual."""
    named, others = ranking.signals.get("speaker_named"), ranking.signals.get("speaker_other")
    if named is None or others is None:
        return 0.0
    mine, theirs = ranking.own_coverage[named > 0], ranking.own_coverage[others > 0]
    if not len(mine) or not len(theirs):
        return 0.0
    lead = _best_three(mine.tolist()) - _best_three(theirs.tolist()) - _USUAL_LEAD
    return max(-_MOST_LEAD, min(_MOST_LEAD, lead))


def _best_three(values: list[float]) -> float:
    best = sorted(values)[-3:]
    return sum(best) / len(best)
