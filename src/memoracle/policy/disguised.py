"""Secrets in disguise: split by characters that nobody sees, or written in letters of full width.

Gives the text as it reads, and where each of its characters stands. It finds and masks nothing itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from memoracle.policy.hidden import INVISIBLE, SELECTORS, TAGS, TURNING

_UNSEEN = f"[{INVISIBLE}{TURNING}{SELECTORS}{TAGS}]"
_WIDE_RUN = "[！-～]{6}"
_NARROWER = ord("！") - ord("!")


def is_disguised(text: str) -> bool:
    """True when a run of letters and signs may read on where it seems to end."""
    return not text.isascii() and _disguise().search(text) is not None


def undisguised(text: str) -> tuple[str, list[int]]:
    """The text as it reads, and for each of its characters the place where it stands."""
    unseen = _unseen()
    seen = [(place, char) for place, char in enumerate(text) if char.isascii() or not unseen.match(char)]
    read = "".join(chr(ord(char) - _NARROWER) if "！" <= char <= "～" else char for _, char in seen)
    return read, [place for place, _ in seen]


def placed(
    spans: Iterable[tuple[int, int, str, str]], places: list[int]
) -> Iterator[tuple[int, int, str, str]]:
    """Spans of the text as it reads, where they stand in the text as it is written."""
    for start, end, name, kind in spans:
        yield places[start], places[end - 1] + 1, name, kind


@cache
def _disguise() -> re.Pattern[str]:
    return re.compile(f"[!-~]{_UNSEEN}|{_WIDE_RUN}")


@cache
def _unseen() -> re.Pattern[str]:
    return re.compile(_UNSEEN)
