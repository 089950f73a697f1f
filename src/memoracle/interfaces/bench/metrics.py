"""The metrics, each a pure function of a ranking and what is right.

A ranking is a list of places, best first, each holding the id of a turn. `flatten` makes one from what a
system returned: a chunk of several turns counts as those turns and uses up that many places, even where
a turn has been met before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence


def flatten(chunks: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The places that a ranking of chunks fills."""
    return tuple(turn for chunk in chunks for turn in chunk)


def recall_at(places: Sequence[str], gold: Iterable[str], k: int) -> float:
    """The share of gold turns among the first k places."""
    wanted = set(gold)
    return len(wanted & set(places[:k])) / len(wanted)


def all_at(places: Sequence[str], gold: Iterable[str], k: int) -> float:
    """1 when every gold turn is among the first k places."""
    return float(set(gold) <= set(places[:k]))


def hit_at(sessions: Iterable[str], gold_sessions: Iterable[str], k: int) -> float:
    """1 when a gold session is among the first k distinct sessions; `sessions` follows the ranking."""
    return float(not set(gold_sessions).isdisjoint(list(dict.fromkeys(sessions))[:k]))


def ndcg_at(places: Sequence[str], gold: Iterable[str], k: int) -> float:
    """Discounted gain of the first k places over that of a perfect ranking; each turn gains once."""
    left = set(gold)
    best = sum(_discount(place) for place in range(min(k, len(left))))
    gain = 0.0
    for place, turn in enumerate(places[:k]):
        if turn in left:
            left.remove(turn)
            gain += _discount(place)
    return gain / best


def reciprocal_rank(places: Sequence[str], gold: Iterable[str]) -> float:
    """One over the place of the first gold turn, 0 when none is ranked."""
    wanted = set(gold)
    return next((1 / place for place, turn in enumerate(places, start=1) if turn in wanted), 0.0)


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """How often an answerable question has the higher confidence (ties count half); None without both."""
    if not positive or not negative:
        return None
    ranked = sorted([(value, True) for value in positive] + [(value, False) for value in negative])
    wins = 0.0
    start = lower = 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        above = sum(is_positive for _, is_positive in ranked[start:end])
        level = end - start - above
        wins += above * (lower + level / 2)
        lower += level
        start = end
    return wins / (len(positive) * len(negative))


def percentile(values: Iterable[float], share: float) -> float | None:
    """The value below which that share lies, between neighbours in proportion; None for no values."""
    ranked = sorted(values)
    if not ranked:
        return None
    place = share * (len(ranked) - 1)
    low, high = math.floor(place), math.ceil(place)
    return ranked[low] + (ranked[high] - ranked[low]) * (place - low)


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that exist."""
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def mean_of(rows: Iterable[Mapping[str, float | None]]) -> dict[str, float | None]:
    """The unweighted mean of every metric over the rows that have it."""
    listed = list(rows)
    names = dict.fromkeys(name for row in listed for name in row)
    return {name: mean(row.get(name) for row in listed) for name in names}


def _discount(place: int) -> float:
    return 1 / math.log2(place + 2)
