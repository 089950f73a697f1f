"""The vocabulary of what can be said of somebody: predicates, and what each of them means for memory.

Rules and models write these names into a record's `predicate`; reconciliation asks them whether
two objects exclude each other. An unknown predicate is somebody's own word: nothing is assumed of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from memoracle.model.record import Kind
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


def _row(
    family: Family, kind: Kind, importance: float, *, single: bool = False, stable: bool = False
) -> Predicate:
    return Predicate(family=family, kind=kind, importance=importance, single=single, stable=stable)


PREDICATES: Mapping[str, Predicate] = MappingProxyType(
    {
        "is_called": _row(Family.NAME, Kind.IDENTITY, 1.0, single=True, stable=True),
        "is": _row(Family.IDENTITY, Kind.IDENTITY, 1.0),
        "is_from": _row(Family.IDENTITY, Kind.IDENTITY, 1.0, single=True, stable=True),
        "born_on": _row(Family.IDENTITY, Kind.IDENTITY, 1.0, single=True, stable=True),
        "age": _row(Family.IDENTITY, Kind.IDENTITY, 1.0, single=True),
        "speaks": _row(Family.IDENTITY, Kind.IDENTITY, 1.0),
        "allergic_to": _row(Family.HEALTH, Kind.HEALTH, 1.0),
        "has_condition": _row(Family.HEALTH, Kind.HEALTH, 1.0),
        "takes_medicine": _row(Family.HEALTH, Kind.HEALTH, 1.0),
        "blood_type": _row(Family.HEALTH, Kind.HEALTH, 1.0, single=True, stable=True),
        "cannot_eat": _row(Family.HEALTH, Kind.HEALTH, 1.0),
        "must_never": _row(Family.SAFETY, Kind.SAFETY, 1.0),
        "emergency_contact": _row(Family.SAFETY, Kind.SAFETY, 1.0, single=True),
        "likes": _row(Family.PREFERENCE, Kind.PREFERENCE, 0.8, stable=True),
        "prefers": _row(Family.PREFERENCE, Kind.PREFERENCE, 0.8, stable=True),
        "favourite": _row(Family.PREFERENCE, Kind.PREFERENCE, 0.8, stable=True),
        "dislikes": _row(Family.DISLIKE, Kind.PREFERENCE, 0.8, stable=True),
        "wants_always": _row(Family.RULE, Kind.RULE, 0.8),
        "wants_never": _row(Family.RULE, Kind.RULE, 0.8),
        "spouse": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8, single=True, stable=True),
        "partner": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8, single=True, stable=True),
        "mother": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8, single=True, stable=True),
        "father": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8, single=True, stable=True),
        "manager": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8, single=True),
        "child": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8),
        "sibling": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8),
        "relative": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8),
        "friend": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8),
        "colleague": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8),
        "pet": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8),
        "marital_status": _row(Family.RELATIONSHIP, Kind.RELATIONSHIP, 0.8, single=True),
        "works_at": _row(Family.WORK, Kind.FACT, 0.5, single=True, stable=True),
        "works_as": _row(Family.WORK, Kind.FACT, 0.5, single=True),
        "works_on": _row(Family.WORK, Kind.FACT, 0.5),
        "studies_at": _row(Family.EDUCATION, Kind.FACT, 0.5, single=True),
        "studied_at": _row(Family.EDUCATION, Kind.FACT, 0.5),
        "studies": _row(Family.EDUCATION, Kind.FACT, 0.5),
        "lives_in": _row(Family.PLACE, Kind.FACT, 0.5, single=True, stable=True),
        "address": _row(Family.PLACE, Kind.FACT, 0.5, single=True, stable=True),
        "located_in": _row(Family.PLACE, Kind.FACT, 0.5, single=True),
        "owns": _row(Family.POSSESSION, Kind.FACT, 0.5),
        "uses": _row(Family.POSSESSION, Kind.FACT, 0.5),
        "scheduled": _row(Family.SCHEDULE, Kind.EVENT, 0.2),
        "plans_to": _row(Family.PLAN, Kind.PLAN, 0.7),
        "has_to": _row(Family.TASK, Kind.TASK, 0.7),
        "decided": _row(Family.DECISION, Kind.DECISION, 0.7),
        "learned": _row(Family.LESSON, Kind.LESSON, 0.7),
        "email": _row(Family.CONTACT, Kind.FACT, 0.5, single=True),
        "phone": _row(Family.CONTACT, Kind.FACT, 0.5, single=True),
        "handle": _row(Family.CONTACT, Kind.FACT, 0.5),
        "website": _row(Family.CONTACT, Kind.FACT, 0.5),
        "project_state": _row(Family.PROJECT, Kind.FACT, 0.7, single=True),
        "deadline": _row(Family.PROJECT, Kind.FACT, 0.7, single=True),
        "deployed_on": _row(Family.PROJECT, Kind.FACT, 0.7, single=True),
        "built_with": _row(Family.PROJECT, Kind.FACT, 0.7),
        "noted": _row(Family.OTHER, Kind.FACT, 0.5),
    }
)


def predicate_named(name: str) -> Predicate | None:
    """What a predicate means, the ended ones included; None for somebody's own word."""
    return PREDICATES.get(name.removeprefix(NO_LONGER))
