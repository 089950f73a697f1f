"""Where the note of a day stands: live, archived, or archived and packed."""

from __future__ import annotations

import os
from datetime import date

from memoracle.store.chunks import split_lines
from memoracle.store.generated import generated_lines
from memoracle.store.layouts import NoteRole, resolve
from memoracle.store.notes import date_of, read_note
from memoracle.store.packed import PACKED
from memoracle.store.store import Store

_CLOSED_LAYOUTS = frozenset({"v4"})


def place_of_day(store: Store, day: date) -> str:
    """The relative path of a day's note as it stands; the live place for one that is not there yet."""
    live = resolve(store.layout, "daily", date=day.isoformat())
    cold = resolve(store.layout, "archived_daily", date=day.isoformat())
    standing = (place for place in (live, cold, cold + PACKED) if os.path.lexists(store.place(place)))
    return next(standing, live)


def fresh_daily(layout: str, day: date) -> str:
    """What a new note of a day begins with; where a design closes its notes, with the four closing lines."""
    closing = f"Updated: {day}\nDecisions: none\nSignal: none\nOpen: none\n"
    return f"# {day}\n\n" + (closing if layout in _CLOSED_LAYOUTS else "")


def owners_days(store: Store) -> list[tuple[str, date, tuple[tuple[int, str], ...]]]:
    """The live daily notes, oldest first: path, day, and the owner's lines with their numbers."""
    found = []
    for path, role in sorted(store.note_files().items()):
        day = date_of(path)
        if role is NoteRole.DAILY and day is not None:
            text = read_note(store.root, path).text
            hidden = generated_lines(text)
            lines = ((at + 1, line) for at, line in enumerate(split_lines(text)) if at not in hidden)
            found.append((path, day, tuple(lines)))
    return found
