"""All Chinese patterns, in the order in which they are tried. Written in simplified characters, read in both scripts.

patterns_zh_self.py    name, identity
patterns_zh_person.py  name, identity: labels, bare traits
patterns_zh_health.py  health, safety
patterns_zh_body.py    health: bare, reactions, what is over
patterns_zh_work.py    contact, project
patterns_zh_outcome.py decision, lesson, contact, project: by marks and shapes
patterns_zh_taste.py   preference, dislike, rule
patterns_zh_orders.py  safety, rule: conditions, topics first, taken back
patterns_zh_likes.py   preference, dislike: topics first, idioms
patterns_zh_plans.py   lesson, decision, plan, task, schedule
patterns_zh_agenda.py  schedule, plan, task: times first, things first, still open
patterns_zh_people.py  relationship
patterns_zh_job.py     work, education
patterns_zh_home.py    place, possession
patterns_zh_career.py  work, education: trades, charges, schools by name
patterns_zh_around.py  relationship, place, possession: bare, changed, ended
pieces_zh.py           what they are built from
"""

from __future__ import annotations

from memoracle.extract import (
    patterns_zh_agenda,
    patterns_zh_around,
    patterns_zh_body,
    patterns_zh_career,
    patterns_zh_health,
    patterns_zh_home,
    patterns_zh_job,
    patterns_zh_likes,
    patterns_zh_orders,
    patterns_zh_outcome,
    patterns_zh_people,
    patterns_zh_person,
    patterns_zh_plans,
    patterns_zh_self,
    patterns_zh_taste,
    patterns_zh_work,
)
from memoracle.extract.pattern import Pattern

PATTERNS: tuple[Pattern, ...] = (
    *patterns_zh_self.PATTERNS,
    *patterns_zh_person.PATTERNS,
    *patterns_zh_health.PATTERNS,
    *patterns_zh_body.PATTERNS,
    *patterns_zh_work.PATTERNS,
    *patterns_zh_orders.SAFETY,
    *patterns_zh_taste.PATTERNS,
    *patterns_zh_orders.RULES,
    *patterns_zh_likes.PATTERNS,
    *patterns_zh_plans.PATTERNS,
    *patterns_zh_outcome.PATTERNS,
    *patterns_zh_agenda.PATTERNS,
    *patterns_zh_people.PATTERNS,
    *patterns_zh_job.PATTERNS,
    *patterns_zh_career.PATTERNS,
    *patterns_zh_home.PATTERNS,
    *patterns_zh_around.PATTERNS,
)
