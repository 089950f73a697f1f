"""A question, read (query understanding): what it asks, how much its words weigh, the answer it wants, its times.

Pure: words and the moment of asking in, values out. People wrap a question in talk ("anyway, what I really want to know
is …", 说起来…真正想问的是…), and ask two things at once; each ask is answered on its own. A window of days without a
year fits every year; how well a day fits falls off with its distance.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from enum import Flag, auto
from functools import lru_cache

from memoracle.model.search import AnswerShape
from memoracle.model.value import value
from memoracle.text import identifiers, normalise, telling_terms, terms
from memoracle.times import MONTHS, NUMBERS, WEEKDAYS, chinese_number, english_number, month_number

# What a question asks: its asks, how much each word weighs, and the sort of answer it wants.


class Wants(Flag):
    """The sort of answer a question wants."""

    NOTHING = 0
    TIME = auto()
    NUMBER = auto()
    PLACE = auto()
    PERSON = auto()
    OF_ASSISTANT = auto()
    OF_YOU = auto()
    OF_ME = auto()


@value
class Ask:
    """One thing that is asked: the words of it, and the words around it that only hint."""

    text: str
    around: str = ""
    hint: float = 1.0


@value
class Question:
    """A question, ready to be asked."""

    text: str
    asks: tuple[Ask, ...]
    names: tuple[str, ...]
    phrases: tuple[str, ...]


_MOST_ASKS = 3
_QUOTED = "[\"“「『]([^\"“”「」『』]{2,80})[\"”」』]|(?<!\\w)'([^']{2,80})'(?!\\w)"


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    turning = (
        r"真正想(?:要)?(?:问|知道|了解)|(?:我)?(?:其实)?(?:是)?想问的?是|言归正传|话说回来|等等|等一下|停一下|不对"
        r"|抱歉|不好意思|扯远了"
        r"|what i (?:really |actually )?(?:want|meant|wanted) to (?:ask|know)(?: is)?"
        r"|my (?:real |actual )?question is|back to my question"
    )
    return {
        "turning": re.compile(rf"(?:{turning})[^，,：:。]{{0,8}}[，,：:。\s]\s*", re.IGNORECASE),
        "also": re.compile(
            r"(?<=[?？])\s*(?:另外|还有|此外|also|and also|in addition)[，,]?\s*", re.IGNORECASE
        ),
        "quoted": re.compile(_QUOTED),
        # Pairs of characters must not reach across a question word: nobody says 对什 or 么过 in an answer.
        "asking": re.compile(
            r"请问|告诉我|什么时候|为什么|什么|哪里|哪儿|哪个|哪些|哪天|哪|谁|多少|怎么样|怎么|如何|吗|呢|是不是|有没有"
        ),
        "sentences": re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+"),
    }


_WANTS: dict[Wants, str] = {
    Wants.TIME: r"\b(?:when|what (?:day|date|time|year|month)|how long"
    r"|how (?:many|much) (?:days|weeks|months|years|hours|time)|which (?:month|year|day))\b"
    r"|什么时候|啥时候|何时|几点|哪天|哪一天|几号|几月|多久|时间",
    Wants.NUMBER: r"\b(?:how (?:many|much|old|often|long|far|tall|big)|what (?:number|percentage|amount|age)"
    r"|total|number of)\b|多少|几[个岁次位本米]|多[大高长重远]",
    Wants.PLACE: r"\b(?:where|(?:which|what) (?:city|country|place|state))\b|哪里|在哪|哪儿",
    Wants.PERSON: r"\b(?:who|whom|whose|what(?: is|'s) the name)\b|谁|名字|叫什么",
    Wants.OF_ASSISTANT: r"\b(?:you (?:\w+ )?(?:told|provided|recommend\w*|suggest\w*|gave|mention\w*|said|list\w*"
    r"|wrote|explain\w*|describ\w*|shared|created|generated|made)|did you"
    r"|your (?:previous|last|earlier|recommend\w*|suggest\w*|response|answer|list)"
    r"|remind me (?:what|of|which|how|who|where|about)"
    r"|(?:our|previous) (?:previous |last |earlier )?(?:conversation|chat|discussion))\b"
    r"|你(?:之前|上次|刚才)?(?:说|告诉|推荐|建议|提到|给)",
    Wants.OF_YOU: r"\b(?:you|your)\b|你|您",
    Wants.OF_ME: r"\b(?:i|i'm|i've|im|ive|me|my|mine|we|we're|our|us)\b|[我咱]",
}

# Words about asking, not about what is asked: they weigh little.
_ABOUT_ASKING = (
    "list lists order ordered brought bring mention mentioned mentions only different aspect aspects throughout "
    "conversation conversations discuss discussed discussion discussions chat item items remind recall remember "
    "previous previously earlier told tell talk talked say said give provide provided comprehensive summary "
    "summarize overview across various total number many much kind kinds type types sort thing things name names "
    "example ways help know question answer explain describe description compare please shared share asked ask "
    "happened happen did does mean"
)
_ABOUT_ASKING_UNSPACED = (
    "描述 符合 可能 最可 以下 下哪 哪个 哪些 什么 么样 怎么 多少 请问 知道 告诉 那个 一项 一个 啥呀 来着 时候 问一 "
    "想问 是什 是多 是哪 的是 是啥"
)
_LITTLE = 0.35


def read_question(text: str) -> Question:
    """What is asked, and the names in it."""
    phrases = tuple(normalise(one or other) for one, other in _patterns()["quoted"].findall(text))
    return Question(
        text=text,
        asks=tuple(_asks(text)),
        names=tuple(dict.fromkeys((text.strip(), *phrases, *identifiers(text)))),
        phrases=phrases,
    )


def wants(text: str) -> Wants:
    """The sort of answer an ask wants."""
    found = Wants.NOTHING
    for want, pattern in _compiled().items():
        if pattern.search(text):
            found |= want
    return found


def weights(text: str) -> Counter[str]:
    """How much each term of some words weighs, before its rarity is known."""
    little = _little_terms()
    found: Counter[str] = Counter()
    for term in telling_terms(_patterns()["asking"].sub(" ", text)):
        found[term] += _LITTLE if term in little else 1.0  # type: ignore[assignment]
    return found


def _asks(text: str) -> list[Ask]:
    patterns = _patterns()
    found = []
    for part in patterns["also"].split(text):
        turns = list(patterns["turning"].finditer(part))
        if turns and len(part) - turns[-1].end() >= 4:
            found.append(Ask(text=part[turns[-1].end() :], around=part[: turns[-1].end()], hint=0.1))
            continue
        sentences = [sentence for sentence in patterns["sentences"].split(part) if sentence.strip()]
        asking = [sentence.rstrip()[-1:] in {"?", "？"} for sentence in sentences]
        if not any(asking) or all(asking):
            found.append(Ask(text=part))
            continue
        pairs = list(zip(sentences, asking, strict=True))
        found.append(
            Ask(
                text=" ".join(sentence for sentence, asks in pairs if asks),
                around=" ".join(sentence for sentence, asks in pairs if not asks),
            )
        )
    return [ask for ask in found if ask.text.strip()][:_MOST_ASKS] or [Ask(text=text)]


@lru_cache(maxsize=1)
def _compiled() -> dict[Wants, re.Pattern[str]]:
    return {want: re.compile(pattern, re.IGNORECASE) for want, pattern in _WANTS.items()}


@lru_cache(maxsize=1)
def _little_terms() -> frozenset[str]:
    return frozenset({*terms(_ABOUT_ASKING), *_ABOUT_ASKING_UNSPACED.split()})


# The shape of an answer: a story in its order, a list, how often.

_WHOSE = r"(?:the|my|our|his|her|their|\w+'s)"
_PLURAL = rf"(?:what|which) (?:of )?(?:{_WHOSE} )?(?:\w+ )?\w+[^\Wius]s"
_SHAPES: dict[AnswerShape, str] = {
    AnswerShape.TIMELINE: r"\bin (?:what |which |chronological )?order\b(?! to\b)|\border in which\b|\bchronolog"
    r"|\btimeline\b|\bsequence of events\b|\bsummar(?:y|ies|i[sz]e)\b|\boverview of\b|\brecap\b|\bhistory of my\b"
    r"|\b(?:change|progress|develop|evolve|go)d? .{0,40}\bover (?:time|the (?:year|month|week|course))"
    r"|什么顺序|先后顺序|时间线|按时间|来龙去脉|的(?:经过|历程)|总结一下|概括一下|回顾一下|梳理一下|前后怎么变|怎么一步步",
    AnswerShape.COUNT: r"\bhow (?:often|many (?:different )?(?:times|occasions))\b|\bnumber of times\b"
    r"|几次|多少次|几回|多少回",
    AnswerShape.LIST: r"^\W*(?:please )?(?:list|name|enumerate) (?:all|every|the|my|some)\b"
    r"|^all (?:the |my |our |of )?\w+s\b|\b(?:all|every(?:thing)?) .{0,30}\bthat\b"
    rf"|\b{_PLURAL} (?:has|have|had|did|does|do|are|were)\b|\bwhat (?:kinds|types|sorts) of\b"
    rf"|\bwhat (?:are|were) (?:all |some of )?{_WHOSE} \w+s\b"
    r"|\bhow many (?!(?:day|week|month|year|hour|minute)s)(?:different )?\w+s "
    r"(?:have|has|did|do|does) (?:i|we|he|she|they)\b"
    r"|哪些|都有(?:啥|什么|谁|哪)|有哪几|列出|列一下|都列|有几[个种位家]",
}


def shape_of(question: str) -> AnswerShape:
    """What shape the answer to a question has.

    >>> shape_of("In which order did I visit the islands?").value, shape_of("我身上有哪些毛病").value
    ('timeline', 'list')
    """
    return next(
        (shape for shape, pattern in _shapes().items() if pattern.search(question)), AnswerShape.ANSWER
    )


@lru_cache(maxsize=1)
def _shapes() -> dict[AnswerShape, re.Pattern[str]]:
    return {shape: re.compile(pattern, re.IGNORECASE) for shape, pattern in _SHAPES.items()}


_COUNTING = r"\d零一二三四五六七八九十两几"
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

    def take(name: str) -> list[re.Match[str]]:
        nonlocal rest
        pattern = _patterns_when()[name]
        matches = list(pattern.finditer(rest))
        rest = pattern.sub(" ", rest)
        return matches

    found += [_day(int(m[1]), int(m[2]), int(m[3])) for m in take("numeric")]
    found += [_day(int(m[3]), int(m[2]), int(m[1])) for m in take("dotted")]
    found += [_day(int(m[3]), month_number(m[2]), int(m[1])) for m in take("day_month_year")]
    found += [_day(int(m[3]), month_number(m[1]), int(m[2])) for m in take("month_day_year")]
    found += [_whole_month(int(m[2]), month_number(m[1])) for m in take("month_year")]
    found += [_whole_month(int(m[1]), int(m[2])) for m in take("year_month_zh")]
    found += [Window(month=month_number(m[1]), day=int(m[2]), blur=2.0) for m in take("month_day")]
    found += [Window(month=month_number(m[2]), day=int(m[1]), blur=2.0) for m in take("day_month")]
    if not any(window.day for window in found):
        found += [Window(month=month_number(m[1])) for m in take("month")]
        found += [Window(month=5) for _ in take("may")]
    found += [Window(month=int(m[1]), day=int(m[2] or 0), blur=2.0) for m in take("month_zh")]
    if asked is not None:
        found += _relative(rest, asked)
    return tuple(window for window in found if window.first or 1 <= window.month <= 12)


def fits(window: Window, day: int) -> float:
    """How well a day (its running number) fits a window, from 0 to 1."""
    if not window.month:
        distance = max(0, window.first - day, day - window.last)
        return float(2.718281828 ** (-distance / window.blur))
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
