"""Text as the engine sees it: normalised, cut into terms, counted, shown safely.

Shared by index, recall and extract, so that what is written and what is asked meet in the
same terms. Latin words are stemmed; Chinese, Japanese and Korean runs become single characters
and overlapping pairs, traditional Chinese in its simplified form; identifiers, error codes and file
names stay whole beside their parts.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import chain, groupby
from operator import add
from typing import TypeVar

TERMS_VERSION = 4
"""Raise it when the same text gives other terms: the view is then rebuilt."""

# Scripts written without spaces: Thai, Lao, Burmese, Khmer, Han, kana, hangul. Ranges in a tuple, not in
# a pattern: a class this large costs more to compile than everything else at start-up.
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029),
    (0x3040, 0x30FF), (0x3130, 0x318F), (0x31A0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA960, 0xA97F),
    (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
_JOINERS = "_\\-./:@#+~"
_WORDS = re.compile(rf"[^\W_]\w*(?:(?:['’]|[{_JOINERS}]+)[^\W_]\w*)*")
_JOINED = re.compile(f"[{_JOINERS}]")
_PARTS = re.compile("[^\\W_]+")
_HUMPS = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*|\n+")
# The same for a text without the full stops of unspaced scripts; fast because it begins with a class.
_BETWEEN_SPACED = re.compile(r"[\s](?:(?<=[.!?]\s)\s*|(?<=\n)\n*)")
_FULL_STOPS = "。！？"
_LONGEST_SENTENCE = 480
_CONTRACTED = {"s", "t", "re", "ve", "ll", "d", "m"}
_LONGEST_TERM = 64
_EDGES = "_-./:@#+~'’"
PUNCTUATION = ".,!?;:\"'()"
"""What most words that are no identifiers begin or end with."""


def normalise(text: str) -> str:
    """Width, compatibility forms and case folded away: equal for equal-looking text."""
    return unicodedata.normalize("NFKC", text).casefold()


def simplified(text: str) -> str:
    """The text with traditional Chinese characters as their simplified forms.

    >>> simplified("我的貓叫什麼")
    '我的猫叫什么'
    """
    return text if text.isascii() else text.translate(_traditional())


@lru_cache(maxsize=1)
def _traditional() -> dict[int, int]:
    with open(os.path.join(os.path.dirname(__file__), "traditional.txt"), encoding="utf-8") as file:
        _, written, meant = file.read().splitlines()
    return str.maketrans(written, meant)


def terms(text: str) -> list[str]:
    """The index terms of a text, in order, repeated as they occur."""
    return [*chain.from_iterable(map(_TERMS.__getitem__, _words(text)))]


def telling_terms(text: str) -> list[str]:
    """The terms that say what a text is about; all of them when it has only small words."""
    words = _words(text)
    return [*chain.from_iterable(map(_TELLING.__getitem__, words))] or [
        *chain.from_iterable(map(_TERMS.__getitem__, words))
    ]


def _words(text: str) -> list[str]:
    """What stands between spaces: no word of ours goes beyond."""
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).split()


_Found = TypeVar("_Found")


class Memo(dict[str, _Found]):
    """What `find` says of what stands between spaces: most of it was met before."""

    def __init__(self, find: Callable[[str], _Found]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, word: str) -> _Found:
        found = self._find(word)
        if len(word) <= _LONGEST_KEPT:  # a sentence without spaces is met once
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[word] = found
        return found


def _every(word: str) -> list[str]:
    if (core := word.strip(PUNCTUATION)).isalpha() and core.isascii():
        return _word_terms(core)
    return [
        term
        for part in _WORDS.findall(word)
        for term in (_word_terms(part) if part.isascii() else _mixed_terms(part))
    ]


def _telling(word: str) -> list[str]:
    stops = _stop_terms()
    return [term for term in _every(word) if term not in stops]


_LONGEST_KEPT = 24
_MOST_KEPT = 100_000
_TERMS, _TELLING = Memo(_every), Memo(_telling)
_SCRIPTS = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")
_unspaced_seen: set[str] = set()


def _mixed_terms(word: str) -> list[str]:
    """The terms of a word that is not written in ASCII alone: runs without spaces by characters and pairs."""
    runs = _SCRIPTS.findall(word)
    if not all(run.isascii() or _unspaced_seen.issuperset(run) for run in runs):
        runs = ["".join(run) for _, run in groupby(word, _is_unspaced)]
        _unspaced_seen.update(*(run for run in runs if _is_unspaced(run[0])))
    found: list[str] = []
    for run in runs:
        if run[0] in _unspaced_seen:
            letters = simplified(run)
            found += letters
            found += map(add, letters, letters[1:])
        elif core := run.strip(_EDGES):
            found += _word_terms(core)
    return found


def chunks(text: str, *, size: int = 160, most: int = 40) -> list[str]:
    """A text in chunks of whole sentences, each up to about `size` characters."""
    whole = text.strip()
    if len(whole) <= size * 1.25:
        return [whole]
    longest = max(size, _LONGEST_SENTENCE)
    found: list[str] = []
    held = ""
    between = _BETWEEN_SENTENCES if any(map(whole.__contains__, _FULL_STOPS)) else _BETWEEN_SPACED
    for sentence in between.split(whole):
        for start in range(0, len(sentence), longest):
            part = sentence[start : start + longest]
            if held and len(held) + len(part) + 1 > size:
                found.append(held)
                held = part
            else:
                held = f"{held} {part}".strip()
    if held:
        found.append(held)
    return found[:most]


def identifiers(text: str) -> list[str]:
    """The terms of a text that name something exactly: codes, paths, versions, handles."""
    return [
        letters.casefold()
        for word in _WORDS.findall(unicodedata.normalize("NFKC", text))
        for unspaced, run in groupby(word, _is_unspaced)
        if not unspaced and (letters := "".join(run).strip(_EDGES)) and _is_identifier(letters)
    ]


def is_stop(term: str) -> bool:
    """True for a term that says nothing about the subject."""
    return term in _stop_terms()


def is_unspaced(text: str) -> bool:
    """True for a text that is written, at least in part, without spaces between words."""
    return not text.isascii() and any(map(_is_unspaced, text))


def estimate_tokens(text: str) -> int:
    """About how many model tokens a text costs: one per unspaced character, one per four others."""
    unspaced = 0 if text.isascii() else sum(map(_is_unspaced, text))
    return unspaced + (len(text) - unspaced + 3) // 4


def shorten(text: str, limit: int) -> str:
    """The text on one line, cut to at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def visible(text: str) -> str:
    """The text with every control, bidirectional or otherwise hidden character spelled out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(ch) for ch in text)


def inert(text: str) -> str:
    """The text with tokens of chat templates spelled so that no model takes them for its own."""
    if "<" not in text and "[" not in text and "＜" not in text:
        return text
    return _template_token().sub(lambda match: "&#91;" if match[0] == "[" else "&lt;", text)


@lru_cache(maxsize=1)
def _template_token() -> re.Pattern[str]:
    return re.compile(
        r"[<＜﹤](?=\s?[|｜]\s?\w)|\[(?=/?INST\])|<(?=</?SYS>>)|<(?=/?SYS>>)|<(?=(?:start|end)_of_turn>)",
        re.IGNORECASE,
    )


def _shown(ch: str) -> str:
    if ch in "\n\t" or ch.isprintable():
        return ch
    if ch == "\u3000":  # the ideographic space is as plain as a space
        return ch
    code = ord(ch)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


@lru_cache(maxsize=20_000)
def _is_unspaced(ch: str) -> bool:
    code = ord(ch)
    return code >= 0x0E00 and any(first <= code <= last for first, last in _UNSPACED)


def _is_identifier(word: str) -> bool:
    letters = any(ch.isalpha() for ch in word)
    return bool(_JOINED.search(word)) or (letters and any(ch.isdigit() for ch in word))


def _word_terms(word: str) -> list[str]:
    """The terms of one spaced word: its stem, or the whole and the parts of an identifier."""
    if word.isascii() and word.isalpha() and (word.islower() or word[1:].islower()):
        return [stem(word.lower())]
    whole = _plain(word)
    parts = [part for part in _PARTS.findall(word) if part]
    if len(parts) == 1 and parts[0] == word:
        humps = _HUMPS.findall(word) if word.isascii() else []
        if len(humps) < 2:
            return [stem(whole)]
        return [*dict.fromkeys([stem(whole), *(stem(hump.lower()) for hump in humps)])]
    if len(parts) == 2 and parts[1].lower() in _CONTRACTED and ("'" in word or "’" in word):
        return [stem(_plain(parts[0]))]
    inner = [term for part in parts for term in _word_terms(part)]
    return [*dict.fromkeys([whole[:_LONGEST_TERM], *inner])]


def _plain(word: str) -> str:
    folded = word.casefold()
    if folded.isascii():
        return folded
    return "".join(ch for ch in unicodedata.normalize("NFD", folded) if not unicodedata.combining(ch))


def stem(word: str) -> str:
    """The term of one plain word in small letters."""
    if not word.isascii() or len(word) < 3:
        return word[:_LONGEST_TERM]
    return str(_stemmer().stemWord(_IRREGULAR.get(word, word)))[:_LONGEST_TERM]


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]  # noqa: ANN202 - the C module brings no types
    import Stemmer

    return Stemmer.Stemmer("english")


# Forms that no rule brings back to their word.
_IRREGULAR = {
    form: family.split()[0]
    for family in (
        "go went gone|buy bought|teach taught|run ran|swim swam swum|write wrote written|speak spoke spoken"
        "|drive drove driven|eat ate eaten|take took taken|give gave given|see saw seen|bring brought"
        "|think thought|catch caught|fly flew flown|grow grew grown|know knew known|begin began begun"
        "|sing sang sung|drink drank drunk|ride rode ridden|rise rose risen|break broke broken"
        "|choose chose chosen|wear wore worn|lose lost|find found|meet met|sell sold|tell told|hold held"
        "|keep kept|feel felt|sleep slept|win won|build built|send sent|spend spent|lend lent|make made"
        "|pay paid|say said|hear heard|get got gotten|come came|become became|fall fell fallen"
        "|forget forgot forgotten|hide hid hidden|sit sat|stand stood|understand understood|lead led|feed fed"
        "|fight fought|seek sought|draw drew drawn|throw threw thrown|blow blew blown|wake woke woken"
        "|steal stole stolen|freeze froze frozen|bite bit bitten|shake shook shaken|forgive forgave forgiven"
        "|child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|wife wives"
        "|knife knives"
    ).split("|")
    for form in family.split()[1:]
}
_STOP_WORDS = """
a about above after again against all also am an and any are aren as at be because been before being below
between both but by can cannot could couldn did didn do does doesn doing don down during each ever few for
from further get got had hadn has hasn have haven having he her here hers herself him himself his how i if in
into is isn it its itself just let me more most mustn my myself no nor not of off on once only or other ought
our ours ourselves out over own same shan she should shouldn so some such than that the their theirs them
themselves then there these they this those through to too under until up us very was wasn we were weren what
when where which while who whom why will with won would wouldn you your yours yourself yourselves yeah oh ok
okay hey hi im ive dont didnt s t re ve ll d m
"""
_STOP_UNSPACED = """
的 了 是 在 我 你 他 她 它 们 这 那 有 和 与 及 就 也 都 还 很 啊 呢 吗 吧 哦 呀
么 嘛 个 着 过 被 把 给 让 对 从 到
の は が を に へ と で も や か
"""


@lru_cache(maxsize=1)
def _stop_terms() -> frozenset[str]:
    words = _STOP_WORDS.split()
    return frozenset({*words, *map(stem, words), *_STOP_UNSPACED.split()})
