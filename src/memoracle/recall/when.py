"""The times a question names, as windows of days; “before”, “since” and “the latest” are windows as well.

Pure: words and the day of asking in, values out. A window of days without a year fits every year; how well a day fits
falls off with its distance.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache

from memoracle.model.value import replace, value
from memoracle.times import MONTHS, NUMBERS, WEEKDAYS, chinese_number, english_number, month_number

_COUNTING = r"\d零一二三四五六七八九十两几"
_FADING = 180
"""So many days before “the latest”, or before the day that something was before, count about a third."""
_UNITS = {"day": (1, 1), "week": (7, 3), "month": (30, 12), "year": (365, 120)}
_UNITS_ZH = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "个星期": "week",
    "个月": "month",
    "年": "year",
}


@value
class Window:
    """Days that a question means. With `month`, every year's; `last` is included."""

    first: int = 0
    last: int = 0
    month: int = 0
    day: int = 0
    blur: float = 4.0
    past: float = 0.0
    """How slowly it fades towards the past, where that is not `blur`."""


@lru_cache(maxsize=1)
def _patterns_when() -> dict[str, re.Pattern[str]]:
    names = "|".join([*MONTHS, *(name[:3] for name in MONTHS if name != "may"), "sept"])
    return {
        "numeric": re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})"),
        "dotted": re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})"),
        "day_month_year": re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({names})\b\.?,? (\d{{4}})"),
        "month_day_year": re.compile(rf"\b({names})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})"),
        "month_year": re.compile(rf"\b({names})\.?,? (\d{{4}})\b"),
        "year_month_zh": re.compile(r"(\d{4})年(\d{1,2})月"),
        "month_day": re.compile(rf"\b({names})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b"),
        "day_month": re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({names})\b"),
        "month": re.compile(rf"\b({'|'.join(name for name in MONTHS if name != 'may')})\b"),
        "may": re.compile(r"\b(?:in|during|of|early|late|mid|since|last|this) may\b"),
        "month_zh": re.compile(r"(\d{1,2})月(?:(\d{1,2})[日号])?"),
        "before": re.compile(r"\b(?:before|until|till|prior to|up to)(?: the)? $"),
        "before_zh": re.compile(r"[日号]?(?:之前|以前|为止|前(?!后))"),
        "since": re.compile(r"\b(?:since|after|starting)(?: the)? $"),
        "since_zh": re.compile(r"[日号]?(?:之后|以后|以来|开始|起|后)"),
        "lately": re.compile(
            rf"\b(?:last|past|previous) (\d{{1,4}}|{'|'.join(NUMBERS)})(?: of)? (day|week|month|year)s?\b"
        ),
        "lately_zh": re.compile(rf"(?:最近|过去|近|这)([{_COUNTING}]{{1,4}})(天|日|周|个?星期|个月|年)"),
        "latest": re.compile(
            r"\b(?:latest|newest|most recent(?:ly)?|last time)\b|最新|最近一次|上一?次|最后一次"
        ),
        "ago": re.compile(rf"\b(\d{{1,4}}|{'|'.join(NUMBERS)})(?: of)? (day|week|month|year)s? ago\b"),
        "ago_zh": re.compile(
            rf"(?<![{_COUNTING}])([{_COUNTING}]{{1,4}})(天|日|周|个?星期|个月|年)(?:之?前|以前)"
        ),
        "weekday": re.compile(rf"\b(?:last|this past) ({'|'.join(WEEKDAYS)})\b"),
        "weekday_zh": re.compile(r"(?<!每)(?:(上上|上|这|本)个?)?(?:周|星期|礼拜)([一二三四五六日天])"),
    }


def windows(question: str, asked: date | None) -> tuple[Window, ...]:
    """The windows of days a question names; relative ones need the day of asking."""
    rest = question.lower()
    found: list[Window] = []

    def take(name: str, window: Callable[[re.Match[str]], Window]) -> None:
        nonlocal rest, found
        pattern = _patterns_when()[name]
        found += [_beside(window(match), match, asked) for match in pattern.finditer(rest)]
        rest = pattern.sub(" ", rest)

    take("numeric", lambda m: _day(int(m[1]), int(m[2]), int(m[3])))
    take("dotted", lambda m: _day(int(m[3]), int(m[2]), int(m[1])))
    take("day_month_year", lambda m: _day(int(m[3]), month_number(m[2]), int(m[1])))
    take("month_day_year", lambda m: _day(int(m[3]), month_number(m[1]), int(m[2])))
    take("month_year", lambda m: _whole_month(int(m[2]), month_number(m[1])))
    take("year_month_zh", lambda m: _whole_month(int(m[1]), int(m[2])))
    take("month_day", lambda m: Window(month=month_number(m[1]), day=int(m[2]), blur=2.0))
    take("day_month", lambda m: Window(month=month_number(m[2]), day=int(m[1]), blur=2.0))
    if not found or not any(window.day for window in found):
        take("month", lambda m: Window(month=month_number(m[1])))
        take("may", lambda _: Window(month=5))
    take("month_zh", lambda m: Window(month=int(m[1]), day=int(m[2] or 0), blur=2.0))
    if asked is not None:
        found += _relative(rest, asked)
    return tuple(window for window in found if window.first or 1 <= window.month <= 12)


