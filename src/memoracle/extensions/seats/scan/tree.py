"""A folder that is read within bounds.

No link leads out of it, only plain files are opened, and no file is read beyond its limit. What could not be read is
remembered with the reason, never raised: one bad file must not hide the others.
"""

from __future__ import annotations

import json
import os
import stat
from typing import Any

MOST_BYTES = 1_000_000
MOST_NAMES = 5_000
_LONGEST = 300


class ScanTree:
    """One folder, read only."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self.unread: dict[str, str] = {}
        """What could not be read, and why."""
        self._texts: dict[str, str | None] = {}

    def at(self, relative: str) -> str:
        """The absolute path of a relative one."""
        return os.path.join(self.root, relative) if relative else self.root

    def has(self, relative: str) -> bool:
        """True when a plain file stands there, inside the folder."""
        return (place := self._resolved(relative)) is not None and os.path.isfile(place)

    def has_folder(self, relative: str) -> bool:
        """True when a folder stands there, inside this one."""
        return (place := self._resolved(relative)) is not None and os.path.isdir(place)

    def first(self, *names: str) -> str:
        """The first of these files that is there; nothing when none is."""
        return next((name for name in names if self.has(name)), "")

    def names(self, relative: str = "", most: int = MOST_NAMES) -> list[str]:
        """The names in a folder, sorted; at most so many."""
        place = self._resolved(relative)
        if place is None:
            return []
        found: list[str] = []
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    found.append(entry.name)
                    if len(found) >= most:
                        self.unread[self.at(relative)] = f"it holds more than {most} names"
                        break
        except OSError as problem:
            if not isinstance(problem, FileNotFoundError | NotADirectoryError):
                self.unread[self.at(relative)] = os.strerror(problem.errno or 0)
            return []
        return sorted(name for name in found if _is_text(name))

    def text(self, relative: str) -> str:
        """What a file says; nothing when it is absent, too large or no text."""
        if relative not in self._texts:
            self._texts[relative] = self._read(relative)
        return self._texts[relative] or ""

    def lines(self, relative: str) -> list[str]:
        """Its lines, without the blanks around them."""
        return [line.strip() for line in self.text(relative).splitlines()]

    def json(self, relative: str) -> dict[str, Any]:
        """A JSON object; comments and trailing commas are forgiven. Nothing when it is none."""
        if not (text := self.text(relative)):
            return {}
        for form in (text, None):
            try:
                held = json.loads(form if form is not None else _without_comments(text))
            except (ValueError, RecursionError):
                continue
            return held if isinstance(held, dict) else {}
        self.unread[self.at(relative)] = "it is not JSON"
        return {}

    def toml(self, relative: str) -> dict[str, Any]:
        """A TOML document; nothing when it is none."""
        import tomllib

        try:
            return tomllib.loads(self.text(relative))
        except (ValueError, RecursionError):
            self.unread[self.at(relative)] = "it is not TOML"
            return {}

    def _read(self, relative: str) -> str | None:
        place = self._resolved(relative)
        if place is None:
            return None
        try:
            # The resolved path has no links left; one put there meanwhile is not followed.
            handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as problem:
            if not isinstance(problem, FileNotFoundError | NotADirectoryError):
                self.unread[self.at(relative)] = os.strerror(problem.errno or 0)
            return None
        try:
            held = os.fstat(handle)
            if not stat.S_ISREG(held.st_mode):
                return None
            if held.st_size > MOST_BYTES:
                self.unread[self.at(relative)] = f"it is larger than {MOST_BYTES:,} bytes"
                return None
            with os.fdopen(os.dup(handle), "rb") as file:
                return file.read(MOST_BYTES).decode("utf-8-sig", "replace")
        except OSError as problem:
            self.unread[self.at(relative)] = os.strerror(problem.errno or 0)
            return None
        finally:
            os.close(handle)

    def _resolved(self, relative: str) -> str | None:
        """Where a path really leads, when that is inside the folder."""
        place = os.path.realpath(self.at(relative))
        if place == self.root or place.startswith(self.root.rstrip("/") + "/"):
            return place
        if os.path.lexists(self.at(relative)):
            self.unread[self.at(relative)] = "a link leads out of the folder"
        return None


def table(held: Any, *steps: str) -> dict[str, Any]:
    """A part of a document that should be an object; an empty one otherwise."""
    for step in steps:
        held = held.get(step) if isinstance(held, dict) else None
    return held if isinstance(held, dict) else {}


def words(held: Any) -> str:
    """A short text or number as text, on one line; nothing for anything else."""
    if isinstance(held, bool) or not isinstance(held, str | int | float):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(held)[: 4 * _LONGEST]).split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _is_text(name: str) -> bool:
    return name.isprintable() and not any("\ud800" <= c <= "\udfff" for c in name)


def _without_comments(text: str) -> str:
    """JSON5's commonest liberties, outside of strings: comments and a comma before a closing bracket."""
    kept: list[str] = []
    at, size = 0, len(text)
    while at < size:
        char = text[at]
        if char == '"':
            end = at + 1
            while end < size and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            kept.append(text[at : end + 1])
            at = end + 1
        elif text.startswith("//", at):
            end = text.find("\n", at)
            at = size if end < 0 else end
        elif text.startswith("/*", at):
            end = text.find("*/", at)
            at = size if end < 0 else end + 2
        else:
            if char in "}]":
                while kept and (not kept[-1].strip() or kept[-1] == ","):
                    if kept.pop() == ",":
                        break
            kept.append(char)
            at += 1
    return "".join(kept)
