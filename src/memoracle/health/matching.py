"""Whether a text says what was expected, however it writes its dates.

Pure and linear in the length of the text. `May 15, 2026`, `15 May 2026`, `2026/5/15` and `2026年5月15日` are one day.
"""

from __future__ import annotations

import re
from datetime import date

from memoracle.dates import MONTHS, month_number
from memoracle.text import normalise

_NAMES = "|".join([*MONTHS, *(name[:3] for name in MONTHS), "sept"])
_DATES = (
    re.compile(r"(?<!\d)(?P<y>\d{4})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]?"),
    re.compile(r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(rf"\b(?P<m>{_NAMES})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_NAMES})\.?,? (?P<y>\d{{4}})\b"),
)


def plain_words(text: str) -> str:
    """A text as it is compared: one case, one width, single spaces, every date in the form 2026-05-15."""
    words = " ".join(normalise(text).split())
    for pattern in _DATES:
        words = pattern.sub(lambda found: f" {day.isoformat()} " if (day := _day(found)) else found[0], words)
    return " ".join(words.split())


def says(text: str, expected: str) -> bool:
    """True when the text contains what is expected."""
    wanted = plain_words(expected)
    return bool(wanted) and wanted in plain_words(text)


def dates_in(text: str) -> list[date]:
    """The whole dates that a text names."""
    words = " ".join(normalise(text).split())
    found = [
        (one.start(), day) for pattern in _DATES for one in pattern.finditer(words) if (day := _day(one))
    ]
    return [day for _, day in sorted(found)]


def _day(found: re.Match[str]) -> date | None:
    month = found["m"]
    try:
        return date(
            int(found["y"]), int(month) if month.isdecimal() else month_number(month), int(found["d"])
        )
    except (ValueError, StopIteration):
        return None
