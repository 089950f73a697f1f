"""Three facts or more of one topic, in one line that cites them.

A topic is a subject and a predicate within one scope, so a summary says nothing that its facts do not say. It is
refreshed when they change and put away when fewer than three are left. Its id follows from the topic: two
machines write the same record. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from memoracle.learn.draft import next_version
from memoracle.learn.evidence import dates, folded, marks, negations, said_at
from memoracle.learn.record_sets import plain
from memoracle.model.ids import RECORD_PREFIX, derived_id
from memoracle.model.predicates import NO_LONGER, OWNER, PREDICATES
from memoracle.model.record import (
    AGAIN,
    OUTSIDE,
    Anchor,
    Change,
    Channel,
    Kind,
    Origin,
    Record,
    Scope,
    Sensitivity,
    Statement,
    Status,
    Validity,
    Weight,
    content_key_of,
    is_foreign,
)
from memoracle.model.report import Step
from memoracle.model.value import replace, value
from memoracle.text import is_unspaced, shorten, telling_terms

# What a pure step of upkeep proposes: the versions to write, and why.


@value
class _Planned:
    """Versions in the order they are to be written, and a reason for each change."""

    versions: tuple[Record, ...] = ()
    steps: tuple[Step, ...] = ()


# Records that say the same in other words become one: the best stands, the others are superseded by it. Pure.

ALIKE = 0.8
_MANY = 300
_NEVER = frozenset({Kind.SUMMARY, Kind.BELIEF, Kind.EVENT})


@value
class _Words:
    record: Record
    text: str
    order: tuple[str, ...]
    terms: frozenset[str]

    def is_said_by(self, other: _Words) -> bool:
        """True when its words stand in the other, in their order: who owes whom is said by nothing else."""
        following = iter(other.order)
        return self.terms <= other.terms and all(term in following for term in self.order)


def redundant_with(
    active: Sequence[Record], since: datetime | None, sharing: Callable[[Sequence[Record]], Container[str]]
) -> Sequence[Record]:
    """What changed since then, and the ids that are `sharing` its words; everything when that is simpler."""
    changed = [one for one in active if since is None or one.change.at >= since]
    if len(changed) > _MANY or len(changed) == len(active):
        return active
    ids, near = {one.id for one in changed}, sharing(changed)
    return [one for one in active if one.id in ids or one.id in near]


def compress(active: Sequence[Record], change: Change) -> _Planned:
    """What takes the place of what, and why."""
    groups: dict[Any, list[_Words]] = defaultdict(list)
    for record in active:
        if record.kind not in _NEVER and not is_foreign(record):
            said = record.statement
            text = said.object or said.value or said.text
            order = tuple(dict.fromkeys(telling_terms(text)))
            words = _Words(record=record, text=folded(text), order=order, terms=frozenset(order))
            groups[_compared_by(record, text)].append(words)
    versions: list[Record] = []
    steps: list[Step] = []
    for group in groups.values():
        if len(group) > 1:
            for best, others in _clusters(group):
                versions += _merged(best, others, change)
                steps += [
                    Step(act="supersede", target=one.id, because=f"{best.id} says the same") for one in others
                ]
    return _Planned(versions=tuple(versions), steps=tuple(steps))


def _compared_by(record: Record, text: str) -> tuple[object, ...]:
    """What two records have to agree in before their words are compared."""
    said = record.statement
    return (
        record.scope,
        record.kind,
        plain(said.subject),
        said.predicate,
        plain(said.key),
        tuple(sorted({plain(one) for one in record.entities})),
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
    ranked = sorted(group, key=_goodness, reverse=True)
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
    if weaker.is_said_by(better) or weaker.text == better.text:
        return place, other
    one, more = better.record, weaker.record
    is_safe = not one.pinned and more.origin.trust >= one.origin.trust
    if better.is_said_by(weaker) and is_safe and more.weight.confidence >= one.weight.confidence:
        return other, place
    return None, other


def _near(ranked: Sequence[_Words]) -> dict[int, set[int]]:
    """The pairs that share enough. The rarest word of one that says less stands in the one that says more."""
    common = Counter(term for one in ranked for term in one.terms)
    near: dict[int, set[int]] = defaultdict(set)
    twins: dict[object, int] = {}
    by_rarest: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(ranked):
        if (twin := twins.setdefault(one.order or one.text, place)) != place:
            near[twin].add(place)  # its twin stands for it in all other comparisons
        elif one.terms:
            by_rarest[min(one.terms, key=lambda term: (common[term], term))].append(place)
    for place in twins.values():
        mine = ranked[place]
        for other in {other for term in mine.terms for other in by_rarest.get(term, ())} - {place}:
            if _says_less(ranked[other], mine):
                near[min(place, other)].add(max(place, other))
    return near


def _says_less(part: _Words, whole: _Words) -> bool:
    return ALIKE * len(whole.terms) <= len(part.terms) and part.is_said_by(whole)


def _goodness(words: _Words) -> tuple[object, ...]:
    record, weight = words.record, words.record.weight
    return (
        record.pinned,
        record.origin.trust,
        weight.confidence,
        weight.importance,
        said_at(record),
        record.id,
    )


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
    merged = [
        next_version(replace(best, validity=validity, sources=sources), replace(change, because=because))
    ]
    because = f"{best.id} says the same"
    for one in others:
        until = max(change.at, one.validity.since) if one.validity.since else change.at
        ended = replace(one.validity, until=until, superseded_by=best.id)
        gone = replace(one, status=Status.SUPERSEDED, validity=ended)
        merged.append(next_version(gone, replace(change, because=because)))
    return merged


SUMMARY_OF = "summary_of_"
"""Before a predicate: what all its facts say together."""

LONGEST = 50
_OUT = frozenset({Status.FORGOTTEN, Status.RETRACTED, Status.SUPERSEDED, Status.WITHDRAWN})
_ERA = datetime(2020, 1, 1, tzinfo=UTC)
_PRIVACY = {Sensitivity.PUBLIC: 0, Sensitivity.PRIVATE: 1, Sensitivity.SECRET: 2}

_WORDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "is": ("is", "是"),
        "speaks": ("speaks", "会说"),
        "allergic_to": ("allergic to", "对以下过敏："),
        "has_condition": ("has", "患有"),
        "takes_medicine": ("takes", "服用"),
        "cannot_eat": ("cannot eat", "不能吃"),
        "likes": ("likes", "喜欢"),
        "prefers": ("prefers", "偏好"),
        "favourite": ("favourites:", "最喜欢"),
        "dislikes": ("dislikes", "不喜欢"),
        "child": ("children:", "孩子："),
        "sibling": ("siblings:", "兄弟姐妹："),
        "relative": ("relatives:", "亲戚："),
        "friend": ("friends:", "朋友："),
        "colleague": ("colleagues:", "同事："),
        "pet": ("pets:", "宠物："),
        "works_on": ("works on", "在做"),
        "studied_at": ("studied at", "曾就读于"),
        "studies": ("studies", "在学"),
        "owns": ("owns", "有"),
        "uses": ("uses", "使用"),
        "handle": ("handles:", "账号："),
        "website": ("websites:", "网站："),
        "built_with": ("built with", "使用技术："),
    }
)
"""How a summary begins, in English and Chinese. Predicates that are not here, and are known, say whole sentences."""


@value
class _Topic:
    scope: Scope
    subject: str
    predicate: str

    def id_after(self, erased: int) -> str:
        """The id of its summary, once so many of them were erased with what they were made of."""
        whose = (self.scope.user, self.scope.agent, self.scope.project, self.scope.seat)
        said = (self.subject, self.predicate, *([str(erased)] if erased else []))
        return derived_id(RECORD_PREFIX, _ERA, "summary", *whose, *said)


def plan_summaries(
    active: Sequence[Record],
    find: Callable[[str], Record | None],
    change: Change,
    *,
    least: int = 3,
) -> _Planned:
    """The summaries to write, refresh and put away. `active` holds every active record; `find` knows all others too."""
    topics: dict[_Topic, list[Record]] = {}
    for record in active:
        if topic := _topic_of(record):
            topics.setdefault(topic, []).append(record)
    versions, steps = [], []
    for topic, every in sorted(topics.items(), key=lambda item: item[0].id_after(0)):
        (summary_id, held), members = _home(topic, find), _distinct(every)
        if all(map(is_foreign, members)):
            continue  # another program's own facts: nothing was said here that would ask for a summary
        if len(members) >= least and (made := _refreshed(summary_id, topic, members, held, change)):
            because = f"{len(members)} facts say: {made.text}"
            versions.append(next_version(made, replace(change, because=because)))
            steps.append(Step(act="refresh" if held else "summarise", target=summary_id, because=because))
    for record in active:
        said = record.statement
        if record.kind is not Kind.SUMMARY or not said.predicate.startswith(SUMMARY_OF):
            continue
        predicate = said.predicate.removeprefix(SUMMARY_OF)
        topic = _Topic(scope=record.scope, subject=plain(said.subject), predicate=predicate)
        left = _distinct(topics.get(topic, ()))
        if len(left) < least:
            because = f"{len(left)} facts are left of what it says"
            away = replace(record, status=Status.ARCHIVED, sources=tuple(one.id for one in left))
            versions.append(next_version(away, replace(change, because=because)))
            steps.append(Step(act="archive", target=record.id, because=because))
    return _Planned(versions=tuple(versions), steps=tuple(steps))


def _home(topic: _Topic, find: Callable[[str], Record | None]) -> tuple[str, Record | None]:
    """Where the summary of a topic stands: the first place that was not erased along with its sources."""
    erased = 0
    while True:
        summary_id = topic.id_after(erased)
        held = find(summary_id)
        if held is None or held.status is not Status.FORGOTTEN or not held.extra.get(AGAIN):
            return summary_id, held
        erased += 1


def summary_text(subject: str, predicate: str, objects: Sequence[str], *, chinese: bool) -> str:
    """What these facts say together, within fifty characters where that can be done."""
    english, han = _WORDS.get(
        predicate, (f"{predicate.replace('_', ' ')}:", f"{predicate.replace('_', ' ')}：")
    )
    whose = "" if subject == OWNER else subject if chinese else f"{subject} "
    head = f"{whose}{han}" if chinese else f"{whose}{english} "
    for shown in range(len(objects), 0, -1):
        text = head + _listed(objects, shown, chinese=chinese)
        if len(text) <= LONGEST:
            return text
    room = max(8, LONGEST - len(head) - 10)
    return head + _listed([shorten(objects[0], room), *objects[1:]], 1, chinese=chinese)


def _listed(objects: Sequence[str], shown: int, *, chinese: bool) -> str:
    comma, last = ("、", "和") if chinese else (", ", " and ")
    rest = f"等{len(objects)}项" if chinese else f" and {len(objects) - shown} more"
    if shown < len(objects):
        return comma.join(objects[:shown]) + rest
    return last.join((comma.join(objects[:-1]), objects[-1])) if shown > 1 else objects[0]


def _topic_of(record: Record) -> _Topic | None:
    said = record.statement
    if record.origin.channel in OUTSIDE:
        return None  # what only quotes somebody else is summed up with nothing
    if record.kind in {Kind.BELIEF, Kind.SUMMARY} or not (said.subject and said.predicate and said.object):
        return None
    if said.predicate.startswith((NO_LONGER, SUMMARY_OF)):
        return None
    if said.predicate in PREDICATES and said.predicate not in _WORDS:
        return None
    subject = plain(said.subject)
    return _Topic(scope=record.scope, subject=subject, predicate=said.predicate)


def _distinct(members: Sequence[Record]) -> list[Record]:
    """One record per object, what matters most first."""
    kept: dict[str, Record] = {}
    for one in sorted(members, key=lambda one: (-one.weight.importance, said_at(one), one.id)):
        kept.setdefault(plain(one.statement.object), one)
    return list(kept.values())


def _refreshed(
    summary_id: str, topic: _Topic, members: Sequence[Record], held: Record | None, change: Change
) -> Record | None:
    """The summary as it should be; None when it is so already, or when somebody took it out."""
    sources = tuple(sorted(one.id for one in members))
    chinese = 2 * sum(is_unspaced(one.text) for one in members) > len(members)
    subject = next((one.statement.subject for one in members), topic.subject)
    objects = [one.statement.object for one in members]
    text = summary_text(subject, topic.predicate, objects, chinese=chinese)
    if held is not None:
        by_hand, is_away = held.change.verb != "consolidate", held.status is not Status.ACTIVE
        if held.status in _OUT or (by_hand and is_away):
            return None
        is_same = frozenset(held.sources) == frozenset(sources)
        if is_same and (held.text == text or by_hand or held.status is Status.ARCHIVED):
            return None
    statement = Statement(text=text, subject=subject, predicate=SUMMARY_OF + topic.predicate)
    lowest = min((one.origin for one in members), key=lambda origin: origin.trust)
    channel = Channel.SYSTEM if lowest.channel is Channel.OWNER else lowest.channel
    seen = max(map(said_at, members))
    return Record(
        id=summary_id,
        version=held.version if held else 0,
        kind=Kind.SUMMARY,
        statement=statement,
        change=change,
        created=held.created if held else change.at,
        pinned=held.pinned if held else False,
        entities=(subject,),
        tags=held.tags if held else (),
        weight=Weight(
            importance=max(one.weight.importance for one in members),
            confidence=min(one.weight.confidence for one in members),
            anchor=Anchor(value=1.0, at=change.at),
        ),
        origin=Origin(channel=channel, observed=seen, trust=lowest.trust),
        scope=topic.scope,
        validity=Validity(),
        sensitivity=max((one.sensitivity for one in members), key=_PRIVACY.__getitem__),
        sources=sources,
        keys=(content_key_of(Kind.SUMMARY, statement, topic.scope),),
    )
