"""From a question to evidence: propose, fuse, weigh, judge. Every stage leaves a line in the trace."""

from __future__ import annotations

from datetime import datetime

from memoracle.index.api import Found, Index
from memoracle.model.activation import Law
from memoracle.model.hit import Hit, Note, Recollection, Verdict
from memoracle.model.query import Query
from memoracle.recall.legs import LEGS
from memoracle.recall.question import Question, read_question
from memoracle.recall.verdict import judge
from memoracle.recall.weigh import activation_of, is_faded, weigh


def recollect(query: Query, index: Index, *, law: Law, now: datetime) -> Recollection:
    """The answer to a query, from the view alone."""
    trace: list[Note] = []
    question = read_question(query.text, index.frequencies)
    trace.append(Note(stage="parse", says=f"terms {' '.join(question.terms) or '(none known)'}"))
    candidates = _propose(question, query, index, now, trace)
    hits = _weigh(candidates, query, index, law, now, trace)[: query.limit]
    verdict, confidence = judge(question, hits)
    trace.append(Note(stage="judge", says=f"{verdict.value}, confidence {confidence:.2f}"))
    return Recollection(
        question=query.text,
        verdict=verdict,
        confidence=confidence,
        hits=tuple(hits) if verdict is not Verdict.NOT_IN_MEMORY else (),
        trace=tuple(trace),
    )


def _propose(
    question: Question, query: Query, index: Index, now: datetime, trace: list[Note]
) -> dict[str, tuple[Found, dict[str, float]]]:
    candidates: dict[str, tuple[Found, dict[str, float]]] = {}
    for name, leg in LEGS.items():
        proposed = leg(question, query, index, now)
        trace.append(Note(stage=name, says=f"{len(proposed)} candidates"))
        for found, score in proposed:
            _, legs = candidates.setdefault(_key(found), (found, {}))
            legs[name] = max(score, legs.get(name, 0.0))
    return candidates


def _weigh(
    candidates: dict[str, tuple[Found, dict[str, float]]],
    query: Query,
    index: Index,
    law: Law,
    now: datetime,
    trace: list[Note],
) -> list[Hit]:
    moment = query.filters.as_of or now
    uses = index.uses_of([found.passage.ref for found, _ in candidates.values()])
    hits = []
    for found, legs in candidates.values():
        used = [use for use in uses.get(found.passage.ref, []) if use <= moment]
        hit = weigh(found, legs, activation_of(found, used, law, moment))
        if is_faded(hit, law) and not query.filters.wide:
            trace.append(
                Note(stage="weigh", says=f"left out {found.passage.ref}: activation {hit.activation:.2f}")
            )
            continue
        hits.append(hit)
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage.path, hit.passage.first_line))


def _key(found: Found) -> str:
    return f"{found.passage.ref}@{found.passage.version}"
