"""Lines of a note, taken out for good. The owner's text only: what memory generated goes with its records."""

from __future__ import annotations

import re

from memoracle.errors import BadInput, UnknownRecord
from memoracle.model.value import value
from memoracle.store.generated import generated_lines
from memoracle.store.notes import read_note, write_note
from memoracle.store.store import Store

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
