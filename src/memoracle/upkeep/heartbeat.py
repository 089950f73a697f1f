"""Whether anything is due, answered from one small file. A scheduler asks this a hundred times a day.

Imports next to nothing and compares moments as the text they are written as, which sorts like time. Unless
it is certain that nothing is due, it says so, and `tend` looks properly: the clock was set back, the settings
or the zone changed, another process is at it, or the file is not there.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "jobs.json"
_FOLDERS = (".memoracle/state", "state")
_VARIABLES = (
    "TZ",
    "MEMORACLE_TIMEZONE",
    "MEMORACLE_PROFILE",
    "MEMORACLE_DIGEST_AT",
    "MEMORACLE_CONSOLIDATE_AT",
)
_LARGEST = 1 << 20


def quiet_until(root: str, environment: Mapping[str, str], now: str) -> str:
    """The moment until which nothing is due, if that is certain; empty means: look properly."""
    import json

    for folder in _FOLDERS:
        try:
            with open(os.path.join(root, folder, FILE), "rb") as file:
                kept = json.loads(file.read(_LARGEST))
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RecursionError):
            return ""
        looked, until = _text(kept, "looked"), _text(kept, "quiet_until")
        is_certain = looked <= now < until and kept.get("seen") == signature_of(root, environment)
        return until if looked and is_certain else ""
    return ""


def quiet_here(root: str | None, environment: Mapping[str, str]) -> str:
    """The same for the root that this process means, at this moment."""
    import time

    from memoracle.settings import find_root

    place = find_root(root, environment, start=os.getcwd(), home=os.path.expanduser("~"))
    return quiet_until(place, environment, time.strftime("%Y-%m-%dT%H:%M:%S.999999Z", time.gmtime()))


def signature_of(root: str, environment: Mapping[str, str]) -> list[Any]:
    """What the table depends on: the settings file as the file system describes it, and some variables."""
    try:
        found = os.stat(os.path.join(root, "memoracle.toml"))
    except OSError:
        return []
    return [found.st_mtime_ns, found.st_size, *(environment.get(name, "") for name in _VARIABLES)]


def _text(kept: Any, name: str) -> str:
    found = kept.get(name) if isinstance(kept, dict) else None
    return found if isinstance(found, str) else ""
