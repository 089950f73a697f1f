"""Runs a recipe: propose, weigh, judge, look around, pack. Every stage leaves a line in the trace."""

from __future__ import annotations

from datetime import datetime

from memoracle.index.api import Index
from memoracle.model.activation import Law
from memoracle.model.hit import Hit, Note, Recollection, Verdict
from memoracle.model.query import Query
from memoracle.recall.candidate import Proposal, activation_of, share, unused_since, weigh
from memoracle.recall.evidence import look_around
from memoracle.recall.linked import with_linked
from memoracle.recall.question import Question, read_question
from memoracle.recall.recipes import Models, recipe_named
from memoracle.recall.succession import below_what_replaced_it, is_disowned, with_fates
from memoracle.recall.verdict import judge


def recollect(
    query: Query,
    index: Index,
    *,
    law: Law,
    now: datetime,
    recipe: str,
    models: Models,
    budget: int | None = None,
) -> Recollection:
    """The answer to a query, from the view alone."""
    question = read_question(query.text)
    trace = [Note(stage="parse", says=_asked(question))]
    proposal = recipe_named(recipe)(question, query, index, now, models)
    if recipe != _PUBLISHED:
        proposal = with_linked(question, query, proposal, index, now)
    proposal = with_fates(question, query, proposal, index, now)
    trace += [Note(stage=recipe, says=line) for line in proposal.says]
    weighed = _weigh(proposal, query, index, law, now, trace)
    ranked = share(below_what_replaced_it(weighed), query.limit)
    verdict = judge(proposal.confidence) if ranked else Verdict.NOT_IN_MEMORY
    if verdict is Verdict.FOUND and is_disowned(weighed[0]):
        verdict = Verdict.WEAK  # nobody stands behind what spoke for it
    trace.append(Note(stage="judge", says=f"{verdict.value}, confidence {proposal.confidence:.2f}"))
    hits = tuple(ranked[: query.limit]) if verdict is not Verdict.NOT_IN_MEMORY else ()
    hits = look_around(hits, index)
    pack = None
    if budget:
        from memoracle.recall.evidence import pack_evidence

        pack = pack_evidence(hits or ranked[: query.limit], query.text, budget)
    near = tuple(ranked[len(hits) : query.limit if not hits else query.limit + _NEAR])
    return Recollection(
        question=query.text,
        verdict=verdict,
        confidence=round(proposal.confidence, 4) if ranked else 0.0,
        hits=hits,
        near=near,
        pack=pack,
        trace=tuple(trace),
    )


_NEAR = 3
_PUBLISHED = "openclaw"  # a formula of others, as they published it


def _asked(question: Question) -> str:
    return " | ".join(ask.text.strip() for ask in question.asks)


def _weigh(
    proposal: Proposal, query: Query, index: Index, law: Law, now: datetime, trace: list[Note]
) -> list[Hit]:
    moment = query.filters.as_of or now
    uses = index.uses_of([candidate.found.passage.ref for candidate in proposal.candidates])
    hits = []
    for candidate in proposal.candidates:
        ref = candidate.found.passage.ref
        used = [use for use in uses.get(ref, []) if use <= moment]
        alive = activation_of(candidate.found, used, law, moment)
        since = unused_since(candidate.found, alive, used, law)
        if since:
            says = f"{ref} is long unused, since {since.date()}: activation {alive:.2f}"
            trace.append(Note(stage="weigh", says=says))
        hits.append(weigh(candidate, alive, since))
    return sorted(
        hits, key=lambda hit: (-hit.score, hit.passage.path, hit.passage.first_line, hit.passage.ref)
    )
