"""From an ask to a ranking: candidates from every leg, signals for each, one linear score.

The weights are log-odds, fitted on public conversations (people with people, people with
assistants, in English and Chinese), and are the same for every store. A store of a few thousand
passages is ranked whole; a larger one through the best candidates of each leg and what stands
around them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memoracle.index.api import Candidate, Index, Passages, Ranking
from memoracle.index.features import Flag
from memoracle.inference.api import Embedder, EmbeddingKind, Reranker
from memoracle.model.search import EvidenceSource, Query
from memoracle.model.value import field, replace, value
from memoracle.recall import signals
from memoracle.recall.evidence import EXACT, Proposal, RankedCandidate
from memoracle.recall.question import Ask, Question, Window, first_names, speakers_named, windows
from memoracle.recall.reading import Said, answer_logit, answering, newest_first, rerank
from memoracle.recall.spelling import spelt_as_kept
from memoracle.recall.verdict import (
    CONSIDERED,
    asserted,
    asserted_share,
    confidence_of,
    is_evidence,
    terms_asked,
)
from memoracle.text import is_unspaced, normalise

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
    place = np.minimum(np.searchsorted(found, rows), len(found) - 1)
    return signals.saturated(counts[place] * (found[place] == rows), passages.length[rows] / passages.average)


WITH_VECTORS: Mapping[str, float] = MappingProxyType(
    {
        "stretch": 2.0,  # BM25 of the best chunk, as a share of what the ask is worth
        "window": 5.0,  # BM25 of the passage with some words of what was said around it
        "coverage": 2.0,  # share of the ask in the passage; neighbours count less
        "feedback": 3.5,  # what the best passages say besides
        "feedback_own": 0.5,
        "vector": 5.0,  # cosine of the best chunk above the store's background
        "session_vector": 5.0,  # best of its session
        "owner": 4.4,  # said by the owner, where an assistant speaks too
        "agent_asked": 2.6,  # said by the assistant, and asked what the assistant said
        "agent_addressed": 2.8,  # said by the assistant, and the question says "you"
        "speaker_named": 1.2,
        "speaker_other": -1.3,
        "of_another": -3.0,  # somebody else's words, where the owner asks of themselves
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
    read: int = 16
    """How many of the best are read together with the question."""


@value
class _Nearness:
    """How near every passage is to the question (-2: no vector), the background, the best rows."""

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
class _Setting:
    """What an ask is ranked against."""

    arrays: Ranking
    passages: Passages
    allowed: NDArray[np.bool_]
    named: Sequence[int]
    speakers: Mapping[str, int]
    effort: Effort


def rank(ask: Ask, setting: _Setting, windows: Sequence[Window], near: _Nearness | None) -> RankedRows:
    """Every candidate, scored and sorted."""
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
    found |= signals.manner(ask.text, setting.named, rows, passages, setting.speakers)
    found["moment"] = signals.moments(windows, rows, passages)
    if near:
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
    return touched | (found["vector"] > 0) if "vector" in found else touched


def _weighed(found: Mapping[str, Numbers], weights: Mapping[str, float], size: int) -> Numbers:
    scores = np.zeros(size, dtype=np.float32)
    for name, values in found.items():
        scores += np.float32(weights[name]) * values
    return scores


def _candidates(words: Numbers, near: _Nearness | None, windows: Sequence[Window], setting: _Setting) -> Rows:
    """Rows worth a closer look, ascending."""
    passages, allowed = setting.passages, setting.allowed
    effort = setting.effort
    if np.count_nonzero(allowed) <= effort.ranked_whole:
        return np.flatnonzero(allowed)
    held = np.flatnonzero(words)
    held = held[allowed[held]]
    fitting = held[best_rows(words[held], effort.from_words)]
    leading = fitting[best_rows(words[fitting], effort.with_neighbours)]
    chosen = [fitting, *([near.best] if near else [])]
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


def _vectors(near: _Nearness, rows: Rows, passages: Passages) -> dict[str, Numbers]:
    """How far above the background each candidate is, and the best of its session; 0 without a vector."""
    own = near.scores[rows]
    present = own > -2
    sessions = passages.session[rows]
    best = np.full(len(passages.session_length), -2, dtype=np.float32)
    wanted = np.zeros(len(best), dtype=np.bool_)
    wanted[sessions[sessions > 0]] = True
    members = np.flatnonzero(wanted[passages.session])
    np.maximum.at(best, passages.session[members], near.scores[members])
    of_session = np.where(sessions > 0, best[sessions], own)
    return {
        "vector": np.where(present, own - near.background, 0).astype(np.float32),
        "session_vector": np.where(present, of_session - near.background, 0).astype(np.float32),
    }


def _chunk(terms: signals.AskTerms, found: Mapping[str, Numbers], rows: Rows, setting: _Setting) -> Numbers:
    """The best chunk of every candidate that has a chance: it needs their words one by one."""
    rough = found["window"] + found["coverage"]
    closely = np.sort(np.argsort(-rough, kind="stable")[: setting.effort.closely_read])
    closely = closely[found["coverage"][closely] > 0]
    chosen = rows[closely].tolist()
    tokens = setting.arrays.tokens(chosen)
    result = np.zeros(len(rows), dtype=np.float32)
    result[closely] = signals.best_chunk(terms, [tokens[row] for row in chosen], setting.passages)
    return result


# The default recipe: every signal, each ask on its own.

_POOL = 4
_SMALL = 60
_FEW_WORDS = 1  # who looks for a word wants what holds it
_SPARE = 20  # some of the best may say nothing, or be beyond the share of their source


def propose(
    question: Question,
    query: Query,
    index: Index,
    now: datetime,
    model: Embedder | None,
    reranker: Reranker | None,
    effort: Effort,
) -> Proposal:
    """The best passages by all signals, the first of them read again; an exact name comes before all of them."""
    arrays = index.ranking()
    passages = arrays.passages()
    names = first_names(arrays.speakers())
    if model or reranker:
        question = spelt_as_kept(question, arrays, names)
    asking = question.asking
    named = (speakers_named(asking, names) or speakers_named(question.text, names)) if names else ()
    setting = _Setting(
        arrays=arrays,
        passages=passages,
        allowed=arrays.allowed(query.filters, now),
        named=named,
        speakers=arrays.speakers(),
        effort=effort,
    )
    times = [windows(ask.text, now.date()) for ask in question.asks]
    rankings = [
        rank(ask, setting, when, _nearness(ask, setting, model))
        for ask, when in zip(question.asks, times, strict=True)
    ]
    scores = _merged(rankings)
    asked = terms_asked(question.text)
    exact = {
        row: one
        for row, one in index.rows_named(question.names, query.filters, query.limit * _POOL, now).items()
        if one.passage.ref in question.names or is_evidence(one.passage.text, asked)
    }
    ordered = sorted(scores, key=lambda row: (-scores[row], row))
    found, silent = _read(ordered, asked, query, index, now, effort.read if reranker else 0)
    rankings = [without(ranking, silent) for ranking in rankings]
    found = exact | found
    wanted = list(dict.fromkeys([*exact, *(row for row in ordered if row in found)]))
    legs = _signals(rankings, wanted)
    lowest = min(scores.values(), default=0.0)
    candidates = tuple(
        RankedCandidate(
            found=found[row],
            row=row,
            score=scores.get(row, lowest) + (EXACT if row in exact else 0.0),
            legs=({"name": 1.0} if row in exact else {}) | legs.get(row, {}),
            exact=row in exact,
        )
        for row in wanted
    )
    read = None
    if reranker is not None:
        best = [one for one in candidates if not one.exact][: effort.read]

        def fetch(rows: list[int]) -> Mapping[int, Candidate]:
            return index.fetch(rows, query.filters, now)

        # What may be seen may stand before what is told, be it somebody else's.
        seen = replace(query.filters, unasked=False)
        logits, parts = answering(asking, best, reranker, passages, lambda rows: index.fetch(rows, seen, now))
        candidates = rerank([replace(one, answers=parts.get(one.row)) for one in candidates], logits)
        read = answer_logit(asking, best, logits)
        if not any(times) and len(terms_asked(asking)) > _FEW_WORDS:
            space = model.name if model else ""
            said = Said(arrays=arrays, allowed=setting.allowed, space=space, fetch=fetch)
            candidates = newest_first(asking, candidates, logits, reranker, said)
    confidence = 1.0 if exact else _confidence(asking, rankings, passages, found, read)
    return Proposal(
        candidates=candidates,
        confidence=confidence,
        says=(
            f"{len(question.asks)} asks, {sum(map(len, times))} times, {len(named)} speakers named",
            f"{sum(len(ranking.rows) for ranking in rankings)} candidates, {len(exact)} exact",
            f"spaces: {', '.join(arrays.spaces()) if model else 'none'}",
        ),
    )


def _nearness(ask: Ask, setting: _Setting, model: Embedder | None) -> _Nearness | None:
    """How near every passage is, if the model has made vectors here; the nearest are measured exactly."""
    arrays, effort = setting.arrays, setting.effort
    if model is None or model.name not in arrays.spaces():
        return None
    vector = model.embed([ask.whole], EmbeddingKind.QUERY)[0]
    scores, background = arrays.nearness(model.name, vector)
    best = best_rows(np.where(setting.allowed, scores + 2, 0), effort.from_vectors)
    nearest = best[np.argsort(-scores[best], kind="stable")[: effort.rescored]]
    for row, cosine in arrays.cosines(model.name, vector, nearest.tolist()).items():
        scores[row] = cosine
    return _Nearness(scores=scores, background=background, best=best)


def _read(
    ordered: list[int], asked: frozenset[str], query: Query, index: Index, now: datetime, least: int
) -> tuple[dict[int, Candidate], set[int]]:
    """The best passages that are evidence, and the rows of those before them that only ask or repeat the question.

    At least `least` of them, however few are wanted: who asks for less gets the beginning of the same answer.
    """
    found: dict[int, Candidate] = {}
    silent: set[int] = set()
    enough = max(query.limit, least)
    size = enough + _SPARE
    for start in range(0, len(ordered), size):
        batch = index.fetch(ordered[start : start + size], query.filters, now)
        silent |= {row for row, one in batch.items() if not is_evidence(one.passage.text, asked)}
        found |= {row: one for row, one in batch.items() if row not in silent}
        if len({normalise(one.passage.text) for one in found.values()}) >= enough:  # copies will be one
            break
    return found, silent


def _confidence(
    asking: str,
    rankings: list[RankedRows],
    passages: Passages,
    found: Mapping[int, Candidate],
    read: float | None,
) -> float:
    """The weakest ask decides."""
    is_small, is_asking = passages.count < _SMALL, not asserted(asking).is_whole

    def of_best(one: RankedRows) -> float:
        best = int(one.rows[0]) if len(one.rows) else 0
        # A part of a note holds many words beside those of one statement: sharing some with a question says less than
        # in a record. Who names words looks for what holds them.
        is_note = is_asking and best in found and found[best].passage.source is EvidenceSource.NOTE
        return confidence_of(
            one,
            [
                asserted_share(found[row].passage.text, one.worth) if row in found else 1.0
                for row in one.rows[:CONSIDERED].tolist()
            ],
            is_small=is_small or is_note,
            of_record=not is_note and best > 0 and not passages.flags[best] & int(Flag.TURN),
            read=read,
        )

    return min(map(of_best, rankings), default=0.0)


def _merged(rankings: list[RankedRows]) -> dict[int, float]:
    """One score per row: its best, each ask measured against its own best."""
    merged: dict[int, float] = {}
    for ranking in rankings:
        if not len(ranking.rows):
            continue
        top = float(ranking.scores[0]) if len(rankings) > 1 else 0.0
        for row, score in zip(ranking.rows.tolist(), ranking.scores.tolist(), strict=True):
            merged[row] = max(merged.get(row, -math.inf), score - top)
    return merged


def _signals(rankings: list[RankedRows], wanted: list[int]) -> dict[int, dict[str, float]]:
    """Why each of these rows stands where it does."""
    found: dict[int, dict[str, float]] = {}
    for ranking in rankings:
        places = {row: place for place, row in enumerate(ranking.rows.tolist())}
        for row in wanted:
            if row in places and row not in found:
                at = places[row]
                values = {name: round(float(column[at]), 4) for name, column in ranking.signals.items()}
                found[row] = {name: value for name, value in values.items() if value}
    return found
