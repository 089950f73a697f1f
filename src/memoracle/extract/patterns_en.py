"""All English patterns, in the order in which they are tried.

patterns_en_self.py   identity, name, health, safety
patterns_en_taste.py  rule, preference, dislike
patterns_en_plans.py  lesson, decision, plan, task, schedule
patterns_en_career.py work, education
patterns_en_life.py   relationship, place, possession
patterns_en_work.py   contact, project
patterns_en_findings.py decision, lesson
patterns_en_intents.py plan, task
patterns_en_builds.py project
patterns_en_dates.py  schedule
patterns_en_jobs.py   work, education
patterns_en_home.py   place, possession
patterns_en_body.py   health and safety, said more freely
patterns_en_likes.py  preference and dislike, said more freely
patterns_en_me.py     identity and name, said more freely
patterns_en_orders.py rule, said more freely
patterns_en_people.py relationship and contact, said more freely
"""

from __future__ import annotations

from memoracle.extract import (
    patterns_en_body,
    patterns_en_builds,
    patterns_en_career,
    patterns_en_dates,
    patterns_en_findings,
    patterns_en_home,
    patterns_en_intents,
    patterns_en_jobs,
    patterns_en_life,
    patterns_en_likes,
    patterns_en_me,
    patterns_en_orders,
    patterns_en_people,
    patterns_en_plans,
    patterns_en_self,
    patterns_en_taste,
    patterns_en_work,
)
from memoracle.extract.pattern import Pattern

PATTERNS: tuple[Pattern, ...] = (
    *patterns_en_self.PATTERNS,
    *patterns_en_work.PATTERNS,
    *patterns_en_taste.PATTERNS,
    *patterns_en_plans.PATTERNS,
    *patterns_en_career.PATTERNS,
    *patterns_en_life.PATTERNS,
    *patterns_en_findings.PATTERNS,
    *patterns_en_intents.PATTERNS,
    *patterns_en_dates.PATTERNS,
    *patterns_en_builds.PATTERNS,
    *patterns_en_jobs.PATTERNS,
    *patterns_en_home.PATTERNS,
    *patterns_en_body.PATTERNS,
    *patterns_en_people.PATTERNS,
    *patterns_en_me.PATTERNS,
    *patterns_en_orders.PATTERNS,
    *patterns_en_likes.PATTERNS,
)
