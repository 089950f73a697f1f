"""What a question asks: its asks, how much each word weighs, and the sort of answer it wants.

Pure: words in, values out. People wrap a question in talk ("anyway, what I really want to know
is …", 说起来…真正想问的是…), and ask two things at once; each ask is answered on its own.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Flag, auto
from functools import lru_cache

from memoracle.model.value import value
from memoracle.text import identifiers, normalise, telling_terms, terms


class Wants(Flag):
    """The sort of answer a question wants."""

    NOTHING = 0
    TIME = auto()
    NUMBER = auto()
    PLACE = auto()
    PERSON = auto()
    OF_ASSISTANT = auto()
    OF_YOU = auto()


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
