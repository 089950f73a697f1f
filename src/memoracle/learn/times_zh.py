"""Days and times of day as Chinese names them: “明天下午三点”, “下周二”, “月底前”, “两周后”, “五月二十号”.

Rules and resolvers for `times.py`, the most telling first. Pure. A day without a year is the next one;
an hour without a part of the day is the likelier one of its two (“三点” is the afternoon's).
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from memoracle.learn.rules import compiled
from memoracle.learn.times import Clock, Resolver, TimeRule, coming_day, same_day
from memoracle.times import (
    Days,
    a_day,
    chinese_number,
    days_from,
    last_date,
    month_from,
    next_date,
    the_month,
    the_week,
    the_year,
)

_COUNT = r"(?:\d{1,3}|[一二三四五六七八九十两几]{1,3})"
_DAY = r"(?:\d{1,2}|[一二三四五六七八九十廿]{1,3})"
_DAYS = r"(?<!月)(\d{1,3}(?=天)|[一二三四五六七八九十两几]{1,3})[天日]"
"""So many days. “8日前” is before the 8th."""
_WEEK = r"(?:周|星期|礼拜)"
_LATER = r"(?:之?后|以后|过后)"
_AGO = r"(?:之?前|以前)"
_WITHIN = r"(?:之?内|以内)"

_NAMED_DAYS = {
    name: days
    for days, names in (
        (-3, "大前天"),
        (-2, "前天 前晚"),
        (-1, "昨天 昨日 昨晚 昨儿"),
        (0, "今天 今日 今晚 今早 今儿 今夜"),
        (1, "明天 明日 明早 明晚 明儿"),
        (2, "后天 后日"),
        (3, "大后天"),
    )
    for name in names.split()
}
_WEEKS = {"下下": 2, "下": 1, "上上": -2, "上": -1, "这": 0, "本": 0}
_MONTHS = {"下下": 2, "下": 1, "上上": -2, "上": -1, "这": 0, "本": 0, "": 0}
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


def _named_year(match: re.Match[str], today: date) -> Days | None:
    year = today.year + _YEARS[(match[1])]
    month, day = match[2], match[3]
    if not month:
        return the_year(year)
    return a_day(year, chinese_number(month), _day(day)) if day else the_month(year, chinese_number(month))


def _day_of_month(match: re.Match[str], today: date) -> Days | None:
    month = month_from(today, _MONTHS[(match[1])])
    return a_day(month[0].year, month[0].month, _day(match[2])) if month else None


def _weekday(match: re.Match[str], today: date) -> Days | None:
    weekday = "一二三四五六日".find(match[2].replace("天", "日"))
    which = match[1] or ""
    if not which:
        return days_from(today, (weekday - today.weekday()) % 7)
    return days_from(today, weekday - today.weekday() + 7 * _WEEKS[which])


def _weekend(match: re.Match[str], today: date) -> Days | None:
    monday, sunday = the_week(today, _WEEKS[(match[1] or "本")])
    return monday + timedelta(days=5), sunday


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


def _coming_month(today: date, month: int) -> Days | None:
    return the_month(today.year + (month < today.month), month)


def _away(unit: str, sign: int = 1) -> Resolver:
    """So many days, weeks or months ahead, or back."""

    def days(match: re.Match[str], today: date) -> Days | None:
        count = sign * chinese_number(match[1])
        return (
            same_day(today, count)
            if unit == "month"
            else days_from(today, count * {"day": 1, "week": 7}[unit])
        )

    return days


def _within_days(match: re.Match[str], today: date) -> Days | None:
    last = days_from(today, chinese_number(match[1]))
    return last and (today, last[0])


def _day(text: str) -> int:
    if text.startswith("廿"):
        return 20 + (chinese_number(text[1:]) if len(text) > 1 else 0)
    return chinese_number(text)


_DAY_NAMES = "|".join(sorted(_NAMED_DAYS, key=len, reverse=True))
_PAST = r"(?=[^，。；！？,;!?]{0,16}(?:[去买见做办结生毕到来回搬换开发修完][了过]|了[。！!]?$))"

RULES: tuple[TimeRule, ...] = (
    TimeRule(
        regex=r"(?<!\d)(\d{4}) ?[-/.年]\s?(\d{1,2}) ?[-/.月]\s?(\d{1,2})",
        days=lambda m, _: a_day(int(m[1]), int(m[2]), int(m[3])),
    ),
    TimeRule(
        regex=r"(?<!\d)(\d{4}) ?年 ?(?:(\d{1,2}|[一二三四五六七八九十]{1,2}) ?月|年?底)",
        days=lambda m, _: the_month(int(m[1]), chinese_number(m[2] or "12")),
    ),
    TimeRule(regex=rf"([明今去前后])年(?:的?({_DAY})月(?:({_DAY})[日号])?)(?!底|初)", days=_named_year),
    TimeRule(
        regex=rf"({_DAY})月({_DAY})[日号]?(?!\d|份){_PAST}",
        days=lambda m, today: last_date(today, chinese_number(m[1]), _day(m[2])),
    ),
    TimeRule(
        regex=rf"(?<![\d年一二三四五六七八九十])({_DAY})月({_DAY})[日号]",
        days=lambda m, today: next_date(today, chinese_number(m[1]), _day(m[2])),
    ),
    TimeRule(regex=rf"(下下|下|上上|上|这|本)个?月的?({_DAY})[日号]", days=_day_of_month),
    TimeRule(
        regex=rf"(?<!每)(?<!每个)(?:(下下|下|上上|上|这|本)个?)?{_WEEK}([一二三四五六日天])(?(1)|(?!到|至))",
        days=_weekday,
    ),
    TimeRule(
        regex=r"(今[天日晚早儿夜])", days=lambda m, today: days_from(today, _NAMED_DAYS[m[1]]), now=True
    ),
    TimeRule(regex=rf"({_DAY_NAMES})", days=lambda m, today: days_from(today, _NAMED_DAYS[m[1]])),
    TimeRule(regex=rf"{_DAYS}{_LATER}", days=_away("day")),
    TimeRule(regex=rf"(?:再?过)({_COUNT})[天日]", days=_away("day")),
    TimeRule(regex=rf"({_COUNT})个?{_WEEK}{_LATER}", days=_away("week")),
    TimeRule(regex=rf"(?:再?过)({_COUNT})个?{_WEEK}", days=_away("week")),
    TimeRule(regex=rf"({_COUNT})个月{_LATER}", days=_away("month")),
    TimeRule(regex=rf"(?:再?过)({_COUNT})个月", days=_away("month")),
    TimeRule(regex=rf"({_COUNT})[天日]{_WITHIN}", days=_within_days),
    TimeRule(regex=rf"{_DAYS}{_AGO}", days=_away("day", -1)),
    TimeRule(regex=rf"({_COUNT})个?{_WEEK}{_AGO}", days=_away("week", -1)),
    TimeRule(regex=rf"({_COUNT})个月{_AGO}", days=_away("month", -1)),
    TimeRule(regex=rf"(?<!每)(?<!每个)(?:(下下|下|上上|上|这|本)个?)?{_WEEK}末", days=_weekend),
    TimeRule(
        regex=r"(?:(下下|下|上上|上|这|本)个?|(?<![\d一二三四五六七八九十个元])(?<!\d ))月(底|初(?![一二三四五六七八九十])|[中上下]旬)",
        days=lambda m, today: _part(month_from(today, _MONTHS[m[1] or ""]), m[2]),
    ),
    TimeRule(
        regex=rf"(?<![\d年一二三四五六七八九十])({_DAY}) ?月份?的?(底|初|中旬|中|上旬|下旬)",
        days=lambda m, today: _part(_coming_month(today, chinese_number(m[1])), m[2]),
    ),
    TimeRule(
        regex=r"(?:([明今去])年年?|(?<![\d年〇零一二三四五六七八九十前后])(?<!\d )年)底", days=_end_of_year
    ),
    TimeRule(
        regex=rf"(下下|下|上上|上)个?{_WEEK}(?![一二三四五六日天])",
        days=lambda m, today: the_week(today, _WEEKS[m[1]]),
    ),
    TimeRule(
        regex=rf"(?<!每)([这本])个?{_WEEK}(?![期一二三四五六日天])",
        days=lambda m, today: the_week(today, _WEEKS[m[1]]),
        now=True,
    ),
    TimeRule(regex=r"(下下|下|上上|上)个?月", days=lambda m, today: month_from(today, _MONTHS[m[1]])),
    TimeRule(regex=r"([这本])个?月", days=lambda m, today: month_from(today, _MONTHS[m[1]]), now=True),
    TimeRule(
        regex=rf"(?<![\d年一二三四五六七八九十])({_DAY})月份?(?!\d)(?![票饼亮光])",
        days=lambda m, today: _coming_month(today, chinese_number(m[1])),
    ),
    TimeRule(
        regex=rf"(?<![\d第月])({_DAY})[号日](?=[^楼线院店码机\d]|$)",
        days=lambda m, today: coming_day(today, _day(m[1])),
    ),
    TimeRule(regex=r"([明去前])年()()", days=_named_year),
    TimeRule(regex=r"(今)年()()", days=_named_year, now=True),
)
