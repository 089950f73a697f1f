"""Which notes an import made: `undo` can take them back, and the view knows that they moved in. `state/imported.json`.

A note that was changed since is its owner's and stays; one that was not moves to the trash, where it can be looked at.
The caller holds the lock.
"""

from __future__ import annotations

from typing import Any

from memoracle.model.ids import file_digest
from memoracle.store import documents
from memoracle.store.store import Store
from memoracle.store.volume import NO_LOOKS

FILE = "imported.json"


def note_import(store: Store, operation: str, paths: list[str]) -> None:
    """Remember which notes an act made, as they are now."""
    name = store.state_name(FILE)
    held = documents.read_document(store.volume, name)
    held[operation] = {path: file_digest(store.volume.read(path)) for path in paths}
    documents.write_document(store.volume, name, held)


def came_from_an_import(store: Store, path: str) -> bool:
    """True for a note that an import made, changed since or not."""
    name = store.state_name(FILE)
    looks = store.volume.looks(name)
    if looks == NO_LOOKS:
        return False
    mark = (store.root, name, looks)
    if _known.get("mark") != mark:
        held = documents.read_document(store.volume, name)
        made = [one for one in held.values() if isinstance(one, dict)]
        _known.update(mark=mark, paths=frozenset().union(*made), is_lost=not held and looks[1] > 3)
    # When it cannot be read, any note may have come from one.
    return _known["is_lost"] or path in _known["paths"]


# The last file that was read: a view that is built asks for every note.
_known: dict[str, Any] = {}


def take_back(store: Store, operation: str) -> list[str]:
    """Move the notes of an act to the trash, if nobody changed them since; which ones is returned."""
    name = store.state_name(FILE)
    held = documents.read_document(store.volume, name)
    made = held.pop(operation, None)
    if not isinstance(made, dict):
        return []
    moved = []
    for path, digest in made.items():
        content = store.volume.read(path)
        if not content or file_digest(content) != digest:
            continue
        store.volume.replace(f"{store.layout['trash']}/{operation}/{path}", content)
        store.volume.remove(path)
        moved.append(path)
    documents.write_document(store.volume, name, held)
    return moved
