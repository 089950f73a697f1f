"""What speaks for a passage: cheap signals, each a number per candidate.

Terms are looked up once; for every candidate the counts of its own words and of what was said
before and after it lie side by side, so that windows, coverage and sessions are sums over small
arrays. Nothing here depends on which other passages are candidates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memoracle.index.api import Passages, Ranking
from memoracle.index.features import Flag
from memoracle.model.predicates import OWNER
from memoracle.model.value import value
from memoracle.recall.question import Ask, Wants, Window, fits, wants, weights

if TYPE_CHECKING:
    from memoracle.index.api import Numbers, Rows

REACH = 6
_SATURATION, _LENGTH = 1.2, 0.75
_CHUNK_SATURATION, _CHUNK_LENGTH = 0.6, 0.3
_WINDOW_WORDS = 40
_SAMPLE = 4000


@value
class AskTerms:
    """The terms of an ask that the store knows, what each is worth, and what all are worth."""

    words: tuple[str, ...]
    ids: tuple[int, ...]
    worth: Numbers
    whole: float


@value
class _TurnNeighbourhood:
    """Candidates and the rows around each: column REACH is the candidate, 0 stands for nobody."""

    rows: Rows
    table: Rows


def idf(frequency: int, total: int) -> float:
    """How much a term tells."""
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def read_terms(ask: Ask, arrays: Ranking, total: int) -> AskTerms:
    """The terms of an ask; words around it weigh together at most their share of the ask itself."""
    own = dict(weights(ask.text))
    around = dict(weights(ask.around)) if ask.around else {}
    known = arrays.terms([*own, *around])
    value = {term: idf(known[term][1] if term in known else 0, total) for term in {**own, **around}}
    mass = sum(weight * value[term] for term, weight in own.items() if term in known)
    hint = sum(weight * value[term] for term, weight in around.items() if term in known)
    share = ask.hint * min(1.0, mass / hint if hint else 1.0)
    merged: dict[str, float] = dict(own)
    for term, weight in around.items():
        merged[term] = max(merged.get(term, 0.0), share * weight)
    words = tuple(term for term in merged if term in known)
    return AskTerms(
        words=words,
        ids=tuple(known[term][0] for term in words),
        worth=np.array([merged[term] * value[term] for term in words], dtype=np.float32),
        whole=sum(merged[term] * value[term] for term in merged) or 1.0,
    )


# Signals of many passages at once.


def relevance(terms: AskTerms, arrays: Ranking, passages: Passages) -> Numbers:
    """BM25 of every passage, as a share of what the ask is worth."""
    scores = np.zeros(len(passages.flags), dtype=np.float32)
    lists = [arrays.postings(term) for term in terms.ids]
    for (rows, counts), worth in zip(lists, terms.worth, strict=True):
        scores[rows] += worth * saturated(counts, passages.length[rows] / passages.average)
    return scores / np.float32(terms.whole)


def neighbourhood(rows: Rows, passages: Passages) -> _TurnNeighbourhood:
    """The rows up to REACH places before and after each candidate, in the same run of talk."""
    table = np.zeros((len(rows), 2 * REACH + 1), dtype=np.int64)
    table[:, REACH] = rows
    for step in range(1, REACH + 1):
        table[:, REACH - step] = passages.before[table[:, REACH - step + 1]]
        table[:, REACH + step] = passages.after[table[:, REACH + step - 1]]
    return _TurnNeighbourhood(rows=rows, table=table)


def counts_around(terms: AskTerms, near: _TurnNeighbourhood, arrays: Ranking, size: int) -> Numbers:
    """How often each term stands in each place of each neighbourhood."""
    counts = np.zeros((len(terms.ids), *near.table.shape), dtype=np.float32)
    scratch = np.zeros(size, dtype=np.float32)
    for place, term in enumerate(terms.ids):
        rows, times = arrays.postings(term)
        scratch[rows] = times
        counts[place] = scratch[near.table]
        scratch[rows] = 0
    return counts


def window(terms: AskTerms, counts: Numbers, near: _TurnNeighbourhood, passages: Passages) -> Numbers:
    """BM25 of a candidate together with some words of what was said before and after it."""
    shares, length = window_shares(near.table, passages)
    tf = (counts * shares).sum(axis=2)
    return _share(terms, tf, length / _window_average(passages))


def _window_average(passages: Passages) -> float:
    """How long a window is on average, over an even sample of the store."""
    if "window" not in passages.memo:
        every = np.flatnonzero(passages.length > 0)
        sample = every[:: max(1, len(every) // _SAMPLE)]
        _, length = window_shares(neighbourhood(sample, passages).table, passages)
        passages.memo["window"] = float(length.mean()) if len(sample) else 1.0
    return passages.memo["window"]


def window_shares(table: Rows, passages: Passages) -> tuple[Numbers, Numbers]:
    """How much of each neighbour belongs to the window, and how long the window is."""
    lengths = np.where(table > 0, passages.length[table], 0).astype(np.float32)
    shares = np.zeros_like(lengths)
    shares[:, REACH] = 1
    total = lengths[:, REACH].copy()
    for side in (-1, 1):
        used = np.zeros(len(table), dtype=np.float32)
        for step in range(1, REACH + 1):
            column = REACH + side * step
            fit = np.clip((_WINDOW_WORDS - used) / np.maximum(lengths[:, column], 1), 0, 1)
            used += lengths[:, column]
            shares[:, column] = np.where(lengths[:, column] > 0, fit, 0) * np.float32(
                0.7 * 0.85 ** (step - 1)
            )
            total += shares[:, column] * lengths[:, column]
    return shares, total


def coverage(terms: AskTerms, counts: Numbers) -> tuple[Numbers, Numbers]:
    """The share of the ask that a candidate holds itself, and with its nearest neighbours."""
    present = (counts > 0).astype(np.float32)
    own = present[:, :, REACH]
    wide = np.maximum(own, 0.6 * present[:, :, REACH - 1])
    wide = np.maximum(wide, 0.6 * present[:, :, REACH + 1])
    wide = np.maximum(wide, 0.3 * present[:, :, REACH - 2])
    return terms.worth @ own / terms.whole, terms.worth @ wide / terms.whole


def best_chunk(terms: AskTerms, tokens: Sequence[NDArray[np.uint32]], passages: Passages) -> Numbers:
    """For passages given as their tokens: BM25 of the chunk that fits the ask best."""
    size = len(terms.ids)
    sizes = np.array([len(ids) for ids in tokens])
    best = np.zeros(len(tokens), dtype=np.float32)
    if not size or not sizes.sum():
        return best
    flat = np.concatenate(tokens)
    owner = np.repeat(np.arange(len(tokens)), sizes)
    known = np.argsort(terms.ids)
    term = known[np.minimum(np.searchsorted(np.array(terms.ids)[known], flat), size - 1)]
    spots = np.flatnonzero(np.array(terms.ids)[term] == flat)
    breaks = flat == 0
    starts = np.concatenate(([True], owner[1:] != owner[:-1]))
    piece = np.cumsum(breaks | starts) - 1
    length = np.bincount(piece, weights=~breaks)
    held = distinct(piece[spots] * size + term[spots])
    weight = np.bincount(held // size, weights=terms.worth[held % size], minlength=len(length))
    damping = _CHUNK_SATURATION * (1 - _CHUNK_LENGTH + _CHUNK_LENGTH * length / passages.chunk_average)
    np.maximum.at(best, owner[np.flatnonzero(breaks | starts)], (weight / (1 + damping)).astype(np.float32))
    return best / np.float32(terms.whole)


def days_that_fit(windows: Sequence[Window], passages: Passages) -> Numbers:
    """How well the day of every passage fits the times the question names."""
    return moments(windows, np.arange(len(passages.day)), passages)


def moments(windows: Sequence[Window], rows: Rows, passages: Passages) -> Numbers:
    """How well the day of a candidate fits the times the question names."""
    days = passages.day[rows]
    if not windows or not days.any():
        return np.zeros(len(rows), dtype=np.float32)
    known = np.flatnonzero(np.bincount(days))
    fit = np.zeros(int(known[-1]) + 1, dtype=np.float32)
    for day in known.tolist():
        fit[day] = max(fits(one, day) for one in windows) if day else 0.0
    return fit[days]


def manner(
    text: str, named: Sequence[int], rows: Rows, passages: Passages, speakers: Mapping[str, int]
) -> dict[str, Numbers]:
    """Who speaks, and whether a candidate is the sort of thing the question wants."""
    flags = passages.flags[rows]
    want = wants(text)

    def has(flag: Flag) -> Numbers:
        return ((flags & int(flag)) > 0).astype(np.float32)

    agent = has(Flag.AGENT)
    # Where people say little, as in the histories of coding agents, what they say is mostly orders, not answers.
    weight = np.float32(min(1.0, 2 * passages.by_people) ** 2)
    found = {
        "asks": has(Flag.ENDS_ASKING),
        "follows_question": (
            ((passages.flags[passages.before[rows]] & int(Flag.ASKS)) > 0) & (passages.before[rows] > 0)
        ).astype(np.float32),
        "opens": ((passages.before[rows] == 0) & (has(Flag.TURN) > 0)) * weight,
    }
    if passages.has_agents:
        found["owner"] = (1 - has(Flag.AGENT | Flag.TOOL)) * weight
        found["agent_asked"] = agent * float(Wants.OF_ASSISTANT in want)
        found["agent_addressed"] = agent * float(Wants.OF_YOU in want and Wants.OF_ASSISTANT not in want)
    if named:
        by_named = (passages.speaker[rows][:, None] == np.array(named)).any(axis=1).astype(np.float32)
        found["speaker_named"] = by_named
        if len(named) < len(speakers):
            found["speaker_other"] = has(Flag.TURN) * (1 - by_named)
    elif Wants.OF_ME in want and (owner := speakers.get(OWNER)):
        # Who asks of themselves does not mean what somebody else said of theirs.
        by = passages.speaker[rows]
        found["of_another"] = ((by > 0) & (by != owner)).astype(np.float32) * (1 - agent)
    for wanted, flag, name in (
        (Wants.TIME, Flag.TIME, "time_wanted"),
        (Wants.NUMBER, Flag.NUMBER, "number_wanted"),
        (Wants.PLACE, Flag.NAME, "place_wanted"),
    ):
        if wanted in want:
            found[name] = has(flag)
    return found


def distinct(numbers: Rows) -> Rows:
    """Each number once, ascending; `np.unique` would import numpy's masked arrays on the way (40 ms)."""
    ascending = np.sort(numbers)
    return (
        ascending[np.concatenate(([True], ascending[1:] != ascending[:-1]))] if len(ascending) else ascending
    )


def saturated(counts: Numbers, length: Numbers) -> Numbers:
    """BM25's share of a term: repetition counts less and less, length dampens."""
    damping = _SATURATION * (1 - _LENGTH + _LENGTH * length)
    share: Numbers = (counts / (counts + damping)).astype(np.float32)
    return share


def _share(terms: AskTerms, counts: Numbers, length: Numbers) -> Numbers:
    return terms.worth @ saturated(counts, length) / terms.whole
