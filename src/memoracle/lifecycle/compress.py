"""Records that say the same in other words become one: the best stands, the others are superseded by it. Pure.

Two records are redundant when they agree in scope, kind, subject, predicate, entities, identifiers, numbers,
negations and dates, and one has all the telling words of the other and at most a quarter more. Words that each has
for itself keep them apart: 张伟 and 张玮, three and four. Records meet by their rarest words alone, so the work
grows with their number, not with its square.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from memoracle.lifecycle.planned import Planned
from memoracle.lifecycle.sameness import dates, folded, marks, negations
from memoracle.model.change import Change
from memoracle.model.origin import OUTSIDE, Channel
from memoracle.model.plan import Step
from memoracle.model.record import Kind, Record, Status, is_foreign
from memoracle.model.value import replace, value
from memoracle.text import normalise, telling_terms

ALIKE = 0.8
_NEVER = frozenset({Kind.SUMMARY, Kind.BELIEF, Kind.EVENT})


@value
class _Words:
    record: Record
    text: str
    terms: frozenset[str]


def compress(active: Sequence[Record], *, now: datetime, operation: str, by: str) -> Planned:
    """What takes the place of what, and why."""
    groups: dict[Any, list[_Words]] = defaultdict(list)
    for record in active:
        if record.kind not in _NEVER and not is_foreign(record):
            said = record.statement
            text = said.object or said.value or said.text
            words = _Words(record=record, text=folded(text), terms=frozenset(telling_terms(text)))
            groups[_apart(record, text)].append(words)
    versions: list[Record] = []
    steps: list[Step] = []
    for group in groups.values():
        if len(group) > 1:
            for best, others in _clusters(group):
                change = Change(at=now, verb="consolidate", by=by, operation=operation)
                versions += _merged(best, others, change)
                steps += [
                    Step(act="supersede", target=one.id, because=f"{best.id} says the same") for one in others
                ]
    return Planned(versions=tuple(versions), steps=tuple(steps))


def _apart(record: Record, text: str) -> tuple[object, ...]:
    """What two records have to agree in before their words are compared."""
    said, scope = record.statement, record.scope
    return (
        (scope.user, scope.agent, scope.project, scope.seat),
        record.kind,
        _plain(said.subject),
        said.predicate,
        _plain(said.key),
        tuple(sorted({_plain(one) for one in record.entities})),
        marks(text),
        negations(text),
        dates(text),
        record.validity.until,
        record.validity.expires,
        record.sensitivity,
        record.origin.channel in OUTSIDE,
        record.origin.channel is Channel.PERSON,
    )


def _clusters(group: Sequence[_Words]) -> Iterable[tuple[Record, list[Record]]]:
    """The best of each cluster, with those that it speaks for."""
    ranked = sorted(group, key=lambda one: _goodness(one.record), reverse=True)
    near = _near(ranked)
    gone: set[int] = set()
    spoken: dict[int, list[int]] = {}
    for place, better in enumerate(ranked):
        for other in sorted(near.get(place, ())):
            if place in gone or other in gone or other <= place:
                continue
            keeper, loser = _keeper(ranked, place, other, better)
            if keeper is None or loser in spoken:
                continue
            spoken.setdefault(keeper, []).append(loser)
            gone.add(loser)
    return [(ranked[best].record, [ranked[one].record for one in others]) for best, others in spoken.items()]


def _keeper(ranked: Sequence[_Words], place: int, other: int, better: _Words) -> tuple[int | None, int]:
    """Which of two stands: the better one, or the one that says more when nothing speaks against it."""
    weaker = ranked[other]
    if weaker.record.pinned:
        return None, other
    if weaker.terms <= better.terms or weaker.text == better.text:
        return place, other
    one, more = better.record, weaker.record
    is_safe = not one.pinned and more.origin.trust >= one.origin.trust
    if better.terms <= weaker.terms and is_safe and more.weight.confidence >= one.weight.confidence:
        return other, place
    return None, other


def _near(ranked: Sequence[_Words]) -> dict[int, set[int]]:
    """The pairs that share enough. The rarest word of one that says less stands in the one that says more."""
    common = Counter(term for one in ranked for term in one.terms)
    near: dict[int, set[int]] = defaultdict(set)
    twins: dict[object, int] = {}
    by_rarest: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(ranked):
        if (twin := twins.setdefault(one.terms or one.text, place)) != place:
            near[twin].add(place)  # its twin stands for it in all other comparisons
        elif one.terms:
            by_rarest[min(one.terms, key=lambda term: (common[term], term))].append(place)
    for place in twins.values():
        mine = ranked[place].terms
        for other in {other for term in mine for other in by_rarest.get(term, ())} - {place}:
            if _says_less(ranked[other].terms, mine):
                near[min(place, other)].add(max(place, other))
    return near


def _says_less(part: frozenset[str], whole: frozenset[str]) -> bool:
    return ALIKE * len(whole) <= len(part) and part <= whole


def _goodness(record: Record) -> tuple[object, ...]:
    weight = record.weight
    newest = record.origin.observed or record.created
    return (record.pinned, record.origin.trust, weight.confidence, weight.importance, newest, record.id)


def _merged(best: Record, others: Sequence[Record], change: Change) -> list[Record]:
    equals = [one for one in others if one.origin.trust >= best.origin.trust]
    since = [one.validity.since for one in (best, *equals)]
    begun = min((one for one in since if one is not None), default=None) if all(since) else None
    validity = replace(
        best.validity,
        since=begun,
        supersedes=tuple(dict.fromkeys([*best.validity.supersedes, *(one.id for one in others)])),
    )
    # Who is trusted less lends no evidence: its sessions would make the better record firmer than it is.
    lent = [source for one in equals for source in one.sources]
    sources = tuple(dict.fromkeys([*best.sources, *lent]))
    because = (
        f"{len(others)} other records say the same" if len(others) > 1 else f"{others[0].id} says the same"
    )
    merged = [_next(replace(best, validity=validity, sources=sources), replace(change, because=because))]
    because = f"{best.id} says the same"
    for one in others:
        until = max(change.at, one.validity.since) if one.validity.since else change.at
        ended = replace(one.validity, until=until, superseded_by=best.id)
        gone = replace(one, status=Status.SUPERSEDED, validity=ended)
        merged.append(_next(gone, replace(change, because=because)))
    return merged


def _next(record: Record, change: Change) -> Record:
    return replace(record, version=record.version + 1, change=change)


def _plain(name: str) -> str:
    return " ".join(normalise(name).split())
