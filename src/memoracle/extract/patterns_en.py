"""All English patterns, in the order in which they are tried.

patterns_en_self.py   identity, name, health, safety
patterns_en_taste.py  rule, preference, dislike
patterns_en_plans.py  lesson, decision, plan, task, schedule
patterns_en_career.py work, education
patterns_en_life.py   relationship, place, possession
patterns_en_work.py   contact, project
"""

from __future__ import annotations

from memoracle.extract import (
    patterns_en_career,
    patterns_en_life,
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
)
