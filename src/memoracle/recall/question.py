"""A question, read (query understanding): what it asks, how much its words weigh, the answer it wants, its times.

Pure: words and the moment of asking in, values out. People wrap a question in talk ("what I really want to know is …",
说起来…真正想问的是…), leave out its mark, misspell it, and ask two things at once; each ask is answered on its own.
A window of days without a year fits every year; how well a day fits falls off with its distance.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from enum import Flag, auto
from functools import lru_cache

from memoracle.model.search import TOOL, AnswerShape
from memoracle.model.value import replace, value
from memoracle.recall.verdict import is_question, is_request
from memoracle.text import identifiers, is_stop, normalise, simplified, telling_terms, terms
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
    """What the words around it weigh together, as a share of its own."""

    @property
    def whole(self) -> str:
        """The ask as somebody reads it who sees nothing else: with what it leans on."""
        return f"{self.around} {self.text}" if self.around and self.hint >= 1 else self.text


@value
class Question:
    """A question, ready to be asked."""

    text: str
    asks: tuple[Ask, ...]
    names: tuple[str, ...]
    phrases: tuple[str, ...]

    @property
    def asking(self) -> str:
        """What of the text asks, without the talk around it."""
        return " ".join(ask.whole for ask in self.asks)


_MOST_ASKS = 3
_AN_END = 4000
"""Of a longer prompt so many characters of its beginning and its end are read: nobody asks in the middle of a paste."""
_HINT = 0.1
_FEW, _NEAR = 2, 2
"""An ask of fewer telling terms leans on what stands around it, from so many sentences before it on."""


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
        "quoted": re.compile("[\"“「『]([^\"“”「」『』]{2,200})[\"”」』]|(?<!\\w)'([^']{2,80})'(?!\\w)"),
        # Pairs of characters must not reach across a question word: nobody says 对什 or 么过 in an answer.
        "asking": re.compile(
            r"请问|告诉我|什么时候|为什么|什么|哪里|哪儿|哪个|哪些|哪天|哪|谁|多少|怎么样|怎么|如何|吗|呢|是不是|有没有"
        ),
        "sentences": re.compile(
            r"(?<=[.!?…])(?<!\.[A-Z]\.)(?<!\b[DMS][rst]\.)(?<!\bMrs\.)[\"”')]*\s+|(?<=[。！？])(?![”」』）)的])\s*|\n+"
        ),
        "opening": re.compile(
            r"(?i)(?:what|who|whom|whose|which|where|when|why|how|is|are|was|were|do|does|did|has|have|can|could"
            r"|will|would|should)\b"
        ),
        # “Besides Luigi's, where …”, 除了川菜还…: whoever says so does not want to hear of it.
        "excepted": re.compile(
            r"(?i)\b(?:other than|apart from|aside from|besides|except(?: for)?|excluding|not counting"
            r"|(?<=, )not(?=\s+(?:the|an?|my|our|your|his|her|in|at|on|from|with|by)\b))(?:\s+[\w'’-]+){1,4}?"
            r"(?=\s*(?:[,.?;)]|$|\b(?:did|do|does|is|are|was|were|has|have|had|can|will|would|what|which|who|where)\b))"
            r"|(?:除了|除去|除开)[^，,。？?]{1,12}?(?:以外|之外|(?=[，,]|还|都|也|就))"
            r"|不(?:算|包括|包含)[^，,。？?]{1,8}?(?=[，,？?]|的|$)"
        ),
        "leaning": re.compile(
            r"(?i)\b(?:you|i|we) (?:suggest|recommend|advise|think)\b"
            r"|\bany (?:\w+ )?(?:suggest|recommend|advice|idea|tip|thought)|什么建议|怎么办|怎么看"
        ),
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
    Wants.OF_ME: r"\b(?:i|i'm|i've|im|ive|my|mine|we|we're|our|us)\b"
    r"|(?<!tell )(?<!show )(?<!give )(?<!remind )\bme\b|(?<!告诉)(?<!提醒)(?<!问)[我咱]",
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
    read = text if len(text) <= 2 * _AN_END else f"{text[:_AN_END]}\n{text[-_AN_END:]}"
    asks = tuple(_asks(read if read.isascii() else simplified(read)))
    asking = " ".join(ask.whole for ask in asks)
    phrases = tuple(normalise(one or other) for one, other in _patterns()["quoted"].findall(read))
    return Question(
        text=text,
        asks=asks,
        names=tuple(dict.fromkeys((text.strip(), *phrases, *identifiers(asking)))),
        phrases=phrases,
    )


def first_names(speakers: Mapping[str, int]) -> dict[str, list[int]]:
    """The numbers of all speakers by their first names."""
    found: dict[str, list[int]] = {}
    for name, number in speakers.items():
        # Some hosts write a blank where a name should be.
        if name not in {"user", "assistant", TOOL} and (words := normalise(simplified(name)).split()):
            found.setdefault(words[0], []).append(number)
    return found


def speakers_named(text: str, names: Mapping[str, Sequence[int]]) -> tuple[int, ...]:
    """The speakers a text names by their first names; an unspaced script says a name inside of anything."""
    folded = normalise(simplified(text))
    words = set(folded.replace("'s", "").replace("’s", "").replace("?", " ").replace(",", " ").split())
    return tuple(
        number
        for name, numbers in names.items()
        if name in words or (not name.isascii() and name in folded)
        for number in numbers
    )


def wants(text: str) -> Wants:
    """The sort of answer an ask wants."""
    found = Wants.NOTHING
    for want, pattern in _compiled().items():
        if pattern.search(text):
            found |= want
    return found


def weights(text: str) -> Counter[str]:
    """How much each term of some words weighs, before its rarity is known; what is excepted weighs nothing."""
    little = _little_terms()
    found: Counter[str] = Counter()
    wanted = _patterns()["excepted"].sub(" ", text)
    for term in telling_terms(without_asking(wanted if terms(wanted) else text)):
        found[term] += _LITTLE if term in little else 1.0  # type: ignore[assignment]
    return found


def without_asking(text: str) -> str:
    """A text without its question words."""
    return _patterns()["asking"].sub(" ", text)


def _asks(text: str) -> list[Ask]:
    found = [_ask(part) for part in _patterns()["also"].split(text)]
    return [ask for ask in found if ask.text.strip()][:_MOST_ASKS] or [Ask(text=text)]


def _ask(part: str) -> Ask:
    """What a part of a text asks: behind a turning phrase, or its asking sentences."""
    turns = list(_patterns()["turning"].finditer(part))
    if turns and len(part) - turns[-1].end() >= 4:
        before, behind = part[: turns[-1].end()], part[turns[-1].end() :]
        if any(map(_is_put, _sentences(behind))) or not any(map(_is_put, _sentences(before))):
            own = _ask(behind)
            return Ask(text=own.text, around=f"{before} {own.around}".strip(), hint=_HINT)
    sentences = _sentences(part)
    asking = _asking(sentences) if len(sentences) > 1 else []
    if not any(asking) or all(asking):
        return Ask(text=part)
    text = " ".join(sentence for sentence, asks in zip(sentences, asking, strict=True) if asks)
    first, last = asking.index(True), len(asking) - asking[::-1].index(True)
    # Who asks for advice, or for “it”, means what was said just before.
    leans = bool(_patterns()["leaning"].search(text)) or sum(map(_is_telling, weights(text))) < _FEW
    near = range(first - _NEAR, last + 1) if leans else range(len(sentences))
    around = " ".join(one for place, one in enumerate(sentences) if not asking[place] and place in near)
    return Ask(text=text, around=around, hint=1.0 if leans else _HINT)


def _asking(sentences: Sequence[str]) -> list[bool]:
    """Which sentences ask: those with a mark, else those without any, else what is put as a question or request."""
    marked, ended = ([one[-1] in marks for one in sentences] for marks in ("?？", ".!…。！~～"))
    every = list(zip(sentences, marked, ended, strict=True))
    # “How are you?” asks nothing that could be remembered; beside a question another one needs no mark.
    if any(telling := [mark and any(map(_is_telling, weights(one))) for one, mark, _ in every]):
        beside = [not (mark or end) and is_question(one) for one, mark, end in every]
        return [one or another for one, another in zip(telling, beside, strict=True)]
    put = [_is_put(one) for one in sentences]
    choices = (
        marked,
        [asks and not end for asks, end in zip(put, ended, strict=True)],
        [not end for end in ended],
        put,
        [is_request(one) for one in sentences],
    )
    return next((one for one in choices if any(one) and not all(one)), marked)


def _is_put(sentence: str) -> bool:
    """True for what is put as a question, even as “did Ann go”."""
    return is_question(sentence) or bool(_patterns()["opening"].match(sentence))


def _is_telling(term: str) -> bool:
    return term not in _little_terms() and not is_stop(term)


def _sentences(text: str) -> list[str]:
    """The sentences of a text; what is quoted is not cut."""
    quoted = [match.span() for match in _patterns()["quoted"].finditer(text)]
    found, begin = [], 0
    for match in _patterns()["sentences"].finditer(text):
        if not any(first < match.end() < last for first, last in quoted):
            found.append(text[begin : match.start()].strip())
            begin = match.end()
    return [one for one in (*found, text[begin:].strip()) if one]


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
    fitting = (shape for shape, wish in _SHAPES.items() if re.search(wish, question, re.IGNORECASE))
    return next(fitting, AnswerShape.ANSWER)


# The times a question names, as windows of days; “before”, “since” and “the latest” are windows as well.

_COUNTING = r"\d零一二三四五六七八九十两几"
_FADING = 180
"""So many days before “the latest”, or before the day that something was before, count about a third."""
_UNITS = {"day": (1, 1), "week": (7, 3), "month": (30, 12), "year": (365, 120)}
_UNITS_ZH = (
    dict.fromkeys("天日", "day")
    | dict.fromkeys(("周", "星期", "个星期"), "week")
    | {"个月": "month", "年": "year"}
)


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
    found: list[Window] = []
    for name, window in (("ago", _ago), ("lately", _lately)):
        found += [window(today, english_number(m[1]), m[2]) for m in _patterns_when()[name].finditer(rest)]
        found += [
            window(today, chinese_number(m[1]), _UNITS_ZH[m[2]])
            for m in _patterns_when()[f"{name}_zh"].finditer(rest)
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


def _lately(today: int, number: int, unit: str) -> Window:
    return Window(first=today - number * _UNITS[unit][0], last=today)


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
