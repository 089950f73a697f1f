"""Whether what was said in a project is about the project or about the person who said it. Pure, in both languages.

A rule of one project must not be told in another, and an allergy must be told in all of them. Who somebody is, their
health and their family go everywhere; rules, decisions and what names code stay where they were said, unless the words
say that they hold for every project. Where it is in doubt, it stays.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache

from memoracle.learn.lexicon import compiled
from memoracle.model.predicates import Family, predicate_named
from memoracle.model.record import Draft, Kind
from memoracle.tables import table

_TABLE = os.path.join(os.path.dirname(__file__), "rules", "project_scope.toml")
_PERSON = frozenset({Family.IDENTITY, Family.NAME, Family.HEALTH, Family.RELATIONSHIP, Family.EDUCATION})
_PROJECT = frozenset(
    {Family.PROJECT, Family.DECISION, Family.LESSON, Family.SAFETY, Family.TASK, Family.OTHER}
)
_PERSONS_KINDS = frozenset({Kind.IDENTITY, Kind.HEALTH, Kind.RELATIONSHIP})
_PROJECTS_KINDS = frozenset(
    {Kind.DECISION, Kind.LESSON, Kind.PROCEDURE, Kind.FINDING, Kind.SAFETY, Kind.TASK}
)


@lru_cache(maxsize=1)
def _words() -> Mapping[str, re.Pattern[str]]:
    return {name: compiled(expression) for name, expression in table(_TABLE).items()}


def is_about_project(draft: Draft) -> bool:
    """True when what was said while working on a project belongs to it; false when it goes with the person."""
    words = _words()
    text, known = draft.statement.text, predicate_named(draft.statement.predicate)
    family = known.family if known else None
    is_persons = family in _PERSON if family else draft.kind in _PERSONS_KINDS
    if words["everywhere"].search(text) or is_persons:
        return False
    if words["here"].search(text) or words["code"].search(text) or family is Family.PROJECT:
        return True
    if family is Family.RULE or (family is None and draft.kind is Kind.RULE):
        return not words["manner"].search(text)
    is_projects = family in _PROJECT if family else draft.kind in _PROJECTS_KINDS
    return is_projects and not words["personally"].search(text)
