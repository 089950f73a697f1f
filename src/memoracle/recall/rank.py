"""From an ask to a ranking: candidates from every leg, signals for each, one linear score.

The weights are log-odds, fitted on public conversations (people with people, people with
assistants, in English and Chinese), and are the same for every store. A store of a few thousand
passages is ranked whole; a larger one through the best candidates of each leg and what stands
around them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memoracle.index.api import Passages, Ranking
from memoracle.model.value import field, replace, value
from memoracle.recall import signals
from memoracle.recall.question import Ask, Window
from memoracle.text import is_unspaced

if TYPE_CHECKING:
    from memoracle.index.api import Numbers, Rows


# Pseudo-relevance feedback, as in Rocchio and RM3: the three best passages lend their rarest other words. A passage is
# never lifted by its own words: it is judged by what the others lend.

_PASSAGES, _TERMS = 3, 8
_SHORTEST = 8
_COMMON = 0.1
_SHARPNESS = 0.5


def pseudo_relevance_feedback(
    terms: signals.AskTerms, scores: Numbers, rows: Rows, arrays: Ranking, passages: Passages
) -> dict[str, Numbers]:
    """The signals `feedback` and `feedback_own` of every candidate."""
    nothing = np.zeros(len(rows), dtype=np.float32)
    top = np.argsort(-scores, kind="stable")[:_PASSAGES]
    if not len(top):
        return {"feedback": nothing, "feedback_own": nothing}
    lent = _lent(rows[top].tolist(), np.exp((scores[top] - scores[top[0]]) * _SHARPNESS), arrays)
    total: dict[int, float] = {}
    for own in lent:
        for term, share in own.items():
            total[term] = total.get(term, 0.0) + share
    known = arrays.words([term for term in total if term not in set(terms.ids)])
    limit = max(3.0, _COMMON * passages.count)
    value = {
        term: signals.idf(frequency, passages.count)
        for term, (_, frequency) in known.items()
        if 2 <= frequency < limit
    }
    chosen = sorted(value, key=lambda term: (-total[term] * value[term], term))[:_TERMS]
    if not chosen:
        return {"feedback": nothing, "feedback_own": nothing}
    worth = np.array([total[term] * value[term] for term in chosen], dtype=np.float32)
    said = np.stack([_said(term, rows, arrays, passages) for term in chosen])
    others = worth @ said / worth.sum()
    own_part = nothing.copy()
    for place, own in zip(top.tolist(), lent, strict=True):
        rest = np.array([max(0.0, total[t] - own.get(t, 0.0)) * value[t] for t in chosen], dtype=np.float32)
        from_others = float(rest @ said[:, place] / worth.sum())
        own_part[place] = others[place] - from_others
        others[place] = from_others
    return {"feedback": others.astype(np.float32), "feedback_own": own_part}


def _lent(rows: list[int], weights: Numbers, arrays: Ranking) -> list[dict[int, float]]:
    """The share each passage gives to each of its terms."""
    held = arrays.tokens(rows)
    shares = (weights / weights.sum()).tolist()
    lent = []
    for row, share in zip(rows, shares, strict=True):
        ids = held[row][held[row] > 0].tolist()
        own: dict[int, float] = {}
        for term in ids:
            own[term] = own.get(term, 0.0) + share / max(_SHORTEST, len(ids))
        lent.append(own)
    return lent


def _said(term: int, rows: Rows, arrays: Ranking, passages: Passages) -> Numbers:
    found, counts = arrays.postings(term)
    scratch = np.zeros(len(passages.flags), dtype=np.float32)
    scratch[found] = counts
    return signals.saturated(scratch[rows], passages.length[rows] / passages.average)


WITH_VECTORS: Mapping[str, float] = MappingProxyType(
    {
        "stretch": 2.0,  # BM25 of the best chunk, as a share of what the ask is worth
        "window": 5.0,  # BM25 of the passage with some words of what was said around it
        "coverage": 2.0,  # share of the ask in the passage; neighbours count less
        "feedback": 3.5,  # what the best passages say besides
        "feedback_own": 0.5,
        "vector": 5.0,  # cosine of the best chunk above the store's background, English space
        "session_vector": 5.0,  # best of its session
        "vector_other": 4.5,  # the same in the multilingual space
        "session_vector_other": 2.0,
        "owner": 4.4,  # said by the owner, where an assistant speaks too
        "agent_asked": 2.6,  # said by the assistant, and asked what the assistant said
        "agent_addressed": 2.8,  # said by the assistant, and the question says "you"
        "speaker_named": 1.2,
        "speaker_other": -1.3,
        "moment": 5.0,  # its day fits the time the question names
        "time_wanted": 1.4,
        "number_wanted": 1.1,
        "place_wanted": 0.9,
        "asks": -0.6,  # it ends with a question mark
        "follows_question": 0.4,
        "opens": 0.9,  # first of a run of talk
    }
)
WORDS_ONLY: Mapping[str, float] = MappingProxyType(
    {
        **WITH_VECTORS,
        "stretch": 4.3,
        "window": 8.9,
        "coverage": 1.3,
        "feedback": 5.2,
        "feedback_own": 1.9,
        "owner": 4.6,
        "agent_asked": 2.9,
        "agent_addressed": 2.9,
        "speaker_named": 1.5,
        "speaker_other": -1.7,
        "moment": 5.4,
        "time_wanted": 1.3,
        "number_wanted": 1.2,
        "place_wanted": 1.0,
        "follows_question": 0.45,
        "opens": 1.0,
    }
)


@value
class Effort:
    """How far a recipe looks: a store of up to `ranked_whole` passages is ranked whole."""

    ranked_whole: int = 3000
    from_words: int = 400
    from_vectors: int = 300
    with_neighbours: int = 150
    closely_read: int = 500
    rescored: int = 80


@value
class Nearness:
    """How near every passage is to the question in one space (-2: no vector), the background, the best rows."""

    scores: Numbers
    background: float
    best: Rows


@value
class RankedRows:
    """Candidates with their scores and the signals behind them, best first."""

    rows: Rows
    scores: Numbers
    signals: Mapping[str, Numbers]
    weights: Mapping[str, float]
    own_coverage: Numbers
    is_unspaced: bool
    worth: Mapping[str, float] = field(default_factory=dict)
    """What each term of the ask is worth that the store knows."""


@value
class Setting:
    """What an ask is ranked against."""

    arrays: Ranking
    passages: Passages
    allowed: NDArray[np.bool_]
    named: Sequence[int]
    speakers: int
    effort: Effort


def rank(ask: Ask, setting: Setting, windows: Sequence[Window], near: Mapping[str, Nearness]) -> RankedRows:
    """Every candidate, scored and sorted. `near` is by signal: `vector` or `vector_other`."""
    arrays, passages = setting.arrays, setting.passages
    weights = WITH_VECTORS if near else WORDS_ONLY
    terms = signals.read_terms(ask, arrays, passages.count)
    words = signals.relevance(terms, arrays, passages)
    rows = _candidates(words, near, windows, setting)
    around = signals.neighbourhood(rows, passages)
    counts = signals.counts_around(terms, around, arrays, len(passages.flags))
    found: dict[str, Numbers] = {}
    found["window"] = signals.window(terms, counts, around, passages)
    own, found["coverage"] = signals.coverage(terms, counts)
    found |= signals.manner(ask.text, setting.named, rows, passages, speakers=setting.speakers)
    found["moment"] = signals.moments(windows, rows, passages)
    found |= _vectors(near, rows, passages)
    found["stretch"] = _chunk(terms, found, rows, setting)
    scores = _weighed(found, weights, len(rows))
    found |= (more := pseudo_relevance_feedback(terms, scores, rows, arrays, passages))
    scores = scores + _weighed(more, weights, len(rows))
    order = np.lexsort((rows, -scores))
    order = order[_has_something_to_do(found, own)[order]]
    return RankedRows(
        rows=rows[order],
        scores=scores[order],
        signals={name: values[order] for name, values in found.items()},
        weights=weights,
        own_coverage=own[order],
        is_unspaced=is_unspaced(ask.text),
        worth=dict(zip(terms.words, terms.worth.tolist(), strict=True)),
    )


def without(ranking: RankedRows, left_out: Collection[int]) -> RankedRows:
    """The same ranking without some of its rows."""
    if not left_out:
        return ranking
    kept = np.array([row not in left_out for row in ranking.rows.tolist()], dtype=np.bool_)
    return replace(
        ranking,
        rows=ranking.rows[kept],
        scores=ranking.scores[kept],
        signals={name: values[kept] for name, values in ranking.signals.items()},
        own_coverage=ranking.own_coverage[kept],
    )


def _has_something_to_do(found: Mapping[str, Numbers], own: Numbers) -> NDArray[np.bool_]:
    """False for what shares no word with the ask, stands beside no such word, and is not near it either."""
    touched = (own > 0) | (found["window"] > 0) | (found["moment"] > 0)
    for name in ("vector", "vector_other"):
        if name in found:
            touched |= found[name] > 0
    return touched


def _weighed(found: Mapping[str, Numbers], weights: Mapping[str, float], size: int) -> Numbers:
    scores = np.zeros(size, dtype=np.float32)
    for name, values in found.items():
        scores += np.float32(weights[name]) * values
    return scores


def _candidates(
    words: Numbers, near: Mapping[str, Nearness], windows: Sequence[Window], setting: Setting
) -> Rows:
    """Rows worth a closer look, ascending."""
    passages, allowed = setting.passages, setting.allowed
    standing = np.flatnonzero(allowed)
    effort = setting.effort
    if len(standing) <= effort.ranked_whole:
        return standing
    held = np.flatnonzero(words)
    held = held[allowed[held]]
    fitting = held[best_rows(words[held], effort.from_words)]
    leading = fitting[best_rows(words[fitting], effort.with_neighbours)]
    chosen = [fitting, *(one.best for one in near.values())]
    around = signals.neighbourhood(leading, passages)
    chosen.append(around.table[:, signals.REACH - 2 : signals.REACH + 3].ravel())
    if windows:
        chosen.append(
            best_rows(np.where(allowed, signals.days_that_fit(windows, passages), 0), effort.from_words)
        )
    rows = signals.distinct(np.concatenate(chosen))
    return rows[(rows > 0) & allowed[rows]]


def best_rows(scores: Numbers, number: int) -> Rows:
    """The rows with the greatest scores above 0, in no particular order."""
    every = len(scores) <= number
    part = np.arange(len(scores)) if every else np.argpartition(-scores, number)[:number]
    return part[scores[part] > 0]


def _vectors(near: Mapping[str, Nearness], rows: Rows, passages: Passages) -> dict[str, Numbers]:
    """How far above the background each candidate is, and the best of its session; 0 without a vector."""
    found = {}
    for name, one in near.items():
        own = one.scores[rows]
        present = own > -2
        best = np.full(len(passages.session_length), -2, dtype=np.float32)
        np.maximum.at(best, passages.session, one.scores)
        of_session = np.where(passages.session[rows] > 0, best[passages.session[rows]], own)
        found[name] = np.where(present, own - one.background, 0).astype(np.float32)
        found[f"session_{name}"] = np.where(present, of_session - one.background, 0).astype(np.float32)
    return found


def _chunk(terms: signals.AskTerms, found: Mapping[str, Numbers], rows: Rows, setting: Setting) -> Numbers:
    """The best chunk of every candidate that has a chance: it needs their words one by one."""
    rough = found["window"] + found["coverage"]
    closely = np.sort(np.argsort(-rough, kind="stable")[: setting.effort.closely_read])
    closely = closely[found["coverage"][closely] > 0]
    chosen = rows[closely].tolist()
    tokens = setting.arrays.tokens(chosen)
    result = np.zeros(len(rows), dtype=np.float32)
    result[closely] = signals.best_chunk(terms, [tokens[row] for row in chosen], setting.passages)
    return result
