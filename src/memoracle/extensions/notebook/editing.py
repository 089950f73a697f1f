"""Lines added to the notes of days and homes, and to nothing else in them. The caller holds the lock.

A note's owner does not know of the lock: it is replaced only while it still is what was read, and read again when
it is not. The closing lines of a day stay its last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, ChangedUnderneath
from memoracle.model.value import value
from memoracle.store import frontmatter
from memoracle.store.chunks import headings, split_lines
from memoracle.store.daily import fresh_daily, place_of_day
from memoracle.store.notes import closing_at, closing_lines, insertion, read_text, write_text

if TYPE_CHECKING:
    from memoracle.guard.guard import PolicyGuard
    from memoracle.store.store import Store

_TRIES = 5
_LONGEST = 100_000

Change = Callable[[str], str]
"""The new text of a note, made from the old one."""


@value
class Jotted:
    """Where lines stand now."""

    path: str
    line: int


def guarded(guard: PolicyGuard, fields: Mapping[str, str]) -> dict[str, str]:
    """Texts by name as they may be written: without secrets, and not longer than a note can bear."""
    for name, said in fields.items():
        if len(said) > _LONGEST or "\0" in said:
            raise BadInput(f"the {name} is too long, or holds what no note can keep")
    from memoracle.guard.hidden import spelled_out

    # A note has no quarantine: what is hidden in it is spelled out, so that whoever reads it sees it.
    return {name: spelled_out(said) for name, said in guard.words(fields).fields.items()}


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


# The header of a semantic or procedural note: its title, its tags on line 2, the day it was last verified.
#
# Pure: text in, text out. What is not the header stays as it is, byte for byte.

_TAGS = re.compile(r"(\s*#tags\s?[:：])(.*)", re.IGNORECASE)
_VERIFIED = re.compile(r"(\s*(?:>\s?)?(?:\*\*)?last_verified(?:\*\*)?\s?[:：]).*", re.IGNORECASE)
_FRONT = 12


def fresh_warm(title: str, tags: Sequence[str], day: date) -> str:
    """What a new note begins with."""
    said = f"#tags: {', '.join(tags)}".rstrip()
    return f"# {title}\n{said}\n> last_verified: {day.isoformat()}\n\n"


def with_tags(text: str, tags: Sequence[str]) -> str:
    """The text with these tags in its line of tags, behind those it has; a line is added where none is."""
    head, lines, end = parts(text)
    for at, line in enumerate(lines[:_FRONT]):
        if found := _TAGS.fullmatch(line.removesuffix("\r")):
            held = [tag.lstrip("#") for tag in re.split(r"[\s,，、]+", found[2].strip()) if tag]
            missing = [tag for tag in tags if tag.casefold() not in {one.casefold() for one in held}]
            if missing:
                lines[at] = f"{found[1]} {', '.join([*held, *missing])}{end}"
            return head + "\n".join(lines)
    if not tags:
        return text
    title = next((at for at, line in enumerate(lines) if line.strip()), 0)
    behind = title + 1 if lines[title].startswith("# ") else 0
    lines.insert(behind, f"#tags: {', '.join(tags)}{end}")
    return head + "\n".join(lines)


def with_verified(text: str, day: date) -> str:
    """The text with that day as the one it was last verified on."""
    head, lines, end = parts(text)
    tags = None
    for at, line in enumerate(lines[:_FRONT]):
        if found := _VERIFIED.fullmatch(line.removesuffix("\r")):
            lines[at] = f"{found[1]} {day.isoformat()}{end}"
            return head + "\n".join(lines)
        if _TAGS.fullmatch(line.removesuffix("\r")):
            tags = at
    title = next((at for at, line in enumerate(lines) if line.strip()), 0)
    behind = tags + 1 if tags is not None else title + 1 if lines[title].startswith("# ") else 0
    lines.insert(behind, f"> last_verified: {day.isoformat()}{end}")
    return head + "\n".join(lines)


def parts(text: str) -> tuple[str, list[str], str]:
    """The header as it stands, the lines below it with their carriage returns, and such a return or nothing."""
    head = frontmatter.parse(text).head
    body = text[len(head) :]
    mark = "\ufeff" if not head and body.startswith("\ufeff") else ""
    end = "\r" if text.partition("\n")[0].endswith("\r") else ""
    return head + mark, body.removeprefix(mark).split("\n"), end
