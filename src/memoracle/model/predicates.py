"""The vocabulary of what can be said of somebody: predicates, and what each of them means for memory.

Rules and models write these names into a record's `predicate`; reconciliation asks them whether
two objects exclude each other. An unknown predicate is somebody's own word: nothing is assumed of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

from memoracle.model.record import Channel, Kind
from memoracle.model.search import Passage
from memoracle.model.value import value

OWNER = "user"
"""The subject of what the owner says of themselves."""

NO_LONGER = "no_longer_"
"""Before a predicate: it held once, and has ended."""


class Family(StrEnum):
    """What sort of thing a statement is about."""

    IDENTITY = "identity"
    NAME = "name"
    HEALTH = "health"
    SAFETY = "safety"
    PREFERENCE = "preference"
    DISLIKE = "dislike"
    RULE = "rule"
    RELATIONSHIP = "relationship"
    WORK = "work"
    EDUCATION = "education"
    PLACE = "place"
    POSSESSION = "possession"
    SCHEDULE = "schedule"
    PLAN = "plan"
    TASK = "task"
    DECISION = "decision"
    LESSON = "lesson"
    CONTACT = "contact"
    PROJECT = "project"
    OTHER = "other"
    """The speaker asked for it to be kept, and no family fits."""


@value
class Predicate:
    """What a predicate means. `single`: a subject has one object at a time, so a new one replaces the old."""

    family: Family
    kind: Kind
    importance: float
    single: bool = False
    stable: bool = False
    """One stray remark does not replace it."""


# Every predicate of a family makes records of one kind and of one importance.
_FAMILIES = (
    (Family.NAME, Kind.IDENTITY, 1.0, "is_called"),
    (Family.IDENTITY, Kind.IDENTITY, 1.0, "is is_from born_on age speaks"),
    (Family.HEALTH, Kind.HEALTH, 1.0, "allergic_to has_condition takes_medicine blood_type cannot_eat"),
    (Family.SAFETY, Kind.SAFETY, 1.0, "must_never emergency_contact"),
    (Family.PREFERENCE, Kind.PREFERENCE, 0.8, "likes prefers favourite"),
    (Family.DISLIKE, Kind.PREFERENCE, 0.8, "dislikes"),
    (Family.RULE, Kind.RULE, 0.8, "wants_always wants_never"),
    (
        Family.RELATIONSHIP,
        Kind.RELATIONSHIP,
        0.8,
        "spouse partner mother father manager child sibling relative friend colleague pet marital_status",
    ),
    (Family.WORK, Kind.FACT, 0.5, "works_at works_as works_on"),
    (Family.EDUCATION, Kind.FACT, 0.5, "studies_at studied_at studies"),
    (Family.PLACE, Kind.FACT, 0.5, "lives_in address located_in"),
    (Family.POSSESSION, Kind.FACT, 0.5, "owns uses"),
    (Family.SCHEDULE, Kind.EVENT, 0.2, "scheduled"),
    (Family.PLAN, Kind.PLAN, 0.7, "plans_to"),
    (Family.TASK, Kind.TASK, 0.7, "has_to"),
    (Family.DECISION, Kind.DECISION, 0.7, "decided"),
    (Family.LESSON, Kind.LESSON, 0.7, "learned"),
    (Family.CONTACT, Kind.FACT, 0.5, "email phone handle website"),
    (Family.PROJECT, Kind.FACT, 0.7, "project_state deadline deployed_on built_with"),
    (Family.OTHER, Kind.FACT, 0.5, "noted"),
)
_SINGLE = frozenset(
    "is_called is_from born_on age blood_type emergency_contact spouse partner mother father manager marital_status"
    " works_at works_as studies_at lives_in address located_in email phone project_state deadline deployed_on".split()
)
_STABLE = frozenset(
    "is_called is_from born_on blood_type likes prefers favourite dislikes spouse partner mother father"
    " works_at lives_in address".split()
)
PREDICATES: Mapping[str, Predicate] = MappingProxyType(
    {
        name: Predicate(
            family=family, kind=kind, importance=importance, single=name in _SINGLE, stable=name in _STABLE
        )
        for family, kind, importance, names in _FAMILIES
        for name in names.split()
    }
)


def predicate_named(name: str) -> Predicate | None:
    """What a predicate means, the ended ones included; None for somebody's own word."""
    return PREDICATES.get(name.removeprefix(NO_LONGER))


# Wording that makes a statement health, safety or identity, which no age takes away: cheap enough for every write.

_LONGEST = 400
_ME = r"(?:\bI(?:'m| am|'ve|’m|’ve)?\b|\bmy\b|\buser(?:'s)?\b|我|本人|用户)"


