"""The person's own schedulers: a block of their crontab, or a timer of their systemd. What is not ours stays."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from shutil import which

from memoracle.errors import MemoracleError
from memoracle.hosts.install.apply import Installed
from memoracle.hosts.install.config_text import Unclear, marked_place
from memoracle.hosts.install.files import ConfigChange, back_up, diff_of, remove_file, write_file
from memoracle.hosts.install.plan import ConfigEntry, Machine
from memoracle.model.value import replace

# Calling a program of the machine and hearing what it says. Nothing of ours calls programs anywhere else.

_PATIENCE_S = 30


class SchedulerUnavailable(MemoracleError):
    """A scheduler that is not there, or does not do what it is told."""

    code = "scheduler-unavailable"

    def __init__(self, sentence: str, hint: str) -> None:
        self.hint = hint
        super().__init__(sentence)


def find(name: str, environment: Mapping[str, str]) -> str | None:
    """Where a program is; None when there is none of that name."""
    return which(name, path=environment.get("PATH", os.defpath))


def call(
    *words: str, given: bytes = b"", environment: Mapping[str, str], patience: int = _PATIENCE_S
) -> tuple[int, bytes, str]:
    """How a program ended, what it gave and what it complained of, in the plainest language it speaks."""
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
        return -1, b"", str(problem)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()


# A block of the person's own crontab, between two markers that name the root. Every other line stays as it is.

EVERY_MINUTES = 15
_NONE_YET = ("no crontab", "no such file")


def cron_line(entry: ConfigEntry) -> str:
    """A line of a crontab: the shell's quoting, and cron's own for the percent sign.

    What it prints is mailed: a heartbeat speaks only when something is wrong, or mended.
    """
    command = shlex.join(entry.words).replace("%", r"\%")
    return f"*/{EVERY_MINUTES} * * * * {command}"


def text_of(entry: ConfigEntry) -> str:
    """The block as it stands in a crontab."""
    return f"# >>> memoracle {entry.root}\n{cron_line(entry)}\n# <<< memoracle {entry.root}\n"


def install_cron(entry: ConfigEntry, machine: Machine, *, remove: bool, dry_run: bool) -> Installed:
    """Put the block in, bring it up to date, or take it out."""
    program = find("crontab", machine.environment)
    if program is None:
        hint = f"add this line where your scheduler keeps them: {cron_line(entry)}"
        raise SchedulerUnavailable("there is no `crontab` program here", hint)
    status, out, err = call(program, "-l", environment=machine.environment)
    if status != 0 and not any(words in err.lower() for words in _NONE_YET):
        raise SchedulerUnavailable(f"crontab -l failed: {err or status}", "nothing was changed")
    before = out.decode("utf-8", "surrogateescape") if status == 0 else ""
    after = _with_block(before, entry, "" if remove else text_of(entry))
    change = ConfigChange(name="crontab", before=before, after=after)
    done = Installed(what="cron", done=not dry_run, diff=diff_of([change]))
    if dry_run or not change.is_needed:
        return done
    kept = (back_up(change, machine.backups, machine.now),) if before else ()
    given = after.encode("utf-8", "surrogateescape")
    status, _, err = call(program, "-", given=given, environment=machine.environment)
    if status != 0:
        hint = f"nothing was changed; by hand, add: {cron_line(entry)}"
        raise SchedulerUnavailable(f"crontab did not take the new table: {err or status}", hint)
    return replace(done, backups=kept)


def _with_block(text: str, entry: ConfigEntry, block: str) -> str:
    """The table with a block where one stood, or at its end; a marker without its fellow is somebody's edit."""
    markers = [rf"^# {sign} memoracle {re.escape(entry.root)}(?:\n|\Z)" for sign in (">>>", "<<<")]
    begin, end = (re.compile(marker, re.MULTILINE) for marker in markers)
    try:
        place = marked_place(text, begin, end)
    except Unclear:
        hint = "`crontab -e`: take out what stands between the lines with `memoracle`, and the lines"
        raise SchedulerUnavailable("the block in the crontab is not whole", hint) from None
    if place:
        return text[: place[0].start()] + block + text[place[1].end() :]
    return text + ("\n" if block and text and not text.endswith("\n") else "") + block


# A timer of the person's own systemd.

_MARK = "# Made by `memoracle install systemd`; `--uninstall` takes it out."
_SERVICE = """{mark}
[Unit]
Description=Memoracle tends {about}

[Service]
Type=oneshot
ExecStart={command}
Nice=10
IOSchedulingClass=idle
"""
_TIMER = """{mark}
[Unit]
Description=Memoracle tends {about}

[Timer]
OnCalendar=*:0/{minutes}
AccuracySec=1min
Persistent=true

[Install]
WantedBy=timers.target
"""


def systemd_words(words: Sequence[str]) -> str:
    """A command in a unit file: quoted, with nothing that systemd would expand."""
    escapes = str.maketrans({"\\": "\\\\", '"': '\\"', "%": "%%", "$": "$$"})
    return " ".join(f'"{word.translate(escapes)}"' for word in words)


def units_of(entry: ConfigEntry) -> dict[str, str]:
    """The two unit files, by name."""
    filled = {
        "mark": _MARK,
        "about": entry.root.replace("%", "%%"),
        "command": systemd_words(entry.words),
        "minutes": EVERY_MINUTES,
    }
    return {
        f"{entry.name}.service": _SERVICE.format(**filled),
        f"{entry.name}.timer": _TIMER.format(**filled),
    }


def install_systemd(entry: ConfigEntry, machine: Machine, *, remove: bool, dry_run: bool) -> Installed:
    """Put the units in, bring them up to date, or take them out; then tell systemd, where there is one."""
    folder = os.path.join(machine.base("XDG_CONFIG_HOME", ".config"), "systemd", "user")
    changes = [
        ConfigChange(name=path, before=_read_unit(path), after=None if remove else text)
        for name, text in units_of(entry).items()
        for path in [os.path.join(folder, name)]
    ]
    done = Installed(what="systemd", done=not dry_run, diff=diff_of(changes))
    needed = [change for change in changes if change.is_needed]
    if dry_run or not needed:
        return done
    timer = f"{entry.name}.timer"
    notes = _tell([["disable", "--now", timer]], machine.environment) if remove else []
    kept = tuple(back_up(one, machine.backups, machine.now) for one in needed if one.before is not None)
    for change in needed:
        if change.after is None:
            remove_file(change.name)
        else:
            write_file(change.name, change.after)
    steps = [["daemon-reload"]] if remove else [["daemon-reload"], ["enable", "--now", timer]]
    notes += _tell(steps, machine.environment)
    return replace(done, backups=kept, notes=tuple(notes))


def _read_unit(path: str) -> str | None:
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
        status, _, err = call(program, "--user", *words, environment=environment)
        if status != 0:
            return [f"systemctl --user {' '.join(words)}: {err or status}; by hand: {by_hand}"]
    return []
