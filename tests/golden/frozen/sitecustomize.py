"""A clock that stands still, in this process and in every Python process it starts.

Put on `PYTHONPATH` with `GOLDEN_NOW` set to the moment: interpreters import it by its name before anything else.
"""

import os
import time
from datetime import datetime


class _Standing(datetime):
    """A `datetime` whose present is given by the environment."""

    @classmethod
    def now(cls, tz=None):
        return datetime.fromisoformat(os.environ["GOLDEN_NOW"]).astimezone(tz)


_gmtime = time.gmtime


def _standing_gmtime(seconds=None):
    return _gmtime(_Standing.now().timestamp() if seconds is None else seconds)


def stand_still():
    """From now on the package reads the time from the environment."""
    from memoracle import times as clock

    clock.datetime = _Standing
    time.gmtime = _standing_gmtime


def go_on():
    """Undo it."""
    from memoracle import times as clock

    clock.datetime = datetime
    time.gmtime = _gmtime


if "GOLDEN_NOW" in os.environ:
    stand_still()
