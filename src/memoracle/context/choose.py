"""Which records stand in the hot file, and in which part of it.

Pure. What came from a tool or from outside is never handed over unasked, nor is what was quarantined, has
ended or is secret; a group sees what is public. A record enters above 0.5 and stays down to 0.15,
so that one near a limit does not come and go. Identity, constraints and pinned records need no activation.
What is about somebody else stands under their name: User, Constraints, Core and Open are the owner's own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from memoracle.context.days import is_over
from memoracle.context.deduplicate import Deduplicator
from memoracle.model.cite import short_id
from memoracle.model.hit import Passage
from memoracle.model.origin import OUTSIDE, TRUST, Channel
from memoracle.model.predicates import OWNER, Family, predicate_named
from memoracle.model.record import Kind, Sensitivity, Status
from memoracle.model.standing import Standing
from memoracle.model.whose import AGENTS, names_of_owner, person_of
from memoracle.policy.origins import is_vouched_for
from memoracle.zone import day_in

ENTERS = 0.5
STAYS = 0.15
RECENT_DAYS = 3

_TOLD = TRUST[Channel.AGENT]
"""What is trusted less than an agent's own word, such as another program's memory, waits to be asked for or pinned."""
_OWN_WORD = frozenset({Channel.OWNER, Channel.SYSTEM})
"""Only what the owner said, or memory itself was set up with, tells an agent who it is and what it must do."""

_ABOUT_THE_OWNER = frozenset({Family.WORK, Family.EDUCATION, Family.PLACE})
_CONSTRAINTS = (Kind.SAFETY, Kind.HEALTH, Kind.RULE)
_DANGERS = frozenset({Kind.SAFETY, Kind.HEALTH})
_MOST_OF_OTHERS = 15
"""However many people there are, the owner's own memory leads."""
_OPEN = frozenset({Kind.TASK, Kind.PLAN})
_NEVER = datetime.max.replace(tzinfo=UTC)


class Audience(StrEnum):
    """Who will read it."""

    PRIVATE = "private"
    GROUP = "group"


class Part(StrEnum):
    """The parts of the hot file, in their order."""

    IDENTITY = "Identity"
    USER = "User"
    CONSTRAINTS = "Constraints"
    PEOPLE = "People and things"
    PINNED = "Pinned"
    CORE = "Core memories"
    RECENT = "Recent (3 days)"
    OPEN = "Open items"


def choose(
    standing: Sequence[Standing],
    *,
    present: frozenset[str],
    now: datetime,
    zone: tzinfo,
    audience: Audience = Audience.PRIVATE,
    projects: Collection[str] | None = None,
) -> Mapping[Part, list[Standing]]:
    """The records of each part, the first to be shown first. `present` names those shown before.

    With `projects`, what belongs to another project than these is left out; the empty name is what belongs to none.
    """
    parts: dict[Part, list[Standing]] = {part: [] for part in Part}
    owner = names_of_owner([one.passage for one in standing])
    for one in standing:
        if projects is not None and one.passage.project not in projects:
            continue
        if may_be_shown(one.passage, now, audience):
            is_present = _is_among(one.passage, present)
            part = _part_of(one, now, zone, owner, is_present=is_present)
            if part:
                parts[part].append(one)
    for part, held in parts.items():
        held.sort(key=_ORDER.get(part, _by_importance))
    parts[Part.PEOPLE] = _by_person(parts[Part.PEOPLE], owner)
    return _said_once(parts)


def _by_person(held: Sequence[Standing], owner: frozenset[str]) -> list[Standing]:
    """What is known of others, one after the other: whose health is at stake first, then who matters most."""
    people: dict[str, list[Standing]] = {}
    for one in held[:_MOST_OF_OTHERS]:
        people.setdefault(person_of(one.passage, owner).casefold(), []).append(one)
    return [one for those in people.values() for one in those]


