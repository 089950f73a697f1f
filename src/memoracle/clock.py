"""Where "now" comes from, and how moments are written and read.

Every moment is an aware UTC datetime inside, and ISO-8601 with `Z` on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from memoracle.errors import InvalidTime

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The present moment."""
    return datetime.now(UTC)


def write_time(moment: datetime) -> str:
    """The moment as it stands in files: `2026-11-15T04:02:29.123456Z`."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def read_time(text: str) -> datetime:
    """The moment a file or a person wrote; a bare date is its first instant, no zone means UTC."""
    cleaned = text.strip()
    try:
        if len(cleaned) == 10:
            return datetime.combine(date.fromisoformat(cleaned), time(), UTC)
        moment = datetime.fromisoformat(cleaned)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise InvalidTime(text) from None


def read_until(text: str) -> datetime:
    """The same, except that a bare date means its last instant."""
    moment = read_time(text)
    return moment + timedelta(days=1, microseconds=-1) if len(text.strip()) == 10 else moment


_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_CENTURY = timedelta(days=36_525)


def read_span(text: str) -> timedelta:
    """A length of time such as `90m`, `12h`, `7d` or `2w`, up to a century."""
    number, unit = text.strip()[:-1], text.strip()[-1:]
    if unit not in _UNITS or not number.isdecimal() or int(number[:12]) > _CENTURY / _UNITS[unit]:
        raise InvalidTime(text)
    return int(number) * _UNITS[unit]
