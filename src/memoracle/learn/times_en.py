"""How English names times: “tomorrow”, “next Tuesday”, “in two weeks”, “on May 5”, “at 3pm”, “by Friday”."""

from __future__ import annotations

import re
from datetime import date, timedelta

from memoracle.learn.lexicon import compiled
from memoracle.learn.times import Clock, Rule
from memoracle.times import (
    MONTHS,
    WEEKDAYS,
    Days,
    a_day,
    days_from,
    english_number,
    last_date,
    month_from,
    month_number,
    next_date,
    the_month,
    the_week,
    the_year,
    weekday_number,
)

_MONTH = "|".join([*MONTHS, *(name[:3] for name in MONTHS if name != "may"), "sept"])
_WEEKDAY = "|".join([*WEEKDAYS, "mon", "tues?", "wed", "thurs?", "fri"])
_COUNT = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few"
_PAST = re.compile(
    r"\b(?:was|were|went|had|did|last (?:year|month|week|time)|ago|since|been|got|came|saw|met|bought|moved|started|\w{3,}ed)\b",
    re.IGNORECASE,
)


def _past(match: re.Match[str]) -> bool:
    """True when the clause that names the time tells of what has been."""
    text = match.string
    start = max(text.rfind(mark, 0, match.start()) for mark in ",;:") + 1
    ends = [end for mark in ",;:" if (end := text.find(mark, match.end())) >= 0]
    clause = text[start : min(ends, default=len(text))]
    return bool(_PAST.search(clause)) and not re.search(r"\b(?:will|going to|'ll)\b", clause)


def _month_day(match: re.Match[str], today: date) -> Days | None:
    month, day = month_number(match["month"]), int(match["day"])
    if match["year"]:
        return a_day(int(match["year"]), month, day)
    return last_date(today, month, day) if _past(match) else next_date(today, month, day)


def _month(match: re.Match[str], today: date) -> Days | None:
    number = month_number(match["month"])
    if match["year"]:
        return the_month(int(match["year"]), number)
    ahead = (number - today.month) % 12
    if (match["which"] and match["which"].lower().strip() == "last") or _past(match):
        return month_from(today, ahead - 12 if ahead else 0)
    return month_from(today, ahead)


def _weekday(match: re.Match[str], today: date) -> Days | None:
    number = weekday_number(match["day"])
    which = (match["which"] or "").lower()
    ahead = (number - today.weekday()) % 7
    if which == "last" or (not which and _past(match)):
        return days_from(today, ahead - 7)
    if which == "next":
        # On a Monday, “next Friday” is the one of the following week; on a Friday, so is “next Tuesday”.
        monday = the_week(today, 1)[0]
        return days_from(monday, number)
    return days_from(today, ahead or (7 if not which else 0))


def _ahead(match: re.Match[str], today: date) -> Days | None:
    return _distance(match, today, 1)


def _ago(match: re.Match[str], today: date) -> Days | None:
    return _distance(match, today, -1)


def _distance(match: re.Match[str], today: date, sign: int) -> Days | None:
    word = match["count"].lower().removesuffix(" of").removeprefix("a ")
    count = english_number(word or "a") * sign
    unit = match["unit"].lower()
    if unit == "month":
        return _same_day(today, count)
    return days_from(today, count * {"day": 1, "week": 7, "year": 365}[unit])


def _same_day(today: date, months: int) -> Days | None:
    month = month_from(today, months)
    if month is None:
        return None
    day = month[0] + timedelta(days=min(today.day, month[1].day) - 1)
    return day, day


def _day_of_month(match: re.Match[str], today: date) -> Days | None:
    day = int(match["day"])
    for months in range(13):
        month = month_from(today, months)
        found = a_day(month[0].year, month[0].month, day) if month else None
        if found and found[0] >= today:
            return found
    return None


def _season(match: re.Match[str], today: date) -> Days | None:
    first = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[match["season"].lower()]
    which = (match["which"] or "").lower()
    year = today.year + (
        1
        if which == "next" and today.month >= first
        else -1
        if which == "last" and today.month <= first + 2
        else 0
    )
    start, end = the_month(year, first), month_from(date(year, first, 1), 2)
    return (start[0], end[1]) if start and end else None


