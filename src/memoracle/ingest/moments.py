"""When something was said, in any of the ways that hosts and data sets write it.

Hosts write ISO-8601 or epoch numbers; data sets write dates as people do. A time without a zone is
taken as UTC. What cannot be read is None, never a guess.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?\s{0,2}([ap]m)?", re.IGNORECASE)
_DATES = (
    re.compile(r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})"),
    re.compile(r"(?P<y>\d{4})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]"),
    re.compile(r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})"),
    re.compile(r"(?P<d>\d{1,2})\s(?P<name>[A-Za-z]{3,9})\.?,?\s(?P<y>\d{4})"),
    re.compile(r"(?P<name>[A-Za-z]{3,9})\.?[\s-](?P<d>\d{1,2})(?:st|nd|rd|th)?,?[\s-](?P<y>\d{4})"),
)


def read_moment(value: object) -> datetime | None:
    """The moment `value` means, in UTC."""
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_epoch(value)
    return None


def _from_text(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _from_prose(text[:80])
    return _in_utc(moment)


def _in_utc(moment: datetime) -> datetime | None:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None


def _from_epoch(number: float) -> datetime | None:
    # Seconds since 1970 stay below 1e11 until the year 5138; larger numbers are milliseconds.
    try:
        return datetime.fromtimestamp(number / 1000 if abs(number) > 1e11 else number, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _from_prose(text: str) -> datetime | None:
    stripped = text.strip()
    if stripped.isdecimal() and 9 <= len(stripped) <= 14:
        return _from_epoch(int(stripped))
    for pattern in _DATES:
        found = pattern.search(stripped)
        if found is None:
            continue
        parts = found.groupdict()
        month = int(parts["m"]) if parts.get("m") else _MONTHS.get(parts["name"][:3].lower(), 0)
        hour, minute, second = _clock_in(stripped[: found.start()] + " " + stripped[found.end() :])
        try:
            return datetime(int(parts["y"]), month, int(parts["d"]), hour, minute, second, tzinfo=UTC)
        except ValueError:
            return None
    return None


def _clock_in(text: str) -> tuple[int, int, int]:
    found = _CLOCK.search(text)
    if found is None:
        return 0, 0, 0
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        hour = hour % 12 + (12 if found[4].lower() == "pm" else 0)
    return hour, minute, second
