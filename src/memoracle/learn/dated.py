"""Relative days told as dates: “next Friday” keeps its words, and the day that was meant stands behind them.

Pure. Only words that mean another day each time they are said get one; “every Friday” and “in the summer” mean many
days, “1 May 2027” is a date already. Nothing of the sentence is changed or left out.
"""

from __future__ import annotations

import calendar
from datetime import datetime, timedelta, tzinfo

from memoracle.learn.lexicon import compiled
from memoracle.learn.rules import simplified
from memoracle.learn.times import rules_for, times_of_day
from memoracle.text import is_unspaced
from memoracle.times import Days

_SPOKEN = compiled(
    r"tomorrow|tmrw?|yesterday|today|tonight|last night|this (?:morning|afternoon|evening)"
    r"|from now$|\b(?:ago|back|earlier)$"
    r"|^(?:next|last|this|coming|the coming)\b|^(?:in|within) .{1,12} (?:day|week|month|year)s?$|^end of the"
    r"|[明昨今前后去]|[上下这本]个?(?:周|星期|礼拜|月)|[之以]?内$|过|底|月初|[中上下]旬"
)
_LEADS = compiled(r"(?:\b(?:on|by|until|till|before|due|this|for)(?: the)? ?|截止到?|直到|定在|改到|安排在)$")
_WEEKDAY = compiled(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:周|星期|礼拜)[一二三四五六日天]")
_RECURS = compiled(
    r"\b(?:every|each|always|usually|normally|weekly|daily|monthly|biweekly|yearly|annual(?:ly)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"
    r"|每|总是|通常|一般|都[会要得]|平时|照例"
)
_PART_OF = compiled(r"\s+of\b")
_NEVER_THE_SAME = timedelta(days=400)


def dated(text: str, said: datetime | None, zone: tzinfo) -> str:
    """The sentence with the day, week, month or year that its relative words meant, in brackets behind them."""
    if said is None or not _SPOKEN_OR_WEEKDAY.search(text):
        return text
    today = said.astimezone(zone).date()
    folded = text.translate(simplified())  # one for one: places stay the same
    gap = "" if is_unspaced(text) else " "
    taken: list[tuple[int, int]] = []
    marks: list[tuple[int, str]] = []
    for rule in rules_for(text):
        for match in compiled(rule.regex).finditer(folded):
            start, end = match.span()
            if any(start < last and first < end for first, last in taken):
                continue
            taken.append((start, end))
            if not _is_relative(folded, start, end):
                continue
            days = rule.days(match, today)
            if days and rule.days(match, today + _NEVER_THE_SAME) != days and "[" not in text[end : end + 2]:
                marks.append((end, f"{gap}[{_shown(days, text)}]"))
    for at, mark in sorted(marks, reverse=True):
        text = text[:at] + mark + text[at:]
    return text


def recurs(text: str) -> bool:
    """True for what happens again and again."""
    return bool(_RECURS.search(text))


_SPOKEN_OR_WEEKDAY = compiled(
    r"\b(?:tomorrow|tmrw?|yesterday|today|tonight|night|morning|afternoon"
    r"|evening|ago|next|last|this|coming|from now|end of"
    r"|(?:in|within) (?:\d|an?\b|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
    r"|\b(?:days?|weeks?|months?|years?) (?:back|earlier)\b"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun)|[天日周週月年内期拜晚早底儿夜]"
)


def _is_relative(text: str, start: int, end: int) -> bool:
    words = text[start:end].strip()
    if _PART_OF.match(text, end):
        return False
    if _WEEKDAY.fullmatch(words):
        is_meant = _LEADS.search(text[max(0, start - 12) : start]) or (
            is_unspaced(words) and times_of_day(text)
        )
        return bool(is_meant) and not _RECURS.search(text)
    return bool(_SPOKEN.search(words))


def _shown(days: Days, text: str) -> str:
    first, last = days
    if first == last:
        return first.isoformat()
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
        return f"{first.year}"
    is_month = first.day == 1 and last.day == calendar.monthrange(last.year, last.month)[1]
    if is_month and (first.year, first.month) == (last.year, last.month):
        return f"{first:%Y-%m}"
    between = " 至 " if is_unspaced(text) else " to "
    return f"{first.isoformat()}{between}{last.isoformat()}"
