"""The files of a root that a host may search or show by itself, by the table of its layout."""

from __future__ import annotations

import os

from memoracle.model.value import value
from memoracle.store.layouts import layout_named


@value
class Shelves:
    """What a host's own search should know, and what an agent should have before it."""

    searched: tuple[str, ...]
    snapshot: str


def shelves_of(root: str, layout: str) -> Shelves:
    """The shelves of a root."""
    table = layout_named(layout)
    notes = [os.path.dirname(table[name]) for name in ("daily", "semantic", "procedural")]
    return Shelves(
        searched=tuple(
            dict.fromkeys(os.path.join(root, name) for name in [table["hot"], *_outermost(notes)])
        ),
        snapshot=os.path.join(root, table.get("snapshot", table["hot"])),
    )


def _outermost(folders: list[str]) -> list[str]:
    """Folders that hold the others; `notes/daily` and `notes/semantic` are found under `notes`."""
    shared = os.path.commonpath(folders)
    return [shared] if shared else sorted(set(folders))
