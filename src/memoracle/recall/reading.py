"""Reranking by a cross-encoder: the best candidates are read together with the question, and beside what came later.

What a linear score cannot know is whether a passage answers a question or only shares its words. Whatever is read here
was allowed by the filters of the query; nothing is proposed anew.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memoracle.index.api import Candidate, Passages, Ranking
from memoracle.index.features import Flag
from memoracle.inference.api import Reranker, Utterance
from memoracle.model.record import Channel
from memoracle.model.search import EvidenceSource, Passage
from memoracle.model.value import replace, value
from memoracle.recall.evidence import RankedCandidate, items_of
from memoracle.recall.verdict import asserted, states
from memoracle.text import is_unspaced, normalise, telling_terms

if TYPE_CHECKING:
    from memoracle.index.api import Rows

_WEIGHT, _MIXED = 0.4, 0.6
"""What a logit of the reranker is worth beside the score, which was fitted on turns: among notes and records, more."""
_TOKENS = 48
"""How much of a passage is read: the stretch that has most in common with the question."""
_CONFESSED = -4.0
"""What says that it does not know answers no better than this, whatever it goes on to say."""
_MOST_ITEMS = 12
_NO_WORD = -2.5
"""What it costs the verdict that the best shares no word with a question in its own script."""
_OF_ANOTHER = -2.5
"""What it costs the verdict that the best is somebody else's word, where the owner asks of themselves."""
_LEADING, _ALONE = 5, 4.0
"""How many of the best are heard beside the best; by how much they can speak against it."""
_FEW_TERMS = 3
_BEHIND = 0.01
"""How far what was not read stays below the last that was."""


def answering(
    question: str,
    best: Sequence[RankedCandidate],
    reranker: Reranker,
    passages: Passages,
    fetch: Callable[[list[int]], Mapping[int, Candidate]],
) -> tuple[dict[int, float], dict[int, Passage]]:
    """How far each of these answers the question, by row; read with the turn before it, where that may be seen.

    Of a note also what of it answers best.
    """
    before = {one.row: int(passages.before[one.row]) for one in best}
    seen = fetch([row for row in before.values() if row > 0])
    asked = {*telling_terms(question)}
    rows, parts, utterances, most = [], [], [], []
    for one in best:
        passage, earlier = one.found.passage, seen.get(before[one.row])
        is_turn = passage.source is EvidenceSource.TURN
        items = items_of(passage, asked, _MOST_ITEMS) if passage.source is EvidenceSource.NOTE else ()
        for part in items or (passage,):
            said = asserted(text := part.text)
            is_aside = earlier is not None and _is_aside(question, text, earlier.passage.text)
            utterances.append(
                Utterance(
                    # Without the questions in it: those would be read as if they answered.
                    text=text if said.is_whole or not said.text else said.text,
                    who=passage.who or " > ".join(dict.fromkeys(passage.title.split(" > "))),
                    when=passage.at.date().isoformat() if passage.at and is_turn else "",
                    before=f"{earlier.passage.who}: {earlier.passage.text}" if earlier and is_turn else "",
                )
            )
            rows.append(one.row)
            parts.append(part)
            most.append(_CONFESSED if said.confesses or is_aside else math.inf)
    logits = reranker.score(question, utterances, tokens=_TOKENS)
    found: dict[int, float] = {}
    answers: dict[int, Passage] = {}
    for row, part, logit, limit in zip(rows, parts, logits, most, strict=True):
        # Rounded: what memory a number happens to lie in moves its last digits, and the same question has one answer.
        if (read := round(min(logit, limit), 2)) > found.get(row, -math.inf):
            found[row] = read
            if part.source is EvidenceSource.NOTE:
                answers[row] = part
    return found, answers


def _is_aside(question: str, text: str, before: str) -> bool:
    """True for a few words that share none with the question and answer nobody's, as “Thanks anyway” does."""
    own = set(telling_terms(text))
    is_answer = before.rstrip().endswith(("?", "？"))
    return not is_answer and len(own) <= _FEW_TERMS and own.isdisjoint(telling_terms(question))


