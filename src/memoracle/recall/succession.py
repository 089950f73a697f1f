"""What became of what a turn said: the records that were made of it know, and the answer has to.

A turn whose record was superseded, ended, corrected, taken back or set apart inherits that: it stands below what
replaced it, labelled, and what replaced it comes along even where it shares no word with the question. Read from the
view at the moment of the question (or as of another), so a view that was built anew says the same. A turn that says
several things inherits only what the question is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from memoracle.index.api import Cited, Index
from memoracle.model.hit import Fate, Hit, Passage, Source
from memoracle.model.query import Query
from memoracle.model.record import Status
from memoracle.model.value import replace
from memoracle.recall.candidate import Proposal, RankedCandidate
from memoracle.recall.question import Question
from memoracle.text import normalise, shorten, telling_terms

_LONGEST_CHAIN = 8
_SNIPPET = 160
_HELD = frozenset({Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED})


def with_fates(question: Question, query: Query, proposal: Proposal, index: Index, now: datetime) -> Proposal:
    """The candidates, those labelled that no longer hold, and what replaced them beside them."""
    moment = query.filters.as_of or now
    turns = {
        _place(one.found.passage): one
        for one in proposal.candidates
        if one.found.passage.source is Source.TURN
    }
    cited = index.citing(list(turns), query.filters) if turns else []
    if not cited:
        return proposal
    asked = set(telling_terms(question.text))
    fates: dict[int, Fate] = {}
    wanted: dict[str, float] = {}
    for place, turn in turns.items():
        fate = _fate([one for one in cited if one.place == place], turn, asked, query, index, moment)
        if fate:
            fates[id(turn)] = fate
            if fate.ref:
                wanted[fate.ref] = max(turn.score, wanted.get(fate.ref, turn.score))
    if not fates:
        return proposal
    labelled = [replace(one, fate=fates[id(one)]) if id(one) in fates else one for one in proposal.candidates]
    joined = _joined(labelled, wanted, query, index, now)
    says = f"{len(fates)} no longer hold, {len(joined) - len(labelled)} brought along that replaced them"
    return replace(proposal, candidates=tuple(joined), says=(*proposal.says, says))


def below_what_replaced_it(ranked: Sequence[Hit]) -> list[Hit]:
    """The hits in their order, but what was replaced behind what replaced it, and what nobody stands behind last."""
    result = [hit for hit in ranked if hit.fate is None]
    for hit in ranked:
        fate = hit.fate
        if fate is None or is_disowned(hit):
            continue
        own = sum(other.score >= hit.score for other in result)
        successors = [place for place, other in enumerate(result) if _is_successor(other.passage, fate)]
        place = max(own, max(successors, default=-1) + 1)
        score = min(hit.score, result[place - 1].score) if place else hit.score
        result.insert(place, replace(hit, score=score))
    return [*result, *filter(is_disowned, ranked)]


def is_disowned(hit: Hit) -> bool:
    """True for what was taken back or waits in quarantine: nobody stands behind it, so it is no evidence by itself."""
    return hit.fate is not None and hit.fate.status not in _HELD


def _is_successor(passage: Passage, fate: Fate) -> bool:
    return fate.ref != "" and (passage.ref == fate.ref or _place(passage) in fate.places)


def _place(passage: Passage) -> str:
    return f"{passage.path}#L{passage.first_line}"


def _fate(
    records: Sequence[Cited],
    turn: RankedCandidate,
    asked: set[str],
    query: Query,
    index: Index,
    moment: datetime,
) -> Fate | None:
    """What became of the part of a turn that the question is about; None while it holds."""
    gone: list[tuple[int, Fate, Passage]] = []
    rival = -1
    for one in records:
        shared = _shared(one.passage, asked)
        if fate := _fate_of(one, turn.found.passage, query, index, moment):
            gone.append((shared, fate, one.passage))
        else:
            rival = max(rival, shared)
    if not gone:
        return None
    most, fate, said = max(gone, key=lambda one: one[0])
    if most > max(rival, 0):
        return fate
    # Nothing else is known to be said there: what was said goes for all of a short turn.
    return fate if rival < 0 and 2 * len(said.text) >= len(turn.found.passage.text) else None


def _shared(passage: Passage, asked: set[str]) -> int:
    return len(asked.intersection(telling_terms(f"{passage.title}\n{passage.text}")))


def _fate_of(one: Cited, turn: Passage, query: Query, index: Index, moment: datetime) -> Fate | None:
    passage, validity = one.passage, one.passage.validity
    if passage.status not in _HELD:
        return Fate(status=passage.status, until=one.changed)
    if passage.status is Status.SUPERSEDED or validity.superseded_by:
        by = _successor(passage, query, index)
        places = index.sources_of(by.ref) if by else ()
        if by and (_place(turn) in places or _claim(by) == _claim(passage)):
            return None  # two records that say the same became one
        return Fate(
            status=Status.SUPERSEDED,
            until=validity.until or one.changed,
            by=shorten(by.text, _SNIPPET) if by else "",
            ref=by.ref if by else "",
            places=places,
        )
    if validity.until is not None and validity.until <= moment:
        return Fate(status=passage.status, until=validity.until)
    if one.verb == "edit" and not _says(turn.text, passage.text) and _said_before(passage, turn, index):
        return Fate(
            status=Status.SUPERSEDED, until=one.changed, by=shorten(passage.text, _SNIPPET), ref=passage.ref
        )
    return None


def _claim(passage: Passage) -> tuple[str, ...]:
    said = (passage.subject, passage.predicate, passage.object)
    return tuple(map(normalise, said if all(said) else (passage.text,)))


def _successor(passage: Passage, query: Query, index: Index) -> Passage | None:
    """What stands at the end of the chain of replacements, as far as this reader sees it."""
    found: Passage | None = None
    ref = passage.validity.superseded_by
    for _ in range(_LONGEST_CHAIN):
        if not ref:
            break
        after = index.standing_record(ref, query.filters)
        if after is None:
            break
        found, ref = after, after.validity.superseded_by
    return found


def _said_before(passage: Passage, turn: Passage, index: Index) -> bool:
    return any(_says(turn.text, text) for text in index.earlier_words(passage.ref))


def _says(text: str, words: str) -> bool:
    return " ".join(normalise(words).split()).rstrip(".!。！") in " ".join(normalise(text).split())


def _joined(
    candidates: Iterable[RankedCandidate], wanted: dict[str, float], query: Query, index: Index, now: datetime
) -> list[RankedCandidate]:
    """Everything that replaced something scores at least what it replaced; it is brought along where it is missing."""
    joined = [
        replace(one, score=max(one.score, wanted.pop(one.found.passage.ref)))
        if one.found.passage.ref in wanted
        else one
        for one in candidates
    ]
    for ref, score in wanted.items():
        for row, found in index.rows_named([ref], query.filters, 1, now).items():
            joined.append(RankedCandidate(found=found, row=row, score=score, legs={"replaces": 1.0}))
    return joined
