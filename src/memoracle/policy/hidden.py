"""Hidden text: what a reader does not see and a model does.

Zero-width characters that hide bits or split words, controls that turn the direction of writing, tag characters,
smuggled variation selectors, letters of another alphabet that look alike, comments and invisible spans of HTML,
escape sequences of terminals. What people really write survives: emoji joined by a zero-width joiner, Persian and
Indic joiners, Hebrew and Arabic marks, coloured terminal output, a stray soft hyphen. Most texts are done after one
look; the rest goes to concealed.py.
"""

from __future__ import annotations

import re
from functools import cache

from memoracle.policy.rule import Sighting

INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
)
TURNING = "\u061c\u202a-\u202e\u2066-\u2069"
SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
TAGS = "\U000e0000-\U000e007f"
_ALL = f"{INVISIBLE}{TURNING}{SELECTORS}{TAGS}"
_SUSPECT = re.compile(f"[{_ALL}\x1b\x9b\x00-\x08\u0370-\u04ff]|<!|<[a-zA-Z]")
_FULLY_HIDDEN = frozenset({"hidden:comment", "hidden:unseen"})


def find_hidden(text: str) -> tuple[Sighting, ...]:
    """What is hidden in a text: by which rule and where."""
    if (text.isascii() and "<" not in text and text.isprintable()) or not _SUSPECT.search(text):
        return ()
    from memoracle.policy.concealed import find_concealed

    return find_concealed(text)


def is_invisible(text: str) -> bool:
    """True when one of its characters cannot be seen."""
    return _gone().search(text) is not None


def unhidden(text: str) -> str:
    """The text as a model may read it: without what cannot be seen, look-alikes as the letters they pose as."""
    if text.isascii() or not _changed().search(text):
        return text
    from memoracle.policy.lookalikes import LOOKS_LIKE

    return _gone().sub("", text).translate(LOOKS_LIKE)


def spelled_out(text: str) -> str:
    """The text with every hidden character as its code, so that nothing in it is hidden any more."""
    spans = [(one.start, one.end) for one in find_hidden(text) if one.rule not in _FULLY_HIDDEN]
    pieces: list[str] = []
    place = 0
    for start, end in spans:
        if end > place:
            pieces += [text[place:start], "".join(map(_code, text[max(start, place) : end]))]
            place = end
    return "".join([*pieces, text[place:]])


def _code(char: str) -> str:
    if char in "\n\t\r" or (
        char.isprintable() and char not in "\u115f\u1160\u3164\uffa0" and not _gone().match(char)
    ):
        return char
    number = ord(char)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


@cache
def _gone() -> re.Pattern[str]:
    return re.compile(f"[{_ALL}]")


@cache
def _changed() -> re.Pattern[str]:
    """What cannot be seen, and letters that may pose as others."""
    return re.compile(f"[{_ALL}\u0370-\u052f]")