def _beside(window: Window, match: re.Match[str], asked: date | None) -> Window:
    """The window of a date; what lies before it or since, where the words beside it say so."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    patterns = _patterns_when()
    is_before = patterns["before"].search(before) or patterns["before_zh"].match(after)
    if not is_before and not (patterns["since"].search(before) or patterns["since_zh"].match(after)):
        return window
    if window.month and asked:  # the last there was
        year = asked.year - ((window.month, window.day) > (asked.month, asked.day))
        window = _day(year, window.month, window.day) if window.day else _whole_month(year, window.month)
    if not window.first:
        return window
    if is_before:
        return Window(first=window.first - 7, last=window.first, blur=2.0, past=_FADING)
    return replace(window, last=max(window.last, asked.toordinal() if asked else window.last + _FADING))


def fits(window: Window, day: int) -> float:
    """How well a day (its running number) fits a window, from 0 to 1."""
    if not window.month:
        distance = max(0, window.first - day, day - window.last)
        return float(2.718281828 ** (-distance / ((window.past if day < window.first else 0) or window.blur)))
    moment = date.fromordinal(day)
    if not window.day:
        return float(moment.month == window.month)
    distance_in_year = abs((moment.month - window.month) * 30.4 + moment.day - window.day)
    return float(2.718281828 ** (-distance_in_year / window.blur))


def _relative(rest: str, asked: date) -> list[Window]:
    today = asked.toordinal()
    found = [
        _ago(today, english_number(match[1]), match[2]) for match in _patterns_when()["ago"].finditer(rest)
    ]
    found += [
        _ago(today, chinese_number(match[1]), _UNITS_ZH[match[2]])
        for match in _patterns_when()["ago_zh"].finditer(rest)
    ]
    found += [
        Window(first=today - number * _UNITS[unit][0], last=today)
        for number, unit in (
            *((english_number(m[1]), m[2]) for m in _patterns_when()["lately"].finditer(rest)),
            *((chinese_number(m[1]), _UNITS_ZH[m[2]]) for m in _patterns_when()["lately_zh"].finditer(rest)),
        )
    ]
    if not found and _patterns_when()["latest"].search(rest):
        found.append(Window(first=today, last=today, past=_FADING))
    spans = (
        (r"\byesterday\b|昨天|昨日", 1, 1),
        (r"前天", 2, 2),
        (r"\btoday\b|今天|今日", 0, 0),
        (r"\blast week\b|上周|上星期|上个星期|上礼拜", 13, 3),
        (r"\b(?:past|this|last) weekend\b|上周末|这周末|本周末", 8, 0),
        (r"\b(?:past|this) week\b|这周|本周|这星期|最近一周", 7, 0),
        (r"\b(?:last|past) month\b|上个?月", 45, 0),
        (r"\blast year\b|去年", 730, 180),
    )
    weekdays = _weekdays(rest, asked)
    for pattern, back, near in spans:
        if re.search(pattern, rest) and not (weekdays and "周" in pattern):
            found.append(Window(first=today - back, last=today - near))
    return found + weekdays


def _weekdays(rest: str, asked: date) -> list[Window]:
    found = []
    for match in _patterns_when()["weekday"].finditer(rest):
        back = (asked.weekday() - WEEKDAYS.index(match[1])) % 7 or 7
        day = asked.toordinal() - back
        found.append(Window(first=day, last=day))
    for match in _patterns_when()["weekday_zh"].finditer(rest):
        weekday = "一二三四五六日".find(match[2].replace("天", "日"))
        weeks = {"上上": 2, "上": 1}.get(match[1] or "", 0)
        day = (asked - timedelta(days=asked.weekday() - weekday + 7 * weeks)).toordinal()
        found.append(Window(first=day, last=day))
    return found


def _ago(today: int, number: int, unit: str) -> Window:
    days, blur = _UNITS[unit]
    return Window(first=today - number * days - blur, last=today - number * days + blur)


def _day(year: int, month: int, day: int) -> Window:
    try:
        number = date(year, month, day).toordinal()
    except ValueError:
        return Window()
    return Window(first=number, last=number, blur=2.0)


def _whole_month(year: int, month: int) -> Window:
    try:
        first = date(year, month, 1).toordinal()
    except ValueError:
        return Window()
    return Window(first=first, last=first + 30)