@lru_cache(maxsize=1)
def _expressions() -> tuple[re.Pattern[str], tuple[tuple[Kind, re.Pattern[str]], ...]]:
    doubtful = re.compile(
        r"[?？]\s*$|^\s*(?:if|suppose|imagine|what if|am i|do i|is|are|does|can|如果|假如|要是|假设)\b"
        r"|\b(?:says?|said|wrote)\b|吗\s*[?？]?$|(?:他|她|他们)说|\bnot allergic\b|不过敏",
        re.IGNORECASE,
    )
    health = re.compile(
        rf"{_ME}.{{0,40}}?(?:\ballergic to\b|\ballerg(?:y|ies)\b|\bdiagnosed with\b|\bdiabet(?:es|ic)\b|\basthma"
        rf"(?:tic)?\b|\bepilep(?:sy|tic)\b"
        r"|\bpregnant\b|\bpacemaker\b|\b(?:celiac|coeliac)\b|\b(?:lactose|gluten)[ -]intolerant\b|\bblood (?:type"
        r"|group)\b|\bcan(?:'t|not| not) eat\b"
        r"|\bepi-?pens?\b|\banaphyla(?:xis|ctic)\b"
        r"|过敏|糖尿病|哮喘|癫痫|高血压|心脏病|怀孕|起搏器|乳糖不耐|血型|确诊|不能吃|吃不了|肾上腺素笔)"
        r"|\bepi-?pens?\b.{0,40}\b(?:for|to) me\b|对[^，。！？\s]{1,12}过敏",
        re.IGNORECASE,
    )
    safety = re.compile(
        rf"\bemergency contact\b|紧急联系人|{_ME} (?:must|should) never be given\b|\bin case of "
        rf"(?:an )?emergency\b.{{0,20}}\bcall\b",
        re.IGNORECASE,
    )
    identity = re.compile(
        r"^\W{0,3}(?:my (?:full |first |last )?name is\b|i(?:'m| am) called\b|the user'?s? name is\b"
        r"|my birthday is\b|i was born (?:on|in)\b"
        r"|我叫|我的名字(?:是|叫)|我姓|我的生日(?:是|在)|我出生于)",
        re.IGNORECASE,
    )
    return doubtful, ((Kind.SAFETY, safety), (Kind.HEALTH, health), (Kind.IDENTITY, identity))


@lru_cache(maxsize=1)
def _steering() -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    whose = r"(?:the )?(?:user|owner|human)(?:'s)?\b.{0,24}?\b"
    rule = re.compile(
        r"^\W{0,3}(?:(?:from now on|in future|going forward),? )?(?:please )?(?:always|never|don't|do not)\b"
        r"|\b(?:you|agents?|assistants?|we) (?:must|should|shall|may|can)(?: (?:always|never|not|only))\b"
        rf"|^\W{{0,3}}{whose}(?:wants?|asked|asks|told|expects?|insists?|requires?)\b"
        r"|^\W{0,3}(?:请|务必|必须|始终|总是|永远|不要|不得|绝不|禁止|以后(?:都|请|要|不))|用户(?:要求|希望|想让)",
        re.IGNORECASE,
    )
    preference = re.compile(
        rf"^\W{{0,3}}(?:{whose}|I (?:really |also )?)(?:prefer|like|love|hate|dislike|enjoy|can't stand|favou?r)"
        r"|^\W{0,3}(?:my|(?:the )?(?:user|owner)'s) fav(?:ou)?rite\b"
        r"|^\W{0,3}(?:用户|主人|我)(?:[^，。！？\s]{0,6})(?:喜欢|偏好|讨厌|最爱|不爱|更愿意)",
        re.IGNORECASE,
    )
    return (Kind.RULE, rule), (Kind.PREFERENCE, preference)


def owners_kind(text: str) -> Kind | None:
    """What the words would be from the owner, where only the owner can say it: what steers an agent, or is vital."""
    head = text[:_LONGEST]
    return vital_kind(head) or next((kind for kind, wording in _steering() if wording.search(head)), None)


def vital_kind(text: str) -> Kind | None:
    """Health, safety or identity when the words plainly say so; otherwise None."""
    if len(text) > _LONGEST:
        return None
    doubtful, kinds = _expressions()
    found = next((kind for kind, expression in kinds if expression.search(text)), None)
    return None if found is None or doubtful.search(text) else found


