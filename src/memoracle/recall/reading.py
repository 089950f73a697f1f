"""Reranking by a cross-encoder: the best candidates are read together with the question.

What a linear score cannot know is whether a passage answers a question or only shares its words. Whatever is read here
was allowed by the filters of the query; nothing is proposed anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from memoracle.index.api import Candidate, Passages
from memoracle.inference.api import Reranker, Utterance
from memoracle.model.search import EvidenceSource
from memoracle.model.value import replace
from memoracle.recall.evidence import RankedCandidate
from memoracle.recall.verdict import asserted
from memoracle.text import is_unspaced, telling_terms

_WEIGHT = 0.6
"""What a logit of the reranker is worth beside the score."""
_TOKENS = 48
"""How much of a passage is read: the stretch that has most in common with the question."""
_CONFESSED = -4.0
"""What says that it does not know answers no better than this, whatever it goes on to say."""
_NO_WORD = -2.5
"""What it costs the verdict that the best shares no word with a question in its own script."""
_FEW_TERMS = 3
_BEHIND = 0.01
"""How far what was not read stays below the last that was."""


def answering(
    question: str,
    best: Sequence[RankedCandidate],
    reranker: Reranker,
    passages: Passages,
    fetch: Callable[[list[int]], Mapping[int, Candidate]],
) -> dict[int, float]:
    """How far each of these answers the question, by row; read with the turn before it, where that may be seen."""
    before = {one.row: int(passages.before[one.row]) for one in best}
    seen = fetch([row for row in before.values() if row > 0])
    utterances, most = [], []
    for one in best:
        passage, earlier = one.found.passage, seen.get(before[one.row])
        said, is_turn = asserted(passage.text), passage.source is EvidenceSource.TURN
        is_aside = earlier is not None and _is_aside(question, passage.text, earlier.passage.text)
        utterances.append(
            Utterance(
                # Without the questions in it: those would be read as if they answered.
                text=passage.text if said.is_whole or not said.text else said.text,
                who=passage.who or passage.title,
                when=passage.at.date().isoformat() if passage.at and is_turn else "",
                before=f"{earlier.passage.who}: {earlier.passage.text}" if earlier else "",
            )
        )
        most.append(_CONFESSED if said.confesses or is_aside else math.inf)
    logits = reranker.score(question, utterances, tokens=_TOKENS)
    # Rounded: what memory a number happens to lie in moves its last digits, and the same question has one answer.
    return {row: round(min(logit, limit), 2) for row, logit, limit in zip(before, logits, most, strict=True)}


def _is_aside(question: str, text: str, before: str) -> bool:
    """True for a few words that share none with the question and answer nobody's, as “Thanks anyway” does."""
    own = set(telling_terms(text))
    is_answer = before.rstrip().endswith(("?", "？"))
    return not is_answer and len(own) <= _FEW_TERMS and own.isdisjoint(telling_terms(question))


def best_logit(question: str, read: Sequence[RankedCandidate], logits: Mapping[int, float]) -> float | None:
    """What the best that was read says for an answer: nearness alone, without a common word, says less."""
    script = is_unspaced(question)
    alone = [not one.legs.get("coverage") and is_unspaced(one.found.passage.text) == script for one in read]
    found = (logits[one.row] + _NO_WORD * without for one, without in zip(read, alone, strict=True))
    return max(found, default=None)


def rerank(candidates: Sequence[RankedCandidate], logits: Mapping[int, float]) -> tuple[RankedCandidate, ...]:
    """The candidates with what reading adds to their scores; those that were not read stay behind those that were."""
    read = [
        replace(
            one,
            score=one.score + _WEIGHT * logits[one.row],
            legs={**one.legs, "read": logits[one.row]},
        )
        if one.row in logits
        else one
        for one in candidates
    ]
    lowest = min((one.score for one in read if one.row in logits), default=0.0)
    highest = max((one.score for one in read if one.row not in logits and not one.exact), default=-math.inf)
    down = max(0.0, highest - lowest + _BEHIND)
    return tuple(
        one if one.row in logits or one.exact else replace(one, score=one.score - down) for one in read
    )
