"""Which notes an import made: `undo` can take them back, and the view knows that they moved in. `state/imported.json`.

A note that was changed since is its owner's and stays; one that was not moves to the trash, where it can be looked at.
The caller holds the lock.
"""

from __future__ import annotations

import os
from typing import Any

from memoracle.model.ids import file_digest
from memoracle.store import documents, durable
from memoracle.store.store import Store

FILE = "imported.json"


def note_import(store: Store, operation: str, paths: list[str]) -> None:
    """Remember which notes an act made, as they are now."""
    place = store.state_path(FILE)
    held = documents.read_document(place)
    held[operation] = {path: durable.digest_of(store.place(path)) for path in paths}
    documents.write_document(place, held)


def came_from_an_import(store: Store, path: str) -> bool:
    """True for a note that an import made, changed since or not."""
    place = store.state_path(FILE)
    try:
        seen = os.stat(place)
    except OSError:
        return False
    mark = (place, seen.st_mtime_ns, seen.st_size, seen.st_ino)
    if _known.get("mark") != mark:
        held = documents.read_document(place)
        made = [one for one in held.values() if isinstance(one, dict)]
        _known.update(mark=mark, paths=frozenset().union(*made), is_lost=not held and seen.st_size > 3)
    # When it cannot be read, any note may have come from one.
    return _known["is_lost"] or path in _known["paths"]


# The last file that was read: a view that is built asks for every note.
_known: dict[str, Any] = {}


def take_back(store: Store, operation: str) -> list[str]:
    """Move the notes of an act to the trash, if nobody changed them since; which ones is returned."""
    place = store.state_path(FILE)
    held = documents.read_document(place)
    made = held.pop(operation, None)
    if not isinstance(made, dict):
        return []
    moved = []
    for path, digest in made.items():
        content = durable.read(store.place(path))
        if not content or file_digest(content) != digest:
            continue
        kept = store.place(f"{store.layout['trash']}/{operation}/{path}")
        durable.make_folder(os.path.dirname(kept))
        durable.replace(kept, content)
        durable.remove(store.place(path))
        moved.append(path)
    documents.write_document(place, held)
    return moved