def _said_once(parts: Mapping[Part, list[Standing]]) -> dict[Part, list[Standing]]:
    """A sentence that gave two records is shown once, in the first part it belongs to."""
    told = Deduplicator()
    kept: dict[Part, list[Standing]] = {part: [] for part in parts}
    for part, held in parts.items():
        for one in held:
            if not told.knows(one.passage.text):
                told.add(one.passage.text)
                kept[part].append(one)
    return kept


def may_be_shown(passage: Passage, now: datetime, audience: Audience = Audience.PRIVATE) -> bool:
    """True for what may be handed to this audience without being asked for."""
    return (
        passage.status is Status.ACTIVE
        and passage.channel not in OUTSIDE
        and (passage.trust >= _TOLD or passage.pinned)
        and is_vouched_for(passage)
        and passage.validity.holds_at(now)
        and passage.sensitivity != Sensitivity.SECRET
        and (audience is Audience.PRIVATE or passage.sensitivity == Sensitivity.PUBLIC)
    )


def weight_of(one: Standing) -> float:
    """What decides the rank of a memory: how alive it is, how much it matters, how sure it is."""
    return one.activation * one.passage.importance * one.passage.confidence


def _part_of(
    one: Standing, now: datetime, zone: tzinfo, owner: frozenset[str], *, is_present: bool
) -> Part | None:
    passage = one.passage
    if person_of(passage, owner):
        is_due = one.activation > ENTERS or (is_present and one.activation >= STAYS) or passage.pinned
        is_told = not (passage.kind in _OPEN and is_over(passage, now, zone))
        return Part.PEOPLE if is_told and (is_due or passage.kind in _DANGERS) else None
    if passage.channel in _OWN_WORD:
        if passage.kind == Kind.IDENTITY:
            return Part.IDENTITY if passage.subject.casefold() in AGENTS else Part.USER
        if passage.kind in _CONSTRAINTS:
            return Part.CONSTRAINTS
    if passage.pinned:
        return Part.PINNED
    if passage.kind in _OPEN:
        return Part.OPEN if one.activation >= STAYS and not is_over(passage, now, zone) else None
    if not (one.activation > ENTERS or (is_present and one.activation >= STAYS)):
        return None
    known = predicate_named(passage.predicate)
    is_about_owner = known and known.family in _ABOUT_THE_OWNER and passage.subject.casefold() == OWNER
    if is_about_owner and passage.channel in _OWN_WORD:
        return Part.USER
    first_day = day_in(zone, now) - timedelta(days=RECENT_DAYS - 1)
    return Part.RECENT if passage.at and day_in(zone, passage.at) >= first_day else Part.CORE


def _is_among(passage: Passage, present: frozenset[str]) -> bool:
    return passage.ref in present or short_id(passage.ref) in present


def _by_importance(one: Standing) -> tuple[object, ...]:
    passage = one.passage
    return (
        passage.kind != Kind.IDENTITY,
        passage.predicate != "is_called",
        -passage.importance,
        *_age(passage),
    )


def _by_danger(one: Standing) -> tuple[object, ...]:
    passage = one.passage
    return (_CONSTRAINTS.index(Kind(passage.kind)), -passage.importance, *_age(passage))


def _by_weight(one: Standing) -> tuple[object, ...]:
    return (-weight_of(one), *_age(one.passage))


def _newest_first(one: Standing) -> tuple[object, ...]:
    return (-(one.passage.at or _NEVER).timestamp(), one.passage.ref)


def _soonest_first(one: Standing) -> tuple[object, ...]:
    return (one.passage.validity.expires or _NEVER, *_newest_first(one))


def _age(passage: Passage) -> tuple[object, ...]:
    return (passage.at or _NEVER, passage.ref)


def _of_others(one: Standing) -> tuple[object, ...]:
    passage = one.passage
    return (
        passage.kind not in _DANGERS,
        not passage.pinned,
        passage.kind != Kind.RELATIONSHIP,
        *_by_weight(one),
    )


_ORDER = {
    Part.PEOPLE: _of_others,
    Part.CONSTRAINTS: _by_danger,
    Part.CORE: _by_weight,
    Part.RECENT: _newest_first,
    Part.OPEN: _soonest_first,
}
