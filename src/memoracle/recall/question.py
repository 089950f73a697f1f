"""A question, read (query understanding): what it asks, how much its words weigh, the answer it wants.

Pure: words in, values out. People wrap a question in talk ("anyway, what I really want to know is …",
说起来…真正想问的是…), leave out its mark, misspell it, and ask two things at once; each ask is answered on its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Flag, auto
from functools import lru_cache

from memoracle.model.value import replace, value
from memoracle.recall.verdict import is_question, is_request
from memoracle.text import identifiers, is_stop, normalise, simplified, stem, telling_terms, terms

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
_QUOTED = "[\"“「『]([^\"“”「」『』]{2,200})[\"”」』]|(?<!\\w)'([^']{2,80})'(?!\\w)"


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
        # Who asks for advice, or for “it”, means what was said before.
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
    read = text if len(text) <= 2 * _AN_END else f"{text[:_AN_END]}\n{text[-_AN_END:]}"
    asks = tuple(_asks(simplified(read)))
    asking = " ".join(ask.whole for ask in asks)
    phrases = tuple(normalise(one or other) for one, other in _patterns()["quoted"].findall(read))
    return Question(
        text=text,
        asks=asks,
        names=tuple(dict.fromkeys((text.strip(), *phrases, *identifiers(asking)))),
        phrases=phrases,
    )


# Misspelt words, as the store spells them: its own terms are the dictionary, at Damerau–Levenshtein distance one.

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SWAPPED, _MISSING, _OTHER = range(3)
_MOST_MISSPELT = 4
"""So many strange words are looked at: each takes about a millisecond."""
_LONG = 6
_SPELT = re.compile(r"(?<![\w/.:@#+~'’-])(?:[A-Z][a-z]{3,23}|[a-z]{4,23})(?![\w/:@#+~-]|\.\w)", re.ASCII)


def respelt(
    question: Question,
    known: Callable[[list[str]], Mapping[str, tuple[int, int]]],
    rank: Callable[[str], int | None],
    names: Collection[str],
) -> Question:
    """The question with words that nobody uses as the store spells them, else as everybody does.

    `known` says which terms the store holds, and how many passages each; `rank` how ordinary a word is, None for one
    that is not; `names` are those of its speakers. A word that the store holds is right, an ordinary one almost always:
    only the name of a speaker is put in its place. What is quoted, and what is no plain word, stays as it is.
    """
    text = " ".join(ask.text for ask in question.asks)
    quoted = " ".join(question.phrases)
    words = {word: stem(word.lower()) for word in _SPELT.findall(text) if normalise(word) not in quoted}
    held = known(list(words.values()))
    strange = [word for word, term in words.items() if term not in held and not is_stop(term)]
    better: dict[str, str] = {}
    for word in strange[:_MOST_MISSPELT]:
        if meant := _meant(word.lower(), known, rank, names):
            better[word] = meant.capitalize() if word[0].isupper() else meant

    def put(match: re.Match[str]) -> str:
        return better.get(match[0], match[0])

    if not better:
        return question
    return replace(
        question, asks=tuple(replace(ask, text=_SPELT.sub(put, ask.text)) for ask in question.asks)
    )


def _meant(
    word: str,
    known: Callable[[list[str]], Mapping[str, tuple[int, int]]],
    rank: Callable[[str], int | None],
    names: Collection[str],
) -> str:
    """What a word that the store does not hold was meant to be; empty where that cannot be told."""
    edits = _edits(word)
    if found := [one for one in edits if one in names and (len(word) >= _LONG - 1 or edits[one] < _OTHER)]:
        return min(found, key=lambda one: (edits[one], one))
    if rank(word) is not None:
        return ""
    likely = [one for one, edit in edits.items() if len(word) >= _LONG or edit < _OTHER]
    stems = {one: stem(one) for one in likely}
    held = known(list(stems.values()))
    if found := [one for one in likely if stems[one] in held]:
        return min(found, key=lambda one: (edits[one], -held[stems[one]][1], rank(one) is None, one))
    ordinary = {one: place for one in likely if edits[one] < _OTHER and (place := rank(one)) is not None}
    return min(ordinary, key=lambda one: (edits[one], ordinary[one]), default="")


def _edits(word: str) -> dict[str, int]:
    """Every word one slip of the fingers away, and which sort of slip it was; the first letter is mostly right."""
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    swapped = [a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1]
    swapped += [a + a[-1] + b for a, b in cuts if a] + [a + b[1:] for a, b in cuts if a and b[:1] == a[-1]]
    missing = [a + one + b for a, b in cuts if a for one in _LETTERS]
    other = [a + b[1:] for a, b in cuts if a and b] + [
        a + one + b[1:] for a, b in cuts if b for one in _LETTERS
    ]
    found = dict.fromkeys(other, _OTHER) | dict.fromkeys(missing, _MISSING) | dict.fromkeys(swapped, _SWAPPED)
    found.pop(word, None)
    return found


def first_names(speakers: Mapping[str, int]) -> dict[str, list[int]]:
    """The numbers of all speakers by their first names."""
    found: dict[str, list[int]] = {}
    for name, number in speakers.items():
        # Some hosts write a blank where a name should be.
        if name not in {"user", "assistant"} and (words := normalise(simplified(name)).split()):
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
    for term in telling_terms(_patterns()["asking"].sub(" ", wanted if terms(wanted) else text)):
        found[term] += _LITTLE if term in little else 1.0  # type: ignore[assignment]
    return found


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
    asking = _asking(sentences)
    if not any(asking) or all(asking):
        return Ask(text=part)
    text = " ".join(sentence for sentence, asks in zip(sentences, asking, strict=True) if asks)
    is_leaning = bool(_patterns()["leaning"].search(text)) or sum(map(_is_telling, weights(text))) < _FEW
    if not is_leaning:
        around = (sentence for sentence, asks in zip(sentences, asking, strict=True) if not asks)
        return Ask(text=text, around=" ".join(around), hint=_HINT)
    last = len(asking) - asking[::-1].index(True)
    near = range(asking.index(True) - _NEAR, last + 1)
    around = (one for n, one in enumerate(sentences) if not asking[n] and n in near)
    return Ask(text=text, around=" ".join(around))


def _asking(sentences: Sequence[str]) -> list[bool]:
    """Which sentences ask: those with a mark, else those without any, else what is put as a question or request."""
    marked = [one[-1] in "?？" for one in sentences]
    telling = [
        asks and any(map(_is_telling, weights(one))) for one, asks in zip(sentences, marked, strict=True)
    ]
    ended = [one[-1] in ".!…。！~～" for one in sentences]
    put = [_is_put(one) for one in sentences]
    choices = (
        telling,  # “How are you?” asks nothing that could be remembered
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
