"""Where the note of a day stands: live, archived, or archived and packed."""

from __future__ import annotations

from datetime import date

from memoracle.store.chunks import split_lines
from memoracle.store.generated import generated_lines, owners_text
from memoracle.store.layouts import NoteRole, resolve
from memoracle.store.notes import date_of, read_note
from memoracle.store.packed import PACKED, read_text
from memoracle.store.store import Store

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
