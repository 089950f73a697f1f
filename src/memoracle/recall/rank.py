"""From an ask to a ranking: candidates from every leg, signals for each, one linear score.

The weights were fitted on public conversations (people with people, people with assistants, in
English and Chinese) and are the same for every store. A store of a few thousand passages is
ranked whole; a larger one through the best candidates of each leg and what stands around them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from memoracle.index.sqlite.arrays import Arrays, Numbers, Passages, Rows
from memoracle.recall import signals
from memoracle.recall.ask import Ask
from memoracle.recall.when import Window

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "stretch": 2.0,
        "window": 5.0,
        "coverage": 2.0,
        "feedback": 3.5,
        "feedback_own": 0.5,
        "close": 0.3,
        "owner": 4.4,
        "agent_asked": 2.6,
        "agent_addressed": 2.8,
        "speaker_named": 1.2,
        "speaker_other": -1.3,
        "moment": 5.0,
        "time_wanted": 1.4,
        "number_wanted": 1.1,
        "place_wanted": 0.9,
        "asks": -0.6,
        "follows_question": 0.4,
        "opens": 0.9,
        "vector": 5.0,
        "vector_other": 4.5,
        "session_vector": 5.0,
    }
)
_VECTOR_SIGNALS = ("vector", "session_vector", "vector_other")
_RANKED_WHOLE = 3000
_FROM_WORDS, _FROM_VECTORS, _WITH_NEIGHBOURS = 400, 200, 100
_CLOSELY_READ, _RESCORED = 400, 150
_FEEDBACK_PASSAGES, _FEEDBACK_TERMS, _FEEDBACK_SHARP = 3, 8, 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """How near every passage is to the question, in the space of English and in the other."""

    english: Numbers | None = None
    other: Numbers | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Candidates with their scores and the signals behind them, best first."""

    rows: Rows
    scores: Numbers
    signals: Mapping[str, Numbers]
    own_coverage: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What an ask is ranked against."""

    arrays: Arrays
    passages: Passages
    allowed: NDArray[np.bool_]
    named: Sequence[int]
    speakers: int
    windows: Sequence[Window]


def rank(ask: Ask, setting: Setting, near: Nearness) -> Ranking:
    """Every candidate, scored and sorted."""
    arrays, passages = setting.arrays, setting.passages
    terms = signals.read_terms(ask, arrays, passages.count)
    words = signals.relevance(terms, arrays, passages)
    rows = _candidates(words, near, setting)
    around = signals.neighbourhood(rows, passages)
    counts, held = signals.counts_around(terms, around, arrays, len(passages.flags))
    found: dict[str, Numbers] = {}
    found["window"] = signals.window(terms, counts, around, passages)
    own, found["coverage"] = signals.coverage(terms, counts)
    found |= signals.manner(ask.text, setting.named, rows, passages, speakers=setting.speakers)
    found["moment"] = signals.moments(setting.windows, rows, passages)
    _add_vectors(found, near, rows, passages)
    reading = _read_closely(terms, found, rows, setting)
    found |= reading
    first = words[rows] + found["window"] + 0.5 * signals.session(terms, held, rows, passages)
    first += found.get("vector", 0) + found.get("vector_other", 0) + 0.25 * found.get("owner", 0)
    found |= _feedback(terms, first, rows, setting)
    scores = _level(found, near, rows)
    for name, values in found.items():
        scores += np.float32(WEIGHTS[name]) * values
    order = np.lexsort((rows, -scores))
    return Ranking(
        rows=rows[order],
        scores=scores[order],
        signals={name: values[order] for name, values in found.items()},
        own_coverage=own[order],
    )


def _candidates(words: Numbers, near: Nearness, setting: Setting) -> Rows:
    """Rows worth a closer look, ascending."""
    passages, allowed = setting.passages, setting.allowed
    standing = np.flatnonzero(allowed)
    if len(standing) <= _RANKED_WHOLE:
        return standing
    chosen = [_best(np.where(allowed, words, 0), _FROM_WORDS)]
    for scores in (near.english, near.other):
        if scores is not None:
            chosen.append(_best(np.where(allowed, scores + 1, 0), _FROM_VECTORS))
    around = signals.neighbourhood(_best(np.where(allowed, words, 0), _WITH_NEIGHBOURS), passages)
    chosen.append(around.table[:, signals.REACH - 2 : signals.REACH + 3].ravel())
    rows = np.unique(np.concatenate(chosen))
    return rows[(rows > 0) & allowed[rows]]


def _best(scores: Numbers, number: int) -> Rows:
    every = len(scores) <= number
    part = np.arange(len(scores)) if every else np.argpartition(-scores, number)[:number]
    return part[scores[part] > 0]


def _add_vectors(found: dict[str, Numbers], near: Nearness, rows: Rows, passages: Passages) -> None:
    for name, scores in (("vector", near.english), ("vector_other", near.other)):
        if scores is None:
            continue
        own = scores[rows]
        found[name] = np.where(own > -1, np.maximum(own, 0), 0).astype(np.float32)
        if name == "vector":
            best = np.full(len(passages.session_length), -1, dtype=np.float32)
            np.maximum.at(best, passages.session, scores)
            of_session = np.where(passages.session[rows] > 0, best[passages.session[rows]], own)
            found["session_vector"] = np.where(own > -1, np.maximum(of_session, 0), 0).astype(np.float32)


def _level(found: Mapping[str, Numbers], near: Nearness, rows: Rows) -> Numbers:
    """What to add so that no space drowns the other, nor what has no vector yet.

    Cosines of two models are not on one scale. The rows of each space, and those of none, are
    lifted to the same average; within a space nothing changes.
    """
    lift = np.zeros(len(rows), dtype=np.float32)
    english = near.english[rows] > -1 if near.english is not None else np.zeros(len(rows), dtype=np.bool_)
    other = near.other[rows] > -1 if near.other is not None else np.zeros(len(rows), dtype=np.bool_)
    given = sum(
        (np.float32(WEIGHTS[name]) * found[name] for name in _VECTOR_SIGNALS if name in found),
        np.zeros(len(rows), dtype=np.float32),
    )
    groups = [mask for mask in (english, other, ~(english | other)) if mask.any()]
    if len(groups) > 1 and (english | other).any():
        highest = max(float(given[mask].mean()) for mask in groups)
        for mask in groups:
            lift[mask] = highest - float(given[mask].mean())
    return lift


def _read_closely(
    terms: signals.AskTerms, found: Mapping[str, Numbers], rows: Rows, setting: Setting
) -> dict[str, Numbers]:
    """Signals that need the words of a passage one by one, for the candidates that have a chance."""
    rough = found["window"] + found["coverage"]
    closely = np.sort(np.argsort(-rough, kind="stable")[:_CLOSELY_READ])
    closely = closely[found["coverage"][closely] > 0]
    chosen = rows[closely].tolist()
    tokens = setting.arrays.tokens(chosen)
    best, close = signals.stretches(terms, [tokens[row] for row in chosen], setting.passages)
    result = {name: np.zeros(len(rows), dtype=np.float32) for name in ("stretch", "close")}
    result["stretch"][closely], result["close"][closely] = best, close
    return result


def _feedback(terms: signals.AskTerms, first: Numbers, rows: Rows, setting: Setting) -> dict[str, Numbers]:
    """What the best passages say besides, and who else says it; each is judged by the others' words."""
    arrays, passages = setting.arrays, setting.passages
    top = np.argsort(-first, kind="stable")[:_FEEDBACK_PASSAGES]
    weight = np.exp((first[top] - first[top[0]]) * _FEEDBACK_SHARP) if len(top) else np.zeros(0)
    weight = weight / weight.sum() if len(top) else weight
    held = arrays.tokens(rows[top].tolist())
    shares: list[dict[int, float]] = []
    total: dict[int, float] = {}
    for row, share in zip(rows[top].tolist(), weight.tolist(), strict=True):
        ids = held[row][held[row] > 0]
        own: dict[int, float] = {}
        for term in ids.tolist():
            own[term] = own.get(term, 0.0) + share / max(8, len(ids))
        shares.append(own)
        for term, value in own.items():
            total[term] = total.get(term, 0.0) + value
    asked = set(terms.ids)
    frequency = arrays.words([term for term in total if term not in asked])
    limit = max(3, 0.1 * passages.count)
    ranked = sorted(
        (
            (value * signals.idf(frequency[term][1], passages.count), term)
            for term, value in total.items()
            if term in frequency and 2 <= frequency[term][1] < limit
        ),
        key=lambda pair: (-pair[0], pair[1]),
    )[:_FEEDBACK_TERMS]
    zeros = np.zeros(len(rows), dtype=np.float32)
    if not ranked:
        return {"feedback": zeros, "feedback_own": zeros}
    mass = sum(value for value, _ in ranked)
    saturated = np.stack([_saturation(arrays, term, rows, passages) for _, term in ranked])
    others = np.array([value for value, _ in ranked], dtype=np.float32) @ saturated / np.float32(mass)
    own_part = zeros.copy()
    for place, own in zip(top.tolist(), shares, strict=True):
        rest = sum(
            max(0.0, total[term] - own.get(term, 0.0))
            * signals.idf(frequency[term][1], passages.count)
            * float(saturated[number, place])
            for number, (_, term) in enumerate(ranked)
        )
        own_part[place] = others[place] - rest / mass
        others[place] = rest / mass
    return {"feedback": others.astype(np.float32), "feedback_own": own_part}


def _saturation(arrays: Arrays, term: int, rows: Rows, passages: Passages) -> Numbers:
    found, counts = arrays.postings(term)
    scratch = np.zeros(len(passages.flags), dtype=np.float32)
    scratch[found] = counts
    return signals.saturated(scratch[rows], passages.length[rows] / passages.average)
