"""A timer and a service of the person's own systemd. Files without our mark are never touched."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime

from memoracle.interfaces.install.change import Change, Installed, back_up, diff_of, remove_file, write_file
from memoracle.interfaces.install.entry import EVERY_MINUTES, Entry, systemd_words
from memoracle.interfaces.install.programs import SchedulerUnavailable, call, find

_MARK = "# Made by `memoracle install systemd`; `--uninstall` takes it out."


def units_of(entry: Entry) -> dict[str, str]:
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


def install(
    entry: Entry,
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
        Change(name=path, before=_read(path), after=None if remove else text)
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


def _read(path: str) -> str | None:
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
