"""Which notes an import made, so that `undo` can take them back: `state/imported.json`.

A note that was changed since is its owner's and stays; one that was not moves to the trash, where it can be looked at.
The caller holds the lock.
"""

from __future__ import annotations

import os

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
