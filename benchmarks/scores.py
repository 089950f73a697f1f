"""From what a system answered to the numbers of a pack: the same pure functions for Memoracle and for every peer.

A ranking is a list of places, best first, each holding the id of a turn. `flatten` makes one from what a
system returned: a chunk of several turns counts as those turns and uses up that many places, even where
a turn has been met before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from benchmarks.packs import Asked, Said
from benchmarks.subject import Answer
from memoracle.model.value import value
from memoracle.text import estimate_tokens


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


Metrics = dict[str, float | None]

NAMES = (
    "recall@1",
    "recall@5",
    "recall@10",
    "recall@20",
    "all@10",
    "hit@5",
    "ndcg@10",
    "mrr",
    "auroc",
    "abstain_accuracy",
    "declined",
    "answer_in_context@2000",
    "p50_ms",
    "p99_ms",
    "index_s",
    "rss_mb",
    "disk_mb",
)
BUDGET = 2000
_RANKED = NAMES[:8]


@value
class Outcome:
    """One question with everything measured on its answer; None where it does not apply."""

    category: str
    answerable: bool
    confidence: float | None
    abstained: bool | None
    in_context: float | None
    ranked: Mapping[str, float | None]
    ms: float


def judge(asked: Asked, answer: Answer, turns: Mapping[str, Said]) -> Outcome:
    """The outcome of one question."""
    places = flatten(answer.chunks)
    counts = asked.answerable and bool(asked.gold)
    sessions = [turns[turn].session for turn in places if turn in turns]
    in_sessions = asked.answerable and bool(asked.gold_sessions)
    ranked: Metrics = dict.fromkeys(_RANKED)
    if counts:
        ranked |= {f"recall@{k}": recall_at(places, asked.gold, k) for k in (1, 5, 10, 20)}
        ranked["all@10"] = all_at(places, asked.gold, 10)
        ranked["ndcg@10"] = ndcg_at(places, asked.gold, 10)
        ranked["mrr"] = reciprocal_rank(places, asked.gold)
    if in_sessions:
        ranked["hit@5"] = hit_at(sessions, asked.gold_sessions, 5)
    return Outcome(
        category=asked.category,
        answerable=asked.answerable,
        confidence=answer.confidence,
        abstained=answer.abstained,
        in_context=float(set(asked.gold) <= set(_packed(answer, places, turns))) if counts else None,
        ranked=ranked,
        ms=answer.seconds * 1000,
    )


def metrics_of(outcomes: Sequence[Outcome]) -> Metrics:
    """The metrics of a set of questions."""
    found: Metrics = {name: mean(outcome.ranked[name] for outcome in outcomes) for name in _RANKED}
    found["auroc"] = auroc(_confidences(outcomes, answerable=True), _confidences(outcomes, answerable=False))
    found["abstain_accuracy"] = mean(
        None if outcome.abstained is None else float(outcome.abstained is not outcome.answerable)
        for outcome in outcomes
    )
    found["declined"] = mean(
        float(outcome.abstained)
        for outcome in outcomes
        if outcome.answerable and outcome.abstained is not None
    )
    found["answer_in_context@2000"] = mean(outcome.in_context for outcome in outcomes)
    found["p50_ms"] = percentile((outcome.ms for outcome in outcomes), 0.5)
    found["p99_ms"] = percentile((outcome.ms for outcome in outcomes), 0.99)
    return found


def categories_of(outcomes: Sequence[Outcome]) -> dict[str, Metrics]:
    """The metrics of each question type."""
    kinds = sorted({outcome.category for outcome in outcomes})
    return {kind: metrics_of([outcome for outcome in outcomes if outcome.category == kind]) for kind in kinds}


def _confidences(outcomes: Iterable[Outcome], *, answerable: bool) -> list[float]:
    return [
        outcome.confidence
        for outcome in outcomes
        if outcome.confidence is not None and outcome.answerable is answerable
    ]


def _packed(answer: Answer, places: Sequence[str], turns: Mapping[str, Said]) -> Iterable[str]:
    """The turns that stand whole in the context; a system without one gets its best turns laid in order."""
    if answer.context is not None:
        if estimate_tokens(answer.context) > BUDGET:
            return ()
        inside = _bare(answer.context)
        return [turn for turn in answer.packed if turn in turns and _bare(turns[turn].text) in inside]
    left = BUDGET
    packed: list[str] = []
    for turn in dict.fromkeys(places):
        said = turns.get(turn)
        cost = estimate_tokens(f"{said.date} {said.speaker}: {said.text}\n") if said else 0
        if said and cost <= left:
            left -= cost
            packed.append(turn)
    return packed


def _bare(text: str) -> str:
    # A context may frame, escape or wrap what it quotes; the letters have to be there all the same.
    return "".join(filter(str.isalnum, text))
