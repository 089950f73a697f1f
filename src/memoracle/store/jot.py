"""Lines added to the notes of days and homes, and to nothing else in them. The caller holds the lock.

A note's owner does not know of the lock: it is replaced only while it still is what was read, and read again when
it is not. The closing lines of a day stay its last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from memoracle.errors import BadInput, ChangedUnderneath
from memoracle.model.value import value
from memoracle.store.chunks import headings, split_lines
from memoracle.store.closure import closing_at, closing_lines
from memoracle.store.daily import fresh_daily, place_of_day
from memoracle.store.notes import insertion
from memoracle.store.packed import read_text, write_text
from memoracle.store.store import Store

_TRIES = 5

Change = Callable[[str], str]
"""The new text of a note, made from the old one."""


@value
class Jotted:
    """Where lines stand now."""

    path: str
    line: int


def bullet(text: str) -> str:
    """Words as one item of a list: further lines are indented, and nothing in them reaches beyond the item."""
    lines = split_lines(text.replace("\r\n", "\n").replace("\r", "\n").strip())
    if not lines[0]:
        raise BadInput("there is nothing to note")
    item = [f"- {lines[0].strip()}", *(f"  {line}".rstrip() for line in lines[1:])]
    item = [line.replace("<!-- memoracle:", "<! -- memoracle:") for line in item]
    for fence in ("  ```", "  ~~~", "  ````", "  ~~~~"):
        # A code block that is left open would swallow every heading behind it.
        if len(headings([*item, "# behind"])):
            break
        if headings([*item, fence, "# behind"]):
            item.append(fence)
    return "\n".join(item)


def jot(store: Store, day: date, lines: str, *, heading: str) -> Jotted:
    """Add lines to the note of a day, under a heading of its own."""
    path = place_of_day(store, day)
    return jot_at(store, path, lines, heading=heading, fresh=fresh_daily(store.layout_name, day))


def jot_at(store: Store, path: str, lines: str, *, heading: str | None = None, fresh: str = "") -> Jotted:
    """Add lines to a note; `fresh` is what one that is not there yet begins with."""
    first = 0

    def change(present: str) -> str:
        nonlocal first
        place, addition = insertion(present, lines, heading=heading)
        own = len(split_lines(lines.strip("\r\n")))
        first = present.count("\n", 0, place) + addition.count("\n") - own + 1
        return f"{present[:place]}{addition}{present[place:]}"

    rewrite(store, path, change, fresh=fresh)
    return Jotted(path=path, line=first)


def close_day(store: Store, day: date, values: Mapping[str, str]) -> Jotted:
    """Write or renew the closing lines of a day; a value that is not given stays as it is."""
    path = place_of_day(store, day)
    line = 0

    def change(present: str) -> str:
        nonlocal line
        newline = "\r\n" if present.partition("\n")[0].endswith("\r") else "\n"
        lines = present.removeprefix("\ufeff").split("\n")
        start = closing_at([one.removesuffix("\r") for one in lines])
        held = [] if start is None else [one.removesuffix("\r") for one in lines[start : start + 4]]
        before = (present if start is None else present[: _offset(present, start)]).rstrip("\r\n")
        gap = newline * 2 if before else ""
        line = before.count("\n") + (3 if before else 1)
        return before + gap + newline.join(closing_lines(values, held)) + newline

    rewrite(store, path, change, fresh=fresh_daily(store.layout_name, day))
    return Jotted(path=path, line=line)


def rewrite(store: Store, path: str, change: Change, *, fresh: str = "") -> str:
    """Put what `change` makes of a note in its place; its new text is returned."""
    for attempt in range(_TRIES):
        text, digest = read_text(store.volume, path)
        changed = change(fresh if digest is None else text)
        try:
            if digest is None or changed != text:
                write_text(store.volume, path, changed, expected=digest)
                store.audit.log_files("buffer" if path == store.layout["buffer"] else "note", path)
        except ChangedUnderneath:
            if attempt + 1 == _TRIES:
                raise
        else:
            return changed
    raise AssertionError("the last try ends one way or the other")


def _offset(text: str, lines: int) -> int:
    """Where that many lines have passed."""
    place = 0
    for _ in range(lines):
        place = text.index("\n", place) + 1
    return place