# fmt: off
RULES: tuple[Rule, ...] = (
    Rule(regex=r"\b(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b", days=lambda m, _: a_day(int(m["y"]), int(m["m"]), int(m["d"]))),
    Rule(regex=r"\b(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})\b", days=lambda m, _: a_day(int(m["y"]), int(m["m"]), int(m["d"]))),
    Rule(regex=rf"\b(?P<month>{_MONTH})\b\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?\b(?!:\d| ?[ap]\.?m)", days=_month_day),
    Rule(regex=rf"\b(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b\.?(?:,? (?P<year>\d{{4}}))?", days=_month_day),
    Rule(regex=r"\bday after tomorrow\b", days=lambda _, today: days_from(today, 2)),
    Rule(regex=r"\bday before yesterday\b", days=lambda _, today: days_from(today, -2)),
    Rule(regex=r"\btomorrow\b|\btmrw?\b", days=lambda _, today: days_from(today, 1)),
    Rule(regex=r"\byesterday\b|\blast night\b", days=lambda _, today: days_from(today, -1)),
    Rule(regex=r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b", days=lambda _, today: days_from(today, 0), now=True),
    Rule(regex=rf"\b(?P<count>{_COUNT}) (?P<unit>day|week|month|year)s? (?:ago|back|earlier)\b", days=_ago),
    Rule(regex=rf"\b(?:in|within) (?P<count>{_COUNT}) (?P<unit>day|week|month|year)s?\b|\b(?P<dummy>(?!))", days=_ahead),
    Rule(regex=rf"\b(?P<count>{_COUNT}) (?P<unit>day|week|month|year)s? from now\b", days=_ahead),
    Rule(regex=rf"\b(?:(?P<which>next|last|this(?: coming)?|this past|coming)\s)?(?<!every )(?P<day>{_WEEKDAY})\b(?!s\b)", days=_weekday),
    Rule(regex=r"\b(?:this|the|next|last|coming) weekend\b", days=lambda m, today: _weekend(m[0], today)),
    Rule(regex=r"\bnext week\b", days=lambda _, today: the_week(today, 1)),
    Rule(regex=r"\blast week\b", days=lambda _, today: the_week(today, -1)),
    Rule(regex=r"\bthis week\b|\bend of the week\b", days=lambda _, today: the_week(today, 0), now=True),
    Rule(regex=r"\bnext month\b", days=lambda _, today: month_from(today, 1)),
    Rule(regex=r"\blast month\b", days=lambda _, today: month_from(today, -1)),
    Rule(regex=r"\bthis month\b|\bend of the month\b", days=lambda _, today: month_from(today, 0), now=True),
    Rule(regex=r"\bnext year\b", days=lambda _, today: the_year(today.year + 1)),
    Rule(regex=r"\blast year\b", days=lambda _, today: the_year(today.year - 1)),
    Rule(regex=r"\bthis year\b|\bend of the year\b", days=lambda _, today: the_year(today.year), now=True),
    Rule(regex=r"\b(?:(?P<which>next|last|this|in|the|in the)\s)(?P<season>spring|summer|autumn|fall|winter)\b", days=_season),
    Rule(regex=r"\b(?:on|by|until|till|before|for|from) the (?P<day>\d{1,2})(?:st|nd|rd|th)\b", days=_day_of_month),
    Rule(regex=rf"\b(?:in|by|until|before|during|since|this|next|last|early|late|mid|of) (?P<which>next |last |early |late |mid-?)?(?P<month>{_MONTH})\b\.?(?:,? (?P<year>\d{{4}}))?", days=_month),
    Rule(regex=r"\b(?:in|since|by) (?P<year>(?:19|20)\d\d)\b", days=lambda m, _: the_year(int(m["year"]))),
)
# fmt: on


def _weekend(words: str, today: date) -> Days | None:
    weeks = 1 if words.lower().startswith("next") else -1 if words.lower().startswith("last") else 0
    monday = the_week(today, weeks)[0]
    return monday + timedelta(days=5), monday + timedelta(days=6)


def clock_of(text: str) -> Clock | None:
    """The time of day a sentence names."""
    for match in compiled(
        r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>[ap])\.?m\b"
        r"|(?<![\d:.-])(?P<hour2>[01]?\d|2[0-3]):(?P<minute2>[0-5]\d)(?![:\d])"
        r"|\bat (?P<hour3>\d{1,2})(?: o'?clock)?\b(?![:.%/]|\d| ?(?:years|euros|dollars|percent))"
        r"|\b(?:at )?(?P<word>noon|midday|midnight)\b"
    ).finditer(text):
        found = _clock(match)
        if found:
            return found
    part = compiled(
        r"\b(?:in the |this |tomorrow |\w+day )(?P<part>morning|afternoon|evening|night)\b|\btonight\b"
    ).search(text)
    if part is None:
        return None
    hour, minutes = {"morning": (6, 360), "afternoon": (12, 360), "evening": (18, 300)}.get(
        (part["part"] or "").lower(), (18, 359)
    )
    return Clock(hour=hour, minutes=minutes)


def _clock(match: re.Match[str]) -> Clock | None:
    if match["word"]:
        return Clock(hour=0 if match["word"].lower() == "midnight" else 12)
    hour = int(match["hour"] or match["hour2"] or match["hour3"])
    minute = int(match["minute"] or match["minute2"] or 0)
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    elif match["hour3"] and 1 <= hour <= 6:
        hour += 12  # “at 3”, said of an appointment, is in the afternoon
    return Clock(hour=hour, minute=minute) if hour < 24 and minute < 60 else None
