"""Files of the person: what would be put where, copies of what was there, and replacing them whole."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from memoracle.errors import MemoracleError, WriteFailed
from memoracle.model.value import value


@value
class ConfigChange:
    """One file or table of the person's, before and after; None means that it is not there."""

    name: str
    before: str | None
    after: str | None

    @property
    def is_needed(self) -> bool:
        """False when everything is as it should be."""
        return self.before != self.after


class CannotEdit(MemoracleError):
    """A file of a host that cannot be changed safely; nothing was changed."""

    code = "cannot-edit"

    def __init__(self, path: str, because: str, paste: str = "") -> None:
        self.path = path
        self.hint = "nothing was changed" + (f"; add this yourself:\n{paste}" if paste else "")
        super().__init__(f"{path} cannot be changed safely: {because}")


def digest(text: str) -> str:
    """A name for exactly this text."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def diff_of(changes: list[ConfigChange]) -> str:
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


def back_up(change: ConfigChange, folder: str, now: datetime) -> str:
    """Keep a copy of what was there; where it stands."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    stem = os.path.join(folder, f"{os.path.basename(change.name)}.{now:%Y%m%dT%H%M%S%f}")
    place, count = f"{stem}.bak", 1
    while os.path.exists(place):
        place, count = f"{stem}.{count}.bak", count + 1
    write_file(place, change.before or "")
    return place


def drop_copies(name: str, folder: str, needless: Collection[str]) -> None:
    """Take away the copies of a file that are one of these texts, by their digests."""
    with suppress(OSError):
        for one in os.listdir(folder):
            path = os.path.join(folder, one)
            if one.startswith(f"{os.path.basename(name)}.") and one.endswith(".bak"):
                with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
                    held = digest(file.read())
                if held in needless:
                    remove_file(path)


def read_text(path: str, paste: str = "") -> str | None:
    """A host's file as it stands, line ends and all; None when there is none."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise CannotEdit(path, "it is not UTF-8", paste) from None
    except OSError as problem:
        raise CannotEdit(path, problem.strerror or "it cannot be read", paste) from None


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
        with suppress(FileNotFoundError):
            os.unlink(path)
    except OSError as problem:
        raise WriteFailed(path, os.strerror(problem.errno or 0)) from None
