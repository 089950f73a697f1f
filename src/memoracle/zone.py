"""The owner's time zone: days begin and jobs are due where the owner lives.

Reads the setting, `TZ`, or the machine's own zone, and falls back to UTC; never raises for a machine
that knows no zones.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, date, datetime, tzinfo

from memoracle.errors import BadSetting

_MACHINE = "/etc/localtime"


def zone_of(name: str, environment: Mapping[str, str]) -> tzinfo:
    """The zone of that name; an empty name means the zone this machine lives in."""
    from zoneinfo import ZoneInfo

    if name:
        try:
            return ZoneInfo(name)
        except (LookupError, ValueError, OSError):
            raise BadSetting("timezone", f"no zone is called `{name}`", where="timezone") from None
    try:
        if known := environment.get("TZ", "").lstrip(":"):
            return ZoneInfo(known)
        place = os.path.realpath(_MACHINE)
        _, found, key = place.partition("/zoneinfo/")
        if found:
            return ZoneInfo(key)
        with open(_MACHINE, "rb") as file:
            return ZoneInfo.from_file(file)
    except (LookupError, ValueError, OSError):
        return UTC


def day_in(zone: tzinfo, moment: datetime) -> date:
    """The day that a moment belongs to where the owner lives."""
    return moment.astimezone(zone).date()
