"""Where the core asks its extensions: the one core file that names theirs, each loaded when there is something for it.

A root that no extension has anything to do with never loads one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoracle.model.manifest import Loaded
    from memoracle.model.record import Record
    from memoracle.store.adopted import Adopted
    from memoracle.store.notes import NoteFile
    from memoracle.store.volume import FileEntry, Tree, Volume


def upgrade_line(fields: Mapping[str, Any]) -> Record:
    """Layouts: a record line in a shape that another design, or an earlier format, wrote."""
    from memoracle.store.older import upgrade

    return upgrade(fields)


def adopted_at(volume: Volume, name: str) -> Adopted | None:
    """Layouts: what stood in a directory before it became a memory."""
    from memoracle.store.adopted import read_adopted

    return read_adopted(volume, name)


def fact_entries(tree: Tree, layout: Mapping[str, str]) -> Mapping[str, FileEntry]:
    """Seats: the files that hold what scanners saw, by path."""
    from memoracle.store.fact_files import find_facts

    return find_facts(tree, layout)


def load_fact_file(volume: Volume, path: str, hide: Callable[[str], str]) -> Loaded:
    """Seats: what such a file says, as a view takes it."""
    from memoracle.store.facts import load_facts

    return load_facts(volume, path, hide=hide)


def facets_of_note(note: NoteFile, layout: Mapping[str, str], hide: Callable[[str], str]) -> dict[str, Any]:
    """Seats: whose a page is, and what a view is told of it beside its words."""
    from memoracle.store.facets import facets_of

    return facets_of(note, layout, hide)
