"""Entries of a hot file that are done, and the stubs they leave. Pure.

An entry is a list item with what is indented below it, or a heading with everything under it. It is finished when its
first line carries a tick and a word for done, and nothing in it is still active.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from memoracle.model.value import value

STUB = re.compile(r"\]\([^)\s]*MEMORY_ARCHIVE_\d{4}_\d{2}\.md\)")
MOST_LINES = 200
_DONE = re.compile(
    r"✅.{0,60}?(?:\bmerged\b|\bdone\b|\bpass(?:ed)?\b|\bcompleted?\b|\bshipped\b|完成|已合并|合并|通过|已上线)"
    r"|(?:\bmerged\b|\bdone\b|\bpass(?:ed)?\b|完成|已合并|通过).{0,20}✅",
    re.IGNORECASE,
)
_ACTIVE = re.compile(
    r"🔄|⏳|🚧|🟡|❗|\[ \]|\b(?:active|in progress|todo|wip|blocked|pending|ongoing)\b|进行中|待办|未完成"
    r"|阻塞|待定",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^( {0,3})(?:[-*+]|\d{1,3}[.)])\s+(.*)$")
_HEADING = re.compile(r"^(#{2,6})\s+(.*)$")
_LONGEST = 100


@value
class Entry:
    """Lines of the file that belong together, from 0; `title` is the first of them in short."""

    first: int
    last: int
    title: str
    text: str


@value
class Sorted:
    """The finished entries, and the file with a stub in the place of each."""

    entries: tuple[Entry, ...]
    text: str


def sort_out(text: str, archive: str, hidden: Collection[int] = ()) -> Sorted:
    """Take the finished entries out; lines in `hidden` (generated ones, code) are left alone."""
    lines = text.split("\n")
    entries: list[Entry] = []
    at = 0
    while at < len(lines):
        entry = None if at in hidden else _entry_at(lines, at, hidden)
        if entry is None:
            at += 1
            continue
        entries.append(entry)
        at = entry.last + 1
    kept = list(lines)
    for entry in reversed(entries):
        kept[entry.first : entry.last + 1] = [f"- ✅ {entry.title} → [archive]({archive})"]
    return Sorted(entries=tuple(entries), text="\n".join(kept))


def _entry_at(lines: list[str], at: int, hidden: Collection[int]) -> Entry | None:
    line = lines[at]
    if not _DONE.search(line) or STUB.search(line):
        return None
    if heading := _HEADING.match(line):
        last, title = _end_of_section(lines, at, len(heading[1]), hidden), heading[2]
    elif item := _ITEM.match(line):
        last, title = _end_of_item(lines, at, len(item[1]), hidden), item[2]
    else:
        return None
    body = "\n".join(lines[at : last + 1])
    if _ACTIVE.search(body):
        return None
    plain = re.sub(r"\s+", " ", re.sub(r"✅|\*\*|[\[\]()`]", " ", title)).strip()
    short = plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"
    return Entry(first=at, last=last, title=short, text=body.rstrip())


def _end_of_section(lines: list[str], at: int, level: int, hidden: Collection[int]) -> int:
    last = at
    for place in range(at + 1, len(lines)):
        heading = None if place in hidden else re.match(r"^(#{1,6})\s", lines[place])
        if (heading and len(heading[1]) <= level) or lines[place].startswith("<!--"):
            break
        if lines[place].strip():
            last = place
    return last


def _end_of_item(lines: list[str], at: int, indent: int, hidden: Collection[int]) -> int:
    last = at
    for place in range(at + 1, len(lines)):
        line = lines[place]
        if place in hidden:
            break
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        if line.strip():
            last = place
    return last
