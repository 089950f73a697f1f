"""The default recipe: every signal, both vector spaces, each ask on its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime

import numpy as np

from memoracle.index.api import Candidate, Index, Passages
from memoracle.index.features import Flag
from memoracle.inference.api import Embedder, Kind
from memoracle.inference.script import Space
from memoracle.model.query import Query
from memoracle.recall.candidate import EXACT, Proposal, RankedCandidate
from memoracle.recall.question import Ask, Question, windows
from memoracle.recall.rank import Effort, Nearness, RankedRows, Setting, best_rows, rank, without
from memoracle.recall.verdict import CONSIDERED, asserted_share, confidence_of, is_evidence, terms_asked
from memoracle.text import normalise

_POOL = 4
_SMALL = 60
_SIGNAL = {Space.ENGLISH: "vector", Space.MULTILINGUAL: "vector_other"}
_SPARE = 20  # some of the best may say nothing, or be beyond the share of their source


def propose(
    question: Question,
    query: Query,
    index: Index,
    now: datetime,
    models: Mapping[Space, Embedder],
    effort: Effort,
) -> Proposal:
    """The best passages by all signals; an exact name comes before all of them."""
    arrays = index.ranking()
    passages = arrays.passages()
    speakers = arrays.speakers()
    named = _named(question.text, speakers)
    setting = Setting(
        arrays=arrays,
        passages=passages,
        allowed=arrays.allowed(query.filters, now),
        named=named,
        speakers=len(speakers),
        effort=effort,
    )
    times = [windows(ask.text, now.date()) for ask in question.asks]
    rankings = [
        rank(ask, setting, when, _nearness(ask, question, setting, models))
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
    found, silent = _read(ordered, asked, query, index, now)
    rankings = [without(ranking, silent) for ranking in rankings]
    found = exact | found
    wanted = list(dict.fromkeys([*exact, *(row for row in ordered if row in found)]))
    signals = _signals(rankings, wanted)
    lowest = min(scores.values(), default=0.0)
    candidates = tuple(
        RankedCandidate(
            found=found[row],
            row=row,
            score=scores.get(row, lowest) + (EXACT if row in exact else 0.0),
            legs=({"name": 1.0} if row in exact else {}) | signals.get(row, {}),
            exact=row in exact,
        )
        for row in wanted
    )
    confidence = 1.0 if exact else _confidence(rankings, passages, found)
    return Proposal(
        candidates=candidates,
        confidence=confidence,
        says=(
            f"{len(question.asks)} asks, {sum(map(len, times))} times, {len(named)} speakers named",
            f"{sum(len(ranking.rows) for ranking in rankings)} candidates, {len(exact)} exact",
            f"spaces: {', '.join(arrays.spaces()) if models else 'none'}",
        ),
    )


def _nearness(
    ask: Ask, question: Question, setting: Setting, models: Mapping[Space, Embedder]
) -> dict[str, Nearness]:
    """How near every passage is, in each space that holds vectors; the nearest are measured exactly."""
    text = ask.text if not ask.around or ask.hint < 1 else question.text
    arrays, effort = setting.arrays, setting.effort
    present = set(arrays.spaces())
    found = {}
    for space, model in models.items():
        if model.name in present:
            vector = model.embed([text], Kind.QUERY)[0]
            scores, background = arrays.nearness(model.name, vector)
            best = best_rows(np.where(setting.allowed, scores + 2, 0), effort.from_vectors)
            nearest = best[np.argsort(-scores[best], kind="stable")[: effort.rescored]]
            for row, cosine in arrays.cosines(model.name, vector, nearest.tolist()).items():
                scores[row] = cosine
            found[_SIGNAL[space]] = Nearness(scores=scores, background=background, best=best)
    return found


def _read(
    ordered: list[int], asked: frozenset[str], query: Query, index: Index, now: datetime
) -> tuple[dict[int, Candidate], set[int]]:
    """The best passages that are evidence, and the rows of those before them that only ask or repeat the question."""
    found: dict[int, Candidate] = {}
    silent: set[int] = set()
    size = query.limit + _SPARE
    for start in range(0, len(ordered), size):
        batch = index.fetch(ordered[start : start + size], query.filters, now)
        silent |= {row for row, one in batch.items() if not is_evidence(one.passage.text, asked)}
        found |= {row: one for row, one in batch.items() if row not in silent}
        if len(found) >= query.limit:
            break
    return found, silent


def _confidence(rankings: list[RankedRows], passages: Passages, found: Mapping[int, Candidate]) -> float:
    """The weakest ask decides."""
    is_small = passages.count < _SMALL
    return min(
        (
            confidence_of(
                one,
                [
                    asserted_share(found[row].passage.text, one.worth) if row in found else 1.0
                    for row in one.rows[:CONSIDERED].tolist()
                ],
                is_small=is_small,
                of_record=bool(len(one.rows)) and not passages.flags[one.rows[0]] & int(Flag.TURN),
            )
            for one in rankings
        ),
        default=0.0,
    )


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


def _named(text: str, speakers: Mapping[str, int]) -> tuple[int, ...]:
    """The speakers a question names: by name, or by first name."""
    words = set(
        normalise(text).replace("'s", "").replace("’s", "").replace("?", " ").replace(",", " ").split()
    )
    folded = normalise(text)
    return tuple(
        number
        for name, number in speakers.items()
        if name not in {"user", "assistant"}
        and normalise(name).strip()  # some hosts write a blank where a name should be
        and (normalise(name).split()[0] in words or (not name.isascii() and normalise(name) in folded))
    )
