"""Text as the engine sees it: normalised, cut into terms, counted, shown safely.

Shared by index, recall and extract, so that what is written and what is asked meet in the
same terms. Latin words are stemmed; Chinese, Japanese and Korean runs become single characters
and overlapping pairs; identifiers, error codes and file names stay whole beside their parts.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

TERMS_VERSION = 1
"""Raise it when the same text gives other terms: the view is then rebuilt."""

# Scripts written without spaces: Han, kana, hangul, Thai, Lao, Khmer, Burmese.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff"
    "\u3130-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_JOINERS = "_\\-./:@#+~"
_PIECES = re.compile(
    f"(?P<unspaced>[{_UNSPACED}]+)"
    f"|(?P<word>[^\\W_{_UNSPACED}]+(?:['’][^\\W\\d_{_UNSPACED}]+)?"
    f"(?:[{_JOINERS}]+[^\\W_{_UNSPACED}]+)*)"
)
_PARTS = re.compile("[^\\W_]+")
_HUMPS = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CONTRACTED = {"s", "t", "re", "ve", "ll", "d", "m"}
_LONGEST_TERM = 64


def normalise(text: str) -> str:
    """Width, compatibility forms and case folded away: equal for equal-looking text."""
    return unicodedata.normalize("NFKC", text).casefold()


def terms(text: str) -> list[str]:
    """The index terms of a text, in order, repeated as they occur."""
    found: list[str] = []
    for piece in _PIECES.finditer(unicodedata.normalize("NFKC", text)):
        run = piece["unspaced"]
        if run is None:
            found += _word_terms(piece["word"])
        else:
            found += run
            found += map("".join, pairwise(run))
    return found


def query_terms(text: str) -> list[str]:
    """The distinct terms of a question: pairs instead of single characters where a run has both."""
    found: dict[str, None] = {}
    for piece in _PIECES.finditer(unicodedata.normalize("NFKC", text)):
        run = piece["unspaced"]
        if run is None:
            found.update(dict.fromkeys(_word_terms(piece["word"])))
        elif len(run) == 1:
            found[run] = None
        else:
            found.update(dict.fromkeys(map("".join, pairwise(run))))
    return list(found)


def identifiers(text: str) -> list[str]:
    """The terms of a text that name something exactly: codes, paths, versions, handles."""
    return [
        piece["word"].casefold()
        for piece in _PIECES.finditer(unicodedata.normalize("NFKC", text))
        if piece["word"] and _is_identifier(piece["word"])
    ]


def is_stop(term: str) -> bool:
    """True for a term that says nothing about the subject."""
    return term in _STOP_TERMS


def estimate_tokens(text: str) -> int:
    """About how many model tokens a text costs: one per unspaced character, one per four others."""
    unspaced = sum(map(len, _UNSPACED_RUNS.findall(text)))
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


def _shown(ch: str) -> str:
    if ch in "\n\t" or ch.isprintable():
        return ch
    if ch == "\u3000":  # the ideographic space is as plain as a space
        return ch
    code = ord(ch)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def _is_identifier(word: str) -> bool:
    letters = any(ch.isalpha() for ch in word)
    return bool(re.search(f"[{_JOINERS}]", word)) or (letters and any(ch.isdigit() for ch in word))


@lru_cache(maxsize=200_000)
def _word_terms(word: str) -> tuple[str, ...]:
    """The terms of one spaced word: its stem, or the whole and the parts of an identifier."""
    if word.isascii() and word.isalpha() and (word.islower() or word[1:].islower()):
        return (_stem(word.lower()),)
    whole = _plain(word)
    parts = [part for part in _PARTS.findall(word) if part]
    if len(parts) == 1 and parts[0] == word:
        humps = _HUMPS.findall(word) if word.isascii() else []
        if len(humps) < 2:
            return (_stem(whole),)
        return tuple(dict.fromkeys([whole[:_LONGEST_TERM], *(_stem(hump.lower()) for hump in humps)]))
    if len(parts) == 2 and parts[1].lower() in _CONTRACTED and ("'" in word or "’" in word):
        return (_stem(_plain(parts[0])),)
    inner = [_stem(_plain(part)) for part in parts]
    return tuple(dict.fromkeys([whole[:_LONGEST_TERM], *inner]))


def _plain(word: str) -> str:
    folded = word.casefold()
    if folded.isascii():
        return folded
    return "".join(ch for ch in unicodedata.normalize("NFD", folded) if not unicodedata.combining(ch))


def _stem(word: str) -> str:
    if not word.isascii() or len(word) < 3:
        return word[:_LONGEST_TERM]
    return str(_stemmer().stemWord(word))[:_LONGEST_TERM]


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]  # noqa: ANN202 - the C module brings no types
    import Stemmer

    return Stemmer.Stemmer("english")


_UNSPACED_RUNS = re.compile(f"[{_UNSPACED}]+")

_STOP_WORDS = """
a about above after again against all am an and any are as at be because been before being below between
both but by can could did do does doing don down during each few for from further had has have having he
her here hers herself him himself his how i if in into is it its itself just let me more most my myself
no nor not now of off on once only or other our ours ourselves out over own please same she should so some
such than that the their theirs them themselves then there these they this those through to too under until
up very was we were what when where which while who whom why will with would you your yours yourself tell
much many ever also
"""
_STOP_UNSPACED = """
的 了 吗 呢 吧 啊 呀 是 在 有 和 与 及 或 我 你 他 她 它 们 这 那 就 都 也 还 把 被 很 会 要 去 说 什么 怎么
哪里 哪个 哪些 哪儿 多少 几个 为什么 什么时 么时 时候 请问 告诉 是不 不是 是什 的是 了什 我的 你的 他的 她的
我们 你们 他们 是否 有没 没有
の は が を に へ と で も や です ます した する か 이 그 저 는 은 을 를 에 의 가
"""


@lru_cache(maxsize=1)
def _stop_terms() -> frozenset[str]:
    return frozenset({_stem(word) for word in _STOP_WORDS.split()} | set(_STOP_UNSPACED.split()))


class _Stops:
    def __contains__(self, term: str) -> bool:
        return term in _stop_terms()


_STOP_TERMS = _Stops()
