"""Of whom a passage speaks: of the owner, of another person by name, or of a thing. Pure.

Without its name “is allergic to nuts” is everybody's allergy: what is about somebody else stands under their name.
"""

from __future__ import annotations

from collections.abc import Collection

from memoracle.model.hit import Passage
from memoracle.model.predicates import OWNER, Family, predicate_named
from memoracle.model.record import Kind

OWNERS = frozenset({"", OWNER, "owner", "me", "i", "myself", "the user", "我", "用户", "主人", "本人"})
AGENTS = frozenset({"agent", "assistant", "you", "self", "助手", "你"})
_THINGS = frozenset({"project", "repo", "repository", "we", "us", "team", "项目", "仓库", "我们"})
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
    if folded in AGENTS or folded in _THINGS or subject == passage.project:
        return ""
    if family in _OF_THINGS or passage.predicate.endswith(_PLACE_OF_A_THING):
        return ""
    return subject if known or passage.kind in _OF_PERSONS else ""


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
    return "" if is_said or folded in OWNERS or folded in AGENTS or folded in _THINGS else name


def under_name(words: str, name: str) -> str:
    """Words about somebody, the name in front unless they begin with it."""
    return words if not name or words.casefold().startswith(name.casefold()) else f"{name}: {words}"
