"""Lines added to the notes of days and homes, and to nothing else in them. The caller holds the lock.

A note's owner does not know of the lock: it is replaced only while it still is what was read, and read again when
it is not. The closing lines of a day stay its last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from memoracle.errors import BadInput, ChangedUnderneath, UnknownRecord
from memoracle.model.value import value
from memoracle.store import frontmatter
from memoracle.store.chunks import headings, split_lines
from memoracle.store.generated import generated_lines, owners_text
from memoracle.store.layouts import NoteRole, resolve
from memoracle.store.notes import (
    closing_at,
    closing_lines,
    date_of,
    insertion,
    read_note,
    read_text,
    write_note,
    write_text,
)
from memoracle.store.store import Store
from memoracle.store.volume import PACKED

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


# Where the note of a day stands: live, archived, or archived and packed.


_CLOSED_LAYOUTS = frozenset({"v4"})


def place_of_day(store: Store, day: date) -> str:
    """The relative path of a day's note as it stands; the live place for one that is not there yet."""
    live = resolve(store.layout, "daily", date=day.isoformat())
    cold = resolve(store.layout, "archived_daily", date=day.isoformat())
    standing = (place for place in (live, cold, cold + PACKED) if store.volume.has(place))
    return next(standing, live)


def fresh_daily(layout: str, day: date) -> str:
    """What a new note of a day begins with; where a design closes its notes, with the four closing lines."""
    closing = f"Updated: {day}\nDecisions: none\nSignal: none\nOpen: none\n"
    return f"# {day}\n\n" + (closing if layout in _CLOSED_LAYOUTS else "")


def drop_if_untouched(store: Store, path: str) -> bool:
    """Take a day's note away in which nobody wrote anything, and whose blocks are empty. The caller holds the lock."""
    day = date_of(path)
    if day is None or not store.volume.has(path):
        return False
    text, _ = read_text(store.volume, path)
    markers = sum(line.lstrip().startswith("<!-- memoracle:") for line in split_lines(text))
    inside = [
        line for at, line in enumerate(split_lines(text)) if at in generated_lines(text) and line.strip()
    ]
    if len(inside) > markers or owners_text(text).strip() != fresh_daily(store.layout_name, day).strip():
        return False
    store.volume.remove(path)
    return True


def owners_days(store: Store) -> list[tuple[str, date, tuple[tuple[int, str], ...]]]:
    """The live daily notes, oldest first: path, day, and the owner's lines with their numbers."""
    found = []
    for path in sorted(store.notes.files(NoteRole.DAILY)):
        day = date_of(path)
        if day is not None:
            text = read_note(store.volume, path).text
            hidden = generated_lines(text)
            lines = ((at + 1, line) for at, line in enumerate(split_lines(text)) if at not in hidden)
            found.append((path, day, tuple(lines)))
    return found


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
    head, lines, end = _parts(text)
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
    head, lines, end = _parts(text)
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


def _parts(text: str) -> tuple[str, list[str], str]:
    """The header as it stands, the lines below it with their carriage returns, and such a return or nothing."""
    head = frontmatter.parse(text).head
    body = text[len(head) :]
    mark = "\ufeff" if not head and body.startswith("\ufeff") else ""
    end = "\r" if text.partition("\n")[0].endswith("\r") else ""
    return head + mark, body.removeprefix(mark).split("\n"), end


# Lines of a note, taken out for good. The owner's text only: what memory generated goes with its records.


_PLACE = re.compile(r"(?P<path>[^#]+\.md)#L(?P<first>\d{1,7})(?:-L?(?P<last>\d{1,7}))?")


@value
class NoteLines:
    """Some lines of a note, from 1, both ends included."""

    path: str
    first: int
    last: int

    @property
    def cite(self) -> str:
        """Where they stand."""
        return f"{self.path}#L{self.first}" + (f"-L{self.last}" if self.last != self.first else "")


def note_lines(store: Store, reference: str) -> NoteLines | None:
    """The lines that a citation names; None for what is not a citation of a note."""
    found = _PLACE.fullmatch(reference)
    if found is None:
        return None
    path, first = found["path"], int(found["first"])
    last = int(found["last"] or first)
    if path not in store.notes.files():
        raise UnknownRecord(reference)
    lines = read_note(store.volume, path).text.split("\n")
    if not 1 <= first <= last <= len(lines):
        raise BadInput(f"{path} has {len(lines)} lines", f"cite lines within it, not {first} to {last}")
    if generated_lines("\n".join(lines)).intersection(range(first - 1, last)):
        raise BadInput(f"{reference} was generated from records", "forget those: each line names its own")
    return NoteLines(path=path, first=first, last=last)


def take_out(store: Store, lines: NoteLines) -> list[str]:
    """Erase them; what they said is returned. The caller holds the lock, and throws the view's copy away."""
    note = read_note(store.volume, lines.path)
    rows = note.text.split("\n")
    gone = rows[lines.first - 1 : lines.last]
    kept = "\n".join([*rows[: lines.first - 1], *rows[lines.last :]])
    write_note(store.volume, lines.path, kept, expected=note.digest)
    return gone
