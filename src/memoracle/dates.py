"""The calendar as people speak of it: names of months and weekdays, number words, spans of days.

Pure, in both languages. Shared by the times a question names and the times a sentence is said of.
"""

from __future__ import annotations

from datetime import date, timedelta

MONTHS = "january february march april may june july august september october november december".split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1, "couple": 2, "few": 3}
CHINESE_DIGITS = {digit: number for number, digit in enumerate("零一二三四五六七八九十")} | {
    "两": 2,
    "几": 3,
    "〇": 0,
}

Days = tuple[date, date]
"""A first and a last day, both included."""


def month_number(name: str) -> int:
    """The number of a month by the first three letters of its English name."""
    return next(number for number, full in enumerate(MONTHS, start=1) if full.startswith(name[:3].lower()))


def weekday_number(name: str) -> int:
    """The number of a weekday by the first three letters of its English name; Monday is 0."""
    return next(number for number, full in enumerate(WEEKDAYS) if full.startswith(name[:3].lower()))


def english_number(word: str) -> int:
    """A number in digits or as a word; 1 for a word that is none."""
    return int(word) if word.isdecimal() else NUMBERS.get(word.lower(), 1)


def chinese_number(text: str) -> int:
    """A number in digits or in Chinese up to ninety-nine; the last digit of anything else."""
    if text.isdecimal():
        return int(text)
    tens, _, ones = text.rpartition("十")
    if "十" not in text:
        return CHINESE_DIGITS.get(text[-1], 1)
    return (CHINESE_DIGITS.get(tens, 1) if tens else 1) * 10 + (CHINESE_DIGITS.get(ones, 0) if ones else 0)


def a_day(year: int, month: int, day: int) -> Days | None:
    """That one day, if there is one."""
    try:
        one = date(year, month, day)
    except ValueError:
        return None
    return one, one


def the_month(year: int, month: int) -> Days | None:
    """All days of a month, if there is one."""
    try:
        first = date(year, month, 1)
    except ValueError:
        return None
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def month_from(today: date, months: int) -> Days | None:
    """All days of the month so many months from this one."""
    number = today.year * 12 + today.month - 1 + months
    return the_month(number // 12, number % 12 + 1)


def the_week(today: date, weeks: int) -> Days:
    """Monday to Sunday of the week so many weeks from this one."""
    monday = today - timedelta(days=today.weekday() - 7 * weeks)
    return monday, monday + timedelta(days=6)


def the_year(year: int) -> Days | None:
    """All days of a year, if the calendar has it."""
    return (date(year, 1, 1), date(year, 12, 31)) if 1 <= year <= 9999 else None


def days_from(today: date, days: int) -> Days | None:
    """The day so many days from this one, if the calendar has it."""
    try:
        one = today + timedelta(days=days)
    except OverflowError:
        return None
    return one, one


def next_date(today: date, month: int, day: int) -> Days | None:
    """The next such day of the year, today included; the coming leap day when there is none this year."""
    for year in range(today.year, today.year + 9):
        found = a_day(year, month, day)
        if found and found[0] >= today:
            return found
    return None


def last_date(today: date, month: int, day: int) -> Days | None:
    """The most recent such day of the year, today included."""
    for year in range(today.year, today.year - 9, -1):
        found = a_day(year, month, day) if year > 0 else None
        if found and found[0] <= today:
            return found
    return None
