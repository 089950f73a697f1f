"""Wording that makes a statement health, safety or identity, which no age takes away: cheap enough for every write.

One small expression per kind and both languages: for sentences anchored on the speaker, for triples on the predicate.
It is careful rather than complete: a question, a supposition or somebody else's words are not vital.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memoracle.model.record import Kind

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
        r"|过敏|糖尿病|哮喘|癫痫|高血压|心脏病|怀孕|起搏器|乳糖不耐|血型|确诊|不能吃|吃不了)"
        r"|对[^，。！？\s]{1,12}过敏",
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