@lru_cache(maxsize=1)
def _of_triples() -> tuple[re.Pattern[str], re.Pattern[str], tuple[tuple[Kind, re.Pattern[str], bool], ...]]:
    owner = re.compile(r"(?:the )?(?:user|owner)(?:'s)?|me|i|myself|用户|我|本人|主人", re.IGNORECASE)
    denied = re.compile(
        r"\b(?:not?|never|no longer|isn't|without|was|had|former(?:ly)?)\b|不|没有|不再|曾", re.IGNORECASE
    )
    body = re.compile(
        r"\ballerg(?:ic|y|ies|en)\b|\bintoleran(?:t|ce)\b|\bblood (?:type|group)\b|\bdiagnos(?:ed|is)\b"
        r"|过敏|血型|确诊|患有|患者|不耐受",
        re.IGNORECASE,
    )
    mine = re.compile(
        r"\bconditions?\b|\b(?:takes?|on) (?:medicine|drug)s?\b|\bmedications?\b"
        r"|\bsuffers? from\b|\bcan(?:not|'t) eat\b|\bpacemaker\b|\bpregnan|\bdiabet|\basthma|\bepilep|\bc(?:o)?eliac\b"
        r"|病|哮喘|癫痫|怀孕|起搏器|服用|服药|不能吃|忌口",
        re.IGNORECASE,
    )
    safety = re.compile(r"\bemergency contact\b|紧急联系人", re.IGNORECASE)
    identity = re.compile(
        r"(?:(?:is|has|full|first|last|given|family|legal|real|my) )*"
        r"(?:name|named|called|birthday|birth ?date|date of birth|born(?: on| in)?)"
        r"|(?:的)?(?:姓名|名字|名|名叫|叫|叫做|姓|生日|出生日期|出生于)(?:是|叫)?",
        re.IGNORECASE,
    )
    return (
        owner,
        denied,
        (
            (Kind.SAFETY, safety, False),
            (Kind.HEALTH, body, False),
            (Kind.HEALTH, mine, True),
            (Kind.IDENTITY, identity, True),
        ),
    )


def vital_triple(subject: str, predicate: str, value: str) -> Kind | None:
    """Health, safety or identity when the predicate plainly says so, or a bare `has` what follows it; otherwise None.

    What may be said of a machine as well (a name, a condition) is only vital of the owner.
    """
    spoken = " ".join(re.split(r"[\s_\-.]+|(?<=[a-z])(?=[A-Z])", predicate.strip())).strip()
    if not spoken or len(spoken) > _LONGEST:
        return None
    owner, denied, kinds = _of_triples()
    is_owners = owner.fullmatch(subject.strip()) is not None
    if spoken.casefold() in {"has", "have", "is", "有", "是"} and is_owners:
        spoken = f"{spoken} {value[:_LONGEST]}"
    if denied.search(spoken.replace("不能吃", "").replace("不耐受", "").replace("cannot", "")):
        return None
    for kind, expression, of_owner in kinds:
        fits = expression.fullmatch if kind is Kind.IDENTITY else expression.search
        if fits(spoken) and (is_owners or not of_owner):
            return kind
    return None


# Of whom a passage speaks: of the owner, of another person by name, or of a thing. Pure.

OWNERS = frozenset({"", OWNER, "owner", "me", "i", "myself", "the user", "我", "用户", "主人", "本人"})
AGENTS = frozenset({"agent", "assistant", "you", "self", "助手", "你"})
THINGS = frozenset({"project", "repo", "repository", "we", "us", "team", "项目", "仓库", "我们"})
_OF_THINGS = frozenset({Family.PROJECT, Family.DECISION, Family.LESSON, Family.OTHER})
_OF_PERSONS = frozenset({Kind.IDENTITY, Kind.HEALTH, Kind.SAFETY, Kind.RELATIONSHIP, Kind.PREFERENCE})
_OWN_STATE = "marital_status"
_PLACE_OF_A_THING = "located_in"


def person_of(passage: Passage, owner: Collection[str] = ()) -> str:
    """The name of the person a record is about, when that is not its owner; `owner` are names they go by."""
    subject = passage.subject.strip()
    known = predicate_named(passage.predicate)
    family = known.family if known else None
    folded = subject.casefold()
    if folded in OWNERS or folded in owner:
        is_relation = family is Family.RELATIONSHIP and not passage.predicate.endswith(_OWN_STATE)
        other = passage.object.strip() if is_relation else ""
        return "" if other.casefold() in OWNERS or other.casefold() in owner else other
    if folded in AGENTS or folded in THINGS or subject == passage.project:
        return ""
    if family in _OF_THINGS or passage.predicate.endswith(_PLACE_OF_A_THING):
        return ""
    is_persons = known or passage.kind in _OF_PERSONS or passage.channel == Channel.PERSON
    return subject if is_persons else ""


def names_of_owner(passages: Collection[Passage]) -> frozenset[str]:
    """What the owner is called, in small letters."""
    return frozenset(
        one.object.strip().casefold()
        for one in passages
        if one.predicate == "is_called" and one.subject.strip().casefold() in OWNERS and one.object.strip()
    )


def unnamed(passage: Passage, says: str) -> str:
    """Of whom or what a line speaks, when its own words do not say it and it is not the owner."""
    name = person_of(passage) or passage.subject.strip()
    folded = name.casefold()
    is_said = folded in says.casefold() or name == passage.project
    return "" if is_said or folded in OWNERS or folded in AGENTS or folded in THINGS else name


def under_name(words: str, name: str) -> str:
    """Words about somebody, the name in front unless they begin with it."""
    return words if not name or words.casefold().startswith(name.casefold()) else f"{name}: {words}"
