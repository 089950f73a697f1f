"""The person's own schedulers: a block of their crontab, or a timer of their systemd. What is not ours stays."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime
from shutil import which

from memoracle.errors import MemoracleError
from memoracle.hosts.install.plan import (
    EVERY_MINUTES,
    ConfigChange,
    ConfigEntry,
    Installed,
    back_up,
    cron_line,
    diff_of,
    remove_file,
    systemd_words,
    write_file,
)
from memoracle.model.value import value

# Calling a program of the machine and hearing what it says. Nothing of ours calls programs anywhere else.

_PATIENCE_S = 30


class SchedulerUnavailable(MemoracleError):
    """A scheduler that is not there, or does not do what it is told."""

    code = "scheduler-unavailable"

    def __init__(self, sentence: str, hint: str) -> None:
        self.hint = hint
        super().__init__(sentence)


@value
class _ProgramOutput:
    """How a program ended, and what it said."""

    status: int
    out: bytes
    err: str


def find(name: str, environment: Mapping[str, str]) -> str | None:
    """Where a program is; None when there is none of that name."""
    return which(name, path=environment.get("PATH", os.defpath))


def call(
    *words: str, given: bytes = b"", environment: Mapping[str, str], patience: int = _PATIENCE_S
) -> _ProgramOutput:
    """Run a program to its end, in the plainest language it speaks."""
    try:
        done = subprocess.run(  # noqa: S603 - an absolute path that `find` gave, and words of our own
            words,
            input=given,
            capture_output=True,
            timeout=patience,
            check=False,
            env={**environment, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return _ProgramOutput(status=-1, out=b"", err=str(problem))
    return _ProgramOutput(
        status=done.returncode, out=done.stdout, err=done.stderr.decode("utf-8", "replace").strip()
    )


# A block of the person's own crontab, between two markers that name the root. Every other line stays as it is.

_NONE_YET = ("no crontab", "no such file")


def text_of(entry: ConfigEntry) -> str:
    """The block as it stands in a crontab."""
    first, last = _markers(entry)
    return f"{first}\n{cron_line(entry)}\n{last}\n"


def install(
    entry: ConfigEntry,
    *,
    remove: bool,
    dry_run: bool,
    environment: Mapping[str, str],
    backups: str,
    now: datetime,
) -> Installed:
    """Put the block in, bring it up to date, or take it out."""
    program = find("crontab", environment)
    if program is None:
        hint = f"add this line where your scheduler keeps them: {cron_line(entry)}"
        raise SchedulerUnavailable("there is no `crontab` program here", hint)
    before = _read(program, environment)
    change = ConfigChange(
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


def _write(program: str, text: str, entry: ConfigEntry, environment: Mapping[str, str]) -> None:
    said = call(program, "-", given=text.encode("utf-8", "surrogateescape"), environment=environment)
    if said.status != 0:
        hint = f"nothing was changed; by hand, add: {cron_line(entry)}"
        raise SchedulerUnavailable(f"crontab did not take the new table: {said.err or said.status}", hint)


def _with(before: str, entry: ConfigEntry) -> str:
    rest = _without(before, entry)
    fence = "" if not rest or rest.endswith("\n") else "\n"
    place = _place(before, entry)
    if place is None:
        return f"{rest}{fence}{text_of(entry)}"
    return f"{before[: place[0]]}{text_of(entry)}{before[place[1] :]}"


def _without(before: str, entry: ConfigEntry) -> str:
    place = _place(before, entry)
    return before if place is None else before[: place[0]] + before[place[1] :]


def _place(text: str, entry: ConfigEntry) -> tuple[int, int] | None:
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


def _markers(entry: ConfigEntry) -> tuple[str, str]:
    return f"# >>> memoracle {entry.root}", f"# <<< memoracle {entry.root}"


_MARK = "# Made by `memoracle install systemd`; `--uninstall` takes it out."


def units_of(entry: ConfigEntry) -> dict[str, str]:
    """The two unit files, by name."""
    about = entry.root.replace("%", "%%")
    service = [
        _MARK,
        "[Unit]",
        f"Description=Memoracle tends {about}",
        "",
        "[Service]",
        "Type=oneshot",
        f"ExecStart={systemd_words(entry.words)}",
        "Nice=10",
        "IOSchedulingClass=idle",
    ]
    timer = [
        _MARK,
        "[Unit]",
        f"Description=Memoracle tends {about}",
        "",
        "[Timer]",
        f"OnCalendar=*:0/{EVERY_MINUTES}",
        "AccuracySec=1min",
        "Persistent=true",
        "",
        "[Install]",
        "WantedBy=timers.target",
    ]
    return {
        f"{entry.name}.service": "\n".join(service) + "\n",
        f"{entry.name}.timer": "\n".join(timer) + "\n",
    }


def install_systemd(
    entry: ConfigEntry,
    *,
    remove: bool,
    dry_run: bool,
    environment: Mapping[str, str],
    home: str,
    backups: str,
    now: datetime,
) -> Installed:
    """Put the units in, bring them up to date, or take them out; then tell systemd, where there is one."""
    folder = unit_folder(environment, home)
    changes = [
        ConfigChange(name=path, before=_read_systemd(path), after=None if remove else text)
        for name, text in units_of(entry).items()
        for path in [os.path.join(folder, name)]
    ]
    diff = diff_of(changes)
    needed = [change for change in changes if change.is_needed]
    if dry_run or not needed:
        return Installed(what="systemd", done=not dry_run, diff=diff)
    notes: list[str] = []
    timer = f"{entry.name}.timer"
    if remove:
        notes += _tell([["disable", "--now", timer]], environment)
    kept = tuple(back_up(change, backups, now) for change in needed if change.before is not None)
    for change in needed:
        if change.after is None:
            remove_file(change.name)
        else:
            write_file(change.name, change.after)
    steps = [["daemon-reload"]] if remove else [["daemon-reload"], ["enable", "--now", timer]]
    notes += _tell(steps, environment)
    return Installed(what="systemd", done=True, diff=diff, backups=kept, notes=tuple(notes))


def unit_folder(environment: Mapping[str, str], home: str) -> str:
    """Where a person's own units stand."""
    base = environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return os.path.join(base, "systemd", "user")


def _read_systemd(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            text = file.read()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise SchedulerUnavailable(
            f"{path} cannot be read: {problem.strerror}", "nothing was changed"
        ) from None
    if not text.startswith(_MARK):
        raise SchedulerUnavailable(f"{path} is not ours", "nothing was changed; move it away, then try again")
    return text


def _tell(commands: Sequence[Sequence[str]], environment: Mapping[str, str]) -> list[str]:
    """Tell systemd; what it could not be told is left to the person."""
    program = find("systemctl", environment)
    by_hand = "; ".join("systemctl --user " + " ".join(words) for words in commands)
    if program is None:
        return [f"there is no `systemctl` here; where there is: {by_hand}"]
    for words in commands:
        said = call(program, "--user", *words, environment=environment)
        if said.status != 0:
            return [f"systemctl --user {' '.join(words)}: {said.err or said.status}; by hand: {by_hand}"]
    return []
