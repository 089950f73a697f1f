"""Entries of the hot file that are done move to the month's archive, and each leaves a stub; a backup comes first.

An entry is a list item with what is indented below it, or a heading with everything under it. It is finished when its
first line carries a tick and a word for done, and nothing in it is still active.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memoracle.model.ids import file_digest
from memoracle.model.value import value
from memoracle.store.generated import generated_lines
from memoracle.times import write_time

if TYPE_CHECKING:
    from collections.abc import Collection

    from memoracle.root import Root

_STUB = re.compile(r"\]\([^)\s]*MEMORY_ARCHIVE_\d{4}_\d{2}\.md\)")
_MOST_LINES = 200
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
class FinishedEntry:
    """Lines of the file that belong together, from 0; `title` is the first of them in short."""

    first: int
    last: int
    title: str
    text: str


@value
class Sorted:
    """The finished entries, and the file with a stub in the place of each."""

    entries: tuple[FinishedEntry, ...]
    text: str


@value
class Tidied:
    """What became of the finished entries of the hot file."""

    dry_run: bool
    archived: tuple[str, ...]
    lines_before: int
    lines_after: int
    within_200_lines: bool
    archive: str = ""
    backup: str = ""


def archive_hot(root: Root, *, dry_run: bool = True) -> Tidied:
    """Move finished entries of the hot file to the month's archive, leaving a line for each; a backup comes first."""
    if dry_run:
        path = root.store.layout["hot"]
        return _tidied(root, *_sorted(root, root.store.volume.read(path)), dry_run=True)
    with root.store.writing():
        done = _move(root)
    if done.backup:
        root.log("archive-hot", about=[done.archive, done.backup])
    return done


def _move(root: Root) -> Tidied:
    hot = root.store.layout["hot"]
    before = root.store.volume.read(hot)
    sorted_, text = _sorted(root, before)
    if not sorted_.entries:
        return _tidied(root, sorted_, text, dry_run=False)
    folder, now = root.store.layout["archive"], root.clock()
    archive, backup = _archive(root), f"{folder}/{hot}.{write_time(now).replace(':', '')}.bak"
    root.store.volume.replace(backup, before)
    held = root.store.volume.read(archive).decode("utf-8", "replace")
    # A run that was killed here has put some of them there already.
    fresh = [entry.text for entry in sorted_.entries if entry.text not in held]
    head = "" if held else f"# Finished, {write_time(now)[:7]}\n"
    root.store.volume.replace(archive, (held + head + "".join(f"\n{one}\n" for one in fresh)).encode())
    root.store.volume.replace(hot, sorted_.text.encode(), expected=file_digest(before))
    return _tidied(root, sorted_, text, dry_run=False, archive=archive, backup=backup)


def _archive(root: Root) -> str:
    month = write_time(root.clock())[:7].replace("-", "_")
    return f"{root.store.layout['archive']}/MEMORY_ARCHIVE_{month}.md"


def _sorted(root: Root, content: bytes) -> tuple[Sorted, str]:
    text = content.decode("utf-8", "surrogateescape")
    if any("\udc80" <= char <= "\udcff" for char in text):
        return Sorted(entries=(), text=text), text  # not UTF-8: its owner's to mend
    return sort_out(text, _archive(root), {*generated_lines(text), *_fenced(text)}), text


def _tidied(
    root: Root, sorted_: Sorted, text: str, *, dry_run: bool, archive: str = "", backup: str = ""
) -> Tidied:
    after = _count(sorted_.text)
    return Tidied(
        dry_run=dry_run,
        archived=tuple(root.guard.hide(entry.title) for entry in sorted_.entries),
        lines_before=_count(text),
        lines_after=after,
        within_200_lines=after <= _MOST_LINES,
        archive=archive or (_archive(root) if sorted_.entries else ""),
        backup=backup,
    )


def _count(text: str) -> int:
    return len(text.removesuffix("\n").split("\n")) if text else 0


def _fenced(text: str) -> set[int]:
    """The lines of code blocks."""
    found, inside = set(), False
    for at, line in enumerate(text.split("\n")):
        if line.lstrip().startswith(("```", "~~~")):
            inside = not inside
            found.add(at)
        elif inside:
            found.add(at)
    return found


def sort_out(text: str, archive: str, hidden: Collection[int] = ()) -> Sorted:
    """Take the finished entries out; lines in `hidden` (generated ones, code) are left alone."""
    lines = text.split("\n")
    entries: list[FinishedEntry] = []
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


def _entry_at(lines: list[str], at: int, hidden: Collection[int]) -> FinishedEntry | None:
    line = lines[at]
    if not _DONE.search(line) or _STUB.search(line):
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
    return FinishedEntry(first=at, last=last, title=short, text=body.rstrip())


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
