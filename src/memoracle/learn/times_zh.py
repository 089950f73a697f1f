"""Days and times of day as Chinese names them: “明天下午三点”, “下周二”, “月底前”, “两周后”, “五月二十号”.

Rules and resolvers for `times.py`, the most telling first. Pure. A day without a year is the next one;
an hour without a part of the day is the likelier one of its two (“三点” is the afternoon's).
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from memoracle.learn.lexicon import compiled
from memoracle.learn.times import Clock, Rule
from memoracle.times import (
    Days,
    a_day,
    chinese_number,
    days_from,
    month_from,
    next_date,
    the_month,
    the_week,
    the_year,
)

_COUNT = r"(?:\d{1,3}|[一二三四五六七八九十两几]{1,3})"
_DAY = r"(?:\d{1,2}|[一二三四五六七八九十廿]{1,3})"
_WEEK = r"(?:周|星期|礼拜)"
_LATER = r"(?:之?后|以后|过后)"
_AGO = r"(?:之?前|以前)"
_WITHIN = r"(?:之?内|以内)"

_NAMED_DAYS = {
    "大前天": -3,
    "前天": -2,
    "前晚": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "昨儿": -1,
    "今天": 0,
    "今日": 0,
    "今晚": 0,
    "今早": 0,
    "今儿": 0,
    "今夜": 0,
    "明天": 1,
    "明日": 1,
    "明早": 1,
    "明晚": 1,
    "明儿": 1,
    "大后天": 3,
    "后天": 2,
    "后日": 2,
}
_WEEKS = {"下下": 2, "下": 1, "上上": -2, "上": -1, "这": 0, "本": 0}
_MONTHS = {"下下": 2, "下": 1, "上": -1, "这": 0, "本": 0, "": 0}
_YEARS = {"后": 2, "明": 1, "今": 0, "去": -1, "前": -2}
_PARTS_OF_DAY = {
    "凌晨": (0, 360),
    "清晨": (5, 180),
    "早上": (6, 240),
    "早晨": (6, 240),
    "明早": (6, 240),
    "今早": (6, 240),
    "上午": (8, 240),
    "中午": (11, 180),
    "下午": (12, 360),
    "傍晚": (17, 120),
    "晚上": (18, 300),
    "今晚": (18, 300),
    "明晚": (18, 300),
    "昨晚": (18, 300),
    "夜里": (21, 180),
    "半夜": (23, 60),
}
_MORNING = frozenset({"凌晨", "清晨", "早上", "早晨", "明早", "今早", "上午"})


def clock_of(text: str) -> Clock | None:
    """The time of day that a Chinese text names, or None."""
    parts = "|".join(_PARTS_OF_DAY)
    for match in compiled(
        rf"(?:({parts})[的\s]{{0,2}})?(?:(?<![\d:：])(\d{{1,2}})[:：](\d{{2}})(?![\d:：])"
        rf"|(?<!\d)(\d{{1,2}}|[一二三四五六七八九十两零]{{1,3}})(?:点|时)(?!间|候|[\d一二三四五六七八九十]{{0,3}}[个条]|"
        rf"建议|原因|要求|意见|想法|问题|内容|注意|理由|好处|：|:|事|米)"
        rf"(?:钟|整)?(半|[一三]刻|\d{{1,2}}|[一二三四五六七八九十]{{1,3}})?)"
    ).finditer(text):
        part, hour, minute, spoken_hour, rest = match.groups()
        made = _clock(part or "", hour or spoken_hour, minute or rest or "")
        if made:
            return made
    named = compiled(rf"({parts})(?!好)").search(text)
    if named is None:
        return None
    hour_of, minutes = _PARTS_OF_DAY[named[1]]
    return Clock(hour=hour_of, minutes=minutes)


def _clock(part: str, hour: str, rest: str) -> Clock | None:
    minute = {"半": 30, "一刻": 15, "三刻": 45, "": 0}.get(rest, -1)
    if minute < 0:
        minute = chinese_number(rest)
    number = chinese_number(hour)
    if part and part not in _MORNING and number < 12 and not (part == "中午" and number > 9):
        # “夜里两点” and “半夜一点” belong to the small hours.
        number += 0 if part in {"夜里", "半夜"} and number < 6 else 12
    elif part == "凌晨" and number == 12:
        number = 0
    elif (
        not part
        and not hour.startswith("0")
        and 1 <= number <= 5
        and not (hour.isdecimal() and rest.isdecimal())
    ):
        number += 12
    return Clock(hour=number % 24, minute=minute) if number <= 24 and minute < 60 else None


def _full(match: re.Match[str], today: date) -> Days | None:  # noqa: ARG001 - a year needs no today
    return a_day(int(match[1]), int(match[2]), int(match[3]))


def _year_month(match: re.Match[str], today: date) -> Days | None:  # noqa: ARG001 - a year needs no today
    return the_month(int(match[1]), chinese_number(match[2]))


def _named_year(match: re.Match[str], today: date) -> Days | None:
    year = today.year + _YEARS[(match[1])]
    month, day = match[2], match[3]
    if not month:
        return the_year(year)
    return a_day(year, chinese_number(month), _day(day)) if day else the_month(year, chinese_number(month))


def _month_day(match: re.Match[str], today: date) -> Days | None:
    return next_date(today, chinese_number(match[1]), _day(match[2]))


def _past_month_day(match: re.Match[str], today: date) -> Days | None:
    from memoracle.times import last_date

    return last_date(today, chinese_number(match[1]), _day(match[2]))


def _day_of_month(match: re.Match[str], today: date) -> Days | None:
    month = month_from(today, _MONTHS[(match[1])])
    return a_day(month[0].year, month[0].month, _day(match[2])) if month else None


def _bare_day(match: re.Match[str], today: date) -> Days | None:
    number = _day(match[1])
    for months in range(3):
        month = month_from(today, months)
        found = a_day(month[0].year, month[0].month, number) if month else None
        if found and found[0] >= today:
            return found
    return None


def _named_day(match: re.Match[str], today: date) -> Days | None:
    return days_from(today, _NAMED_DAYS[(match[1])])


def _weekday(match: re.Match[str], today: date) -> Days | None:
    weekday = "一二三四五六日".find(match[2].replace("天", "日"))
    which = match[1] or ""
    if not which:
        return days_from(today, (weekday - today.weekday()) % 7)
    return days_from(today, weekday - today.weekday() + 7 * _WEEKS[which])


def _weekend(match: re.Match[str], today: date) -> Days | None:
    monday, sunday = the_week(today, _WEEKS[(match[1] or "本")])
    return monday + timedelta(days=5), sunday


def _whole_week(match: re.Match[str], today: date) -> Days | None:
    return the_week(today, _WEEKS[(match[1])])


def _whole_month(match: re.Match[str], today: date) -> Days | None:
    return month_from(today, _MONTHS[(match[1])])


def _part_of_month(match: re.Match[str], today: date) -> Days | None:
    month = month_from(today, _MONTHS[(match[1] or "")])
    return _part(month, match[2])


def _part_of_named_month(match: re.Match[str], today: date) -> Days | None:
    return _part(_coming_month(today, chinese_number(match[1])), match[2])


def _part(month: Days | None, part: str) -> Days | None:
    if month is None:
        return None
    first, last = month
    if part in {"初", "上旬"}:
        return first, first + timedelta(days=9)
    if part in {"中", "中旬"}:
        return first + timedelta(days=10), first + timedelta(days=19)
    return (first + timedelta(days=20), last) if part == "下旬" else (last, last)


def _end_of_year(match: re.Match[str], today: date) -> Days | None:
    year = the_year(today.year + _YEARS[(match[1] or "今")])
    return year and (date(year[1].year, 12, 1), year[1])


def _month(match: re.Match[str], today: date) -> Days | None:
    return _coming_month(today, chinese_number(match[1]))


def _coming_month(today: date, month: int) -> Days | None:
    return the_month(today.year + (month < today.month), month)


def _in_days(match: re.Match[str], today: date) -> Days | None:
    return days_from(today, chinese_number(match[1]))


def _in_weeks(match: re.Match[str], today: date) -> Days | None:
    return days_from(today, 7 * chinese_number(match[1]))


def _in_months(match: re.Match[str], today: date) -> Days | None:
    return _months_on(today, chinese_number(match[1]))


def _days_ago(match: re.Match[str], today: date) -> Days | None:
    return days_from(today, -chinese_number(match[1]))


def _weeks_ago(match: re.Match[str], today: date) -> Days | None:
    return days_from(today, -7 * chinese_number(match[1]))


def _months_ago(match: re.Match[str], today: date) -> Days | None:
    return _months_on(today, -chinese_number(match[1]))


def _within_days(match: re.Match[str], today: date) -> Days | None:
    last = days_from(today, chinese_number(match[1]))
    return last and (today, last[0])


def _months_on(today: date, months: int) -> Days | None:
    month = month_from(today, months)
    if month is None:
        return None
    day = min(today.day, month[1].day)
    return a_day(month[0].year, month[0].month, day)


def _day(text: str) -> int:
    if text.startswith("廿"):
        return 20 + (chinese_number(text[1:]) if len(text) > 1 else 0)
    return chinese_number(text)


def _rule(regex: str, days: object, *, now: bool = False) -> Rule:
    return Rule(regex=regex, days=days, now=now)  # type: ignore[arg-type]


_DAY_NAMES = "|".join(sorted(_NAMED_DAYS, key=len, reverse=True))
_PAST = r"(?=[^，。；！？,;!?]{0,16}(?:[去买见做办结生毕到来回搬换开发修完][了过]|了[。！!]?$))"

RULES: tuple[Rule, ...] = (
    _rule(r"(?<!\d)(\d{4})[-/.年]\s?(\d{1,2})[-/.月]\s?(\d{1,2})", _full),
    _rule(r"(?<!\d)(\d{4})年(\d{1,2}|[一二三四五六七八九十]{1,2})月", _year_month),
    _rule(rf"([明今去前后])年(?:的?({_DAY})月(?:({_DAY})[日号])?)(?!底|初)", _named_year),
    _rule(rf"({_DAY})月({_DAY})[日号]?(?!\d|份){_PAST}", _past_month_day),
    _rule(rf"(?<![\d年])({_DAY})月({_DAY})[日号]", _month_day),
    _rule(rf"(下下|下|上|这|本)个?月的?({_DAY})[日号]", _day_of_month),
    _rule(rf"(?<!每)(?<!每个)(?:(下下|下|上上|上|这|本)个?)?{_WEEK}([一二三四五六日天])(?!到|至)", _weekday),
    _rule(r"(今[天日晚早儿夜])", _named_day, now=True),
    _rule(rf"({_DAY_NAMES})", _named_day),
    _rule(rf"({_COUNT})[天日]{_LATER}", _in_days),
    _rule(rf"(?:再?过)({_COUNT})[天日]", _in_days),
    _rule(rf"({_COUNT})个?{_WEEK}{_LATER}", _in_weeks),
    _rule(rf"(?:再?过)({_COUNT})个?{_WEEK}", _in_weeks),
    _rule(rf"({_COUNT})个月{_LATER}", _in_months),
    _rule(rf"(?:再?过)({_COUNT})个月", _in_months),
    _rule(rf"({_COUNT})[天日]{_WITHIN}", _within_days),
    _rule(rf"({_COUNT})[天日]{_AGO}", _days_ago),
    _rule(rf"({_COUNT})个?{_WEEK}{_AGO}", _weeks_ago),
    _rule(rf"({_COUNT})个月{_AGO}", _months_ago),
    _rule(rf"(?<!每)(?<!每个)(?:(下下|下|上上|上|这|本)个?)?{_WEEK}末", _weekend),
    _rule(r"(?:(下|上|这|本)个?)?月(底|初|中旬|上旬|下旬)", _part_of_month),
    _rule(rf"(?<![\d年])({_DAY})月份?的?(底|初|中旬|中|上旬|下旬)", _part_of_named_month),
    _rule(r"(?:([明今去])年)?年?(?<=年)底", _end_of_year),
    _rule(rf"(下下|下|上上|上)个?{_WEEK}", _whole_week),
    _rule(rf"(?<!每)([这本])个?{_WEEK}(?!期)", _whole_week, now=True),
    _rule(r"(下下|下|上)个?月", _whole_month),
    _rule(r"([这本])个?月", _whole_month, now=True),
    _rule(rf"(?<![\d年])({_DAY})月份?(?!\d)(?![票饼亮光])", _month),
    _rule(rf"(?<![\d第月])({_DAY})[号日](?=[^楼线院店码机\d]|$)", _bare_day),
    _rule(r"([明去前])年()()", _named_year),
    _rule(r"(今)年()()", _named_year, now=True),
)
