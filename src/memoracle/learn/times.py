"""The time a sentence speaks of (temporal expressions), resolved against the moment it was said, in the owner's zone.

“Tomorrow at 3pm” said on Monday is Tuesday at three. A language has two things: rules, expressions for days, the first
that fits wins; and the time of day. English stands here, Chinese in `times_zh.py`. Pure; a day that no calendar has
(“May 35”) is no time.

`dated` tells relative days as dates: “next Friday” keeps its words, and the day that was meant stands behind them. Only
words that mean another day each time they are said get one; “every Friday” and “in the summer” mean many days, “1 May
2027” is a date already, “a few days ago” no day in particular. In doubt the words stand alone. Nothing of the sentence
is changed or left out; what the lunar calendar names is no day here.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, tzinfo

from memoracle.learn.rules import compiled, simplified
from memoracle.model.value import value
from memoracle.text import is_unspaced
from memoracle.times import (
    MONTHS,
    WEEKDAYS,
    Days,
    a_day,
    chinese_number,
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

Resolver = Callable[[re.Match[str], date], Days | None]
"""From what was matched and the day of saying it, the days that are meant."""

_MONTH = "|".join([*MONTHS, *(name[:3] for name in MONTHS if name != "may"), "sept"])
_WEEKDAY = "|".join([*WEEKDAYS, "mon", "tues?", "wed", "thurs?", "fri"])
_COUNT = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few"
_PAST = re.compile(
    r"\b(?:was|were|went|had|did|last (?:year|month|week|time)|ago|since|been|got|came|saw|met|bought|moved|started|\w{3,}ed)\b",
    re.IGNORECASE,
)
_SPOKEN = compiled(
    r"tomorrow|tmrw?|yesterday|today|tonight|last night|this (?:morning|afternoon|evening)"
    r"|from now$|\b(?:ago|back|earlier)$"
    r"|^(?:next|last|this|coming|the coming)\b|^(?:in|within) .{1,12} (?:day|week|month|year)s?$|^end of the"
    r"|[明昨今前后去]|[上下这本]个?(?:周|星期|礼拜|月)|[之以]?内$|过|^[月年](?:底|初|[中上下]旬)"
)
_LEADS = compiled(r"(?:\b(?:on|by|until|till|before|due|this|for)(?: the)? ?|截止到?|直到|定在|改到|安排在)$")
_WEEKDAY_ZH = "(?:周|星期|礼拜)[一二三四五六日天]"
_BARE_WEEKDAY = compiled(rf"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|{_WEEKDAY_ZH}")
_RECURS = compiled(
    r"\b(?:every|each|always|usually|normally|typically|regularly|weekly|daily|monthly|biweekly|fortnightly|yearly"
    r"|annual(?:ly)?|(?:mon|tues|wednes|thurs|fri|satur|sun|week)days|weekends|(?:once|twice|times) an? (?:week|month|year))\b"
    r"|(?:day|week|in the) ?(?:morning|afternoon|evening|night)s\b|(?:\d(?:st|nd|rd|th)|day) of the month\b"
    rf"|每|总是|通常|一般|平[时常]|照例|隔周|固定在?周|{_WEEKDAY_ZH}[^，。；！？]{{0,12}}都"
)
_ROUTINE = compiled(
    r"\b(?:class(?:es)?|lessons|my shift|shifts|rehearsals?|practice|yoga|gym|choir|day off|trash|recycling|rent|salary|payday)\b"
    r"|有课|上课|值班|健身|瑜伽|[早中晚夜]班|工资|发薪|房租|房贷|还款"
)
"""What most people have on the same day of each week or month."""
_SEVERAL_DAYS = compiled(
    rf"\b(?:{_WEEKDAY})(?:,? (?:and|&|or) |, ?| ?/ ?| ?[-–] ?| (?:to|through|thru) )(?:on )?(?:{_WEEKDAY})\b"
    rf"|{_WEEKDAY_ZH}[^，。；,;]{{0,8}}?[、和跟与及或到至/～~—-]\s?(?:{_WEEKDAY_ZH}|[一二三四五六日])|(?:周|星期|礼拜)[一二三四五六日]{{2}}"
)
_OF_EACH = compiled(r"end of the|[月年](?:底|初|[中上下]旬)")
_VAGUE = compiled(r"\b(?:few|couple|in (?:a|one) year)\b|几")
_STOPS = re.compile(r"[.!?]\s|[。！？\n]")
_NUMBERED = (
    rf"(?:(?:\b(?:{_MONTH})\.? (?:the )?|\d{{1,2}}月)(\d{{1,2}})(?!\d)|\b(?<!my )(\d{{1,2}})(?:st|nd|rd|th)\b"
    r"|(\d{1,2}|[一二三四五六七八九十]{1,3})[号日](?![线楼院店机]))"
)
_NUMBER_AFTER = compiled(rf"[\s,，(（]{{0,2}}(?:the |即|也?就?是)?{_NUMBERED}")
_NUMBER_BEFORE = compiled(rf"{_NUMBERED}[日号]?[\s,，(（]{{0,2}}(?:is |即|也?就?是)?$")
_LUNAR = compiled(
    r"[农阴旧夏]历的?(?:[明今去]年)?[闰閏]?[\d一二三四五六七八九十正冬腊臘]{1,2}月初?[\d一二三四五六七八九十廿]{0,3}[号日底]?"
    r"|[闰閏]?[正冬腊臘]月(?:底|初?[一二三四五六七八九十廿]{0,3})"
    r"|[一二三四五六七八九十]{1,2}月(?:初[一二三四五六七八九十]|廿[一二三四五六七八九]?)"
)
_PART_OF = compiled(r"\s+of\b")
_NEVER_THE_SAME = timedelta(days=400)
_SPOKEN_OR_WEEKDAY = compiled(
    r"\b(?:tomorrow|tmrw?|yesterday|today|tonight|night|morning|afternoon"
    r"|evening|ago|next|last|this|coming|from now|end of"
    r"|(?:in|within) (?:\d|an?\b|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
    r"|\b(?:days?|weeks?|months?|years?) (?:back|earlier)\b"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun)|[天日周週月年内期拜晚早底儿夜]"
)


@value
class TimeRule:
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
    text = _folded(text)
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


def dated(text: str, said: datetime | None, zone: tzinfo) -> str:
    """The sentence with the day, week, month or year that its relative words meant, in brackets behind them."""
    if said is None or not _SPOKEN_OR_WEEKDAY.search(text):
        return text
    today = said.astimezone(zone).date()
    folded = _folded(text)  # one for one: places stay the same
    gap = "" if is_unspaced(text) else " "
    taken: list[tuple[int, int]] = []
    marks: list[tuple[int, str]] = []
    for rule in _languages(text)[0]:
        for match in compiled(rule.regex).finditer(folded):
            start, end = match.span()
            if any(start < last and first < end for first, last in taken):
                continue
            taken.append((start, end))
            if not _is_relative(folded, start, end):
                continue
            days = rule.days(match, today)
            is_another_each_time = days and rule.days(match, today + _NEVER_THE_SAME) != days
            if days and is_another_each_time and _is_free(folded, start, end, days):
                marks.append((end, f"{gap}[{_shown(days, text)}]"))
    for at, mark in sorted(marks, reverse=True):
        text = text[:at] + mark + text[at:]
    return text


def recurs(text: str) -> bool:
    """True for what happens again and again."""
    return bool(_RECURS.search(text))


LATE = timedelta(days=30)
"""For how long something to do is still open after its last day."""
_LAST_DAY = re.compile(
    r"\b(?:by|due|until|before|deadline|remind|latest)\b|截止|[之以]前|提醒|到期|最晚", re.IGNORECASE
)


def names_last_day(text: str) -> bool:
    """True for what has to be done by a day, and is overdue after it: “by Friday”, “remind me”, 截止."""
    return bool(_LAST_DAY.search(text))


def _folded(text: str) -> str:
    """Both Chinese scripts as one, each character in its place; what the lunar calendar names is blotted out."""
    if not is_unspaced(text):
        return text
    return _LUNAR.sub(lambda found: "＊" * len(found[0]), text.translate(simplified()))


def _languages(text: str) -> tuple[tuple[TimeRule, ...], tuple[Callable[[str], Clock | None], ...]]:
    if not is_unspaced(text):
        return RULES, (clock_of,)
    from memoracle.learn import times_zh

    return (*times_zh.RULES, *RULES), (times_zh.clock_of, clock_of)


def _span(days: Days, clock: Clock | None, zone: tzinfo, *, now: bool) -> Span:
    first = datetime.combine(days[0], time(0, 0), tzinfo=zone)
    last = datetime.combine(days[1], time(23, 59, 59), tzinfo=zone)
    if clock is None or days[0] != days[1]:
        return Span(first=first, last=last, now=now)
    start = first.replace(hour=clock.hour, minute=clock.minute)
    end = min(last, start + timedelta(minutes=clock.minutes)) if clock.minutes else start
    return Span(first=start, last=end, clocked=True, now=now)


def _is_relative(text: str, start: int, end: int) -> bool:
    words = text[start:end].strip()
    if _PART_OF.match(text, end) or _VAGUE.search(words):
        return False
    before = _STOPS.split(text[max(0, start - 200) : start])[-1]
    sentence = before + text[start:end] + _STOPS.split(text[end : end + 200])[0]
    is_routine = _RECURS.search(sentence) or _ROUTINE.search(sentence)
    if _BARE_WEEKDAY.fullmatch(words):
        is_meant = _LEADS.search(before[-12:]) or (
            is_unspaced(words) and any(clock_of(sentence) for clock_of in _languages(text)[1])
        )
        return bool(is_meant) and not (is_routine or _SEVERAL_DAYS.search(sentence))
    return bool(_SPOKEN.search(words)) and not (is_routine and _OF_EACH.match(words))


def _is_free(text: str, start: int, end: int, days: Days) -> bool:
    """True where no date stands yet, and no number of a day that is not among these: “Friday the 13th”, “下周二8号”."""
    beside = (_NUMBER_AFTER.match(text, end), _NUMBER_BEFORE.search(text[max(0, start - 12) : start]))
    named = {chinese_number(one[one.lastindex or 0]) for one in beside if one}
    first, last = days
    meant = {(first + timedelta(days=more)).day for more in range(min(31, (last - first).days + 1))}
    return "[" not in text[end : end + 2] and named <= meant


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
    if re.match(r"(?:\w+ )?last ", match[0], re.IGNORECASE) or _past(match):
        return month_from(today, ahead - 12 if ahead else 0)
    return month_from(today, ahead)


def _weekday(match: re.Match[str], today: date) -> Days | None:
    number = weekday_number(match["day"])
    which = (match["which"] or "").lower()
    ahead = (number - today.weekday()) % 7
    if which in {"last", "this past"} or (not which and _past(match)):
        return days_from(today, ahead - 7)
    if which == "next":
        # On a Monday, “next Friday” is the one of the following week; on a Friday, so is “next Tuesday”.
        monday = the_week(today, 1)[0]
        return days_from(monday, number)
    return days_from(today, ahead or (7 if not which else 0))


def _distance(match: re.Match[str], today: date, sign: int) -> Days | None:
    word = match["count"].lower().removesuffix(" of").removeprefix("a ")
    count = english_number(word or "a") * sign
    unit = match["unit"].lower()
    if unit == "month":
        return same_day(today, count)
    return (
        the_year(today.year + count)
        if unit == "year"
        else days_from(today, count * (7 if unit == "week" else 1))
    )


def same_day(today: date, months: int) -> Days | None:
    """The same day of another month, or its last."""
    month = month_from(today, months)
    if month is None:
        return None
    day = month[0] + timedelta(days=min(today.day, month[1].day) - 1)
    return day, day


def coming_day(today: date, day: int) -> Days | None:
    """The next such day of a month, today included."""
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
RULES: tuple[TimeRule, ...] = (
    TimeRule(regex=r"\b(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b", days=lambda m, _: a_day(int(m["y"]), int(m["m"]), int(m["d"]))),
    TimeRule(regex=r"\b(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})\b", days=lambda m, _: a_day(int(m["y"]), int(m["m"]), int(m["d"]))),
    TimeRule(regex=rf"\b(?P<month>{_MONTH})\b\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?\b(?!:\d| ?[ap]\.?m)", days=_month_day),
    TimeRule(regex=rf"\b(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b\.?(?:,? (?P<year>\d{{4}}))?", days=_month_day),
    TimeRule(regex=r"\bday after tomorrow\b", days=lambda _, today: days_from(today, 2)),
    TimeRule(regex=r"\bday before yesterday\b", days=lambda _, today: days_from(today, -2)),
    TimeRule(regex=r"\btomorrow\b|\btmrw?\b", days=lambda _, today: days_from(today, 1)),
    TimeRule(regex=r"\byesterday\b|\blast night\b", days=lambda _, today: days_from(today, -1)),
    TimeRule(regex=r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b", days=lambda _, today: days_from(today, 0), now=True),
    TimeRule(regex=rf"\b(?P<count>{_COUNT}) (?P<unit>day|week|month|year)s? (?:ago|back|earlier)\b", days=lambda m, today: _distance(m, today, -1)),
    TimeRule(regex=rf"\b(?:in|within) (?P<count>{_COUNT}) (?P<unit>day|week|month|year)s?\b|\b(?P<dummy>(?!))", days=lambda m, today: _distance(m, today, 1)),
    TimeRule(regex=rf"\b(?P<count>{_COUNT}) (?P<unit>day|week|month|year)s? from now\b", days=lambda m, today: _distance(m, today, 1)),
    TimeRule(regex=rf"\b(?:(?P<which>next|last|this(?: coming)?|this past|coming)\s)?(?<!every )(?P<day>{_WEEKDAY})\b(?!s\b)", days=_weekday),
    TimeRule(regex=r"\b(?:this|the|next|last|coming) weekend\b", days=lambda m, today: _weekend(m[0], today)),
    TimeRule(regex=r"\bnext week\b", days=lambda _, today: the_week(today, 1)),
    TimeRule(regex=r"\blast week\b", days=lambda _, today: the_week(today, -1)),
    TimeRule(regex=r"\bthis week\b|\bend of the week\b", days=lambda _, today: the_week(today, 0), now=True),
    TimeRule(regex=r"\bnext month\b", days=lambda _, today: month_from(today, 1)),
    TimeRule(regex=r"\blast month\b", days=lambda _, today: month_from(today, -1)),
    TimeRule(regex=r"\bthis month\b|\bend of the month\b", days=lambda _, today: month_from(today, 0), now=True),
    TimeRule(regex=r"\bnext year\b", days=lambda _, today: the_year(today.year + 1)),
    TimeRule(regex=r"\blast year\b", days=lambda _, today: the_year(today.year - 1)),
    TimeRule(regex=r"\bthis year\b|\bend of the year\b", days=lambda _, today: the_year(today.year), now=True),
    TimeRule(regex=r"\b(?:(?P<which>next|last|this|in|the|in the)\s)(?P<season>spring|summer|autumn|fall|winter)\b", days=_season),
    TimeRule(regex=r"\b(?:on|by|until|till|before|for|from) the (?P<day>\d{1,2})(?:st|nd|rd|th)\b", days=lambda m, today: coming_day(today, int(m["day"]))),
    TimeRule(regex=rf"\b(?:in|by|until|before|during|since|this|next|last|early|late|mid|of) (?:next |last |early |late |mid-?)?(?P<month>{_MONTH})\b\.?(?:,? (?P<year>\d{{4}}))?", days=_month),
    TimeRule(regex=r"\b(?:in|since|by) (?P<year>(?:19|20)\d\d)\b", days=lambda m, _: the_year(int(m["year"]))),
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
