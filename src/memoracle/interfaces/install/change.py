"""What would be put where: the old text, the new one, and the difference. Files are replaced whole."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from memoracle.errors import WriteFailed
from memoracle.model.value import value


@value
class Change:
    """One file or table of the person's, before and after; None means that it is not there."""

    name: str
    before: str | None
    after: str | None

    @property
    def is_needed(self) -> bool:
        """False when everything is as it should be."""
        return self.before != self.after


@value
class Installed:
    """What an installation did or would do: its changes as a diff, copies of what was there, what is left to do."""

    what: str
    done: bool
    diff: str
    backups: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def diff_of(changes: list[Change]) -> str:
    """The changes as a unified diff; empty when there are none."""
    from difflib import unified_diff

    lines: list[str] = []
    for change in changes:
        if change.is_needed:
            lines += unified_diff(
                (change.before or "").splitlines(),
                (change.after or "").splitlines(),
                change.name if change.before is not None else "/dev/null",
                change.name if change.after is not None else "/dev/null",
                lineterm="",
            )
    return "\n".join(lines)


def back_up(change: Change, folder: str, now: datetime) -> str:
    """Keep a copy of what was there; where it stands."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    name = os.path.basename(change.name)
    stem = os.path.join(folder, f"{name}.{now:%Y%m%dT%H%M%S%f}")
    place, count = f"{stem}.bak", 1
    while os.path.exists(place):
        place, count = f"{stem}.{count}.bak", count + 1
    write_file(place, change.before or "")
    return place


def write_file(path: str, text: str, *, mode: int = 0o600) -> None:
    """Put a whole text in place of a file, or leave what is there. A link stays a link, and a mode stays."""
    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(os.stat(path).st_mode)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".memoracle-")
        try:
            with os.fdopen(handle, "wb") as file:
                os.fchmod(handle, mode)
                file.write(text.encode("utf-8", "surrogateescape"))
                file.flush()
                os.fsync(handle)
            os.replace(temporary, path)
        finally:
            with suppress(OSError):
                os.unlink(temporary)
    except OSError as problem:
        raise WriteFailed(path, os.strerror(problem.errno or 0)) from None


def remove_file(path: str) -> None:
    """Take a file away; one that is not there is fine."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as problem:
        raise WriteFailed(path, os.strerror(problem.errno or 0)) from None


def backup_folder(environment: Mapping[str, str], home: str) -> str:
    """Where copies of what an installation replaces are kept."""
    state = environment.get("XDG_STATE_HOME") or os.path.join(home, ".local", "state")
    return os.path.join(state, "memoracle")
