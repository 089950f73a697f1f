"""The notes of days and the lines in them: where each stands, what a new one begins with, lines taken out for good.

The caller holds the lock. What memory generated in a note goes with its records; here it is the owner's text alone.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, InvalidTime, UnknownRecord
from memoracle.model.value import value
from memoracle.store.chunks import split_lines
from memoracle.store.generated import generated_lines, owners_text
from memoracle.store.layouts import NoteRole, resolve
from memoracle.store.notes import date_of, read_note, read_text, write_note
from memoracle.store.volume import PACKED
from memoracle.times import read_time

if TYPE_CHECKING:
    from memoracle.store.store import Store

_CLOSED_LAYOUTS = frozenset({"v4"})
_PLACE = re.compile(r"(?P<path>[^#]+\.md)#L(?P<first>\d{1,7})(?:-L?(?P<last>\d{1,7}))?")


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


# The working buffer: what an agent writes down before it replies, on disk before the command returns.
#
# Four header lines, then items. Here it is read; the notebook extension writes it.

PENDING = ".pending"
STALE_AFTER = timedelta(hours=2)
HEADER_LINES = 6
MOMENT = re.compile(r"\s*(?:>\s*)?(created|last_active)\s*[:：]\s*(.+)", re.IGNORECASE)
_HEADER = re.compile(r"# |\s*(?:>\s*)?(?:created|last_active)\s*[:：]|\s*$", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DONE = re.compile(r"[-*+] (?:\[[xX✓✔]\]|~~)")


@value
class WorkingBuffer:
    """The buffer as it stands: its lines behind the header, each with its number in the file."""

    path: str
    text: str = ""
    entries: tuple[tuple[int, str], ...] = ()
    created: datetime | None = None
    active: datetime | None = None

    @property
    def lines(self) -> int:
        """How many lines the file has."""
        return len(_lines(self.text)) if self.text else 0

    @property
    def items(self) -> int:
        """How many items are not done."""
        return sum(line.startswith(("- ", "* ", "+ ")) and not _DONE.match(line) for _, line in self.entries)

    @property
    def body(self) -> str:
        """What was written into it."""
        return "\n".join(line for _, line in self.entries).strip("\n")

    def is_stale(self, now: datetime) -> bool:
        """True when something waits in it and nobody has worked with it for a while."""
        return bool(self.entries and self.active and now - self.active > STALE_AFTER)


def read_buffer(store: Store) -> WorkingBuffer:
    """The buffer; one that is not there is empty."""
    path = store.layout["buffer"]
    text, _ = read_text(store.volume, path)
    return parse(path, text)


def parse(path: str, text: str) -> WorkingBuffer:
    """What a text says as a buffer."""
    moments: dict[str, datetime | None] = {}
    entries: list[tuple[int, str]] = []
    for number, line in enumerate(_lines(text) if text else [], start=1):
        if number <= HEADER_LINES and not entries and _HEADER.match(line):
            if found := MOMENT.match(line):
                moments[found[1].casefold()] = _moment_in(found[2])
        else:
            entries.append((number, line))
    while entries and not entries[-1][1].strip():
        entries.pop()
    return WorkingBuffer(
        path=path,
        text=text,
        entries=tuple(entries),
        created=moments.get("created"),
        active=moments.get("last_active"),
    )


def _moment_in(text: str) -> datetime | None:
    try:
        return read_time(text.strip())
    except InvalidTime:
        found = _DAY.search(text)
        try:
            return datetime.combine(date.fromisoformat(found[0]), datetime.min.time(), UTC) if found else None
        except ValueError:
            return None


def _lines(text: str) -> list[str]:
    lines = split_lines(text)
    if not lines[-1]:
        lines.pop()
    return lines


def leftovers(store: Store, *suffixes: str) -> list[str]:
    """What interrupted rotations left beside the buffer, ours or another program's."""
    folder, _, name = store.layout["buffer"].rpartition("/")
    names = [one.name for one in store.volume.list(folder).files]
    stem = name.removesuffix(".md")
    found = [one for one in names if one.lstrip(".").startswith(stem) and one.endswith(suffixes or PENDING)]
    return [f"{folder}/{one}" if folder else one for one in found]
