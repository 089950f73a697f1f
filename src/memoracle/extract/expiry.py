"""When something temporary no longer holds (S2.131).

An appointment ends with its day, or a few hours after its time; “today” lasts 12 hours, “tomorrow” two
days, “this week” ten days and “this month” 35. What lasts (a name, an allergy, a habit) never expires
because a passing word stands in its sentence.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from memoracle.extract.lexicon import lexicons_for, lowest
from memoracle.extract.times import Span
from memoracle.model.predicates import Family

GRACE = timedelta(hours=12)
_ENDS_WITH_ITS_TIME = frozenset({Family.SCHEDULE})
_TEMPORARY = frozenset({Family.PLACE, Family.PROJECT, Family.OTHER, Family.POSSESSION, Family.WORK})


def expires(
    text: str, family: Family, said: datetime, span: Span | None, *, recurring: bool = False
) -> datetime | None:
    """The moment from which on it no longer holds, or None for what lasts."""
    if recurring:
        return None
    if family in _ENDS_WITH_ITS_TIME:
        if span is not None:
            return max(span.last, said) + GRACE
        hours = _hours(text)
        return said + timedelta(hours=hours) if hours else None
    if family in _TEMPORARY and (hours := _hours(text)):
        return said + timedelta(hours=hours)
    return None


def _hours(text: str) -> float | None:
    found = [hours for lexicon in lexicons_for(text) if (hours := lowest(text, lexicon, lexicon.temporary))]
    return min(found, default=None)
