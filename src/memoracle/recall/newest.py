"""What was said later and has changed what answers a question: it stands first.

“I cycle in”, then “the bike got stolen, so it's the bus”: both are about the way to work, and only the first says so.
Records know what replaced them where consolidation understood it; this is for what it did not, and for mere turns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memoracle.index.api import Candidate, Ranking
from memoracle.index.features import Flag
from memoracle.inference.api import Reranker, Utterance
from memoracle.model.record import Channel
from memoracle.model.search import EvidenceSource, Passage
from memoracle.model.value import replace, value
from memoracle.recall.evidence import RankedCandidate
from memoracle.recall.verdict import states
from memoracle.text import normalise

if TYPE_CHECKING:
    from memoracle.index.api import Rows

_RARE = 8
"""One statement in so many is taken to change a given one: where much was said later, a hint is chance."""
_SURE, _ON_IT = 0.7, 2.0
"""However much was said: what surely changes it, and answers the question by so many logits less at most."""
_NEAREST, _FEW = 4, 50
"""So many may have changed what was said: what lies nearest where there are a few, else what was read anyway."""
_AHEAD = 0.01
_LONGEST_CHAIN = 3
_SPARE = 20


@value
class Said:
    """All that may be found, as arrays; which rows of it, the space of its vectors, and how a row is looked up."""

    arrays: Ranking
    allowed: NDArray[np.bool_]
    space: str
    fetch: Callable[[list[int]], Mapping[int, Candidate]]

    def later(self, one: RankedCandidate) -> Rows:
        """What was said on the day of a passage and after."""
        days = self.arrays.passages().day
        return np.flatnonzero(self.allowed & (days >= days[one.row]))

    def nearest(self, one: RankedCandidate, rows: Rows) -> Mapping[int, Candidate]:
        """Of these rows those that lie nearest to a passage, nearest first."""
        own = self.arrays.vectors(self.space, [one.row]).get(one.row)
        if own is None:
            return {}
        near, _ = self.arrays.nearness(self.space, own[0])
        return self.fetch(rows[np.argsort(-near[rows], kind="stable")[:_SPARE]].tolist())


def newest_first(
    candidates: Sequence[RankedCandidate], logits: Mapping[int, float], reranker: Reranker, said: Said
) -> tuple[RankedCandidate, ...]:
    """The candidates, but before the best of them what was said later and seems to have changed it."""
    known = {one.row: one for one in candidates}
    best = max((one for one in candidates if not one.exact), key=lambda one: one.score, default=None)
    moved: dict[int, RankedCandidate] = {}
    while best is not None and len(moved) < _LONGEST_CHAIN:
        rows = said.later(best)
        turns = int(np.count_nonzero(said.arrays.passages().flags[rows] & int(Flag.TURN)))
        many = max(1, turns - 1, len(rows) - turns - 1)  # a record says again what a turn says
        least = logits.get(best.row, 0.0) - _ON_IT
        as_good = {row: known[row].found for row in logits if row in known and logits[row] >= least}
        near = _distinct(best.found.passage, said.nearest(best, rows) if many <= _FEW else as_good)
        changing = [
            (one, row, share)
            for (row, one), share in zip(near, _shares(best.found.passage, near, reranker), strict=True)
            if share >= many / (many + _RARE) or (share >= _SURE and row in as_good)
        ]
        if not changing:
            break
        found, row, share = max(changing, key=lambda one: (one[0].passage.at, one[1]))
        own = known.get(row) or RankedCandidate(found=found, score=best.score, row=row)
        best = moved[row] = replace(
            own,
            score=max(best.score, own.score) + _AHEAD,
            legs={**own.legs, "changes": round(share, 2)},
        )
    brought = [one for row, one in moved.items() if row not in known]
    return (*(moved.get(one.row, one) for one in candidates), *brought)


def _shares(old: Passage, near: Sequence[tuple[int, Candidate]], reranker: Reranker) -> list[float]:
    """How likely each of them has changed it."""
    pairs = [(_statement(old), _statement(one.passage)) for _, one in near]
    return [1 / (1 + math.exp(-logit)) for logit in reranker.changes(pairs)] if pairs else []


def _distinct(old: Passage, later: Mapping[int, Candidate]) -> list[tuple[int, Candidate]]:
    """The nearest statements of the same person, each once: a record says what its turn says."""
    found: dict[str, tuple[int, Candidate]] = {}
    for row, one in later.items():
        words = normalise(one.passage.text)
        if words != normalise(old.text) and _follows(old, one.passage) and len(found) < _NEAREST:
            found.setdefault(words, (row, one))
    return list(found.values())


def _follows(old: Passage, new: Passage) -> bool:
    """True when the same person said something else later."""
    is_theirs = old.channel == new.channel and (
        old.channel == Channel.OWNER or (old.channel == Channel.PERSON and old.who == new.who)
    )
    is_later = old.at is not None and new.at is not None and old.at < new.at
    return is_theirs and is_later and EvidenceSource.NOTE not in {old.source, new.source} and states(new.text)


def _statement(passage: Passage) -> Utterance:
    return Utterance(text=passage.text, who=passage.who if passage.channel == Channel.PERSON else "user")
