"""`state/repositories.json`: where the repositories of projects stand, as this machine was told."""

from __future__ import annotations

import os

from memoracle.store.store import Store
from memoracle.store.volume import read_document, write_document

_HERE = "repositories.json"


def note_repository(store: Store, name: str, path: str) -> None:
    """Have it known on this machine where a project's repository stands. The caller holds the lock."""
    here = store.state_name(_HERE)
    write_document(store.volume, here, {**read_document(store.volume, here), name: path})


def repository_here(store: Store, name: str) -> str:
    """Where this machine was told that it stands: the registry travels, and names nothing that is read here."""
    return str(read_document(store.volume, store.state_name(_HERE)).get(name, ""))


def names_here(store: Store, root: str) -> list[str]:
    """The projects whose repository, as this machine was told, stands in that folder."""
    held = read_document(store.volume, store.state_name(_HERE))
    return sorted(
        name
        for name, path in held.items()
        if isinstance(path, str) and path and os.path.realpath(os.path.expanduser(path)) == root
    )
