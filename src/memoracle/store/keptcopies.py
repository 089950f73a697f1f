"""Copies of conversations without some of their turns.

Copies stand line by line where the host's own file does; those that do not (databases, whole documents) are left
alone unless nothing of them is to stay, and are named.
"""

from __future__ import annotations

from collections.abc import Collection

from memoracle.store.packed import content_of, pack
from memoracle.store.store import Store
from memoracle.store.transcripts import Transcript, stands_by_lines, write_transcripts


def unregister(store: Store, paths: Collection[str]) -> None:
    """These conversations belong to this memory no more; their copies go. The caller holds the lock."""
    known = store.sessions.by_path()
    gone = [known[path] for path in paths if path in known]
    for one in gone:
        if one.copy:
            store.volume.remove(one.copy)
    if gone:
        staying = [one for path, one in known.items() if path not in paths]
        write_transcripts(store, staying)


def without_lines(store: Store, transcript: Transcript, lines: Collection[int]) -> bool:
    """Take lines out of a copy; False when it does not stand line by line. The caller holds the lock."""
    content = content_of(store.volume, transcript.copy)
    rows = content.split(b"\n")
    if not stands_by_lines(rows):
        return False
    # The lines stay, empty: what else is cited by its line is still found there.
    kept = [b"" if number in lines else row for number, row in enumerate(rows, start=1)]
    store.volume.replace(transcript.copy, pack(b"\n".join(kept)))
    return True
