"""When two texts say the same thing, one holds the other, or they only look alike. Pure.

Case, width, articles and plain plurals do not matter; identifiers and numbers do: `robot_5` is not
`robot_50`, `v1.2` is not `v1.20`, 张伟 is not 张玮.
"""

from __future__ import annotations

import re

from memoracle.text import identifiers, normalise, telling_terms, terms

_ARTICLES = frozenset({"a", "an", "the", "my", "our"})
_QUOTES = "\"'“”‘’「」『』《》"
_CLOSERS = _QUOTES + ".,;:!?。，、；：！？…"
_NUMBERS = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NEGATIONS = re.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot|neither|nor|\w+n['’]t)\b|[不没無无未非别勿]",
    re.IGNORECASE,
)
_DATES = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february"
    r"|march|april|may|june|july|august|september|october|november|december)s?\b"
    r"|[昨今明前后]天|[上下本这][周月年]|周[一二三四五六日天末]|星期[一二三四五六日天]|[一二三四五六七八九十]{1,3}[月日号点]",
    re.IGNORECASE,
)
_SHORTEST_PLURAL = 4


def folded(text: str) -> str:
    """A text as it is compared: case, width, outer punctuation and leading articles folded away."""
    words = [word.lstrip(_QUOTES).rstrip(_CLOSERS) for word in normalise(text).split()]
    words = [word for word in words if word]
    while len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    return " ".join(words)


def is_same(one: str, other: str) -> bool:
    """True when two texts name the same thing."""
    return folded(one) == folded(other) or _singular(one) == _singular(other)


def holds(whole: str, part: str) -> bool:
    """True when everything in `part` is named in `whole`; an empty part is in everything."""
    return is_same(whole, part) or frozenset(terms(folded(part))) <= frozenset(terms(folded(whole)))


def overlap(one: str, other: str) -> float:
    """The share of telling terms that two texts have in common, from 0 to 1."""
    mine, theirs = frozenset(telling_terms(one)), frozenset(telling_terms(other))
    return len(mine & theirs) / len(mine | theirs) if mine or theirs else 0.0


def looks_alike(one: str, other: str, *, least: float = 0.3) -> bool:
    """True when two texts may be about the same thing: enough common terms, the very same identifiers."""
    return marks(one) == marks(other) and overlap(one, other) >= least


def marks(text: str) -> tuple[str, ...]:
    """The identifiers and numbers of a text: where they differ, different things are meant."""
    plain = normalise(text)
    return tuple(sorted([*identifiers(text), *_NUMBERS.findall(plain)]))


def negations(text: str) -> int:
    """How often a text says no."""
    return len(_NEGATIONS.findall(text))


def dates(text: str) -> tuple[str, ...]:
    """The words of a text that name a day, a week or a month."""
    return tuple(sorted(normalise(found) for found in _DATES.findall(text)))


def _singular(text: str) -> str:
    # A capital letter may begin a name, and no rule makes a singular of James.
    return folded(" ".join(_one_of_many(word) for word in text.split()))


def _one_of_many(word: str) -> str:
    core = word.rstrip(_CLOSERS)
    if len(core) < _SHORTEST_PLURAL or not (core.isascii() and core.isalpha() and core.islower()):
        return word
    if core.endswith("ies"):
        return core[:-3] + "y"
    if core.endswith(("sses", "xes", "ches", "shes", "zes")):
        return core[:-2]
    return core[:-1] if core.endswith("s") and not core.endswith(("ss", "us", "is")) else core
