"""From what a system answered to the numbers of a pack: the same code for Memoracle and for every peer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memoracle.interfaces.bench.metrics import (
    all_at,
    auroc,
    flatten,
    hit_at,
    mean,
    mean_of,
    ndcg_at,
    percentile,
    recall_at,
    reciprocal_rank,
)
from memoracle.interfaces.bench.packs import Asked, Said
from memoracle.interfaces.bench.subject import Answer
from memoracle.model.value import value
from memoracle.text import estimate_tokens

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
    found["answer_in_context@2000"] = mean(outcome.in_context for outcome in outcomes)
    found["p50_ms"] = percentile((outcome.ms for outcome in outcomes), 0.5)
    found["p99_ms"] = percentile((outcome.ms for outcome in outcomes), 0.99)
    return found


def categories_of(outcomes: Sequence[Outcome]) -> dict[str, Metrics]:
    """The metrics of each question type."""
    kinds = sorted({outcome.category for outcome in outcomes})
    return {kind: metrics_of([outcome for outcome in outcomes if outcome.category == kind]) for kind in kinds}


def mean_over(packs: Iterable[Metrics]) -> Metrics:
    """The unweighted mean over packs."""
    return mean_of(packs)


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
