"""Wording that makes a sentence health, safety or identity: cheap enough to be asked of every write.

One small expression per kind and both languages, anchored on the speaker. Loads no patterns and no lexicon.
It is careful rather than complete: a question, a supposition or somebody else's words are not vital.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memoracle.model.record import Kind

_LONGEST = 400
_ME = r"(?:\bI(?:'m| am|'ve|’m|’ve)?\b|\bmy\b|\buser(?:'s)?\b|我|本人)"


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


def vital_kind(text: str) -> Kind | None:
    """Health, safety or identity when the words plainly say so; otherwise None."""
    if len(text) > _LONGEST:
        return None
    doubtful, kinds = _expressions()
    found = next((kind for kind, expression in kinds if expression.search(text)), None)
    return None if found is None or doubtful.search(text) else found
