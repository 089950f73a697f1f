"""Three facts or more of one topic, in one line that cites them.

A topic is a subject and a predicate within one scope, so a summary says nothing that its facts do not say. It is
refreshed when they change and put away when fewer than three are left. Its id follows from the topic: two
machines write the same record. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType

from memoracle.lifecycle.planned import Planned
from memoracle.model.activation import Anchor
from memoracle.model.change import Change
from memoracle.model.ids import RECORD_PREFIX, derived_id
from memoracle.model.origin import OUTSIDE, Channel, Origin
from memoracle.model.plan import Step
from memoracle.model.predicates import NO_LONGER, OWNER, PREDICATES
from memoracle.model.record import (
    AGAIN,
    Kind,
    Record,
    Sensitivity,
    Statement,
    Status,
    Weight,
    content_key_of,
    is_foreign,
)
from memoracle.model.scope import Scope
from memoracle.model.validity import Validity
from memoracle.model.value import replace, value
from memoracle.text import is_unspaced, normalise, shorten

SUMMARY_OF = "summary_of_"
"""Before a predicate: what all its facts say together."""

LONGEST = 50
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

    @property
    def id(self) -> str:
        return self.id_after(0)

    def id_after(self, erased: int) -> str:
        """The id of its summary, once so many of them were erased with what they were made of."""
        whose = (self.scope.user, self.scope.agent, self.scope.project, self.scope.seat)
        said = (self.subject, self.predicate, *([str(erased)] if erased else []))
        return derived_id(RECORD_PREFIX, _ERA, "summary", *whose, *said)


def plan_summaries(
    active: Sequence[Record],
    find: Callable[[str], Record | None],
    *,
    now: datetime,
    operation: str,
    by: str,
    least: int = 3,
) -> Planned:
    """The summaries to write, refresh and put away. `active` holds every active record; `find` knows all others too."""
    topics: dict[_Topic, list[Record]] = {}
    for record in active:
        if topic := _topic_of(record):
            topics.setdefault(topic, []).append(record)
    versions, steps = [], []
    for topic, every in sorted(topics.items(), key=lambda item: item[0].id):
        (summary_id, held), members = _home(topic, find), _distinct(every)
        if all(map(is_foreign, members)):
            continue  # another program's own facts: nothing was said here that would ask for a summary
        if len(members) >= least and (made := _refreshed(topic, members, held, now)):
            made = replace(made, id=summary_id)
            because = f"{len(members)} facts say: {made.text}"
            versions.append(_written(made, held, now, operation, by, because))
            steps.append(Step(act="refresh" if held else "summarise", target=made.id, because=because))
    for record in active:
        if _is_summary(record) and (left := _too_few(record, topics, least)) is not None:
            because = f"{len(left)} facts are left of what it says"
            away = replace(record, status=Status.ARCHIVED, sources=tuple(one.id for one in left))
            versions.append(_written(away, record, now, operation, by, because))
            steps.append(Step(act="archive", target=record.id, because=because))
    return Planned(versions=tuple(versions), steps=tuple(steps))


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
        text = head + (_in_chinese if chinese else _in_english)(objects, shown)
        if len(text) <= LONGEST:
            return text
    room = max(8, LONGEST - len(head) - 10)
    return head + (_in_chinese if chinese else _in_english)([shorten(objects[0], room), *objects[1:]], 1)


def _in_english(objects: Sequence[str], shown: int) -> str:
    if shown == len(objects):
        return ", ".join(objects[:-1]) + f" and {objects[-1]}" if shown > 1 else objects[0]
    return f"{', '.join(objects[:shown])} and {len(objects) - shown} more"


def _in_chinese(objects: Sequence[str], shown: int) -> str:
    if shown == len(objects):
        return "、".join(objects[:-1]) + f"和{objects[-1]}" if shown > 1 else objects[0]
    return f"{'、'.join(objects[:shown])}等{len(objects)}项"


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
    subject = " ".join(normalise(said.subject).split())
    return _Topic(scope=record.scope, subject=subject, predicate=said.predicate)


def _distinct(members: Sequence[Record]) -> list[Record]:
    """One record per object, what matters most first."""
    kept: dict[str, Record] = {}
    for one in sorted(members, key=_rank):
        kept.setdefault(" ".join(normalise(one.statement.object).split()), one)
    return list(kept.values())


def _rank(record: Record) -> tuple[float, datetime, str]:
    return -record.weight.importance, record.origin.observed or record.created, record.id


def _refreshed(topic: _Topic, members: Sequence[Record], held: Record | None, now: datetime) -> Record | None:
    """The summary as it should be; None when it is so already, or when somebody took it out."""
    sources = tuple(sorted(one.id for one in members))
    chinese = 2 * sum(is_unspaced(one.text) for one in members) > len(members)
    subject = next((one.statement.subject for one in members), topic.subject)
    objects = [one.statement.object for one in members]
    text = summary_text(subject, topic.predicate, objects, chinese=chinese)
    if held is not None:
        is_same = frozenset(held.sources) == frozenset(sources)
        by_hand = held.status is not Status.ACTIVE and held.change.verb != "consolidate"
        if (
            held.status in {Status.FORGOTTEN, Status.RETRACTED, Status.SUPERSEDED, Status.WITHDRAWN}
            or by_hand
        ):
            return None
        if is_same and (
            held.text == text or held.change.verb != "consolidate" or held.status is Status.ARCHIVED
        ):
            return None
    statement = Statement(text=text, subject=subject, predicate=SUMMARY_OF + topic.predicate)
    lowest = min((one.origin for one in members), key=lambda origin: origin.trust)
    channel = Channel.SYSTEM if lowest.channel is Channel.OWNER else lowest.channel
    seen = max(one.origin.observed or one.created for one in members)
    return Record(
        id=topic.id,
        version=0,
        kind=Kind.SUMMARY,
        statement=statement,
        change=members[0].change,
        created=held.created if held else now,
        pinned=held.pinned if held else False,
        entities=(subject,),
        tags=held.tags if held else (),
        weight=Weight(
            importance=max(one.weight.importance for one in members),
            confidence=min(one.weight.confidence for one in members),
            anchor=Anchor(value=1.0, at=now),
        ),
        origin=Origin(channel=channel, observed=seen, trust=lowest.trust),
        scope=topic.scope,
        validity=Validity(),
        sensitivity=max((one.sensitivity for one in members), key=_PRIVACY.__getitem__),
        sources=sources,
        keys=(content_key_of(Kind.SUMMARY, statement, topic.scope),),
    )


def _is_summary(record: Record) -> bool:
    return record.kind is Kind.SUMMARY and record.statement.predicate.startswith(SUMMARY_OF)


def _too_few(record: Record, topics: Mapping[_Topic, Sequence[Record]], least: int) -> list[Record] | None:
    """What is left under a summary that has too little under it."""
    said = record.statement
    topic = _Topic(
        scope=record.scope,
        subject=" ".join(normalise(said.subject).split()),
        predicate=said.predicate.removeprefix(SUMMARY_OF),
    )
    left = _distinct(topics.get(topic, ()))
    return left if len(left) < least else None


def _written(
    record: Record, held: Record | None, now: datetime, operation: str, by: str, because: str
) -> Record:
    change = Change(at=now, verb="consolidate", by=by, because=because, operation=operation)
    return replace(record, version=held.version + 1 if held else 1, change=change)