def answer_logit(question: str, read: Sequence[RankedCandidate], logits: Mapping[int, float]) -> float | None:
    """What was read says for an answer: the best of it, and twice as much the mean of the best five.

    One of many seems to answer by chance; where several speak of the matter, it is none. Nearness alone, without a
    common word, says less.
    """
    if not read:
        return None
    script = is_unspaced(question)
    alone = [not one.legs.get("coverage") and is_unspaced(one.found.passage.text) == script for one in read]
    best = max(
        logits[one.row] + _NO_WORD * without + _OF_ANOTHER * one.legs.get("of_another", 0.0)
        for one, without in zip(read, alone, strict=True)
    )
    leading = sorted((logits[one.row] for one in read), reverse=True)[:_LEADING]
    leading += [best - _ALONE] * (_LEADING - len(leading))  # what nobody said speaks for nothing
    return (best + 2 * max(sum(leading) / _LEADING, best - _ALONE)) / 3


def rerank(candidates: Sequence[RankedCandidate], logits: Mapping[int, float]) -> tuple[RankedCandidate, ...]:
    """The candidates with what reading adds to their scores; those that were not read stay behind those that were."""
    is_talk = all(one.found.passage.source is EvidenceSource.TURN for one in candidates if one.row in logits)
    weight = _WEIGHT if is_talk else _MIXED
    read = [
        replace(
            one,
            score=one.score + weight * logits[one.row],
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


# What was said later and has changed what answers a question stands first. “I cycle in”, then “the bike got stolen, so
# it's the bus”: both are about the way to work, and only the first says so. Records know what replaced them where
# consolidation understood it; this is for what it did not, and for mere turns.

_RARE, _LEAST, _MOST = 80, 0.04, 0.5
"""One statement in so many is taken to change a given one: where little was said later a hint will do, though never
less than the second; where much was, it has to be as likely as the third."""
_NEAR_IT = 9.0
"""What has nothing to do with the question answers it by so many logits less."""
_NEAREST = 8
"""So many may have changed what was said: what lies nearest, then what was read anyway."""
_AHEAD = 0.1
"""By which share of its score it stands before what it changed: more than anything else may sway."""
_LONGEST_CHAIN = 3
_SPARE = 20
_OF_THE_PAST = re.compile(
    r"(?i)\b(?:did|was|were|had|used to|ago|back then)\b|过吗|过么|曾|以前|之前|当时|那时|上次|当初"
)
"""Who asks what happened or how it was does not want to hear first how it is."""
_SAME_WORDS = 0.7
"""What share of two statements is the same at their beginning and end where the rest is a new value."""


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
    question: str,
    candidates: Sequence[RankedCandidate],
    logits: Mapping[int, float],
    reranker: Reranker,
    said: Said,
) -> tuple[RankedCandidate, ...]:
    """The candidates, but before the best of them what was said later and seems to have changed it."""
    if _OF_THE_PAST.search(question):
        return tuple(candidates)
    known = {one.row: one for one in candidates}
    best = _best_statement([one for one in candidates if not one.exact], logits)
    moved: dict[int, RankedCandidate] = {}
    while best is not None and len(moved) < _LONGEST_CHAIN:
        rows = said.later(best)
        turns = int(np.count_nonzero(said.arrays.passages().flags[rows] & int(Flag.TURN)))
        many = max(1, turns - 1, len(rows) - turns - 1)  # a record says again what a turn says
        good = logits.get(best.row, 0.0)
        read = {row: known[row].found for row in logits if row in known}
        near = _distinct(best.found.passage, {**said.nearest(best, rows), **read})
        shares = _shares(question, best.found.passage, near, reranker)
        least = min(_MOST, max(_LEAST, many / (many + _RARE)))
        likely = [
            (one, row, share)
            for (row, one), share in zip(near.values(), shares, strict=True)
            if share >= least
        ]
        if not likely:
            break
        unread = [one for one in likely if one[1] not in read]
        answers = reranker.score(question, [statement(one.passage) for one, _, _ in unread]) if unread else ()
        far = {one[1] for one, logit in zip(unread, answers, strict=True) if logit < good - _NEAR_IT}
        changing = [one for one in likely if one[1] not in far]
        if not changing:
            break
        found, row, share = max(changing, key=lambda one: (one[0].passage.at, one[1]))
        own = known.get(row) or RankedCandidate(found=found, score=best.score, row=row)
        score = max(best.score, own.score)
        best = moved[row] = replace(
            own,
            score=score + _AHEAD * (1 + abs(score)),
            legs={**own.legs, "changes": round(share, 2)},
        )
    brought = [one for row, one in moved.items() if row not in known]
    return (*(moved.get(one.row, one) for one in candidates), *brought)


def _best_statement(
    candidates: Sequence[RankedCandidate], logits: Mapping[int, float]
) -> RankedCandidate | None:
    """The best candidate; behind a note that answers no better, the best that somebody said."""
    ranked = sorted(candidates, key=lambda one: -one.score)
    first = next(iter(ranked), None)
    if first is None or first.found.passage.source is not EvidenceSource.NOTE:
        return first
    said = next((one for one in ranked if one.found.passage.source is not EvidenceSource.NOTE), first)
    least = -math.inf
    return said if logits.get(said.row, least) >= logits.get(first.row, least) else first


def _shares(
    question: str, old: Passage, near: Mapping[str, tuple[int, Candidate]], reranker: Reranker
) -> list[float]:
    """How likely each of them answers the question in its place."""
    first = statement(old)
    pairs = [(first, statement(one.passage)) for _, one in near.values()]
    logits = reranker.changes(pairs, question) if pairs else []
    own = normalise(old.text)
    return [
        1.0 if _restates(own, words) else 1 / (1 + math.exp(-logit))
        for words, logit in zip(near, logits, strict=True)
    ]


def _restates(old: str, new: str) -> bool:
    """True for the same sentence with another value: “The bicycle is in the cellar”, “The bicycle is in the garage”."""
    own, other = (one.split() if " " in one else list(one) for one in (old, new))
    begins, ends = (
        sum(1 for _ in takewhile(lambda both: both[0] == both[1], pairs))
        for pairs in (zip(own, other, strict=False), zip(reversed(own), reversed(other), strict=False))
    )
    # Whom it is about stands at the beginning: “My sister …” and “My brother …” are two.
    shortest, longest = sorted((len(own), len(other)))
    is_same = begins > _FEW_TERMS and min(begins + ends, shortest - 1) >= _SAME_WORDS * longest
    return is_same and begins + ends < longest


def _distinct(old: Passage, later: Mapping[int, Candidate]) -> dict[str, tuple[int, Candidate]]:
    """The first statements of the same person, each once, by their words: a record says what its turn says."""
    theirs = [(row, one) for row, one in later.items() if follows(old, one.passage)]
    found: dict[str, tuple[int, Candidate]] = {}
    for row, one in theirs:
        found.setdefault(normalise(one.passage.text), (row, one))
    found.pop(normalise(old.text), None)
    return dict(islice(found.items(), _NEAREST))


def follows(old: Passage, new: Passage) -> bool:
    """True when the same person said something else later."""
    is_theirs = old.channel == new.channel and (
        old.channel == Channel.OWNER or (old.channel == Channel.PERSON and old.who == new.who)
    )
    is_later = old.at is not None and new.at is not None and old.at < new.at
    return is_theirs and is_later and EvidenceSource.NOTE not in {old.source, new.source} and states(new.text)


def statement(passage: Passage) -> Utterance:
    """A passage as what somebody states."""
    return Utterance(text=passage.text, who=passage.who if passage.channel == Channel.PERSON else "user")
