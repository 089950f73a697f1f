"""When each job of upkeep is due: the table, and one moment per job computed from its past.

Pure: a table, what ran when, the moment and the owner's zone in; what is due and why out. A job is
due once however often it was missed. Nothing here counts ticks or sleeps, so any trigger will do.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any

from memoracle.model.value import replace, value

# Whether anything is due, answered from one small file. A scheduler asks this a hundred times a day.

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

    from memoracle.resolve import find_root, folder_here

    place = find_root(root, environment, start=folder_here(), home=os.path.expanduser("~"))
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


_DAY = timedelta(days=1)
_AHEAD = timedelta(hours=1)
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=15), timedelta(hours=6)
_FIRST_YEAR = 1970
MONDAY, SUNDAY = 0, 6
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


@value
class Job:
    """One row of the table: at a time of day, on a weekday or on every day; or again after a while.

    After a success the next moment counts that is at least `gap` away; `fallback` is the most between two successes.
    """

    name: str
    at: time | None = None
    weekday: int | None = None
    every: timedelta = _DAY
    gap: timedelta = timedelta(0)
    fallback: timedelta | None = None

    @property
    def when(self) -> str:
        """Its row in words."""
        if self.at is None:
            return f"every {self.every / timedelta(hours=1):g} h"
        day = "every day" if self.weekday is None else _WEEKDAYS[self.weekday]
        return f"{day} at {self.at:%H:%M}"


@value
class Past:
    """What is known of a job: when its last success began, when it was last begun, how often it failed since."""

    success: datetime | None = None
    start: datetime | None = None
    retries: int = 0


@value
class Due:
    """A job, the moment from which it is due, and the reason."""

    job: str
    since: datetime
    because: str


JOBS = (
    Job(name="ingest", every=timedelta(hours=1)),
    Job(name="digest", at=time(23, 0)),
    Job(name="backup", at=time(3, 0)),
    Job(name="consolidate", at=time(3, 0), gap=timedelta(hours=12), fallback=timedelta(hours=48)),
    Job(name="review", at=time(9, 0), weekday=MONDAY),
    Job(name="probe", at=time(3, 0), weekday=SUNDAY),
    Job(name="health", every=timedelta(hours=6)),
)
"""In the order in which they run when several are due: a backup before what moves files, health at the end."""

_PROFILES: Mapping[str, Mapping[str, time]] = {
    "vm-oracle": {"backup": time(0, 30), "consolidate": time(0, 30)}
}


def table(profile: str = "default", times: Mapping[str, time] | None = None) -> tuple[Job, ...]:
    """The jobs of a profile; `times` moves some of them to another time of day."""
    moved = {**_PROFILES.get(profile, {}), **(times or {})}
    return tuple(replace(job, at=moved[job.name]) if job.name in moved else job for job in JOBS)


def due(jobs: Sequence[Job], past: Mapping[str, Past], now: datetime, zone: tzinfo) -> list[Due]:
    """The jobs to run now, each once, in the order of the table."""
    all_of_them = [one_due(job, past.get(job.name, Past()), now, zone) for job in jobs]
    return [one for one in all_of_them if one.since <= now]


def next_due(jobs: Sequence[Job], past: Mapping[str, Past], now: datetime, zone: tzinfo) -> list[Due]:
    """Every job with the moment from which it is due, the next one first; what is due already is due now."""
    all_of_them = [one_due(job, past.get(job.name, Past()), now, zone) for job in jobs]
    return sorted(
        (one if one.since > now else replace(one, since=now) for one in all_of_them),
        key=lambda one: one.since,
    )


def one_due(job: Job, past: Past, now: datetime, zone: tzinfo) -> Due:
    """From which moment a job is due, in the past or still to come."""
    last, start = believed(past.success, now), believed(past.start, now)
    if last is None:
        since, because = now, "it has not run yet"
    else:
        # A run in the evening stands for the night to come, one in the morning for the night before it.
        since = _slot_after(job, last + job.gap, zone)
        because = job.when
        if job.fallback is not None and now - last > job.fallback:
            since = min(since, last + job.fallback)
            because = f"more than {job.fallback / timedelta(hours=1):g} h since the last success"
    if past.retries and start is not None:
        tries = f"it failed {past.retries} time{'s' if past.retries > 1 else ''}"
        return Due(job=job.name, since=max(since, start + pause_after(past.retries)), because=tries)
    return Due(job=job.name, since=since, because=because)


def pause_after(retries: int) -> timedelta:
    """How long a job that failed is left alone: a quarter of an hour, then twice as long each time, to six hours."""
    if retries < 1:
        return timedelta(0)
    doubled: timedelta = _FIRST_PAUSE * 2 ** min(retries - 1, 16)
    return min(doubled, _LONGEST_PAUSE)


def believed(moment: datetime | None, now: datetime) -> datetime | None:
    """A moment of the past. After the clock was set back, a little ahead is now, far ahead is not known."""
    if moment is None or moment - now > _AHEAD or moment.year < _FIRST_YEAR:
        return None
    return min(moment, now)


def _slot_after(job: Job, last: datetime, zone: tzinfo) -> datetime:
    """The first moment after `last` at which the table wants the job."""
    if job.at is None:
        return last + job.every
    day = last.astimezone(zone).date() - _DAY
    while True:
        if job.weekday in {None, day.weekday()}:
            # Each day has one such moment. An hour that comes twice counts when it comes first; one that is
            # left out counts as much later as the clocks were moved.
            slot = datetime.combine(day, job.at, zone).astimezone(UTC)
            if slot > last:
                return slot
        day += _DAY
