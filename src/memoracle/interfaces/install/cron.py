"""A block of the person's own crontab, between two markers that name the root. Every other line stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memoracle.interfaces.install.change import Change, Installed, back_up, diff_of
from memoracle.interfaces.install.entry import Entry, cron_line
from memoracle.interfaces.install.programs import SchedulerUnavailable, call, find

_NONE_YET = ("no crontab", "no such file")


def text_of(entry: Entry) -> str:
    """The block as it stands in a crontab."""
    first, last = _markers(entry)
    return f"{first}\n{cron_line(entry)}\n{last}\n"


def install(
    entry: Entry, *, remove: bool, dry_run: bool, environment: Mapping[str, str], backups: str, now: datetime
) -> Installed:
    """Put the block in, bring it up to date, or take it out."""
    program = find("crontab", environment)
    if program is None:
        hint = f"add this line where your scheduler keeps them: {cron_line(entry)}"
        raise SchedulerUnavailable("there is no `crontab` program here", hint)
    before = _read(program, environment)
    change = Change(
        name="crontab", before=before, after=_without(before, entry) if remove else _with(before, entry)
    )
    diff = diff_of([change])
    if dry_run or not change.is_needed:
        return Installed(what="cron", done=not dry_run, diff=diff)
    kept = (back_up(change, backups, now),) if before else ()
    _write(program, change.after or "", entry, environment)
    return Installed(what="cron", done=True, diff=diff, backups=kept)


def _read(program: str, environment: Mapping[str, str]) -> str:
    said = call(program, "-l", environment=environment)
    if said.status == 0:
        return said.out.decode("utf-8", "surrogateescape")
    if any(words in said.err.lower() for words in _NONE_YET):
        return ""
    raise SchedulerUnavailable(f"crontab -l failed: {said.err or said.status}", "nothing was changed")


def _write(program: str, text: str, entry: Entry, environment: Mapping[str, str]) -> None:
    said = call(program, "-", given=text.encode("utf-8", "surrogateescape"), environment=environment)
    if said.status != 0:
        hint = f"nothing was changed; by hand, add: {cron_line(entry)}"
        raise SchedulerUnavailable(f"crontab did not take the new table: {said.err or said.status}", hint)


def _with(before: str, entry: Entry) -> str:
    rest = _without(before, entry)
    fence = "" if not rest or rest.endswith("\n") else "\n"
    place = _place(before, entry)
    if place is None:
        return f"{rest}{fence}{text_of(entry)}"
    return f"{before[: place[0]]}{text_of(entry)}{before[place[1] :]}"


def _without(before: str, entry: Entry) -> str:
    place = _place(before, entry)
    return before if place is None else before[: place[0]] + before[place[1] :]


def _place(text: str, entry: Entry) -> tuple[int, int] | None:
    """Where the block stands; a marker without its fellow is somebody's edit, and nothing is touched."""
    first, last = _markers(entry)
    lines = text.split("\n")
    begins = [at for at, line in enumerate(lines) if line == first]
    ends = [at for at, line in enumerate(lines) if line == last]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        hint = "`crontab -e`: take out what stands between the lines with `memoracle`, and the lines"
        raise SchedulerUnavailable("the block in the crontab is not whole", hint)
    start = len("\n".join(lines[: begins[0]])) + (1 if begins[0] else 0)
    end = len("\n".join(lines[: ends[0] + 1])) + (1 if ends[0] + 1 < len(lines) else 0)
    return start, end


def _markers(entry: Entry) -> tuple[str, str]:
    return f"# >>> memoracle {entry.root}", f"# <<< memoracle {entry.root}"
