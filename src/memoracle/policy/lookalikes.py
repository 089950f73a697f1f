"""Letters of one alphabet that pose as letters of another: `аdmin` with a Cyrillic а. Pure tables and one look."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CYRILLIC = dict(
    zip(
        "аеорсухіјѕԁһӏԛԝьгпкмтвн",
        (
            "a",
            "e",
            "o",
            "p",
            "c",
            "y",
            "x",
            "i",
            "j",
            "s",
            "d",
            "h",
            "l",
            "q",
            "w",
            "b",
            "r",
            "n",
            "k",
            "m",
            "t",
            "b",
            "h",
        ),
        strict=True,
    )
)
_CAPITALS = dict(zip("АВЕЅІЈКМНОРСТУХҮԌԚԜ", "ABESIJKMHOPCTYXYGQW", strict=True))
_GREEK = dict(zip("οανρικυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oavpikuxABEZHIKMNOPTYX", strict=True))
# Cyrillic letters that differ from Latin ones in shape are left out of what counts as a disguise.
_POSING = frozenset("аеорсухіјѕԁһӏԛԝАВЕЅІЈКМНОРСТУХԚԜ") | frozenset("οανρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
_BOTH = re.compile(r"[a-zA-Z][\u0370-\u04ff\u0501-\u052f]|[\u0370-\u04ff\u0501-\u052f][a-zA-Z]")
_WORD = re.compile(r"[a-zA-Z\u0370-\u04ff\u0501-\u052f]{4,60}")
_LEAST = 2

LOOKS_LIKE = {ord(char): letter for char, letter in (_CYRILLIC | _CAPITALS | _GREEK).items()}
"""For `str.translate`: what each look-alike poses as."""


def mixed_words(text: str) -> list[tuple[int, int]]:
    """Where words stand that mix alphabets so that nobody sees it; none when there is only one of them."""
    if not _BOTH.search(text):
        return []
    found = list(_mixed(text))
    return found if len(found) >= _LEAST else []


def _mixed(text: str) -> Iterator[tuple[int, int]]:
    for match in _WORD.finditer(text):
        word = match[0]
        others = [char for char in word if not char.isascii()]
        # A Latin stem with a Russian ending, or Δt, is no disguise: some of its letters look like themselves.
        if others and len(others) < len(word) and all(char in _POSING for char in others):
            yield match.span()
