"""The time a sentence speaks of, resolved against the moment it was said, in the owner's zone.

“Tomorrow at 3pm” said on Monday is Tuesday at three. A language brings two things (`times_en.py`,
`times_zh.py`): `RULES`, expressions for days, the first that fits wins; and `clock_of`, the time of day.
Pure; a day that no calendar has (“May 35”) is no time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, tzinfo

from memoracle.learn.lexicon import compiled
from memoracle.learn.rules import simplified
from memoracle.model.value import value
from memoracle.text import is_unspaced
from memoracle.times import Days

Resolver = Callable[[re.Match[str], date], Days | None]
"""From what was matched and the day of saying it, the days that are meant."""


@value
class Rule:
    """One way to name days. `now` marks words for the present stretch of time, which is still running."""

    regex: str
    days: Resolver
    now: bool = False


@value
class Clock:
    """A time of day; `minutes` is how long it lasts when the words tell (“in the morning”)."""

    hour: int
    minute: int = 0
    minutes: int = 0


@value
class Span:
    """From the first moment meant to the last. `clocked` when a time of day was named."""

    first: datetime
    last: datetime
    clocked: bool = False
    now: bool = False


def resolve(text: str, said: datetime, zone: tzinfo) -> Span | None:
    """The span of time that a sentence names, or None."""
    local = said.astimezone(zone)
    rules, clocks = _languages(text)
    text = text.translate(simplified())
    clock = next((found for clock_of in clocks if (found := clock_of(text))), None)
    for rule in rules:
        match = compiled(rule.regex).search(text)
        if match and (days := rule.days(match, local.date())):
            return _span(days, clock, zone, now=rule.now)
    if clock is None:
        return None
    day = local.date()
    if time(clock.hour, clock.minute) < local.time().replace(tzinfo=None) and not clock.minutes:
        day += timedelta(days=1)
    return _span((day, day), clock, zone, now=True)


def rules_for(text: str) -> tuple[Rule, ...]:
    """The expressions for days of the languages a text is written in, the most telling first."""
    return _languages(text)[0]


def times_of_day(text: str) -> bool:
    """True when a text names a time of day."""
    return any(clock_of(text.translate(simplified())) for clock_of in _languages(text)[1])


def _languages(text: str) -> tuple[tuple[Rule, ...], tuple[Callable[[str], Clock | None], ...]]:
    from memoracle.learn import times_en

    if not is_unspaced(text):
        return times_en.RULES, (times_en.clock_of,)
    from memoracle.learn import times_zh

    return (*times_zh.RULES, *times_en.RULES), (times_zh.clock_of, times_en.clock_of)


def _span(days: Days, clock: Clock | None, zone: tzinfo, *, now: bool) -> Span:
    first = datetime.combine(days[0], time(0, 0), tzinfo=zone)
    last = datetime.combine(days[1], time(23, 59, 59), tzinfo=zone)
    if clock is None or days[0] != days[1]:
        return Span(first=first, last=last, now=now)
    start = first.replace(hour=clock.hour, minute=clock.minute)
    end = min(last, start + timedelta(minutes=clock.minutes)) if clock.minutes else start
    return Span(first=start, last=end, clocked=True, now=now)
