"""The owner's time zone: days begin and jobs are due where the owner lives.

Reads the setting, `TZ`, or the machine's own zone, and falls back to UTC; never raises for a machine
that knows no zones.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache

from memoracle.errors import BadSetting, InvalidTime

# Where "now" comes from, and how moments are written and read.

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The present moment."""
    return datetime.now(UTC)


def write_time(moment: datetime) -> str:
    """The moment as it stands in files: `2026-11-15T04:02:29.123456Z`."""
    # First in UTC: of the hour that comes twice in autumn both are equal, and only one of them is meant.
    return _written(moment.astimezone(UTC))


@lru_cache(
    maxsize=256
)  # the same moment stands in several fields of a record, and in many records of one batch
def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def read_time(text: str) -> datetime:
    """The moment a file or a person wrote; a bare date is its first instant, no zone means UTC."""
    cleaned = text.strip()
    try:
        if len(cleaned) == 10:
            return datetime.combine(date.fromisoformat(cleaned), time(), UTC)
        moment = datetime.fromisoformat(cleaned)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise InvalidTime(text) from None


def moment_in(written: object) -> datetime | None:
    """The moment that a document tells; None when what stands there is none."""
    try:
        return read_time(written) if isinstance(written, str) else None
    except InvalidTime:
        return None


def read_until(text: str) -> datetime:
    """The same, except that a bare date means its last instant."""
    moment = read_time(text)
    return moment + timedelta(days=1, microseconds=-1) if len(text.strip()) == 10 else moment


_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_CENTURY = timedelta(days=36_525)


def read_span(text: str) -> timedelta:
    """A length of time such as `90m`, `12h`, `7d` or `2w`, up to a century."""
    number, unit = text.strip()[:-1], text.strip()[-1:]
    if unit not in _UNITS or not number.isdecimal() or int(number[:12]) > _CENTURY / _UNITS[unit]:
        raise InvalidTime(text)
    return int(number) * _UNITS[unit]


# The calendar as people speak of it: names of months and weekdays, number words, spans of days.

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


_MACHINE = "/etc/localtime"


def zone_of(name: str, environment: Mapping[str, str]) -> tzinfo:
    """The zone of that name; an empty name means the zone this machine lives in."""
    from zoneinfo import ZoneInfo

    if name:
        try:
            return ZoneInfo(name)
        except (LookupError, ValueError, OSError):
            raise BadSetting("timezone", f"no zone is called `{name}`", where="timezone") from None
    try:
        if known := environment.get("TZ", "").lstrip(":"):
            return ZoneInfo(known)
        place = os.path.realpath(_MACHINE)
        _, found, key = place.partition("/zoneinfo/")
        if found:
            return ZoneInfo(key)
        with open(_MACHINE, "rb") as file:
            return ZoneInfo.from_file(file)
    except (LookupError, ValueError, OSError):
        return UTC


def day_in(zone: tzinfo, moment: datetime) -> date:
    """The day that a moment belongs to where the owner lives."""
    return moment.astimezone(zone).date()
